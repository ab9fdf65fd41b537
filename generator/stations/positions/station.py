"""Station 3, Positional Encoding: why order needs numbers, a sine or cosine for each component, X = E + P."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.forward.forward import alternating, angles
from engine.numbers.decimals import Decimals
from generator.basics.numbers import NumberFormat
from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH, WORD_WIDTH
from generator.sheet.sheet import CellContent, Given, Line, Number, Parts, Row, Solution, Table, Words, parts
from generator.stations.before_after import before_after, component, furthest, key_only
from generator.stations.common import Tasks, component_tables
from generator.stations.positions.exchange import exchange
from generator.stations.positions.figures import position_clocks, position_curves

_MOST_PLACES: Final = 9
Floats = NDArray[np.float64]
_NAME: Final = "positional_encoding"
_DRAWN: Final = 4  # components whose curves are drawn
_WORKED: Final = 2  # components whose sums are worked out
_ROOM: Final = TEXT_WIDTH - WORD_WIDTH


@dataclass(frozen=True)
class PositionDivisors:
    """One divisor for each component; the angles pos : divisor, in radians, have at most `angle_places`."""

    divisors: tuple[Decimal, ...]
    angle_places: int
    format: NumberFormat

    def text(self, component: int) -> str:
        return self.format.text(self.divisors[component], None)

    def angle_text(self, position: int, component: int) -> str:
        return self.format.text(self._angle(position, component), None)

    def is_exact(self, position: int, component: int) -> bool:
        return self._angle(position, component) * self.divisors[component] == position

    def _angle(self, position: int, component: int) -> Decimal:
        unit = Decimal(1).scaleb(-self.angle_places)
        return (Decimal(position) / self.divisors[component]).quantize(unit, ROUND_HALF_UP)


def divisors_of(desk: Desk) -> PositionDivisors:
    """The divisors of the desk's model."""
    d_model = desk.sizes.d_model
    true = 1 / angles(2, d_model)[1]  # (d_model,)
    written = desk.quantity("positional_encoding")
    position = np.arange(desk.n)[:, None]  # (n, 1)
    unit = 10.0 ** (written.places or 0)

    def agrees(angle: Floats) -> bool:
        value = alternating(np.sin(angle), np.cos(angle)) * unit  # (n, d_model)
        half_up = np.sign(value) * np.floor(np.abs(value) + 0.5)
        return bool(np.array_equal(half_up, np.rint(written.values * unit)))

    places = _first(lambda p: agrees(position / np.round(true, p)))
    divisors = np.round(true, places)
    angle_places = _first(lambda p: agrees(np.round(position / divisors, p)))
    return PositionDivisors(
        tuple(Decimal(repr(float(d))).normalize() for d in divisors), angle_places, desk.format
    )


def _first(enough: Callable[[int], bool]) -> int:
    return next((p for p in range(1, _MOST_PLACES) if enough(p)), _MOST_PLACES)


def station(desk: Desk, tasks: Tasks) -> Parts:
    swap = exchange(desk)
    encoding = _encoding(desk, tasks) if desk.has(_NAME) else None
    if encoding and swap and swap.swapped.lines:
        tasks.add("exchange", "Berechne", "I", points=2)
    if encoding:
        tasks.add("strip", "Beurteile", "II", points=3)
    else:
        tasks.add("understand", "Begründe", "II", points=2)
    return parts(
        embedding=component_tables(desk, "embedding", given=Given.LOOKED_UP), exchange=swap, encoding=encoding
    )


def _told(desk: Desk) -> list[Solution]:
    """What the place changed most in the word of the path, and whether that tells the place."""
    found = []
    for c in furthest(desk, _NAME):
        column = desk.quantity(_NAME).values[:, c]
        low, high = (desk.format.text(float(each), 1) for each in (column.min(), column.max()))
        said = (
            f"Alle Wörter bekommen dort aber fast gleich viel ({low}): Den Platz verrät sie hier nicht"
            if low == high
            else f"Dort bekommt jedes Wort etwas anderes ({low} bis {high}): Sie verrät den Platz"
        )
        number = desk.number(_NAME, desk.path, c).text
        found.append(key_only(f"{component(c)} (Platz: {number}). {said}"))
    return found


