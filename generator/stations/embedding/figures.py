"""Station 2: word vectors as bars, and the angles of words in a half circle."""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from generator.basics.numbers import NumberFormat
from generator.figures.bars import VectorBars, level_scale
from generator.figures.drawing import Anchor, Canvas, Point, shortened, text_width
from generator.figures.parts import figure_of, named, quoted, value
from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH
from generator.sheet.sheet import Drawing, Figure

_VECTORS: Final = "embedding"
_COLUMNS: Final = 4
_BARS: Final = 22.0  # mm, the height of all bars of a word
_PANEL: Final = _BARS + 13.0
_BESIDE: Final = 9.0  # mm that a panel's scale and its gap take
_RADIUS: Final = 30.0
_CENTRE: Final = (52.0, 38.0)
_WIDTH: Final = 104.0
_LABEL: Final = 18.5  # mm, the widest
_SIZE: Final = 2.6
_RING: Final = _RADIUS + 3.2  # labels stand outside, their leaders between the half circle and this ring
_LAST: Final = 174.0  # degrees; further round a label would meet the scale's name
_STEP: Final = 0.5  # degrees
_MOST_ARROWS: Final = 4


def word_bars(desk: Desk, tokens: Sequence[int], withheld: Collection[int] = ()) -> Figure:
    """The vectors of some tokens. A word is withheld wherever it stands, as it has one vector everywhere."""
    vectors = desk.quantity(_VECTORS)
    low, high = min(0.0, math.floor(vectors.values.min())), max(1.0, math.ceil(vectors.values.max()))
    width = desk.sizes.d_model
    columns = _COLUMNS + (len(tokens) == _COLUMNS + 1)  # none stands alone in a second row
    inside = TEXT_WIDTH / columns - _BESIDE
    unit = _BARS / (high - low)
    marks = {tick: desk.constant(tick, 0) for tick in (low, 0.0, high)}
    rows = math.ceil(len(tokens) / columns)

    def draw(filled: Collection[int]) -> Drawing:
        canvas = Canvas()
        for k, token in enumerate(tokens):
            left, top = k % columns * TEXT_WIDTH / columns + 7.0, k // columns * _PANEL
            bars = VectorBars(left, top + 7.5 + high * unit, unit, inside / width, width)
            bars.scale(canvas, (low, high), marks, top + 7.5 + _BARS + 3.4)
            canvas.text((left, top + 3.5), shortened(desk.words[token], inside), bold=True)
            for c, number in enumerate(desk.numbers(_VECTORS, token)) if token in filled else ():
                bars.bar(canvas, c, value(desk, _VECTORS, token, c), number.text, "/")
        said = (
            f"{quoted(desk.words[token])} {desk.format.vector(vectors.values[token], vectors.places)}"
            for token in tokens
            if token in filled
        )
        return Drawing(canvas.shapes, "; ".join(said) + ".")

    words = desk.calculation.model.token_ids
    hidden = {i for i in range(desk.n) if any(words[i] == words[token] for token in withheld)}
    return figure_of("Wortvektoren als Balken", rows * _PANEL, draw, hidden, desk.n)


def angle_fan(word: str, cosines: Mapping[str, float], numbers: NumberFormat, places: int) -> Figure:
    """The word itself points to the right; every other word is turned by its angle, as long as the word.

    cosines: of the other words. The foot of each arrow's tip on the scale is the cosine.
    """
    canvas, (x0, y0) = Canvas(), _CENTRE
    canvas.half_circle((x0, y0), _RADIUS)
    scale = y0 + 3.0
    marks = {x0 + tick * _RADIUS: numbers.text(tick, None) for tick in (-1.0, -0.5, 0.0, 0.5, 1.0)}
    level_scale(canvas, scale, (x0 - _RADIUS, x0 + _RADIUS), marks)
    canvas.text((x0 - _RADIUS - 2.0, scale + 1.0), "Kosinus", 2.6, "end")
    canvas.arrow([(x0, y0), (x0 + _RADIUS, y0)], 0.8, 2.2)
    canvas.text((x0 + _RADIUS + 1.5, y0 + 1.0), shortened(named(word), _LABEL), 2.8, bold=True)
    for cosine in cosines.values():
        x, y = _on_circle(_degrees(cosine), _RADIUS)
        canvas.arrow([(x0, y0), (x, y)], 0.4, 1.8)
        canvas.line((x, y), (x, scale), 0.25, "0.8 0.9")
    _labels(canvas, cosines)
    said = "; ".join(
        f"{quoted(other)} {_whole(cosine)} (Kosinus {numbers.text(cosine, places)})"
        for other, cosine in cosines.items()
    )
    return Figure(f"Winkel zu {quoted(word)}", _WIDTH, 46.5, Drawing(canvas.shapes, said + "."))


