"""The way back through the output layer: loss, p − t, one step for the word vectors, the loss after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.numbers.arrays import ln
from engine.numbers.decimals import Decimals
from generator.sheet.desk import Desk
from generator.sheet.sheet import CellContent, Line, Number, Solution, Table, Vector, Words
from generator.sheet.wording import bracketed
from generator.stations.common import Tasks, component_tables
from generator.stations.learning_tables import columns_table, counted, learning_of
from generator.stations.output_tables import last_vector, word_vector

_P: Final = "temperature1.probability"
_NEW: Final = "after.temperature1."
_ERROR: Final = "gradient.logit"
_VECTORS: Final = "vocabulary_embedding"
_WIDEST_EXP: Final = 12  # characters; longer ones are given
_PLACES: Final = 3  # of the probabilities


def right_word(desk: Desk) -> int:
    return learning_of(desk).lesson.word


def wrong_words(desk: Desk) -> list[int]:
    """All other words, the most probable first: the first is worked through."""
    p = desk.quantity(_P).values
    return sorted(set(range(len(p))) - {right_word(desk)}, key=lambda word: (-p[word], word))


def exercise_words(desk: Desk) -> list[int]:
    """The words whose vectors the pupil changes: the right one and, by level, some wrong ones."""
    wrong = {1: 0, 2: 1, 3: 2}[desk.options.stufe]
    return [right_word(desk), *wrong_words(desk)[1 : 1 + wrong]]


def probabilities_copied(desk: Desk) -> bool:
    """Whether the pupil has worked out the probabilities in this booklet: then no line prints them."""
    return desk.asks(_P)


@dataclass(frozen=True)
class Loss:
    right: str
    copied: bool
    asked: bool
    vector: Vector
    p: Number | None
    known: list[Table]
    loss: Number
    worked: WorkedError | None
    errors: list[Table]
    error_sum: str
    error_tolerance: str


def loss_part(desk: Desk, tasks: Tasks) -> Loss:
    """What station 8 produced, the loss of the right word, and the error p − t of every logit."""
    right, wrong = right_word(desk), wrong_words(desk)
    words = desk.vocabulary
    copied = probabilities_copied(desk)
    known = [desk.number(_P, word) for word in range(len(words))]
    loss = desk.number("loss", blank=True)
    tasks.add("loss", "Berechne", "I", loss)
    tasks.add("loss_size", "Deute", "II", points=2)
    worked = wrong[0] if wrong and not copied else None
    shown = {} if copied else {"p": [desk.number(_P, word) for word in range(len(words))]}
    truth = [Words("1" if word == right else "0") for word in range(len(words))]
    error = [desk.number(_ERROR, word, blank=word != worked) for word in range(len(words))]
    errors = columns_table(words, {**shown, "truth": truth, "error": error}, example=worked)
    tasks.add("errors", "Berechne", "I", errors)
    tasks.add("sign", "Deute", "II", points=2)
    return Loss(
        right=words[right],
        copied=copied,
        asked=1.0 in desk.options.temperatur,
        vector=last_vector(desk),
        p=None if copied else desk.number(_P, right),
        known=columns_table(words, {"p": known}),
        loss=loss,
        worked=None if worked is None else _worked_error(desk, worked),
        errors=errors,
        error_sum=desk.check_sum(_ERROR, [(word,) for word in range(len(words))]),
        error_tolerance=desk.tolerance(len(words), desk.options.nachkommastellen + 2),
    )


@dataclass(frozen=True)
class WorkedError:
    word: str
    p: Number
    loss: str | None
    error: Number


def _worked_error(desk: Desk, word: int) -> WorkedError:
    """A wrong word's error, and the loss if it were the right one (none where its probability is 0)."""
    p = desk.quantity(_P).values[word]
    places = desk.options.nachkommastellen + 2
    loss = None
    if p:
        value = (-ln(Decimals.from_floats(np.asarray(p)))).rounded(places)
        loss = desk.format.text(float(value.to_floats()), places)
    return WorkedError(
        word=desk.vocabulary[word],
        p=desk.number(_P, word),
        loss=loss,
        error=desk.number(_ERROR, word),
    )


@dataclass(frozen=True)
class Vectors:
    worked: WorkedVector | None
    exercises: list[VectorExercise]
    rest: list[Table]


def vectors_part(desk: Desk, tasks: Tasks) -> Vectors:
    """Gradient and step of the output's word vectors: one word worked, some to do, the rest given."""
    wrong, exercises = wrong_words(desk), exercise_words(desk)
    worked = wrong[0] if wrong else None
    rest = [word for word in range(len(desk.vocabulary)) if word not in (worked, *exercises)]
    own = [_vector_exercise(desk, word, tasks) for word in exercises]
    tasks.add("others_fall", "Begründe", "II", points=2)
    return Vectors(
        worked=None if worked is None else _worked_vector(desk, worked),
        exercises=own,
        rest=component_tables(desk, "step." + _VECTORS, (), rest) if rest else [],
    )


@dataclass(frozen=True)
class VectorExercise:
    word: str
    task: str
    table: list[Table]


