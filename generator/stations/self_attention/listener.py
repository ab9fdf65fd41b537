"""What one token's row of a head is made of, as it is written by hand: for the pictures of station 4a."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from engine.numbers.arrays import Floats
from generator.figures.drawing import Point, shortened
from generator.figures.parts import quoted, value
from generator.sheet.desk import Desk
from generator.stations.attention import seen_by

WIDTH: Final = 112.0  # mm of the picture, beside the words that explain it
PLANE: Final = 35.5  # mm that the keys have
LETTERS: Final = 2.8
_LONGEST: Final = 24.0  # mm, of a word
_LEAST_SCALE: Final = 0.25  # a plane that would shrink the scores further is left out


@dataclass(frozen=True)
class Listener:
    """What a token's row of one head is made of, as it is written by hand."""

    desk: Desk
    at: str
    token: int

    @cached_property
    def seen(self) -> list[int]:
        """The tokens that it sees, the largest weight first."""
        weights = self.desk.quantity(self.at + "weight").values[self.token]
        return sorted(seen_by(self.desk, self.at + "weight", self.token), key=lambda j: (-weights[j], j))

    @property
    def name(self) -> str:
        """Of the scores that e^x is taken of."""
        return self.at + ("scaled" if self.desk.options.skalierung else "score")

    def scores(self) -> dict[int, float]:
        return {j: value(self.desk, self.name, self.token, j) for j in self.seen}

    def weight(self, j: int) -> float:
        return value(self.desk, self.at + "weight", self.token, j)

    def text(self, quantity: str, j: int) -> str:
        return self.desk.number(self.at + quantity, self.token, j).text

    def word(self, j: int) -> str:
        return shortened(self.desk.words[j], _LONGEST, LETTERS)

    @cached_property
    def across(self) -> dict[int, float] | None:
        """How far each key stands to the left of q, in the measure of the scores; None without a plane."""
        if self.desk.sizes.d_head != 2:
            return None
        q = self.desk.quantity(self.at + "query").values[self.token]
        keys = self.desk.quantity(self.at + "key").values
        scores = self.scores()
        root = math.sqrt(2) if self.desk.options.skalierung else 1.0
        found = {j: float(q[0] * keys[j][1] - q[1] * keys[j][0]) / root for j in self.seen}
        wide = max([*scores.values(), 0.0]) - min([*scores.values(), 0.0])
        high = max([*found.values(), 0.0]) - min([*found.values(), 0.0])
        fits = high * _LEAST_SCALE * (WIDTH - 6.0) <= wide * (PLANE - 10.0)
        return found if fits else None

    @property
    def components(self) -> list[int]:
        """The components of the values that are drawn: those in which the words differ most."""
        values = self.desk.quantity(self.at + "value").values[self.seen]
        spread = values.max(0) - values.min(0)
        return sorted(sorted(range(len(spread)), key=lambda c: (-spread[c], c))[:2])

    def points(self) -> dict[int, Point]:
        values = self.desk.quantity(self.at + "value").values
        return {j: self._shown(values[j]) for j in self.seen}

    def output(self) -> Point:
        return self._shown(self.desk.quantity(self.at + "output").values[self.token])

    def _shown(self, vector: Floats) -> Point:
        first, *second = self.components
        return float(vector[first]), float(vector[second[0]]) if second else 0.0

    def scores_in_words(self) -> str:
        score = self.name.rpartition(".")[2]
        said = "; ".join(
            f"{quoted(self.desk.words[j])} Score {self.text(score, j)}, e^x {self.text('exp', j)}"
            for j in sorted(self.seen)
        )
        flat = "" if self.across is not None else " Gezeichnet ist nur die Achse von q."
        begin = "q zeigt nach rechts; das Lot jedes Keys trifft die Achse beim Score, darunter steht e^x."
        return f"{begin} {said}.{flat}"

    def weights_in_words(self) -> str:
        said = ", ".join(f"{quoted(self.desk.words[j])} {self.text('weight', j)}" for j in sorted(self.seen))
        return f"Im Streifen der Länge 1 von links nach rechts: {said}."

    def pair(self, point: Point) -> str:
        """The components that are drawn, as text."""
        places = self.desk.options.nachkommastellen
        return " | ".join(self.desk.constant(x, places) for x in point[: len(self.components)])
