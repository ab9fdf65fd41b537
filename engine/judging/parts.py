"""A model goes in; what comes out with parts of it switched off, and which of its parts it needs, come out.

A part is named by what it writes: „block1.head2.output“, „block1.ffn.output“. Switched off, it writes zeros.
All is in school arithmetic, so that a class finds the same numbers.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.forward.encoder_decoder import EncoderDecoder
from engine.forward.forward import Forward
from engine.model.model import AnyModel, EncoderDecoderModel, Model, Sizes
from engine.numbers.arrays import Array, Floats
from engine.pens.pens import Pen, SchoolPen, Visible
from engine.trace import DECODER, ENCODER, Kind, Trace, place_of

Parts = Collection[str]
MOST_LEFT: Final = 0.5  # of a word's probability without a head that it needs
MOST_LEFT_WITHOUT_NETWORK: Final = 0.8


class WithoutParts(Forward):
    """choices: of A runs the parts that are off; heads, networks and what follows have the leading axis A."""

    def __init__(self, model: AnyModel, pen: Pen, choices: Sequence[Parts]) -> None:
        super().__init__(model, pen)
        self.choices = choices

    def write(self, name: str, value: Array, kind: Kind, visible: Visible = None) -> Array:
        place = place_of(name)
        if place.last == "output" and (place.head or place.layer == "ffn"):
            on = np.array([name not in off for off in self.choices], dtype=np.int64)
            value = value * on[:, None, None]
        return super().write(name, value, kind, visible)


def heads_of(sizes: Sizes, attention: str = "") -> tuple[str, ...]:
    """The names of all heads; attention: "" or what stands before them, „decoder.block{}.cross.“."""
    prefix = attention or "block{}."
    blocks, heads = range(1, sizes.n_blocks + 1), range(1, sizes.n_heads + 1)
    return tuple(f"{prefix.format(block)}head{head}.output" for block in blocks for head in heads)


def cross_heads_of(sizes: Sizes) -> tuple[str, ...]:
    """The heads of an encoder–decoder that look at the source."""
    return heads_of(sizes, DECODER + "block{}.cross.")


def pair_heads_of(sizes: Sizes) -> tuple[str, ...]:
    """All heads of an encoder–decoder."""
    own = (heads_of(sizes, prefix) for prefix in (ENCODER + "block{}.", DECODER + "block{}.self."))
    return (*(head for heads in own for head in heads), *cross_heads_of(sizes))


def networks_of(sizes: Sizes) -> tuple[str, ...]:
    """The names of the feed-forward networks of one sentence's blocks."""
    return tuple(f"block{block}.ffn.output" for block in range(1, sizes.n_blocks + 1))


def traces_without(model: Model, *choices: Parts) -> Trace:
    """The way to the next word at temperature 1 with each choice of parts off, see `WithoutParts`.

    CalculationError where a step cannot be computed so.
    """
    steps = WithoutParts(model, SchoolPen(model.rules.places), choices)
    with np.errstate(all="ignore"):
        steps.probabilities("", steps.logits("", steps.blocks(steps.input())), 1.0)
    return steps.pen.trace


def probabilities_without(model: Model, *choices: Parts) -> Floats:
    """Of the next word at temperature 1 with each choice of parts off, (A, V). CalculationError as above."""
    found = traces_without(model, *choices)["temperature1.probability"].values
    return np.broadcast_to(found, (len(choices), found.shape[-1]))


class PairWithoutParts(WithoutParts, EncoderDecoder):
    """A pass with two sentences of which parts are off."""


def begun_pair(model: EncoderDecoderModel, tokens: int) -> EncoderDecoderModel:
    """The same before the first so many target tokens, the start token among them."""
    return replace(model, tokens=model.tokens[:tokens], embedding=model.embedding[:tokens])


def pair_probabilities_without(model: EncoderDecoderModel, *choices: Parts) -> Floats:
    """Of the next target word at temperature 1 with each choice of parts off, (A, V).

    CalculationError as above.
    """
    steps = PairWithoutParts(model, SchoolPen(model.rules.places), choices)
    with np.errstate(all="ignore"):
        logit = steps.logits(DECODER, steps.decode(steps.encode()))
        steps.probabilities(DECODER, logit, 1.0)
    found = steps.pen.trace[DECODER + "temperature1.probability"].values
    return np.broadcast_to(found, (len(choices), found.shape[-1]))


def is_needed(word: int, probability: float, without: Floats, left: float = MOST_LEFT) -> bool:
    """Without a part another word is likeliest, or the word has at most the share `left` of its probability.

    without: the words' probabilities without it, (V,).
    """
    return another_is_likeliest(word, without) or bool(without[word] <= left * probability)


def another_is_likeliest(word: int, probabilities: Floats) -> bool:
    return bool(np.delete(probabilities, word).max(initial=0.0) > probabilities[word])


def parts_not_needed(model: Model, word: int) -> tuple[str, ...]:
    """The heads that a word does without, „attention“ for all heads at once, and the networks.

    CalculationError where a step cannot be computed without one of them.
    """
    heads, networks = heads_of(model.sizes), networks_of(model.sizes)
    every, nowhere, *single = probabilities_without(
        model, (), heads, *((part,) for part in (*heads, *networks))
    )
    least = dict.fromkeys(heads, MOST_LEFT) | dict.fromkeys(networks, MOST_LEFT_WITHOUT_NETWORK)
    probability = float(every[word])
    found = [
        part
        for (part, left), without in zip(least.items(), single, strict=True)
        if not is_needed(word, probability, without, left)
    ]
    return (*found, *["attention"] * (not another_is_likeliest(word, nowhere)))


# --- Numbers that say nothing


def dead_units(activation: Floats, weights: Mapping[str, Floats], prefix: str) -> NDArray[np.bool_]:
    """Hidden units that no token wakes, that none leaves asleep, that nobody hears, or that copy one before.

    activation: of a sentence's tokens, (n, d_ff). prefix: „block1.ffn.“. What comes out: (d_ff,).
    """
    awake = activation > 0
    W_1, b_1, W_2 = (weights[prefix + name] for name in ("W_1", "b_1", "W_2"))
    dead = ~awake.any(0) | awake.all(0) | ~W_2.any(1)
    return np.asarray(dead | copies(W_1, b_1))


def copies(W_1: Floats, b_1: Floats) -> NDArray[np.bool_]:
    """Hidden units that copy one before, (…, d_ff)."""
    rows = np.concatenate([W_1, b_1[..., None, :]], axis=-2).swapaxes(-1, -2)  # (…, d_ff, d_model + 1)
    length = np.linalg.norm(rows, axis=-1, keepdims=True)
    direction = rows / np.where(length > 0, length, 1.0)
    alike = direction @ direction.swapaxes(-1, -2) > 1 - 1e-9  # (…, d_ff, d_ff)
    return np.asarray(np.tril(alike, -1).any(-1))


def dead_components(trace: Trace, head: str) -> tuple[str, ...]:
    """Components of a head's queries, keys and values that are 0 for every token: „query1“, …"""
    return tuple(
        f"{name}{place + 1}"
        for name in ("query", "key", "value")
        for place in np.flatnonzero(~trace[head + name].values.any(0)).tolist()
    )
