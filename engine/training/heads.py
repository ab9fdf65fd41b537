"""All heads of a block go through their formulas at once; what comes out is what each would give alone.

They get an axis of their own before the tokens, and the name `heads`. All sums on the grid are exact, so it
does not matter that they are added in another order.
"""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.backward.backward import transposed
from engine.numbers.arrays import Array
from engine.pens.pens import Visible
from engine.training.criteria import BY_HAND
from engine.training.guidance import Guidance
from engine.training.steps import Batch, EveryBeginning

_ALL = "heads."
_FIRST = "block1." + _ALL
_EMPHASIS = 2.0
_ONE = re.compile(r"head(\d+)\.")


class HeadsTogether(EveryBeginning):
    """For self-attention; H heads."""

    def visible(self, at: str) -> Visible:
        found = self.model.visible  # (B, n, n)
        return found if found is None or not at.endswith(_ALL) else found[:, None]

    def weight(self, name: str) -> Array:
        """Of all heads side by side, (S, 1, H, d_model, d_head)."""
        if _ALL not in name:
            return super().weight(name)
        if name not in self._read:
            own = [name.replace(_ALL, f"head{k}.") for k in range(1, self.sizes.n_heads + 1)]
            self._read[name] = np.stack([super(HeadsTogether, self).weight(each) for each in own], -3)
        return self._read[name]

    def multi_head(self, at: str, x: Array) -> Array:
        heads, x = at + _ALL, x[..., None, :, :]  # (S, B, 1, n, d_model)
        output = self.attend(heads, heads, x, x, self.visible(heads))  # (S, B, H, n, d_head)
        return self.join(at, [output[..., k, :, :] for k in range(self.sizes.n_heads)])

    def multi_head_back(self, at: str, x: Array, source: Array, g: Array) -> tuple[Array, Array]:
        concat = self.gradient(at + "concat", g @ transposed(self.weight(at + "W_O")))  # (S, B, n, d_model)
        apart = concat.reshape(*concat.shape[:-1], self.sizes.n_heads, self.sizes.d_head)
        output = self.gradient(at + _ALL + "output", apart.swapaxes(-2, -3))  # (S, B, H, n, d_head)
        x = x[..., None, :, :]
        into_x, into_source = self.head_back(at + _ALL, x, x, output)
        return into_x.sum(-3), into_source

    def gradient_of(self, name: str) -> Array:
        head = _ONE.search(name)
        if head is None:
            return super().gradient_of(name)
        return super().gradient_of(_ONE.sub(_ALL, name))[..., int(head[1]) - 1, :, :]


@dataclass(frozen=True)
class GuidedBatch(Batch):
    """guidance: where the heads of the first block are to look."""

    guidance: Guidance | None = None


class TrainingSteps(HeadsTogether):
    """Texts of one sentence each."""

    model: GuidedBatch

    def softmax_back(self, at: str, weight: Array, g: Array) -> Array:
        scaled = super().softmax_back(at, weight, g)
        if self.model.guidance is None or at != _FIRST:
            return scaled
        return self.gradient(
            at + "scaled", scaled + self.model.guidance.into_scaled(weight), visible=self.visible(at)
        )

    def gradient(self, name: str, value: Array, *axes: str, visible: Visible = None) -> Array:
        if self.model.guidance is not None and name.endswith(".ffn.hidden"):
            value = value + self.model.guidance.into_hidden(self.written[name])
        return super().gradient(name, value, *axes, visible=visible)

    def staying(self) -> NDArray[np.intp]:
        """How many heads look at their place whatever word stands there, (S,)."""
        weight, guidance = self.written[_FIRST + "weight"], self.model.guidance
        return np.zeros(len(weight), dtype=np.intp) if guidance is None else guidance.stay(weight)

    def emphasis(self) -> Array:
        """The sheet's last row counts more: its logits are kept small, so it is harder to learn."""
        return np.where(np.isfinite(self.model.largest), _EMPHASIS, 1.0)

    def guided(self) -> NDArray[np.bool_]:
        """Which starts look as they are to, with a network that is open, (S,)."""
        guidance, blocks = self.model.guidance, range(1, self.sizes.n_blocks + 1)
        if guidance is None:
            return np.ones(len(self.written["input"]), dtype=np.bool_)
        fit = [guidance.is_open(self.written[f"block{b}.ffn.hidden"]) for b in blocks]
        query, key = (
            self.written[_FIRST + n][:, guidance.row, BY_HAND, : guidance.length] for n in ("query", "key")
        )
        value = self.written[_FIRST + "value"][:, guidance.row, BY_HAND, : guidance.length]
        fit.append(query[:, -1].all(-1) & value.any(-2).all(-1))
        fit.append(guidance.has_first(self.scale(self.score(query, key)), self.model.rules.causal_mask))
        fit += [guidance.is_calm(self.written[f"block{b}.{_ALL}scaled"]) for b in blocks]
        return np.asarray(guidance.looks(self.written[_FIRST + "weight"]) & np.all(fit, axis=0))

    def context(self, attention: Array) -> None:
        """Cosines for sheets only."""

    def predict(self, x: Array) -> Array:
        """Probabilities after every token, (S, B, n, V); x: (S, B, n, d_model)."""
        self.written["input"] = x
        for block in range(1, self.sizes.n_blocks + 1):
            x = self.block(f"block{block}.", x)
        return self.probabilities("", self.logits("", x), 1.0)
