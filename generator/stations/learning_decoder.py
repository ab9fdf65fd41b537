"""Station 11 with two sentences: the decoder's loss, and what a step has made of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.backward.gradient_step import Learning
from generator.basics.fonts import printable
from generator.sheet.desk import Desk
from generator.sheet.sheet import Number, Table
from generator.stations.common import Tasks
from generator.stations.learning_tables import columns_table

PROBABILITY: Final = "decoder.temperature1.probability"


@dataclass(frozen=True)
class Loss:
    last: str
    right: str
    copied: bool
    p: Number
    loss: Number
    after: Number | None
    falls: bool
    compared: list[Table]


def loss_part(desk: Desk, learning: Learning, tasks: Tasks) -> Loss:
    """The decoder's loss of the word that should follow, and what a step makes of it where one is taken."""
    word, own = learning.lesson.word, desk.built.learning
    copied = desk.asks(PROBABILITY, word)
    loss = desk.number("decoder.loss", blank=True)
    tasks.add("decoder_loss", "Berechne", "I", loss)
    stepped = own is not None and own.lesson.path == "alles"
    before, after = learning.losses() if stepped else (0.0, 0.0)
    return Loss(
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
    """The right word's logit and probability before and after the step, and those of the likeliest other."""
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
