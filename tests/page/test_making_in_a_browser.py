"""A teacher makes sheets in the browser: nothing typed is lost, what is saved is what `blatt` writes."""

import re
from zipfile import ZipFile

from playwright.sync_api import expect

from generator.options.numbers_file import read_given
from generator.options.options import Options
from tests.laid_out import files_of
from tests.page.looking import findings
from tests.page.papers import PRINTED
from tests.page.running import PATIENCE, SENTENCE, go, linked, made, preview, settled, small
from tests.pdf.compare import differences
from tests.pdf.signs import pages_of, text_of


def fetched(page, address):
    answer = page.request.get(address)
    assert answer.ok, answer.status
    return answer.body()


def test_a_sheet_from_its_sentence_to_the_shelf_and_away(open_page, running):
    page = open_page()
    settled(page)
    expect(preview(page).locator("h1")).to_contain_text("Embedding")
    expect(page.locator("#aufwand")).to_contain_text("rechnen")
    for view, least, most in (("Lösung", 4, 999), ("Arbeitsblatt", 0, 0)):
        page.get_by_role("button", name=view, exact=True).click()
        settled(page)
        assert least <= preview(page).locator(".blank .value").count() <= most
    page.click("[data-group=Hilfe] > summary")
    page.select_option("#o-stufe", "1")
    page.click("[data-group=Hilfe] > summary")
    settled(page)
    expect(page.locator("#befehl")).to_have_text(
        f'papierformer blatt "{SENTENCE}" --gewichte ganzzahlig --stationen 2 --stufe 1'
    )
    page.dblclick("#herstellen")
    done, jobs = page.locator("#auftraege .finished"), page.locator("#auftraege > li")
    expect(jobs.first).to_be_visible()
    expect(page.locator("details[data-group][open]")).to_have_count(0)  # what the second click met
    expect(done).to_have_count(1)
    expect(jobs).to_have_count(1)
    assert len(page.request.get(f"{running.base}/api/auftraege").json()) == 1
    expect(done.locator("img")).to_be_in_viewport()
    expect(done).to_contain_text(re.compile("Blatt [A-Z2-7]{4} · \\d+ Seite"))

    expected = files_of(PRINTED)
    with page.expect_download() as download:
        page.locator("#auftraege").get_by_role("link", name="Alles sichern (ZIP)").click()
    assert re.fullmatch("die-katze-schlaeft-[A-Z2-7]{4}[.]zip", download.value.suggested_filename)
    with ZipFile(download.value.path()) as archive:
        got = {name: archive.read(name) for name in archive.namelist()}
    assert sorted(got) == sorted(expected)
    for name, content in expected.items():
        # Another test may have kept another layout meanwhile: other bytes, but the same text, places and ink.
        same = got[name] == content or (name.endswith(".pdf") and not [*differences(got[name], content)])
        assert same, name
    link = done.get_by_role("link", name="Arbeitsblatt", exact=True).get_attribute("href")
    assert fetched(page, running.base + link) == got["arbeitsblatt.pdf"]

    page.set_viewport_size({"width": 360, "height": 740})
    assert page.locator("#auftraege-bereich").evaluate("each => each.scrollHeight - each.clientHeight") <= 1
    for sentence, title, offered in (
        ("Der Igel bellt", "Ihr voriges Blatt", False),
        (SENTENCE, "Ihr Blatt", True),
    ):
        page.fill("#satz", sentence)  # what is shown is not what is printed
        expect(page.locator("#auftraege-titel")).to_have_text(title)
        expect(done).to_be_visible(visible=offered)
    page.set_viewport_size({"width": 1280, "height": 900})
    go(page, "Frühere Blätter")
    go(page, "Neues Blatt")
    expect(done).to_be_visible()  # another page was looked at meanwhile
    go(page, "Frühere Blätter")
    page.once("dialog", lambda dialog: dialog.accept("Für die 11b"))
    page.get_by_role("button", name="Umbenennen").first.click()  # the newest
    item = page.locator("li", has=page.get_by_role("heading", name="Für die 11b"))
    expect(item.get_by_role("img")).to_be_visible()
    mark = re.search("Blatt ([A-Z2-7]{4})", item.inner_text())[1]
    go(page, "Prüfen")
    expect(page.get_by_role("link", name="Für die 11b")).to_be_visible()
    page.fill("#code", mark.lower())
    page.click("#oeffnen button")
    expect(page.locator("#blatt-titel")).to_have_text(SENTENCE)
    go(page, "Stunde")
    expect(page.locator("#blatt option:checked")).to_contain_text("Für die 11b")  # the newest
    page.select_option("#blatt", "")
    page.fill("#code", "ZZZZ")
    page.get_by_role("button", name="Stunde beginnen").click()
    expect(page.locator("#code-feld + #fehler")).to_contain_text("ZZZZ")
    go(page, "Frühere Blätter")
    item.get_by_role("button", name="Löschen").click()
    item.get_by_role("button", name="Wirklich löschen?").click()
    expect(item).to_have_count(0)
    page.reload()
    expect(item).to_have_count(0)


