"""Loss, gradients and one step of learning, where --lernen or station 11 asks for them, for build.py."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final, cast

import numpy as np

from engine.backward.backward import DEFAULT_RATES, Lesson, Path
from engine.backward.gradient_step import Learning, learn, next_word_to_learn
from engine.forward.calculation import Calculation, divides_well
from engine.forward.encoder_decoder import EncoderDecoderCalculation
from engine.model.model import Model
from engine.numbers.arrays import CalculationError, Floats
from engine.trace import CellAddress, Operation, place_of
from engine.training.examination import LARGEST_EXP
from generator.basics.errors import UserError, listed, quoted
from generator.basics.numbers import NumberFormat
from generator.calculation.later_stations import in_german
from generator.options.options import Options

STATION = "11"
_NO_STEP: Final = 1e-6
_OF_STEP: Final = ("step.", "after.")
_VISIBLE: Final = 0.02
_SMALLER_RATES: Final[Mapping[Path, tuple[float, ...]]] = {"attention": (0.2, 0.1), "alles": (0.05, 0.02)}
_PROBABILITY: Final = "temperature1.probability"
BEFORE: Final = "before."  # what the names of an earlier state begin with


def build_learning(options: Options, calculation: Calculation, earlier: Sequence[Model]) -> Learning | None:
    """One step of learning on the sentence's model; None where no lesson is asked for.

    earlier: states before the end of its training, if it was trained: the step is taken from one of them.
    UserError for a right word that the vocabulary lacks, a step that cannot be computed or that is too large.
    """
    path = path_of(options)
    if path is None:
        return None
    rate = DEFAULT_RATES[path] if options.lernrate is None else options.lernrate
    lesson = Lesson(_right_word(options, calculation), rate, path)
    smaller = _SMALLER_RATES.get(path, ()) if options.lernrate is None else ()
    from_earlier = most_instructive(earlier, replace(lesson, before=BEFORE), (rate, *smaller))
    if from_earlier is not None:
        return from_earlier
    return _learnt(options, calculation, lesson)


def most_instructive(states: Sequence[Model], lesson: Lesson, rates: Sequence[float]) -> Learning | None:
    """The lesson on the state whose step is best to see by hand; None where it cannot be computed in any.

    rates: the next one is tried where with the one before no state makes the right word visibly likelier.
    """
    found: list[Learning] = []
    for rate in rates:
        for model in states:
            with suppress(CalculationError):
                found.append(learn(model, replace(lesson, rate=rate)))
        best = max(found, key=instruction, default=None)
        if best is not None and _rise(best) >= _VISIBLE:
            break
    return best


def instruction(learning: Learning) -> tuple[bool, bool, bool, int, float]:
    """Nothing unfriendly; the right word becomes visibly likelier, and overtakes all others; few gradients of
    which rounding turns the sign; how much likelier it becomes.
    """
    hand, word, rise = learning.hand, learning.lesson.word, _rise(learning)
    before, after = (hand[at + _PROBABILITY].values.argmax() for at in (learning.lesson.before, "after."))
    exps = [exp.values.max() for exp in hand.by(Operation.EXP)]
    friendly = bool(divides_well(hand) and max(exps) <= LARGEST_EXP)
    visible = rise >= _VISIBLE
    overtakes = bool(visible and before != word and after == word)
    return friendly, visible, overtakes, -len(turned(learning)), rise


def turned(learning: Learning) -> list[CellAddress]:
    """The gradients whose sign is another by hand than without rounding."""
    names = (name for name in learning.names if place_of(name).way == "gradient.")
    return [
        (name, tuple(map(int, index)))
        for name in names
        for index in np.argwhere(learning.hand[name].values * learning.exact[name].values < 0)
    ]


def _rise(learning: Learning) -> float:
    """How much likelier the step makes the right word, by hand."""
    before, after = (learning.hand[at + _PROBABILITY].values for at in (learning.lesson.before, "after."))
    return float((after - before)[learning.lesson.word])


def build_learning_of_two(
    options: Options, calculation: EncoderDecoderCalculation, rate: float
) -> Learning | None:
    """The way back through decoder and encoder to the end token; None on the path that does not reach them.

    All weights learn, since only then the gradient reaches the encoder. On the path attention the step is of
    no use to the sheet and far smaller than anything that the forward pass after it could stumble over.

    rate: of the lesson of one sentence. UserError as there.
    """
    path = path_of(options)
    if path is None or path == "ausgabe":
        return None
    lesson = Lesson(next_word_to_learn(calculation), rate if path == "alles" else _NO_STEP, "alles")
    return _learnt(options, calculation, lesson)


def unused_of_two(learning: Learning) -> list[str]:
    """What no sheet shows of it: the step and what follows, where none is taken."""
    stepped = learning.lesson.rate != _NO_STEP
    return [name for name in learning.names if not stepped and place_of(name).way in _OF_STEP]


def path_of(options: Options) -> Path | None:
    """The path of --lernen; the output layer alone where only station 11 is named."""
    return cast("Path | None", options.lernen or ("ausgabe" if STATION in options.stationen else None))


def _right_word(options: Options, calculation: Calculation) -> int:
    vocabulary = calculation.model.vocabulary
    right = options.richtig or (options.next_word if options.learns else None)
    if right is None:
        return _default_word(calculation)
    alike = [i for i, word in enumerate(vocabulary) if word.casefold() == right.casefold()]
    exact = [i for i in alike if vocabulary[i] == right]
    if not alike:
        raise UserError(
            f"--richtig {quoted(right)} steht nicht im Vokabular des Modells; möglich sind "
            f"{listed(vocabulary)}."
        )
    return (exact or alike)[0]


def _default_word(calculation: Calculation) -> int:
    """The first word that the step can visibly teach: with a vector of its own, and not predicted already.

    Words with the same vector have the same logit, whatever the blocks learn. The first word where all share
    theirs.
    """
    vectors, predicted = calculation.model.vocabulary_embedding, calculation.predicted()
    probability = calculation.hand.get(calculation.before + _PROBABILITY)
    for word in range(len(vectors)):
        possible = probability is None or probability.values[word] > 0
        if possible and word != predicted and not vector_twins(vectors, word):
            return word
    return next_word_to_learn(calculation)


def vector_twins(vectors: Floats, word: int) -> list[int]:
    """The other words whose output vector is the same."""
    same = np.flatnonzero((vectors == vectors[word]).all(-1))
    return [int(each) for each in same if each != word]


def _learnt(
    options: Options, calculation: Calculation | EncoderDecoderCalculation, lesson: Lesson
) -> Learning:
    try:
        return learn(calculation.model, lesson)
    except CalculationError as error:
        refused = in_german(error, options)
        if place_of(error.name).way in _OF_STEP:
            rate = NumberFormat(options.dezimalzeichen).text(lesson.rate, None)
            refused = UserError(
                f"--lernrate {rate} ist zu groß: Nach dem Schritt lassen sich die Vorhersage und ihr Loss "
                "nicht mehr rechnen; es geht mit einer kleineren Rate."
            )
        elif error.kind == "logarithm":
            word = quoted(calculation.model.vocabulary[lesson.word])
            refused = UserError(
                f"--richtig {word} hat gerundet die Wahrscheinlichkeit 0, und ln 0 gibt es nicht; es geht "
                "mit einem anderen Wort."
            )
        raise refused from error
