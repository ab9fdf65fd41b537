"""All figures of a sheet, of usual and of extreme ones, and what of a drawing covers what."""

import re
from xml.etree import ElementTree

from generator.figures.drawing import text_width
from generator.sheet.sheet import Figure, walk
from tests.laid_out import KATZE, LONG, sheet_of

HOSTILE = "Der <b>\"&amp;'Hund</b> bellt </svg> laut"
WITHOUT = "unmasked.head1.weight"
MASKED = "block1.head1.weight"
EXTREMES = [
    (KATZE, {}),
    (HOSTILE, {"dimension": 6, "heads": 3}),
    ("Ach ja", {"dimension": 2, "heads": 1}),
    (LONG, {"dimension": 16, "nachkommastellen": 6, "temperatur": "0,01 1 2 3 4 5 6 1000"}),
    ("ha ha ha", {"startwert": 3}),
]


def desk_of(sentence=KATZE, **options):
    return sheet_of(sentence, stationen="4a", **options)[1]


def figures_of(sentence=KATZE, **options):
    """Station and figure, in the order of the pages."""
    sheet, _ = sheet_of(sentence, **options)
    return [(station.id, figure) for station in sheet.stations for figure in walk(station.parts, Figure)]


def tree_of(figure, drawing=None):
    return ElementTree.fromstring(f"<svg>{(drawing or figure.drawing).shapes}</svg>")


def boxes_of(drawing):
    """Every text of a drawing and what it covers, turned ones too."""
    for node in tree_of(None, drawing).iter("text"):
        size = float(node.get("font-size"))
        width, x, y = text_width(node.text, size), float(node.get("x")), float(node.get("y"))
        back = {"start": 0.0, "middle": 0.5, "end": 1.0}[node.get("text-anchor")] * width
        if node.get("transform"):
            yield node.text, (x - 0.7 * size, y - width + back, x + 0.2 * size, y + back)
        else:
            yield node.text, (x - back, y - 0.7 * size, x - back + width, y + 0.2 * size)


def overlap_of(a, b):
    return min(a[2], b[2]) - max(a[0], b[0]) if a[1] < b[3] and b[1] < a[3] else 0.0


def points_of(tree):
    """Every end of a line, corner and text in the shapes' own commands M, L and the letters' x and y."""
    for node in tree.iter():
        if node.tag == "text" or node.tag == "circle":
            x, y = (node.get(name) or node.get("c" + name) for name in "xy")
            yield float(x), float(y)
        for x, y in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", node.get("d") or ""):
            yield float(x), float(y)