def _vector_exercise(desk: Desk, word: int, tasks: Tasks) -> VectorExercise:
    table = _vector_table(desk, word, blank=True, with_last=not last_vector(desk).blank)
    tasks.add(f"vector{word}", "Berechne", "I", table)
    return VectorExercise(
        word=desk.vocabulary[word],
        task=f"vector{word}",
        table=table,
    )


def _vector_table(desk: Desk, word: int, *, blank: bool, with_last: bool) -> list[Table]:
    d = desk.sizes.d_model
    last = last_vector(desk).numbers
    columns: dict[str, Sequence[CellContent]] = {}
    if with_last:
        columns["y"] = last
    columns["gradient"] = desk.numbers("gradient." + _VECTORS, word, blank=blank)
    columns["old"] = word_vector(desk, word)
    columns["new"] = desk.numbers("step." + _VECTORS, word, blank=blank)
    return columns_table(counted(d), columns, narrow=True)


@dataclass(frozen=True)
class WorkedVector:
    word: str
    gradient_line: Line | None
    gradient: Number
    step_line: str
    new: Number
    table: list[Table]


def _worked_vector(desk: Desk, word: int) -> WorkedVector:
    error, vector = desk.number(_ERROR, word), last_vector(desk)
    gradient, old = desk.number("gradient." + _VECTORS, word, 0), word_vector(desk, word)[0]
    return WorkedVector(
        word=desk.vocabulary[word],
        gradient_line=None
        if vector.blank or probabilities_copied(desk)
        else desk.products([error], vector.numbers[:1]),
        gradient=gradient,
        step_line=f"{old.text} − {rate_text(desk)} · {bracketed(gradient)}",
        new=desk.number("step." + _VECTORS, word, 0),
        table=_vector_table(desk, word, blank=False, with_last=not vector.blank),
    )


def rate_text(desk: Desk) -> str:
    return desk.constant(learning_of(desk).lesson.rate)


@dataclass(frozen=True)
class After:
    alone: bool
    worked: dict[str, Number | str | Line | None] | None
    lines: list[LogitLine]
    table: list[Table]
    one: str
    tolerance: str
    before: Number
    loss: Number
    change: str | str | str
    p_before: Solution
    p_after: Solution


def after_part(desk: Desk, tasks: Tasks) -> After:
    """The forward pass again: new logits (to compute where only their vectors changed), softmax, loss."""
    learning = learning_of(desk)
    alone = learning.lesson.path == "ausgabe"
    right, wrong, words = right_word(desk), wrong_words(desk), desk.vocabulary
    exercises = exercise_words(desk)
    logits = exercises if alone else [right] if learning.lesson.path == "alles" else []
    table = _after_table(desk, logits, exercises if alone else [right])
    tasks.add("after", "Berechne", "I", table)
    loss = desk.number("after.loss", blank=True)
    tasks.add("after_loss", "Bestimme", "I", loss, points=2)
    tasks.add("lower", "Begründe", "II", points=3)
    before, after = learning.losses()
    worked = None
    if alone and wrong:
        new = desk.numbers("step." + _VECTORS, wrong[0])
        worked = {
            "word": words[wrong[0]],
            "line": None if last_vector(desk).blank else desk.products(last_vector(desk).numbers, new),
            "logit": desk.number("after.logit", wrong[0]),
        }
    return After(
        alone=alone,
        worked=worked,
        lines=[_logit_line(desk, word, after=not alone) for word in logits],
        table=table,
        one=desk.constant(1, _PLACES),
        tolerance=desk.tolerance(len(words), _PLACES),
        before=desk.number("loss", blank=True),
        loss=loss,
        change="falls" if after < before else "rises" if after > before else "stays",
        p_before=Solution(desk.number(_P, right).text),
        p_after=Solution(desk.number(_NEW + "probability", right).text),
    )


@dataclass(frozen=True)
class LogitLine:
    word: str
    line: Solution


def _logit_line(desk: Desk, word: int, after: bool) -> LogitLine:
    """Room for y · e with the new vector of the word; after: y is new too."""
    new = desk.numbers("step." + _VECTORS, word)
    y = desk.numbers(f"after.block{desk.sizes.n_blocks}.norm2.output", desk.n - 1) if after else None
    line = desk.products(last_vector(desk).numbers if y is None else y, new)
    return LogitLine(word=desk.vocabulary[word], line=Solution(line.text, rows=-(-len(new) // 5)))


def _after_table(desk: Desk, logits: Sequence[int], rest: Sequence[int]) -> list[Table]:
    """logits: the words whose logit is left to the pupil; rest: those whose e^x and share are."""
    count = len(desk.vocabulary)
    total = desk.number(_NEW + "exp_sum")
    writable = len(total.text) <= _WIDEST_EXP

    def column(name: str, empty: Sequence[int]) -> list[Number]:
        return [desk.number(name, word, blank=word in empty) for word in range(count)]

    columns = {
        "logit": column("after.logit", logits),
        "exp": column(_NEW + "exp", rest if writable else ()),
        "probability": column(_NEW + "probability", rest),
    }
    sums = (Words(""), desk.number(_NEW + "exp_sum", blank=writable), Words(""))
    return columns_table(desk.vocabulary, columns, sums)
