"""What the templates of a report read of a checked cell, a table, a mistake and the prediction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


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
