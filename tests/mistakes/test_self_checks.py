"""Which self-check sees which typical mistake of its task, made there for the first time."""

import re

import numpy as np
import pytest
from findings.seen import number, plain

from engine.judging.mistakes import LEARNING_MISTAKES, MISTAKES, mistaken_numbers
from engine.pens.pens import numbers_of
from generator.options.options import Options
from generator.sheet.record import stations_of
from generator.stations.make_sheet import make_sheet
from tests.laid_out import KATZE, page_of

SAID = re.compile(r"(−?\d+(?:,\d+)?)(?: bei T = [\d,]+)?(?: \((?:je )?± ([\d,]+)\))?")


def matrix(options, mistakes=MISTAKES):
    """Task and mistake: True where a self-check of the task sees it, False where none does.

    Only tasks with a self-check, and mistakes that change a number which the task asks for.
    """
    whole = make_sheet(Options.from_mapping({"satz": KATZE, **options}))
    sheet, desk, page = whole.sheet, whole.desk, page_of(whole.sheet, whole.desk, "key")
    calculation, found = desk.built.passes if mistakes is LEARNING_MISTAKES else desk.calculation, {}
    for station, printed in zip(sheet.stations, stations_of(page), strict=True):
        tasks = {task.number: name for name, task in station.tasks.items()}
        for exercise in printed.exercises:
            said = [pair for check in exercise.checks for pair in SAID.findall(plain(check))]
            cells = [(name, index) for name, index in exercise.cells if name in calculation.hand]
            names = {name for name, _ in cells}
            if not said or not cells:
                continue
            before = {n: v for n, v in numbers_of(calculation.hand).items() if n not in names}
            for mistake in mistakes:
                if mistake.id == "cut" or not mistake.possible(calculation.model, names):
                    continue
                wrong = mistaken_numbers(calculation, mistake, before)[0]
                if any(off(calculation, wrong, *cell) for cell in cells):
                    task = f"{station.id} {tasks[exercise.task.number]}"
                    found[task, mistake.id] = any(sees(calculation, wrong, cells, *each) for each in said)
    return found


def off(calculation, wrong, name, index):
    right = calculation.hand[name]
    value = wrong[name][index]
    return not np.isnan(value) and abs(value - right.values[index]) > 10.0 ** -(right.places or 0)


def sees(calculation, wrong, cells, value, tolerance):
    """Whether a sum that the check may mean is right with the right numbers and wrong with the others."""
    value, near = number(value), max(number(tolerance) if tolerance else 0.0, 1e-6)
    for name in {name for name, _ in cells}:
        right, other = np.nan_to_num(calculation.hand[name].values), np.nan_to_num(wrong[name])
        indices = [index for each, index in cells if each == name]
        rows = [(right[row], other[row]) for row in {index[:-1] for index in indices if index}]
        pairs = [*rows, *((a[..., ::2], b[..., ::2]) for a, b in rows)]  # sines alone, too
        own = [right[i] for i in indices], [other[i] for i in indices]
        pairs += [(own[0][:count], own[1][:count]) for count in range(1, len(indices) + 1)]
        for a, b in pairs:
            for total in (np.sum, lambda x: np.sum(np.square(x)), np.mean):
                if abs(total(a) - value) <= near < abs(total(b) - value):
                    return True
    return False


# The sums of a head's table name scores and weights: a wrong base is seen in the new vector alone.
BETWEEN = "base_ten"


@pytest.mark.parametrize("style", ["auswahl", "dezimal", pytest.param("gelernt", marks=pytest.mark.thorough)])
def test_each_listed_mistake_of_a_task_is_seen_by_one_of_its_self_checks(style):
    found = matrix({"gewichte": style})
    assert any(seen for (_, mistake), seen in found.items() if mistake == BETWEEN)
    found = {each: seen for each, seen in found.items() if each[1] != BETWEEN}
    assert len(found) > 10
    missed = {each for each, seen in found.items() if not seen}
    assert not missed or style != "auswahl"
    assert len(missed) <= 0.15 * len(found), missed  # with some numbers a mistake changes hardly anything


@pytest.mark.parametrize(
    ("style", "path"),
    [
        ("auswahl", "alles"),
        ("dezimal", "attention"),
        ("gelernt", "ausgabe"),
        *(
            pytest.param(style, path, marks=pytest.mark.thorough)
            for style, path in (("auswahl", "ausgabe"), ("gelernt", "attention"), ("gelernt", "alles"))
        ),
    ],
)
def test_mistakes_of_the_way_back_are_seen_where_a_check_is_printed(style, path):
    """What LayerNorm gives adds up to 0: the sum of all new numbers tells no step from its opposite."""
    found = matrix({"gewichte": style, "lernen": path, "stationen": "11"}, LEARNING_MISTAKES)
    assert {name for _, name in found} >= {"target_forgotten", "uphill", "rate_forgotten"}
    assert {each for each, seen in found.items() if not seen} == set()
