"""Station 3, Positional Encoding: why order needs numbers, a sine or cosine for each component, X = E + P."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from engine.decimals import Decimals
from engine.forward import Forward
from engine.pens import SchoolPen
from generator.desk import DOT, Desk
from generator.divisors import Divisors, divisors_of
from generator.figures import position_curves
from generator.sheet import Cell, Number, Row, Solution, Station, Table, Words
from generator.stations.common import WORD_WIDTH, Tasks, component_tables, fitted

ID: Final = "3"
_NAME: Final = "positional_encoding"
_DRAWN: Final = 4  # components whose curves are drawn and whose sums are worked out
_ROOM: Final = 165.0 - WORD_WIDTH
_MOST_PRODUCTS: Final = 6  # that a hand writes in a line, and multiplies for one score


def station(desk: Desk) -> Station:
    tasks = Tasks()
    copied = desk.exercises if desk.printed("2") else ()
    parts: dict[str, Any] = {
        "positions": desk.has(_NAME),
        "copied": bool(copied),
        "embedding": component_tables(desk, "embedding", copied if desk.has(_NAME) else ()),
        "exchange": exchange(desk),
    }
    if parts["positions"]:
        parts |= _encoding(desk, tasks)
        if parts["exchange"] and parts["exchange"]["lines"]:
            tasks.add("exchange", "Berechne", "I", points=3)
    tasks.add("understand", "Begründe", "II", points=2)
    return Station(ID, parts, tasks.by_name)


def _encoding(desk: Desk, tasks: Tasks) -> dict[str, Any]:
    divisors = divisors_of(desk)
    table = [_with_places(desk, t) for t in component_tables(desk, _NAME, desk.exercises)]
    inputs = component_tables(desk, "input", desk.exercises)
    drawn = min(_DRAWN, desk.sizes.d_model)
    tasks.add("encode", "Berechne", "I", table)
    tasks.add("draw", "Zeichne", "I", points=len(desk.exercises))
    tasks.add("input", "Bestimme", "I", inputs)
    return {
        "angles": _angles(desk, divisors),
        "angle_places": divisors.angle_places,
        "angles_exact": all(
            divisors.is_exact(token, c) for token in range(desk.n) for c in range(desk.sizes.d_model)
        ),
        "example_pos": desk.example,
        "probe": desk.constant(math.sin(1), desk.quantity(_NAME).places),
        "tokens": ", ".join(desk.words[token] for token in desk.exercises),
        "example": _example(desk, divisors),
        "example_sums": _example_sums(desk),
        "table": table,
        "checks": [
            {
                "token": desk.words[token],
                "encoding": desk.check_sum(_NAME, [(token, c) for c in range(desk.sizes.d_model)]),
                "input": desk.check_sum("input", [(token, c) for c in range(desk.sizes.d_model)]),
            }
            for token in desk.exercises
        ],
        "pair_tolerance": _pair_tolerance(desk),
        "one": desk.constant(1, desk.quantity(_NAME).places),
        "curves": position_curves(desk, [_formula(divisors, c) for c in range(drawn)], desk.exercises),
        "drawn": drawn,
        "input": inputs,
        "pairs": (desk.sizes.d_model + 1) // 2,
        "places": desk.quantity(_NAME).places,
        "input_places": desk.quantity("input").places,
    }


def _formula(divisors: Divisors, component: int) -> str:
    return f"{_function(component)}(pos : {divisors.text(component)})"


def _function(component: int) -> str:
    return "cos" if component % 2 else "sin"


def _with_places(desk: Desk, table: Table) -> Table:
    """The table with each word's position, counted from 0, before the word."""
    heads = {word: f"{place}  {word}" for place, word in enumerate(desk.words)}

    def named(rows: Sequence[Row]) -> tuple[Row, ...]:
        return tuple(replace(row, head=heads[row.head]) for row in rows)

    return replace(table, rows=named(table.rows), below=named(table.below))


