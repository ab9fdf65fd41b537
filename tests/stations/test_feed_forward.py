"""Station 6: who computes what, products that add up, given matrices whole, extremes."""

import re

import numpy as np
import pytest
from laid_out import KATZE, blanks_of, html_of, laid_out

from generator.basics.numbers import parse_number
from generator.options.options import Options
from generator.sheet.sheet import Number, Solution, Words
from generator.sheet.tree import walk
from generator.sheet.whole_sheet import withheld
from generator.stations.common import matrix_tables
from generator.stations.feed_forward.station import units_by_hand

LONG = "Ein alter Mann und eine junge Frau gehen heute langsam über die lange Brücke nach Hause"


def sheet_of(sentence=KATZE, stations="6", **options):
    return laid_out(Options(satz=sentence, stationen=stations, **options))


def parts_of(**options):
    sheet, desk = sheet_of(**options)
    return sheet.stations[-1].parts.ffn, desk


def row(name, token, width):
    return {(f"block1.ffn.{name}", (token, i)) for i in range(width)}


def asked(token, units):
    steps = {(f"block1.ffn.{step}", (token, i)) for step in ("hidden", "activation") for i in units}
    return steps | row("output", token, 4)


@pytest.mark.parametrize("level", [1, 2])
def test_the_last_word_goes_through_three_units_one_asleep_two_awake(level):
    sheet, desk = sheet_of(stufe=level)
    units = units_by_hand(desk, "block1.ffn.", 5)
    assert blanks_of(sheet) == asked(5, units)
    values = desk.quantity("block1.ffn.hidden").values[5, units]
    assert sorted(values > 0) == [False, True, True]
    printed = {n.index for n in walk(sheet.stations[0].parts.ffn.exercises[0].rest, Number)}
    assert printed == {(5, i) for i in set(range(8)) - set(units)}


def test_weights_of_zero_are_left_out():
    parts, desk = parts_of()
    lines = [line.cells[0].text for line in parts.example.hidden[0].rows]
    weights = desk.calculation.model.weights["block1.ffn.W_1"]
    assert [line.count("·") for line in lines] == np.count_nonzero(weights, axis=0).tolist()


def test_check_sums_are_the_sums_of_what_is_written():
    parts, _ = parts_of(gewichte="dezimal")
    exercise = parts.exercises[0]
    for tables, step, shown in (("hidden", "hidden", "hidden_sum"), ("output", "output", "output_sum")):
        written = [n for n in walk(getattr(exercise, tables), Number) if n.name.endswith("ffn." + step)]
        assert sum(parse_number(n.text) for n in written) == parse_number(getattr(exercise, shown))


@pytest.mark.parametrize(("dimension", "ffn"), [(2, 1), (4, 8), (8, 16), (16, 32), (16, 64)])
@pytest.mark.parametrize("name", ["block1.ffn.W_1", "block1.ffn.W_2"])
def test_a_matrix_is_printed_whole_on_tables_that_fit(name, dimension, ffn):
    _, desk = sheet_of(dimension=dimension, ffn=ffn, heads=1, gewichte="dezimal")
    tables = matrix_tables(desk, name)
    seen = [number.index for table in tables for number in walk(table, Number)]
    assert sorted(seen) == list(np.ndindex(desk.calculation.model.weights[name].shape))
    for table in tables:
        assert sum(table.widths) <= 165
        assert len(table.widths) == len(table.columns) + 1
        for line in table.rows:
            for column, number in zip(table.columns, line.cells, strict=True):
                assert number.index == (int(line.head) - 1, int(column) - 1)


def test_biases_are_printed_only_where_they_do_something():
    assert parts_of()[0].biases == {}
    parts, desk = parts_of(gewichte="dezimal")
    shown = [float(parse_number(number.text)) for number in parts.biases["b_1"]]
    assert shown == desk.calculation.model.weights["block1.ffn.b_1"].tolist()


def test_products_are_given_where_much_is_given_unless_they_tell_what_is_to_copy():
    def printed(stations):
        sheet, _ = sheet_of(stations=stations, stufe=1)
        tables = sheet.stations[-1].parts.ffn.exercises[0].hidden
        return [type(row.cells[0]) for table in tables for row in table.rows]

    assert set(printed("6")) == {Words}
    assert set(printed("5,6")) == {Solution}


def test_a_wide_network_shows_the_first_rows_and_says_so():
    parts, _ = parts_of(sentence=LONG, dimension=16, heads=4, gewichte="dezimal")
    assert parts.example.shortened
    lines = [words.text for words in walk(parts.example.hidden, Words)]
    assert len(lines) == 32
    assert "·" in lines[1]
    assert lines[-1] == "…"
    assert not parts_of()[0].example.shortened


@pytest.mark.parametrize(("weights", "several"), [("auswahl", False), ("dezimal", True)])
def test_width_of_lines_is_explained_where_there_are_several(weights, several):
    sheet, desk = sheet_of(gewichte=weights)
    assert ("je dicker die Linie" in re.sub(r"\s+", " ", html_of(sheet, desk, "worksheet"))) == several


def test_which_unit_sleeps_is_left_to_the_pupil():
    network = sheet_of()[0].stations[0].parts.ffn.exercises[0].network
    for drawing, told in ((network.drawing, True), (withheld(network).drawing, False)):
        assert ('fill="#000"' in drawing.shapes) == ("setzt ReLU auf 0" in drawing.text) == told
