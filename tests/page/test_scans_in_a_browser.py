"""A class is read in on the page in two portions: nothing reviewed is lost, and what came again is asked."""

import re

import pytest
from playwright.sync_api import expect

pytest.importorskip("zxingcpp")
from scans.portions import a_class, scan_of

from generator.options.options import Options
from generator.page.shelf import Shelf, write_entry
from generator.stations.make_sheet import make_sheet
from tests.page.looking import findings, too_wide


@pytest.fixture
def shelved(running):
    """The name of a class set of three on the shelf."""
    name, folder = Shelf(running.folder).new("")
    options = Options(satz="Die Katze sitzt", gewichte="ganzzahlig", stationen=("4b",))
    a_class(folder, make_sheet(options).record_json(), 3)
    write_entry(folder, art="klassensatz", anzahl=3, satz=options.satz, blaetter=[], dateien=["felder.json"])
    yield name
    Shelf(running.folder).delete(name, "")


def read_in(page, running, name, *files):
    page.goto(f"{running.base}/einlesen")
    page.select_option("#blatt", name)
    page.set_input_files("#scans", list(files))
    page.click("#einlesen button[type=submit]")


def reviewed(page):
    """By keys alone, until there is nothing left to look at."""
    for _ in range(40):
        if page.locator("#review h2").inner_text() == "Fertig":
            break
        page.keyboard.press("Enter" if page.locator(".board").count() else "l")
    expect(page.locator("#review h2")).to_have_text("Fertig")


@pytest.mark.parametrize("width", [1366, 390])
def test_a_second_portion_adds_and_asks(open_page, running, shelved, tmp_path, width):
    page = open_page("/einlesen", viewport={"width": width, "height": 800})
    first = scan_of(tmp_path / "montag.pdf", (1, "-12,75"), (2, "77,22"))
    read_in(page, running, shelved, first)
    expect(page.locator("#fertig")).to_be_visible()
    expect(page.locator("#hinweise")).to_contain_text("Noch nicht dabei: Blatt 3 (Kind 3)")
    page.click("#durchsicht")
    tile = page.locator(".tile").first
    expect(tile).to_be_visible()
    picture, text = (tile.locator(each).bounding_box() for each in ("img", "b"))
    box = tile.bounding_box()
    assert text["y"] >= picture["y"] + picture["height"] - 1, "the number stands below the picture"
    assert box["x"] <= text["x"]
    assert text["x"] + text["width"] <= box["x"] + box["width"]
    assert findings(page) == []
    assert too_wide(page) == 0
    reviewed(page)
    done = page.locator("#left").inner_text()
    seen = int(re.search(r"(\d+) haben Sie angesehen", done)[1])
    assert seen > 0

    again = scan_of(tmp_path / "nachzügler.pdf", (3, "66,33"), (2, "88,22"))
    read_in(page, running, shelved, again)
    expect(page.locator("#fertig")).to_be_visible()
    page.click("#durchsicht")
    expect(page.locator("#left")).to_contain_text(f"{seen} haben Sie angesehen")
    asked = page.locator("[data-again]")
    expect(asked).to_contain_text("Blatt 2 (Kind 2): Seite 1 war schon da")
    assert findings(page) == []
    asked.get_by_role("button", name="Danebenlegen").click()
    expect(asked).to_have_count(0)
    expect(page.locator("#left")).to_contain_text(f"{seen} haben Sie angesehen")
    reviewed(page)
    page.get_by_role("link", name="Ergebnis bis jetzt").click()
    for name in ("Kind 1", "Kind 2", "Kind 3"):
        expect(page.locator("body")).to_contain_text(name)

    empty = tmp_path / "leer.pdf"
    empty.write_bytes(b"")
    read_in(page, running, shelved, empty)
    expect(page.locator("#fehler")).to_contain_text("„leer.pdf“ ist eine leere Datei")
    read_in(page, running, shelved, first)
    expect(page.locator("#fertig")).to_be_visible()
    page.on("dialog", lambda dialog: dialog.accept())
    page.click("#loeschen")
    expect(page.locator("#stand")).to_have_text("Gelöscht.")
    expect(page.locator("#fertig")).to_be_hidden()
