"""Pupils with a real sheet: honest ones are never charged, a mistake once, a slip as exactly that."""

import pytest

from mistakes.sheet_simulation import mistakes, slips


@pytest.mark.parametrize(
    ("sheets", "least"), [([5], 25), pytest.param([1, 5], 60, marks=pytest.mark.thorough)], ids=str
)
def test_a_mistake_on_a_sheet_is_named_and_charged_once(sheets, least):
    counts = mistakes(sheets, 2)
    total = {kind: sum(n for (who, k), n in counts.items() if k == kind and who != "honest") for kind in
             ("seen", "named", "once")}  # fmt: skip
    assert total["seen"] > least
    assert total["named"] >= 0.95 * total["seen"]
    assert total["once"] == total["seen"]
    assert counts["honest", "charged"] == 0


@pytest.mark.parametrize("sheets", [[4001], pytest.param([4001, 4002], marks=pytest.mark.thorough)], ids=str)
def test_slips_of_three_units_are_charged_once_and_honest_papers_never(sheets):
    """76 papers a sheet, rounding as the pupil likes."""
    for count in slips(sheets, 19).values():
        assert count["honest"] == 19 * len(sheets)
        assert count["honest charged"] == 0
        assert count["slip"] >= 15 * len(sheets)
        assert count["slip once"] >= 0.94 * count["slip"]  # 98 % of many: one in so few may be another
