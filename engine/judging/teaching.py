"""A calculation goes in; the named faults that make its numbers teach less than they could come out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.calculation.calculation import Calculation
from engine.judging.largest import largest
from engine.trace.trace import CellAddress

SHADES: Final = 6  # steps of the pattern behind a weight
KINDS: Final = (
    "zero_output",  # the feed-forward network gives a word nothing but zeros
    "idle_network",  # all its hidden units are 0 for a word, which gets the same as every such word
    "dead_unit",  # a hidden unit is 0 for all words
    "twin_units",  # a hidden unit is the same as an earlier one for all words
    "idle_norm",  # the second normalisation gives what the first has given
    "tied_weights",  # honest rounding allows several words as the one with the largest weight
    "even_weights",  # all weights of a row have the same shade
    "odd_pair",  # the most similar words are of different classes
    "same_word",  # the last word is predicted once more
    "same_logit",  # words have the same vector in the output, and so always the same probability
)
# Told to the teacher, but no reason to draw other numbers.
ONLY_TOLD: Final = frozenset({"idle_network", "same_logit"})


@dataclass(frozen=True)
class TeachingFault:
    """kind: one of KINDS. cells: where it shows; of units and words their places, else rows of a quantity."""

    kind: str
    cells: tuple[CellAddress, ...] = ()


def teaching_faults(
    calculation: Calculation, tokens: Sequence[int] | None = None, classes: Sequence[str] | None = None
) -> list[TeachingFault]:
    """What is named in KINDS, in that order.

    tokens: the words that pupils calculate, the one of the whole way last; without any the last word alone.
    classes: the word class of every token of the sentence; without them pairs of words are not judged.
    """
    wanted = list(tokens or [calculation.model.n_tokens - 1])
    found = [*_layers(calculation, wanted[-1]), *_rows(calculation, wanted)]
    if classes is not None:
        found += _pairs(calculation, classes)
    if calculation.predicted() == calculation.model.token_ids[-1]:
        found.append(TeachingFault("same_word", (("logit", (calculation.predicted(),)),)))
    found += _same_vectors(calculation)
    return sorted(found, key=lambda fault: KINDS.index(fault.kind))


def _layers(calculation: Calculation, token: int) -> Iterator[TeachingFault]:
    """Of every block: what feed-forward and the second normalisation do to the word of the whole way."""
    for block in range(1, calculation.model.sizes.n_blocks + 1):
        at = f"block{block}."
        active = calculation[at + "ffn.activation"].values  # (n, d_ff)
        if not calculation[at + "ffn.output"].values[token].any():
            yield TeachingFault("zero_output", ((at + "ffn.output", (token,)),))
        elif not active[token].any():
            yield TeachingFault("idle_network", ((at + "ffn.activation", (token,)),))
        for unit in range(active.shape[1]):
            if not active[:, unit].any():
                yield TeachingFault("dead_unit", ((at + "ffn.activation", (unit,)),))
                continue
            twin = next((i for i in range(unit) if np.array_equal(active[:, i], active[:, unit])), None)
            if twin is not None:
                places = tuple((at + "ffn.activation", (i,)) for i in (twin, unit))
                yield TeachingFault("twin_units", places)
        first, second = (calculation[f"{at}norm{k}.output"] for k in (1, 2))
        unit_size = 10.0 ** -(second.places or 0)
        if np.all(np.abs(first.values[token] - second.values[token]) < 1.5 * unit_size):
            yield TeachingFault("idle_norm", ((at + "norm2.output", (token,)),))


def _rows(calculation: Calculation, tokens: Sequence[int]) -> Iterator[TeachingFault]:
    """Rows of weights that pupils calculate: of the first head for all their words, of all for the last."""
    heads = [f"block1.head{k}.weight" for k in range(1, calculation.model.sizes.n_heads + 1)]
    first = "unmasked.head1.weight" if "unmasked.head1.weight" in calculation.hand else heads[0]
    rows = [(first, token) for token in tokens] + [(name, tokens[-1]) for name in heads[1:]]
    for name, token in rows:
        hand, exact = calculation.hand[name], calculation.exact[name]
        seen = np.ones(hand.values.shape, np.bool_) if hand.visible is None else hand.visible
        among = [int(j) for j in np.flatnonzero(seen[token])]
        if len(among) < 2:
            continue
        if len(largest(hand.values[token], exact.values[token], among)) > 1:
            yield TeachingFault("tied_weights", ((name, (token,)),))
        if len({round(SHADES * float(hand.values[token, j])) for j in among}) == 1:
            yield TeachingFault("even_weights", ((name, (token,)),))


def _pairs(calculation: Calculation, classes: Sequence[str]) -> Iterator[TeachingFault]:
    """The most similar pair of different words, unless no two words are of one class."""
    ids = calculation.model.token_ids
    of_word = {word: classes[ids.index(word)] for word in ids}
    cosine = calculation.hand["similarity.cosine"]
    words = sorted(of_word)
    pairs = [
        (i, j) for i in words for j in words if i < j and (cosine.visible is None or cosine.visible[i, j])
    ]
    if not any(of_word[i] == of_word[j] for i, j in pairs):
        return
    best = max(pairs, key=lambda pair: float(cosine.values[pair]))
    if of_word[best[0]] != of_word[best[1]]:
        yield TeachingFault("odd_pair", (("similarity.cosine", best),))


def _same_vectors(calculation: Calculation) -> Iterator[TeachingFault]:
    """Each set of words whose logits are taken with the same vector."""
    words: dict[tuple[float, ...], list[int]] = {}
    for place, vector in enumerate(calculation.model.vocabulary_embedding.tolist()):
        words.setdefault(tuple(vector), []).append(place)
    for places in words.values():
        if len(places) > 1:
            yield TeachingFault("same_logit", tuple(("logit", (place,)) for place in places))
