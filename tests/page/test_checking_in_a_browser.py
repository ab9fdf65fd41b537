"""A teacher enters a pupil's numbers on the sheet: verdicts, what follows, points; files that are dropped."""

import re

import pytest
from playwright.sync_api import expect

from generator.options.options import Options
from tests import laid_out
from tests.page.papers import CODE, right


@pytest.fixture
def sheet(open_page):
    page = open_page("/pruefen")
    page.fill("#code", CODE)
    page.get_by_role("button", name="Blatt öffnen").click()
    expect(field(page).first).to_be_visible()
    return page


def test_a_class_is_marked_paper_by_paper_and_nothing_is_lost(sheet, running):
    first, *others = cells(sheet)
    sheet.fill("#wer", "Mia")
    field(sheet).first.fill(right()[first])
    expect(sheet.locator("#punkte .score")).to_be_visible()
    filled = f"1 von {1 + len(others)} Feldern ist ausgefüllt, davon richtig: 1."
    expect(sheet.locator("#gefuellt")).to_have_text(filled)  # and nothing is said of the rest
    sheet.click("#aufgaben-auf > summary")
    by_hand = sheet.locator("#aufgaben input").first
    before = sheet.locator("#punkte .score").inner_text()
    by_hand.fill("1,5")
    expect(sheet.locator("#aufgaben .refused").first).to_contain_text("Nur ganze BE")
    expect(sheet.locator("#punkte .score")).to_have_text(before)
    by_hand.fill("1")
    expect(sheet.locator("#punkte .score")).not_to_have_text(before)
    task = sheet.locator("#aufgaben tr", has=sheet.locator("input")).first
    expect(task.locator("td").first).to_have_text(re.compile("^1 /"))
    sheet.emulate_media(media="print")
    expect(sheet.locator("#rahmen")).to_be_hidden()
    expect(sheet.get_by_text("Zum Drucken bitte")).to_be_visible()
    sheet.emulate_media(media="screen")
    sheet.dblclick("#leeren")
    expect(field(sheet).first).to_have_value("")
    expect(sheet.locator("#arbeiten tbody tr")).to_have_count(2)
    sheet.fill("#wer", "Tom")
    field(sheet).first.fill("77")
    sheet.click("#leeren")  # at once: the points still come
    tom = sheet.locator("#arbeiten tr", has_text="Tom")
    expect(tom.locator("td").nth(1)).to_contain_text(" / ")
    expect(field(sheet).first).to_have_value("")
    tom.get_by_role("button", name="Tom", exact=True).click()
    expect(sheet.locator("#fehlerliste button")).to_have_count(1)
    sheet.click("#loesung")
    key = sheet.frame_locator("#rahmen-loesung iframe")
    expect(key.locator(".blank .value").first).to_be_visible()
    sheet.get_by_role("link", name="Stunde").click()
    sheet.get_by_role("link", name="Prüfen", exact=True).click()  # the same paper of the same sheet
    expect(field(sheet).first).to_have_value("77")
    expect(sheet.locator("#wer")).to_have_value("Tom")
    rows = sheet.locator("#arbeiten tbody tr")
    expect(rows).to_have_count(2)
    rows.nth(0).get_by_role("button", name="Mia", exact=True).click()
    expect(field(sheet).first).to_have_value(right()[first])
    rows.nth(1).get_by_role("button", name="Tom", exact=True).click()
    expect(field(sheet).first).to_have_value("77")
    sheet.click("#ergebnisse")
    expect(sheet.locator("#klasse-stand")).to_have_text("2 Arbeiten geprüft.")

    def fetched(id_):
        return sheet.request.get(running.base + sheet.locator(id_).get_attribute("href")).text()

    table = [line.split(";") for line in fetched("#klasse-tabelle").splitlines()]
    assert [line[1] for line in table[1:]] == ["Mia", "Tom"]
    assert int(table[1][2]) >= 1
    told = fetched("#klasse-rueckmeldung")
    assert told.count('<section class="pupil">') == 2
    assert "Rückmeldung für Tom" in told
    assert "Du hast 77 geschrieben" in told
    assert "richtig ist " + right()[first] in told


def field(page):
    return page.frame_locator("#rahmen iframe").locator("input.entry")


def cells(page):
    """Every cell that the sheet asks for, in order, once."""
    read = "all => all.map(each => [each.dataset.q, each.dataset.i])"
    return list(dict.fromkeys(map(tuple, field(page).evaluate_all(read))))


def write(page, name, at, text):
    found = page.frame_locator("#rahmen iframe").locator(f"input.entry[data-q='{name}'][data-i='{at}']").first
    found.fill(text)
    return found


