"""Station 11, the output layer: one invented number, the loss, p − t, one step for the word vectors."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import fields
from decimal import Decimal
from functools import cached_property
from typing import Final

import numpy as np

from engine.forward.calculation import SentencePass
from engine.model.model import Model
from engine.numbers.arrays import ln
from engine.numbers.decimals import Decimals
from engine.trace import Quantity
from generator.basics.numbers import NumberFormat, parse_number
from generator.calculation.learning import vector_twins
from generator.figures.drawing import DASHES, Canvas, Point
from generator.sheet.desk import DOT, Desk
from generator.sheet.sheet import CellContent, Drawing, Figure, Number, Parts, Table, Words, parts
from generator.stations.common import Tasks, columns_table, component_tables, counted, learning_of
from generator.stations.next_word import last_vector, word_vector
from generator.stations.worked_lines import honest_sum, relation

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
    ends = {desk.constant(float(rate)): _START - rate * gradient for rate in _RATES}
    small, large = (
        {"rate": rate, "new": desk.constant(float(end)), "loss": desk.constant(float(end**2))}
        for rate, end in ends.items()
    )
    return parts(
        figure=_downhill(ends, desk.format),
        start=desk.constant(float(_START)),
        loss=desk.constant(float(_START**2)),
        gradient=desk.constant(float(gradient)),
        small=small,
        large=large,
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
    loss = desk.number("loss", blank=True)
    tasks.add("loss", "Berechne", "I", loss)
    worked = wrong[0] if wrong and not copied else None
    truth = [Words("1" if word == right else "0") for word in range(len(words))]
    # Where the probabilities are the pupil's, an error that is printed would tell one.
    asked = [word for word in range(len(words)) if word != worked]
    if not copied:
        asked = [right, *(word for word in wrong if word != worked)][:_ASKED]
    error = desk.numbers(_ERROR, blank=asked)
    errors = columns_table(
        words, {"p": desk.numbers(PROBABILITY), "truth": truth, "error": error}, example=worked
    )
    tasks.add("errors", "Berechne", "I", errors)
    tasks.add("sign", "Deute", "II", points=2)
    return parts(
        right=words[right],
        copied=copied,
        asked=1.0 in desk.options.temperatur,
        vector=None if learning_of(desk).lesson.path == "attention" else last_vector(desk),
        p=None if copied else desk.number(PROBABILITY, right),
        loss=loss,
        twins=twins_of(desk),
        probe=probe_of(desk),
        worked=None if worked is None else _worked_error(desk, worked),
        errors=errors,
        rounded_away=not desk.quantity(_ERROR).values.all(),
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
        worked=None
        if worked is None
        else parts(
            word=desk.vocabulary[worked],
            table=_vector_table(desk, worked, blank=False, with_last=not last_vector(desk).blank),
        ),
        exercises=own,
        rest=component_tables(desk, "step." + VECTORS, (), rest) if rest else [],
    )


def _vector_exercise(desk: Desk, word: int, tasks: Tasks) -> Parts:
    table = _vector_table(desk, word, blank=True, with_last=not last_vector(desk).blank)
    tasks.add(f"vector{word}", "Berechne", "I", table)
    cells = [(word, c) for c in range(desk.sizes.d_model)]
    check = step_check(desk, VECTORS, cells)
    return parts(word=desk.vocabulary[word], task=f"vector{word}", table=table, check=check)


def step_check(desk: Desk, name: str, cells: Sequence[tuple[int, ...]]) -> Parts | None:
    """The sum of new numbers that tells a step from one uphill or without the rate.

    count: of how many, 0 for all. All together often tell nothing: what LayerNorm gives adds up to 0, and so
    does its multiple.
    """
    rate, gradient = learning_of(desk).lesson.rate, desk.quantity("gradient." + name).values
    slips = [2 * rate, abs(1 - rate)] if rate != 1 else [2 * rate]  # times the gradient
    for count in range(len(cells), 1, -1):
        found = honest_sum(desk, "step." + name, cells[:count])
        moved = min(slips) * abs(sum(float(gradient[cell]) for cell in cells[:count]))
        if moved > 2 * found.reach:
            return parts(sum=found.sum, off=found.off, count=count if count < len(cells) else 0)
    return None


def _vector_table(desk: Desk, word: int, *, blank: bool, with_last: bool) -> list[Table]:
    d = desk.sizes.d_model
    last = last_vector(desk).numbers
    columns: dict[str, Sequence[CellContent]] = {}
    if with_last:
        columns["y"] = last
    own = {*range(d)} - ({largest_component(desk)} if word == right_word(desk) else set()) if blank else set()
    columns["gradient"] = desk.numbers("gradient." + VECTORS, word, blank=own)
    columns["old"] = word_vector(desk, word)
    columns["new"] = desk.numbers("step." + VECTORS, word, blank=own)
    return columns_table(counted(d), columns, narrow=True)


def largest_component(desk: Desk) -> int:
    """The component of y that moves a word vector most; the short form takes its step there."""
    return int(np.argmax([abs(float(parse_number(number.text))) for number in last_vector(desk).numbers]))


def step_line(desk: Desk, old: Number, gradient: Number, new: Number) -> str:
    """0,8 − 0,5 · (−0,0130) ≈"""
    rate = rate_text(desk)
    exact = parse_number(old.text) - parse_number(rate) * parse_number(gradient.text)
    return f"{old.text} − {rate}{DOT}{gradient.bracketed} {relation(exact, new)}"


def rate_text(desk: Desk) -> str:
    return desk.constant(learning_of(desk).lesson.rate)


def _downhill(ends: Mapping[str, Decimal], numbers: NumberFormat) -> Figure:
    """ends: where the number lands, by the rate as printed."""
    zero = (_LEFT + _REACH * _UNIT + 2.0, _TOP + _HIGH * _REACH**2)

    def at(w: float) -> Point:
        return zero[0] + w * _UNIT, zero[1] - w * w * _HIGH

    canvas = Canvas()
    canvas.arrow([(_LEFT, zero[1]), (zero[0] + _REACH * _UNIT + 4.0, zero[1])], 0.3)
    canvas.arrow([(zero[0], zero[1] + 2.0), (zero[0], _TOP - 3.0)], 0.3)
    canvas.text((zero[0] + _REACH * _UNIT + 4.0, zero[1] - 1.4), "w", 3.2, "end")
    canvas.text((zero[0] + 1.4, _TOP), "L", 3.2)
    for loss in range(1, math.floor(_REACH**2) + 1):
        y = zero[1] - loss * _HIGH
        canvas.line((zero[0] - 0.8, y), (zero[0] + 0.8, y), 0.2)
        canvas.text((zero[0] - 1.6, y + 1.0), numbers.text(loss, 0), 2.8, "end")
    canvas.path([at(_REACH * k / _POINTS) for k in range(-_POINTS, _POINTS + 1)], 0.4)
    for w in (_START, *ends.values()):
        x, y = at(float(w))
        canvas.line((x, y), (x, zero[1]), 0.2, DASHES[2])
        canvas.text((x, zero[1] + 4.0), numbers.text(w, None), 2.8, "middle")
    for end, dash in zip(ends.values(), DASHES, strict=False):
        canvas.arrow([at(float(_START)), at(float(end))], 0.35, dash=dash)
    for w in (_START, *ends.values()):
        canvas.marker("disc", at(float(w)))
    size = zero[0] + _REACH * _UNIT + 6.0, zero[1] + 6.0

    def place(w: Decimal) -> str:
        return f"w = {numbers.text(w, None)}, L = {numbers.text(w * w, None)}"

    ways = " und ".join(f"mit der Lernrate {rate} zu {place(end)}" for rate, end in ends.items())
    said = f"Parabel L = w mal w. Von {place(_START)} führt ein Schritt {ways}."
    return Figure("Ein kleiner und ein zu großer Schritt", *size, Drawing(canvas.shapes, said))


# --- A lesson that takes its step from an earlier state of the training.


class EarlierDesk(Desk):
    """Gives the numbers of the way forward, and the weights, as the earlier state has them.

    None of them is asked for elsewhere on the sheet: all are printed.
    """

    @property
    def calculation(self) -> SentencePass:
        learning = learning_of(self)
        assert isinstance(learning.model, Model)
        return SentencePass(learning.model, learning.exact, learning.hand)

    @cached_property
    def hand(self) -> Mapping[str, Quantity]:
        now, before = super().hand, learning_of(self).lesson.before
        earlier = {name.removeprefix(before): now[name] for name in now if name.startswith(before)}
        return {**now, **earlier}

    def asks(self, name: str, *index: int) -> bool:
        return super().asks(self.hand[name].name if name in self.hand else name, *index)

    def _weight(self, name: str, index: tuple[int, ...], values: Decimals) -> Number:
        return super()._weight(learning_of(self).lesson.before + name, index, values)


def lesson_desk(desk: Desk) -> Desk:
    """The desk of the model that the lesson is taken with."""
    if not learning_of(desk).lesson.before:
        return desk
    return EarlierDesk(**{field.name: getattr(desk, field.name) for field in fields(desk)})
