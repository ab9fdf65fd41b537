"""All weights of a model by contract name, in one of three styles; and how many there are."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Final, Literal

import numpy as np

from engine.model.model import Sizes, encoder_decoder_shapes, weight_shapes
from engine.model.norms import LAYER_NORM, Norm
from engine.numbers.arrays import Floats
from engine.trace import DECODER, ENCODER, place_of

Style = Literal["auswahl", "ganzzahlig", "dezimal"]
Weights = dict[str, Floats]

# Feed-forward of the running example (d_model 4, d_ff 8): columns of W_1 as components with their signs.
_EXAMPLE_W_1: Final = ((1,), (2,), (3, -1), (4, -2), (1,), (2,), (3, -4), (4, -1))
_EXAMPLE_W_2: Final = {0: 0, 1: 1, 4: 2, 5: 3}  # hidden -> component, counted from 0


def make_weights(sizes: Sizes, style: Style, rng: np.random.Generator, calm: int = 0) -> Weights:
    """All weights of `weight_shapes` in one style.

    auswahl: each head picks components, W_O is the identity, no biases (nothing is drawn).
    ganzzahlig: sparse matrices with entries −1, 0, 1. dezimal: entries with one decimal place.
    calm: how many columns of each drawn W_Q stay empty, for sentences whose scores get too large otherwise.
    """
    if style == "auswahl":
        return _selection(sizes)
    weights = (_whole_numbers if style == "ganzzahlig" else _one_decimal)(sizes, rng)
    for name in weights:
        if place_of(name).last == "W_Q":
            weights[name][:, : min(calm, sizes.d_head)] = 0.0
    return weights


def _selection(sizes: Sizes) -> Weights:
    weights = plain_weights(weight_shapes(sizes), sizes.norm)
    for block in range(1, sizes.n_blocks + 1):
        for head in range(1, sizes.n_heads + 1):
            for W, components in zip(("W_Q", "W_K", "W_V"), picks(sizes, block, head), strict=True):
                matrix = np.zeros((sizes.d_model, len(components)))
                matrix[components, np.arange(len(components))] = 1.0
                weights[f"block{block}.head{head}.{W}"] = matrix
        weights[f"block{block}.ffn.W_1"], weights[f"block{block}.ffn.W_2"] = _feed_forward(sizes)
    return weights


def picks(sizes: Sizes, block: int, head: int) -> tuple[list[int], list[int], list[int]]:
    """Which components (from 0) queries, keys and values of a head take in the style `auswahl`.

    Queries take one run of neighbouring components, keys the next run, values every h-th component. With a
    single head the keys are shifted by half, so that a query meets components other than its own. With two
    components the values stay in place: exchanged, X + attention would have two equal ones and no spread.
    """
    d, d_head, h = sizes.d_model, sizes.d_head, sizes.n_heads
    turn = (head + block - 2) % h  # a further block begins with the next head's choice
    run = [turn * d_head + i for i in range(d_head)]
    shift = d_head if h > 1 else d // 2
    first = head % h if d > 2 else head - 1
    return run, [(i + shift) % d for i in run], [j for j in range(d) if j % h == first]


def _feed_forward(sizes: Sizes) -> tuple[Floats, Floats]:
    """W_1 takes components and their differences; W_2 sends the plain ones on, one to each component."""
    d, d_ff = sizes.d_model, sizes.d_ff
    W_1, W_2 = np.zeros((d, d_ff)), np.zeros((d_ff, d))
    if (d, d_ff) == (4, 8):
        for column, entry in enumerate(_EXAMPLE_W_1):
            for component in entry:
                W_1[abs(component) - 1, column] = np.sign(component)
        for hidden, target in _EXAMPLE_W_2.items():
            W_2[hidden, target] = 1.0
        return W_1, W_2
    for column in range(d_ff):
        component = column % d
        W_1[component, column] = 1.0
        if (column // d) % 2 == 1 and d > 1:  # every second round: a difference with the component before
            W_1[(component - 1) % d, column] -= 1.0
        if column < d:
            W_2[column, (column + d // 2) % d] = 1.0  # what is worked out lands on another component
    return W_1, W_2


def _whole_numbers(sizes: Sizes, rng: np.random.Generator) -> Weights:
    def draw(shape: tuple[int, ...]) -> Floats:
        """One or two entries ±1 in each column."""
        matrix = np.zeros(shape)
        for column in range(shape[1]):
            count = min(shape[0], int(rng.integers(1, 3)))
            rows = rng.choice(shape[0], size=count, replace=False)
            matrix[rows, column] = rng.choice([-1.0, 1.0, 1.0], size=count)
        return matrix

    weights = plain_weights(weight_shapes(sizes), sizes.norm)
    for name, shape in weight_shapes(sizes).items():
        if len(shape) == 2:
            weights[name] = draw(shape)
        elif place_of(name).layer == "ffn":
            weights[name] = rng.integers(-1, 2, size=shape).astype(np.float64)
    return weights


def _one_decimal(sizes: Sizes, rng: np.random.Generator) -> Weights:
    # At most 16 entries a column, the smaller the more they are: sums stay of the size of one.
    reach = max(1, round(18 / np.sqrt(min(sizes.d_model, 16))))

    def draw(shape: tuple[int, ...], low: int, high: int) -> Floats:
        return rng.integers(low, high + 1, size=shape) / 10.0

    def draw_matrix(rows: int, columns: int) -> Floats:
        matrix = draw((rows, columns), -min(9, reach), min(9, reach))
        if rows > 16:
            rank = rng.random((rows, columns)).argsort(axis=0)
            matrix[rank >= 16] = 0.0
        return matrix

    neutral = {name: round(10 * number) for name, number in sizes.norm.parameters.items()}
    weights: Weights = {}
    for name, shape in weight_shapes(sizes).items():
        kind = place_of(name).last
        if kind in neutral:
            weights[name] = draw(shape, neutral[kind] - 2, neutral[kind] + 2)
        elif len(shape) == 2:
            weights[name] = draw_matrix(*shape)
        else:
            weights[name] = draw(shape, -5, 5)
    return weights


def plain_weights(shapes: Mapping[str, tuple[int, ...]], norm: Norm) -> Weights:
    """Zeros everywhere, the identity as W_O, and a norm's vectors that change nothing."""
    return {
        name: np.eye(shape[0]) if kind == "W_O" else np.full(shape, norm.parameters.get(kind, 0.0))
        for name, shape in shapes.items()
        for kind in [place_of(name).last]
    }


