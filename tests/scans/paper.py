"""Pages as a scanner sees them, drawn here: marks, frames and printed digits, turned and skewed."""

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from generator.basics import fonts
from generator.output.page_marks import MARKS, Blank, PageMark, data_matrix

FINE = 8  # pixels to a mm: 200 dpi
SIZE = (210.0, 297.0)
SHEET = "ABCD"
BLANKS = tuple(
    Blank(
        page, 40 + 20 * column, 40 + 12 * row, 57 + 20 * column, 49 + 12 * row, f"entry.score[{row},{column}]"
    )
    for page in (1, 2)
    for row in range(page - 1, 8, 2)
    for column in range(5)
)


def page(number=1, texts=None, pupil=0, sheet=SHEET, size=SIZE, marks=MARKS):
    """A page with its frames; texts: by cell."""
    image = Image.new("L", (round(size[0] * FINE), round(size[1] * FINE)), 255)
    draw = ImageDraw.Draw(image)
    for x, y in marks.squares(*size):
        end = marks.square * FINE - 1
        draw.rectangle([x * FINE, y * FINE, x * FINE + end, y * FINE + end], fill=0)
    modules = np.array(data_matrix(PageMark(sheet, pupil, number).text))
    side = round(marks.matrix * FINE)
    code = Image.fromarray(np.where(modules, 0, 255).astype(np.uint8)).resize((side, side), 0)
    left, top = marks.matrix_corner(size[0])
    image.paste(code, (round(left * FINE), round(top * FINE)))
    font = ImageFont.truetype(str(next((fonts.folder() / "pdf").glob("*sans-regular*"))), 5 * FINE)
    for blank in BLANKS:
        if blank.page == number:
            box = [side * FINE for side in (blank.left, blank.top, blank.right, blank.bottom)]
            draw.rectangle([box[0] - 2, box[1] - 2, box[2] + 2, box[3] + 2], outline=0, width=4)
            draw.text((box[0] + 20, box[1] + 10), (texts or {}).get(blank.cell, ""), fill=40, font=font)
    return image


def skewed(image, corners, desk=90):
    """Seen by a phone: the paper's corners (shares of the picture, clockwise) on a desk."""
    wide, high = image.size
    rows = []
    for (x, y), (u, v) in zip(corners, [(0, 0), (wide, 0), (wide, high), (0, high)], strict=True):
        x, y = x * wide, y * high
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y, u], [0, 0, 0, x, y, 1, -v * x, -v * y, v]]
    table = np.array(rows, float)
    way = np.linalg.solve(table[:, :8], table[:, 8])
    return image.transform(
        image.size, Image.Transform.PERSPECTIVE, way, Image.Resampling.BILINEAR, fillcolor=desk
    )


def as_map():
    """What felder.json says of these pages."""
    return {
        "format": list(SIZE),
        "seiten": 2,
        "marken": list(MARKS),
        "felder": [list(blank) for blank in BLANKS],
    }
