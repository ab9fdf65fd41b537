"""A teacher enters a class's numbers on the sheet: verdicts, what follows, points; files that are dropped."""

import re

import pytest
from playwright.sync_api import expect

from tests.laid_out import files_of
from tests.page.papers import CODE, PRINTED, as_csv, by_command, right
from tests.page.running import go

PATH = f"/pruefen?code={CODE.replace(' ', '')}"
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c6360f8cfc0000003010100c9fe92ef0000000049454e44ae426082"
)


@pytest.fixture
def sheet(open_page):
    page = open_page(PATH)
    expect(field(page).first).to_be_visible()
    return page


def field(page):
    return page.frame_locator("#rahmen iframe").locator("input.entry")


def names(page):
    return page.locator("#arbeiten tbody th")


def dropped(page, where, name, content):
    page.set_input_files(where, {"name": name, "mimeType": "text/csv", "buffer": content})


def fetched(page, running, link):
    return page.request.get(running.base + page.locator(link).get_attribute("href"))


def points(page):
    return list(map(int, re.findall(r"\d+", page.locator("#punkte .score").text_content())))


def test_a_class_is_marked_paper_by_paper_and_nothing_is_lost(sheet, running):
    first, *others = right()
    sheet.fill("#wer", "Mia")
    field(sheet).first.fill(right()[first])
    filled = f"1 von {1 + len(others)} Feldern ist ausgefüllt, davon richtig: 1."
    expect(sheet.locator("#gefuellt")).to_have_text(filled)  # and nothing is said of the rest
    sheet.click("#aufgaben-auf > summary")
    by_hand, before = sheet.locator("#aufgaben input").first, points(sheet)
    for typed, refused in (("1,5", "Nur ganze BE"), ("99", "Nur ganze BE"), ("1", "")):
        by_hand.fill(typed)
        expect(sheet.locator("#aufgaben .refused").first).to_contain_text(refused)
        assert points(sheet)[0] == before[0] + (not refused)
    task = sheet.locator("#aufgaben tr", has=sheet.locator("input")).first
    expect(task.locator("td").first).to_have_text(re.compile("^1 /"))
    sheet.emulate_media(media="print")
    expect(sheet.locator("#rahmen")).to_be_hidden()
    expect(sheet.get_by_text("Zum Drucken bitte")).to_be_visible()
    sheet.emulate_media(media="screen")
    sheet.dblclick("#leeren")
    expect(field(sheet).first).to_have_value("")
    expect(names(sheet)).to_have_count(2)
    sheet.fill("#wer", "Tom")
    field(sheet).first.fill("77")
    sheet.click("#leeren")  # at once: the points still come
    tom = sheet.locator("#arbeiten tr", has_text="Tom")
    expect(tom.locator("td").nth(1)).to_contain_text(" / ")
    expect(field(sheet).first).to_have_value("")
    tom.get_by_role("button", name="Tom", exact=True).click()
    expect(sheet.locator("#fehlerliste button")).to_have_count(1)
    sheet.click("#loesung")
    expect(sheet.frame_locator("#rahmen-loesung iframe").locator(".blank .value").first).to_be_visible()
    go(sheet, "Stunde")
    go(sheet, "Prüfen")  # the same paper of the same sheet
    expect(sheet.locator("#wer")).to_have_value("Tom")
    expect(field(sheet).first).to_have_value("77")
    for name, text in (("Mia", right()[first]), ("Tom", "77")):
        sheet.get_by_role("button", name=name, exact=True).click()
        expect(field(sheet).first).to_have_value(text)
    sheet.click("#ergebnisse")
    expect(sheet.locator("#klasse-stand")).to_have_text("2 Arbeiten geprüft.")
    table = [line.split(";") for line in fetched(sheet, running, "#klasse-tabelle").text().splitlines()]
    assert [line[1] for line in table[1:]] == ["Mia", "Tom"]
    assert int(table[1][2]) >= 1
    told = fetched(sheet, running, "#klasse-rueckmeldung").text()
    assert told.count('<section class="pupil">') == 2
    for said in ("Rückmeldung für Tom", "Du hast 77 geschrieben", "richtig ist " + right()[first]):
        assert said in told


def test_right_numbers_of_a_file_earn_all_points_and_a_slip_costs_once(sheet):
    content = (as_csv() + "\ngibtesnicht;0;1").encode("cp1252", "replace").replace(b"?", b"-")
    dropped(sheet, "#antworten", "Mia.csv", content)
    expect(sheet.locator("#gefuellt")).to_contain_text("Alles ist ausgefüllt")
    expect(sheet.locator("#nicht-gelesen")).to_contain_text(f"Zeile {len(right()) + 2}: „gibtesnicht“")
    expect(field(sheet).locator("xpath=self::*[not(contains(@class, 'good'))]")).to_have_count(0)
    given, most = points(sheet)
    still = re.search(r"Noch offen: (\d+) BE", sheet.locator("#punkte").text_content())
    assert given + int(still[1] if still else 0) == most
    dropped(sheet, "#antworten", "x.exe", b"MZ")
    expect(sheet.locator("#fehler-blatt")).to_contain_text(".csv")

    name, at = next(cell for cell in right() if cell[0].endswith(".exp"))
    wrong = (
        sheet.frame_locator("#rahmen iframe").locator(f"input.entry[data-q='{name}'][data-i='{at}']").first
    )
    wrong.fill("9,99")
    expect(wrong).to_have_class("entry bad")
    expect(wrong).to_have_attribute("aria-invalid", "true")
    expect(sheet.locator("#fehlerliste .faults")).to_be_visible()
    wrong.focus()
    expect(sheet.locator("#zelle")).to_contain_text("falsch")
    expect(sheet.locator("#zelle")).to_contain_text("was daraus folgt")
    assert sheet.frame_locator("#rahmen iframe").locator("input.from").count() > 0
    wrong.fill("keine Ahnung")
    expect(sheet.locator("#fehlerliste")).to_contain_text("nicht lesbar")


