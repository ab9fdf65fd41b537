"""A seed goes in; texts, two sentences or a lesson come out, by turns, with varying sizes and styles."""

from dataclasses import replace

import numpy as np
from engine_learning.random_models import two_sentences

from acceptance.configurations import configuration
from engine.backward.backward import DEFAULT_RATES, Lesson
from engine.backward.gradient_step import learn
from engine.forward.calculation import all_passes, draw_playable
from engine.forward.encoder_decoder import calculate_encoder_decoder
from engine.numbers.arrays import CalculationError
from engine.texts.generation import drawn_end
from engine.texts.translation import target_rounds, translate
from generator.calculation.later_stations import choices, texts

KINDS = ("texts", "two", "ausgabe", "attention", "alles", "alles of two")


def further_configuration(seed: int):
    """The same seed gives the same calculation: a sentence, and what one later station adds."""
    rng = np.random.default_rng([seed, 3])
    sentence = configuration(seed)
    model, kind = sentence.model, KINDS[seed % len(KINDS)]
    if kind == "texts":
        end = drawn_end(model, "<Ende>", seed) if rng.random() < 0.5 else None
        ways = choices(model.rules.temperatures, int(rng.integers(1, 6)), float(rng.choice([0.6, 0.9])), seed)
        return alone(sentence, texts(model, ways, 3, end, (), None))
    if kind == "two" or kind.endswith("two"):
        pair = two(seed, model.rules.places)
        if kind == "two":
            start = replace(pair.model, tokens=pair.model.tokens[:1], embedding=pair.model.embedding[:1])
            return alone(sentence, pair, target_rounds(translate(start, 3)))
        return alone(sentence, lesson_of(pair.model, "alles", rng))
    return alone(sentence, lesson_of(model, kind, rng))


def two(seed, places):
    return draw_playable(
        lambda attempt: two_sentences(
            seed + 1000 * attempt, sheet=True, places=places, temperatures=(1.0, 2.0)
        ),
        calculate_encoder_decoder,
    )


def lesson_of(model, path, rng):
    """The first lesson that can be computed, from a word on that is drawn."""
    words = rng.permutation(len(model.vocabulary))
    for word in words:
        try:
            return learn(model, Lesson(int(word), DEFAULT_RATES[path], path))
        except CalculationError as error:
            refusal = error
    raise refusal


def alone(sentence, *further):
    """Only what the further passes add: the sentence has a validation of its own."""
    calculation = all_passes(sentence, further)
    (first, _), *rest = calculation.passes
    passes = ((first, ()), *rest)
    names = {name for _, each in rest for name in each}
    hand = type(calculation.hand)()
    for name, quantity in calculation.hand.items():
        if name in names:
            hand.note(quantity)
    return replace(calculation, hand=hand, passes=passes)
