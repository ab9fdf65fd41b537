"""Draws the pictures of the page anew, for the README and, with a sheet that is made, for the handbook.

The argument is the address that the page said at its start.
"""

import sys
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

TARGET = Path(__file__).with_name("seite.png")
HANDBOOK = Path(__file__).parents[2] / "docs" / "bilder" / "seite.png"
WAIT = 120_000  # ms


def opened(browser, entrance: str, sentence: str, height: int) -> Page:
    page = browser.new_page(viewport={"width": 1180, "height": height})
    page.goto(entrance)
    page.fill("#satz", sentence)
    expect(page.locator("#aufwand")).to_contain_text("rechnen", timeout=WAIT)
    page.wait_for_timeout(2000)
    expect(page.locator("#stand")).to_have_text("", timeout=WAIT)
    return page


def draw(page: Page, target: Path, size: tuple[int, int] | None = None) -> None:
    page.evaluate("scrollTo(0, 0)")
    shot = Image.open(BytesIO(page.screenshot()))
    shot = shot.resize(size, Image.Resampling.LANCZOS) if size else shot
    shot.convert("P", palette=Image.Palette.ADAPTIVE, colors=32).save(target, optimize=True)


def main(entrance: str) -> None:
    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        draw(opened(browser, entrance, "Die Katze sitzt auf der Matte", 700), TARGET)
        page = opened(browser, entrance, "Der Hund holt den Ball", 815)
        page.get_by_role("button", name="Eine Stunde Attention").click()
        page.wait_for_timeout(2000)
        expect(page.locator("#stand")).to_have_text("", timeout=WAIT)
        page.get_by_role("button", name="Blatt herstellen").click()
        expect(page.get_by_text("Stundenkarten").first).to_be_visible(timeout=WAIT)
        page.wait_for_timeout(2000)
        draw(page, HANDBOOK, (900, 622))
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
