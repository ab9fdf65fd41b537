"""The page at the sizes of a phone and a desk, light and dark: no finding of axe-core, nothing too wide."""

import pytest
from playwright.sync_api import expect

from generator.options.options import Options
from generator.options.sheet_code import sheet_code
from generator.page.shelf import Shelf, write_entry
from tests.page.looking import findings, too_wide
from tests.page.running import SMALL, settled

CODE = sheet_code(Options(satz="Die Katze schläft", stationen=("2",)))


def opened(page, path):
    if path == SMALL:
        settled(page)
        for details in page.locator("#form > details > summary").all():
            if details.evaluate("each => !each.parentElement.open"):
                details.click()
        page.click("#klasse-auf")
    if path.endswith("geoeffnet"):
        page.fill("#code", CODE)
        page.click("#oeffnen button")
        expect(page.frame_locator("#rahmen iframe").locator("input.entry").first).to_be_visible()
        page.frame_locator("#rahmen iframe").locator("input.entry").first.fill("0,5")
        expect(page.locator("#punkte")).to_contain_text("BE")


@pytest.mark.parametrize("path", [SMALL, "/blaetter", "/pruefen", "/pruefen?geoeffnet", "/stunden"])
def test_no_finding_of_axe_and_nothing_too_wide(open_page, running, path):
    shelf = Shelf(running.folder)
    name, folder = shelf.new("")
    write_entry(folder, art="klassensatz", satz="Die Maus", befehl="", anzahl=3, dateien=[], blaetter=[])
    page = open_page(path, viewport={"width": 360, "height": 900}, color_scheme="light")
    opened(page, path)
    for width, scheme in ((360, "light"), (1440, "dark")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        assert findings(page) == []
        assert too_wide(page) == 0
    if path in (SMALL, "/pruefen"):
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        for width in (640, 480):  # another typeface may need as much more
            page.set_viewport_size({"width": width, "height": 900})
            assert too_wide(page) == 0, width
    shelf.delete(name, "")
