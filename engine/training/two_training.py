"""Pairs of sentences go in; an encoder–decoder that writes the targets word by word comes out, or None."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from engine.forward.calculation import calculate_encoder_decoder
from engine.forward.playable import LARGEST_SCALED, divides_well, largest_scaled
from engine.judging.acceptance import simulate
from engine.model.encoder_decoder_model import DECODER, EncoderDecoderModel
from engine.model.weights import Weights
from engine.numbers.arrays import CalculationError, Floats
from engine.texts.translation import Translation, translate
from engine.training.criteria import LEAST_PROBABILITY, LEAST_RATIO
from engine.training.descent import Course, descend
from engine.training.examination import PUPILS, can_be_written
from engine.training.parameters import Parameters
from engine.training.training import REACHES, STARTS, candidates
from engine.training.two_sentences import OUTPUT, VECTORS, TwoSentences

_STREAM: Final = 1_000_003  # apart from the seeds of one sentence
_KEPT_EVERY: Final = 20
# Two stacks one upon the other: shorter steps from smaller weights than for one sentence.
_LARGEST_RATE, _RATE_FOR_ONE_COMPONENT, _STEPS, _PULL, _SPREAD = 0.03, 0.14, 350, 0.005, 0.45


@dataclass(frozen=True)
class TrainedPair:
    """vectors: of the start token and every target word, (V + 1, d_model). output: (V, d_model)."""

    weights: Weights
    vectors: Floats
    output: Floats
    starts: int


Build = Callable[[Mapping[str, Floats], Floats, Floats], EncoderDecoderModel]


def train_pair(
    task: TwoSentences, classes: Floats, build: Build, seed: int, tell: Callable[[int], None]
) -> TrainedPair | None:
    """The first start that passes. classes: where the target's vectors begin, the start token's first.

    build: the sheet's model from weights, vectors (the start token's first) and the output's vectors.
    """
    rate = min(_LARGEST_RATE, _RATE_FOR_ONE_COMPONENT / task.sizes.d_model)
    course = Course(rate, _STEPS, _PULL)
    for attempt, reach in enumerate(REACHES):
        tell(attempt)
        parameters = Parameters(task.shapes, {VECTORS: classes}, reach, _SPREAD)
        moments = descend(task, parameters, course, STARTS, _STREAM + seed * len(REACHES) + attempt)
        kept = [moment for moment in moments if moment.step % _KEPT_EVERY == 0]
        for start, place in candidates(kept, course):
            tables = {name: table[start] for name, table in kept[place].tables.items()}
            vectors, output = tables.pop(VECTORS), tables.pop(OUTPUT)
            weights = tables | task.kept
            if passes(build(weights, vectors, output), task):
                return TrainedPair(weights, vectors, output, (attempt + 1) * STARTS)
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
