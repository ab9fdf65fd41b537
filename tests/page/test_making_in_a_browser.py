"""A teacher makes a sheet in the browser: what is typed is shown, what is saved is what `blatt` writes."""

import re
from io import BytesIO
from zipfile import ZipFile

from playwright.sync_api import expect

from generator.options.numbers_file import read_given
from generator.options.options import Options
from tests import laid_out
from tests.page.looking import findings
from tests.page.running import PATIENCE, made, preview, settled, small
from tests.pdf.compare import differences
from tests.pdf.signs import pages_of, text_of

SENTENCE = "Die Katze schläft"


def files_of(**options):
    return laid_out.files_of(Options.asked({"satz": SENTENCE} | options))


def with_own_numbers(page):
    """Numbers that have been learnt are only shown."""
    page.click("[data-group=Modell] > summary")
    page.select_option("#o-gewichte", "auswahl")
    settled(page)


def fetched(page, address):
    answer = page.request.get(address)
    assert answer.ok, answer.status
    return answer.body()


def test_a_sentence_becomes_a_preview_and_files_that_equal_those_of_the_command(open_page, running):
    page = open_page("/")
    page.get_by_role("button", name="Das ganze Modell").click()
    page.fill("#satz", SENTENCE)
    page.click("[data-group=Stunde] > summary")
    page.check("[data-option=stationen] input[value='2']")
    settled(page)
    expect(preview(page).locator("h1")).to_contain_text("Embedding")
    expect(preview(page).locator("body")).to_contain_text("schläft")
    expect(page.locator("#aufwand")).to_contain_text("rechnen")
    for view, least, most in (("Lösung", 4, 999), ("Arbeitsblatt", 0, 0)):
        page.get_by_role("button", name=view, exact=True).click()
        settled(page)
        assert least <= preview(page).locator(".blank .value").count() <= most
    page.click("[data-group=Hilfe] > summary")
    page.select_option("#o-stufe", "1")
    settled(page)
    expect(page.locator("#befehl")).to_have_text(f'papierformer blatt "{SENTENCE}" --stationen 2 --stufe 1')
    at = running.base + made(page)
    expected = files_of(stationen=("2",), stufe=1)
    got = {name: fetched(page, f"{at}/{name}?sichern") for name in expected}
    for name, content in expected.items():
        # Another test may have kept another layout meanwhile: other bytes, but the same text, places and ink.
        same = not list(differences(got[name], content)) if name.endswith(".pdf") else got[name] == content
        assert same, name
    with ZipFile(BytesIO(fetched(page, f"{at}/alles.zip"))) as archive:
        assert sorted(archive.namelist()) == sorted(expected)
        assert archive.read("arbeitsblatt.pdf") == got["arbeitsblatt.pdf"]


def test_nothing_that_is_typed_is_lost(open_page, running):
    page = open_page()
    settled(page)
    with_own_numbers(page)
    page.click("#zahlen > summary")
    cell = page.get_by_label("Wortvektoren Katze, Spalte 1", exact=True)
    computed = cell.input_value()
    for text, changed in (("0,7", True), (computed, False), ("0,8", True), ("", False), ("0,9", True)):
        cell.click()
        page.keyboard.press("Delete")  # a click selects the whole number
        page.keyboard.type(text)
        page.keyboard.press("Tab")
        expect(page.locator("#zahlen .changed")).to_be_visible(visible=changed)
        expect(cell).to_have_value(text or computed)
    page.reload()
    expect(page.locator("#satz")).to_have_value(SENTENCE)
    settled(page)
    expect(preview(page).locator("body")).to_contain_text("0,9")
    page.click("#zuruecksetzen")
    expect(page.locator("#satz")).to_have_value("Die Katze sitzt auf der Matte")
    expect(page.locator("#form .changed:visible")).to_have_count(0)  # as on a fresh page
    settled(page)
    expect(page.locator("#zahlen .changed")).to_be_hidden()
    for changed in (True, False, True):  # there and back again: nothing typed is lost
        page.click("#zurueck")
        expect(page.locator("#zahlen .changed")).to_be_visible(visible=changed)
    settled(page)
    page.reload()
    settled(page)
    expect(page.locator("#zurueck")).to_be_hidden()
    expect(preview(page).locator("body")).to_contain_text("0,9")
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    page.click("#link")
    link = page.evaluate("window.copied")
    other = open_page()
    other.goto("about:blank")
    other.goto(link)
    expect(other.locator("#satz")).to_have_value(SENTENCE)
    expect(other.locator("#zahlen .changed")).to_be_visible()


