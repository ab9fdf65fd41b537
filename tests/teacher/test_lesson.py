import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.basics.errors import UserError
from generator.calculation.build import build
from generator.options.course import COURSE, STATIONS, lines_of, named
from generator.options.options import Options
from generator.production.summary import SheetFiles
from generator.production.worksheet import fitted_to_lesson, minutes_of
from generator.stations.make_sheet import build_sheet
from generator.teacher.lesson import choose, lessons, phases, portions, shortened
from generator.teacher.plan import total, workloads
from teacher.sheets import KATZE, fitted

HUND = "Der alte Hund jagt heute den roten Ball im Garten"
FIRST = "4a,4b,S"
MINUTES = st.dictionaries(st.text(min_size=1), st.floats(0.5, 90), min_size=1, max_size=12)


def adding(minutes):
    return lambda stations: sum(minutes[station] for station in stations)


@given(st.integers(10, 600), st.booleans())
def test_the_phases_of_a_lesson_fill_it(length, guesses):
    divided = phases(length, guesses)
    assert not guesses or divided.around >= phases(length).around
    assert divided.work + divided.around == length
    assert min(divided.opening, divided.reading, divided.calculating, divided.questions) > 0
    assert divided.calculating >= divided.reading >= divided.questions


@given(MINUTES, st.floats(20, 120))
def test_lessons_keep_the_order_and_the_time_and_leave_no_room_for_the_next_station(minutes, room):
    dealt = list(lessons(minutes, adding(minutes), room))
    assert [station for lesson in dealt for station in lesson.stations] == list(minutes)
    for lesson in dealt:
        assert lesson.minutes == sum(minutes[station] for station in lesson.stations)
        assert lesson.too_long == (lesson.minutes > room)
        assert not lesson.too_long or len(lesson.stations) == 1
    for lesson, following in itertools.pairwise(dealt):
        assert lesson.minutes + minutes[following.stations[0]] > room


def by_tokens(minutes, saved=0):
    """Every token costs a station its minutes; the help of level 1 saves some on the whole."""
    return lambda line, tokens, level: (
        len(tokens) * sum(minutes[station] for station in line) - saved * (level == 1)
    )


def test_as_many_tokens_as_fit_stay():
    choice = choose([("a", "b"), ("a",)], (3, 5, 6), (2, 1), by_tokens({"a": 14, "b": 27}), 45)
    assert (choice.lesson.stations, choice.exercises, choice.without) == (("a",), (5, 6), (3,))
    assert (choice.level, choice.easier) == (2, False)
    assert [lesson.stations for lesson in choice.later] == [("b",)]


def test_no_more_is_laid_out_than_it_takes():
    cost, asked = by_tokens(dict.fromkeys("abcdef", 20)), set()
    lines = [tuple("abcdef"[:length]) for length in range(6, 0, -1)]
    choice = choose(lines, (3,), (2,), lambda *each: asked.add(each[0]) or cost(*each), 45)
    assert choice.lesson.stations == ("a",)
    assert asked == {("a",), ("a", "b")}
    assert choice.rest == tuple("bcdef")
    assert len(choice.later) == 5


def test_more_is_given_only_where_nothing_else_helps():
    choice = choose([("a",)], (3, 6), (2, 1), by_tokens({"a": 35}, saved=6), 45)
    assert (choice.exercises, choice.level, choice.easier, choice.lesson.minutes) == ((6,), 1, True, 29)
    harder = choose([("a",)], (3, 6), (3,), by_tokens({"a": 35}, saved=6), 45)
    assert (harder.level, harder.lesson.too_long) == (3, True)


def test_where_nothing_fits_the_shortest_is_chosen_and_said():
    choice = choose([("a", "b"), ("a",), ("b",)], (3, 6), (2,), by_tokens({"a": 90, "b": 60}), 45)
    assert (choice.lesson.stations, choice.exercises) == (("b",), (3,))
    assert choice.lesson.too_long


@pytest.mark.parametrize(
    ("length", "stations", "tokens"),
    [
        (16, ("0",), (3, 6)),
        (30, ("6",), (3, 6)),
        (45, ("4a",), (6,)),
        (90, ("4a", "4b"), (6,)),
        (600, tuple(stop.id for stop in COURSE if not stop.needs and not stop.extra), (3, 6)),
    ],
)
def test_a_lesson_gets_a_whole_line_of_thought(length, stations, tokens):
    _, choice = fitted(zeit=length)
    assert (choice.lesson.stations, choice.exercises) == (stations, tokens)


def test_a_block_and_its_prediction_are_a_lesson_as_soon_as_they_fit():
    lines = lines_of(STATIONS, (), None, None)
    (line,) = {line for line in lines if (line[0], line[-1]) == ("4a", "8")}
    needed = minutes_of(build(Options(satz=KATZE, stationen=line, uebung=(6,))))
    length = next(
        length for length in range(10, 601) if phases(length, guesses=True).work >= sum(needed.values())
    )
    assert {"4a", "4b", "5", "6", "7", "8"} <= set(line) == set(needed)
    for minutes, fits in ((length, True), (length - 1, False)):
        _, choice = fitted(zeit=minutes)
        found = (choice.lesson.stations, choice.exercises, choice.easier)
        assert (found == (line, (6,), False)) == fits


