"""One Add & LayerNorm: the bypass, and a number line before and after the norm."""

import math
from collections.abc import Sequence
from typing import Final

from generator.figures.drawing import Canvas, Point
from generator.figures.parts import quoted, value
from generator.sheet.desk import Desk
from generator.sheet.sheet import Drawing, Figure

_WIDTH: Final = 78.0
_LEFT: Final = 6.0
_LINE: Final = 64.0  # mm of a number line
_NEAR: Final = 2.6  # mm; closer points get their number on another level
_LEVELS: Final = 4
_MOST_TICKS: Final = 9


def bypass(layer: str, norm: str, letters: tuple[str, str, str]) -> Figure:
    """letters: the old vector, what the layer adds, the normalised result."""
    old, new, result = letters
    canvas, y = Canvas(), 17.0
    canvas.text((1.0, y + 1.1), old, 3.6, bold=True)
    canvas.arrow([(4.4, y), (12.0, y)])
    canvas.rectangle((12.0, y - 4.0), (24.0, 8.0), width=0.35)
    canvas.text((24.0, y + 1.0), layer, 2.8, "middle")
    canvas.arrow([(36.0, y), (44.4, y)])
    canvas.text((40.0, y - 1.2), new, 3.0, "middle", bold=True)
    canvas.circle((46.6, y), 2.2)
    canvas.text((46.6, y + 1.2), "+", 3.6, "middle", bold=True)
    canvas.arrow([(8.0, y), (8.0, 6.0), (46.6, 6.0), (46.6, y - 2.2)], 0.8)
    canvas.text((27.0, 4.4), f"Umleitung: {old} bleibt erhalten", 2.8, "middle")
    canvas.arrow([(48.8, y), (56.0, y)])
    canvas.text((52.2, y - 1.2), "r", 3.0, "middle", bold=True)
    canvas.rectangle((56.0, y - 4.0), (16.0, 8.0), width=0.35)
    canvas.text((64.0, y + 1.0), norm, 2.8, "middle")
    canvas.arrow([(72.0, y), (75.0, y)])
    canvas.text((75.6, y + 1.1), result, 3.6, bold=True)
    said = (
        f"{old} geht in {layer} und zugleich daran vorbei; {old} plus {new} ist r, "
        f"und {norm} macht daraus {result}."
    )
    return Figure("Umleitung um die Schicht", _WIDTH, 22.0, Drawing(canvas.shapes, said))


def norm_lines(desk: Desk, residual: str, at: str, token: int, letters: tuple[str, str, str]) -> Figure:
    """The components of a token before the norm (with mean and spread) and after it, to one scale."""
    before, after = (
        list(map(float, desk.quantity(name).values[token])) for name in (residual, at + "output")
    )
    mean, std = value(desk, at + "mean", token), value(desk, at + "std", token)
    low = math.floor(min(*before, *after, mean - std, -1.0))
    high = math.ceil(max(*before, *after, mean + std, 1.0))
    unit = _LINE / (high - low)
    canvas = Canvas()

    def x_of(number: float) -> float:
        return _LEFT + (number - low) * unit

    places = desk.options.nachkommastellen
    spreads = (
        f"μ ± σ = {desk.constant(mean, places)} ± {desk.constant(std, places)}",
        f"{desk.constant(0, 0)} ± {desk.constant(1, 0)}",
    )
    for y, letter, numbers, middle, spread, caption, ends in (
        (12.0, "r", before, mean, std, "vor der Norm", spreads[0]),
        (32.0, letters[2], after, 0.0, 1.0, "nach der Norm", spreads[1]),
    ):
        _axis(canvas, desk, y, (low, high))
        canvas.text((0.0, y + 1.0), letter, 3.4, bold=True)
        _points(canvas, [x_of(number) for number in numbers], y)
        left, right = x_of(middle - spread), x_of(middle + spread)
        canvas.path([(left, y + 4.6), (left, y + 5.8), (right, y + 5.8), (right, y + 4.6)], 0.6)
        canvas.line((x_of(middle), y + 4.2), (x_of(middle), y + 5.8), 0.9)
        canvas.text((0.0, y + 9.2), caption, 2.6)
        canvas.text((_LEFT + _LINE, y + 9.2), ends, 2.6, "end")
    components = [", ".join(n.text for n in desk.numbers(name, token)) for name in (residual, at + "output")]
    said = (
        f"Die Komponenten von {quoted(desk.words[token])} vor der Norm: {components[0]}; "
        f"danach: {components[1]}. "
        "Die Klammer reicht vom Mittelwert um σ nach links und rechts."
    )
    return Figure("Zahlenstrahl vor und nach der Norm", _WIDTH, 42.0, Drawing(canvas.shapes, said))


def _axis(canvas: Canvas, desk: Desk, y: float, scale: tuple[int, int]) -> None:
    low, high = scale
    step = max(1, math.ceil((high - low) / (_MOST_TICKS - 1)))
    unit = _LINE / (high - low)
    canvas.line((_LEFT - 1.5, y), (_LEFT + _LINE + 1.5, y), 0.3)
    for tick in range(low, high + 1, step):
        x = _LEFT + (tick - low) * unit
        canvas.line((x, y - 0.9), (x, y + 0.9), 0.3)
        canvas.text((x, y + 3.8), desk.constant(tick, 0), 2.5, "middle")


def _points(canvas: Canvas, places: Sequence[float], y: float) -> None:
    """Each component as a disc, with its number above; numbers that would touch stand on other levels."""
    taken: list[Point] = []
    for c, x in sorted(enumerate(places, 1), key=lambda pair: pair[1]):
        level = next(
            (k for k in range(_LEVELS) if all(k != other or x - at >= _NEAR for at, other in taken)),
            _LEVELS - 1,
        )
        taken.append((x, level))
        canvas.marker("disc", (x, y))
        canvas.text((x, y - 2.0 - 2.5 * level), str(c), 2.5, "middle")
