"""What the templates of a report read of a checked cell, a table, a mistake and the prediction."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from engine.model.rules import NORM
from generator.basics.errors import harmless, shortened
from generator.basics.fonts import folder
from generator.sheet.fields import IN_WORDS, LONGEST_ANSWER


@cache
def mistake_texts() -> dict[str, dict[str, str]]:
    """Title, sentence for the key and advice of each typical mistake, by its id."""
    text = (folder().parent / "check" / "mistakes.toml").read_text(encoding="utf-8")
    return tomllib.loads(text.replace("{norm}", NORM.name))


@dataclass(frozen=True)
class CellView:
    """One cell in words: its title and place, what was written, what is right, and from where."""

    title: str
    place: str
    verdict: str
    mark: str
    written: str
    expected: str
    low: str
    high: str
    follows: str
    charged: bool
    mistakes: tuple[Mapping[str, str], ...]


@dataclass(frozen=True)
class TableView:
    """All written cells of one quantity as they stand in its table; None where nothing is written."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[CellView | None, ...]], ...]
    counts: Mapping[str, int]


@dataclass(frozen=True)
class MistakeView:
    """A typical mistake found: its titles (several if they give the same numbers), where first, how often."""

    titles: tuple[str, ...]
    help: str
    first: CellView
    count: int
    charged: bool


@dataclass(frozen=True)
class Prediction:
    """The next word by the answers and by the key, with their probabilities at T = 1."""

    own: str
    own_share: str
    right: str
    right_share: str


@dataclass(frozen=True)
class AnswerView:
    """An answer in words, which the teacher reads: to which task, and its text on one line."""

    place: str
    text: str


def answer_view(name: str, text: str) -> AnswerView:
    """name: of its field, `words.4a.3.1`."""
    station, _, task = name.removeprefix(IN_WORDS).partition(".")
    place = f"Station {shortened(station)}, Aufgabe {shortened(task.partition('.')[0])}"
    return AnswerView(place, harmless(" ".join(text.split()))[:LONGEST_ANSWER])
