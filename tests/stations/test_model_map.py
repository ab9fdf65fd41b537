"""Station 0 says true sizes, asks for d_k and the steps, and shows where one is."""

import re
from importlib import import_module
from itertools import product

import pytest
from laid_out import KATZE, html_of, laid_out

from generator.figures.course_map import course_map
from generator.options.course import BY_ID, COURSE, STATIONS
from generator.options.options import Options
from generator.output.render import environment

GPT2 = {"n": 1024, "V": 50257, "d_model": 768, "h": 12, "d_k": 64, "d_ff": 3072, "B": 12}


def sheet_of(sentence=KATZE, **options):
    return laid_out(Options(satz=sentence, stationen=("0",), **options))


def value(number):
    return int(number.text.replace("\N{NARROW NO-BREAK SPACE}", ""))


def test_sizes_are_those_of_the_two_models():
    sheet, _ = sheet_of(dimension=6, heads=3, ffn=10, bloecke=2)
    rows = {row.head: row.cells[1:] for row in sheet.stations[0].parts.sizes.rows}
    ours = {"n": 6, "V": 6, "d_model": 6, "h": 3, "d_k": 2, "d_ff": 10, "B": 2}
    assert {name: value(cells[0]) for name, cells in rows.items()} == ours
    assert {name: value(cells[1]) for name, cells in rows.items()} == GPT2


def test_repeated_words_count_once_in_the_list():
    sheet, _ = sheet_of("die Maus und die Maus")
    rows = {row.head: value(row.cells[1]) for row in sheet.stations[0].parts.sizes.rows}
    assert (rows["n"], rows["V"]) == (5, 3)


@pytest.mark.parametrize("here", ["0", "4a", "11", "S"])
def test_map_shows_every_station_and_where_one_is(here):
    figure = course_map(STATIONS, here)
    for stop in COURSE:
        assert f">{stop.sign}</text>" in figure.drawing.shapes
        assert f"{stop.sign} {stop.title}" in figure.drawing.text
    assert figure.drawing.shapes.count("Du bist hier") == 1
    assert f"Du bist hier: Station {BY_ID[here].sign}," in figure.drawing.text
    assert "gestrichelt" not in figure.drawing.shapes


def test_every_station_of_the_course_has_its_own_place_its_module_and_its_text():
    assert len({stop.place for stop in COURSE}) == len({stop.name for stop in COURSE}) == len(COURSE)
    for stop in COURSE:
        assert stop.place in product(range(5), range(4))
        assert callable(import_module(f"generator.stations.{stop.name}.station").station)
        assert environment().get_template(f"stations/{stop.name}/pupils.html.j2")


def test_map_of_a_booklet_dashes_what_it_leaves_out():
    printed = ("0", "1", "2")
    figure = course_map(printed, "0")
    assert "gestrichelt" in figure.drawing.shapes
    row_by_row = sorted(COURSE, key=lambda stop: stop.place[::-1])
    signs = ", ".join(stop.sign for stop in row_by_row if stop.id not in printed)
    assert f"Nicht in diesem Heft: {signs}." in figure.drawing.text
    assert "gestrichelt" not in course_map(("0",), "0").drawing.shapes


def test_every_station_but_the_map_itself_shows_where_one_stands():
    options = Options(satz=KATZE, stationen=("0", "1", "7", "S"), bloecke=2)
    sheet, desk = laid_out(options)
    page = html_of(sheet, desk, "worksheet")
    heads = [part.split("<h1>")[0] for part in re.split(r'class="station[" ]', page)[1:]]
    assert ['class="strip"' in head for head in heads] == [False, True, True, False, True]
    assert "Du bist hier: Station Σ" in heads[-1]
