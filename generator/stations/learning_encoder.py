"""The way back through keys and values of the cross-attention into the encoder, one source word by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from engine.gradient_step import Learning
from generator.desk import Desk
from generator.fonts import printable
from generator.sheet import Cell, Number, Solution
from generator.stations.common import Tasks
from generator.stations.encoder_decoder import source_output, target_output, two_of
from generator.stations.learning_tables import columns_table, counted, products_line
from generator.stations.output import writable

_MOST_HEADS: Final = 5  # whose parts stand side by side; of more the sum is given
_MOST_COMPONENTS: Final = 4  # of a vector that a pupil works out
_P: Final = "decoder.temperature1.probability"


def encoder_part(desk: Desk, tasks: Tasks) -> dict[str, Any] | None:
    """From the last cross-attention to the encoder's output: a word worked, a word to do; None without both.

    Only the last target word predicts, so only its query asks with a gradient. Where none arrives (LayerNorm
    of two components stops it), nothing is left to work out: `flows` is False.
    """
    learning = desk.built.learning_of_two
    if learning is None:
        return None
    flows = bool(np.any(desk.quantity("gradient." + source_output(desk)).values))
    parts = {"flows": flows, "loss": _loss(desk, learning, tasks)}
    if flows:
        parts |= _offers(desk, tasks)
        parts |= _into_encoder(desk, tasks)
    tasks.add("cross", "Erläutere", "II", points=2)
    return parts


def _loss(desk: Desk, learning: Learning, tasks: Tasks) -> dict[str, Any]:
    """The decoder's loss of the word that should follow, and what a step makes of it where one is taken."""
    word, own = learning.lesson.word, desk.built.learning
    copied = (
        desk.printed("10") and 1.0 in desk.options.temperatur and writable(desk, target_output(desk), 1.0)
    )
    loss = desk.number("decoder.loss", blank=True)
    tasks.add("decoder_loss", "Berechne", "I", loss)
    stepped = own is not None and own.lesson.path == "alles"
    before, after = learning.losses() if stepped else (0.0, 0.0)
    return {
        "last": desk.target_words[-1],
        "right": printable(learning.model.vocabulary[word]),
        "copied": copied,
        "p": desk.number(_P, word, blank=copied),
        "loss": loss,
        "after": desk.number("after.decoder.loss") if stepped else None,
        "falls": after < before,
    }


def _at(desk: Desk) -> str:
    return f"decoder.block{desk.sizes.n_blocks}.cross."


def _copied(desk: Desk) -> bool:
    """Whether the pupil has computed the last target word's query and weights in station 10."""
    return desk.sizes.n_blocks == 1 and desk.printed("10")


def _offers(desk: Desk, tasks: Tasks) -> dict[str, Any]:
    """∂L/∂k and ∂L/∂v of head 1, from the last target word's gradients."""
    at, last, copied = _at(desk) + "head1.", two_of(desk).model.n_tokens - 1, _copied(desk)
    worked, mine = desk.example, desk.exercises[0]
    query = desk.numbers(at + "query", last, blank=copied)
    g = desk.numbers(f"gradient.{at}output", last)
    given: dict[str, Sequence[Cell]] = {
        "weight": desk.numbers(at + "weight", last, blank=copied),
        "score": desk.numbers(f"gradient.{at}score", last),
    }
    columns: dict[str, Sequence[Cell]] = {
        "q": query,
        "key.worked": desk.numbers(f"gradient.{at}key", worked),
        "key.mine": _first_blank(desk, f"gradient.{at}key", mine),
        "g": g,
        "value.worked": desk.numbers(f"gradient.{at}value", worked),
        "value.mine": _first_blank(desk, f"gradient.{at}value", mine),
    }
    table = columns_table(counted(desk.sizes.d_head), columns, narrow=True)
    written = [columns["key.mine"], columns["value.mine"]]
    tasks.add("source_offers", "Berechne", "I", written)
    tasks.add("source_sums", "Begründe", "III", points=3)
    score, weight = desk.number(f"gradient.{at}score", last, worked), desk.number(at + "weight", last, worked)
    return {
        "block": desk.sizes.n_blocks,
        "copied": copied,
        "worked": desk.words[worked],
        "mine": desk.words[mine],
        "given": columns_table(desk.words, given),
        "offers": table,
        "key_line": None if copied else desk.products([score], [query[0]]),
        "key_first": desk.number(f"gradient.{at}key", worked, 0),
        "value_line": None if copied else desk.products([weight], [g[0]]),
        "value_first": desk.number(f"gradient.{at}value", worked, 0),
        "offers_sum": _sum_of_blanks(desk, written),
        "offers_tolerance": _tolerance(desk, written),
    }


