"""How a lesson divides, and what --zeit puts into it: as a rule, and on sheets."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.calculation.build import build
from generator.options.course import STATIONS, lines_of, named
from generator.options.options import Options
from generator.production.worksheet import fitted_to_lesson, minutes_of
from generator.stations.make_sheet import build_sheet
from generator.teacher.lesson import choose, lessons, phases, portions, shortened
from generator.teacher.plan import total, workloads
from teacher.sheets import KATZE, fitted

HUND = "Der alte Hund jagt heute den roten Ball im Garten"
MINUTES = st.lists(st.floats(0.5, 90), min_size=1, max_size=12)
TASKS = st.lists(st.lists(st.floats(0.5, 40), min_size=1, max_size=8), min_size=1, max_size=10)


def of_stations(each):
    return dict(zip("abcdefghijkl", each, strict=False))


@given(st.integers(10, 600), st.booleans())
@settings(max_examples=40)
def test_the_phases_of_a_lesson_fill_it(length, guesses):
    divided = phases(length, guesses)
    assert divided.around >= phases(length).around
    assert divided.work + divided.around == length
    assert min(divided.opening, divided.reading, divided.calculating, divided.questions) > 0
    assert divided.calculating >= divided.reading >= divided.questions


@given(MINUTES.map(of_stations), st.floats(20, 120))
@settings(max_examples=40)
def test_lessons_keep_the_order_and_the_time_and_leave_no_room_for_the_next_station(minutes, room):
    dealt = list(lessons(minutes, lambda stations: sum(map(minutes.get, stations)), room))
    assert [station for lesson in dealt for station in lesson.stations] == list(minutes)
    for lesson in dealt:
        assert lesson.minutes == sum(map(minutes.get, lesson.stations))
        assert lesson.too_long == (lesson.minutes > room)
        assert not lesson.too_long or len(lesson.stations) == 1
    for lesson, following in itertools.pairwise(dealt):
        assert lesson.minutes + minutes[following.stations[0]] > room


@given(TASKS.map(of_stations), st.sampled_from([30.0, 60.0]))
@settings(max_examples=40)
def test_every_task_is_in_one_lesson_and_lessons_keep_the_time(tasks, room):
    dealt = portions(tasks, room)
    seen = [(p.station, n) for lesson in dealt for p in lesson for n in range(p.first, p.last + 1)]
    assert seen == [(station, n) for station in tasks for n in range(1, len(tasks[station]) + 1)]
    for lesson in dealt:
        alone = len(lesson) == 1 and lesson[0].first == lesson[0].last
        assert sum(p.minutes for p in lesson) <= room + 1e-9 or alone
        assert all(p.whole == ((p.first, p.last) == (1, len(tasks[p.station]))) for p in lesson)
    for lesson, (begun, *_) in itertools.pairwise(dealt):
        left = room - sum(p.minutes for p in lesson)
        assert left <= room / 2 + 1e-9 or tasks[begun.station][begun.first - 1] > left


CHOSEN = [  # lines, levels, minutes of each token, saved by more help; stations, tokens, level, too long
    ("ab a", (2, 1), {"a": 14, "b": 27}, 0, "a", (5, 6), 2, False),  # as many tokens as fit, the last ones
    ("ab a", (2, 1), {"a": 20, "b": 3}, 0, "ab", (6,), 2, False),  # the whole line before more tokens
    ("a", (2, 1), {"a": 35}, 6, "a", (6,), 1, False),  # more help only where nothing else does
    ("a", (3,), {"a": 35}, 6, "a", (3,), 3, True),
    ("ab a b", (2,), {"a": 90, "b": 60}, 0, "b", (3,), 2, True),  # nothing fits: the shortest
]


@pytest.mark.parametrize(
    ("lines", "levels", "minutes", "saved", "stations", "tokens", "level", "too_long"), CHOSEN
)
def test_what_fits_is_chosen(lines, levels, minutes, saved, stations, tokens, level, too_long):
    def cost(line, asked, help_given):
        return len(asked) * sum(minutes[station] for station in line) - saved * (help_given == 1)

    choice = choose([tuple(line) for line in lines.split()], (3, 5, 6), levels, cost, 45)
    assert (choice.lesson.stations, choice.exercises) == (tuple(stations), tokens)
    assert (choice.level, choice.easier, choice.lesson.too_long) == (level, level != levels[0], too_long)
    assert sorted((*choice.exercises, *choice.without)) == [3, 5, 6]
    left = [name for later in choice.later for name in later.stations]
    assert sorted((*left, *stations)) == sorted(set("".join(lines.split())))


def test_no_more_is_laid_out_than_it_takes():
    asked = set()
    lines = [tuple("abcdef"[:length]) for length in range(6, 0, -1)]
    choice = choose(lines, (3,), (2,), lambda line, *_: asked.add(line) or 20 * len(line), 45)
    assert asked == {("a",), ("a", "b")}
    assert (choice.rest, len(choice.later)) == (tuple("bcdef"), 5)


@pytest.mark.parametrize(
    ("length", "stations", "tokens"), [(16, ("0",), (3, 6)), (45, ("4a",), (6,)), (90, ("4a", "4b"), (6,))]
)
def test_a_lesson_gets_a_whole_line_of_thought(length, stations, tokens):
    _, choice = fitted(zeit=length)
    assert (choice.lesson.stations, choice.exercises) == (stations, tokens)


ASKED = [
    {"satz": HUND, "dimension": 6, "heads": 3},
    {"satz": "Max lacht", "stufe": 3},
    {"satz": KATZE, "bloecke": 2, "stationen": "4a,4b,7,S"},
    {"satz": KATZE, "zielsatz": "The cat", "lernen": "ausgabe"},
]
EVERY_DAY = ((1, 20), (2, 45), (3, 20))
IN_TIME = [
    pytest.param(length, options, marks=() if (row, length) in EVERY_DAY else pytest.mark.thorough)
    for row, options in enumerate(ASKED)
    for length in (20, 45, 90)
]


@pytest.mark.parametrize(("length", "options"), IN_TIME)
def test_what_is_chosen_fits_and_is_printed(length, options):
    built, choice = fitted(zeit=length, **options)
    sheet, desk = build_sheet(built)
    whole = total(workloads(sheet.stations, desk.built.effort))
    assert whole.minutes == choice.lesson.minutes
    assert choice.lesson.too_long == (whole.minutes + choice.phases.around > length)
    assert tuple(name for name in minutes_of(built) if name in STATIONS) == choice.lesson.stations
    wanted = Options(**options)
    if choice.lesson.stations == ("4a",):
        assert (choice.exercises, choice.without) == ((len(wanted.tokens),), ())
    else:
        assert set(choice.exercises) | set(choice.without) == set(wanted.uebung)
    again, same = fitted_to_lesson(built)
    assert (again.options, same.lesson) == (built.options, choice.lesson)


def test_lines_of_thought():
    assert lines_of(("4a", "6", "8"), ("4a", "6", "8"), None, None) == [
        ("4a", "6", "8"), ("4a", "6"), ("4a",), ("6",), ("8",)  # what a teacher names keeps its order
    ]  # fmt: skip
    wanted = lines_of(("4a", "4b", "6", "8", "10", "11", "S"), (), "The cat", "ausgabe")
    assert wanted.index(("10",)) < wanted.index(("4a", "4b"))  # what has its own option comes first
    assert wanted.index(("11",)) < wanted.index(("4a",))
    course = lines_of(STATIONS, (), None, None)
    block = next(line for line in course if (line[0], line[-1]) == ("4a", "8"))
    assert {"4a", "4b", "5", "6", "7", "8"} <= set(block)
    assert course.index(block) < course.index(("4a", "4b")) < course.index(("4a",))
    assert named(["4a"]) == "Station 4a"
    assert named(["0", "1", "S"]) == "Stationen 0 und 1 sowie die Formelsammlung"


@pytest.mark.parametrize(("length", "whole"), [(90, False), (600, True)])
def test_what_is_said_to_be_missing_in_a_short_lesson_is_missing(length, whole):
    built, choice = fitted(zeit=length, stationen="4a,4b")
    (station,) = (each for each in build_sheet(built)[0].stations if each.id == "4a")
    assert (station.parts.entry is not None) is whole
    assert (shortened(choice) == []) is whole


@pytest.mark.parametrize(
    "words", [{"satz": "Ich bin müde."}, {"satz": KATZE, "beispiel": "der", "uebung": "Katze"}]
)
def test_a_lesson_on_the_last_word_goes_with_every_example(words):
    built, _ = fitted_to_lesson(build(Options(zeit=45, **words)))
    assert built.options.beispiel not in built.options.uebung
    build_sheet(built)
