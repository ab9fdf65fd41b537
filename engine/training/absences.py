"""A beginning goes in; the same once more for each part that a model must not do without comes out.

In these rows a head, all heads, or a feed-forward network say nothing. As long as the right word is still
said there, the probabilities are drawn to the other words with which the texts go on: what one does not
hear one does not know.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.judging.parts import MOST_LEFT, MOST_LEFT_WITHOUT_NETWORK
from engine.model.model import Sizes
from engine.numbers.arrays import Array, Floats
from engine.training.texts import Corpus, Ids, Reading

_STRENGTH: Final = 1.0
_SLACK: Final = 0.85  # of what may be left: rounding changes it a little


@dataclass(frozen=True)
class Absences:
    """row: of the batch the one with the beginning. length: of the beginning. right: the word that is right.

    first: of the rows in which parts are off. heads: per row, 1 where a head is heard, (B, n_blocks, H).
    networks: the same, (B, n_blocks). others: the words to be said instead, (V,), adding up to 1.
    """

    row: int
    length: int
    right: int
    first: int
    heads: Floats
    networks: Floats
    others: Floats

    def heard(self, output: Array, block: int) -> Array:
        """What the heads say in every row, 0 where one is off; an absence says else what its row says.

        output: of all rows or of those that have attention of their own, (S, …, H, n, d_head).
        """
        if output.shape[1] < len(self.heads):
            rows = np.minimum(np.arange(len(self.heads)), self.first)
            rows[self.first :] = self.row
            output = output[:, rows]
        return output * self._head(block)  # (S, B, H, n, d_head)

    def told(self, gradient: Array, block: int, looking: int | None) -> Array:
        """The way back: what the absences are told their row is told, where that alone looks."""
        gradient = gradient * self._head(block)
        own = gradient[:, :looking]
        if looking is not None:
            own[:, self.row] = own[:, self.row] + gradient[:, looking:].sum(1)
        return np.asarray(own)

    def _head(self, block: int) -> Floats:
        return self.heads[:, block - 1, :, None, None]  # (B, H, 1, 1)

    def network(self, block: int) -> Floats:
        """(B, 1, 1)"""
        return self.networks[:, block - 1, None, None]

    @cached_property
    def left(self) -> Floats:
        """What share of its probability the right word may keep, (A,); 0: another has to be likelier."""
        one_head = np.where(self.heads[self.first :].sum((1, 2)) > 0, MOST_LEFT, 0.0)
        return np.where(self.networks[self.first :].all(-1), one_head, MOST_LEFT_WITHOUT_NETWORK) * _SLACK

    def are_missed(self, probability: Array) -> NDArray[np.bool_]:
        """Without which parts the right word is not found any more, (S, A); probability: (S, B, n, V)."""
        last = probability[:, :, self.length - 1]  # (S, B, V)
        without = last[:, self.first :]  # (S, A, V)
        own, whole = without[..., self.right], last[:, self.row, None, self.right]
        other = np.delete(without, self.right, axis=-1).max(-1)  # (S, A)
        return np.asarray((own < _SLACK * other) | (own < self.left * whole))

    def into_logits(self, probability: Array) -> Array:
        """What the gradient of the logits gets on top, (S, B, n, V)."""
        found = np.zeros_like(probability)
        wrong = (probability[:, self.first :, self.length - 1] - self.others) * _STRENGTH
        found[:, self.first :, self.length - 1] = wrong * ~self.are_missed(probability)[..., None]
        return found


def with_absences(
    corpus: Corpus, reading: Reading, own: Ids, sizes: Sizes
) -> tuple[Reading, Absences | None]:
    """The texts with further rows in which nothing is asked for; none where no other word could be said."""
    if not own:
        return reading, None
    right = next(text[len(own)] for text in corpus.ids if text[: len(own)] == own)
    instead = sorted(corpus.fitting(own) - {right})
    if not instead:
        return reading, None
    first, blocks, n_heads = len(reading.ids), sizes.n_blocks, sizes.n_heads
    row = next(b for b, ids in enumerate(reading.ids.tolist()) if tuple(ids[: len(own)]) == own)
    rows = 1 + blocks * n_heads + blocks
    heads, networks = np.ones((first + rows, blocks, n_heads)), np.ones((first + rows, blocks))
    heads[first] = 0.0
    every_head = heads[first + 1 :].reshape(rows - 1, -1)
    every_head[np.arange(blocks * n_heads), np.arange(blocks * n_heads)] = 0.0
    networks[np.arange(first + 1 + blocks * n_heads, first + rows), np.arange(blocks)] = 0.0
    others = np.zeros(len(corpus.vocabulary))
    others[instead] = 1.0 / len(instead)
    longer = replace(
        reading,
        ids=_with_copies(reading.ids, row, rows),
        right=np.concatenate([reading.right, np.zeros((rows, *reading.right.shape[1:]))]),
        visible=_with_copies(reading.visible, row, rows),
    )
    return longer, Absences(row, len(own), right, first, heads, networks, others)


def _with_copies(table: NDArray[Any], row: int, copies: int) -> NDArray[Any]:
    return np.concatenate([table, np.repeat(table[row : row + 1], copies, axis=0)])
