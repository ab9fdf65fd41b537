"""Station 11: the forward pass with what was learnt, and the new loss beside the old one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from generator.sheet.desk import Desk
from generator.sheet.sheet import CellContent, Line, Number, Solution, Table, Vector, Words
from generator.stations.common import Tasks
from generator.stations.learning_output import (
    PROBABILITY,
    VECTORS,
    exercise_words,
    probabilities_copied,
    right_word,
    wrong_words,
)
from generator.stations.learning_tables import columns_table, learning_of
from generator.stations.output_tables import last_vector
from generator.stations.worked_lines import products_line

_NEW: Final = "after.temperature1."
_WIDEST_EXP: Final = 12  # characters; longer ones are given
_PLACES: Final = 3  # of the probabilities
_MOST_NAMED: Final = 4  # words of a list in a sentence


@dataclass(frozen=True)
class After:
    alone: bool
    worked: WorkedLogit | None
    lines: list[LogitLine]
    old_copied: bool
    table: list[Table]
    one: str
    tolerance: str
    before: Number
    loss: Number
    change: str
    exact: tuple[str, str]
    p_before: Solution
    p_after: Solution
    astray: Solution


def after_part(desk: Desk, tasks: Tasks) -> After:
    """The forward pass again: new logits (to compute where only their vectors changed), softmax, loss."""
    learning = learning_of(desk)
    alone = learning.lesson.path == "ausgabe"
    right, words = right_word(desk), desk.vocabulary
    exercises = exercise_words(desk)
    logits = exercises if alone else [right] if learning.lesson.path == "alles" else []
    table = _after_table(desk, logits, exercises if alone else [right])
    tasks.add("after", "Berechne", "I", table)
    loss = desk.number("after.loss", blank=True)
    tasks.add("after_loss", "Bestimme", "I", loss, points=2)
    tasks.add("lower", "Begründe", "II", points=3)
    if not alone:
        tasks.add("astray", "Begründe", "II", points=2)
    before, after = learning.losses()
    places = desk.quantity("loss").places
    exact = [desk.constant(value, places) for value in learning.losses(hand=False)]
    return After(
        alone=alone,
        worked=_worked_logit(desk) if alone else None,
        lines=[_logit_line(desk, word, after=not alone) for word in logits],
        old_copied=desk.asks("logit"),
        table=table,
        one=desk.constant(1, _PLACES),
        tolerance=desk.tolerance(len(words), _PLACES),
        before=desk.number("loss", blank=True),
        loss=loss,
        change="falls" if after < before else "rises" if after > before else "stays",
        exact=(exact[0], exact[1]),
        p_before=Solution(desk.number(PROBABILITY, right).text),
        p_after=Solution(desk.number(_NEW + "probability", right).text),
        astray=Solution(_named([words[word] for word in _astray(desk)])),
    )


def _astray(desk: Desk) -> list[int]:
    """The words whose logit went the other way than the step was to take it."""
    right, old, new = right_word(desk), desk.quantity("logit").values, desk.quantity("after.logit").values
    change = new - old
    change[right] *= -1
    return [int(word) for word in np.flatnonzero(change > 0)]


def _named(words: Sequence[str]) -> str:
    """„Die“, „der“ und 3 andere"""
    quoted = [f"„{word}“" for word in words]
    if len(quoted) > _MOST_NAMED:
        quoted = [*quoted[: _MOST_NAMED - 1], f"{len(quoted) - _MOST_NAMED + 1} andere"]
    return " und ".join([", ".join(quoted[:-1]), quoted[-1]]) if len(quoted) > 1 else "".join(quoted)


@dataclass(frozen=True)
class WorkedLogit:
    word: str
    line: Line | None
    logit: Number


def _worked_logit(desk: Desk) -> WorkedLogit | None:
    """The most probable wrong word's new logit; its line only where the vector is printed."""
    wrong = wrong_words(desk)
    if not wrong:
        return None
    y, logit = last_vector(desk), desk.number("after.logit", wrong[0])
    new = desk.numbers("step." + VECTORS, wrong[0])
    return WorkedLogit(
        word=desk.vocabulary[wrong[0]],
        line=None if y.blank else products_line(desk, y.numbers, new, logit),
        logit=logit,
    )


@dataclass(frozen=True)
class LogitLine:
    word: str
    vector: Vector
    line: Solution


def _logit_line(desk: Desk, word: int, after: bool) -> LogitLine:
    """Room for y · e with the new vector of the word; after: y is new too."""
    new = desk.numbers("step." + VECTORS, word)
    y = desk.numbers(f"after.block{desk.sizes.n_blocks}.norm2.output", desk.n - 1) if after else None
    line = desk.products(last_vector(desk).numbers if y is None else y, new)
    return LogitLine(desk.vocabulary[word], Vector(new), Solution(line.text, rows=-(-len(new) // 5)))


def _after_table(desk: Desk, logits: Sequence[int], rest: Sequence[int]) -> list[Table]:
    """logits: the words whose logit is left to the pupil; rest: those whose e^x and share are.

    Where a word has the same new logit as one of them, its numbers would tell theirs. The old probabilities
    stand here only where the pupil has not copied them at the station's beginning.
    """
    count = len(desk.vocabulary)
    total = desk.number(_NEW + "exp_sum")
    writable = len(total.text) <= _WIDEST_EXP
    new = desk.quantity("after.logit").values
    asked = [int(word) for word in np.flatnonzero(np.isin(new, new[list(rest)]))]

    def column(name: str, empty: Sequence[int]) -> list[Number]:
        return [desk.number(name, word, blank=word in empty) for word in range(count)]

    columns: dict[str, Sequence[CellContent]] = {
        "before.logit": desk.numbers("logit"),
        "logit": column("after.logit", logits),
        "exp": column(_NEW + "exp", asked if writable else ()),
    }
    if not probabilities_copied(desk):
        columns["before.probability"] = desk.numbers(PROBABILITY)
    columns["probability"] = column(_NEW + "probability", asked)
    sums = {"exp": desk.number(_NEW + "exp_sum", blank=writable)}
    return columns_table(desk.vocabulary, columns, [sums.get(name, Words("")) for name in columns])
