"""The course: each station in one line, with its place on the map. A new station begins here.

It stands so far down because help and messages list the stations, and come without NumPy.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from engine.model.rules import NORM
from generator.options.option_kinds import in_words


@dataclass(frozen=True)
class Stop:
    """A station as the course lists it.

    name: of its module in generator/stations, and of its two texts in templates/stations.
    lines: what the map calls it. place: its column (0 to 4) and row (0 to 3) there.
    after: the station whose result it goes on with. needs: the option that brings it into a whole booklet.
    missing: what to say where it is asked for without that option; "" where it can do without.
    """

    id: str
    name: str
    lines: tuple[str, ...]
    place: tuple[int, int]
    after: str = ""
    needs: str = ""
    missing: str = ""

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
    formulas = ["die Formelsammlung"] if FORMULAS in given else []
    word = "Station" if len(numbered) == 1 else "Stationen"
    stations = [f"{word} {in_words(numbered, 'und')}"] if numbered else []
    return " sowie ".join(stations + formulas)
