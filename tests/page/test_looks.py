"""The page on a phone and a desk, light and dark, without a mouse, and before its scripts have come."""

import re

import pytest
from playwright.sync_api import expect

from generator.options.sheet_code import sheet_code
from generator.page.shelf import Shelf, write_entry
from tests.page.looking import clean, too_wide
from tests.page.papers import PRINTED
from tests.page.running import SENTENCE, SMALL, settled


def everything_open(page):
    settled(page)
    for details in page.locator("#form > details > summary").all():
        if details.evaluate("each => !each.parentElement.open"):
            details.click()
    page.click("#klasse-auf")


def checked(page):
    page.fill("#code", sheet_code(PRINTED))
    page.click("#oeffnen button")
    page.frame_locator("#rahmen iframe").locator("input.entry").first.fill("0,5")
    expect(page.locator("#punkte")).to_contain_text("BE")


@pytest.mark.parametrize(
    ("path", "prepared", "scheme"),
    [
        (SMALL, everything_open, "light"),
        ("/blaetter", None, "dark"),
        ("/pruefen", None, "light"),
        ("/pruefen", checked, "dark"),
        ("/stunden", None, "light"),
    ],
)
def test_no_finding_of_axe_and_nothing_too_wide(open_page, running, path, prepared, scheme):
    shelf = Shelf(running.folder)
    name, folder = shelf.new("")
    write_entry(folder, art="klassensatz", satz="Die Maus", befehl="", anzahl=3, dateien=[], blaetter=[])
    page = open_page(path, viewport={"width": 360, "height": 900})
    if prepared:
        prepared(page)
    clean(page, [scheme])
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    for width in () if prepared is checked else (640, 480):  # another typeface may need as much more
        page.set_viewport_size({"width": width, "height": 900})
        assert too_wide(page) == 0, width
    shelf.delete(name, "")


def test_by_keyboard_alone(open_page):
    page = open_page()

    def tab_to(reached, key="Tab"):
        for _ in range(60):
            page.keyboard.press(key)
            if page.evaluate(f"document.activeElement.{reached}"):
                return
        raise AssertionError(reached)

    settled(page)
    page.locator("body").press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Zum Inhalt"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "satz"
    page.keyboard.press("Control+A")
    page.keyboard.type(SENTENCE)
    tab_to("matches('[data-group=Stunde] > summary')")
    page.keyboard.press("Enter")
    tab_to("value == '1'")
    page.keyboard.press("Space")
    settled(page)
    tab_to("id == 'herstellen'", "Shift+Tab")  # it stands above all that can be chosen
    page.keyboard.press("Enter")
    expect(page.locator("#auftraege-titel")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("#auftraege").get_by_role("button", name="Abbrechen")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#auftraege")).to_contain_text("Abgebrochen.")


def test_a_button_waits_for_its_script(open_page):
    page = open_page("/blaetter")
    for path, name in (("/pruefen", "Blatt öffnen"), ("/stunden", "Stunde beginnen")):
        page.route(re.compile(r"/static/(check|shelf)\.js"), lambda route: route.abort())
        page.goto(re.sub("/[a-z]+$", path, page.url))
        expect(page.get_by_role("button", name=name)).to_be_disabled()
        page.unroute_all()
        page.reload()
        expect(page.get_by_role("button", name=name)).to_be_enabled()
