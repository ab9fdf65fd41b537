"""What of a drawing covers what."""

import re
from xml.etree import ElementTree

from generator.figures.drawing import text_width


def tree_of(drawing):
    return ElementTree.fromstring(f"<svg>{drawing.shapes}</svg>")


def boxes_of(drawing):
    """Every text of a drawing and what it covers, turned ones too."""
    for node in tree_of(drawing).iter("text"):
        text, size = "".join(node.itertext()), float(node.get("font-size"))
        width, x, y = text_width(text, size), float(node.get("x")), float(node.get("y"))
        back = {"start": 0.0, "middle": 0.5, "end": 1.0}[node.get("text-anchor")] * width
        if node.get("transform"):
            yield text, (x - 0.7 * size, y - width + back, x + 0.2 * size, y + back)
        elif text.strip():
            yield text, (x - back, y - 0.7 * size, x - back + width, y + 0.2 * size)


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