def _into_encoder(desk: Desk, tasks: Tasks) -> dict[str, Any]:
    """∂L/∂h of both words: through W_K and W_V of head 1, then with the other heads' and blocks' parts."""
    at, d = _at(desk), desk.sizes.d_model
    worked, mine = desk.example, desk.exercises[0]
    lines = [_line(desk, mine, c) for c in range(min(d, _MOST_COMPONENTS))]
    columns = _parts_of(desk, mine)
    table = columns_table(counted(d), columns, narrow=True)
    tasks.add("into_source", "Berechne", "II", table)
    return {
        "W_K": desk.matrix(at + "head1.W_K"),
        "W_V": desk.matrix(at + "head1.W_V"),
        "worked_line": _line(desk, worked, 0).text,
        "worked_head": desk.vector(f"gradient.{at}head1.source", worked),
        "worked_whole": desk.vector("gradient." + source_output(desk), worked),
        "alone": len(columns) == 1,
        "lines": [] if desk.less else lines,
        "parts": table,
        "labels": _labels(desk, columns),
        "source_sum": _sum_of_blanks(desk, columns.values()),
        "source_tolerance": _tolerance(desk, columns.values()),
    }


def _parts_of(desk: Desk, word: int) -> dict[str, Sequence[Cell]]:
    """The part of each head and of each block, and their sum: what is worked out here is blank."""
    at, L = _at(desk), desk.sizes.n_blocks
    heads = range(1, desk.sizes.n_heads + 1)
    columns: dict[str, Sequence[Cell]] = {"head1": _first_blank(desk, f"gradient.{at}head1.source", word)}
    if len(heads) > _MOST_HEADS:
        columns["block"] = desk.numbers(f"gradient.{at}source", word)
    elif len(heads) > 1:
        columns |= {f"head{k}": desk.numbers(f"gradient.{at}head{k}.source", word) for k in heads[1:]}
        if L > 1:
            columns["block"] = _first_blank(desk, f"gradient.{at}source", word)
    if L > 1:
        others = range(1, L)
        columns |= {
            f"block{b}": desk.numbers(f"gradient.decoder.block{b}.cross.source", word) for b in others
        }
    if len(columns) > 1 and (L > 1 or len(heads) <= _MOST_HEADS):
        columns["whole"] = _first_blank(desk, "gradient." + source_output(desk), word)
    return columns


def _labels(desk: Desk, columns: Mapping[str, Sequence[Cell]]) -> dict[str, str]:
    """How the columns are headed; the last block has no number of its own where it is the only one."""
    L = desk.sizes.n_blocks
    names = {"block": f"Block {L}" if L > 1 else "alle Heads", "whole": "zusammen"}
    return {name: names.get(name) or f"{name[:-1].capitalize()} {name[-1]}" for name in columns}


def _line(desk: Desk, word: int, component: int) -> Solution:
    """k·(row of W_K) + v·(row of W_V): one component of a word's gradient through head 1."""
    at = _at(desk) + "head1."
    left: list[Number] = []
    right: list[Number] = []
    for kind, W in (("key", "W_K"), ("value", "W_V")):
        left += desk.numbers(f"gradient.{at}{kind}", word)
        right += desk.matrix(at + W)[component]
    return products_line(desk, left, right)


def _first_blank(desk: Desk, name: str, word: int) -> list[Number]:
    """A row whose first components are left to the pupil."""
    count = desk.quantity(name).values.shape[-1]
    return [desk.number(name, word, c, blank=c < _MOST_COMPONENTS) for c in range(count)]


def _blanks(columns: Any) -> list[Number]:
    return [cell for column in columns for cell in column if isinstance(cell, Number) and cell.blank]


def _sum_of_blanks(desk: Desk, columns: Any) -> str:
    """A printed check: all that is to be written here, added."""
    numbers = _blanks(columns)
    total = sum(float(desk.quantity(number.name).values[number.index]) for number in numbers)
    return desk.constant(total, numbers[0].places)


def _tolerance(desk: Desk, columns: Any) -> str:
    numbers = _blanks(columns)
    return desk.tolerance(len(numbers), numbers[0].places)
