import itertools

from hypothesis import given
from hypothesis import strategies as st

from generator.build import build
from generator.lesson import choose, lessons, portions
from generator.options import Options
from generator.summary import summary_of
from generator.worksheet import Made, fitted, lay_out_sheet, minutes_of

KATZE = "Die Katze sitzt auf der Matte"
MINUTES = st.dictionaries(st.text(min_size=1), st.floats(0.5, 90), min_size=1, max_size=12)


@given(MINUTES, st.floats(20, 120))
def test_lessons_keep_the_order_and_the_time(minutes, length):
    dealt = lessons(minutes, length)
    assert [station for lesson in dealt for station in lesson.stations] == list(minutes)
    for lesson in dealt:
        assert lesson.minutes == sum(minutes[station] for station in lesson.stations)
        assert lesson.too_long == (lesson.minutes > 0.95 * length)
        assert not lesson.too_long or len(lesson.stations) == 1


@given(MINUTES, st.floats(20, 120))
def test_no_lesson_has_room_for_the_next_station(minutes, length):
    dealt = lessons(minutes, length)
    for lesson, following in itertools.pairwise(dealt):
        assert lesson.minutes + minutes[following.stations[0]] > 0.95 * length


def test_tokens_are_left_out_until_the_first_station_fits():
    candidates = [((3, 5, 6), {"a": 60, "b": 5}), ((5, 6), {"a": 42, "b": 9}), ((6,), {"a": 20, "b": 9})]
    choice = choose(candidates, (3, 5, 6), 45)
    assert (choice.exercises, choice.without, choice.lesson.stations) == ((5, 6), (3,), ("a",))
    assert [lesson.stations for lesson in choice.later] == [("b",)]


def test_where_nothing_fits_the_least_is_chosen_and_said():
    choice = choose([((3, 6), {"a": 200.0}), ((6,), {"a": 100.0})], (3, 6), 45)
    assert choice.exercises == (6,)
    assert choice.lesson.too_long


def test_what_is_chosen_fits_and_is_printed():
    built, choice = fitted(build(Options(satz=KATZE, zeit=45, stationen="4a,4b,8,S")))
    minutes = minutes_of(built)
    assert tuple(minutes) == choice.lesson.stations
    assert sum(minutes.values()) <= 45
    assert built.options.uebung == choice.exercises
    assert set(choice.exercises) | set(choice.without) == {3, 6}
    again, same = fitted(built)
    assert again.options == built.options
    assert same.lesson == choice.lesson


def test_the_summary_says_what_was_left_out(tmp_path):
    built, choice = fitted(build(Options(satz=KATZE, zeit=45, stationen="4a,4b")))
    sheet, _ = lay_out_sheet(built)
    text = summary_of(Made(built, sheet, {}, 0, choice), tmp_path).text()
    assert "Für 45 Minuten gewählt: Station 4a. Weggelassen: Station 4b und „sitzt“." in text


def test_without_a_time_everything_stays():
    built = build(Options(satz=KATZE))
    assert fitted(built) == (built, None)


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
        assert p.whole == (sum(tasks[p.station]) <= room)
