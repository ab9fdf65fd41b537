"""The strip at the end of a station: the vector of the word of the path before and after, as bars.

Bars that the sheet asks for are drawn by the pupils; the answers say what these numbers mean.
"""

import math
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from engine.numbers.arrays import Floats
from generator.figures.bars import VectorBars, level_scale
from generator.figures.drawing import Canvas, Point
from generator.figures.parts import quoted, value
from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH
from generator.sheet.sheet import Drawing, Figure, Finding, Given, Number, Parts, Solution, parts

_UNIT: Final = 8.0  # mm from 0 to 1, less where numbers are larger
_HALF: Final = 16.0  # mm above the axis, and below
_BAR: Final = 6.5  # mm; the widest
_PANEL: Final = 30.0  # mm, the widest group of bars
_SCALE: Final = 5.0  # mm left of them for its numbers
_GAP: Final = 4.0
_HEAD: Final = 4.5
_NEAR: Final = 1e-9
_DIGITS: Final = 9
_NEARLY: Final = 0.9  # of the largest share: named beside it


def before_after(desk: Desk, before: tuple[str, str], after: tuple[str, str], added: bool = False) -> Parts:
    """before, after: letter and name of a vector quantity of all tokens. added: `after` is added to `before`.

    token: the word of the path. says: what changed most, for the key. drawn: the numbers that a worksheet
    shows as bars; standing here they are withheld where an exercise asks for them.
    """
    names = (before[1], after[1])
    old, new = (np.array(desk.quantity(name).values[desk.path]) for name in names)  # (d_model,) each
    most = _furthest(desk, names, new - old)

    def change(c: int) -> Finding:
        before, after = (desk.number(name, desk.path, c).text for name in names)
        case = "falls" if new[c] < old[c] else "rises"
        return Finding(case=case, component=c + 1, before=before, after=after)

    return parts(
        token=desk.words[desk.path],
        figure=_strip(desk, (before, after), added),
        says=_all(most, new - old, change),
        before=(before[1], (desk.path,)),
        after=(after[1], (desk.path,)),
        drawn=tuple(n for name in names for n in _row(desk, name) if not n.blank),
    )


def key_only(text: str) -> Solution:
    """Words in an answer that tell a value."""
    return Solution(text, rows=0)


def component(place: int) -> str:
    return f"Komponente\N{NO-BREAK SPACE}{place + 1}"


def _all(most: Sequence[int], values: Floats, said: Callable[[int], Finding]) -> Finding:
    """What is said of the largest and those as large; also: what else honest rounding allows."""
    level = [c for c in most if abs(abs(values[c]) - abs(values[most[0]])) < _NEAR]
    return Finding(level=[said(c) for c in level], also=[c + 1 for c in most if c not in level])


def furthest(desk: Desk, name: str) -> list[int]:
    """The components of which one is furthest from 0 by any honest rounding; the key's first."""
    return _furthest(desk, (name,), np.array(desk.quantity(name).values[desk.path]))


def told(desk: Desk, name: str) -> Finding:
    """The component that is furthest from 0, and its number."""

    def said(c: int) -> Finding:
        return Finding(component=c + 1, value=desk.number(name, desk.path, c).text)

    return _all(furthest(desk, name), np.array(desk.quantity(name).values[desk.path]), said)


def sizes_added(desk: Desk, name: str) -> tuple[str, float]:
    """0,20 + 0,59 = 0,79: the components of the path's word without their signs, and their sum."""
    quantity = desk.quantity(name)
    sizes = np.abs(quantity.values[desk.path])
    line = " + ".join(desk.format.text(float(size), quantity.places) for size in sizes)
    return f"{line} = {desk.format.text(float(sizes.sum()), quantity.places)}", float(sizes.sum())