def _labels(canvas: Canvas, cosines: Mapping[str, float]) -> None:
    """Each word outside the half circle, joined to the tip of its arrow.

    Going round, the words keep the order of the arrows: no leader crosses another.
    """
    ordered = sorted(cosines, key=lambda other: -cosines[other])
    tips = [_degrees(cosines[other]) for other in ordered]
    texts = [_label(other, cosines[other]) for other in ordered]
    for text, tip, place in zip(texts, tips, _spread(texts, tips), strict=True):
        canvas.line(_on_circle(tip, _RADIUS + 0.7), _on_circle(place, _RING - 0.4), 0.22)
        (x, y), (dx, _) = _centre(text, place), _outwards(place)
        anchor: Anchor = "start" if dx > 0.5 else "end" if dx < -0.5 else "middle"
        edge = {"start": -0.5, "middle": 0.0, "end": 0.5}[anchor] * text_width(text, _SIZE)
        canvas.text((x + edge, y + 0.35 * _SIZE), text, _SIZE, anchor)


def _spread(texts: Sequence[str], tips: Sequence[float]) -> list[float]:
    """The angles at which labels stand: neighbours that overlap move apart, away from the word itself."""
    places = [min(tip, _LAST) for tip in tips]
    for _ in range(round(180 / _STEP)):
        moves = [0.0] * len(places)
        for k in range(len(places)):
            if k == 0:
                moves[0] += _STEP if _centre(texts[0], places[0])[1] > _CENTRE[1] - 1.2 * _SIZE else 0.0
            elif _overlap((texts[k - 1], places[k - 1]), (texts[k], places[k])):
                moves[k - 1] -= _STEP
                moves[k] += _STEP
        if not any(moves):
            break
        places = [min(max(place + move, 0.0), _LAST) for place, move in zip(places, moves, strict=True)]
    return places


def _overlap(one: tuple[str, float], other: tuple[str, float]) -> bool:
    (x1, y1), (x2, y2) = _centre(*one), _centre(*other)
    room = (text_width(one[0], _SIZE) + text_width(other[0], _SIZE)) / 2
    return abs(x1 - x2) < room + 1.2 and abs(y1 - y2) < 1.15 * _SIZE


def _centre(text: str, degrees: float) -> Point:
    """Of a label that touches the ring from outside at an angle."""
    (x, y), (dx, dy) = _on_circle(degrees, _RING), _outwards(degrees)
    return x + dx * text_width(text, _SIZE) / 2, y - dy * _SIZE / 2


def _outwards(degrees: float) -> Point:
    """Which part of half its size a label stands to the right of the ring's point, and above it."""
    angle = math.radians(degrees)
    return max(-1.0, min(1.0, 2 * math.cos(angle))), min(1.0, 2 * math.sin(angle))


def _on_circle(degrees: float, radius: float) -> Point:
    angle = math.radians(degrees)
    return _CENTRE[0] + radius * math.cos(angle), _CENTRE[1] - radius * math.sin(angle)


def _degrees(cosine: float) -> float:
    return math.degrees(math.acos(max(-1.0, min(1.0, cosine))))


def _whole(cosine: float) -> str:
    return f"{_degrees(cosine):.0f}°"


def _label(word: str, cosine: float) -> str:
    angle = f" {_whole(cosine)}"
    return shortened(named(word), _LABEL - text_width(angle, _SIZE), _SIZE) + angle


def telling(cosines: Mapping[str, float]) -> dict[str, float]:
    """A few words from the most alike to the least, spread evenly."""
    ordered = sorted(cosines, key=lambda word: -cosines[word])
    if len(ordered) > _MOST_ARROWS:
        ordered = [ordered[round(k * (len(ordered) - 1) / (_MOST_ARROWS - 1))] for k in range(_MOST_ARROWS)]
    return {word: cosines[word] for word in ordered}
