"""Draws the pictures of the README and the handbook anew: of sheets, or of the page.

Without an argument those of sheets (needs pdftoppm of poppler-utils); with the address that the page says at
its start those of the page.
"""

import subprocess
import sys
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
HANDBOOK = ROOT / "docs" / "bilder"
BETWEEN = 14  # pixels
WAIT = 120_000  # ms


def made(folder: str, *order: str) -> Path:
    command = [sys.executable, "-m", "generator", *order, "--ausgabe", folder]
    subprocess.run(command, check=True, cwd=ROOT)
    return max(Path(folder).iterdir(), key=lambda path: path.stat().st_mtime)


def page(pdf: Path, number: int, high: int) -> Image.Image:
    picture = pdf.with_suffix("")
    order = ["pdftoppm", "-f", str(number), "-l", str(number), "-scale-to-x", "-1", "-scale-to-y", str(high)]
    subprocess.run([*order, "-singlefile", "-png", str(pdf), str(picture)], check=True)
    return Image.open(picture.with_suffix(".png")).convert("L")


def save(target: Path, *sides: Image.Image) -> None:
    wide = sum(side.width for side in sides) + BETWEEN * (len(sides) - 1)
    drawn, left = Image.new("L", (wide, sides[0].height), 128), 0
    for side in sides:
        drawn.paste(side, (left, 0))
        left += side.width + BETWEEN
    drawn.quantize(16).save(target, optimize=True)


def of_sheets() -> None:
    katze = "Die Katze sitzt auf der Matte"
    with tempfile.TemporaryDirectory() as folder:
        booklet = made(folder, "blatt", katze, "--gewichte", "gelernt")
        both = [page(booklet / f"{name}.pdf", 15, 889) for name in ("arbeitsblatt", "loesung")]
        save(HERE / "blatt-und-loesung.png", *both)
        lesson = made(folder, "blatt", "Der Hund holt den Ball", "--zeit", "45")
        save(HANDBOOK / "stunde.png", *(page(lesson / "arbeitsblatt.pdf", each, 600) for each in (1, 3, 4)))
        save(HANDBOOK / "stundenkarte.png", page(lesson / "stundenkarte.pdf", 1, 889))
        whole = made(folder, "klassensatz", katze, "--stationen", "4a,8", "--anzahl", "12")
        save(HANDBOOK / "klassensatz.png", page(whole / "uebersicht.pdf", 1, 637))


def settled(shown: Page) -> None:
    shown.wait_for_timeout(2000)
    expect(shown.locator("#stand")).to_have_text("", timeout=WAIT)


def draw(shown: Page, target: Path, size: tuple[int, int] | None = None) -> None:
    shown.evaluate("scrollTo(0, 0)")
    shot = Image.open(BytesIO(shown.screenshot()))
    shot = shot.resize(size, Image.Resampling.LANCZOS) if size else shot
    shot.convert("P", palette=Image.Palette.ADAPTIVE, colors=32).save(target, optimize=True)


def of_the_page(entrance: str) -> None:
    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for sentence, height in (("Die Katze sitzt auf der Matte", 700), ("Der Hund holt den Ball", 815)):
            shown = browser.new_page(viewport={"width": 1180, "height": height})
            shown.goto(entrance)
            shown.fill("#satz", sentence)
            expect(shown.locator("#aufwand")).to_contain_text("rechnen", timeout=WAIT)
            settled(shown)
            if height == 700:
                draw(shown, HERE / "seite.png")
        shown.get_by_role("button", name="Eine Stunde Attention").click()
        settled(shown)
        shown.get_by_role("button", name="Blatt herstellen").click()
        expect(shown.get_by_text("Stundenkarten").first).to_be_visible(timeout=WAIT)
        settled(shown)
        draw(shown, HANDBOOK / "seite.png", (900, 622))
        browser.close()


if __name__ == "__main__":
    of_the_page(sys.argv[1]) if len(sys.argv) > 1 else of_sheets()
