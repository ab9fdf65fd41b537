"""What the finished board of a lesson shows: rows of the calculation for the word that pupils work out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from engine.trace import DECODER, SOURCE, SOURCE_TOKEN, TARGET_TOKEN, TOKEN, WORD, place_of
from generator.sheet.desk import Desk
from generator.sheet.sheet import Bar, Number

_MOST: Final = 8  # columns of a table
_MOST_HEADS: Final = 4  # rows of one
_T = TypeVar("_T")
_WORDS: Final = (TOKEN, WORD, SOURCE_TOKEN, TARGET_TOKEN, SOURCE)
_IDS: Final = "id"  # the tokens' IDs, which are no quantity
SIGNS: Final = {
    ".": "Punkt",
    ",": "Komma",
    "!": "Ausrufezeichen",
    "?": "Fragezeichen",
    ":": "Doppelpunkt",
    ";": "Strichpunkt",
    "…": "Auslassungspunkte",
}


def named_mark(word: str) -> str:
    """A mark by its name: it is hard to see."""
    return SIGNS.get(word, word)


@dataclass(frozen=True)
class Rows:
    """A table of the board: heads of its columns, rows with their labels, and bars under them or none.

    A bar over the whole column is 1, as on the sheet.
    """

    heads: tuple[str, ...]
    rows: tuple[tuple[Any, tuple[str, ...]], ...]
    bars: tuple[Bar, ...]


@dataclass(frozen=True)
class Strongest:
    """Whom a word listens to most: its place in the sentence, and the word."""

    place: int
    word: str


class Board:
    """Reads the calculation as templates ask for it; a quantity that this sheet does not have is left out."""

    def __init__(self, desk: Desk, token: int, numbers: Iterable[Number] = ()) -> None:
        """numbers: those of the sheet, in order."""
        self._desk, self._token, self._numbers = desk, token, tuple(numbers)
        self._cells = tuple(dict.fromkeys(number.cell for number in self._numbers if number.blank))

    @property
    def word(self) -> str:
        return named_mark(self._desk.words[self._token])

    @property
    def place(self) -> int:
        return self._token

    @property
    def is_last(self) -> bool:
        """Whether the word is the one from which the next is predicted."""
        return self._token == self._desk.n - 1

    def of_row(self, name: str) -> "Board":
        """The same for the word whose row of this quantity pupils write; of several the last."""
        axis = self._desk.quantity(name).axes[0] if self._desk.has(name) else ""
        ids = self._desk.calculation.model.token_ids
        rows = [index[0] for asked, index in self._cells if asked == name]
        tokens = [row if axis == TOKEN else ids.index(row) for row in rows if axis == TOKEN or row in ids]
        own = tokens[-1:] if self._token not in tokens and axis in (TOKEN, WORD) else []
        return Board(self._desk, own[0], self._numbers) if own else self

    def first(self, *beginnings: str) -> str:
        """The first beginning of a name that this calculation knows, e.g. the head without a mask."""
        return next(each for each in beginnings if any(name.startswith(each) for name in self._desk.hand))

    def own_head(self, *otherwise: str) -> str:
        """The beginning of the names of the head whose weights pupils work out; otherwise as `first`."""
        asked = (place_of(name) for name, _ in self._cells)
        weights = (each for each in asked if each.head and each.last == "weight")
        heads = (each.prefix for each in weights if each.side != DECODER)
        return next(heads, None) or self.first(*otherwise)

    def strongest(self, name: str) -> Strongest:
        """The word with the largest of the weights."""
        values = self._desk.quantity(name).values[self._row(name)]
        place = int(values.argmax())
        return Strongest(place, _picked(self._heads(name), [place], "")[0])

    def at(self, name: str, place: int) -> str:
        return self._texts(name)[place]

    def table(self, lines: Sequence[tuple[str, Any]], bar: str = "") -> Rows | None:
        """lines: names of quantities with what the row is called. bar: the one that is drawn, too."""
        known = [(name, label) for name, label in lines if name == _IDS or self._desk.has(name)]
        if not known:
            return None
        drawn = self._shares(bar) if bar and self._desk.has(bar) else ()
        heads = self._heads(known[0][0])
        shown = _shown(len(heads), drawn)
        rows = tuple((label, _picked(self._texts(name), shown, "…")) for name, label in known)
        return Rows(
            _picked(heads, shown, "…"), rows, tuple(map(Bar, _picked(drawn, shown, None))) if drawn else ()
        )

    def compared(self, name: str, label: Any) -> Rows | None:
        """The word's row of a quantity of pairs with the columns that the sheet has, each pair once."""
        row = self._row(name) if self._desk.has(name) else ()
        pairs = (number.index for number in self._numbers if number.name == name)
        places = sorted({place for pair in pairs if set(row) < set(pair) for place in {*pair} - {*row}})
        if not places:
            return None
        texts, heads = self._texts(name), self._heads(name)
        return Rows(_picked(heads, places, ""), ((label, _picked(texts, places, "")),), ())

    def heads(self, label: str) -> list[tuple[str, str]]:
        """Lines of a table: what the word gives others in the first heads."""
        heads = range(1, min(self._desk.sizes.n_heads, _MOST_HEADS) + 1)
        return [(f"block1.head{k}.weight", f"Head {k}: {label}") for k in heads]

    def owner(self, name: str) -> str:
        """The word whose row of a quantity is shown."""
        return self._desk.words_of(name)[self._row(name)[0]]

    def vector(self, name: str) -> str:
        texts = self._texts(name)
        return f"({' | '.join(_picked(texts, _shown(len(texts), ()), '…'))})"

    def value(self, name: str) -> str:
        """Of a quantity with one number for each token: that of the word."""
        return self._desk.number(name, self._token).text

    def _row(self, name: str) -> tuple[int, ...]:
        axes = self._desk.quantity(name).axes
        if len(axes) < 2:
            return ()
        word = self._desk.calculation.model.token_ids[self._token]
        return ({WORD: word, TOKEN: self._token}.get(axes[0], -1),)

    def _texts(self, name: str) -> list[str]:
        if name == _IDS:
            return [str(number) for number in self._desk.calculation.model.token_ids]
        quantity = self._desk.quantity(name)
        values = quantity.values[self._row(name)]
        return [self._desk.format.text(float(value), quantity.places) for value in values]

    def _shares(self, name: str) -> list[float]:
        values = self._desk.quantity(name).values[self._row(name)]
        return [float(value) for value in values]

    def _heads(self, name: str) -> list[str]:
        if name == _IDS:
            return list(self._desk.words)
        axis = len(self._desk.quantity(name).axes) - 1
        count = len(self._texts(name))
        words = self._desk.words_of(name, axis)
        is_word = self._desk.quantity(name).axes[axis] in _WORDS
        return list(words) if is_word else [str(n) for n in range(1, count + 1)]


def _shown(count: int, drawn: Sequence[float]) -> list[int | None]:
    """Which columns are shown, None for a gap: the largest that are drawn, else the first and the last."""
    half = _MOST // 2
    if count <= _MOST:
        return list(range(count))
    if drawn:
        return [*sorted(sorted(range(count), key=lambda i: -drawn[i])[: _MOST - 1]), None]
    return [*range(half - 1), None, *range(count - half, count)]


def _picked(items: Sequence[_T], shown: Sequence[int | None], gap: _T) -> tuple[_T, ...]:
    return tuple(gap if place is None else items[place] for place in shown)
