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


class Draw:
    """sheet: numbers as on a sheet; options: of the rules, where they are not drawn."""

    def __init__(self, kind, seed, sheet, options):
        self.rng, self.seed, self.sheet = np.random.default_rng([kind, seed]), seed, sheet
        d, heads, d_ff = SIZES[int(self.rng.integers(len(SIZES)))]
        self.sizes = Sizes(d, heads, d_ff, int(self.rng.choice([1, 1, 1, 2, 2, 3])))
        mask, scaling, positions = self.rng.random(3) < (0.7, 0.8, 0.7)
        drawn = {"causal_mask": bool(mask), "scaling": bool(scaling), "positions": bool(positions)}
        self.rules = Rules(**drawn | options)

    def up_to(self, most, least=1):
        return int(self.rng.integers(least, most + 1))

    def vectors(self, n):
        shape = n, self.sizes.d_model
        return self.rng.integers(-9, 10, size=shape) / 10 if self.sheet else self.rng.normal(size=shape)

    def weights(self, shapes, make):
        if self.sheet:
            return make(self.sizes, STYLES[self.seed % 3], self.rng)
        found = {name: self.rng.normal(0, 0.7, size=shape) for name, shape in shapes(self.sizes).items()}
        return {n: abs(w) + 0.5 if n.endswith("gamma") else w for n, w in found.items()}


def one_sentence(seed, sheet=False, **options):
    draw, ids = Draw(11, seed, sheet, options), [0]
    for _ in range(draw.up_to(5) - 1):  # by order of appearance, some of them repeated
        ids.append(draw.up_to(max(ids) + 1, 0))
    weights = draw.weights(weight_shapes, make_weights)
    return Model(draw.sizes, tuple(f"w{i}" for i in ids), draw.vectors(5)[ids], weights, draw.rules)


def two_sentences(seed, sheet=False, **options):
    draw = Draw(12, seed, sheet, options)
    n_source, n_words = draw.up_to(5), draw.up_to(4, 2)
    ids = [draw.up_to(n_words - 2, 0) for _ in range(draw.up_to(4) - 1)]
    vocabulary, vectors = tuple(f"v{i}" for i in range(n_words)), draw.vectors(n_words)
    return EncoderDecoderModel(
        sizes=draw.sizes,
        source_tokens=tuple(f"s{i}" for i in range(n_source)),
        source_embedding=draw.vectors(n_source),
        tokens=(START, *(vocabulary[i] for i in ids)),
        embedding=np.vstack([draw.vectors(1), vectors[ids]]),
        vocabulary=vocabulary,
        vocabulary_embedding=vectors,
        weights=draw.weights(encoder_decoder_shapes, make_encoder_decoder_weights),
        rules=draw.rules,
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
