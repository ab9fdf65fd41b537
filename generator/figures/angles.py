"""Cosines with one word go in; arrows at their angles in a half circle, with the cosine below, come out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from generator.basics.numbers import NumberFormat
from generator.figures.drawing import Canvas, Point, shortened, text_width
from generator.figures.parts import quoted
from generator.sheet.sheet import Drawing, Figure

_RADIUS: Final = 30.0
_CENTRE: Final = (52.0, 38.0)
_WIDTH: Final = 104.0
_LABEL: Final = 20.0
_APART: Final = 3.2  # mm between two labels


def angle_fan(word: str, cosines: Mapping[str, float], numbers: NumberFormat, places: int) -> Figure:
    """The word itself points to the right; every other word is turned by its angle, as long as the word.

    cosines: of the other words. The foot of each arrow's tip on the scale is the cosine.
    """
    canvas, (x0, y0) = Canvas(), _CENTRE
    canvas.arc((x0 - _RADIUS, y0), (x0 + _RADIUS, y0), _RADIUS, 0.2, "0.9 0.9")
    scale = y0 + 3.0
    canvas.line((x0 - _RADIUS, scale), (x0 + _RADIUS, scale), 0.3)
    for tick in (-1.0, -0.5, 0.0, 0.5, 1.0):
        x = x0 + tick * _RADIUS
        canvas.line((x, scale - 0.9), (x, scale + 0.9), 0.3)
        canvas.text((x, scale + 4.0), numbers.text(tick, None), 2.6, "middle")
    canvas.text((x0 - _RADIUS - 2.0, scale + 1.0), "Kosinus", 2.6, "end")
    canvas.arrow([(x0, y0), (x0 + _RADIUS, y0)], 0.8, 2.2)
    canvas.text((x0 + _RADIUS + 1.5, y0 + 1.0), shortened(word, _LABEL), 2.8, bold=True)
    tips = {other: _tip(cosine) for other, cosine in cosines.items()}
    for _, (x, y) in tips.items():
        canvas.arrow([(x0, y0), (x, y)], 0.4, 1.8)
        canvas.line((x, y), (x, scale), 0.2, "0.5 1.1")
    for right in (True, False):
        _labels(
            canvas, [(other, tip) for other, tip in tips.items() if (tip[0] >= x0) == right], cosines, right
        )
    said = "; ".join(
        f"{quoted(other)} {_degrees(cosine)} (Kosinus {numbers.text(cosine, places)})"
        for other, cosine in cosines.items()
    )
    return Figure(f"Winkel zu {quoted(word)}", _WIDTH, 46.5, Drawing(canvas.shapes, said + "."))


def _tip(cosine: float) -> Point:
    inside = max(-1.0, min(1.0, cosine))
    return _CENTRE[0] + inside * _RADIUS, _CENTRE[1] - math.sqrt(1 - inside**2) * _RADIUS


def _degrees(cosine: float) -> str:
    return f"{math.degrees(math.acos(max(-1.0, min(1.0, cosine)))):.0f}°"


def _labels(
    canvas: Canvas, tips: Sequence[tuple[str, Point]], cosines: Mapping[str, float], right: bool
) -> None:
    """The words beside the half circle, from above to below, never one on the other."""
    base = 3.0 - _APART
    for other, (_, y) in sorted(tips, key=lambda entry: entry[1][1]):
        base = max(y + 0.6, base + _APART)
        words = f"{shortened(other, _LABEL - 7.0)} {_degrees(cosines[other])}"
        edge = math.sqrt(max(0.0, _RADIUS**2 - min(_CENTRE[1] - base, _RADIUS) ** 2)) + 2.2
        at = _CENTRE[0] + edge if right else max(_CENTRE[0] - edge, text_width(words, 2.6))
        canvas.text((at, base), words, 2.6, "start" if right else "end")


def telling(cosines: Mapping[str, float], most: int = 4) -> dict[str, float]:
    """A few words from the most alike to the least, spread evenly."""
    ordered = sorted(cosines, key=lambda word: -cosines[word])
    if len(ordered) > most:
        ordered = [ordered[round(k * (len(ordered) - 1) / (most - 1))] for k in range(most)]
    return {word: cosines[word] for word in ordered}
