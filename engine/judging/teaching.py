"""What a calculation is worth in class: how long its cells take, and the faults that make it teach less."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.forward.calculation import Aliases, Calculation
from engine.numbers.arrays import Floats
from engine.pens.pens import CountingPen, Visible
from engine.trace import CellAddress

# Estimates, not measured: a pupil of about sixteen with a pocket calculator who takes time (the upper end of
# what is printed). They follow the keystroke-level model (Card, Moran, Newell 1980) for keys that are not
# known by heart: half a second a key, 1.35 seconds to find a number or to decide. A product is about fifteen
# keys, signs, places and brackets among them, and two numbers; an addition five keys and one number; e^x and
# a root eight keys with second function and brackets; a sine twelve keys with its angle and four digits
# back; a cell is to round, to find its place, to write four signs and to type once more for the sum of the
# self-check. Set so that sheets come out about as those judged who solved them from the pages alone.
SECONDS: Final[Mapping[str, float]] = {
    "multiplications": 11.0,
    "additions": 4.0,
    "divisions": 10.0,
    "exponentials": 9.0,
    "roots": 7.0,
    "sines": 12.0,
    "cells": 10.0,
}


@dataclass(frozen=True)
class Operations:
    """How often each is done, in the order of the pen's KEYS; cells: the numbers written down."""

    multiplications: int = 0
    additions: int = 0
    divisions: int = 0
    exponentials: int = 0
    roots: int = 0
    sines: int = 0
    cells: int = 0

    def __add__(self, other: "Operations") -> "Operations":
        return Operations(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    @property
    def minutes(self) -> float:
        """Estimated working time by `SECONDS`."""
        seconds = (float(getattr(self, name)) * each for name, each in SECONDS.items())
        return sum(seconds) / 60


NOTHING: Final = Operations()


@dataclass(frozen=True)
class Effort:
    """What every cell of one calculation takes."""

    done: Mapping[str, NDArray[np.int64]]
    aliases: Aliases

    def of(self, name: str, index: tuple[int, ...]) -> Operations | None:
        """None for a cell that no pass writes."""
        counts = self.done.get(name)
        return None if counts is None else Operations(*map(int, counts[index]))

    def first_name(self, cell: CellAddress) -> CellAddress:
        """The cell under whose name one number that stands in several is counted."""
        return self.aliases.get(cell, (cell,))[0]


def effort(calculation: Calculation) -> Effort:
    """Every pass is counted once more, with a pen that only counts."""
    done: dict[str, NDArray[np.int64]] = {}
    for each, names in calculation.parts():
        pen = CountingPen()
        each.write(pen)
        done |= {name: pen.done[name] for name in names}
    return Effort(done, calculation.aliases)


_NOISE: Final = 1e-9


def largest(written: Floats, unrounded: Floats, among: Sequence[int] | None = None) -> tuple[int, ...]:
    """The largest as written, then the largest with all digits, if that is another; of equals all.

    among: the places that are compared; None: all.
    """
    places = np.arange(len(written)) if among is None else np.asarray(among, dtype=np.int64)
    found: list[int] = []
    for numbers in (written[places], unrounded[places]):
        found += [int(place) for place in places[numbers >= numbers.max() - _NOISE]]
    return tuple(dict.fromkeys(found))


class Leaders:
    """The places of each row that were the largest on some pupil's paper.

    shape: of the quantity, a row lies along its last axis. Where it has as many rows as columns, the largest
    beside the row's own place is kept too.
    """

    def __init__(self, shape: tuple[int, ...], visible: Visible = None) -> None:
        self.seen = np.ones(shape, np.bool_) if visible is None else visible
        self.all = np.zeros(shape, np.bool_)
        self.others = np.zeros(shape, np.bool_)
        square = len(shape) > 1 and shape[-2] == shape[-1]
        self._apart = self.seen & ~np.eye(shape[-1], dtype=np.bool_) if square else None

    def add(self, on_paper: Floats) -> None:
        """on_paper: (pupils, …), or without that axis where all write the same."""
        # pupils last: the largest of a row is found for all of them at once
        papers = np.moveaxis(on_paper.reshape(-1, *self.all.shape), 0, -1).copy()
        self.all |= _leads(papers, self.seen)
        if self._apart is not None:
            self.others |= _leads(papers, self._apart)

    def of(self, row: tuple[int, ...], others: bool = False) -> tuple[int, ...]:
        """The places that led in some pupil's row; others: among all but the row's own place."""
        return tuple(map(int, np.flatnonzero((self.others if others else self.all)[row])))


def _leads(papers: Floats, among: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """papers: (…, pupils), from which all others are struck out."""
    papers[~among] = -np.inf
    most = papers.max(axis=-2, keepdims=True)
    return np.asarray(among & (papers >= most - _NOISE).any(axis=-1))


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
        prefix = f"block{block}."
        active = calculation[prefix + "ffn.activation"].values  # (n, d_ff)
        if not calculation[prefix + "ffn.output"].values[token].any():
            yield TeachingFault("zero_output", ((prefix + "ffn.output", (token,)),))
        elif not active[token].any():
            yield TeachingFault("idle_network", ((prefix + "ffn.activation", (token,)),))
        columns = active.T.tolist()
        for unit, column in enumerate(columns):
            if not any(column):
                yield TeachingFault("dead_unit", ((prefix + "ffn.activation", (unit,)),))
                continue
            twin = columns.index(column)
            if twin < unit:
                places = tuple((prefix + "ffn.activation", (i,)) for i in (twin, unit))
                yield TeachingFault("twin_units", places)
        first, second = (calculation[f"{prefix}norm{k}.output"] for k in (1, 2))
        unit_size = 10.0 ** -(second.places or 0)
        if np.all(np.abs(first.values[token] - second.values[token]) < 1.5 * unit_size):
            yield TeachingFault("idle_norm", ((prefix + "norm2.output", (token,)),))


def _rows(calculation: Calculation, tokens: Sequence[int]) -> Iterator[TeachingFault]:
    """Rows of weights that pupils calculate: of the first head for all their words, of all for the last."""
    heads = [f"block1.head{k}.weight" for k in range(1, calculation.model.sizes.n_heads + 1)]
    first = "unmasked.head1.weight" if "unmasked.head1.weight" in calculation.hand else heads[0]
    rows = [(first, token) for token in tokens] + [(name, tokens[-1]) for name in heads[1:]]
    for name, token in rows:
        hand, exact = calculation.hand[name], calculation.exact[name]
        among = [int(j) for j in np.flatnonzero(hand.shown[token])]
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
