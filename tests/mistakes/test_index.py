"""The index of wrong numbers: only mistakes that the sheet leaves room for; honest numbers are marked."""

import json
from functools import cache

import numpy as np

from generator.check.answers import answers_in
from generator.check.check import WRONG, check
from generator.options.options import Options
from generator.stations.make_sheet import make_sheet
from generator.teacher.review import mistakes_shown, review
from tests.laid_out import KATZE


@cache
def made(stations):
    whole = make_sheet(Options(satz=KATZE, gewichte="dezimal", stationen=stations))
    return whole, review(whole.sheet, whole.desk, whole.ranges)


def cells_of(stations, mistake):
    numbers = made(stations)[1].expectation.numbers
    return {cell for cell, found in numbers.items() if any(mistake in each.ids for each in found)}


def test_a_mistake_is_foreseen_only_where_the_sheet_leaves_room_for_it():
    """Values of another head need one; heads are exchanged only where none of their row is given."""
    assert cells_of("4a", "values_of_other_head") == set()
    both = {name for name, _ in cells_of("4a,4b", "values_of_other_head")}
    assert "block1.head2.output" in both
    assert not any(name.startswith("unmasked.") for name in both)
    assert cells_of("4a,4b", "heads_in_wrong_order") == set()
    assert ("block1.concat", (5, 0)) in cells_of("4b", "heads_in_wrong_order")


def test_a_number_that_honestly_follows_is_marked_and_not_judged_wrong():
    """A pupil whose e^x are the least that are accepted adds them up."""
    whole, reviewed = made("4a,4b")
    name, row = "entry.exp", 2
    asked = [blank.index for blank in whole.sheet.blanks() if blank.name == name and blank.index[0] == row]
    e = whole.desk.quantity(name).values[row].copy()
    table = np.full((6, 6), None)
    for index in asked:
        table[index] = e[index[1]] = whole.ranges[name].low[index]
    sums = [None] * 6
    sums[row] = round(float(e.sum()), 2)
    assert sums[row] == whole.ranges["entry.exp_sum"].low[row]
    rebuilt = whole.rebuilt()
    content = json.dumps({name: table.tolist(), "entry.exp_sum": sums}).encode()
    cells = check(rebuilt, answers_in(content, "", rebuilt.axes)).cells
    assert not any(cell.verdict == WRONG for cell in cells)
    for cell, mistake, doubtful in (
        (("block1.head2.output", (5, 0)), "cut", True),
        (("entry.exp_sum", (row,)), "base_ten", False),
    ):
        (number,) = (each for each in reviewed.expectation.numbers[cell] if mistake in each.ids)
        assert number.doubtful == doubtful
    assert not any(mistake.honest for mistake in mistakes_shown(whole.sheet, reviewed, whole.desk))