def _angles(desk: Desk, divisors: Divisors) -> Table:
    """A column for each pair of components: its divisor, and the angles of the tokens."""
    firsts = range(0, desk.sizes.d_model, 2)
    columns = tuple(f"{c + 1}, {c + 2}" if c + 1 < desk.sizes.d_model else str(c + 1) for c in firsts)
    rows = [
        Row("i", tuple(Words(str(c // 2)) for c in firsts)),
        Row("Teiler", tuple(Words(divisors.text(c)) for c in firsts)),
    ]
    for token in () if desk.less else desk.exercises:
        texts = [divisors.angle_text(token, c) for c in firsts]
        cells: tuple[Cell, ...] = tuple(Words(text) if desk.more else Solution(text) for text in texts)
        rows.append(Row(f"{token} : Teiler", cells))
    width = min(24.0, _ROOM / len(columns))
    return Table(columns, tuple(rows), (WORD_WIDTH,) + (width,) * len(columns), dense=len(columns) > 6)


def _example(desk: Desk, divisors: Divisors) -> list[dict[str, Any]]:
    """The example token pair by pair: the angle, then the sine and the cosine."""
    lines = []
    for c in range(0, desk.sizes.d_model, 2):
        both = range(c, min(c + 2, desk.sizes.d_model))
        lines.append(
            {
                "divisor": divisors.text(c),
                "angle": divisors.angle_text(desk.example, c),
                "exact": divisors.is_exact(desk.example, c),
                "values": [(k + 1, _function(k), desk.number(_NAME, desk.example, k)) for k in both],
            }
        )
    return lines


def _example_sums(desk: Desk) -> list[tuple[str, str, str, Number]]:
    """The first sums of the example token: component, the line, = or ≈, what is written."""
    lines = []
    for c in range(min(_DRAWN, desk.sizes.d_model)):
        word, place = desk.number("embedding", desk.example, c), desk.number(_NAME, desk.example, c)
        result = desk.number("input", desk.example, c)
        whole = _decimal(desk, "embedding", c) + _decimal(desk, _NAME, c)
        total = desk.format.text(float(whole.to_floats()), whole.places)
        sign = "=" if (whole - whole.rounded(result.places)).digits == 0 else "≈"
        lines.append((str(c + 1), f"{desk.sum_line([word, place])} = {total}", sign, result))
    return lines


def _decimal(desk: Desk, name: str, component: int) -> Decimals:
    quantity = desk.quantity(name)
    value = np.asarray(quantity.values[desk.example, component])
    return Decimals.from_floats(value).rounded(quantity.places or 0)


def _pair_tolerance(desk: Desk) -> str:
    """How far sin² + cos² may be off: each is off by half a unit at most, and |sin| + |cos| ≤ √2."""
    places = desk.quantity(_NAME).places or 0
    return desk.constant(math.ceil(math.sqrt(2)) / 10**places, places)


def exchange(desk: Desk) -> dict[str, Any] | None:
    """Two words that change places, and their score before and after: without positions it stays the same.

    None where no two words of the sentence would show that.
    """
    model = desk.calculation.model
    a = desk.example
    others = [j for j in range(desk.n) if model.token_ids[j] != model.token_ids[a]]
    others.sort(key=lambda j: -abs(j - a))
    for b in others:
        plain = _score(desk, _vectors(desk, "embedding"), a, b)
        before = _score(desk, _vectors(desk, "input"), a, b)
        after = _score(desk, _exchanged_input(desk, a, b), a, b)
        if not model.positions or before != after:
            return {
                "words": (desk.words[a], desk.words[b]),
                "line": desk.products(desk.numbers("embedding", a), desk.numbers("embedding", b)),
                "exact": _is_written_in_full(desk, a, b),
                "plain": plain,
                "before": before,
                "after": after,
            } | _exchanged(desk, a, b)
    return None


def _exchanged(desk: Desk, a: int, b: int) -> dict[str, Any]:
    """The rows of two tokens that have changed places, and room for both scores where they are short work."""
    inputs, changed = _vectors(desk, "input"), _exchanged_input(desk, a, b)  # (n, d_model)
    width = desk.sizes.d_model
    columns = tuple(str(c + 1) for c in range(width))

    def row(word: int, place: int) -> Row:
        texts = _texts(desk, changed[place])
        return Row(f"{place}  {desk.words[word]}", tuple(map(Words, texts)))

    table = Table(
        columns, (row(b, a), row(a, b)), (WORD_WIDTH,) + (min(16.0, _ROOM / width),) * width, width > 8
    )
    short = width <= _MOST_PRODUCTS and not desk.more
    both = Decimals.from_floats(np.array([_written(desk, v, a, b).to_floats() for v in (inputs, changed)]))
    return {
        "table": fitted(table, changed.places + 3) if width > 8 else table,
        "lines": [_worked_score(desk, v, a, b) for v in (inputs, changed)] if short else [],
        "sum": desk.format.text(float(both.sum(0).to_floats()), both.places),
    }


def _worked_score(desk: Desk, vectors: Decimals, a: int, b: int) -> Solution:
    """The products of two rows and the score, as a pupil writes them."""
    pairs = zip(_texts(desk, vectors[a]), _texts(desk, vectors[b]), strict=True)
    line = " + ".join(f"{_factor(x)}{DOT}{_factor(y)}" for x, y in pairs)
    exact = (_dot(vectors, a, b) - _written(desk, vectors, a, b)).digits == 0
    return Solution(f"{line} {'=' if exact else '≈'} {_score(desk, vectors, a, b)}")


def _factor(text: str) -> str:
    return f"({text})" if text.startswith("\N{MINUS SIGN}") else text


def _texts(desk: Desk, vector: Decimals) -> list[str]:
    return [desk.format.text(float(x), vector.places) for x in vector.to_floats()]


def _exchanged_input(desk: Desk, a: int, b: int) -> Decimals:
    """The model's input for the sentence in which two tokens have changed places."""
    model = desk.calculation.model
    order = list(range(desk.n))
    order[a], order[b] = b, a
    other = replace(
        model, tokens=tuple(model.tokens[i] for i in order), embedding=model.embedding[order]
    )  # (n, d_model)
    written: Decimals = Forward(other, SchoolPen(model.places)).input()
    return written


def _vectors(desk: Desk, name: str) -> Decimals:
    return Decimals.from_floats(desk.quantity(name).values)  # (n, d_model)


def _score(desk: Desk, vectors: Decimals, a: int, b: int) -> str:
    """The dot product of two rows as a pupil writes it."""
    written = _written(desk, vectors, a, b)
    return desk.format.text(float(written.to_floats()), written.places)


def _written(desk: Desk, vectors: Decimals, a: int, b: int) -> Decimals:
    score = _dot(vectors, a, b)
    return score.rounded(min(score.places, desk.options.nachkommastellen))


def _dot(vectors: Decimals, a: int, b: int) -> Decimals:
    return (vectors[a] * vectors[b]).sum(0)


def _is_written_in_full(desk: Desk, a: int, b: int) -> bool:
    score = _dot(_vectors(desk, "embedding"), a, b)
    return bool((score.rounded(desk.options.nachkommastellen) - score).digits == 0)
