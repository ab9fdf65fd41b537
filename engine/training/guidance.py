"""Texts and heads go in; where each head is to look, and what the training does for it, come out.

At the sheet's last word each head is drawn to a word that decides how the texts go on, and away from the one
that stands there instead in another text. Hidden units that are the same for every word are woken.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.forward.playable import LARGEST_SCALED
from engine.numbers.arrays import Array, Floats
from engine.training.criteria import (
    BY_HAND,
    LEAST_LEAD,
    LEAST_LEAD_BY_HAND,
    LEAST_MOVE,
    LEAST_OPEN,
    LEAST_SHARE_OPEN,
    LEAST_WEIGHT,
    LEAST_WEIGHT_BY_HAND,
)
from engine.training.texts import Corpus, Ids, Reading

_STRENGTH: Final = 0.5
_HIGH, _LOW = 0.65, 0.3  # a weight is drawn above and below
_WAKING, _OPEN = 0.1, 0.05  # a unit's gradient, and what counts as more than 0
_PARTING, _CLEAR, _AHEAD = 0.3, 0.06, 0.1  # of a tie; the lead of a weight and of a score that is none
_SLACK: Final = 0.03  # for what rounding to the sheet's places may change


@dataclass(frozen=True)
class Guidance:
    """look: 1 at the cell of a head's weights that is to be large, (B, H, n, n). leave: at those to be small.

    row: of the texts the one with the sheet's sentence. length: of its beginning. once: where its words stand
    for the first time, (length,).
    """

    look: Floats
    leave: Floats
    row: int
    length: int
    once: NDArray[np.bool_]

    def into_scaled(self, weight: Array) -> Array:
        """What the gradient of the scaled scores gets on top, as if the loss said where to look."""
        low = (weight * self.look).sum(-1, keepdims=True) < _HIGH * self.look.sum(-1, keepdims=True)
        high = (weight * self.leave).sum(-1, keepdims=True) > _LOW
        gradient = _STRENGTH * ((weight - self.look) * low + (self.leave - weight) * high)
        own = weight[:, self.row, BY_HAND, : self.length, : self.length]  # (S, length, length)
        most = np.eye(self.length)[own.argmax(-1)]
        tied = (self._lead(own) < _CLEAR)[..., None]
        gradient[:, self.row, BY_HAND, : self.length, : self.length] += _PARTING * (own - most) * tied
        return np.asarray(gradient)

    def into_hidden(self, hidden: Array) -> Array:
        """The same for the units: those that say nothing are woken, and some for the last word."""
        own = np.zeros(hidden.shape[1:-1], dtype=np.bool_)  # (B, n)
        own[self.row, : self.length] = True
        last = np.zeros_like(own)
        last[self.row, self.length - 1] = True
        asleep = ~self._awake(hidden)[:, None, None]  # (S, 1, 1, d_ff)
        few = self._open_for_last(hidden)[:, None, None, None] <= LEAST_OPEN  # (S, 1, 1, 1)
        return -_WAKING * (own[..., None] & asleep | last[..., None] & few & (hidden < _OPEN))

    def looks(self, weight: Array) -> NDArray[np.bool_]:
        """Which starts look as they should, with something to spare, (S,)."""
        rows = weight[:, self.row, :, self.length - 1]  # (S, H, n)
        place = self.look[self.row, :, self.length - 1]  # (H, n)
        seen, other = (rows * place).sum(-1), np.where(place > 0, 0.0, rows).max(-1)  # (S, H) each
        after = (weight * self.leave).sum((-1, -2))  # (S, B, H)
        moves = (seen[:, None] - after >= LEAST_MOVE + _SLACK) | ~self.leave.any((-1, -2))
        by_hand = np.arange(place.shape[0]) == BY_HAND
        least = np.where(by_hand, LEAST_WEIGHT_BY_HAND, LEAST_WEIGHT) + _SLACK  # (H,)
        lead = np.where(by_hand, LEAST_LEAD_BY_HAND, LEAST_LEAD) + _SLACK
        looks = (seen >= least) & (seen - other >= lead)
        return np.asarray(moves.all((-1, -2)) & looks.all(-1))

    def stay(self, weight: Array) -> NDArray[np.intp]:
        """How many heads still look most at their place when its word is exchanged, (S,)."""
        rows, place = weight[..., self.length - 1, :], self.leave[:, :, self.length - 1] > 0
        most = np.where(place, rows, 0.0).max(-1) >= rows.max(-1)  # (S, B, H)
        return np.asarray((most | ~place.any(-1)).all(1).sum(-1))

    def is_open(self, hidden: Array) -> NDArray[np.bool_]:
        """Which starts have units enough that are more than 0, (S,)."""
        enough = self._awake(hidden).mean(-1) >= LEAST_SHARE_OPEN
        return np.asarray(enough & (self._open_for_last(hidden) >= LEAST_OPEN))

    def is_calm(self, scaled: Array) -> NDArray[np.bool_]:
        """Which starts have no score of the sheet's whose e^x is hard to write, (S,)."""
        own = scaled[:, self.row, :, : self.length, : self.length]
        return np.asarray(np.abs(own).max((-1, -2, -3)) < LARGEST_SCALED - _SLACK)

    def has_first(self, scaled: Array, causal: bool) -> NDArray[np.bool_]:
        """Which starts leave no row without a largest score, with the mask and without, (S,).

        scaled: of the head that is worked out, without the mask, (S, length, length).
        """
        masked = np.where(np.tri(self.length, dtype=np.bool_), scaled, -np.inf) if causal else scaled
        leads = [self._lead(each)[:, 1:] for each in (masked, scaled)]
        return np.asarray(np.min(leads, axis=(0, -1)) >= _AHEAD)

    def _lead(self, rows: Array) -> Array:
        """By how much the largest is ahead of another word's, (..., n) becomes (...)."""
        if self.once.sum() == 1:
            return np.full(rows.shape[:-1], np.inf)
        ordered = np.sort(rows[..., self.once], axis=-1)
        return ordered[..., -1] - ordered[..., -2]

    def _awake(self, hidden: Array) -> NDArray[np.bool_]:
        """Units that are open for some word, and not the same for all, (S, d_ff)."""
        own = hidden[:, self.row, : self.length]  # (S, length, d_ff)
        return np.asarray((own.max(1) >= _OPEN) & (own.max(1) > own.min(1)))

    def _open_for_last(self, hidden: Array) -> NDArray[np.intp]:
        """How many units, (S,)."""
        return np.asarray((hidden[:, self.row, self.length - 1] >= _OPEN).sum(-1))


def guidance(corpus: Corpus, reading: Reading, own: Ids, heads: int) -> Guidance | None:
    """Heads take turns at the places that decide; None without a beginning of the sheet's."""
    if not own:
        return None
    n, exchanges = len(own), corpus.exchanges(own)
    deciding = corpus.places(own)
    further = [place for place in range(n) if place not in deciding]
    places = deciding if len(deciding) > 1 else (*deciding, *further)[:2]
    starts = [tuple(row[:n]) for row in reading.ids.tolist()]
    look = np.zeros((len(starts), heads, *reading.visible.shape[1:]))
    leave = np.zeros_like(look)
    for head in range(heads):
        place = places[head % len(places)]
        look[starts.index(own), head, n - 1, place] = 1.0
        for each in exchanges:
            if each.place == place:
                leave[starts.index(each.beginning), head, n - 1, place] = 1.0
    once = np.array([own.index(word) == place for place, word in enumerate(own)])
    return Guidance(look, leave, starts.index(own), n, once)