def test_nothing_that_is_typed_is_lost_and_an_error_stands_at_its_field(open_page, running):
    page = open_page(small(SENTENCE, gewichte="gelernt"))
    settled(page)
    error, changed = page.locator("#fehler"), page.locator("#zahlen .changed")
    page.click("#zahlen > summary")
    expect(page.locator("#zahlen")).to_contain_text("hat das Modell gelernt")
    page.get_by_role("button", name="Andere Zahlen nehmen und ändern").click()
    cell = page.get_by_label("Wortvektoren Katze, Spalte 1", exact=True)
    cell.fill("1234")
    cell.blur()
    expect(page.locator("#zahlen #fehler")).to_contain_text("Der Wortvektor von „Katze“ enthält 1234")
    expect(error).to_be_in_viewport()
    cell.fill("")
    cell.blur()
    expect(error).to_be_hidden()
    settled(page)
    computed = cell.input_value()
    for text, is_changed in (("0,7", True), (computed, False), ("0,8", True), ("", False), ("−0,7", True)):
        cell.click()
        page.keyboard.press("Delete")  # a click selects the whole number
        page.keyboard.type(text)
        page.keyboard.press("Tab")
        expect(changed).to_be_visible(visible=is_changed)
        expect(cell).to_have_value(text or computed)
    page.reload()
    expect(page.locator("#satz")).to_have_value(SENTENCE)
    settled(page)
    expect(preview(page).locator("body")).to_contain_text("−0,7")
    expect(page.locator("#befehl")).to_contain_text("--vorlage vorlage.toml")
    at = running.base + made(page)
    assert "−0,7" in "".join(map(text_of, pages_of(fetched(page, f"{at}/arbeitsblatt.pdf"))))
    template = running.folder / "blaetter" / at.rpartition("/")[2] / "vorlage.toml"
    assert read_given(Options(satz=SENTENCE, vorlage=template)).word_vectors["Katze"][0] == -0.7

    held = []  # nobody waits for what is only passed by
    page.route("**/api/vorschau", lambda route: held.append(route))
    page.get_by_role("button", name="Wieder die gelernten Zahlen").click()
    expect(page.locator("#o-gewichte")).to_have_value("gelernt")
    page.click("#zurueck")
    expect(page.locator("#o-gewichte")).to_have_value("auswahl")
    page.get_by_role("button", name="Doppelstunde").click()
    expect(page.locator("[data-vorlage][aria-pressed=true]")).to_have_text("Doppelstunde")
    page.click("#zurueck")
    expect(page.locator("[data-vorlage][aria-pressed=true]")).to_have_count(0)
    page.click("#zuruecksetzen")
    expect(page.locator("#satz")).to_have_value("Die Katze sitzt auf der Matte")
    expect(page.locator("#form .changed:visible")).to_have_count(0)  # as on a fresh page
    for is_changed in (True, False, True):  # there and back again
        page.click("#zurueck")
        expect(changed).to_be_visible(visible=is_changed)
    page.unroute("**/api/vorschau")
    page.reload()
    settled(page)
    expect(page.locator("#zurueck")).to_be_hidden()
    expect(preview(page).locator("body")).to_contain_text("−0,7")
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    page.click("#link")
    link = page.evaluate("window.copied")

    page.click("[data-group=Modell] > summary")
    page.fill("#o-heads", "3")
    expect(error).to_have_text(
        "„Attention-Heads“ 3 teilt „Länge der Wortvektoren“ 4 nicht; möglich sind 1, 2 und 4."
    )
    expect(page.locator("#aufwand")).to_be_hidden()
    page.click("#herstellen")  # leads to the field
    expect(page.locator("#o-heads")).to_be_focused()
    expect(error).to_be_in_viewport()
    expect(page.locator("#auftraege-bereich")).to_be_hidden()
    page.fill("#o-heads", "4")
    expect(error).to_be_hidden()
    page.fill("#satz", "")
    expect(error).to_contain_text("Bitte tippen Sie")
    page.fill("#satz", " ".join(["Wort"] * 25))
    expect(error).to_contain_text("25 Wörter und Satzzeichen")
    page.route("**/api/vorschau", lambda route: held.append(route))
    page.fill("#satz", "Der Igel bellt")
    expect(page.locator("#stand")).not_to_be_empty()
    expect(error).to_be_hidden()  # it is not read while the next sentence is calculated
    for at_another_place in (link, f"{running.base}/?blatt={at.rpartition('/')[2]}"):
        other = open_page()
        other.goto("about:blank")
        other.goto(at_another_place)
        expect(other.locator("#satz")).to_have_value(SENTENCE)
        expect(other.locator("#zahlen .changed")).to_be_visible()


