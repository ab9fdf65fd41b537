"""A class is read in on the page in two portions: nothing reviewed is lost, and what came again is asked."""

import json
import re

import pytest
from playwright.sync_api import expect

pytest.importorskip("zxingcpp")
from scans.portions import a_class, scan_of

from generator.options.options import Options
from generator.page.shelf import Shelf, write_entry
from generator.stations.make_sheet import make_sheet
from tests.page.looking import findings, too_wide
from tests.page.running import go


@pytest.fixture
def shelved(running):
    """The name of a class set of three on the shelf."""
    name, folder = Shelf(running.folder).new("")
    options = Options(satz="Die Katze sitzt", gewichte="ganzzahlig", stationen=("4b",))
    record = make_sheet(options).record_json()
    a_class(folder, record, 3)
    for number in (1, 2, 3):
        (folder / "rechnungen" / f"{number}.json").write_bytes(record)
    asked = next(each["luecken"] for each in json.loads(record)["aufgaben"] if each["luecken"])
    quantity, (index, *_) = next(iter(asked.items()))
    printed = (folder / "felder.json").read_text()
    cell = f"{quantity}[{','.join(map(str, index))}]"
    (folder / "felder.json").write_text(printed.replace("block1.head1.score[0,0]", cell))
    files = ["felder.json", "klassensatz.json"]
    write_entry(folder, art="klassensatz", anzahl=3, satz=options.satz, blaetter=[], dateien=files)
    yield name
    Shelf(running.folder).delete(name, "")


def read_in(page, name, *files):
    go(page, "Einlesen")
    page.select_option("#blatt", name)
    page.set_input_files("#scans", list(files))
    page.click("#einlesen button[type=submit]")


def to_review(page):
    expect(page.locator("#fertig")).to_be_visible()
    page.click("#durchsicht")


def reviewed(page, key):
    """By keys alone, until there is nothing left to look at. key: for what comes one by one."""
    for _ in range(40):
        if page.locator("#review h2").inner_text() == "Fertig":
            break
        page.keyboard.press("Enter" if page.locator(".board").count() else key)
    expect(page.locator("#review h2")).to_have_text("Fertig")


def test_a_second_portion_adds_and_asks_and_what_was_read_is_marked_to_the_end(
    open_page, running, shelved, tmp_path
):
    folder = running.folder / "blaetter" / shelved
    there = set(folder.rglob("*.*"))
    page = open_page("/einlesen")
    read_in(page, shelved, scan_of(tmp_path / "montag.pdf", (1, "-12,75"), (2, "77,22")))
    expect(page.locator("#hinweise")).to_contain_text("Noch nicht dabei: Blatt 3 (Kind 3)")
    to_review(page)
    expect(page.locator(".tile").first).to_be_visible()
    assert findings(page) == []
    assert too_wide(page) == 0
    reviewed(page, "a")
    seen = int(re.search(r"(\d+) haben Sie angesehen", page.locator("#left").inner_text())[1])
    assert seen > 0
    papers = page.locator("#arbeiten tbody tr")
    second = papers.nth(1).locator("td").nth(1)
    page.get_by_role("link", name="In „Prüfen“").click()
    expect(papers).to_have_count(3)
    expect(papers.nth(0)).to_contain_text(" offen)")
    expect(papers.nth(2)).not_to_contain_text(" / ")
    page.get_by_role("button", name="Kind 2", exact=True).click()
    expect(page.locator("#gefuellt")).to_contain_text("ausgefüllt")
    read = "all => all.map(each => each.value).filter(Boolean)"
    assert "77,22" in page.frame_locator("#rahmen iframe").locator("input.entry").evaluate_all(read)
    expect(page.locator("#punkte .score")).to_be_visible()
    before = second.inner_text()
    page.click("#aufgaben-auf > summary")
    page.locator("#aufgaben input").first.fill("1")  # for words, beside what was read
    expect(second).not_to_have_text(before)
    by_hand = second.inner_text()

    again = scan_of(tmp_path / "nachzügler.pdf", (3, "66,33"), (2, "88,22"))
    read_in(page, shelved, again)
    to_review(page)
    expect(page.locator("#left")).to_contain_text(f"{seen} haben Sie angesehen")
    asked = page.locator("[data-again]")
    expect(asked).to_contain_text("Blatt 2 (Kind 2): Seite 1 war schon da")
    asked.get_by_role("button", name="Danebenlegen").click()
    expect(asked).to_have_count(0)
    expect(page.locator("#left")).to_contain_text(f"{seen} haben Sie angesehen")
    reviewed(page, "l")
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Ergebnis bis jetzt").click()
    for name in ("Kind 1", "Kind 2", "Kind 3"):
        expect(opened.value.locator("body")).to_contain_text(name)
    opened.value.close()
    with page.expect_download() as table:
        page.get_by_role("link", name="Als Tabelle").click()
    assert "Kind 3" in table.value.path().read_text(encoding="utf-8-sig")
    page.get_by_role("link", name="In „Prüfen“").click()
    expect(papers.nth(2)).to_contain_text(" / ")
    expect(second).to_have_text(by_hand)  # more scans change nothing of it
    page.click("#ergebnisse")
    expect(page.locator("#klasse-stand")).to_have_text("3 Arbeiten geprüft.")

    go(page, "Einlesen")
    expect(page.locator("#blatt")).to_have_value(shelved)  # the next portion goes where the last one went
    other = tmp_path / "klasse.txt"
    other.write_text("Mia")
    read_in(page, shelved, again, other)
    expect(page.locator("#fehler")).to_contain_text("„klasse.txt“ ist weder ein PDF noch ein Bild")
    page.on("dialog", lambda dialog: dialog.accept())
    page.click("#loeschen")
    expect(page.locator("#stand")).to_have_text("Gelöscht.")
    assert set(folder.rglob("*.*")) == there
