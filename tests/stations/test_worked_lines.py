"""Lines worked out for the pupil end in = where nothing is rounded, else in ≈."""

from decimal import Decimal

import pytest
from laid_out import KATZE

from generator.basics.numbers import parse_number
from generator.calculation.build import build
from generator.options.options import Options
from generator.sheet.desk import Desk
from generator.stations.attention import score_lines, steps_table
from generator.stations.worked_lines import products_line, weighted_sum_line


def desk_of(**options):
    built = build(Options.from_mapping({"satz": KATZE, **options}))
    return Desk(built, ("4a", "4b"))


def value_of(line):
    """The value of a printed sum of products."""
    total = Decimal(0)
    for term in line.replace("\N{NO-BREAK SPACE}", " ").split(" + "):
        a, b = (parse_number(factor.strip("()")) for factor in term.split(" · "))
        total += a * b
    return total


@pytest.mark.parametrize("options", [{}, {"gewichte": "dezimal"}, {"nachkommastellen": 1}])
def test_sign_says_whether_the_result_is_rounded(options):
    desk = desk_of(**options)
    signs = set()
    for token in range(desk.n):
        for component in range(desk.sizes.d_head):
            line = weighted_sum_line(desk, "unmasked.head1.", token, component)
            body, sign = line.text.rsplit(" ", 1)
            result = parse_number(desk.number("unmasked.head1.output", token, component).text)
            assert (sign == "=") == (value_of(body) == result), line
            signs.add(sign)
    assert "≈" in signs


def test_products_without_rounding_are_equal():
    desk = desk_of()
    column = [row[0] for row in desk.matrix("block1.head1.W_Q")]
    line = products_line(desk, desk.numbers("input", 1), column, desk.number("unmasked.head1.query", 1, 0))
    assert line.text.endswith(" =")


def test_a_score_is_worked_out_where_the_table_has_no_room_for_products():
    desk = desk_of(dimension=8, heads=1)
    for at in ("entry.", "block1.head1."):
        steps = steps_table(desk, at, 1, blank=False, scaled=at != "entry.")
        ((word, line, score),) = score_lines(desk, at, 1, steps)
        assert word == "Die"
        body, sign = line.text.rsplit(" ", 1)
        assert (value_of(body) == parse_number(score.text)) == (sign == "=")
    desk = desk_of()
    assert score_lines(desk, "block1.head1.", 1, steps_table(desk, "block1.head1.", 1, blank=False)) == []
