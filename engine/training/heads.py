"""Texts and heads go in; where each head is to look, and the steps of training that draw it there, come out.

At the sheet's last word each head is drawn to a word that decides how the texts go on, and away from the one
that stands there instead in another text. Hidden units that are the same for every word are woken.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.backward.backward import transposed
from engine.forward.calculation import LARGEST_SCALED
from engine.numbers.arrays import Array, Floats
from engine.pens.pens import Pen, Visible
from engine.trace import place_of
from engine.training.absences import Absences
from engine.training.criteria import (
    BY_HAND,
    FEWEST_UNITS,
    LEAST_LEAD,
    LEAST_LEAD_BY_HAND,
    LEAST_MOVE,
    LEAST_OPEN,
    LEAST_WEIGHT,
    LEAST_WEIGHT_BY_HAND,
)
from engine.training.steps import Batch, EveryBeginning
from engine.training.texts import Corpus, Ids, Reading

_STRENGTH: Final = 0.5
_HIGH, _LOW = 0.65, 0.3  # a weight is drawn above and below
_WAKING, _OPEN, _CLOSED = 0.1, 0.05, -0.02  # a unit's gradient, and what counts as more than 0, or as less
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
        own = hidden[:, self.row, : self.length]  # (S, length, d_ff)
        few = (own[:, -1] >= _OPEN).sum(-1) <= LEAST_OPEN  # (S,)
        gradient = np.zeros_like(hidden)
        waking = np.zeros_like(own)
        waking[:, -1] = few[:, None] & (own[:, -1] < _OPEN)
        gradient[:, self.row, : self.length] = np.minimum(into_idle(own), -_WAKING * waking)
        return gradient

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

    def is_open(self, hidden: Array, heard: NDArray[np.bool_], all_live: bool) -> NDArray[np.bool_]:
        """Which starts have units enough that are awake for one token and asleep for another, (S,).

        heard: which of them anything hears, (S, d_ff).
        """
        own = hidden[:, self.row, : self.length]  # (S, length, d_ff)
        living = self._awake(hidden) & (own.min(1) <= 0) & heard
        least = living.shape[-1] if all_live else FEWEST_UNITS
        enough = living.sum(-1) >= least
        few = np.minimum(LEAST_OPEN, living.shape[-1])
        return np.asarray(enough & (((own[:, -1] >= _OPEN) & living).sum(-1) >= few))

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


def into_idle(own: Array) -> Array:
    """The gradient that wakes hidden units that no token wakes, and calms those that none leaves asleep.

    own: of a sentence's tokens, (S, n, d_ff).
    """
    lowest, highest = own.min(1, keepdims=True), own.max(1, keepdims=True)
    asleep = (highest < _OPEN) | (highest == lowest)  # (S, 1, d_ff)
    restless = (lowest > _CLOSED) & (own == lowest)  # one token is to leave it asleep
    return np.asarray(_WAKING * (restless.astype(np.float64) - asleep))


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


# --- All heads of a block go through their formulas at once; what comes out is what each would give alone.
#
# They get an axis of their own before the tokens, and the name `heads`. All sums on the grid are exact, so it
# does not matter that they are added in another order.


_ALL = "heads."
_FIRST = "block1." + _ALL
_EMPHASIS = 2.0


class TrainingSteps(EveryBeginning):
    """Texts of one sentence each; H heads. guidance: where the heads of the first block are to look.

    absences: the rows of the batch in which parts say nothing. all_live: whether no hidden unit may be idle;
    else a few may.
    """

    def __init__(
        self, batch: Batch, pen: Pen, guidance: Guidance | None, absences: Absences | None, all_live: bool
    ) -> None:
        super().__init__(batch, pen)
        self.guidance, self.absences, self.all_live = guidance, absences, all_live

    def visible(self, prefix: str) -> Visible:
        found = self.model.visible  # (B, n, n)
        if found is None or place_of(prefix).layer != "heads":
            return found
        return found[: self.looking(prefix), None]

    def looking(self, prefix: str) -> int | None:
        """How many rows have attention of their own: in the first block an absence has its row's."""
        return self.absences.first if self.absences and place_of(prefix).block == 1 else None

    def weight(self, name: str) -> Array:
        """A table by its name; under „heads“ that of all heads side by side, (S, 1, H, d_model, d_head)."""
        if _ALL not in name:
            return super().weight(name)
        if name not in self._read:
            own = [name.replace(_ALL, f"head{k}.") for k in range(1, self.sizes.n_heads + 1)]
            self._read[name] = np.stack([super(TrainingSteps, self).weight(each) for each in own], -3)
        return self._read[name]

    def multi_head(self, prefix: str, x: Array) -> Array:
        heads, x = prefix + _ALL, x[:, : self.looking(prefix), None]  # (S, B, 1, n, d_model)
        output = self.attend(heads, heads, x, x, self.visible(heads))  # (S, B, H, n, d_head)
        if self.absences:
            output = self.absences.heard(output, place_of(prefix).block)
        return self.join(prefix, [output[..., k, :, :] for k in range(self.sizes.n_heads)])

    def multi_head_back(self, prefix: str, x: Array, source: Array, g: Array) -> tuple[Array, Array]:
        concat = self.gradient(
            prefix + "concat", g @ transposed(self.weight(prefix + "W_O"))
        )  # (S, B, n, d_model)
        apart = concat.reshape(*concat.shape[:-1], self.sizes.n_heads, self.sizes.d_head)
        told, looking = apart.swapaxes(-2, -3), self.looking(prefix)  # (S, B, H, n, d_head)
        if self.absences:
            told = self.absences.gradient_heard(told, place_of(prefix).block, looking)
        output = self.gradient(prefix + _ALL + "output", told)
        own = x[:, :looking, None]
        into_x, into_source = self.head_back(prefix + _ALL, own, own, output)
        into_all = np.zeros_like(x)
        into_all[:, :looking] = into_x.sum(-3)
        return into_all, into_source

    def feed_forward(self, prefix: str, z: Array) -> Array:
        found = super().feed_forward(prefix, z)
        return found if self.absences is None else found * self.absences.network(place_of(prefix).block)

    def feed_forward_back(self, prefix: str, z: Array, g: Array) -> Array:
        told = g if self.absences is None else g * self.absences.network(place_of(prefix).block)
        return super().feed_forward_back(prefix, z, told)

    def gradient_of(self, name: str) -> Array:
        place = place_of(name)
        if not place.head:
            return super().gradient_of(name)
        return super().gradient_of(place._replace(layer="heads", head=0).name)[..., place.head - 1, :, :]

    def softmax_back(self, prefix: str, weight: Array, g: Array) -> Array:
        scaled = super().softmax_back(prefix, weight, g)
        if self.guidance is None or prefix != _FIRST:
            return scaled
        return self.gradient(
            prefix + "scaled", scaled + self.guidance.into_scaled(weight), visible=self.visible(prefix)
        )

    def through_relu(self, name: str, g: Array) -> Array:
        if self.guidance is not None:
            g = g + self.guidance.into_hidden(self.written[name])
        return super().through_relu(name, g)

    def extra_gradient(self, probability: Array) -> Array:
        return np.float64(0.0) if self.absences is None else self.absences.into_logits(probability)

    def needs_all_parts(self) -> NDArray[np.bool_]:
        """Which starts do without no part, (S,)."""
        probability = self.written["temperature1.probability"]
        if self.absences is None:
            return np.ones(len(probability), dtype=np.bool_)
        return np.asarray(self.absences.are_missed(probability).all(-1))

    def staying(self) -> NDArray[np.intp]:
        """How many heads look at their place whatever word stands there, (S,)."""
        weight, guidance = self.written[_FIRST + "weight"], self.guidance
        return np.zeros(len(weight), dtype=np.intp) if guidance is None else guidance.stay(weight)

    def emphasis(self) -> Array:
        """The sheet's last row counts more: its logits are kept small, so it is harder to learn."""
        return np.where(np.isfinite(self.model.largest), _EMPHASIS, 1.0)

    def guided(self) -> NDArray[np.bool_]:
        """Which starts look as they are to, with a network that is open, (S,)."""
        guidance, blocks = self.guidance, range(1, self.sizes.n_blocks + 1)
        if guidance is None:
            return np.ones(len(self.written["input"]), dtype=np.bool_)
        fit = []
        for prefix in (f"block{block}.ffn." for block in blocks):
            heard = self.weight(prefix + "W_2").any(-1)[:, 0]  # (S, d_ff)
            fit.append(guidance.is_open(self.written[prefix + "hidden"], heard, self.all_live))
        for block in blocks:  # no component is 0 for every token
            tables = (self.written[f"block{block}.{_ALL}{n}"] for n in ("query", "key", "value"))
            fit += [t[:, guidance.row, :, : guidance.length].any(-2).all((-1, -2)) for t in tables]
        query, key = (
            self.written[_FIRST + n][:, guidance.row, BY_HAND, : guidance.length] for n in ("query", "key")
        )
        fit.append(query[:, -1].all(-1))
        fit.append(guidance.has_first(self.scale(self.score(query, key)), self.model.rules.causal_mask))
        fit += [guidance.is_calm(self.written[f"block{b}.{_ALL}scaled"]) for b in blocks]
        return np.asarray(guidance.looks(self.written[_FIRST + "weight"]) & np.all(fit, axis=0))

    def attention_cosines(self, attention: Array) -> None:
        """Cosines for sheets only."""

    def predict(self, x: Array) -> Array:
        """Probabilities after every token, (S, B, n, V); x: (S, B, n, d_model)."""
        self.written["input"] = x
        return self.probabilities("", self.logits("", self.blocks(x)), 1.0)
