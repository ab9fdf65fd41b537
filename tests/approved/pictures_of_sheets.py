"""The pictures of sheets: a page and its key for the README; a lesson and a class set for the handbook.

python tests/approved/pictures_of_sheets.py; needs pdftoppm (poppler-utils).
"""

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
BOOKLET = ("blatt", "Die Katze sitzt auf der Matte", "--gewichte", "gelernt")
LESSON = ("blatt", "Der Hund holt den Ball", "--zeit", "45")
CLASS = ("klassensatz", "Die Katze sitzt auf der Matte", "--stationen", "4a,8", "--anzahl", "12")
BETWEEN = 14  # pixels


def made(order: Sequence[str], folder: Path) -> Path:
    subprocess.run(
        [sys.executable, "-m", "generator", *order, "--ausgabe", str(folder)], check=True, cwd=ROOT
    )
    return next(folder.iterdir())


def page(pdf: Path, number: int, high: int) -> Image.Image:
    picture = pdf.with_suffix("")
    order = ["pdftoppm", "-f", str(number), "-l", str(number), "-scale-to-x", "-1", "-scale-to-y", str(high)]
    subprocess.run([*order, "-singlefile", "-png", str(pdf), str(picture)], check=True)
    return Image.open(picture.with_suffix(".png")).convert("L")


def save(sides: Sequence[Image.Image], target: Path) -> None:
    wide = sum(side.width for side in sides) + BETWEEN * (len(sides) - 1)
    drawn, left = Image.new("L", (wide, sides[0].height), 128), 0
    for side in sides:
        drawn.paste(side, (left, 0))
        left += side.width + BETWEEN
    drawn.quantize(16).save(target, optimize=True)


def main() -> None:
    handbook = ROOT / "docs" / "bilder"
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        booklet = made(BOOKLET, Path(one))
        sides = [page(booklet / f"{name}.pdf", 15, 889) for name in ("arbeitsblatt", "loesung")]
        save(sides, HERE / "blatt-und-loesung.png")
        lesson = made(LESSON, Path(two))
        save(
            [page(lesson / "arbeitsblatt.pdf", number, 600) for number in (1, 3, 4)], handbook / "stunde.png"
        )
        save([page(lesson / "stundenkarte.pdf", 1, 889)], handbook / "stundenkarte.png")
    with tempfile.TemporaryDirectory() as three:
        save([page(made(CLASS, Path(three)) / "uebersicht.pdf", 1, 637)], handbook / "klassensatz.png")


if __name__ == "__main__":
    main()
