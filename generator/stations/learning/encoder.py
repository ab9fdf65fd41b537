"""The way back through keys and values of the cross-attention into the encoder, one source word by hand.

It begins with the decoder's loss; checks say what columns of the pupil's numbers add up to.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Final

import numpy as np

from engine.backward.gradient_step import Learning
from generator.basics.errors import listed
from generator.basics.fonts import printable
from generator.sheet.desk import Desk
from generator.sheet.sheet import CellContent, Number, Parts, Solution, Table, Vector, Words, parts
from generator.stations.common import Tasks, columns_table, counted, room_for_products
from generator.stations.cross_attention.decoder import source_output, two_of
from generator.stations.worked_lines import honest_sum, products_line, products_relation

_MOST_HEADS: Final = 5  # whose parts stand side by side; of more the sum is given
_MOST_COMPONENTS: Final = 4  # of a vector that a pupil works out
_MOST_TERMS: Final = 4  # of a line that shows even the products with 0
PROBABILITY: Final = "decoder.temperature1.probability"
_TWO_DIGITS: Final = 10


def encoder_part(desk: Desk, tasks: Tasks) -> Parts | None:
    """From the last cross-attention to the encoder's output: a word worked, a word to do; None without both.

    Only the last target word predicts, so only its query asks with a gradient. Where none arrives (LayerNorm
    of two components stops it), or so little that its numbers have a digit at most, nothing is left to work
    out: `flows` is False. arrives: the largest gradient at the encoder's output, "" for none.
    """
    learning = desk.built.learning_of_two
    if learning is None:
        return None
    arrives = float(np.abs(desk.quantity("gradient." + source_output(desk)).values).max())
    flows = arrives > 0 and _is_worth_it(desk)
    loss = loss_part(desk, learning, tasks)
    offers = _offers(desk, tasks) if flows else None
    into = _into_encoder(desk, tasks) if flows else None
    tasks.add("cross", "Erläutere", "II", points=2)
    return parts(
        flows=flows,
        arrives=desk.constant(arrives, _places(desk)) if arrives else "",
        source=" ".join(map(printable, two_of(desk).model.source_tokens)),
        target=" ".join(desk.target_words[1:]),
        loss=loss,
        offers=offers,
        into=into,
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


def _places(desk: Desk) -> int:
    return desk.quantity("gradient." + source_output(desk)).places or 0


def _is_worth_it(desk: Desk) -> bool:
    """Whether of what the pupil works out for key and value a number has more than one digit."""
    at, mine = f"gradient.{_at(desk)}head{_head(desk)}.", desk.exercises[0]
    largest = max(np.abs(desk.quantity(at + kind).values[mine]).max() for kind in ("key", "value"))
    return bool(largest * 10 ** _places(desk) >= _TWO_DIGITS)


def _offers(desk: Desk, tasks: Tasks) -> Parts:
    """∂L/∂k and ∂L/∂v of one head, from the last target word's gradients."""
    at, last = f"{_at(desk)}head{_head(desk)}.", two_of(desk).model.n_tokens - 1
    worked, mine = desk.example, desk.exercises[0]
    some_asked = desk.asks(at + "weight", last)
    copied = {"query": desk.asks(at + "query", last), "weight": desk.asks(at + "weight", last, mine)}
    query = desk.numbers(at + "query", last)
    g = desk.numbers(f"gradient.{at}output", last)
    first = range(_MOST_COMPONENTS)
    seen = range(len(desk.source_words))
    weights = [
        desk.number(at + "weight", last, j) if j == mine or not some_asked else Words("") for j in seen
    ]
    given: dict[str, Sequence[CellContent]] = {
        "weight": weights,
        "score": desk.numbers(f"gradient.{at}score", last),
    }
    columns: dict[str, Sequence[CellContent]] = {
        "key.worked": desk.numbers(f"gradient.{at}key", worked),
        "key.mine": desk.numbers(f"gradient.{at}key", mine, blank=first),
        "value.worked": desk.numbers(f"gradient.{at}value", worked),
        "value.mine": desk.numbers(f"gradient.{at}value", mine, blank=first),
    }
    named = max(len(desk.source_words[word]) for word in (worked, mine)) + len("„“")
    table = columns_table(counted(desk.sizes.d_head), columns, narrow=True, named=named)
    written = [columns["key.mine"], columns["value.mine"]]
    tasks.add("source_offers", "Berechne", "I", written)
    tasks.add("source_sums", "Begründe", "III", points=3)
    key_first = desk.number(f"gradient.{at}key", worked, 0)
    value_first = desk.number(f"gradient.{at}value", worked, 0)
    score, weight = desk.number(f"gradient.{at}score", last, worked), desk.number(at + "weight", last, worked)
    return parts(
        block=desk.sizes.n_blocks,
        head=_head(desk),
        task=f"{at}{last}",
        copied=copied,
        worked=desk.source_words[worked],
        mine=desk.source_words[mine],
        query=Vector(query),
        g=Vector(g),
        given=columns_table(desk.source_words, given),
        offers=table,
        key_line=None if copied["query"] else products_line(desk, [score], [query[0]], key_first),
        key_first=key_first,
        value_line=None if weight.blank else products_line(desk, [weight], [g[0]], value_first),
        value_first=value_first,
        checks=checks(desk, {"key": columns["key.mine"], "value": columns["value.mine"]}),
    )


