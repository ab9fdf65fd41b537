"""Encoder–decoder: both arithmetics against independent calculations, checks of the model, the weights."""

from dataclasses import replace

import numpy as np
import pytest
from engine_learning.decimal_forward import forward_of_two
from engine_learning.plain_transformer import Taps, two_sentence_loss
from engine_learning.random_models import START, STYLES, example, example_translation, two_sentences
from reference.arithmetics import NotPlayableError

from engine.forward.calculation import calculate_encoder_decoder
from engine.forward.encoder_decoder import EncoderDecoder
from engine.model.model import Sizes, encoder_decoder_shapes
from engine.model.weights import make_encoder_decoder_weights, make_weights
from engine.numbers.arrays import CalculationError
from engine.numbers.decimals import Decimals
from engine.pens.pens import ExactPen, SchoolPen

SHARE = 40
FIRST = [0, SHARE, *(pytest.param(n * SHARE, marks=pytest.mark.thorough) for n in range(2, 5))]


@pytest.mark.parametrize("first", FIRST)
def test_exact_values_are_those_of_an_independent_calculation(first):
    lengths = set()
    for seed in range(first, first + SHARE):
        model = two_sentences(seed, temperatures=(1.0,))
        lengths.add(np.sign(model.n_source - model.n_tokens))
        trace = EncoderDecoder(model, ExactPen()).run()
        weights = {**model.weights, "decoder.vocabulary_embedding": model.vocabulary_embedding}
        tap = Taps()
        losses = [two_sentence_loss(weights, model, word, tap) for word in range(len(model.vocabulary))]
        between = (".input", ".source", ".normalised")  # taps that are no quantities of their own
        compared = [n for n in tap.seen if not n.endswith(between)] + ["encoder.input", "decoder.input"]
        for name in compared:
            quantity = trace[name]
            hidden = np.zeros(quantity.values.shape, bool) if quantity.visible is None else ~quantity.visible
            wanted = np.where(hidden, 0, tap.seen[name])
            np.testing.assert_allclose(quantity.values, wanted, rtol=1e-8, atol=1e-9, err_msg=name)
        np.testing.assert_allclose(
            trace["decoder.temperature1.probability"].values, np.exp(-np.array(losses)), rtol=1e-8, atol=1e-12
        )
    assert lengths == {-1, 0, 1}


@pytest.mark.parametrize("first", FIRST)
def test_hand_values_are_those_of_decimal(first):
    playable = 0
    for seed in range(first, first + SHARE):
        model = two_sentences(seed, sheet=True, places=1 + seed % 5)
        try:
            notes = forward_of_two(model)
        except NotPlayableError:
            with pytest.raises(CalculationError):
                EncoderDecoder(model, SchoolPen(model.rules.places)).run()
            continue
        playable += 1
        trace = EncoderDecoder(model, SchoolPen(model.rules.places)).run()
        assert set(trace) == set(notes)
        for name, quantity in trace.items():
            wanted = np.array(notes[name], dtype=object)
            hidden = wanted == None  # noqa: E711
            assert np.array_equal(quantity.values, np.where(hidden, 0, wanted).astype(float)), name
            assert (quantity.visible is None) == (not hidden.any()) or not (~quantity.visible).any()
            if quantity.visible is not None:
                assert np.array_equal(~quantity.visible, hidden)
            shape = tuple(axis_length(model, axis) for axis in quantity.axes)
            assert quantity.values.shape == shape, name
            assert Decimals.from_floats(quantity.values).places <= quantity.places
    assert playable >= SHARE // 2


def axis_length(model, axis):
    sizes = model.sizes
    return {
        "source_token": model.n_source,
        "target_token": model.n_tokens,
        "dim": sizes.d_model,
        "head_dim": sizes.d_head,
        "hidden": sizes.d_ff,
        "word": len(model.vocabulary),
    }[axis]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("sizes", [Sizes(4, 2, 8, 1), Sizes(3, 1, 5, 2), Sizes(6, 3, 4, 3)])
def test_default_weights_have_the_shapes_and_entries_of_the_style(style, sizes):
    weights = make_encoder_decoder_weights(sizes, style, np.random.default_rng(3))
    assert {name: matrix.shape for name, matrix in weights.items()} == encoder_decoder_shapes(sizes)
    first = make_weights(sizes, style, np.random.default_rng(3))
    drawn = style != "auswahl"
    for name, matrix in first.items():
        moves = name.endswith(("W_Q", "W_K")) and not drawn
        assert np.array_equal(weights["encoder." + name], matrix) != moves, name
    places = 1 if style == "dezimal" else 0
    for matrix in weights.values():
        assert Decimals.from_floats(matrix).places <= places
    if style == "auswahl":
        for name in weights:
            if ".cross." in name and name.endswith("W_Q"):
                assert np.array_equal(weights[name], weights[name.replace("W_Q", "W_K")])


def refused(**changes):
    with pytest.raises(CalculationError) as caught:
        replace(example_translation(), **changes)
    return caught.value.kind, caught.value.name, caught.value.index


def test_models_that_do_not_fit_are_refused():
    model = example_translation()
    assert refused(source_tokens=("a",)) == ("shape", "encoder.embedding", ())
    assert refused(source_tokens=(), source_embedding=np.zeros((0, 4))) == ("shape", "encoder.embedding", ())
    assert refused(tokens=(START,)) == ("shape", "decoder.embedding", ())
    assert refused(vocabulary=("a",)) == ("shape", "decoder.vocabulary_embedding", ())
    assert refused(tokens=(START, "The", "dog")) == ("vocabulary", "decoder.embedding", (2,))
    assert refused(tokens=(START, "The", "<Ende>")) == ("vocabulary", "decoder.embedding", (2,))
    assert refused(embedding=model.embedding + 0.1) == ("vocabulary", "decoder.embedding", (1,))
    name = "decoder.block1.cross.head2.W_K"
    smaller = {**model.weights, name: np.eye(4)}
    assert refused(weights=smaller) == ("shape", name, ())
    assert refused(weights=example().weights)[0] == "shape"


def test_a_spread_of_zero_is_named():
    model = example_translation()
    weights = {name: np.zeros_like(matrix) for name, matrix in model.weights.items()}
    model = replace(model, weights=weights)
    with pytest.raises(CalculationError, match=r"zero_divisor: encoder\.block1\.norm2\.output\[0, 0\]"):
        EncoderDecoder(model, SchoolPen(2)).run()
    with pytest.raises(CalculationError, match=r"not_finite: encoder\.block1\.norm2\.output\[0, 0\]"):
        calculate_encoder_decoder(model)
