"""Station 3: two words change places, and their score before and after."""

from dataclasses import replace
from typing import Final

import numpy as np

from engine.forward.forward import Forward
from engine.numbers.decimals import Decimals
from engine.pens.pens import SchoolPen
from generator.sheet.desk import DOT, Desk
from generator.sheet.fields import TEXT_WIDTH, WORD_WIDTH
from generator.sheet.sheet import Parts, Row, Solution, Table, Words, parts
from generator.stations.common import within_page

_ROOM: Final = TEXT_WIDTH - WORD_WIDTH
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

    table = Table(
        columns, (row(b, a), row(a, b)), (WORD_WIDTH,) + (min(16.0, _ROOM / width),) * width, width > 8
    )
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
