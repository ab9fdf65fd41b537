"""Station 3, Positional Encoding: why order needs numbers, a sine or cosine for each component, X = E + P."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from engine.forward.forward import Forward
from engine.numbers.decimals import Decimals
from engine.pens.pens import SchoolPen
from generator.sheet.columns import Column, even
from generator.sheet.desk import DOT, Desk
from generator.sheet.fields import TEXT_WIDTH, WORD_WIDTH
from generator.sheet.sheet import (
    CellContent,
    Finding,
    Given,
    Line,
    Number,
    Parts,
    Row,
    Solution,
    Table,
    Vector,
    Words,
    parts,
)
from generator.stations.before_after import before_after, furthest
from generator.stations.common import Tasks, component_tables, within_page
from generator.stations.positions.figures import (
    NAME,
    PositionDivisors,
    divisors_of,
    position_clocks,
    position_curves,
)

_DRAWN: Final = 4  # components whose curves are drawn
_FAR: Final = 0.8  # of the widest range: tells the place about as well
_WORKED: Final = 2  # components whose sums are worked out
_ROOM: Final = TEXT_WIDTH - WORD_WIDTH


def station(desk: Desk, tasks: Tasks) -> Parts:
    swap = exchange(desk)
    encoding = _encoding(desk, tasks) if desk.has(NAME) else None
    if encoding and swap and swap.swapped.lines:
        tasks.add("exchange", "Berechne", "I", points=2)
    if encoding:
        tasks.add("strip", "Beurteile", "II", points=3)
    else:
        tasks.add("understand", "Begründe", "II", points=2)
    return parts(
        embedding=component_tables(desk, "embedding", given=Given.LOOKED_UP), exchange=swap, encoding=encoding
    )


def _found(desk: Desk) -> list[Finding]:
    """What the place changed most in the word of the path, and whether that tells the place."""
    found = []
    for c in furthest(desk, NAME):
        column = desk.quantity(NAME).values[:, c]
        low, high = (desk.format.text(float(each), 1) for each in (column.min(), column.max()))
        case = "alike" if low == high else "apart"
        value = desk.number(NAME, desk.path, c).text
        found.append(Finding(case=case, component=c + 1, value=value, low=low, high=high))
    return found


def _telling(desk: Desk) -> list[Finding]:
    """The component whose places lie furthest apart, before it or behind it those that hardly lie closer."""
    table = desk.quantity(NAME).values  # (n, d)
    widths = table.max(axis=0) - table.min(axis=0)
    found = []
    for c in np.flatnonzero(widths >= _FAR * widths.max()):
        low, high = (desk.format.text(float(each), 1) for each in (table[:, c].min(), table[:, c].max()))
        found.append(Finding(component=int(c) + 1, low=low, high=high))
    return found


def _encoding(desk: Desk, tasks: Tasks) -> Parts:
    divisors = divisors_of(desk)
    table = [_with_places(desk, t) for t in component_tables(desk, NAME, desk.exercises)]
    inputs = component_tables(desk, "input", desk.exercises)
    drawn = min(_DRAWN, desk.sizes.d_model)
    places = desk.quantity(NAME).places or 0
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
        probe=desk.constant(math.sin(1), desk.quantity(NAME).places),
        tokens=", ".join(desk.words[token] for token in desk.exercises),
        example=[_pair(desk, divisors, c) for c in range(0, desk.sizes.d_model, 2)],
        example_sums=_example_sums(desk),
        table=table,
        checks=[
            {
                "token": desk.words[token],
                "embedding": Vector(desk.numbers("embedding", token, given=Given.LOOKED_UP)),
                "encoding": desk.check_sum(NAME, [(token, c) for c in range(0, desk.sizes.d_model, 2)]),
                "input": desk.check_sum("input", [(token, c) for c in range(desk.sizes.d_model)]),
            }
            for token in desk.exercises
        ],
        # Sine and cosine are off by half a unit each at most, and |sin| + |cos| ≤ √2.
        pair_tolerance=desk.constant(math.ceil(math.sqrt(2)) / 10**places, places),
        one=desk.constant(1, desk.quantity(NAME).places),
        zero=desk.constant(0, desk.quantity("input").places),
        curves=position_curves(
            desk, [f"{_function(c)}(pos : {divisors.text(c)})" for c in range(drawn)], desk.exercises
        ),
        clocks=position_clocks(desk, desk.exercises) if desk.sizes.d_model > 1 else None,
        input=inputs,
        strip=before_after(desk, ("E", "embedding"), ("X", "input")),
        told=_found(desk),
        telling=_telling(desk),
        places=desk.quantity(NAME).places,
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
    return Table(columns, tuple(rows), even(len(columns), Column.PROBABILITY), dense=len(columns) > 6)


def _pair(desk: Desk, divisors: PositionDivisors, c: int) -> Parts:
    both = range(c, min(c + 2, desk.sizes.d_model))
    return parts(
        divisor=divisors.text(c),
        angle=divisors.angle_text(desk.example, c),
        exact=divisors.is_exact(desk.example, c),
        values=[(k + 1, _function(k), desk.number(NAME, desk.example, k)) for k in both],
    )


def _example_sums(desk: Desk) -> list[tuple[str, Line, str, Number]]:
    """The first sums of the example token: component, the line, = or ≈, what is written."""
    lines = []
    for c in range(min(_WORKED, desk.sizes.d_model)):
        word, place = desk.number("embedding", desk.example, c), desk.number(NAME, desk.example, c)
        result = desk.number("input", desk.example, c)
        whole = _decimal(desk, "embedding", c) + _decimal(desk, NAME, c)
        total = desk.format.text(float(whole.to_floats()), whole.places)
        sign = "=" if (whole - whole.rounded(result.places)).digits == 0 else "≈"
        lines.append((str(c + 1), desk.sum_line([word, place]) + f" = {total}", sign, result))
    return lines


def _decimal(desk: Desk, name: str, component: int) -> Decimals:
    quantity = desk.quantity(name)
    value = np.asarray(quantity.values[desk.example, component])
    return Decimals.from_floats(value).rounded(quantity.places or 0)


# --- Two words change places, and their score before and after.


_MOST_PRODUCTS: Final = 6  # that a hand writes in a line, and multiplies for one score


def exchange(desk: Desk) -> Parts | None:
    """Two words that change places, and their score before and after: without positions it stays the same.

    None where no two words of the sentence would show that.
    """
    model = desk.calculation.model
    a = desk.example
    others = [j for j in range(desk.n) if model.token_ids[j] != model.token_ids[a]]
    others.sort(key=lambda j: (desk.asks("embedding", j), -abs(j - a)))
    for b in others:
        plain = _score(desk, _vectors(desk, "embedding"), a, b)
        before = _score(desk, _vectors(desk, "input"), a, b)
        after = _score(desk, _exchanged_input(desk, a, b), a, b)
        if not model.rules.positions or before != after:
            return parts(
                words=(desk.words[a], desk.words[b]),
                line=desk.products(desk.numbers("embedding", a), desk.numbers("embedding", b)),
                exact=_in_full(desk, _vectors(desk, "embedding"), a, b),
                plain=plain,
                before=before,
                after=after,
                swapped=_exchanged(desk, a, b),
            )
    return None


def _exchanged(desk: Desk, a: int, b: int) -> Parts:
    """The rows of two tokens that have changed places, and room for both scores where they are short work."""
    inputs, changed = _vectors(desk, "input"), _exchanged_input(desk, a, b)  # (n, d_model)
    width = desk.sizes.d_model
    columns = tuple(str(c + 1) for c in range(width))

    def row(word: int, place: int) -> Row:
        texts = _texts(desk, changed[place])
        return Row(f"{place}  {desk.words[word]}", tuple(map(Words, texts)))

    table = Table(columns, (row(b, a), row(a, b)), even(width, Column.PRINTED), width > 8)
    short = width <= _MOST_PRODUCTS and not desk.more and desk.calculation.model.rules.positions
    both = Decimals.from_floats(np.array([_written(desk, v, a, b).to_floats() for v in (inputs, changed)]))
    return parts(
        table=within_page(table, changed.places + 3) if width > 8 else table,
        lines=[_worked_score(desk, v, a, b) for v in (inputs, changed)] if short else [],
        exact=all(_in_full(desk, v, a, b) for v in (inputs, changed)),
        sum=desk.format.text(float(both.sum(0).to_floats()), both.places),
    )


def _worked_score(desk: Desk, vectors: Decimals, a: int, b: int) -> Solution:
    """The products of two rows and the score, as a pupil writes them."""
    pairs = zip(_texts(desk, vectors[a]), _texts(desk, vectors[b]), strict=True)
    line = " + ".join(f"{_factor(x)}{DOT}{_factor(y)}" for x, y in pairs)
    sign = "=" if _in_full(desk, vectors, a, b) else "≈"
    return Solution(f"{line} {sign} {_score(desk, vectors, a, b)}")


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
    written: Decimals = Forward(other, SchoolPen(model.rules.places)).input()
    return written


def _vectors(desk: Desk, name: str) -> Decimals:
    return Decimals.from_floats(desk.quantity(name).values)  # (n, d_model)


def _score(desk: Desk, vectors: Decimals, a: int, b: int) -> str:
    written = _written(desk, vectors, a, b)
    return desk.format.text(float(written.to_floats()), written.places)


def _written(desk: Desk, vectors: Decimals, a: int, b: int) -> Decimals:
    score = _dot(vectors, a, b)
    return score.rounded(min(score.places, desk.options.nachkommastellen))


def _dot(vectors: Decimals, a: int, b: int) -> Decimals:
    return (vectors[a] * vectors[b]).sum(0)


def _in_full(desk: Desk, vectors: Decimals, a: int, b: int) -> bool:
    return bool((_dot(vectors, a, b) - _written(desk, vectors, a, b)).digits == 0)
