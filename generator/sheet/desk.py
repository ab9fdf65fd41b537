"""What stations take from a calculation: numbers, vectors and lines, each with its address."""

import math
from collections import ChainMap
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np

from engine.forward.calculation import Calculation
from engine.judging.ranges import Range, working
from engine.judging.teaching import largest
from engine.model.model import Sizes
from engine.numbers.arrays import GUARD, Floats
from engine.numbers.decimals import Decimals
from engine.trace import DECODER, SOURCE_TOKEN, TARGET_TOKEN, CellAddress, Quantity, place_of
from generator.basics.errors import UnknownNameError
from generator.basics.fonts import printable
from generator.basics.numbers import NumberFormat
from generator.calculation.build import Built
from generator.options.options import Options
from generator.sheet.sheet import Bar, Given, Line, Number, Solution, Vector, Words
from generator.sheet.wording import either, factor, numbered_twins

TARGET_VOCABULARY: Final = "decoder.vocabulary_embedding"
SHORT_LESSON: Final = 90  # minutes
SINGLE_LESSON: Final = 45
DOT: Final = "\N{NO-BREAK SPACE}·\N{NO-BREAK SPACE}"
# Side by side stand what the pupil works out and, of further blocks, heads that the sheet gives.
_WORKED_ATTENTION: Final = (("", 1, ""), (DECODER, 1, "cross"))


