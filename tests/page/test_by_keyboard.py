"""The page without a mouse, and before its scripts have come."""

import re

import pytest
from playwright.sync_api import expect

from tests.page.running import settled

SENTENCE = "Die Katze schläft"


def test_by_keyboard_alone(open_page):
    page = open_page()
    settled(page)
    page.locator("body").press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Zum Inhalt"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "satz"
    page.keyboard.press("Control+A")
    page.keyboard.type(SENTENCE)
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('[data-group=Stunde] > summary')"):
            break
    page.keyboard.press("Enter")
    for _ in range(8):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.value") == "1":
            break
    page.keyboard.press("Space")
    settled(page)
    for _ in range(60):  # it stands above all that can be chosen
        page.keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.id") == "herstellen":
            break
    page.keyboard.press("Enter")
    link = page.locator("#auftraege").get_by_role("link", name="Arbeitsblatt", exact=True)
    expect(link).to_be_visible()
    assert page.evaluate("document.activeElement.id") == "auftraege-titel"
    page.keyboard.press("Tab")
    expect(link).to_be_focused()


@pytest.mark.parametrize(("path", "name"), [("/pruefen", "Blatt öffnen"), ("/stunden", "Stunde beginnen")])
def test_a_button_waits_for_its_script(open_page, path, name):
    page = open_page("/blaetter")
    page.route(re.compile(r"/static/(check|shelf)\.js"), lambda route: route.abort())
    page.goto(page.url.replace("/blaetter", path))
    expect(page.get_by_role("button", name=name)).to_be_disabled()
    page.unroute_all()
    page.reload()
    expect(page.get_by_role("button", name=name)).to_be_enabled()
