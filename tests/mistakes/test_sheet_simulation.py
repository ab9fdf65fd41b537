"""Pupils with a real sheet: honest ones are never charged, a mistake once, a slip as exactly that."""

import pytest

from mistakes.sheet_simulation import mistakes, slips


@pytest.mark.parametrize(
    ("sheets", "pupils", "least"), [([3], 1, 15), pytest.param([1, 5], 2, 60, marks=pytest.mark.thorough)]
)
def test_a_mistake_on_a_sheet_is_named_and_charged_once(sheets, pupils, least):
    counts = mistakes(sheets, pupils)
    seen, named, once = (
        sum(n for (who, kind), n in counts.items() if kind == wanted and who != "honest")
        for wanted in ("seen", "named", "once")
    )
    assert once == seen > least
    assert named >= 0.95 * seen
    assert counts["honest", "charged"] == 0


@pytest.mark.parametrize(
    ("sheets", "papers"), [([4001], 12), pytest.param([4001, 4002], 19, marks=pytest.mark.thorough)]
)
def test_slips_of_three_units_are_charged_once_and_honest_papers_never(sheets, papers):
    """Rounding as the pupil likes."""
    for count in slips(sheets, papers).values():
        assert count["honest"] == papers * len(sheets)
        assert count["honest charged"] == 0
        assert count["slip"] >= 0.75 * papers * len(sheets)
        assert count["slip once"] >= 0.94 * count["slip"]  # 98 % of many: one in so few may be another
