"""Station 6: who computes what, products that add up, given matrices whole, extremes."""

import json
import re

import numpy as np
import pytest
from laid_out import KATZE, blanks_of, html_of, laid_out, text_of

from generator.basics.numbers import parse_number
from generator.options.options import Options
from generator.sheet.sheet import Number
from generator.sheet.tree import walk
from generator.stations.common import matrix_tables
from generator.stations.feed_forward.station import units_by_hand


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


@pytest.mark.parametrize(("bias", "said"), [(0, "setzt"), (9, "lässt hier alles stehen")])
def test_what_relu_does_is_said_of_these_numbers(tmp_path, bias, said):
    path = tmp_path / "zahlen.json"
    path.write_text(json.dumps({"block1.ffn.b_1": [bias] * 8}), encoding="utf-8")
    assert f"ReLU {said}" in text_of(*sheet_of(gewichte=path), "key")


@pytest.mark.parametrize("level", [1, 2])
def test_the_last_word_goes_through_three_units_one_asleep_two_awake(level):
    sheet, desk = sheet_of(stufe=level)
    units = units_by_hand(desk, "block1.ffn.", 5)
    assert blanks_of(sheet) == asked(5, units)
    values = desk.quantity("block1.ffn.hidden").values[5, units]
    assert sorted(values > 0) == [False, True, True]
    printed = {n.index for n in walk(sheet.stations[0].parts.ffn.exercises[0].rest, Number)}
    assert printed == {(5, i) for i in set(range(8)) - set(units)}


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


@pytest.mark.parametrize(("weights", "several"), [("auswahl", False), ("dezimal", True)])
def test_width_of_lines_is_explained_where_there_are_several(weights, several):
    sheet, desk = sheet_of(gewichte=weights)
    assert ("je dicker die Linie" in re.sub(r"\s+", " ", html_of(sheet, desk, "worksheet"))) == several
