"""Station 11, the output layer: one invented number, the loss, p − t, one step for the word vectors."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

import numpy as np

from engine.numbers.arrays import ln
from engine.numbers.decimals import Decimals
from generator.basics.numbers import NumberFormat, parse_number
from generator.calculation.learning import vector_twins
from generator.figures.drawing import DASHES, Canvas, Point
from generator.sheet.desk import DOT, Desk
from generator.sheet.sheet import CellContent, Drawing, Figure, Number, Parts, Table, Words, parts
from generator.sheet.wording import bracketed
from generator.stations.common import Tasks, columns_table, component_tables, counted, learning_of
from generator.stations.next_word import last_vector, word_vector
from generator.stations.worked_lines import products_line, relation

_START: Final = Decimal(1)  # of the one number w, whose loss is w²
_RATES: Final = (Decimal("0.2"), Decimal("1.2"))  # a small step, and one over the valley
PROBABILITY: Final = "temperature1.probability"
_ERROR: Final = "gradient.logit"
VECTORS: Final = "vocabulary_embedding"
_ASKED: Final = 3  # errors left to the pupil
_REACH: Final = 1.6  # to either side of the valley
_UNIT: Final = 16.0  # mm
_HIGH: Final = 13.0  # mm for a loss of 1
_LEFT, _TOP = 2.0, 4.0
_POINTS: Final = 16  # of half the curve


def one_number(desk: Desk) -> Parts:
    """The loss w² of a single number, a step that lowers it and one that is too large."""
    gradient = 2 * _START
    steps = [Step(desk.constant(float(rate)), _START - rate * gradient) for rate in _RATES]

    def texts(step: Step) -> dict[str, str]:
        new, loss = desk.constant(float(step.end)), desk.constant(float(step.end**2))
        return {"rate": step.rate, "new": new, "loss": loss}

    return parts(
        figure=downhill(_START, steps, desk.format),
        start=desk.constant(float(_START)),
        loss=desk.constant(float(_START**2)),
        gradient=desk.constant(float(gradient)),
        small=texts(steps[0]),
        large=texts(steps[1]),
    )


def twins_of(desk: Desk) -> Parts | None:
    """Words with the right word's vector: while only matrices learn, they share its probability."""
    lesson = learning_of(desk).lesson
    twins = vector_twins(desk.calculation.model.vocabulary_embedding, lesson.word)
    if lesson.path != "attention" or not twins:
        return None
    share = f"{desk.constant(1, 0)}/{desk.constant(len(twins) + 1, 0)}"
    return parts(words=[desk.vocabulary[word] for word in twins], most=share)


def probe_of(desk: Desk) -> Parts:
    """What a gradient says, with invented numbers: a small change and what the loss makes of it."""
    gradient, change = Decimal("0.2"), Decimal("0.01")
    texts = [desk.constant(float(number)) for number in (gradient, change, gradient * change)]
    return parts(gradient=texts[0], change=texts[1], effect=texts[2])


def right_word(desk: Desk) -> int:
    return learning_of(desk).lesson.word


def wrong_words(desk: Desk) -> list[int]:
    """All other words, the most probable first: the first is worked through."""
    p = desk.quantity(PROBABILITY).values
    return sorted(set(range(len(p))) - {right_word(desk)}, key=lambda word: (-p[word], word))


def exercise_words(desk: Desk) -> list[int]:
    """The words whose vectors the pupil changes: the right one and, by level, some wrong ones."""
    wrong = {1: 0, 2: 1, 3: 2}[desk.options.stufe]
    return [right_word(desk), *wrong_words(desk)[1 : 1 + wrong]]


def probabilities_copied(desk: Desk) -> bool:
    """Whether the pupil has worked out the probabilities in this booklet: then no line prints them."""
    return desk.asks(PROBABILITY)


def loss_part(desk: Desk, tasks: Tasks) -> Parts:
    """What station 8 produced, the loss of the right word, and the error p − t of every logit."""
    right, wrong = right_word(desk), wrong_words(desk)
    words = desk.vocabulary
    copied = probabilities_copied(desk)
    known = [desk.number(PROBABILITY, word) for word in range(len(words))]
    loss = desk.number("loss", blank=True)
    tasks.add("loss", "Berechne", "I", loss)
    tasks.add("loss_size", "Deute", "II", points=2)
    worked = wrong[0] if wrong and not copied else None
    shown = {} if copied else {"p": [desk.number(PROBABILITY, word) for word in range(len(words))]}
    truth = [Words("1" if word == right else "0") for word in range(len(words))]
    # Where the probabilities are the pupil's, an error that is printed would tell one.
    asked = [word for word in range(len(words)) if word != worked]
    if not probabilities_copied(desk):
        asked = [right_word(desk), *(word for word in wrong_words(desk) if word != worked)][:_ASKED]
    error = [desk.number(_ERROR, word, blank=word in asked) for word in range(len(words))]
    errors = columns_table(words, {**shown, "truth": truth, "error": error}, example=worked)
    tasks.add("errors", "Berechne", "I", errors)
    tasks.add("sign", "Deute", "II", points=2)
    return parts(
        right=words[right],
        copied=copied,
        asked=1.0 in desk.options.temperatur,
        vector=None if learning_of(desk).lesson.path == "attention" else last_vector(desk),
        p=None if copied else desk.number(PROBABILITY, right),
        known=columns_table(words, {"p": known}),
        loss=loss,
        twins=twins_of(desk),
        probe=probe_of(desk),
        worked=None if worked is None else _worked_error(desk, worked),
        errors=errors,
        error_sum=desk.check_sum(_ERROR, [(word,) for word in range(len(words))]),
        error_tolerance=desk.tolerance(len(words), desk.options.nachkommastellen + 2),
    )


