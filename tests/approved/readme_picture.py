"""A page of the README's first sheet and the same page of its key, side by side: blatt-und-loesung.png.

python tests/approved/readme_picture.py [--seite 15]; needs pdftoppm (poppler-utils).
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SHEET = ("Die Katze sitzt auf der Matte", "--gewichte", "gelernt")
HIGH = 889  # pixels
BETWEEN = 14


def page(folder: Path, name: str, number: int) -> Image.Image:
    picture = folder / name
    order = ["pdftoppm", "-f", str(number), "-l", str(number), "-scale-to-x", "-1", "-scale-to-y", str(HIGH)]
    pdf = next(folder.glob(f"*/{name}.pdf"))
    subprocess.run([*order, "-singlefile", "-png", str(pdf), str(picture)], check=True)
    return Image.open(picture.with_suffix(".png")).convert("L")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seite", type=int, default=15)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        order = [sys.executable, "-m", "generator", "blatt", *SHEET, "--ausgabe", made]
        subprocess.run(order, check=True, cwd=ROOT)
        sides = [page(Path(made), name, given.seite) for name in ("arbeitsblatt", "loesung")]
        both = Image.new("L", (sum(side.width for side in sides) + BETWEEN, HIGH), 128)
        both.paste(sides[0], (0, 0))
        both.paste(sides[1], (sides[0].width + BETWEEN, 0))
        both.quantize(16).save(HERE / "blatt-und-loesung.png", optimize=True)


if __name__ == "__main__":
    main()
