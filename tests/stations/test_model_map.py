"""Station 0 says true sizes; the map every station, which are printed and where one is."""

import re
from importlib import import_module
from itertools import product

from laid_out import html_of, sheet_of

from generator.figures.course_map import course_map
from generator.options.course import BY_ID, COURSE, STATIONS
from generator.output.render import environment

GPT2 = {"n": 1024, "V": 50257, "d_model": 768, "h": 12, "d_k": 64, "d_ff": 3072, "B": 12}
OURS = {"n": 5, "V": 3, "d_model": 6, "h": 3, "d_k": 2, "d_ff": 10, "B": 2}


def test_sizes_are_those_of_the_two_models():
    six = {"dimension": 6, "heads": 3, "ffn": 10, "bloecke": 2}
    sheet, _ = sheet_of("die Maus und die Maus", stationen="0", **six)
    rows = {row.head: row.cells for row in sheet.stations[0].parts.sizes.rows}
    for column, sizes in ((1, OURS), (2, GPT2)):
        said = {
            name: cells[column].text.replace("\N{NARROW NO-BREAK SPACE}", "") for name, cells in rows.items()
        }
        assert said == {name: str(size) for name, size in sizes.items()}


def test_map_shows_every_station_which_are_printed_and_where_one_is():
    row_by_row = sorted(COURSE, key=lambda stop: stop.place[::-1])
    for here, printed in product(("0", "4a", "11", "S"), (STATIONS, ("0", "1", "2"), ("0",))):
        drawing = course_map(printed, here).drawing
        for stop in COURSE:
            assert f">{stop.sign}</text>" in drawing.shapes
            assert f"{stop.sign} {stop.title}" in drawing.text
        assert drawing.shapes.count("Du bist hier") == 1
        assert f"Du bist hier: Station {BY_ID[here].sign}," in drawing.text
        lacking = [stop.sign for stop in row_by_row if stop.id not in printed]
        dashed = bool(lacking) and len(printed) > 1
        assert ("gestrichelt" in drawing.shapes) == dashed
        assert (f"Nicht in diesem Heft: {', '.join(lacking)}." in drawing.text) == dashed


def test_every_station_of_the_course_has_its_own_place_its_module_and_its_text():
    assert len({stop.place for stop in COURSE}) == len({stop.name for stop in COURSE}) == len(COURSE)
    for stop in COURSE:
        assert stop.place in product(range(5), range(4))
        assert callable(import_module(f"generator.stations.{stop.name}.station").station)
        assert environment().get_template(f"stations/{stop.name}/pupils.html.j2")


def test_every_station_but_the_map_itself_shows_where_one_stands():
    page = html_of(*sheet_of(stationen="0,1,7,S", bloecke=2), "worksheet")
    heads = [part.split("<h1>")[0] for part in re.split(r'class="station[" ]', page)[1:]]
    assert ['class="strip"' in head for head in heads] == [False, True, True, False, True]
    assert "Du bist hier: Station Σ" in heads[-1]