@dataclass(frozen=True)
class Desk:
    """All that a station needs: the calculation, the options, and the way numbers are written.

    stations: the ids that are printed together, in order. ranges: what honest work can give, for the key.
    changed: cells that a pupil's own numbers changed, marked on the key.
    asked: what exercises of the sheet ask for, with the beginnings of their indices; it is printed nowhere.
    """

    built: Built
    stations: tuple[str, ...]
    ranges: Mapping[str, Range] = field(default_factory=dict)
    changed: Collection[CellAddress] = frozenset()
    asked: Collection[CellAddress] = frozenset()

    @property
    def options(self) -> Options:
        return self.built.options

    @property
    def calculation(self) -> Calculation:
        return self.built.calculation

    @property
    def sizes(self) -> Sizes:
        return self.calculation.model.sizes

    @cached_property
    def format(self) -> NumberFormat:
        return self.options.number_format

    @property
    def n(self) -> int:
        return self.calculation.model.n_tokens

    @property
    def example(self) -> int:
        """The token worked through, counted from 0."""
        return self.options.beispiel - 1

    @property
    def exercises(self) -> tuple[int, ...]:
        """The tokens left to the pupil, counted from 0."""
        return tuple(place - 1 for place in self.options.uebung)

    @property
    def path(self) -> int:
        """The exercise token that is worked out all the way to the prediction: the sentence's last, unless
        the teacher leaves it out.
        """
        return self.exercises[-1]

    @property
    def single_lesson(self) -> bool:
        return self.options.zeit is not None and self.options.zeit <= SINGLE_LESSON

    @property
    def more(self) -> bool:
        """Level 1: more is given than usual."""
        return self.options.stufe == 1

    @property
    def less(self) -> bool:
        """Level 3: less is given than usual."""
        return self.options.stufe == 3

    @cached_property
    def hand(self) -> Mapping[str, Quantity]:
        """Every quantity that can be printed: of the sentence, of two sentences, of learning."""
        return dict(ChainMap(*(dict(each.hand) for each, _ in self.built.passes.parts())))

    @property
    def short(self) -> bool:
        """Whether it is for one lesson or two (--zeit): there is no time for what can be left out."""
        return self.options.zeit is not None and self.options.zeit <= SHORT_LESSON

    def has(self, name: str) -> bool:
        return name in self.hand

    def printed(self, station: str) -> bool:
        """Whether a station stands in the same sheet, so that its results can be copied from there."""
        return station in self.stations

    def asks(self, name: str, *index: int) -> bool:
        """Whether an exercise asks for this cell; with fewer indices, for any of that row or quantity."""
        return (name, index) in self.asked

    def names_of(self, name: str, *index: int) -> Sequence[CellAddress]:
        """All cells that are the same number as this one, itself too. Given heads are not asked for."""
        alike = self.built.passes.aliases.get((name, index), ((name, index),))
        if _is_of_given_heads(name):
            return ((name, index),)
        return [cell for cell in alike if not _is_of_given_heads(cell[0])]

    def mixes_heads(self, at: str) -> bool:
        """Whether W_O of an attention does something: it is not the identity."""
        return not np.array_equal(self.given(at + "W_O"), np.eye(self.sizes.d_model))

    # --- words ----------------------------------------------------------------------------------------------

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The tokens as printed, those that occur twice with their place: die (1), die (5)."""
        return numbered_twins([printable(token) for token in self.calculation.model.tokens])

    @cached_property
    def target_words(self) -> tuple[str, ...]:
        """The tokens of the target sentence, the start token first; none where there is no such sentence."""
        two = self.built.two_model
        return numbered_twins([printable(token) for token in two.tokens]) if two else ()

    def words_of(self, name: str, axis: int = 0) -> tuple[str, ...]:
        """The words that the rows (the columns) of a quantity stand for."""
        two, texts = self.built.two_model, self.built.texts
        words = self.vocabulary
        if two is not None and place_of(name).side == DECODER:
            words = tuple(map(printable, two.vocabulary))
        elif texts is not None and texts.end is not None and name.partition(".")[0] in texts.ways:
            words = (*self.vocabulary, printable(texts.end.word))
        kinds = {TARGET_TOKEN: self.target_words, SOURCE_TOKEN: self.source_words, "word": words}
        return kinds.get(self.quantity(name).axes[axis], self.words)

    @cached_property
    def source_words(self) -> tuple[str, ...]:
        """The words that an encoder reads, as printed; none where there is no second sentence."""
        two = self.built.two_model
        return numbered_twins([printable(token) for token in two.source_tokens]) if two else ()

    @cached_property
    def vocabulary(self) -> tuple[str, ...]:
        return tuple(printable(word) for word in self.calculation.model.vocabulary)

    # --- numbers --------------------------------------------------------------------------------------------

    def quantity(self, name: str) -> Quantity:
        try:
            return self.hand[name]
        except KeyError as error:
            raise UnknownNameError(name) from error

    def number(
        self, name: str, *index: int, blank: bool = False, wide: bool = False, given: Given | None = None
    ) -> Number:
        """A cell of a quantity, as it is written by hand; to copy where an exercise asks for it."""
        quantity = self.quantity(name)
        cell, places = (quantity.name, index), quantity.places or 0
        text = self.format.text(float(quantity.values[index]), places)
        copied = not blank and given is None and cell in self.asked
        changed = cell in self.changed
        return Number(*cell, text, places, blank or copied, wide, "", changed, copied, given)

    def numbers(
        self, name: str, *index: int, blank: bool | Collection[int] = False, given: Given | None = None
    ) -> tuple[Number, ...]:
        """The cells along the last axis; blank: all, or some of them."""
        cells = range(self.quantity(name).values.shape[-1])
        empty = blank if not isinstance(blank, bool) else cells if blank else ()
        return tuple(self.number(name, *index, i, blank=i in empty, given=given) for i in cells)

    def vector(self, name: str, *index: int, blank: bool | Collection[int] = False) -> Vector:
        return Vector(self.numbers(name, *index, blank=blank))

    def weight(self, name: str, *index: int) -> Number:
        """A given weight, with the places that its matrix needs."""
        return self._weight(name, index, Decimals.from_floats(self.given(name)))

    def matrix(self, name: str) -> tuple[tuple[Number, ...], ...]:
        values = Decimals.from_floats(self.given(name))
        rows, columns = self.given(name).shape
        return tuple(tuple(self._weight(name, (i, j), values) for j in range(columns)) for i in range(rows))

    def _weight(self, name: str, index: tuple[int, ...], values: Decimals) -> Number:
        text = self.format.text(float(values[index].to_floats()), values.places)
        return Number(name, index, text, values.places)

    def given(self, name: str) -> Floats:
        """A weight of the one sentence's model or of the encoder–decoder."""
        two = self.built.two_model
        if two is None or name in self.calculation.model.weights:
            return self.calculation.model.weights[name]
        return two.vocabulary_embedding if name == TARGET_VOCABULARY else two.weights[name]

    def constant(self, value: float, places: int | None = None) -> str:
        """A number that belongs to no quantity, e.g. a tolerance, as text."""
        return self.format.text(value, places)

    @property
    def root(self) -> str:
        """√d_k as the sheet uses it: rounded to N places."""
        return self.format.text(math.sqrt(self.sizes.d_head), self.options.nachkommastellen)

    @cached_property
    def _on_paper(self) -> Mapping[str, Quantity]:
        """Every quantity, and what is written between the steps of a norm."""
        return {**self.hand, **working(self.built.passes.hand)}

    def accepted(self, cell: CellAddress) -> str:
        """What the key prints beside a value: "0,21 bis 0,26"; "" for a unit to either side."""
        name, index = cell
        if name not in self.ranges or name not in self._on_paper:
            return ""
        quantity, allowed = self._on_paper[name], self.ranges[name]
        places, low, high = quantity.places or 0, float(allowed.low[index]), float(allowed.high[index])
        if high - low <= 2 * 10.0**-places + GUARD or not quantity.shown[index]:
            return ""
        return f"{self.format.text(low, places)} bis {self.format.text(high, places)}"

    # --- lines ----------------------------------------------------------------------------------------------

    def products(self, left: Sequence[Number], right: Sequence[Number]) -> Line:
        """0,8 · 0,0 + 1,4 · (−1,1): every product of two rows of numbers."""
        pairs = zip(left, right, strict=True)
        return Line((" + ",)).joined([factor(a) + DOT + factor(b) for a, b in pairs])

    def sum_line(self, numbers: Sequence[Number]) -> Line:
        """0,9 + (−0,2) + 1,1: the numbers of a row, added."""
        return Line((" + ",)).joined([Line((numbers[0],)), *map(factor, numbers[1:])])

    def product_cell(self, left: Sequence[Number], right: Sequence[Number]) -> Words | Solution:
        """The products of a cell to fill: printed where much is given, else room to write them."""
        line = self.products(left, right)
        return line.cell() if self.more else Solution(line.text)

    def check_sum(self, name: str, cells: Sequence[tuple[int, ...]]) -> str:
        """The sum of written cells, a printed check that needs no key."""
        quantity = self.quantity(name)
        total = Decimals.from_floats(np.array([quantity.values[cell] for cell in cells])).sum(0)
        return self.format.text(float(total.to_floats()), quantity.places)

    def tolerance(self, count: int, places: int | None = None) -> str:
        """How far a sum of `count` rounded numbers may be off: half a unit each, at least one unit."""
        n = self.options.nachkommastellen if places is None else places
        units = max(1, math.ceil(count / 2))
        return self.format.text(units / 10**n, n)

    def bar(self, name: str, *index: int, blank: bool = False) -> Bar:
        """A bar for a share, on the one scale of all tables: 1 fills it."""
        share = float(self.quantity(name).values[index])
        return Bar(min(1.0, share), blank or self.asks(name, *index))

    def largest(self, name: str, *row: int, others: bool = False) -> tuple[int, ...]:
        """Every place of a row that honest rounding allows as the largest; others: not the row's own."""
        hand = self.quantity(name)
        among = [j for j in map(int, np.flatnonzero(hand.shown[row])) if not (others and row == (j,))]
        exact = hand if self.changed else self.built.passes.exact[hand.name]  # own numbers have no exact ones
        surely = largest(hand.values[row], exact.values[row], among)

        leaders = self.ranges[hand.name].leaders if hand.name in self.ranges else None
        return tuple(dict.fromkeys((*surely, *(leaders.of(row, others) if leaders else ()))))

    def either(self, places: Sequence[int]) -> str:
        """Tokens that are all right as an answer: „Katze“ oder „Matte“."""
        return either([self.words[place] for place in places])


def _is_of_given_heads(name: str) -> bool:
    """Whether heads stand side by side there that no pupil works out."""
    place = place_of(name)
    side_by_side = place.last in ("concat", "attention")
    return side_by_side and (place.way + place.side, place.block, place.layer) not in _WORKED_ATTENTION