def score(page):
    given, points = re.findall(r"\d+", page.locator("#punkte .score").text_content())
    return int(given), int(points)


def test_right_numbers_earn_all_points_and_a_slip_costs_once_and_shows_what_follows(sheet):
    for cell in cells(sheet):
        write(sheet, *cell, right()[cell])
    expect(sheet.locator("#gefuellt")).to_contain_text("Alles ist ausgefüllt")
    expect(field(sheet).locator("xpath=self::*[not(contains(@class, 'good'))]")).to_have_count(0)
    given, points = score(sheet)
    still = re.search(r"Noch offen: (\d+) BE", sheet.locator("#punkte").text_content())
    assert given + int(still[1] if still else 0) == points

    slip = next(cell for cell in cells(sheet) if cell[0].endswith(".exp"))
    wrong = write(sheet, *slip, "9,99")
    expect(wrong).to_have_class("entry bad")
    expect(wrong).to_have_attribute("aria-invalid", "true")
    expect(sheet.locator("#fehlerliste .faults")).to_be_visible()
    wrong.focus()
    expect(sheet.locator("#zelle")).to_contain_text("falsch")
    expect(sheet.locator("#zelle")).to_contain_text("was daraus folgt")
    assert sheet.frame_locator("#rahmen iframe").locator("input.from").count() > 0
    wrong.fill("keine Ahnung")
    expect(sheet.locator("#fehlerliste")).to_contain_text("nicht lesbar")
    sheet.get_by_role("button", name="Nächste Arbeit").click()
    expect(wrong).to_have_value("")


def test_a_dropped_file_fills_the_fields(sheet):
    lines = [";".join((*cell, right()[cell])) for cell in cells(sheet)]
    content = "\n".join(["name;index;wert", *lines, "gibtesnicht;0;1"]).encode("cp1252", "replace")
    content = content.replace(b"?", b"-")
    sheet.set_input_files("#antworten", {"name": "Mia.csv", "mimeType": "text/csv", "buffer": content})
    expect(sheet.locator("#gefuellt")).to_contain_text("Alles ist ausgefüllt")
    expect(sheet.locator("#nicht-gelesen")).to_contain_text(f"Zeile {len(lines) + 2}: „gibtesnicht“")
    sheet.set_input_files("#antworten", {"name": "x.exe", "mimeType": "text/csv", "buffer": b"MZ"})
    expect(sheet.locator("#fehler-blatt")).to_contain_text(".csv")


def test_a_photo_opens_its_sheet(open_page):
    page = open_page("/pruefen")
    options = Options.asked(
        {"satz": "Die Katze schläft", "stationen": ("2",), "stufe": 1}
    )  # made for others, too
    printed = laid_out.files_of(options)["arbeitsblatt.pdf"]
    page.set_input_files("#blattfoto", {"name": "x.pdf", "mimeType": "application/pdf", "buffer": printed})
    expect(page.locator("#blatt-titel")).to_have_text(options.satz)
    page.click("#anderes")
    page.set_input_files("#blattfoto", {"name": "x.png", "mimeType": "image/png", "buffer": b"nothing"})
    expect(page.locator("#fehler")).to_contain_text("Das Foto")


def test_names_make_a_list_and_a_photo_stays_in_the_browser(sheet):
    sheet.click("#namen-auf > summary")
    sheet.fill("#klasse-namen", "Mia\nTom")
    sheet.click("#namen-los")
    expect(sheet.locator("#arbeiten tbody th")).to_have_text(["Mia", "Tom"])
    expect(sheet.locator("#wer")).to_have_value("Mia")
    sent = []
    sheet.on("request", lambda request: sent.append(request.url))
    pixel = bytes.fromhex(
        "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
        "0000000d49444154789c6360f8cfc0000003010100c9fe92ef0000000049454e44ae426082"
    )
    sheet.set_input_files("#foto", {"name": "blatt.png", "mimeType": "image/png", "buffer": pixel})
    expect(sheet.locator("#foto-bild")).to_have_attribute("src", re.compile("^blob:"))
    assert [url for url in sent if not url.startswith("blob:")] == []


def names(page):
    return page.locator("#arbeiten tbody th")


def test_two_tabs_lose_nothing_of_each_other(sheet, running):
    first, *_ = cells(sheet)
    sheet.fill("#wer", "Mia")
    sheet.press("#wer", "Enter")
    expect(field(sheet).first).to_be_focused()
    sheet.keyboard.type(right()[first])
    other = sheet.context.new_page()
    other.goto(sheet.url)
    other.fill("#code", CODE)
    other.get_by_role("button", name="Blatt öffnen").click()
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
