"""Pairs of sentences go in; what an encoder–decoder learns from them, and its gradients, come out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.backward.backward import EncoderDecoderBackward
from engine.forward.forward import sinusoids
from engine.model.encoder_decoder_model import DECODER, encoder_decoder_shapes
from engine.model.model import Sizes
from engine.model.rules import DEFAULT_RULES, Rules
from engine.numbers.arrays import Array, Floats, half_up
from engine.pens.pens import Pen, Visible
from engine.training.fixed_point import on_grid
from engine.training.one_sentence import LEEWAY, clear, kept_weights, with_texts
from engine.training.steps import Batch, EveryBeginning, largest_to_write, learns
from engine.training.texts import Reading, filled_up

VECTORS, OUTPUT = DECODER + "input_embedding", DECODER + "vocabulary_embedding"
_PLACES_OF_POSITIONS, _PLACES_OF_INPUT = 3, 1
_GUIDANCE = 0.3  # how strongly attention is drawn to the word that is translated


@dataclass(frozen=True)
class Pair:
    """source: vectors of its words, (m, d_model). target: IDs of its words, without start and end.

    translates: for each target word the place of the source word that it translates, where one is known.
    """

    source: Floats
    target: tuple[int, ...]
    translates: Mapping[int, int]


@dataclass(frozen=True)
class PairBatch(Batch):
    """source_visible: (B, 1, m). aligned: where the weights of a target token should be, (B, n, m)."""

    source_visible: Visible = None
    aligned: Floats | None = None


class PairSteps(EveryBeginning, EncoderDecoderBackward):
    """Pairs of sentences; the cross-attention's first head learns to look at the word to be translated."""

    model: PairBatch  # type: ignore[assignment]

    def visible(self, at: str) -> Visible:
        return self.model.visible if ".self." in at else self.model.source_visible

    def softmax_back(self, at: str, weight: Array, g: Array) -> Array:
        scaled = super().softmax_back(at, weight, g)
        aligned = self.model.aligned
        if aligned is None or not at.endswith(".cross.head1."):
            return scaled
        known = aligned.sum(-1, keepdims=True)  # (B, n, 1)
        return self.gradient(
            at + "scaled", scaled + _GUIDANCE * (weight - aligned) * known, visible=self.visible(at)
        )

    def predict(self, source: Array, target: Array) -> Array:
        """Probabilities after every target token, (S, B, n, V)."""
        self.written["encoder.input"], self.written["decoder.input"] = source, target
        x = self.decoder_blocks(target, self.encoder_blocks(source))
        return self.probabilities(DECODER, self.logits(DECODER, x), 1.0)


@dataclass(frozen=True)
class TwoSentences:
    """An encoder–decoder that translates pairs. n_words: of the target vocabulary, the end token last.

    Its decoder learns with a causal mask, whatever the rules say of it.
    """

    pairs: Sequence[Pair]
    n_words: int
    sizes: Sizes
    rules: Rules = DEFAULT_RULES

    @cached_property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """What learns; the first row of the vectors is the start token's."""
        own = {name: shape for name, shape in encoder_decoder_shapes(self.sizes).items() if learns(name)}
        d = self.sizes.d_model
        return {**own, VECTORS: (self.n_words + 1, d), OUTPUT: (self.n_words, d)}

    @cached_property
    def kept(self) -> dict[str, Floats]:
        return kept_weights(encoder_decoder_shapes(self.sizes), self.sizes.norm)

    @cached_property
    def reading(self) -> Reading:
        """What follows each beginning of each target sentence; the start token has the ID 0 here."""
        ids, _ = filled_up([(0, *(word + 1 for word in pair.target)) for pair in self.pairs])
        right = np.zeros((*ids.shape, self.n_words))
        for b, pair in enumerate(self.pairs):
            right[b, np.arange(len(pair.target) + 1), [*pair.target, self.n_words - 1]] = 1.0
        n = ids.shape[1]
        return Reading(ids, right, np.broadcast_to(np.tri(n, dtype=np.bool_), (len(ids), n, n)))

    @cached_property
    def source(self) -> tuple[Floats, NDArray[np.bool_]]:
        """The printed input of the encoder, (B, m, d_model), and which of it is there, (B, 1, m)."""
        longest = max(len(pair.source) for pair in self.pairs)
        rows = [pair.source[np.minimum(np.arange(longest), len(pair.source) - 1)] for pair in self.pairs]
        there = np.arange(longest) < np.array([len(pair.source) for pair in self.pairs])[:, None]
        return self.input(np.stack(rows)), there[:, None, :]

    @cached_property
    def aligned(self) -> Floats:
        found = np.zeros((len(self.pairs), self.reading.ids.shape[1], self.source[0].shape[1]))
        for b, pair in enumerate(self.pairs):
            for row, place in pair.translates.items():
                found[b, row, place] = 1.0
        return found

    @cached_property
    def largest(self) -> Floats:
        """How large the logits of the sheet's last row may become, ∞ for the others, (B, n, 1)."""
        limits = np.full((*self.reading.ids.shape, 1), np.inf)
        limits[0, len(self.pairs[0].target)] = largest_to_write(self.rules)
        return limits

    def input(self, vectors: Floats) -> Floats:
        if not self.rules.positions:
            return vectors
        position = half_up(sinusoids(vectors.shape[-2], self.sizes.d_model), _PLACES_OF_POSITIONS)
        return half_up(vectors + position, _PLACES_OF_INPUT)

    def steps(self, tables: Mapping[str, Floats], pen: Pen) -> PairSteps:
        weights = {name: with_texts(table) for name, table in tables.items() if name not in (VECTORS, OUTPUT)}
        kept = {name: with_texts(table[None]) for name, table in self.kept.items()}
        read, (source, there) = self.reading, self.source
        batch = PairBatch(
            self.sizes,
            weights | kept,
            pen.read(with_texts(tables[OUTPUT])),
            read.right,
            read.visible,
            self.largest,
            self.rules,
            source_visible=there,
            aligned=self.aligned,
        )
        steps = PairSteps(batch, pen)
        target = self.input(tables[VECTORS][:, read.ids])  # (S, B, n, d_model)
        every = np.broadcast_to(source, (len(target), *source.shape))
        steps.predict(pen.read(every), pen.read(target))
        return steps

    def gradients(self, steps: PairSteps) -> dict[str, Floats]:
        steps.back()
        found = {name: steps.gradient_of(name).sum(1) for name in self.shapes if name != VECTORS}
        stands = np.eye(self.n_words + 1)[self.reading.ids.ravel()]  # (B·n, V + 1)
        g = steps.written["gradient.decoder.input"]
        found[VECTORS] = np.asarray(stands.T @ on_grid(g).reshape(len(g), -1, self.sizes.d_model))
        return found

    def clear(self, steps: PairSteps) -> NDArray[np.bool_]:
        small = (steps.written[DECODER + "logit"] <= self.largest + LEEWAY).all((-1, -2, -3))
        return np.asarray(clear(steps.written[DECODER + "temperature1.probability"], self.reading) & small)
