"""Encoder–decoder: checks of the model, its weights; its numbers are judged in engine_learning/."""

from dataclasses import replace

import numpy as np
import pytest
from engine_learning.random_models import START, STYLES, example_translation

from engine.forward.encoder_decoder import EncoderDecoder, calculate_encoder_decoder
from engine.model.model import Sizes, encoder_decoder_shapes
from engine.model.weights import make_encoder_decoder_weights, make_weights
from engine.numbers.arrays import CalculationError
from engine.numbers.decimals import Decimals
from engine.pens.pens import SchoolPen


@pytest.mark.parametrize("style", STYLES)
def test_default_weights_have_the_shapes_and_entries_of_the_style(style):
    """Of the encoder those of one sentence; chosen ones look in the cross attention at what is like them."""
    sizes = Sizes(6, 3, 4, 2)
    weights = make_encoder_decoder_weights(sizes, style, np.random.default_rng(3))
    assert {name: matrix.shape for name, matrix in weights.items()} == encoder_decoder_shapes(sizes)
    for name, matrix in make_weights(sizes, style, np.random.default_rng(3)).items():
        moves = name.endswith(("W_Q", "W_K")) and style == "auswahl"
        assert np.array_equal(weights["encoder." + name], matrix) != moves, name
    for name, matrix in weights.items():
        assert Decimals.from_floats(matrix).places <= (style == "dezimal")
        if style == "auswahl" and ".cross." in name and name.endswith("W_Q"):
            assert np.array_equal(matrix, weights[name.replace("W_Q", "W_K")])


MODEL, OTHER = example_translation(), "decoder.block1.cross.head2.W_K"
SILENT = replace(MODEL, weights={name: np.zeros_like(matrix) for name, matrix in MODEL.weights.items()})
SPREAD = ("encoder.block1.norm2.output", (0, 0))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"source_tokens": ("a",)}, ("shape", "encoder.embedding", ())),
        ({"source_tokens": (), "source_embedding": np.zeros((0, 4))}, ("shape", "encoder.embedding", ())),
        ({"tokens": (START,)}, ("shape", "decoder.embedding", ())),
        ({"vocabulary": ("a",)}, ("shape", "decoder.vocabulary_embedding", ())),
        ({"tokens": (START, "The", "dog")}, ("vocabulary", "decoder.embedding", (2,))),
        ({"tokens": (START, "The", "<Ende>")}, ("vocabulary", "decoder.embedding", (2,))),
        ({"embedding": MODEL.embedding + 0.1}, ("vocabulary", "decoder.embedding", (1,))),
        ({"weights": {**MODEL.weights, OTHER: np.eye(4)}}, ("shape", OTHER, ())),
    ],
)
def test_models_that_do_not_fit_are_refused(changes, said):
    with pytest.raises(CalculationError) as caught:
        replace(MODEL, **changes)
    assert (caught.value.kind, caught.value.name, caught.value.index) == said


def test_a_spread_of_zero_is_named():
    for kind, calculates in (
        ("zero_divisor", EncoderDecoder(SILENT, SchoolPen(2)).run),
        ("not_finite", lambda: calculate_encoder_decoder(SILENT)),
    ):
        with pytest.raises(CalculationError) as caught:
            calculates()
        assert (caught.value.kind, caught.value.name, caught.value.index) == (kind, *SPREAD)
