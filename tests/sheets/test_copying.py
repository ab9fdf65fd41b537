"""One rule: what an exercise asks for is a blank to copy elsewhere, and counts once."""

from collections import Counter
from dataclasses import replace
from functools import partial

import pytest
from cases import KATZE, made, made_from

from generator.options.options import Options
from generator.sheet.sheet import Line, Number, Solution, Station, Words
from generator.sheet.tree import walk
from generator.sheet.whole_sheet import drawn, printed_answers, withheld
from generator.stations.common import Tasks
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


def test_without_positions_the_input_is_the_embedding():
    alone = made_from(Options.from_mapping({"satz": KATZE, "positionen": False, "stationen": "3,4a"}))
    assert not any(n.copied for n in walk(alone.sheet, Number))
    both = made_from(Options.from_mapping({"satz": KATZE, "positionen": False, "stationen": "2,4a"}))
    own = set(both.desk.exercises)
    numbers = [n for n in walk(both.sheet, Number) if n.name == "input" and n.index[0] in own]
    assert all(number.copied for number in numbers)


def asking(desk, *, first):
    """A station that prints a number and asks for it in a table of its own."""
    tasks = Tasks()
    shown = desk.number("input", 0, first)
    asked = desk.number("input", 0, first, blank=True)
    tasks.add("one", "Berechne", "I", [shown, asked])
    return Station(
        f"S{first}", "none", {"line": desk.products([shown], [shown]), "asked": asked}, tasks.by_name
    )


def test_a_station_is_made_again_when_it_prints_what_it_asks_for():
    desk = replace(made("example").desk, asked=frozenset())
    (station,), known = drawn(desk, [lambda desk: asking(desk, first=0)])
    assert station.parts["line"].blank
    assert station.tasks["one"].cells == (("input", (0, 0)),)
    assert known.asks("input", 0)
    assert not known.asks("input", 1)


def test_an_earlier_station_does_not_print_what_a_later_one_asks_for():
    desk = replace(made("example").desk, asked=frozenset())

    def showing(desk):
        return Station("A", "none", {"row": desk.numbers("input", 0)})

    (first, _), _ = drawn(desk, [showing, lambda desk: asking(desk, first=1)])
    assert [n.copied for n in first.parts["row"]] == [False, True, False, False]


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
