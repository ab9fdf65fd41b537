"""The words that are compared go in; the tables for their cosines come out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.judging.teaching import largest
from generator.figures.all import angle_fan, telling
from generator.sheet.desk import Desk
from generator.sheet.fields import WORD_WIDTH, blank_width
from generator.sheet.sheet import CellContent, Figure, Line, Number, Row, Solution, Table, Words
from generator.stations.common import Tasks
from generator.stations.compared_words import ComparedWords, word_vector

MOST_LISTED: Final = 3
SHORT: Final = 9  # letters of a word that heads a narrow column
_DOT: Final = "similarity.dot"
_NORM: Final = "similarity.norm"
_COSINE: Final = "similarity.cosine"
_PRODUCTS_IN_TABLE: Final = 4  # components whose products stand in a cell


@dataclass(frozen=True)
class Cosine:
    example: str
    example_vector: tuple[Number, ...]
    example_length: Number
    squares: Line
    pair: WorkedPair | None
    word: str
    lengths: Table
    length_line: Solution | None
    exercise: Table
    lines: list[tuple[str, Solution]]
    dot_sum: str
    norm_places: int | None
    dot_places: int | None
    cosine_places: int | None
    matrix: Table
    shown: str
    all: bool
    alike: Solution
    pairs: list[AlikePair]
    fan: Figure | None
    fan_is_all: bool
    fan_omits_asked: bool


def cosine_parts(desk: Desk, choice: ComparedWords, tasks: Tasks) -> Cosine:
    lengths = _lengths(desk, choice)
    exercise = _exercise(desk, choice)
    matrix = _matrix(desk, choice)
    alike = _pairs_most_alike(desk, choice)
    tasks.add("length", "Berechne", "I", lengths)
    tasks.add("cosine", "Berechne", "I", exercise)
    tasks.add("pair", "Gib an", "II", points=2)
    tasks.add("understand", "Begründe", "II", points=2)
    partners = choice.partners
    in_table = desk.sizes.d_model <= _PRODUCTS_IN_TABLE
    lines = [] if in_table or desk.less else partners
    return Cosine(
        example=desk.vocabulary[choice.example],
        example_vector=word_vector(desk, choice.example),
        example_length=desk.number(_NORM, choice.example),
        squares=_products(desk, choice.example, choice.example),
        pair=_worked_pair(desk, choice),
        word=desk.vocabulary[choice.exercise],
        lengths=lengths,
        length_line=None if in_table else Solution(_products(desk, choice.exercise, choice.exercise).text),
        exercise=exercise,
        lines=[(desk.vocabulary[j], Solution(_products(desk, choice.exercise, j).text)) for j in lines],
        dot_sum=desk.check_sum(_DOT, [(choice.exercise, j) for j in partners]),
        norm_places=desk.quantity(_NORM).places,
        dot_places=desk.quantity(_DOT).places,
        cosine_places=desk.quantity(_COSINE).places,
        matrix=matrix,
        shown=str(len(choice.shown)),
        all=len(choice.shown) == len(desk.vocabulary),
        alike=Solution(_most_alike(desk, alike)),
        pairs=[_alike_pair(desk, *pair) for pair in alike[:MOST_LISTED]],
        fan=_fan(desk, choice),
        fan_is_all=len(telling(_cosines_given(desk, choice))) == len(desk.vocabulary) - 1,
        fan_omits_asked=any(choice.is_blank(choice.example, j) for j in choice.shown if j != choice.example),
    )


def _fan(desk: Desk, choice: ComparedWords) -> Figure | None:
    """The angles between the example and words whose cosine with it no exercise asks for."""
    cosines = _cosines_given(desk, choice)
    places = desk.quantity(_COSINE).places or 0
    return (
        angle_fan(desk.vocabulary[choice.example], telling(cosines), desk.format, places) if cosines else None
    )


def _cosines_given(desk: Desk, choice: ComparedWords) -> dict[str, float]:
    given = [j for j in choice.shown if j != choice.example and not choice.is_blank(choice.example, j)]
    return {desk.vocabulary[j]: float(desk.quantity(_COSINE).values[choice.example, j]) for j in given}


def _products(desk: Desk, i: int, j: int) -> Line:
    return desk.products(word_vector(desk, i), word_vector(desk, j))


@dataclass(frozen=True)
class WorkedPair:
    word: str
    vector: tuple[Number, ...]
    products: Line
    dot: Number
    dot_exact: bool
    length: Number
    cosine: Number


def _worked_pair(desk: Desk, choice: ComparedWords) -> WorkedPair | None:
    if choice.partner is None:
        return None
    i, j = choice.example, choice.partner
    return WorkedPair(
        word=desk.vocabulary[j],
        vector=word_vector(desk, j),
        products=_products(desk, i, j),
        dot=desk.number(_DOT, i, j),
        dot_exact=2 * (desk.quantity("embedding").places or 0) <= (desk.quantity(_DOT).places or 0),
        length=desk.number(_NORM, j),
        cosine=desk.number(_COSINE, i, j),
    )


def _lengths(desk: Desk, choice: ComparedWords) -> Table:
    """Each word's length, the exercise's left to the pupil; the squares beside it where they are few."""
    blanks = {choice.exercise, *(choice.partners[1:] if desk.less else ())}
    in_table = desk.sizes.d_model <= _PRODUCTS_IN_TABLE

    def row(i: int) -> Row:
        line = _products(desk, i, i)
        squares: tuple[CellContent, ...] = (
            Solution(line.text) if i in blanks and not desk.more else line.cell(),
        )
        return Row(
            desk.vocabulary[i],
            (*(squares if in_table else ()), desk.number(_NORM, i, blank=i in blanks)),
        )

    width = blank_width(desk.options.nachkommastellen + 1)
    return Table(
        (*(("squares",) if in_table else ()), "length"),
        tuple(map(row, choice.shown)),
        (WORD_WIDTH, *((0.0,) if in_table else ()), width),
    )


def _exercise(desk: Desk, choice: ComparedWords) -> Table:
    """The exercise's word with each of its partners: products, scalar product, the other's length, cosine."""
    i = choice.exercise
    in_table = desk.sizes.d_model <= _PRODUCTS_IN_TABLE and not desk.less

    def row(j: int) -> Row:
        products = desk.product_cell(word_vector(desk, i), word_vector(desk, j))
        given_dot = desk.more
        cells: tuple[CellContent, ...] = (
            *((products,) if in_table else ()),
            desk.number(_DOT, i, j, blank=not given_dot),
            desk.number(_COSINE, i, j, blank=True),
        )
        return Row(desk.vocabulary[j], cells)

    width = blank_width(desk.options.nachkommastellen + 1)
    return Table(
        (*(("products",) if in_table else ()), "dot", "cosine"),
        tuple(map(row, choice.partners)),
        (WORD_WIDTH, *((0.0,) if in_table else ()), width, width),
    )


def _matrix(desk: Desk, choice: ComparedWords) -> Table:
    """Every shown word with every other, each pair once; what the pupil calculated is left open."""
    words = [desk.vocabulary[i] for i in choice.shown]
    short = all(len(word) <= SHORT for word in words)
    rows = tuple(
        Row(
            desk.vocabulary[i] if short else f"{i}\N{NO-BREAK SPACE}\N{NO-BREAK SPACE}{desk.vocabulary[i]}",
            tuple(
                desk.number(_COSINE, i, j, blank=choice.is_blank(i, j)) if i < j else Words("")
                for j in choice.shown
            ),
        )
        for i in choice.shown[:-1]
    )
    columns = tuple(words) if short else tuple(str(i) for i in choice.shown)
    width = min(20.0, 136.0 / len(columns)) if desk.options.nachkommastellen <= 3 else 26.0
    return Table(columns, rows, (WORD_WIDTH,) + (width,) * len(columns))


def _pairs_most_alike(desk: Desk, choice: ComparedWords) -> list[tuple[int, int]]:
    """The pairs of different words with the highest cosine, as written or with all digits."""
    pairs = [(i, j) for i in choice.shown for j in choice.shown if i < j]
    written, unrounded = (
        np.array([trace[_COSINE].values[pair] for pair in pairs])
        for trace in (desk.calculation.hand, desk.calculation.exact)
    )
    return [pairs[place] for place in largest(written, unrounded)]


def _most_alike(desk: Desk, best: Sequence[tuple[int, int]]) -> str:
    named = [_pair(desk, *pair) for pair in best[:MOST_LISTED]]
    more = ", …" if len(best) > MOST_LISTED else ""
    cosines = dict.fromkeys(desk.number(_COSINE, *pair).text for pair in best)
    return f"{'; '.join(named)}{more} (Kosinus {' oder '.join(cosines)})"


def _pair(desk: Desk, i: int, j: int) -> str:
    return f"„{desk.vocabulary[i]}“ und „{desk.vocabulary[j]}“"


@dataclass(frozen=True)
class AlikePair:
    words: str
    shared: list[SharedComponent]


@dataclass(frozen=True)
class SharedComponent:
    """A component, counted from 1, that makes two words alike most, and both its numbers."""

    component: str
    first: str
    second: str


def _alike_pair(desk: Desk, i: int, j: int) -> AlikePair:
    first, second = (desk.calculation.model.input_embedding[word] for word in (i, j))
    products = np.round(first * second, 6)
    shared = [
        SharedComponent(str(c + 1), word_vector(desk, i)[c].text, word_vector(desk, j)[c].text)
        for c in range(len(products))
        if products[c] == products.max() > 0
    ]
    return AlikePair(_pair(desk, i, j), shared[:MOST_LISTED])
