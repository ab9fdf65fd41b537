"""Station 3, Positional Encoding: why order needs numbers, a sine or cosine for each component, X = E + P."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from engine.numbers.decimals import Decimals
from generator.figures.all import position_clocks, position_curves
from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH, WORD_WIDTH
from generator.sheet.sheet import CellContent, Figure, Given, Line, Number, Row, Solution, Table, Words
from generator.stations.common import Tasks, component_tables
from generator.stations.position_divisors import PositionDivisors, divisors_of
from generator.stations.word_exchange import Exchange, exchange

_NAME: Final = "positional_encoding"
_DRAWN: Final = 4  # components whose curves are drawn
_WORKED: Final = 2  # components whose sums are worked out
_ROOM: Final = TEXT_WIDTH - WORD_WIDTH
_MOST_PRODUCTS: Final = 6  # that a hand writes in a line, and multiplies for one score


@dataclass(frozen=True)
class Positions:
    embedding: list[Table]
    exchange: Exchange | None
    encoding: Encoding | None


def station(desk: Desk, tasks: Tasks) -> Positions:
    swap = exchange(desk)
    encoding = _encoding(desk, tasks) if desk.has(_NAME) else None
    if encoding and swap and swap.swapped.lines:
        tasks.add("exchange", "Berechne", "I", points=2)
    tasks.add("understand", "Begründe", "II", points=2)
    return Positions(
        embedding=component_tables(desk, "embedding", given=Given.LOOKED_UP),
        exchange=swap,
        encoding=encoding,
    )


@dataclass(frozen=True)
class Encoding:
    angles: Table
    angle_places: int
    angles_exact: bool
    example_pos: int
    probe: str
    tokens: str
    example: list[Pair]
    example_sums: list[tuple[str, Line, str, Number]]
    table: list[Table]
    checks: list[dict[str, str]]
    pair_tolerance: str
    one: str
    zero: str
    curves: Figure
    clocks: Figure | None
    input: list[Table]
    pairs: int
    slow_vanish: bool
    places: int | None
    input_places: int | None


def _encoding(desk: Desk, tasks: Tasks) -> Encoding:
    divisors = divisors_of(desk)
    table = [_with_places(desk, t) for t in component_tables(desk, _NAME, desk.exercises)]
    inputs = component_tables(desk, "input", desk.exercises)
    drawn = min(_DRAWN, desk.sizes.d_model)
    tasks.add("encode", "Berechne", "I", table)
    tasks.add("draw", "Zeichne", "I", points=len(desk.exercises))
    tasks.add("input", "Bestimme", "I", inputs)
    return Encoding(
        angles=_angles(desk, divisors),
        angle_places=divisors.angle_places,
        angles_exact=all(
            divisors.is_exact(token, c) for token in range(desk.n) for c in range(desk.sizes.d_model)
        ),
        example_pos=desk.example,
        probe=desk.constant(math.sin(1), desk.quantity(_NAME).places),
        tokens=", ".join(desk.words[token] for token in desk.exercises),
        example=_example(desk, divisors),
        example_sums=_example_sums(desk),
        table=table,
        checks=[
            {
                "token": desk.words[token],
                "encoding": desk.check_sum(_NAME, [(token, c) for c in range(desk.sizes.d_model)]),
                "input": desk.check_sum("input", [(token, c) for c in range(desk.sizes.d_model)]),
            }
            for token in desk.exercises
        ],
        pair_tolerance=_pair_tolerance(desk),
        one=desk.constant(1, desk.quantity(_NAME).places),
        zero=desk.constant(0, desk.quantity("input").places),
        curves=position_curves(desk, [_formula(divisors, c) for c in range(drawn)], desk.exercises),
        clocks=position_clocks(desk, desk.exercises) if desk.sizes.d_model > 1 else None,
        input=inputs,
        pairs=(desk.sizes.d_model + 1) // 2,
        slow_vanish=_slow_vanish(desk),
        places=desk.quantity(_NAME).places,
        input_places=desk.quantity("input").places,
    )


def _slow_vanish(desk: Desk) -> bool:
    """Whether the last pair of components adds the same at every place once the sums are rounded."""
    added = desk.quantity("input").values - desk.quantity("embedding").values  # (n, d_model)
    return bool(np.allclose(added[:, -2:], added[0, -2:]))


def _formula(divisors: PositionDivisors, component: int) -> str:
    return f"{_function(component)}(pos : {divisors.text(component)})"


def _function(component: int) -> str:
    return "cos" if component % 2 else "sin"


def _with_places(desk: Desk, table: Table) -> Table:
    """The table with each word's position, counted from 0, before the word."""
    heads = {word: f"{place}  {word}" for place, word in enumerate(desk.words)}

    def named(rows: Sequence[Row]) -> tuple[Row, ...]:
        return tuple(replace(row, head=heads[row.head]) for row in rows)

    return replace(table, rows=named(table.rows), below=named(table.below))


def _angles(desk: Desk, divisors: PositionDivisors) -> Table:
    """A column for each pair of components: its divisor, and the angles of the tokens."""
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


def _example(desk: Desk, divisors: PositionDivisors) -> list[Pair]:
    """The example token pair by pair: the angle, then the sine and the cosine."""
    return [_pair(desk, divisors, c) for c in range(0, desk.sizes.d_model, 2)]


@dataclass(frozen=True)
class Pair:
    divisor: str
    angle: str
    exact: bool
    values: list[tuple[int, str, Number]]


def _pair(desk: Desk, divisors: PositionDivisors, c: int) -> Pair:
    both = range(c, min(c + 2, desk.sizes.d_model))
    return Pair(
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


def _pair_tolerance(desk: Desk) -> str:
    """How far sin² + cos² may be off: each is off by half a unit at most, and |sin| + |cos| ≤ √2."""
    places = desk.quantity(_NAME).places or 0
    return desk.constant(math.ceil(math.sqrt(2)) / 10**places, places)
