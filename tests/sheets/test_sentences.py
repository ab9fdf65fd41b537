"""Sheets of sentences that nobody has chosen."""

import pytest
from sentences import examine


@pytest.mark.parametrize(
    "number", [5, 10, *(pytest.param(number, marks=pytest.mark.thorough) for number in range(11, 60))]
)
def test_a_sheet_of_a_drawn_sentence_teaches_nothing_wrong(number):
    found = examine(number)
    assert found.faults == []
    assert found.questions >= 3
    assert found.ranges > 50
