"""How long a training may take, in seconds of an ordinary computer.

They are estimated, not measured: every computer stops at the same place, with the same model.
"""

from dataclasses import dataclass
from typing import Final

from engine.model.model import Sizes

SECONDS: Final = 15.0  # measured: within a third more
_IMPROVING: Final = 5.0  # after so long a model that passes is not improved any more
_ONE_ATTEMPT: Final = 5.0
STARTS, _FEWEST_STARTS = 16, 4  # that learn side by side
# Measured with 48 models of 2 to 16 components; numbers are those of a step, all written once and once back.
_SECONDS_OF_BLOCK, _SECONDS_OF_NUMBER = 3.2e-3, 9.5e-9
_SECONDS_OF_LOOK, _SECONDS_OF_CHANGE, _CHANGES = 0.15, 6e-9, 1000


def attention_numbers(sizes: Sizes, rows: int, tokens: int, seen: int) -> int:
    """About how many numbers the heads of a block write for so many texts."""
    return rows * sizes.n_heads * tokens * (12 * seen + 8 * sizes.d_head)


def token_numbers(sizes: Sizes, words: int) -> int:
    """About how many all else writes for a token."""
    return sizes.n_blocks * (20 * sizes.d_model + 5 * sizes.d_ff) + 8 * words


@dataclass
class Budget:
    """numbers: of one start's step. weights: how many learn. blocks: of the model. steps: of an attempt."""

    numbers: int
    weights: int
    blocks: int
    steps: int
    spent: float = 0.0

    @property
    def starts(self) -> int:
        """As many as learn in a few seconds; 0 where even few take too long."""
        each = self._attempt(1) - self._attempt(0)
        most = int((_ONE_ATTEMPT - self._attempt(0)) / each)
        if self._attempt(_FEWEST_STARTS) > SECONDS:
            return 0
        return max(_FEWEST_STARTS, min(STARTS, most))

    def allows_attempt(self, found: bool) -> bool:
        """found: whether a model passes already. The first attempt is always allowed."""
        most = _IMPROVING if found else SECONDS
        return self.spent == 0 or self.spent + self._attempt(self.starts) <= most

    def allows_look(self, found: bool) -> bool:
        return self.spent <= (_IMPROVING if found else SECONDS)

    def attempted(self) -> None:
        self.spent += self._attempt(self.starts)

    def looked(self) -> None:
        """A start was looked at, and made sparse."""
        self.spent += _SECONDS_OF_LOOK
        self.spent += _SECONDS_OF_CHANGE * self.numbers * (self.weights + _CHANGES)

    def _attempt(self, starts: int) -> float:
        return self.steps * (_SECONDS_OF_BLOCK * self.blocks + _SECONDS_OF_NUMBER * self.numbers * starts)