def test_a_class_set_with_names_is_made_checked_and_taught_with(open_page, running):
    page = open_page(linked(satz="„Die Katze schläft.“", stationen=["4a"], gewichte="ganzzahlig"))
    settled(page)
    expect(page.locator("#hinweise")).to_contain_text("Die Anführungszeichen um den Satz sind weggelassen.")
    expect(page.locator("#hinweise")).to_contain_text("Das Satzzeichen am Ende ist weggelassen")
    page.click("[data-group=Aussehen] > summary")
    page.check("[data-option=format] input[value=md]")
    page.click("#klasse-auf")
    listed = "Klassenliste 10a;\r\nVorname;Nr.\r\nMia;1\r\n;\r\nJonas;2\r\n".encode("utf-16")
    page.set_input_files("#namen-datei", [{"name": "k.csv", "mimeType": "text/csv", "buffer": listed}])
    expect(page.locator("#namen")).to_have_value("Mia\nJonas")
    expect(page.locator("#namen-zahl")).to_contain_text("2 Namen, also so viele Blätter.")
    expect(page.locator("#namen-zahl")).to_contain_text("Weggelassen: Zeile 1 („Klassenliste 10a“)")
    expect(page.locator("#klasse-zeit")).to_have_text(
        re.compile(r"2 Blätter mit je \d+ Seiten? und Lösung: höchstens etwa (eine Minute|\d+ Minuten)\.")
    )
    page.click("#klasse-los")
    link = page.get_by_role("link", name="Alle Arbeitsblätter", exact=True)
    expect(link).to_be_visible()
    assert fetched(page, running.base + link.get_attribute("href")).startswith(b"%PDF")
    expect(page.locator("#auftraege-titel")).to_have_text("Ihr Klassensatz")
    expect(page.locator("#auftraege .finished")).to_contain_text(
        re.compile("2 Blätter · [A-Z2-7]{4}, [A-Z2-7]{4}")
    )
    with page.expect_download() as download:
        page.locator("#auftraege").get_by_role("link", name="Alles sichern (ZIP)").click()
    with ZipFile(download.value.path()) as archive:
        of_both = {"rechnungen/1.json", "rechnungen/2.json", "einzeln/2-arbeitsblatt.md"}
        assert {"arbeitsblaetter.pdf", *of_both} <= set(archive.namelist())

    with page.expect_navigation():  # before that no script listens for files
        page.get_by_role("link", name="Klasse prüfen").first.click()
    papers = page.locator("#arbeiten tbody tr")
    expect(papers).to_have_count(2)
    mark = papers.nth(1).locator("td").first.inner_text()
    page.goto(f"{running.base}/pruefen?code={mark}")
    expect(page.locator("#wer")).to_have_value("Jonas")
    page.locator("#arbeiten").get_by_role("button", name="Mia").click()
    expect(page.frame_locator("#rahmen iframe").locator("input.entry").first).to_be_visible()
    paper = {"name": "2 Jonas.csv", "mimeType": "text/csv", "buffer": b"name;index;wert\nembedding;1,0;0,5"}
    page.set_input_files("#klasse", [paper])
    expect(page.locator("#klasse-stand")).to_have_text("1 Arbeit geprüft.")
    report = fetched(page, running.base + page.locator("#klasse-bericht").get_attribute("href")).decode()
    assert ("Jonas" in report, "Mia" in report) == (True, False)

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


def test_another_tab_has_what_was_typed_in_the_first(open_page, running):
    page = open_page()
    settled(page)
    page.fill("#satz", "Die Katze sieht den Hund")
    other = page.context.new_page()
    other.goto(running.base + "/")
    expect(other.locator("#satz")).to_have_value("Die Katze sieht den Hund")
