"""The course: each station in one line, with its place on the map. A new station begins here.

It stands so far down because help and messages list the stations, and come without NumPy.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from engine.model.norms import NORM
from generator.basics.errors import in_words


@dataclass(frozen=True)
class Stop:
    """A station as the course lists it.

    name: of its module in generator/stations, and of its two texts in templates/stations.
    lines: what the map calls it. place: its column (0 to 4) and row (0 to 3) there.
    after: the station whose result it goes on with. needs: the option that brings it into a whole booklet.
    missing: what to say where it is asked for without that option; "" where it can do without. extra: it is
    printed only where it is named.
    """

    id: str
    name: str
    lines: tuple[str, ...]
    place: tuple[int, int]
    after: str = ""
    needs: str = ""
    missing: str = ""
    extra: bool = False

    @property
    def sign(self) -> str:
        return "Σ" if self.id == FORMULAS else self.id

    @property
    def title(self) -> str:
        return " ".join(self.lines)


FORMULAS: Final = "S"
END_OF_BLOCK: Final = "7"  # further blocks of the model follow it
NO_TARGET: Final = '--stationen 10 braucht einen Zielsatz; bitte zum Beispiel --zielsatz "The cat" angeben.'
COURSE: Final = (
    Stop("0", "model_map", ("Modell und", "Wegweiser"), (0, 0)),
    Stop("1", "tokenizer", ("Tokenizer",), (0, 1)),
    Stop("1b", "byte_pairs", ("Byte-Pairs:", "der lange Weg"), (4, 1), extra=True),
    Stop("2", "embedding", ("Embedding",), (1, 1), "1"),
    Stop("3", "positions", ("Positional", "Encoding"), (2, 1), "2"),
    Stop("4a", "self_attention", ("Self-Attention",), (0, 2), "3"),
    Stop("4b", "masked_attention", ("Multi-Head", "Attention"), (1, 2), "4a"),
    Stop("5", "add_norm", (f"Add & {NORM.name}",), (2, 2), "4b"),
    Stop("6", "feed_forward", ("Feed-Forward",), (3, 2), "5"),
    Stop(END_OF_BLOCK, "add_norm_2", (f"Add & {NORM.name}",), (4, 2), "6"),
    Stop("8", "output", ("Ausgabe",), (0, 3), "7"),
    Stop("9", "generation", ("Generieren",), (1, 3), "8"),
    Stop("10", "cross_attention", ("Cross-Attention",), (3, 3), needs="zielsatz", missing=NO_TARGET),
    Stop("11", "learning", ("Lernen",), (4, 3), needs="lernen"),
    Stop(FORMULAS, "formula_sheet", ("Formelsammlung",), (4, 0)),
)
STATIONS: Final = tuple(stop.id for stop in COURSE)
BY_ID: Final = {stop.id: stop for stop in COURSE}


def named(ids: Iterable[str]) -> str:
    """Station 4a; Stationen 4a, 4b und 8 sowie die Formelsammlung."""
    given = list(ids)
    numbered = [name for name in given if name != FORMULAS]
    word = "Station" if len(numbered) == 1 else "Stationen"
    stations = [f"{word} {in_words(numbered)}"] if numbered else []
    return " sowie ".join(stations + ["die Formelsammlung"] * (FORMULAS in given))


def with_titles(ids: Iterable[str]) -> list[str]:
    """0 Modell und Wegweiser, 4a Self-Attention; a further block, which has no line of its own, as it is."""
    return [f"{BY_ID[name].sign} {BY_ID[name].title}" if name in BY_ID else name for name in ids]


def _way(first: str, last: str) -> tuple[str, ...]:
    """The stations from one to another, each going on with the result of the one before."""
    return (last,) if first == last else (*_way(first, BY_ID[last].after), last)


# Each is worth a lesson by itself: it begins with what it explains or prints, and ends with a result.
_LINES: Final = (
    _way("3", "9"),  # from X to a generated text
    _way("4a", "8"),  # one block and its prediction
    _way("4a", END_OF_BLOCK),  # one block
    ("4a", "4b"),  # attention, then with a mask and several heads
    ("4a",),  # one head
    ("0", "6"),  # the map of the model, and one part of it by hand
    ("6",),  # a small network by hand
    ("0",),  # the map of the model
)
_TWO_SENTENCES: Final = (("4a", "4b", "10"), ("10",))
_LEARNING: Final = (("8", "11"), ("11",))


def lines_of(
    wanted: Sequence[str], stationen: Sequence[str], zielsatz: str | None, lernen: str | None
) -> list[tuple[str, ...]]:
    """Which stations make one whole line of thought, the longest first; the options under their own names.

    wanted: the stations that would be printed, in order; they make the first line together. Those that the
    teacher names keep their order: as many from the beginning as fit, else one of them.
    """
    if stationen:
        lines = [*(tuple(wanted[:end]) for end in range(len(wanted), 0, -1)), *((name,) for name in wanted)]
    else:
        asked = (_TWO_SENTENCES if zielsatz else ()) + (_LEARNING if lernen else ())
        lines = [tuple(wanted), *asked, *_LINES]
    present = (tuple(name for name in line if name in wanted) for line in lines)
    return [line for line in dict.fromkeys(present) if line]


def id_of_block(block: int) -> str:
    """The id of the station that shows a block of the model, counted from 1; block 1 ends with station 7."""
    return END_OF_BLOCK if block == 1 else f"B{block}"


def block_of_id(id_: str) -> int:
    """The block of a further station."""
    return int(id_.removeprefix("B"))
