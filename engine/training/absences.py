"""A beginning goes in; the same once more for each part that a model must not do without comes out.

In these rows a head, all heads, or a feed-forward network say nothing. As long as the right word is still
said there, the probabilities are drawn to the other words with which the texts go on: what one does not
hear one does not know.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.judging.parts import MOST_LEFT, MOST_LEFT_WITHOUT_NETWORK
from engine.model.model import Sizes
from engine.numbers.arrays import Array, Floats
from engine.training.texts import Corpus, Ids, Reading

_STRENGTH: Final = 0.5
_SLACK: Final = 0.85  # of what may be left: rounding changes it a little


@dataclass(frozen=True)
class Absences:
    """row: of the batch the one that is repeated. first: of the A rows in which parts are off.

    place, right: in each of them the token after which a word is asked for, and the word that is right, (A,)
    each. others: those to be said instead, (A, V), each row adding up to 1. heads: per row of the batch, 1
    where a head is heard, (B, n_blocks, H). networks: the same, (B, n_blocks).
    """

    row: int
    first: int
    place: NDArray[np.intp]
    right: NDArray[np.intp]
    others: Floats
    heads: Floats
    networks: Floats

    def heard(self, output: Array, block: int) -> Array:
        """What the heads say in every row, 0 where one is off; an absence says else what its row says.

        output: of all rows or of those that have attention of their own, (S, …, H, n, d_head).
        """
        if output.shape[1] < len(self.heads):
            rows = np.minimum(np.arange(len(self.heads)), self.first)
            rows[self.first :] = self.row
            output = output[:, rows]
        return output * self._head(block)  # (S, B, H, n, d_head)

    def gradient_heard(self, gradient: Array, block: int, looking: int | None) -> Array:
        """The way back: gradients of the absences go to the row that they repeat, where that alone looks."""
        gradient = gradient * self._head(block)
        own = gradient[:, :looking]
        if looking is not None:
            own[:, self.row] = own[:, self.row] + gradient[:, looking:].sum(1)
        return np.asarray(own)

    def head(self, block: int, head: int) -> Floats:
        """In which rows a head of a block speaks (1) and in which it is off (0), (B, 1, 1)."""
        return self.heads[:, block - 1, head - 1, None, None]

    def _head(self, block: int) -> Floats:
        return self.heads[:, block - 1, :, None, None]  # (B, H, 1, 1)

    def network(self, block: int) -> Floats:
        """1 in the rows in which a block's network works, (B, 1, 1)."""
        return self.networks[:, block - 1, None, None]

    @cached_property
    def left(self) -> Floats:
        """What share of its probability the right word may keep, (A,); 0: another has to be likelier."""
        one_head = np.where(self.heads[self.first :].sum((1, 2)) > 0, MOST_LEFT, 0.0)
        return np.where(self.networks[self.first :].all(-1), one_head, MOST_LEFT_WITHOUT_NETWORK) * _SLACK

    def are_missed(self, probability: Array) -> NDArray[np.bool_]:
        """Without which parts the right word is not found any more, (S, A); probability: (S, B, n, V)."""
        every = np.arange(len(self.place))
        without = probability[:, self.first + every, self.place]  # (S, A, V)
        own, whole = without[:, every, self.right], probability[:, self.row, self.place, self.right]  # (S, A)
        is_right = np.arange(without.shape[-1]) == self.right[:, None]  # (A, V)
        other = np.where(is_right, 0.0, without).max(-1)
        return np.asarray((own < _SLACK * other) | (own < self.left * whole))

    def into_logits(self, probability: Array) -> Array:
        """What the gradient of the logits gets on top, (S, B, n, V)."""
        found, rows = np.zeros_like(probability), self.first + np.arange(len(self.place))
        wrong = (probability[:, rows, self.place] - self.others) * _STRENGTH
        found[:, rows, self.place] = wrong * ~self.are_missed(probability)[..., None]
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
    row = next(b for b, ids in enumerate(reading.ids.tolist()) if tuple(ids[: len(own)]) == own)
    places = [(len(own) - 1, right, tuple(instead))]
    absences = absences_of(len(reading.ids), row, places, len(corpus.vocabulary), sizes, sizes.n_blocks)
    return with_rows(reading, row, len(absences.place)), absences


def absences_of(
    first: int,
    row: int,
    places: Sequence[tuple[int, int, tuple[int, ...]]],
    words: int,
    sizes: Sizes,
    networks: int,
) -> Absences:
    """All heads off, then each of them, then the networks of so many blocks.

    places: where a word is asked for, the right one, and those to be said instead; heads take turns at them.
    """
    blocks, n_heads = sizes.n_blocks, sizes.n_heads
    single = blocks * n_heads
    rows = 1 + single + networks
    heads, open_networks = np.ones((first + rows, blocks, n_heads)), np.ones((first + rows, blocks))
    heads[first] = 0.0
    heads[first + 1 : first + 1 + single] -= np.eye(single).reshape(single, blocks, n_heads)
    open_networks[first + 1 + single :] -= np.eye(blocks)[:networks]
    own = [places[number % len(places)] for number in range(rows)]
    others = np.zeros((rows, words))
    for number, (_, _, instead) in enumerate(own):
        others[number, list(instead)] = 1.0 / len(instead)
    place, right = (np.array([each[i] for each in own]) for i in range(2))
    return Absences(row, first, place, right, others, heads, open_networks)


def with_rows(reading: Reading, row: int, copies: int) -> Reading:
    """With further rows like the one, in which nothing is asked for."""
    return replace(
        reading,
        ids=with_copies(reading.ids, row, copies),
        right=np.concatenate([reading.right, np.zeros((copies, *reading.right.shape[1:]))]),
        visible=with_copies(reading.visible, row, copies),
    )


def with_copies(table: NDArray[Any], row: int, copies: int) -> NDArray[Any]:
    return np.concatenate([table, np.repeat(table[row : row + 1], copies, axis=0)])
