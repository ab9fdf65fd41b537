"""Drawn numbers are playable: every hand step can be computed and |scaled| stays below 4."""

import numpy as np
import pytest

from engine.forward.calculation import LARGEST_SCALED, calculate, draw_playable, largest_scaled
from engine.model.model import Model, Sizes
from engine.model.rules import Rules
from engine.model.weights import make_weights
from engine.numbers.arrays import CalculationError
from generator.calculation.build import build
from generator.options.options import Options

SENTENCES = (
    "Die Katze sitzt auf der Matte",
    "Vögel singen",
    "Warum ist der Himmel blau?",
    "Wenn Fliegen hinter Fliegen fliegen fliegen Fliegen Fliegen nach",
    "Am ersten Tag nach den langen Ferien treffen sich alle Kinder der fünften Klasse "
    "auf dem großen Hof und erzählen einander lachend viele Geschichten",
)
SIZES = ((2, 1), (2, 2), (4, 2), (6, 3), (8, 1), (8, 4), (16, 4))


QUIET = [[0.1, 0.2, 0.3, 0.4], [0.4, 0.1, 0.2, 0.9], [0.5, 0.5, 0.1, 0.2]]
LOUD = [[2.0, 2.0, 2.0, 2.5], [2.0, 1.0, 2.0, 2.2], [1.0, 2.0, 2.2, 2.0]]
FLAT = [[0.5, 0.5, 0.5, 0.503]] * 3  # a spread that rounds to 0: the normalisation would divide by it


def model(vectors):
    sizes = Sizes(4, 2, 8, 1)
    weights = make_weights(sizes, "auswahl", np.random.default_rng(0))
    return Model(sizes, ("eins", "zwei", "drei"), np.array(vectors), weights, Rules(positions=False))


DRAWN = [  # every sentence and every style once
    pytest.param(
        sentence,
        style,
        marks=() if style == ("auswahl", "dezimal", "ganzzahlig")[place % 3] else pytest.mark.thorough,
        id=f"{len(sentence.split())} words-{style}",
    )
    for place, sentence in enumerate(SENTENCES)
    for style in ("auswahl", "ganzzahlig", "dezimal")
]


@pytest.mark.parametrize(("sentence", "style"), DRAWN)
def test_whatever_is_drawn_can_be_played(sentence, style):
    first = SENTENCES.index(sentence) % 3
    for seed, (dimension, heads) in list(enumerate(SIZES))[first::3]:
        options = Options(
            satz=sentence,
            dimension=dimension,
            heads=heads,
            gewichte=style,
            startwert=seed,
            bloecke=1 + seed % 2,
        )
        assert largest_scaled(build(options).calculation) < LARGEST_SCALED


def test_the_first_playable_draw_is_taken():
    draws = [LOUD, FLAT, LOUD, QUIET, QUIET]
    drawn = []

    def make(attempt):
        drawn.append(attempt)
        return model(draws[attempt])

    calculation = draw_playable(make, calculate)
    assert drawn == [0, 1, 2, 3]
    assert calculation.model.embedding.tolist() == QUIET
    assert largest_scaled(calculation) < LARGEST_SCALED <= largest_scaled(calculate(model(LOUD)))


def test_where_no_draw_is_quiet_the_first_that_can_be_computed_is_taken():
    calculation = draw_playable(lambda attempt: model(LOUD if attempt else FLAT), calculate)
    assert calculation.model.embedding.tolist() == LOUD


def test_where_nothing_can_be_computed_the_cell_is_named():
    with pytest.raises(CalculationError) as caught:
        draw_playable(lambda attempt: model(FLAT), calculate)
    assert caught.value.kind == "zero_divisor"
    assert caught.value.name in calculate(model(QUIET)).hand
    assert len(caught.value.index) == 2


def test_a_wrong_shape_is_no_matter_of_drawing():
    drawn = []

    def make(attempt):
        drawn.append(attempt)
        return model([[1.0, 2.0, 3.0, 4.0]])

    with pytest.raises(CalculationError) as caught:
        draw_playable(make, calculate)
    assert (caught.value.kind, caught.value.name) == ("shape", "embedding")
    assert drawn == [0]
