"""Pupils with a real sheet: honest ones are never charged, a mistake once, a slip as exactly that."""

from mistakes.sheet_simulation import mistakes, slips
from mistakes.slips import OUTCOMES, both_ways, totals


def test_a_mistake_on_a_sheet_is_named_and_charged_once():
    """A small part of sheet_simulation.py; the sheets print numbers that pupils go on from."""
    counts = mistakes([1, 5], 2)
    total = {kind: sum(n for (who, k), n in counts.items() if k == kind and who != "honest") for kind in
             ("seen", "named", "once")}  # fmt: skip
    assert total["seen"] > 60
    assert total["named"] >= 0.95 * total["seen"]
    assert total["once"] == total["seen"]
    assert counts["honest", "charged"] == 0


def test_a_slip_on_a_sheet_costs_exactly_that():
    counts = slips([1, 5], each=15)
    assert counts["exactly"] >= 15
    assert counts["more"] == 0


def test_slips_of_three_units_are_charged_once_and_honest_papers_never():
    """152 papers, a small part of slips.py; on sheets and without one, rounding as the pupil likes."""
    for count in totals(both_ways([4001, 4002], 19)).values():
        assert count["honest", "papers"] == 38
        assert count["honest", "charged"] == 0
        slips = sum(count["slip", outcome] for outcome in OUTCOMES)
        assert slips >= 30
        assert count["slip", "once"] >= 0.94 * slips  # 98 % of many: two or three of so few may be others
