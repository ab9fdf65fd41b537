"""Station 11 with two sentences: the decoder's loss, and the checks of the way into the encoder."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from engine.backward.gradient_step import Learning
from generator.basics.errors import listed
from generator.basics.fonts import printable
from generator.sheet.desk import Desk
from generator.sheet.sheet import CellContent, Number, Parts, Table, parts
from generator.stations.common import Tasks, columns_table
from generator.stations.cross_attention.decoder import two_of

PROBABILITY: Final = "decoder.temperature1.probability"
_HALF: Final = 0.5  # units by which a copied number may be off that another pen has not rounded


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


def checks(desk: Desk, at: str, word: int, columns: Mapping[str, Sequence[CellContent]]) -> list[Parts]:
    """For each column with several blanks. at, word: the head and the source word that they belong to."""
    written = {
        name: [cell for cell in column if isinstance(cell, Number) and cell.blank]
        for name, column in columns.items()
    }
    return [_check(desk, at, word, name, cells) for name, cells in written.items() if len(cells) > 1]


def _check(desk: Desk, at: str, word: int, column: str, numbers: Sequence[Number]) -> Parts:
    """The sum of what is to be written in a column, its components, and how far it may be off."""
    total = sum(float(desk.quantity(number.name).values[number.index]) for number in numbers)
    places, components = numbers[0].places, [number.index[-1] for number in numbers]
    kind = numbers[0].name.rpartition(".")[2]
    own = sum(_own_work(desk, at, word, kind, c) for c in components) * 10**places
    units = max(1, math.ceil(len(numbers) / 2 + own))
    return parts(
        column=column,
        components=listed([c + 1 for c in components]),
        sum=desk.constant(total, places),
        tolerance=desk.constant(units / 10**places, places),
    )


def _own_work(desk: Desk, at: str, word: int, kind: str, component: int) -> float:
    """How far a copied query and a copied weight may move a component of a gradient."""
    last, half = two_of(desk).model.n_tokens - 1, _HALF / 10**desk.options.nachkommastellen
    score = np.abs(desk.quantity(f"gradient.{at}score").values[last, word])
    output = np.abs(desk.quantity(f"gradient.{at}output").values[last])  # (d_head,)
    key = np.full(len(output), half * score * desk.asks(at + "query", last))
    value = half * output * desk.asks(at + "weight", last, word)
    if kind in ("key", "value"):
        return float((key if kind == "key" else value)[component])
    W_K, W_V = (np.abs(desk.given(at + W)[component]) for W in ("W_K", "W_V"))
    return float(key @ W_K + value @ W_V)
