"""Texts and sizes go in; what learns, and the gradient of everything that learns, come out."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.forward.forward import sinusoids
from engine.model.model import Sizes, weight_shapes
from engine.model.rules import DEFAULT_RULES, Norm, Rules
from engine.model.tokenizer import token_ids
from engine.model.weights import Weights, plain_weights
from engine.numbers.arrays import Floats, half_up
from engine.pens.pens import Pen
from engine.training.fixed_point import LARGEST_GRADIENT, on_grid
from engine.training.guidance import Guidance, guidance
from engine.training.heads import GuidedBatch, TrainingSteps
from engine.training.steps import largest_to_write, learns
from engine.training.texts import Corpus, Reading, reading

VECTORS, OUTPUT = "input_embedding", "vocabulary_embedding"
_PLACES_OF_POSITIONS, _PLACES_OF_INPUT = 3, 1  # as on the sheet
_PROBABILITY, _RATIO = 0.55, 2.4  # what the examination asks for, and a little more
_OF_SHARE = 0.65  # of how often a word follows the sheet's beginning, where several do
LEEWAY = 0.1  # of the logits that are to stay small


@dataclass(frozen=True)
class OneSentence:
    """A model that continues texts. beginning: the sheet's input, after which e^x is written by hand."""

    corpus: Corpus
    sizes: Sizes
    rules: Rules = DEFAULT_RULES
    beginning: tuple[str, ...] = ()

    @cached_property
    def reading(self) -> Reading:
        return reading(self.corpus, self.rules.causal_mask)

    @cached_property
    def own(self) -> NDArray[np.bool_]:
        """Where the sheet's beginning ends, (B, n)."""
        own = tuple(token_ids(self.beginning, self.corpus.vocabulary))
        found = np.zeros(self.reading.ids.shape, dtype=np.bool_)
        for b, row in enumerate(self.reading.ids.tolist()):
            if own and tuple(row[: len(own)]) == own:
                found[b, len(own) - 1] = True
        return found

    @cached_property
    def guidance(self) -> Guidance | None:
        own = tuple(token_ids(self.beginning, self.corpus.vocabulary))
        return guidance(self.corpus, self.reading, own, self.sizes.n_heads)

    @cached_property
    def largest(self) -> Floats:
        """How large the logits of the sheet's last row may become, ∞ for the others, (B, n, 1)."""
        return np.where(self.own, largest_to_write(self.rules), np.inf)[..., None]

    @cached_property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """What learns: the weights of the blocks, the words' vectors, and the output's."""
        own = {name: shape for name, shape in weight_shapes(self.sizes).items() if learns(name)}
        table = (len(self.corpus.vocabulary), self.sizes.d_model)
        return {**own, VECTORS: table, OUTPUT: table}

    @cached_property
    def kept(self) -> dict[str, Floats]:
        """What does not learn."""
        return kept_weights(weight_shapes(self.sizes), self.sizes.norm)

    def steps(self, tables: Mapping[str, Floats], pen: Pen) -> TrainingSteps:
        """The way forward with the tables of all starts, (S, *shape) each."""
        weights = {name: with_texts(table) for name, table in tables.items() if name not in (VECTORS, OUTPUT)}
        kept = {name: with_texts(table[None]) for name, table in self.kept.items()}
        output = pen.read(with_texts(tables[OUTPUT]))
        read = self.reading
        batch = GuidedBatch(
            self.sizes,
            weights | kept,
            output,
            read.right,
            read.visible,
            self.largest,
            self.rules,
            guidance=self.guidance,
        )
        steps = TrainingSteps(batch, pen)
        steps.predict(pen.read(self.input(tables[VECTORS])))
        return steps

    def input(self, vectors: Floats) -> Floats:
        """The printed input of every text, (S, B, n, d_model)."""
        x = vectors[:, self.reading.ids]
        if not self.rules.positions:
            return np.asarray(x)
        position = half_up(sinusoids(x.shape[-2], self.sizes.d_model), _PLACES_OF_POSITIONS)
        return half_up(x + position, _PLACES_OF_INPUT)

    def gradients(self, steps: TrainingSteps) -> dict[str, Floats]:
        """∂loss/∂table for every table that learns, the texts added up, (S, *shape) each."""
        steps.back()
        found = {name: steps.gradient_of(name).sum(1) for name in self.shapes if name != VECTORS}
        found[VECTORS] = self.into_vectors(steps.written["gradient.input"])
        return found

    def clear(self, steps: TrainingSteps) -> NDArray[np.bool_]:
        probability = steps.written["temperature1.probability"]
        small = (steps.written["logit"] <= self.largest + LEEWAY).all((-1, -2, -3))
        fair = as_often_as_read(probability, self.reading.right) | self.reading.decided | ~self.own
        good = clear(probability, self.reading) & small & fair.all((-1, -2))
        return np.asarray(good & steps.guided())

    def misses(self, steps: TrainingSteps) -> Floats:
        """How far the predictions are from the texts, and logits beyond their limits, (S,)."""
        off = steps.written["temperature1.probability"] - on_grid(self.reading.right)
        beyond = on_grid(steps.beyond(steps.written["logit"]), LARGEST_GRADIENT)
        return np.asarray((off * off * self.reading.asked[..., None] + beyond * beyond).sum((-1, -2, -3)))

    def products(self, name: str) -> int:
        """How many products on the sheet one number of the table takes part in."""
        if name == VECTORS or len(self.shapes[name]) == 1:
            return 0
        return 1 if name == OUTPUT else len(self.beginning)

    def into_vectors(self, g: Floats) -> Floats:
        """What flows back into each word's vector, from every place where it stands, (S, V, d_model)."""
        stands = np.eye(len(self.corpus.vocabulary))[self.reading.ids.ravel()]  # (B·n, V)
        return np.asarray(stands.T @ on_grid(g).reshape(len(g), -1, self.sizes.d_model))


def kept_weights(shapes: Mapping[str, tuple[int, ...]], norm: Norm) -> Weights:
    return {name: table for name, table in plain_weights(shapes, norm).items() if not learns(name)}


def with_texts(table: Floats) -> Floats:
    """(S, rows, columns) becomes (S, 1, rows, columns), (S, columns) becomes (S, 1, 1, columns)."""
    return table[:, None] if table.ndim == 3 else table[:, None, None]


def clear(probability: Floats, asked: Reading) -> NDArray[np.bool_]:
    """Which starts predict every beginning that is decided so well that rounding leaves it so, (S,)."""
    own = np.where(asked.right > 0, probability, 0.0).max(-1)  # (S, B, n)
    second = np.where(asked.right > 0, 0.0, probability).max(-1)
    good = (own > _PROBABILITY) & (own > _RATIO * second)
    return np.asarray((good | ~asked.decided).all((-1, -2)))


def as_often_as_read(probability: Floats, right: Floats) -> NDArray[np.bool_]:
    """Whether all words that follow a beginning are probable, and clearly more than others, (S, B, n)."""
    follows = right > 0
    least = np.where(follows, probability, np.inf).min(-1)
    share = np.where(follows, probability / np.where(follows, right, 1.0), np.inf).min(-1)
    other = np.where(follows, 0.0, probability).max(-1)
    return np.asarray((share > _OF_SHARE) & (least > _RATIO * other))
