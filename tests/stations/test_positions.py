"""Station 3: what is left to the pupil, numbers as in the trace, a calculator reaches them, extremes."""

import math
from decimal import ROUND_HALF_UP, Decimal

import pytest
from choosing import crossed
from laid_out import KATZE, LONG, html_of, laid_out

from generator.basics.numbers import parse_number
from generator.options.options import Options
from generator.sheet.sheet import Figure
from generator.sheet.tree import walk
from generator.stations.positions.figures import divisors_of
from generator.stations.positions.station import exchange


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


def test_the_exchange_by_an_independent_calculation():
    _, desk = sheet_of()
    word = desk.calculation.model.embedding

    def rounded(x, places):
        return Decimal(str(x)).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)

    def vector(token, pos):
        place = [f(pos / 100**i) for i in range(2) for f in (math.sin, math.cos)]
        return [rounded(Decimal(str(e)) + rounded(p, 3), 1) for e, p in zip(word[token], place, strict=True)]

    def dot(a, b):
        return str(rounded(sum(x * y for x, y in zip(a, b, strict=True)), 2)).replace(".", ",")

    found = exchange(desk)
    assert found.words == ("Katze", "Matte")
    assert found.plain == dot(*([Decimal(str(e)) for e in word[token]] for token in (1, 5)))
    assert found.before == dot(vector(1, 1), vector(5, 5))
    assert found.after == dot(vector(1, 5), vector(5, 1))


def test_a_sentence_of_one_word_has_nothing_to_exchange():
    assert exchange(sheet_of("ha ha ha")[1]) is None


def test_sine_and_cosine_stay_within_the_printed_tolerance():
    for half in range(0, 3142):
        s, c = (round(f(half / 1000), 3) for f in (math.sin, math.cos))
        assert abs(s * s + c * c - 1) <= 0.002


@pytest.mark.parametrize("view", ["worksheet", "key"])
def test_a_model_without_positions_says_so_and_has_no_blanks(view):
    sheet, desk = sheet_of(positionen=False)
    assert sheet.blanks() == []
    assert list(walk(sheet, Figure)) == []
    html = html_of(sheet, desk, view)
    assert "hat keines" in html
    assert "<math" in html
