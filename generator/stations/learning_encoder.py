"""The way back through keys and values of the cross-attention into the encoder, one source word by hand."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.backward.gradient_step import Learning
from generator.basics.fonts import printable
from generator.sheet.desk import Desk
from generator.sheet.sheet import CellContent, Line, Number, Solution, Table, Vector
from generator.stations.common import Tasks
from generator.stations.encoder_decoder import source_output, two_of
from generator.stations.learning_tables import columns_table, counted, products_line

_MOST_HEADS: Final = 5  # whose parts stand side by side; of more the sum is given
_MOST_COMPONENTS: Final = 4  # of a vector that a pupil works out
_MOST_TERMS: Final = 4  # of a line that shows even the products with 0
_P: Final = "decoder.temperature1.probability"


@dataclass(frozen=True)
class Encoder:
    flows: bool
    target: str
    loss: Loss
    offers: Offers | None
    into: IntoEncoder | None


def encoder_part(desk: Desk, tasks: Tasks) -> Encoder | None:
    """From the last cross-attention to the encoder's output: a word worked, a word to do; None without both.

    Only the last target word predicts, so only its query asks with a gradient. Where none arrives (LayerNorm
    of two components stops it), nothing is left to work out: `flows` is False.
    """
    learning = desk.built.learning_of_two
    if learning is None:
        return None
    flows = bool(np.any(desk.quantity("gradient." + source_output(desk)).values))
    loss = _loss(desk, learning, tasks)
    offers = _offers(desk, tasks) if flows else None
    into = _into_encoder(desk, tasks) if flows else None
    tasks.add("cross", "Erläutere", "II", points=2)
    return Encoder(
        flows=flows,
        target=" ".join(desk.target_words[1:]),
        loss=loss,
        offers=offers,
        into=into,
    )


@dataclass(frozen=True)
class Loss:
    last: str
    right: str
    copied: bool
    p: Number
    loss: Number
    after: Number | None
    falls: bool


def _loss(desk: Desk, learning: Learning, tasks: Tasks) -> Loss:
    """The decoder's loss of the word that should follow, and what a step makes of it where one is taken."""
    word, own = learning.lesson.word, desk.built.learning
    copied = desk.asks(_P, word)
    loss = desk.number("decoder.loss", blank=True)
    tasks.add("decoder_loss", "Berechne", "I", loss)
    stepped = own is not None and own.lesson.path == "alles"
    before, after = learning.losses() if stepped else (0.0, 0.0)
    return Loss(
        last=desk.target_words[-1],
        right=printable(learning.model.vocabulary[word]),
        copied=copied,
        p=desk.number(_P, word),
        loss=loss,
        after=desk.number("after.decoder.loss") if stepped else None,
        falls=after < before,
    )


def _at(desk: Desk) -> str:
    return f"decoder.block{desk.sizes.n_blocks}.cross."


def _head(desk: Desk) -> int:
    """The head of the last block into which most flows, counted from 1: its numbers are worth working out."""
    sizes = [
        float(np.abs(desk.quantity(f"gradient.{_at(desk)}head{k}.score").values).sum())
        for k in range(1, desk.sizes.n_heads + 1)
    ]
    return int(np.argmax(sizes)) + 1


@dataclass(frozen=True)
class Offers:
    block: int
    head: int
    copied: dict[str, bool]
    worked: str
    mine: str
    given: list[Table]
    offers: list[Table]
    key_line: Line | None
    key_first: Number
    value_line: Line | None
    value_first: Number
    offers_sum: str
    offers_tolerance: str


def _offers(desk: Desk, tasks: Tasks) -> Offers:
    """∂L/∂k and ∂L/∂v of one head, from the last target word's gradients."""
    at, last = f"{_at(desk)}head{_head(desk)}.", two_of(desk).model.n_tokens - 1
    worked, mine = desk.example, desk.exercises[0]
    copied = {kind: desk.asks(at + kind, last) for kind in ("query", "weight")}
    query = desk.numbers(at + "query", last)
    g = desk.numbers(f"gradient.{at}output", last)
    first = range(_MOST_COMPONENTS)
    given: dict[str, Sequence[CellContent]] = {
        "weight": desk.numbers(at + "weight", last),
        "score": desk.numbers(f"gradient.{at}score", last),
    }
    columns: dict[str, Sequence[CellContent]] = {
        "q": query,
        "key.worked": desk.numbers(f"gradient.{at}key", worked),
        "key.mine": _row(desk, f"gradient.{at}key", mine, first),
        "g": g,
        "value.worked": desk.numbers(f"gradient.{at}value", worked),
        "value.mine": _row(desk, f"gradient.{at}value", mine, first),
    }
    table = columns_table(counted(desk.sizes.d_head), columns, narrow=True)
    written = [columns["key.mine"], columns["value.mine"]]
    tasks.add("source_offers", "Berechne", "I", written)
    tasks.add("source_sums", "Begründe", "III", points=3)
    score, weight = desk.number(f"gradient.{at}score", last, worked), desk.number(at + "weight", last, worked)
    return Offers(
        block=desk.sizes.n_blocks,
        head=_head(desk),
        copied=copied,
        worked=desk.source_words[worked],
        mine=desk.source_words[mine],
        given=columns_table(desk.source_words, given),
        offers=table,
        key_line=None if copied["query"] else desk.products([score], [query[0]]),
        key_first=desk.number(f"gradient.{at}key", worked, 0),
        value_line=None if copied["weight"] else desk.products([weight], [g[0]]),
        value_first=desk.number(f"gradient.{at}value", worked, 0),
        offers_sum=_sum_of_blanks(desk, written),
        offers_tolerance=_tolerance(desk, written),
    )