ASKED = [
    {"satz": HUND, "dimension": 6, "heads": 3},
    {"satz": "Max lacht", "stufe": 3},
    {"satz": KATZE, "bloecke": 2, "stationen": "4a,4b,7,S"},
    {"satz": KATZE, "zielsatz": "The cat", "lernen": "ausgabe"},
]
IN_TIME = [  # of the pairs every third one, so that all sheets and all lengths occur
    pytest.param(length, options, marks=pytest.mark.thorough if (row + column) % 3 else ())
    for row, options in enumerate(ASKED)
    for column, length in enumerate((20, 45, 90))
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
    left = [name for later in choice.later for name in later.stations]
    assert sorted([*left, *choice.lesson.stations]) == sorted(
        wanted.stationen or [*left, *choice.lesson.stations]
    )
    again, same = fitted_to_lesson(built)
    assert again.options == built.options
    assert same.lesson == choice.lesson


def test_stations_that_the_teacher_names_keep_their_order():
    lines = lines_of(("4a", "6", "8"), ("4a", "6", "8"), None, None)
    assert lines == [("4a", "6", "8"), ("4a", "6"), ("4a",), ("6",), ("8",)]


def test_what_is_asked_for_by_its_own_option_comes_before_the_course():
    wanted = ("4a", "4b", "6", "8", "10", "11", "S")
    lines = lines_of(wanted, (), "The cat", "ausgabe")
    assert lines.index(("10",)) < lines.index(("4a", "4b"))
    assert lines.index(("11",)) < lines.index(("4a",))


@pytest.mark.parametrize(("length", "whole"), [(90, False), (600, True)])
def test_what_is_said_to_be_missing_in_a_short_lesson_is_missing(length, whole):
    built, choice = fitted(zeit=length)
    (station,) = (each for each in build_sheet(built)[0].stations if each.id == "4a")
    assert (station.parts.entry is not None) is whole
    assert (shortened(choice) == []) is whole


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"zeit": 10}, "Zum Arbeiten bleiben 6 Minuten; schon das dauert nach der Schätzung länger."),
        (
            {"zeit": 45, "stationen": FIRST},
            "Für 45 Minuten gewählt: Station 4a; selbst gerechnet „Matte“",
        ),
        ({"zeit": 45, "stationen": "4a,4b,S"}, "Weggelassen: 4b Multi-Head Attention und Σ Formelsammlung."),
    ],
)
def test_the_summary_says_what_was_chosen_and_left_out(options, said, tmp_path):
    built, choice = fitted(**options)
    assert said in SheetFiles(built, build_sheet(built)[0], {}, 0, choice).said(tmp_path)


@pytest.mark.parametrize("value", ["0", "1", "9", "-45", "601", "45,5", "viel", "", "1e9", "٤٥", True])
def test_a_time_that_is_no_lesson_is_refused(value):
    with pytest.raises(UserError, match="--zeit"):
        Options(satz=KATZE, zeit=value)


def test_stations_in_running_text():
    assert named(["4a"]) == "Station 4a"
    assert named(["S"]) == "die Formelsammlung"
    assert named(["0", "1", "S"]) == "Stationen 0 und 1 sowie die Formelsammlung"


TASKS = st.dictionaries(
    st.text(min_size=1), st.lists(st.floats(0.5, 40), min_size=1, max_size=8), min_size=1, max_size=10
)


@given(TASKS, st.sampled_from([30.0, 60.0]))
def test_every_task_is_in_one_lesson_and_lessons_keep_the_time(tasks, room):
    dealt = portions(tasks, room)
    seen = [(p.station, n) for lesson in dealt for p in lesson for n in range(p.first, p.last + 1)]
    assert seen == [(station, n) for station in tasks for n in range(1, len(tasks[station]) + 1)]
    for lesson in dealt:
        alone = len(lesson) == 1 and lesson[0].first == lesson[0].last
        assert sum(p.minutes for p in lesson) <= room + 1e-9 or alone
    for p in (p for lesson in dealt for p in lesson):
        assert p.whole == ((p.first, p.last) == (1, len(tasks[p.station])))
    for lesson, following in itertools.pairwise(dealt):
        left = room - sum(p.minutes for p in lesson)
        begun = following[0]
        assert left <= room / 2 + 1e-9 or tasks[begun.station][begun.first - 1] > left


@pytest.mark.parametrize(
    "words",
    [
        {"satz": "Ich bin müde."},
        {"satz": "Der Hund"},
        {"satz": KATZE, "beispiel": "der", "uebung": "Katze"},
    ],
)
def test_a_lesson_on_the_last_word_goes_with_every_example(words):
    built, _ = fitted(zeit=45, **words)
    assert built.options.beispiel not in built.options.uebung
    build_sheet(built)
