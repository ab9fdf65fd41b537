"""Station 8: what is left to the pupil, every number is the trace's, extremes can be printed."""

import re

import pytest
from laid_out import KATZE, LONG, laid_out

from generator.options.options import Options
from generator.sheet.sheet import Number, walk
from generator.sheet.whole_sheet import withheld
from tests.figures.drawn import boxes_of


def sheet_of(sentence=KATZE, stations="8", **options):
    return laid_out(Options(satz=sentence, stationen=stations, **options))


@pytest.mark.parametrize("level", [1, 2, 3])
def test_no_quotient_tells_a_sum_that_is_asked_for(level):
    """e^x : p is the sum of all e^x."""
    sheet, _ = sheet_of(LONG, stufe=level)
    for other in sheet.stations[0].parts.tables:
        *rows, last = [row for table in other.table for row in table.rows]
        pairs = [[c for c in row.cells if not c.name.endswith("scaled_logit")] for row in rows]
        told = any(not e.blank and not p.blank for e, p in pairs)
        assert next(walk(last, Number)).blank == (not told)


STROKE = re.compile(r'<path d="M(\S+) (\S+?)L(\S+) (\S+?)"')


@pytest.mark.parametrize(
    "sentence",
    [pytest.param("Im Winter füttert mein Opa die Vögel im Park", marks=pytest.mark.thorough), KATZE],
)
def test_words_in_the_plane_stand_on_no_line(sentence):
    sheet, _ = sheet_of(sentence, gewichte="gelernt")
    drawing = withheld(sheet.stations[0].parts.plane).drawing
    for x, y, u, v in ([float(side) for side in line] for line in STROKE.findall(str(drawing.shapes))):
        for word, (left, top, right, bottom) in boxes_of(drawing):
            on = [k for k in range(101) if left < x + (u - x) * k / 100 < right
                  and top < y + (v - y) * k / 100 < bottom]  # fmt: skip
            assert on == [], word
    assert "." not in [word for word, _ in boxes_of(drawing)]