def test_files_of_a_class_wait_for_their_sheet_and_a_photo_stays_in_the_browser(open_page, running, papers):
    page, held = open_page("/pruefen"), []
    (papers / "Leer.csv").write_bytes(b"name;index;wert\n")
    first = (papers / "Mia.csv").read_text(encoding="utf-8")
    (papers / "Teil.csv").write_text(first + "\ngibtesnicht;0;1\n", encoding="utf-8")
    (papers / "Bild.png").write_bytes(b"PNG")
    page.route("**/api/oeffnen", lambda route: held.append(route))
    page.goto(running.base + PATH)
    page.set_input_files("#klasse", sorted(papers.iterdir()))
    expect(page.locator("#klasse-laedt")).to_contain_text("6 Dateien")
    held.pop().continue_()
    page.unroute("**/api/oeffnen")
    expect(page.locator("#klasse-stand")).to_contain_text("Arbeiten geprüft")
    expect(page.locator("#klasse-titel")).to_be_focused()
    printed, same = by_command(papers)
    assert fetched(page, running, "#klasse-tabelle").body() == same
    for said in (page.locator("#klasse-ungelesen").inner_text(), printed):
        assert f"„Teil.csv“: Zeile {len(first.splitlines()) + 1}: „gibtesnicht“ gibt es" in said
    dropped(page, "#klasse", "x.exe", b"MZ")
    expect(page.locator("#fehler-blatt")).to_contain_text("In diesen Dateien ließ sich keine Arbeit prüfen")
    expect(page.locator("#klasse-ergebnis")).to_be_hidden()

    page.click("#namen-auf > summary")
    page.fill("#klasse-namen", "Mia\nTom")
    page.click("#namen-los")
    expect(names(page)).to_have_text(["Mia", "Tom"])
    expect(page.locator("#wer")).to_have_value("Mia")
    sent = []
    page.on("request", lambda request: sent.append(request.url))
    page.set_input_files("#foto", {"name": "blatt.png", "mimeType": "image/png", "buffer": PIXEL})
    expect(page.locator("#foto-bild")).to_have_attribute("src", re.compile("^blob:"))
    assert [url for url in sent if not url.startswith("blob:")] == []

    page.click("#anderes")  # a photo of its first page opens another sheet
    printed = files_of(PRINTED)["arbeitsblatt.pdf"]
    page.set_input_files("#blattfoto", {"name": "x.pdf", "mimeType": "application/pdf", "buffer": printed})
    expect(page.locator("#blatt-titel")).to_have_text(PRINTED.satz)
    page.click("#anderes")
    page.set_input_files("#blattfoto", {"name": "x.png", "mimeType": "image/png", "buffer": b"nothing"})
    expect(page.locator("#fehler")).to_contain_text("Das Foto")


def test_two_tabs_lose_nothing_of_each_other(sheet):
    first, *_ = right()
    sheet.fill("#wer", "Mia")
    sheet.press("#wer", "Enter")
    expect(field(sheet).first).to_be_focused()
    sheet.keyboard.type(right()[first])
    other = sheet.context.new_page()
    other.goto(sheet.url)
    expect(field(other).first).to_have_value(right()[first])
    other.click("#leeren")
    other.fill("#wer", "Cem")
    field(other).first.fill("77")
    expect(names(sheet)).to_have_text(["Mia", "Cem"])
    sheet.click("#leeren")  # Cem's paper is no empty one
    sheet.fill("#wer", "Ida")
    field(sheet).first.fill("9")
    for page in (sheet, other):
        expect(names(page)).to_have_text(["Mia", "Cem", "Ida"])
    other.get_by_role("button", name="Ida", exact=True).click()  # the same paper in both
    field(other).first.fill("8")
    expect(field(sheet).first).to_have_value("8")
    other.on("dialog", lambda dialog: dialog.accept())
    other.get_by_role("button", name="Mia entfernen").click()
    expect(names(sheet)).to_have_text(["Cem", "Ida"])
    sheet.fill("#wer", "Ida M.")
    for page in (sheet, other):
        page.reload()
        expect(names(page)).to_have_text(["Cem", "Ida M."])
        expect(field(page).first).to_have_value("8")
    other.close()
