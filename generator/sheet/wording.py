"""How words, factors and accepted ranges are written, for the desk and the stations."""

import re
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.forward.calculation import Calculation
from engine.judging.ranges import Range, working
from engine.numbers.arrays import GUARD
from engine.trace import CellAddress, Quantity
from generator.basics.numbers import NumberFormat
from generator.sheet.sheet import Line, Number


def either(words: Sequence[str]) -> str:
    """Words that are all right as an answer: „Katze“ oder „Matte“."""
    return " oder ".join(f"„{word}“" for word in words)


def as_text(tokens: Sequence[str]) -> str:
    """Tokens as one writes them: no space before a full stop."""
    return re.sub(r" (?=[.,;:!?])", "", " ".join(tokens))


def numbered_twins(tokens: Sequence[str]) -> tuple[str, ...]:
    return tuple(
        f"{word}\N{NO-BREAK SPACE}({place})" if tokens.count(word) > 1 else word
        for place, word in enumerate(tokens, 1)
    )


def places(n: int) -> str:
    return "eine Nachkommastelle" if n == 1 else f"{n}\N{NO-BREAK SPACE}Nachkommastellen"


def factor(number: Number) -> Line:
    """A number of a line; brackets around an open place would tell its sign."""
    bare = number.blank or number.bracketed == number.text
    return Line((number,) if bare else ("(", number, ")"))


class RangesOnKey:
    """What the key prints beside a value: "0,21 bis 0,26"; only where it is more than a unit either way.

    Said when it is asked for: of millions of cells a sheet prints a few thousand.
    """

    def __init__(self, calculation: Calculation, ranges: Mapping[str, Range], numbers: NumberFormat) -> None:
        self._ranges = ranges
        self._numbers = numbers
        hand = {**calculation.hand, **working(calculation.hand)}
        self._places = {name: quantity.places or 0 for name, quantity in hand.items()}
        known = {name: quantity for name, quantity in hand.items() if name in ranges}
        self._wide = {name: _wide(quantity, ranges[name]) for name, quantity in known.items()}

    def of(self, cell: CellAddress) -> str:
        name, index = cell
        if name not in self._wide or not self._wide[name][index]:
            return ""
        return self.text(name, self._ranges[name].low[index], self._ranges[name].high[index])

    def text(self, name: str, *bounds: float) -> str:
        """From the lower to the upper bound of a cell of this quantity."""
        return " bis ".join(self._numbers.text(float(bound), self._places[name]) for bound in bounds)


def _wide(quantity: Quantity, allowed: Range) -> NDArray[np.bool_]:
    wide = allowed.high - allowed.low > 2 * 10.0 ** -(quantity.places or 0) + GUARD
    return np.asarray(wide & quantity.shown)
