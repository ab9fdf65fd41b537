"""Numbers of configurations go in; how often simulated mistakes are named and charged once comes out."""

from collections import Counter
from decimal import Decimal

import numpy as np
from acceptance.configurations import configuration
from judging import judge

from engine.judging.acceptance import accepted
from engine.judging.mistakes import MISTAKES, mistaken_numbers
from engine.judging.own_range import recompute_from
from engine.numbers.arrays import half_up
from engine.pens.careless import CarelessPen
from engine.pens.pens import Numbers
from generator.check.answers import Answers
from generator.check.entries import Entry

SLIPS = ("digits", "sign", "row")


def answers_of(calculation, tables) -> Answers:
    """A file in which every visible cell is filled in."""
    entries = [
        Entry(name, index, f"{value:.{quantity.places}f}", Decimal(f"{value:.{quantity.places}f}"))
        for name, quantity in calculation.hand.items()
        for index in quantity.cells()
        if np.isfinite(value := tables[name][index])
    ]
    return Answers(tuple(entries), 0)


def outside(calculation, ranges, tables) -> int:
    """How many visible cells are beyond the accepted range."""
    count = 0
    for name, quantity in calculation.hand.items():
        refused = ~ranges[name].contains(tables[name]) & np.isfinite(tables[name])
        count += int((refused if quantity.visible is None else refused & quantity.visible).sum())
    return count


def careless(calculation, way, seed):
    """The papers of a pupil who makes the mistake and rounds as they like."""
    rng = np.random.default_rng([seed, 9])
    pen = CarelessPen(calculation.hand, 1, rng, first=6 + seed)
    way(calculation.model, pen).run("entry.score" in calculation.hand)
    tables = {}
    for name, quantity in pen.trace.items():
        values = quantity.values
        tables[name] = values if values.ndim == len(quantity.axes) else values[0]
    return tables


def with_slip(calculation, rng):
    """The papers of a pupil who rounds as asked and slips once; the kind and the cells of the slip."""
    hand = calculation.hand
    names = [name for name in hand if name != "embedding" and hand[name].values.size > 1]
    name = names[int(rng.integers(len(names)))]
    quantity = hand[name]
    cells = list(quantity.cells())
    index = cells[int(rng.integers(len(cells)))]
    kind = SLIPS[int(rng.integers(3))]
    values = quantity.values.copy()
    places = quantity.places
    if kind == "row" and values.ndim == 2 and len(values) > 1:
        values[index[0]] = values[(index[0] + 1) % len(values)]
    elif kind == "sign" and values[index] != 0:
        values[index] = -values[index]
    else:
        kind = "digits"
        text = f"{abs(values[index]):.{places}f}"
        digits = [i for i, sign in enumerate(text) if sign.isdigit()]
        place = digits[int(rng.integers(len(digits)))]
        digit = (int(text[place]) + int(rng.integers(1, 10))) % 10
        values[index] = float(text[:place] + str(digit) + text[place + 1 :]) * (
            -1 if values[index] < 0 else 1
        )
    changed = values != quantity.values
    if quantity.visible is not None:
        changed &= quantity.visible
    tables, numbers = {}, {name: Numbers(values, changed)}
    pen = recompute_from(calculation, numbers)
    for other in hand:
        tables[other] = half_up(pen.right[other], hand[other].places)
    tables[name] = np.where(changed, values, tables[name])
    return kind, name, changed, tables


def mistakes(seeds, careless_pupils=False) -> Counter:
    """Counts of (mistake, outcome): named, named among others, missed; and how often it was charged."""
    counts: Counter = Counter()
    for seed in seeds:
        calculation = configuration(seed)
        ranges = accepted(calculation)
        for mistake in MISTAKES:
            if not mistake.applies(calculation.model):
                continue
            if careless_pupils:
                papers = [careless(calculation, way, seed) for way in mistake.variants if mistake.id != "cut"]
            else:
                papers = mistaken_numbers(calculation, mistake, {})
            for tables in papers:
                if not outside(calculation, ranges, tables):
                    counts[mistake.id, "unseen"] += 1
                    continue
                report = judge(calculation, answers_of(calculation, tables), ranges)
                named = [finding.ids for finding in report.findings if mistake.id in finding.ids]
                counts[mistake.id, "named" if named else "missed"] += 1
                counts[mistake.id, "together"] += bool(named) and len(named[0]) > 1
                counts[mistake.id, "once"] += report.charges() <= 1
                if not named:
                    counts[mistake.id, f"missed {seed}"] += 1
    return counts
