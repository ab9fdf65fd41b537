"""Pupils with a real sheet: honest ones are never charged, a mistake once, a slip as exactly that."""

import pytest

from mistakes.sheet_simulation import mistakes
from mistakes.slips import OUTCOMES, both_ways, totals


@pytest.mark.parametrize(
    ("sheets", "least"), [([5], 25), pytest.param([1, 5], 60, marks=pytest.mark.thorough)], ids=str
)
def test_a_mistake_on_a_sheet_is_named_and_charged_once(sheets, least):
    """A small part of sheet_simulation.py; the sheets print numbers that pupils go on from."""
    counts = mistakes(sheets, 2)
    total = {kind: sum(n for (who, k), n in counts.items() if k == kind and who != "honest") for kind in
             ("seen", "named", "once")}  # fmt: skip
    assert total["seen"] > least
    assert total["named"] >= 0.95 * total["seen"]
    assert total["once"] == total["seen"]
    assert counts["honest", "charged"] == 0


@pytest.mark.parametrize("sheets", [[4001], pytest.param([4001, 4002], marks=pytest.mark.thorough)], ids=str)
def test_slips_of_three_units_are_charged_once_and_honest_papers_never(sheets):
    """76 papers a sheet, a small part of slips.py; on sheets and without one, rounding as the pupil likes."""
    for count in totals(both_ways(sheets, 19)).values():
        assert count["honest", "papers"] == 19 * len(sheets)
        assert count["honest", "charged"] == 0
        slips = sum(count["slip", outcome] for outcome in OUTCOMES)
        assert slips >= 15 * len(sheets)
        assert count["slip", "once"] >= 0.94 * slips  # 98 % of many: one in so few may be another
