"""One rule: what an exercise asks for is a blank to copy elsewhere, and counts once."""

from collections import Counter
from dataclasses import replace
from functools import partial

import pytest
from cases import made

from generator.sheet.sheet import Line, Number, Solution, Station, Words, walk
from generator.sheet.whole_sheet import drawn, printed_answers, withheld
from generator.stations.make_sheet import station_of

SHEETS = ("example", "small", "two_blocks", "plain", "two_sentences", "repeated")


@pytest.mark.parametrize("case", SHEETS)
def test_a_finished_sheet_prints_no_answer(case):
    sheet = made(case)
    assert [n for station in sheet.sheet.stations for n in printed_answers(sheet.desk, station)] == []


@pytest.mark.parametrize("case", SHEETS)
def test_a_copy_counts_in_no_task(case):
    for station in made(case).sheet.stations:
        copies = {(n.name, n.index) for n in walk(station.parts, Number) if n.copied}
        written = {(n.name, n.index) for n in walk(station.parts, Number) if n.blank and not n.copied}
        cells = {cell for task in station.tasks.values() for cell in task.cells}
        assert not (copies - written) & cells


def test_a_number_that_keeps_being_printed_is_an_error():
    desk = replace(made("example").desk, asked=frozenset())

    def stubborn(desk):
        return Station(
            "A",
            "none",
            {"row": Number("input", (0, 0), "1", 1), "asked": desk.number("input", 0, 0, blank=True)},
        )

    with pytest.raises(ValueError, match="prints input"):
        drawn(desk, [stubborn])


def test_a_line_with_a_place_left_open():
    open_place = Number("input", (0, 0), "\N{MINUS SIGN}0,5", 1, blank=True, copied=True)
    line = Line(("2 · ", open_place)) + " ≈"
    assert line.text == "2 · (\N{MINUS SIGN}0,5) ≈"
    assert withheld(line).text == "2 ·  ≈"
    assert line.cell() == Solution(line.text)
    assert Line(("2 · 3",)).cell() == Words("2 · 3", small=True)


@pytest.mark.parametrize("case", SHEETS)
def test_what_is_asked_settles_at_once(case):
    """Whoever is told that its own number is asked for must not leave it to others, and so on for ever."""
    sheet = made(case)
    calls = Counter()

    def counted(id_, desk):
        calls[id_] += 1
        return station_of(desk, id_)

    makers = [partial(counted, id_) for id_ in sheet.desk.stations]
    stations, desk = drawn(replace(sheet.desk, asked=frozenset()), makers)
    assert max(calls.values()) <= 3
    assert drawn(desk, makers) == (stations, desk)
