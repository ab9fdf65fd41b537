"""Station 11, before the numbers of the lesson: what a gradient and a step are, on one invented number."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from generator.calculation.learning import vector_twins
from generator.figures.downhill import Step, downhill
from generator.sheet.desk import Desk
from generator.sheet.sheet import Figure
from generator.stations.learning_tables import learning_of

_START: Final = Decimal(1)  # of the one number w, whose loss is w²
_RATES: Final = (Decimal("0.2"), Decimal("1.2"))  # a small step, and one over the valley


@dataclass(frozen=True)
class OneNumber:
    """The loss w² of a single number, a step that lowers it and one that is too large."""

    figure: Figure
    start: str
    loss: str
    gradient: str
    small: dict[str, str]
    large: dict[str, str]


def one_number(desk: Desk) -> OneNumber:
    gradient = 2 * _START
    steps = [Step(desk.constant(float(rate)), _START - rate * gradient) for rate in _RATES]

    def texts(step: Step) -> dict[str, str]:
        new, loss = desk.constant(float(step.end)), desk.constant(float(step.end**2))
        return {"rate": step.rate, "new": new, "loss": loss}

    return OneNumber(
        figure=downhill(_START, steps, desk.format),
        start=desk.constant(float(_START)),
        loss=desk.constant(float(_START**2)),
        gradient=desk.constant(float(gradient)),
        small=texts(steps[0]),
        large=texts(steps[1]),
    )


@dataclass(frozen=True)
class Twins:
    """Words with the right word's vector: while only matrices learn, they share its probability."""

    words: list[str]
    most: str


def twins_of(desk: Desk) -> Twins | None:
    lesson = learning_of(desk).lesson
    twins = vector_twins(desk.calculation.model.vocabulary_embedding, lesson.word)
    if lesson.path != "attention" or not twins:
        return None
    share = f"{desk.constant(1, 0)}/{desk.constant(len(twins) + 1, 0)}"
    return Twins(words=[desk.vocabulary[word] for word in twins], most=share)


@dataclass(frozen=True)
class Probe:
    """What a gradient says, with invented numbers: a small change and what the loss makes of it."""

    gradient: str
    change: str
    effect: str


def probe_of(desk: Desk) -> Probe:
    gradient, change = Decimal("0.2"), Decimal("0.01")
    return Probe(*(desk.constant(float(number)) for number in (gradient, change, gradient * change)))