def test_a_double_click_is_one_sheet_in_sight_that_comes_back_and_can_be_deleted(open_page):
    page = open_page(small("Der Igel bellt"))
    settled(page)
    page.dblclick("#herstellen")
    expect(page.locator("#auftraege > li, #auftraege li.card").first).to_be_visible()
    expect(page.locator("details[data-group][open]")).to_have_count(0)  # what the second click met
    done = page.locator("#auftraege .finished")
    expect(done).to_have_count(1)
    page.wait_for_timeout(1000)
    expect(page.locator("#auftraege > li")).to_have_count(1)
    expect(done.locator("img")).to_be_in_viewport()
    expect(done).to_contain_text(re.compile("Blatt [A-Z2-7]{4} · \\d+ Seite"))
    with page.expect_download() as download:
        page.locator("#auftraege").get_by_role("link", name="Alles sichern (ZIP)").click()
    assert re.fullmatch("der-igel-bellt-[A-Z2-7]{4}[.]zip", download.value.suggested_filename)
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.locator("#auftraege-bereich").evaluate("each => each.scrollHeight - each.clientHeight") <= 1
    for sentence, title, offered in (
        ("Der Igel schläft", "Ihr voriges Blatt", False),
        ("Der Igel bellt", "Ihr Blatt", True),
    ):
        page.fill("#satz", sentence)  # what is shown is not what is printed
        expect(page.locator("#auftraege-titel")).to_have_text(title)
        expect(done).to_be_visible(visible=offered)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.get_by_role("link", name="Frühere Blätter").click()
    item = page.locator("li", has=page.get_by_role("heading", name="Der Igel bellt"))
    expect(item).to_have_count(1)
    page.once("dialog", lambda dialog: dialog.accept("Für die 11b"))
    item.get_by_role("button", name="Umbenennen").click()
    item = page.locator("li", has=page.get_by_role("heading", name="Für die 11b"))
    expect(item.get_by_role("img")).to_be_visible()
    mark = re.search("Blatt ([A-Z2-7]{4})", item.inner_text())[1]
    page.goto(page.url.replace("/blaetter", "/pruefen"))
    expect(page.get_by_role("link", name="Für die 11b")).to_be_visible()
    page.fill("#code", mark.lower())
    page.click("#oeffnen button")
    expect(page.locator("#blatt-titel")).to_have_text("Der Igel bellt")
    page.goto(page.url.replace("/pruefen", "/stunden"))
    expect(page.locator("#blatt option:checked")).to_contain_text("Für die 11b")  # the newest
    page.select_option("#blatt", "")
    page.fill("#code", "ZZZZ")
    page.get_by_role("button", name="Stunde beginnen").click()
    expect(page.locator("#code-feld + #fehler")).to_contain_text("ZZZZ")
    page.goto(page.url.replace("/stunden", "/blaetter"))
    item.get_by_role("button", name="Löschen").click()
    item.get_by_role("button", name="Wirklich löschen?").click()
    expect(item).to_have_count(0)
    page.reload()
    expect(item).to_have_count(0)


def test_a_sentence_pasted_with_its_marks_and_files_in_the_order_of_their_use(open_page):
    page = open_page(small("„Der Dackel schläft, weil er müde ist.“"))
    settled(page)
    expect(page.locator("#hinweise")).to_contain_text("Die Anführungszeichen um den Satz sind weggelassen.")
    expect(preview(page).locator("body")).to_contain_text("Was weiß „müde“")
    page.select_option("#o-gewichte", "ganzzahlig", force=True)
    page.click("[data-group=Aussehen] > summary")
    page.check("[data-option=format] input[value=moodle]")
    settled(page)
    expect(page.locator("#hinweise")).to_contain_text("Das Satzzeichen am Ende ist weggelassen")
    page.click("#herstellen")
    files = page.locator("#auftraege .finished .files a")
    expect(files.first).to_have_text("Arbeitsblatt")  # what is printed by habit
    said = files.all_inner_texts()
    assert said[1] == "Lösung"
    assert [each for each in said if each == "Arbeitsblatt, Fragen für Moodle"]
    page.fill("#satz", " ".join(["Wort"] * 25))
    expect(page.locator("#fehler")).to_contain_text("25 Wörter und Satzzeichen")


