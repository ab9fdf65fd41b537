"""Pairs of sentences go in; an encoder–decoder that writes the targets word by word comes out, or None."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.backward.backward import EncoderDecoderBackward
from engine.forward.calculation import LARGEST_SCALED, calculate_encoder_decoder, divides_well, largest_scaled
from engine.judging.acceptance import simulate
from engine.model.model import DECODER, ENCODER, EncoderDecoderModel, encoder_decoder_shapes
from engine.numbers.arrays import Array, CalculationError, Floats
from engine.pens.pens import Pen, Visible
from engine.texts.translation import Translation, translate
from engine.training.budget import STARTS
from engine.training.criteria import LEAST_PROBABILITY, LEAST_RATIO
from engine.training.descent import Course, Parameters, descend
from engine.training.examination import PUPILS, can_be_written
from engine.training.one_sentence import OUTPUT, VECTORS, Learnable
from engine.training.steps import Batch, EveryBeginning, largest_to_write
from engine.training.texts import Reading, filled_up
from engine.training.training import REACHES, candidates

_GUIDANCE = 0.3  # how strongly attention is drawn to the word that is translated


@dataclass(frozen=True)
class Pair:
    """source: vectors of its words, (m, d_model). target: IDs of its words, without start and end.

    translates: for each target word the place of the source word that it translates, where one is known.
    """

    source: Floats
    target: tuple[int, ...]
    translates: Mapping[int, int]


class PairSteps(EveryBeginning, EncoderDecoderBackward):
    """Pairs of sentences; the cross-attention's first head learns to look at the word to be translated.

    there: which of the source is no filling, (B, 1, m). aligned: where the weights of a target token should
    be, (B, n, m).
    """

    model: Batch  # type: ignore[assignment]

    def __init__(self, batch: Batch, pen: Pen, there: NDArray[np.bool_], aligned: Floats) -> None:
        super().__init__(batch, pen)
        self.there, self.aligned = there, aligned

    def visible(self, at: str) -> Visible:
        return self.model.visible if ".self." in at else self.there

    def softmax_back(self, at: str, weight: Array, g: Array) -> Array:
        scaled = super().softmax_back(at, weight, g)
        if not at.endswith(".cross.head1."):
            return scaled
        known = self.aligned.sum(-1, keepdims=True)  # (B, n, 1)
        wrong = scaled + _GUIDANCE * (weight - self.aligned) * known
        return self.gradient(at + "scaled", wrong, visible=self.visible(at))

    def predict(self, source: Array, target: Array) -> Array:
        """Probabilities after every target token, (S, B, n, V)."""
        self.written["encoder.input"], self.written["decoder.input"] = source, target
        x = self.decoder_blocks(target, self.blocks(source, ENCODER))
        return self.probabilities(DECODER, self.logits(DECODER, x), 1.0)


@dataclass(frozen=True)
class TwoSentences(Learnable):
    """An encoder–decoder that translates pairs. n_targets: words that it can write.

    Its decoder learns with a causal mask, whatever the rules say of it. The first row of the vectors is the
    start token's.
    """

    pairs: Sequence[Pair]
    n_targets: int
    side = DECODER

    @property
    def weight_shapes(self) -> dict[str, tuple[int, ...]]:
        return encoder_decoder_shapes(self.sizes)

    @property
    def n_words(self) -> tuple[int, int]:
        return self.n_targets + 1, self.n_targets

    @cached_property
    def reading(self) -> Reading:
        """What follows each beginning of each target sentence; the start token has the ID 0 here."""
        ids, _ = filled_up([(0, *(word + 1 for word in pair.target)) for pair in self.pairs])
        right = np.zeros((*ids.shape, self.n_targets))
        for b, pair in enumerate(self.pairs):
            right[b, np.arange(len(pair.target) + 1), [*pair.target, self.n_targets - 1]] = 1.0
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
        limits = np.full((*self.reading.ids.shape, 1), np.inf)
        limits[0, len(self.pairs[0].target)] = largest_to_write(self.rules)
        return limits

    def steps(self, tables: Mapping[str, Floats], pen: Pen) -> PairSteps:
        source, there = self.source
        steps = PairSteps(self.batch(tables, pen), pen, there, self.aligned)
        target = self.input(tables[DECODER + VECTORS][:, self.reading.ids])  # (S, B, n, d_model)
        every = np.broadcast_to(source, (len(target), *source.shape))
        steps.predict(pen.read(every), pen.read(target))
        return steps

    def clear(self, steps: PairSteps) -> NDArray[np.bool_]:
        return self.predicts(steps)


# --- Starts learn side by side, and the first that passes is taken.


_STREAM: Final = 1_000_003  # apart from the seeds of one sentence
_KEPT_EVERY: Final = 20
# Two stacks one upon the other: shorter steps from smaller weights than for one sentence.
_LARGEST_RATE, _RATE_FOR_ONE_COMPONENT, _STEPS, _PULL, _SPREAD = 0.03, 0.14, 350, 0.005, 0.45


Build = Callable[[Mapping[str, Floats], Floats, Floats], EncoderDecoderModel]


def train_pair(
    task: TwoSentences, classes: Floats, build: Build, seed: int, tell: Callable[[int], None]
) -> dict[str, Floats] | None:
    """The weights of the first start that passes, with the "vectors" that words enter with and the "output".

    classes: where the target's vectors begin, the start token's first. build: the sheet's model from weights,
    vectors (the start token's first) and the output's vectors.
    """
    rate = min(_LARGEST_RATE, _RATE_FOR_ONE_COMPONENT / task.sizes.d_model)
    course = Course(rate, _STEPS, _PULL)
    for attempt, reach in enumerate(REACHES):
        tell(attempt)
        parameters = Parameters(task.shapes, {DECODER + VECTORS: classes}, reach, _SPREAD)
        moments = descend(task, parameters, course, STARTS, _STREAM + seed * len(REACHES) + attempt)
        kept = [moment for moment in moments if moment.step % _KEPT_EVERY == 0]
        for start, place in candidates(kept, course):
            tables = {name: table[start] for name, table in kept[place].tables.items()}
            vectors, output = tables.pop(DECODER + VECTORS), tables.pop(DECODER + OUTPUT)
            weights = tables | task.kept
            if passes(build(weights, vectors, output), task):
                return {**weights, "vectors": vectors, "output": output}
    return None


def passes(model: EncoderDecoderModel, task: TwoSentences) -> bool:
    """Whether a class can do it and gets the target word by word to its end, looking where it should."""
    try:
        calculation = calculate_encoder_decoder(model)
        start = replace(model, tokens=model.tokens[:1], embedding=model.embedding[:1])
        written = translate(start, model.n_tokens)
    except CalculationError:
        return False
    if largest_scaled(calculation) >= LARGEST_SCALED:
        return False
    if not divides_well(calculation.hand, model.sizes.norm) or not is_clear(written, model):
        return False
    if not can_be_written(calculation.hand, DECODER, model.rules):
        return False
    winner = calculation.predicted()
    papers = simulate(calculation, PUPILS, _STREAM)
    if not all((np.atleast_2d(p["decoder.logit"].values).argmax(-1) == winner).all() for p in papers):
        return False
    weight = calculation.hand[f"decoder.block{model.sizes.n_blocks}.cross.head1.weight"].values
    return all(weight[row].argmax() == place for row, place in task.pairs[0].translates.items())


def is_clear(written: Translation, model: EncoderDecoderModel) -> bool:
    """The target's words and the end token, each clearly the most probable."""
    if written.text[1:] != (*model.tokens[1:], model.vocabulary[-1]):
        return False
    for round_ in written.rounds:
        name = f"round{round_.number}.decoder.temperature1.probability"
        ordered = np.sort(written.hand[name].values)
        if ordered[-1] < LEAST_PROBABILITY or ordered[-1] < LEAST_RATIO * ordered[-2]:
            return False
    return True