def _worked_error(desk: Desk, word: int) -> Parts:
    """A wrong word's error, and the loss if it were the right one (none where its probability is 0)."""
    p = desk.quantity(PROBABILITY).values[word]
    places = desk.options.nachkommastellen + 2
    loss = None
    if p:
        value = (-ln(Decimals.from_floats(np.asarray(p)))).rounded(places)
        loss = desk.format.text(float(value.to_floats()), places)
    return parts(
        word=desk.vocabulary[word],
        p=desk.number(PROBABILITY, word),
        loss=loss,
        error=desk.number(_ERROR, word),
    )


def vectors_part(desk: Desk, tasks: Tasks) -> Parts:
    """Gradient and step of the output's word vectors: one word worked, some to do, the rest given."""
    wrong, exercises = wrong_words(desk), exercise_words(desk)
    worked = wrong[0] if wrong else None
    rest = [word for word in range(len(desk.vocabulary)) if word not in (worked, *exercises)]
    own = [_vector_exercise(desk, word, tasks) for word in exercises]
    tasks.add("others_fall", "Begründe", "II", points=2)
    return parts(
        worked=None if worked is None else _worked_vector(desk, worked),
        exercises=own,
        rest=component_tables(desk, "step." + VECTORS, (), rest) if rest else [],
    )


def _vector_exercise(desk: Desk, word: int, tasks: Tasks) -> Parts:
    table = _vector_table(desk, word, blank=True, with_last=not last_vector(desk).blank)
    tasks.add(f"vector{word}", "Berechne", "I", table)
    return parts(word=desk.vocabulary[word], task=f"vector{word}", table=table)


def _vector_table(desk: Desk, word: int, *, blank: bool, with_last: bool) -> list[Table]:
    d = desk.sizes.d_model
    last = last_vector(desk).numbers
    columns: dict[str, Sequence[CellContent]] = {}
    if with_last:
        columns["y"] = last
    columns["gradient"] = desk.numbers("gradient." + VECTORS, word, blank=blank)
    columns["old"] = word_vector(desk, word)
    columns["new"] = desk.numbers("step." + VECTORS, word, blank=blank)
    return columns_table(counted(d), columns, narrow=True)


def _worked_vector(desk: Desk, word: int) -> Parts:
    error, vector = desk.number(_ERROR, word), last_vector(desk)
    gradient, old = desk.number("gradient." + VECTORS, word, 0), word_vector(desk, word)[0]
    new = desk.number("step." + VECTORS, word, 0)
    return parts(
        word=desk.vocabulary[word],
        gradient_line=None
        if vector.blank or probabilities_copied(desk)
        else products_line(desk, [error], vector.numbers[:1], gradient),
        gradient=gradient,
        step_line=step_line(desk, old, gradient, new),
        new=new,
        table=_vector_table(desk, word, blank=False, with_last=not vector.blank),
    )


def step_line(desk: Desk, old: Number, gradient: Number, new: Number) -> str:
    """0,8 − 0,5 · (−0,0130) ≈"""
    rate = rate_text(desk)
    exact = parse_number(old.text) - parse_number(rate) * parse_number(gradient.text)
    return f"{old.text} − {rate}{DOT}{bracketed(gradient)} {relation(exact, new)}"


def rate_text(desk: Desk) -> str:
    return desk.constant(learning_of(desk).lesson.rate)


@dataclass(frozen=True)
class Step:
    """rate: as printed; end: where the number lands."""

    rate: str
    end: Decimal


def downhill(start: Decimal, steps: Sequence[Step], numbers: NumberFormat) -> Figure:
    zero = (_LEFT + _REACH * _UNIT + 2.0, _TOP + _HIGH * _REACH**2)

    def at(w: float) -> Point:
        return zero[0] + w * _UNIT, zero[1] - w * w * _HIGH

    canvas = Canvas()
    canvas.arrow([(_LEFT, zero[1]), (zero[0] + _REACH * _UNIT + 4.0, zero[1])], 0.3)
    canvas.arrow([(zero[0], zero[1] + 2.0), (zero[0], _TOP - 3.0)], 0.3)
    canvas.text((zero[0] + _REACH * _UNIT + 4.0, zero[1] - 1.4), "w", 3.2, "end")
    canvas.text((zero[0] + 1.4, _TOP), "L", 3.2)
    canvas.path([at(_REACH * k / _POINTS) for k in range(-_POINTS, _POINTS + 1)], 0.4)
    for w in (start, *(step.end for step in steps)):
        x, y = at(float(w))
        canvas.line((x, y), (x, zero[1]), 0.2, DASHES[2])
        canvas.text((x, zero[1] + 4.0), numbers.text(w, None), 2.8, "middle")
    for step, dash in zip(steps, DASHES, strict=False):
        canvas.arrow([at(float(start)), at(float(step.end))], 0.35, dash=dash)
    for w in (start, *(step.end for step in steps)):
        canvas.marker("disc", at(float(w)))
    size = zero[0] + _REACH * _UNIT + 6.0, zero[1] + 6.0
    said = _said(start, steps, numbers)
    return Figure("Ein kleiner und ein zu großer Schritt", *size, Drawing(canvas.shapes, said))


def _said(start: Decimal, steps: Sequence[Step], numbers: NumberFormat) -> str:
    def place(w: Decimal) -> str:
        return f"w = {numbers.text(w, None)}, L = {numbers.text(w * w, None)}"

    ends = " und ".join(f"mit der Lernrate {step.rate} zu {place(step.end)}" for step in steps)
    return f"Parabel L = w mal w. Von {place(start)} führt ein Schritt {ends}."