def test_an_error_stands_at_its_field(open_page):
    page = open_page()
    settled(page)
    with_own_numbers(page)
    page.click("#zahlen > summary")
    cell = page.get_by_label("Wortvektoren Katze, Spalte 1", exact=True)
    cell.fill("1234")
    cell.blur()
    error = page.locator("#zahlen #fehler")
    expect(error).to_contain_text("Der Wortvektor von „Katze“ enthält 1234")
    expect(error).to_be_in_viewport()
    cell.fill("")
    cell.blur()
    expect(page.locator("#fehler")).to_be_hidden()
    page.fill("#o-heads", "3")
    expect(page.locator("#fehler")).to_have_text(
        "„Attention-Heads“ 3 teilt „Länge der Wortvektoren“ 4 nicht; möglich sind 1, 2 und 4."
    )
    expect(page.locator("#aufwand")).to_be_hidden()
    page.click("#herstellen")  # leads to the field
    expect(page.locator("#o-heads")).to_be_focused()
    expect(page.locator("#fehler")).to_be_in_viewport()
    expect(page.locator("#auftraege-bereich")).to_be_hidden()
    page.fill("#o-heads", "4")
    expect(page.locator("#fehler")).to_be_hidden()
    page.fill("#satz", "")
    expect(page.locator("#fehler")).to_contain_text("Bitte tippen Sie")
    expect(page.locator("#aufwand")).to_be_hidden()


def test_an_error_is_not_read_while_the_next_sentence_is_learned(open_page):
    page = open_page(small("Die Katze sitzt"))
    settled(page)
    page.fill("#satz", " ".join(["Wort"] * 25))
    expect(page.locator("#fehler")).to_be_visible()
    held = []
    page.route("**/api/vorschau", lambda route: route.continue_() if held else held.append(route))
    page.fill("#satz", "Der Igel bellt")
    expect(page.locator("#stand")).not_to_be_empty()
    expect(page.locator("#fehler")).to_be_hidden()
    held[0].continue_()
    settled(page)


def test_numbers_of_ones_own_change_the_sheet_and_go_with_it(open_page, running):
    page = open_page()
    settled(page)
    page.click("#zahlen > summary")
    expect(page.locator("#zahlen")).to_contain_text("hat das Modell gelernt")
    page.get_by_role("button", name="Andere Zahlen nehmen und ändern").click()
    cell = page.get_by_label("Wortvektoren Katze, Spalte 1", exact=True)
    cell.fill("−0,7")
    cell.blur()
    settled(page)
    expect(preview(page).locator("body")).to_contain_text("−0,7")
    expect(page.locator("#befehl")).to_contain_text("--vorlage vorlage.toml")
    at = running.base + made(page)
    printed = "".join(map(text_of, pages_of(fetched(page, f"{at}/arbeitsblatt.pdf"))))
    assert "−0,7" in printed
    template = running.folder / "blaetter" / at.rpartition("/")[2] / "vorlage.toml"
    assert read_given(Options(satz=SENTENCE, vorlage=template)).word_vectors["Katze"][0] == -0.7
    page.reload()
    expect(page.locator("#o-gewichte")).to_have_value("auswahl")
    page.get_by_role("button", name="Wieder die gelernten Zahlen").click()
    expect(page.locator("#o-gewichte")).to_have_value("")
    page.goto(f"{running.base}/?blatt={at.rpartition('/')[2]}")
    settled(page)
    expect(preview(page).locator("body")).to_contain_text("−0,7")
    expect(page.locator("#satz")).to_have_value(SENTENCE)


