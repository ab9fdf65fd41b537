"""A jigsaw on the page: its own times and preview, its sheets to print, to check and to teach with."""

import re

from playwright.sync_api import expect

from tests.page.running import PATIENCE, linked, preview, settled

OPTIONS = {"satz": "Die Katze schläft", "gewichte": "ganzzahlig", "gruppen": "heads", "zeit": "45"}
FOR_ALL = "Euer Head ist ein Blick auf den Satz"
SHEETS = ["Gruppe 1: Head 1", "Gruppe 2: Head 2", "Zusammentragen"]


def test_a_jigsaw_is_shown_printed_checked_and_taught_with(open_page, running):
    page = open_page(linked(**OPTIONS), viewport={"width": 390, "height": 800})
    settled(page)
    for said in (*SHEETS[::2], "höchstens 58 von 90"):
        expect(page.locator("#aufwand")).to_contain_text(said)
    assert "Weggelassen" not in page.locator("#hinweise").inner_text()
    expect(page.locator("#teil option")).to_have_text(SHEETS)
    expect(preview(page).locator("body")).to_contain_text(FOR_ALL)
    page.select_option("#teil", "zusammen")
    settled(page)
    expect(preview(page).locator("body")).not_to_contain_text(FOR_ALL)
    page.click("#herstellen")
    buttons = page.locator("#auftraege .finished .files a")
    expect(buttons.first).to_have_text("Gruppe 1")
    said = buttons.all_inner_texts()
    assert said[:4] == ["Gruppe 1", "Gruppe 2", "Zusammentragen", "Arbeitsblatt"]
    assert "Lösung von Gruppe 1" in said
    assert not [each for each in said if "loesung" in each]
    notes = page.locator("#auftraege .made").inner_text()  # the lesson's choice is of the single sheet
    assert "Das Arbeitsblatt für eine Person allein: Für 45 Minuten gewählt" in notes
    mark = re.search("Gruppenpuzzle ([A-Z2-7]{4}) · 2 Gruppen", notes)[1]

    page.goto(f"{running.base}/pruefen")
    page.fill("#code", mark)
    page.get_by_role("button", name="Blatt öffnen").click()
    choice = page.locator("#auswahl button")
    expect(choice).to_have_text([*SHEETS, "Das einzelne Blatt für eine Person"])
    choice.nth(1).click()
    fields = page.frame_locator("#rahmen iframe").locator("input.entry")
    expect(fields.first).to_have_attribute("data-q", re.compile("^block1.head2"))
    fields.first.fill("77,77")
    expect(page.locator("#fehlerliste")).to_contain_text("Ein Fehler")
    page.click("#loesung")
    expect(page.frame_locator("#rahmen-loesung iframe").locator("body")).to_contain_text("Gruppe 2")
    page.reload()  # it comes back to the same sheet
    expect(fields.first).to_have_value("77,77")

    page.goto(f"{running.base}/stunden")
    page.select_option("#blatt", "")
    page.fill("#code", mark)
    page.get_by_role("button", name="Stunde beginnen").dblclick()
    expect(page.locator("#klasse-titel")).to_be_visible()
    code = page.url.rpartition("/")[2]
    pupil = page.context.browser.new_context(viewport={"width": 390, "height": 740}).new_page()
    pupil.set_default_timeout(PATIENCE)
    pupil.goto(f"{running.base}/stunde/{code}")
    pupil.get_by_role("link", name="Gruppe 2: Head 2").click()
    pupil.click("[data-animal=Igel]")
    expect(pupil.locator(".cell").first).to_have_attribute("data-name", re.compile("^block1.head2"))
    pupil.context.close()
    page.goto(f"{running.base}/stunden")
    of_sheet = page.locator(".lessons li", has_text=OPTIONS["satz"])
    assert sum(code in each for each in of_sheet.all_inner_texts()) == 1