@dataclass(frozen=True)
class IntoEncoder:
    W_K: tuple[tuple[Number, ...], ...]
    W_V: tuple[tuple[Number, ...], ...]
    line: int
    worked_line: str
    worked_first: Number
    worked_head: Vector
    worked_whole: Vector
    alone: bool
    lines: list[Solution]
    wanted: list[int]
    parts: list[Table]
    labels: dict[str, str]
    source_sum: str
    source_tolerance: str


def _into_encoder(desk: Desk, tasks: Tasks) -> IntoEncoder:
    """∂L/∂h of both words: through W_K and W_V of the head, then with the other heads' and blocks' parts."""
    at, d = f"{_at(desk)}head{_head(desk)}.", desk.sizes.d_model
    worked, mine = desk.example, desk.exercises[0]
    line, wanted = _largest(desk, f"gradient.{at}source", worked, 1)[0], _wanted(desk, mine)
    columns = _parts_of(desk, mine, wanted)
    table = columns_table(counted(d), columns, narrow=True)
    tasks.add("into_source", "Berechne", "II", table)
    return IntoEncoder(
        W_K=desk.matrix(at + "W_K"),
        W_V=desk.matrix(at + "W_V"),
        line=line + 1,
        worked_line=_line(desk, worked, line).text,
        worked_first=desk.number(f"gradient.{at}source", worked, line),
        worked_head=desk.vector(f"gradient.{at}source", worked),
        worked_whole=desk.vector("gradient." + source_output(desk), worked),
        alone=len(columns) == 1,
        lines=[] if desk.less else [_line(desk, mine, c) for c in wanted],
        wanted=[c + 1 for c in wanted],
        parts=table,
        labels=_labels(desk, columns),
        source_sum=_sum_of_blanks(desk, columns.values()),
        source_tolerance=_tolerance(desk, columns.values()),
    )


def _wanted(desk: Desk, word: int) -> list[int]:
    """The components that a pupil works out: those into which most flows through the head."""
    largest = _largest(desk, f"gradient.{_at(desk)}head{_head(desk)}.source", word, _MOST_COMPONENTS)
    return sorted(largest)


def _largest(desk: Desk, name: str, word: int, count: int) -> list[int]:
    order = np.argsort(-np.abs(desk.quantity(name).values[word]), kind="stable")
    return [int(component) for component in order[:count]]


def _parts_of(desk: Desk, word: int, wanted: Collection[int]) -> dict[str, Sequence[CellContent]]:
    """The part of each head and of each block, and their sum: what is worked out here is blank.

    Many heads do not stand side by side: then the part of a block is given, and a single block's left out.
    """
    at, L, own = _at(desk), desk.sizes.n_blocks, _head(desk)
    others = [k for k in range(1, desk.sizes.n_heads + 1) if k != own]
    few = len(others) < _MOST_HEADS

    def row(name: str, blank: bool = False) -> list[Number]:
        return _row(desk, "gradient." + name, word, wanted if blank else ())

    columns: dict[str, Sequence[CellContent]] = {f"head{own}": row(f"{at}head{own}.source", blank=True)}
    if few:
        columns |= {f"head{k}": row(f"{at}head{k}.source") for k in others}
    if L > 1 and others:
        columns["block"] = row(at + "source", blank=few)
    columns |= {f"block{b}": row(f"decoder.block{b}.cross.source") for b in range(1, L)}
    if len(columns) > 1:
        columns["whole"] = row(source_output(desk), blank=True)
    return columns


def _labels(desk: Desk, columns: Mapping[str, Sequence[CellContent]]) -> dict[str, str]:
    """How the columns are headed: Head 1, Block 2, zusammen."""
    names = {"block": f"Block {desk.sizes.n_blocks}", "whole": "zusammen"}
    return {name: names.get(name) or re.sub(r"(\d+)", r" \1", name).capitalize() for name in columns}


def _line(desk: Desk, word: int, component: int) -> Solution:
    """k·(row of W_K) + v·(row of W_V): one component of a word's gradient through the head."""
    at = f"{_at(desk)}head{_head(desk)}."
    left: list[Number] = []
    right: list[Number] = []
    for kind, W in (("key", "W_K"), ("value", "W_V")):
        left += desk.numbers(f"gradient.{at}{kind}", word)
        right += desk.matrix(at + W)[component]
    model = two_of(desk).model
    weights = np.concatenate([model.weights[at + W][component] for W in ("W_K", "W_V")])
    shown = [i for i in range(len(left)) if weights[i] or len(left) <= _MOST_TERMS] or [0]
    return products_line(desk, [left[i] for i in shown], [right[i] for i in shown])


def _row(desk: Desk, name: str, word: int, blank: Collection[int]) -> list[Number]:
    count = desk.quantity(name).values.shape[-1]
    return [desk.number(name, word, c, blank=c in blank) for c in range(count)]


def _blanks(columns: Iterable[Sequence[CellContent]]) -> list[Number]:
    return [cell for column in columns for cell in column if isinstance(cell, Number) and cell.blank]


def _sum_of_blanks(desk: Desk, columns: Iterable[Sequence[CellContent]]) -> str:
    """A printed check: all that is to be written here, added."""
    numbers = _blanks(columns)
    total = sum(float(desk.quantity(number.name).values[number.index]) for number in numbers)
    return desk.constant(total, numbers[0].places)


def _tolerance(desk: Desk, columns: Iterable[Sequence[CellContent]]) -> str:
    numbers = _blanks(columns)
    return desk.tolerance(len(numbers), numbers[0].places)