def test_a_class_set_with_names(open_page, running):
    page = open_page()
    settled(page)
    page.click("[data-group=Aussehen] > summary")
    for name in ("moodle", "md"):
        page.check(f"[data-option=format] input[value={name}]")
    page.click("#klasse-auf")
    page.set_input_files("#namen-datei", [{"name": "leer.csv", "mimeType": "text/csv", "buffer": b""}])
    expect(page.locator("#namen-zahl")).to_contain_text("steht kein Name")
    expect(page.locator("#fehler")).to_be_hidden()
    listed = "Klassenliste 10a;\r\nVorname;Nr.\r\nMia;1\r\n;\r\nJonas;2\r\n".encode("utf-16")
    page.set_input_files("#namen-datei", [{"name": "k.csv", "mimeType": "text/csv", "buffer": listed}])
    expect(page.locator("#namen")).to_have_value("Mia\nJonas")
    expect(page.locator("#namen-zahl")).to_contain_text("2 Namen, also so viele Blätter.")
    expect(page.locator("#namen-zahl")).to_contain_text("Weggelassen: Zeile 1 („Klassenliste 10a“)")
    page.fill("#namen", "Müller, Mia\nSchmidt, Jonas")
    expect(page.locator("#namen-zahl")).to_contain_text("wird „Mia Müller“")
    page.fill("#namen", "Mia\nJonas")
    expect(page.locator("#klasse-zeit")).to_have_text(
        re.compile(r"2 Blätter mit je \d+ Seiten? und Lösung: höchstens etwa (eine Minute|\d+ Minuten)\.")
    )
    page.click("#klasse-los")
    link = page.get_by_role("link", name="Alle Arbeitsblätter", exact=True)
    expect(link).to_be_visible()
    assert fetched(page, running.base + link.get_attribute("href")).startswith(b"%PDF")
    at = link.get_attribute("href").rpartition("/")[0]
    with ZipFile(BytesIO(fetched(page, f"{running.base}{at}/alles.zip"))) as archive:
        of_both = {"rechnungen/1.json", "rechnungen/2.json", "einzeln/2-arbeitsblatt.md"}
        assert {"arbeitsblaetter.pdf", "arbeitsblaetter-moodle.xml", *of_both} <= set(archive.namelist())
    expect(page.locator("#auftraege-titel")).to_have_text("Ihr Klassensatz")
    expect(page.locator("#auftraege .finished")).to_contain_text(
        re.compile("2 Blätter · [A-Z2-7]{4}, [A-Z2-7]{4}")
    )
    with page.expect_navigation():  # before that no script listens for files
        page.get_by_role("link", name="Klasse prüfen").first.click()
    expect(page.locator("#arbeiten tbody tr")).to_have_count(2)
    mark = page.locator("#arbeiten tbody tr").nth(1).locator("td").first.inner_text()
    page.goto(f"{running.base}/pruefen?code={mark}")
    expect(page.locator("#wer")).to_have_value("Jonas")
    page.locator("#arbeiten").get_by_role("button", name="Mia").click()
    expect(page.frame_locator("#rahmen iframe").locator("input.entry").first).to_be_visible()
    paper = {"name": "2 Jonas.csv", "mimeType": "text/csv", "buffer": b"name;index;wert\nembedding;1,0;0,5"}
    page.set_input_files("#klasse", [paper])
    expect(page.locator("#klasse-stand")).to_have_text("1 Arbeit geprüft.")
    report = fetched(page, running.base + page.locator("#klasse-bericht").get_attribute("href")).decode()
    assert "Jonas" in report
    assert "Mia" not in report
    page.goto(running.base + "/blaetter")
    page.get_by_role("link", name="Stunde mit Handys").first.click()
    page.get_by_role("button", name="Stunde beginnen").click()
    expect(page.locator("#klasse-titel")).to_be_visible()
    address = f"{running.base}/stunde/{page.url.rpartition('/')[2]}"
    pupil = page.context.browser.new_context(viewport={"width": 360, "height": 740}).new_page()
    pupil.set_default_timeout(PATIENCE)
    pupil.goto(address)
    assert findings(pupil) == []
    pupil.get_by_label("Welches Blatt hast du?").fill("2")
    pupil.keyboard.press("Enter")
    pupil.click("[data-animal=Igel]")
    pupil.locator(".cell input").first.fill("77")
    expect(page.locator("#kinder tr", has_text="Igel").locator("td").first).to_contain_text("2 · ")
    pupil.goto(address)  # by the code on the wall once more: the phone knows its sheet
    expect(pupil.locator(".cell input").first).to_have_value("77")
    pupil.context.close()
