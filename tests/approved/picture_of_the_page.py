"""Draws the README's picture of the page anew; argument: the address that the page said at its start."""

import sys
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import expect, sync_playwright

TARGET = Path(__file__).with_name("seite.png")


def main(entrance: str) -> None:
    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1180, "height": 700})
        page.goto(entrance)
        page.fill("#satz", "Die Katze sitzt auf der Matte")
        expect(page.locator("#aufwand")).to_contain_text("rechnen", timeout=120_000)
        page.wait_for_timeout(2000)
        expect(page.locator("#stand")).to_have_text("", timeout=120_000)
        page.evaluate("scrollTo(0, 0)")
        drawn = Image.open(BytesIO(page.screenshot())).convert("P", palette=Image.Palette.ADAPTIVE, colors=32)
        drawn.save(TARGET, optimize=True)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