def _into_encoder(desk: Desk, tasks: Tasks) -> Parts:
    """∂L/∂h of both words: through W_K and W_V of the head, then with the other heads' and blocks' parts."""
    at, d = f"{_at(desk)}head{_head(desk)}.", desk.sizes.d_model
    worked, mine = desk.example, desk.exercises[0]
    line, wanted = _largest(desk, f"gradient.{at}source", worked, 1)[0], _wanted(desk, mine)
    columns = _parts_of(desk, mine, wanted)
    table = columns_table(counted(d), columns, narrow=True)
    tasks.add("into_source", "Berechne", "II", table)
    names = {"block": f"Block {desk.sizes.n_blocks}", "whole": "Summe"}
    labels = {
        name: names.get(name) or re.sub(r"(\d+)", r" \1", name).capitalize() for name in columns
    }  # Head 1, Block 2, Summe
    sums = [c for c in wanted if len(_terms(desk, c)) > 1] or wanted
    worked_line, worked_first = _line(desk, worked, line), desk.number(f"gradient.{at}source", worked, line)
    return parts(
        W_K=desk.matrix(at + "W_K"),
        W_V=desk.matrix(at + "W_V"),
        line=line + 1,
        worked_line=f"{worked_line.text} {products_relation(*_factors(desk, worked, line), worked_first)}",
        worked_first=worked_first,
        worked_head=desk.vector(f"gradient.{at}source", worked),
        worked_whole=desk.vector("gradient." + source_output(desk), worked),
        alone=len(columns) == 1,
        lines=[] if desk.less else [_line(desk, mine, c) for c in sums],
        sums=[c + 1 for c in sums],
        parts=table,
        labels=labels,
        checks=checks(desk, {labels[name]: column for name, column in columns.items()}),
    )


def _wanted(desk: Desk, word: int) -> list[int]:
    """The components that a pupil works out: those into which most flows, if anything can."""
    d = desk.sizes.d_model
    order = _largest(desk, f"gradient.{_at(desk)}head{_head(desk)}.source", word, d)
    reached = [c for c in order if _terms(desk, c)]
    return sorted((reached or order)[:_MOST_COMPONENTS])


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

    def row(name: str, blank: bool = False) -> Sequence[Number]:
        return desk.numbers("gradient." + name, word, blank=wanted if blank else ())

    columns: dict[str, Sequence[CellContent]] = {f"head{own}": row(f"{at}head{own}.source", blank=True)}
    if few:
        columns |= {f"head{k}": row(f"{at}head{k}.source") for k in others}
    if L > 1 and others:
        columns["block"] = row(at + "source", blank=few)
    columns |= {f"block{b}": row(f"decoder.block{b}.cross.source") for b in range(1, L)}
    if len(columns) > 1:
        columns["whole"] = row(source_output(desk), blank=True)
    return columns


def _terms(desk: Desk, component: int) -> list[int]:
    """Where the component's rows of W_K and W_V, side by side, are not 0."""
    at = f"{_at(desk)}head{_head(desk)}."
    weights = two_of(desk).model.weights
    row = np.concatenate([weights[at + W][component] for W in ("W_K", "W_V")])
    return [int(place) for place in np.flatnonzero(row)]


def _line(desk: Desk, word: int, component: int) -> Solution:
    """k·(row of W_K) + v·(row of W_V): one component of a word's gradient through the head."""
    return room_for_products(desk, *_factors(desk, word, component))


def _factors(desk: Desk, word: int, component: int) -> tuple[list[Number], list[Number]]:
    """Products with 0 are left out where there are many."""
    at = f"{_at(desk)}head{_head(desk)}."
    left: list[Number] = []
    right: list[Number] = []
    for kind, W in (("key", "W_K"), ("value", "W_V")):
        left += desk.numbers(f"gradient.{at}{kind}", word)
        right += desk.matrix(at + W)[component]
    all_shown = len(left) <= _MOST_TERMS
    shown = range(len(left)) if all_shown else _terms(desk, component) or [0]
    return [left[i] for i in shown], [right[i] for i in shown]


def loss_part(desk: Desk, learning: Learning, tasks: Tasks) -> Parts:
    """The decoder's loss of the word that should follow, and what a step makes of it where one is taken."""
    word, own = learning.lesson.word, desk.built.learning
    copied = desk.asks(PROBABILITY, word)
    loss = desk.number("decoder.loss", blank=True)
    tasks.add("decoder_loss", "Berechne", "I", loss)
    stepped = own is not None and own.lesson.path == "alles"
    before, after = learning.losses() if stepped else (0.0, 0.0)
    return parts(
        last=desk.target_words[-1],
        right=printable(learning.model.vocabulary[word]),
        copied=copied,
        p=desk.number(PROBABILITY, word),
        loss=loss,
        after=desk.number("after.decoder.loss") if stepped else None,
        falls=after < before,
        compared=_compared(desk, word) if stepped else [],
    )


def _compared(desk: Desk, right: int) -> list[Table]:
    words, p = desk.words_of("decoder.logit"), desk.quantity(PROBABILITY).values
    others = [word for word in map(int, np.argsort(-p, kind="stable")) if word != right]
    rows = [right, *others[:1]]
    columns = {
        "before.logit": [desk.number("decoder.logit", word) for word in rows],
        "logit": [desk.number("after.decoder.logit", word) for word in rows],
        "before.probability": [desk.number(PROBABILITY, word) for word in rows],
        "probability": [desk.number("after." + PROBABILITY, word) for word in rows],
    }
    return columns_table([words[word] for word in rows], columns)


def checks(desk: Desk, columns: Mapping[str, Sequence[CellContent]]) -> list[Parts]:
    """For each column with several blanks the sum of what is to be written there, and its components."""
    written = {
        name: [cell for cell in column if isinstance(cell, Number) and cell.blank]
        for name, column in columns.items()
    }
    return [
        parts(
            column=name,
            components=listed([cell.index[-1] + 1 for cell in cells]),
            check=honest_sum(desk, cells[0].name, [cell.index for cell in cells]),
        )
        for name, cells in written.items()
        if len(cells) > 1
    ]