def source(desk: Desk, place: int) -> Finding:
    """Which head brought a component of the attention, and whose value there weighs most in it."""
    k, c = place // desk.sizes.d_head + 1, place % desk.sizes.d_head
    at = f"block1.head{k}."
    weights, values = desk.quantity(at + "weight"), desk.quantity(at + "value").values[:, c]
    parts = np.where(weights.shown[desk.path], weights.values[desk.path] * values, 0.0)  # (n,)
    parts = parts * (np.sign(parts.sum()) or 1.0)
    best = np.flatnonzero(parts >= _NEARLY * parts.max())
    shares = [
        Finding(
            word=desk.words[j],
            summand=desk.products([desk.number(at + "weight", desk.path, j)], [value]).text,
        )
        for j in map(int, best)
        for value in [desk.number(at + "value", j, c)]
    ]
    return Finding(head=k, shares=shares)


def _furthest(desk: Desk, names: Sequence[str], values: Floats) -> list[int]:
    """Components whose values can be the largest, by what honest rounding gives beyond a unit."""
    size = np.abs(values)
    slack = np.zeros(len(size))
    for name in names:
        if name in desk.ranges:
            allowed, unit = desk.ranges[name], 10.0 ** -(desk.quantity(name).places or 0)
            slack += np.maximum((allowed.high - allowed.low)[desk.path] / 2 - unit, 0)
    others = map(int, np.flatnonzero(size + slack >= (size - slack).max() - _NEAR))
    return list(dict.fromkeys((int(np.argmax(np.round(size, _DIGITS))), *others)))


def _row(desk: Desk, name: str) -> tuple[Number, ...]:
    """Word vectors stand in the table of all words, and are no secret."""
    return desk.numbers(name, desk.path, given=Given.LOOKED_UP if name == "embedding" else None)


def _strip(desk: Desk, vectors: Sequence[tuple[str, str]], added: bool) -> Figure:
    width = desk.sizes.d_model
    pitch = min(_BAR, _PANEL / width)
    most = math.ceil(max(float(np.abs(desk.quantity(name).values).max()) for _, name in vectors) - _NEAR)
    unit = min(_UNIT, _HALF / max(1, most))
    zero = _HEAD + 2.5 + _HALF
    (old, _), (new, _) = vectors
    titles = (old, f"dazu {new}") if added else (f"{old} vorher", f"{new} nachher")
    rows = [_row(desk, name) for _, name in vectors]
    numbers = {whole: desk.constant(whole, 0) for whole in (-most, 0, most)}

    def draw(filled: bool) -> Drawing:
        canvas, said = Canvas(), []
        for k, (title, row) in enumerate(zip(titles, rows, strict=True)):
            bars = VectorBars(_SCALE + k * (pitch * width + _GAP), zero, unit, pitch, width)
            marks = {whole: numbers.get(whole, "") if k == 0 else "" for whole in range(-most, most + 1)}
            bars.scale(canvas, (-most, most), marks, zero + _HALF + 5.5)
            canvas.text((bars.left, _HEAD - 1.0), title, bold=True)
            shown = [number.text if filled or not number.blank else "zu zeichnen" for number in row]
            said.append(f"{title}: ({' | '.join(shown)})")
            for c, number in enumerate(row):
                if filled or not number.blank:
                    bars.bar(canvas, c, value(desk, number.name, *number.index), number.text, "black")
        return Drawing(canvas.shapes, "; ".join(said) + ".")

    blank = any(number.blank for row in rows for number in row)
    return Figure(
        f"„{desk.words[desk.path]}“ als Balken, {'und was dazukommt' if added else 'vorher und nachher'}",
        round(_SCALE + 2 * pitch * width + _GAP + 1.0, 1),
        round(zero + _HALF + 6.5, 1),
        draw(True),
        draw(False) if blank else None,
    )


# --- One Add & LayerNorm: the bypass, and a number line before and after the norm.


_NORM_WIDTH: Final = 78.0
_LINE_LEFT: Final = 32.0  # mm, with the names of the lines before them
_LINE: Final = TEXT_WIDTH - _LINE_LEFT - 3.0  # mm of a number line
_LINE_HIGH: Final = 17.0  # from one number line to the next
_CLOSE: Final = 2.6  # mm; closer points get their number on another level
_LEVELS: Final = 3
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
    return Figure("Umleitung um die Schicht", _NORM_WIDTH, 22.0, Drawing(canvas.shapes, said))


