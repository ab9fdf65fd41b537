"""Station 3: a calculator reaches every number of a place."""

import math
from decimal import ROUND_HALF_UP, Decimal

import pytest
from choosing import crossed
from laid_out import KATZE, LONG, laid_out

from generator.basics.numbers import parse_number
from generator.options.options import Options
from generator.stations.positions.figures import divisors_of


def sheet_of(sentence=KATZE, stations="3", **options):
    return laid_out(Options(satz=sentence, stationen=stations, **options))


@pytest.mark.parametrize(
    ("size", "sentence"), crossed([2, 3, 4, 5, 6, 7, 8, 12, 16], ["Ach ja", KATZE, LONG])
)
def test_a_calculator_reaches_every_value_from_the_printed_divisors(sentence, size):
    _, desk = sheet_of(sentence, dimension=size, heads=1)
    divisors = divisors_of(desk)
    written = desk.quantity("positional_encoding").values
    for pos in range(desk.n):
        for c in range(size):
            angle = float(parse_number(divisors.angle_text(pos, c)))
            printed = pos / float(parse_number(divisors.text(c)))
            function = math.cos if c % 2 else math.sin
            for x in (angle, printed):
                value = Decimal(repr(function(x))).quantize(Decimal("0.001"), ROUND_HALF_UP)
                assert value == Decimal(repr(float(written[pos, c])))
