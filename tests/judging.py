"""Answers to a calculation without a file of them, and the report of `check` on them."""

from decimal import Decimal

import numpy as np

from engine.judging.acceptance import accepted
from generator.basics.cell_names import SheetWords
from generator.calculation.contents import Exercise
from generator.calculation.rebuild import Rebuilt
from generator.check.answers import Answers
from generator.check.check import check
from generator.check.entries import Entry


def judge(calculation, answers, ranges=None, printed=None, words=None, asked=None):
    """printed: the cells that a sheet gives. asked: the quantities that it asks for; None: unknown."""
    cells = [(name, tuple(index)) for name, where in (printed or {}).items() for index in np.argwhere(where)]
    model = calculation.model
    words = words or SheetWords(model.sizes, model.tokens, model.vocabulary)
    ranges = accepted(calculation, printed) if ranges is None else ranges
    exercises = () if asked is None else (Exercise("4a", 1, 0, tuple((name, ()) for name in asked)),)
    return check(Rebuilt("", {}, calculation, words, (), ranges, exercises, tuple(cells)), answers)


def answers_of(calculation, tables):
    """A file in which every visible cell is filled in."""
    entries = [
        Entry(name, index, f"{value:.{quantity.places}f}", Decimal(f"{value:.{quantity.places}f}"))
        for name, quantity in calculation.hand.items()
        for index in quantity.cells()
        if np.isfinite(value := tables[name][index])
    ]
    return Answers(tuple(entries), 0)
