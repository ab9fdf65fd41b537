"""Station 8: what is left to the pupil, every number is the trace's, extremes can be printed."""

import re

import pytest
from choosing import crossed
from laid_out import KATZE, LONG, blanks_of, laid_out

from generator.options.options import Options
from generator.sheet.sheet import Number, Row, Words, walk
from generator.sheet.whole_sheet import withheld
from tests.figures.drawn import boxes_of


def sheet_of(sentence=KATZE, stations="8", **options):
    return laid_out(Options(satz=sentence, stationen=stations, **options))


def test_what_is_given_tells_no_twin():
    """Two words with one vector have one logit: given for one, it is given for the other."""
    sheet, _ = sheet_of("Der Mond leuchtet hell über dem See", gewichte="gelernt")
    table = sheet.stations[0].parts.words[0]
    rows = [row for row in table.rows if row.kind != "sum"]
    vectors = {row.head: tuple(cell.text for cell in row.cells[:4]) for row in rows}
    given = {vectors[row.head] for row in rows if not row.writable}
    assert given
    assert not [row.head for row in rows if row.writable and vectors[row.head] in given]


@pytest.mark.parametrize(
    ("temperatures", "level", "sentence"),
    crossed([(0.5, 1, 2), (2, 0.7), (0.02, 0.05)], [1, 2, 3], [LONG, KATZE]),
)
def test_no_quotient_tells_a_logit_that_is_asked_for(sentence, level, temperatures):
    """z : 0,5 is z · 2."""
    sheet, _ = sheet_of(sentence, stufe=level, temperatur=temperatures)
    asked = {index for name, index in blanks_of(sheet) if name == "logit"}
    divided = [n for n in walk(sheet, Number) if n.name.endswith("scaled_logit") and not n.blank]
    assert asked
    assert not asked & {n.index for n in divided}


@pytest.mark.parametrize("level", [1, 2, 3])
def test_no_quotient_tells_a_sum_that_is_asked_for(level):
    """e^x : p is the sum of all e^x."""
    sheet, _ = sheet_of(LONG, stufe=level)
    for other in sheet.stations[0].parts.tables:
        *rows, last = [row for table in other.table for row in table.rows]
        pairs = [[c for c in row.cells if not c.name.endswith("scaled_logit")] for row in rows]
        told = any(not e.blank and not p.blank for e, p in pairs)
        assert next(walk(last, Number)).blank == (not told)


@pytest.mark.parametrize("options", [{}, {"stufe": 1}, {"stufe": 3}, {"temperatur": (0.02,)}])
def test_no_cell_of_a_row_of_sums_looks_like_a_blank(options):
    sheet, _ = sheet_of(stations="8,9", **options)
    rows = [row for row in walk(sheet, Row) if row.kind == "sum"]
    assert len(rows) >= 1
    assert not [row for row in rows for cell in row.cells if isinstance(cell, Words) and not cell.text]


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
