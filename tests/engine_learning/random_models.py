"""Random models with one and with two sentences, by seed: any numbers, or numbers as on a sheet."""

import numpy as np
from acceptance.configurations import example

from engine.model.model import EncoderDecoderModel, Model, Sizes, encoder_decoder_shapes, weight_shapes
from engine.model.rules import Rules
from engine.model.weights import make_encoder_decoder_weights, make_weights

SIZES = [(2, 1, 3), (3, 1, 4), (4, 2, 5), (4, 1, 3), (4, 4, 4), (6, 3, 4), (6, 2, 5)]
STYLES = ("auswahl", "ganzzahlig", "dezimal")
START, END = "<Start>", "<Ende>"
VECTORS = {
    START: [0.5, 0.1, 0.2, 0.0],
    "The": [0.9, 0.1, 0.0, 0.1],
    "cat": [0.0, 0.9, 0.1, 0.2],
    "sits": [0.0, 0.1, 0.9, 0.0],
    END: [0.1, 0.0, 0.1, 0.5],
}


def random_sizes(rng):
    d, heads, d_ff = SIZES[int(rng.integers(len(SIZES)))]
    return Sizes(d, heads, d_ff, int(rng.choice([1, 1, 1, 2, 2, 3])))


def switches(rng):
    return {
        "causal_mask": bool(rng.random() < 0.7),
        "scaling": bool(rng.random() < 0.8),
        "positions": bool(rng.random() < 0.7),
    }


def any_numbers(shapes, rng):
    weights = {name: rng.normal(0, 0.7, size=shape) for name, shape in shapes.items()}
    for name in weights:
        if name.endswith("gamma"):
            weights[name] = rng.uniform(0.5, 1.5, size=weights[name].shape)
    return weights


def sheet_numbers(n, d, rng):
    return rng.integers(-9, 10, size=(n, d)) / 10


def distinct_words(n_words, length, rng):
    """IDs by order of appearance, some of them repeated."""
    ids = [0]
    while len(ids) < length:
        ids.append(int(rng.integers(0, min(max(ids) + 1, n_words - 1) + 1)))
    return ids


def one_sentence(seed, sheet=False, **options):
    rng = np.random.default_rng([11, seed])
    sizes = random_sizes(rng)
    ids = distinct_words(5, int(rng.integers(1, 6)), rng)
    vectors = sheet_numbers(5, sizes.d_model, rng) if sheet else rng.normal(size=(5, sizes.d_model))
    style = STYLES[seed % 3]
    weights = make_weights(sizes, style, rng) if sheet else any_numbers(weight_shapes(sizes), rng)
    return Model(
        sizes, tuple(f"w{i}" for i in ids), vectors[ids], weights, rules=Rules(**{**switches(rng), **options})
    )


def two_sentences(seed, sheet=False, **options):
    rng = np.random.default_rng([12, seed])
    sizes = random_sizes(rng)
    d = sizes.d_model
    n_source, n_target, n_words = int(rng.integers(1, 6)), int(rng.integers(1, 5)), int(rng.integers(2, 5))
    ids = rng.integers(0, n_words - 1, size=n_target - 1)
    vocabulary = tuple(f"v{i}" for i in range(n_words))
    draw = sheet_numbers if sheet else lambda n, d, rng: rng.normal(size=(n, d))
    vectors = draw(n_words, d, rng)
    shapes = encoder_decoder_shapes(sizes)
    weights = (
        make_encoder_decoder_weights(sizes, STYLES[seed % 3], rng) if sheet else any_numbers(shapes, rng)
    )
    return EncoderDecoderModel(
        sizes=sizes,
        source_tokens=tuple(f"s{i}" for i in range(n_source)),
        source_embedding=draw(n_source, d, rng),
        tokens=(START, *(vocabulary[i] for i in ids)),
        embedding=np.vstack([draw(1, d, rng), vectors[ids]]),
        vocabulary=vocabulary,
        vocabulary_embedding=vectors,
        weights=weights,
        rules=Rules(**{**switches(rng), **options}),
    )


def example_translation(target=("The", "cat"), style="auswahl", **options):
    """The same sentence, and an English one so far."""
    one, tokens, vocabulary = example(), (START, *target), ("The", "cat", "sits", END)
    return EncoderDecoderModel(
        sizes=one.sizes,
        source_tokens=one.tokens,
        source_embedding=one.embedding,
        tokens=tokens,
        embedding=np.array([VECTORS[token] for token in tokens]),
        vocabulary=vocabulary,
        vocabulary_embedding=np.array([VECTORS[word] for word in vocabulary]),
        weights=make_encoder_decoder_weights(one.sizes, style, np.random.default_rng(0)),
        rules=Rules(**options),
    )