def norm_lines(desk: Desk, residual: str, at: str, token: int, letters: tuple[str, str, str]) -> Figure:
    """The components of a token before the norm (with its middle and spread) and after it, to one scale."""
    before, after = (
        list(map(float, desk.quantity(name).values[token])) for name in (residual, at + "output")
    )
    norm = desk.sizes.norm
    mean = value(desk, at + norm.first, token) if norm.centred else 0.0
    std = value(desk, at + norm.divisor, token)
    low = math.floor(min(*before, *after, mean - std, -1.0))
    high = math.ceil(max(*before, *after, mean + std, 1.0))
    unit = _LINE / (high - low)
    canvas = Canvas()

    def x_of(number: float) -> float:
        return _LINE_LEFT + (number - low) * unit

    places, spread = desk.options.nachkommastellen, norm.steps[norm.divisor].sign
    middle = norm.steps[norm.first].sign if norm.centred else "0"
    spreads = (
        f"{middle} ± {spread} = {desk.constant(mean, places)} ± {desk.constant(std, places)}",
        f"{desk.constant(0, 0)} ± {desk.constant(1, 0)}",
    )
    for y, letter, numbers, centre, reach, caption, ends in (
        (10.0, "r", before, mean, std, "vor der Norm", spreads[0]),
        (10.0 + _LINE_HIGH, letters[2], after, 0.0, 1.0, "nach der Norm", spreads[1]),
    ):
        _number_line(canvas, desk, y, (low, high))
        canvas.text((0.0, y - 1.6), letter, 3.4, bold=True)
        _points(canvas, [x_of(number) for number in numbers], y)
        left, right = x_of(centre - reach), x_of(centre + reach)
        canvas.path([(left, y + 4.6), (left, y + 5.8), (right, y + 5.8), (right, y + 4.6)], 0.6)
        canvas.line((x_of(centre), y + 4.2), (x_of(centre), y + 5.8), 0.9)
        canvas.text((3.2, y - 1.6), caption, 2.8)
        canvas.text((0.0, y + 2.6), ends, 2.8)
    components = [", ".join(n.text for n in desk.numbers(name, token)) for name in (residual, at + "output")]
    said = (
        f"Die Komponenten von {quoted(desk.words[token])} vor der Norm: {components[0]}; "
        f"danach: {components[1]}. "
        f"Die Klammer reicht {'vom Mittelwert' if norm.centred else 'von 0'} um {spread} nach links und "
        "rechts."
    )
    height = 10.0 + _LINE_HIGH + 6.5
    return Figure("Zahlenstrahl vor und nach der Norm", TEXT_WIDTH, height, Drawing(canvas.shapes, said))


def _number_line(canvas: Canvas, desk: Desk, y: float, scale: tuple[int, int]) -> None:
    low, high = scale
    step = max(1, math.ceil((high - low) / (_MOST_TICKS - 1)))
    unit = _LINE / (high - low)
    ticks = range(low, high + 1, step)
    marks = {_LINE_LEFT + (tick - low) * unit: desk.constant(tick, 0) for tick in ticks}
    level_scale(canvas, y, (_LINE_LEFT - 1.5, _LINE_LEFT + _LINE + 1.5), marks)


def _points(canvas: Canvas, places: Sequence[float], y: float) -> None:
    """Each component as a disc, with its number above; numbers that would touch stand on other levels."""
    taken: list[Point] = []
    for c, x in sorted(enumerate(places, 1), key=lambda pair: pair[1]):
        level = next(
            (k for k in range(_LEVELS) if all(k != other or x - at >= _CLOSE for at, other in taken)),
            _LEVELS - 1,
        )
        taken.append((x, level))
        canvas.marker("disc", (x, y))
        canvas.text((x, y - 2.0 - 2.7 * level), str(c), 2.7, "middle")