def _encoding(desk: Desk, tasks: Tasks) -> Parts:
    divisors = divisors_of(desk)
    table = [_with_places(desk, t) for t in component_tables(desk, _NAME, desk.exercises)]
    inputs = component_tables(desk, "input", desk.exercises)
    drawn = min(_DRAWN, desk.sizes.d_model)
    places = desk.quantity(_NAME).places or 0
    tasks.add("encode", "Berechne", "I", table)
    tasks.add("draw", "Zeichne", "I", points=len(desk.exercises))
    tasks.add("input", "Bestimme", "I", inputs)
    return parts(
        angles=_angles(desk, divisors),
        angle_places=divisors.angle_places,
        angles_exact=all(
            divisors.is_exact(token, c) for token in range(desk.n) for c in range(desk.sizes.d_model)
        ),
        example_pos=desk.example,
        probe=desk.constant(math.sin(1), desk.quantity(_NAME).places),
        tokens=", ".join(desk.words[token] for token in desk.exercises),
        example=[_pair(desk, divisors, c) for c in range(0, desk.sizes.d_model, 2)],
        example_sums=_example_sums(desk),
        table=table,
        checks=[
            {
                "token": desk.words[token],
                "encoding": desk.check_sum(_NAME, [(token, c) for c in range(0, desk.sizes.d_model, 2)]),
                "input": desk.check_sum("input", [(token, c) for c in range(desk.sizes.d_model)]),
            }
            for token in desk.exercises
        ],
        # Sine and cosine are off by half a unit each at most, and |sin| + |cos| ≤ √2.
        pair_tolerance=desk.constant(math.ceil(math.sqrt(2)) / 10**places, places),
        one=desk.constant(1, desk.quantity(_NAME).places),
        zero=desk.constant(0, desk.quantity("input").places),
        curves=position_curves(
            desk, [f"{_function(c)}(pos : {divisors.text(c)})" for c in range(drawn)], desk.exercises
        ),
        clocks=position_clocks(desk, desk.exercises) if desk.sizes.d_model > 1 else None,
        input=inputs,
        strip=before_after(desk, ("e", "embedding"), ("x", "input")),
        told=_told(desk),
        places=desk.quantity(_NAME).places,
        input_places=desk.quantity("input").places,
    )


def _function(component: int) -> str:
    return "cos" if component % 2 else "sin"


def _with_places(desk: Desk, table: Table) -> Table:
    """The table with each word's position, counted from 0, before the word."""
    heads = {word: f"{place}  {word}" for place, word in enumerate(desk.words)}

    def named(rows: Sequence[Row]) -> tuple[Row, ...]:
        return tuple(replace(row, head=heads[row.head]) for row in rows)

    return replace(table, rows=named(table.rows), below=named(table.below))


def _angles(desk: Desk, divisors: PositionDivisors) -> Table:
    firsts = range(0, desk.sizes.d_model, 2)
    columns = tuple(f"{c + 1}, {c + 2}" if c + 1 < desk.sizes.d_model else str(c + 1) for c in firsts)
    rows = [
        Row("i", tuple(Words(str(c // 2)) for c in firsts)),
        Row("Teiler", tuple(Words(divisors.text(c)) for c in firsts)),
    ]
    for token in () if desk.less else desk.exercises:
        texts = [divisors.angle_text(token, c) for c in firsts]
        cells: tuple[CellContent, ...] = tuple(Words(text) if desk.more else Solution(text) for text in texts)
        rows.append(Row(f"Winkel, pos\N{NO-BREAK SPACE}{token}", cells))
    width = min(24.0, _ROOM / len(columns))
    return Table(columns, tuple(rows), (WORD_WIDTH,) + (width,) * len(columns), dense=len(columns) > 6)


def _pair(desk: Desk, divisors: PositionDivisors, c: int) -> Parts:
    both = range(c, min(c + 2, desk.sizes.d_model))
    return parts(
        divisor=divisors.text(c),
        angle=divisors.angle_text(desk.example, c),
        exact=divisors.is_exact(desk.example, c),
        values=[(k + 1, _function(k), desk.number(_NAME, desk.example, k)) for k in both],
    )


def _example_sums(desk: Desk) -> list[tuple[str, Line, str, Number]]:
    """The first sums of the example token: component, the line, = or ≈, what is written."""
    lines = []
    for c in range(min(_WORKED, desk.sizes.d_model)):
        word, place = desk.number("embedding", desk.example, c), desk.number(_NAME, desk.example, c)
        result = desk.number("input", desk.example, c)
        whole = _decimal(desk, "embedding", c) + _decimal(desk, _NAME, c)
        total = desk.format.text(float(whole.to_floats()), whole.places)
        sign = "=" if (whole - whole.rounded(result.places)).digits == 0 else "≈"
        lines.append((str(c + 1), desk.sum_line([word, place]) + f" = {total}", sign, result))
    return lines


def _decimal(desk: Desk, name: str, component: int) -> Decimals:
    quantity = desk.quantity(name)
    value = np.asarray(quantity.values[desk.example, component])
    return Decimals.from_floats(value).rounded(quantity.places or 0)
