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
from generator.sheet.whole_sheet import withheld
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


def test_divisors_are_short_where_they_are_powers_of_ten():
    assert [divisors_of(sheet_of()[1]).text(c) for c in range(4)] == ["1", "1", "100", "100"]


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


def test_the_pupil_calculates_both_scores_where_that_is_short_work():
    found = exchange(sheet_of()[1])
    assert [line.text.rsplit(" ", 1)[1] for line in found.swapped.lines] == [found.before, found.after]
    assert parse_number(found.swapped.sum) == parse_number(found.before) + parse_number(found.after)
    assert [row.head for row in found.swapped.table.rows] == ["1  Matte", "5  Katze"]
    assert sheet_of()[0].stations[0].tasks["exchange"].points == 2
    for options in ({"stufe": 1}, {"dimension": 8}, {"positionen": False}):
        sheet, desk = sheet_of(**options)
        assert "exchange" not in sheet.stations[0].tasks
        assert ("Nun bemerkt" in html_of(sheet, desk, "worksheet")) == (options != {"positionen": False})


def test_a_sentence_of_one_word_has_nothing_to_exchange():
    assert exchange(sheet_of("ha ha ha")[1]) is None


def test_check_sums_and_tolerance():
    sheet, _ = sheet_of()
    parts = sheet.stations[0].parts
    assert [check["encoding"] for check in parts.encoding.checks] == ["0,929", "−0,909"]
    assert [check["input"] for check in parts.encoding.checks] == ["2,5", "1,3"]
    assert (parts.encoding.one, parts.encoding.pair_tolerance) == ("1,000", "0,002")


def test_sine_and_cosine_stay_within_the_printed_tolerance():
    for half in range(0, 3142):
        s, c = (round(f(half / 1000), 3) for f in (math.sin, math.cos))
        assert abs(s * s + c * c - 1) <= 0.002


def test_the_worksheets_curves_lack_the_points_of_the_exercises():
    curves, clocks, strip = walk(sheet_of()[0], Figure)
    shown, hands, empty = walk(withheld(sheet_of()[0]), Figure)
    assert curves.drawing.shapes.count("<circle") - shown.drawing.shapes.count("<circle") == 2 * 2
    assert "−0,959" in curves.drawing.text
    assert "−0,959" not in shown.drawing.text + shown.drawing.shapes
    assert len(clocks.drawing.shapes) > len(hands.drawing.shapes)
    assert "„Matte“" in clocks.drawing.text
    assert "„Matte“" not in hands.drawing.text
    assert strip.drawing.text == "e vorher: (0,0 | 0,0 | 0,0 | 0,9); x nachher: (−1,0 | 0,3 | 0,1 | 1,9)."
    assert empty.drawing.text.endswith("x nachher: (zu zeichnen | zu zeichnen | zu zeichnen | zu zeichnen).")


def test_levels_give_the_angles_ask_for_them_or_leave_them_out():
    angles = [sheet_of(stufe=level)[0].stations[0].parts.encoding.angles for level in (1, 2, 3)]
    assert [len(table.rows) for table in angles] == [4, 4, 2]
    assert angles[0].rows[3].cells[1].text == "0,05"
    assert [type(row.cells[0]).__name__ for row in (angles[0].rows[2], angles[1].rows[2])] == [
        "Words",
        "Solution",
    ]


@pytest.mark.parametrize("view", ["worksheet", "key"])
def test_a_model_without_positions_says_so_and_has_no_blanks(view):
    sheet, desk = sheet_of(positionen=False)
    assert sheet.blanks() == []
    assert list(walk(sheet, Figure)) == []
    html = html_of(sheet, desk, view)
    assert "hat keines" in html
    assert "<math" in html