def make_encoder_decoder_weights(
    sizes: Sizes, style: Style, rng: np.random.Generator, calm: int = 0
) -> Weights:
    """All weights of `encoder_decoder_shapes`, by the styles of `make_weights`.

    In the style auswahl a cross-attention head takes the same components as query and as key: a target word
    looks for source words that are like it; and the encoder has a choice of its own.
    """
    encoder, decoder, cross = (make_weights(sizes, style, rng, calm) for _ in range(3))
    if style == "auswahl":
        encoder = {name: _another_choice(name, matrix, sizes) for name, matrix in encoder.items()}
    weights = {ENCODER + name: matrix for name, matrix in encoder.items()}
    for name in encoder_decoder_shapes(sizes):
        place = place_of(name)
        if place.side != DECODER:
            continue
        of_one = {"self": "", "cross": "", "norm3": "norm2"}  # what a block of one sentence calls the layer
        last = "W_Q" if (style, place.layer, place.last) == ("auswahl", "cross", "W_K") else place.last
        plain = place._replace(side="", layer=of_one.get(place.layer, place.layer), last=last).name
        weights[name] = (cross if place.layer in ("cross", "norm2") else decoder)[plain]
    return weights


def _another_choice(name: str, matrix: Floats, sizes: Sizes) -> Floats:
    """Queries and keys one component further on, so that no number is that of the model of one sentence.

    A single head's scores would stay the same if its keys moved with its queries: they go one more.
    """
    last = place_of(name).last
    if last not in ("W_Q", "W_K") or sizes.d_model <= 2:
        return matrix
    further = 2 if sizes.n_heads == 1 and last == "W_K" else 1
    return np.roll(matrix, further, axis=0)


# --- How many numbers a model learns, ours and a large one


@dataclass(frozen=True)
class LargeModel:
    """Sizes of a trained model with its vocabulary and the longest text that it can see."""

    sizes: Sizes
    vocabulary: int
    context: int


# Radford et al., Language Models are Unsupervised Multitask Learners (2019), and the released weights.
GPT2_SMALL: Final = LargeModel(Sizes(768, 12, 3072, 12, LAYER_NORM), vocabulary=50_257, context=1024)
_IN_BLOCKS: Final = {"attention": r"\.W_[QKV]$", "W_O": r"\.W_O$", "ffn": r"\.W_[12]$", "norm": r"\.norm\d\."}


def count_parameters(sizes: Sizes, n_words: int, own_output: bool = False) -> dict[str, int]:
    """Parameters by component; biases of the feed-forward left out.

    own_output: words are predicted by vectors of their own.
    """
    found = dict.fromkeys(("embedding", "output") if own_output else ("embedding",), n_words * sizes.d_model)
    shapes = weight_shapes(sizes).items()
    for part, names in _IN_BLOCKS.items():
        found[part] = sum(prod(shape) for name, shape in shapes if re.search(names, name))
    return found


def count_gpt2_parameters() -> dict[str, int]:
    """The same for GPT-2: with learned positions, biases, a last norm, and the embedding as output matrix."""
    sizes = GPT2_SMALL.sizes
    d, d_ff, L = sizes.d_model, sizes.d_ff, sizes.n_blocks
    plain = count_parameters(sizes, GPT2_SMALL.vocabulary)
    biases = {"attention": L * 3 * d, "W_O": L * d, "ffn": L * (d_ff + d)}
    more = {"embedding": 0, "positions": GPT2_SMALL.context * d, **biases, "norm": 2 * d}
    return {part: plain.get(part, 0) + extra for part, extra in more.items()}
