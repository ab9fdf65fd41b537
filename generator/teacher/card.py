"""The „Stundenkarte“: one page for each lesson, with what a teacher needs in front of the class.

Its page numbers are those of the printed worksheet, so they are put in (`in_words`) once that is laid out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from markupsafe import Markup, escape

from generator.basics.cell_names import cell_title
from generator.basics.numbers import about
from generator.calculation.rebuild import words_of
from generator.sheet.desk import Desk
from generator.sheet.page import Sides
from generator.sheet.record import Exercise, RecordedStation
from generator.sheet.sheet import Given, Station
from generator.teacher.expected_mistakes import ShownMistake, shown_mistakes, sized
from generator.teacher.lesson import Portion
from generator.teacher.plan import Dealt
from generator.teacher.review import SheetReview

MOST: Final = 3  # stumbling blocks, questions, results
ROOM: Final = 800  # characters that a card has for expected answers
_LEAST_WORDS: Final = 5  # of a sentence
_GUESS: Final = ("III", 1)  # what a task is worth whose answer cannot be wrong
LEAST_SHARE: Final = 10  # a shorter time in reserve, seen from the whole lesson, is no phase of its own
_LEAST_SAVED: Final = 2.0  # minutes
_MUCH: Final = 3  # a third of a lesson's work has an aim of its own


@dataclass(frozen=True)
class Stretch:
    """Minutes of a lesson. kind: opening, work, groups, together, spare or comparing.

    badge, first, last: the station, and its tasks where it is not whole. home: the rest is done at home.
    """

    kind: str
    start: int
    end: int
    badge: str = ""
    first: int = 0
    last: int = 0
    pages: Sides | None = None
    files: tuple[str, ...] = ()
    home: bool = False

    @property
    def minutes(self) -> int:
        return self.end - self.start


@dataclass(frozen=True)
class Part:
    """What a lesson takes of a station: its tasks on the key, with their minutes; ends: up to the last."""

    name: str
    badge: str
    title: str
    minutes: float
    exercises: tuple[tuple[Exercise, float], ...]
    ends: bool = True

    @property
    def begins(self) -> bool:
        return not self.exercises or self.exercises[0][0].task.number == 1


@dataclass(frozen=True)
class LessonCard:
    """One lesson. parts: its stations, the longest first: that one gives question, board and answers.

    answers: where they stand, and what is expected in words. stumbles: mistakes with the number that betrays
    them, and checks: self-checks, where there are fewer mistakes. results: what the last tasks lead to.
    shorten: the task whose numbers cost most: station, number, what it saves. also, besides: of the other
    stations, in order, those that make up much of it and have aims of their own, and the rest.
    """

    number: int
    of: int
    length: int
    stretches: tuple[Stretch, ...]
    parts: tuple[Part, ...]
    titles: tuple[str, ...]
    answers: tuple[tuple[str, Markup], ...]
    stumbles: tuple[ShownMistake, ...]
    checks: tuple[tuple[str, Markup], ...]
    results: tuple[tuple[str, str], ...]
    shorten: tuple[str, int, str] | None
    pages: Sides | None
    also: tuple[Part, ...] = ()
    besides: tuple[Part, ...] = ()

    @property
    def name(self) -> str:
        return self.parts[0].name

    @property
    def asked(self) -> tuple[str, int]:
        """The station whose first questions it answers, and how many; a later lesson answers no more."""
        return self.name, 1 if self.parts[0].begins else 0


def lesson_cards(
    stations: Sequence[Station],
    key: Sequence[RecordedStation],
    minutes: Mapping[str, Sequence[float]],
    dealt: Dealt,
    reviewed: SheetReview,
    desk: Desk,
) -> tuple[LessonCard, ...]:
    """A card for each lesson. minutes: of the tasks of each badge."""
    names = {said.badge: station.name for station, said in zip(stations, key, strict=True)}
    sides = _Pages(key)
    made = []
    lessons, length = dealt.lessons, dealt.length
    for number, portions in enumerate(lessons, 1):
        parts = [_part(portion, key, names, minutes[portion.station]) for portion in portions]
        longest = sorted(parts, key=lambda part: -part.minutes)
        before = lessons[number - 2][-1] if number > 1 else None
        exercises = [(part.badge, each, m) for part in longest for each, m in part.exercises]
        stumbles = _stumbles(longest, reviewed, desk)
        least = sum(part.minutes for part in parts) / _MUCH
        much = [part for part in parts if part.begins and part.ends and part.minutes >= least]
        made.append(
            LessonCard(
                number,
                len(lessons),
                length,
                tuple(_stretches(portions, dealt, sides)),
                tuple(longest),
                tuple(f"{part.badge} {part.title}" for part in parts),
                tuple(answers_in([(part.badge, each) for part in parts for each, _ in part.exercises])),
                stumbles,
                tuple(_checks(exercises))[: MOST - len(stumbles)],
                tuple(_results(longest[0], desk))[-MOST:],
                _shorten(exercises),
                sides.of(portions[0], portions[-1], before),
                tuple(part for part in parts if part is not longest[0] and part in much),
                tuple(part for part in parts if part is not longest[0] and part not in much),
            )
        )
    return tuple(made)


def _part(
    portion: Portion, key: Sequence[RecordedStation], names: Mapping[str, str], minutes: Sequence[float]
) -> Part:
    said = next(each for each in key if each.badge == portion.station)
    tasks = list(zip(said.exercises, minutes, strict=False))[portion.first - 1 : portion.last]
    ends = portion.last == len(said.exercises)
    return Part(names[said.badge], said.badge, said.title, portion.minutes, tuple(tasks), ends)


def _stretches(portions: Sequence[Portion], dealt: Dealt, sides: _Pages) -> Iterator[Stretch]:
    around, length = dealt.phases, dealt.length
    yield Stretch("opening", 0, around.opening)
    now, end, done = around.opening, length - around.comparing, 0.0
    for portion in portions:
        done += portion.minutes
        until = min(end, around.opening + ceil(done))
        if portion is portions[-1] and end - until < length / LEAST_SHARE:
            until = end
        first, last = (0, 0) if portion.whole else (portion.first, portion.last)
        home = around.opening + done > end + 0.5
        if until > now:
            pages = sides.of(portion, portion)
            yield Stretch("work", now, until, portion.station, first, last, pages, home=home)
        now = until
    if now < end:
        yield Stretch("spare", now, end)
    yield Stretch("comparing", end, length)


def answers_in(exercises: Sequence[tuple[str, Exercise]], room: int = ROOM) -> Iterator[tuple[str, Markup]]:
    """What is expected in words, in the order of the lesson; where room is short, of the tasks worth most.

    room: in characters; an answer that is longer stands on the key alone.
    """
    worded = [(badge, each, answer) for badge, each in exercises if (answer := _worded(each))]
    kept = set[int]()
    for place in sorted(range(len(worded)), key=lambda place: -worded[place][1].task.points):
        length = len(worded[place][2].striptags())
        if length <= room:
            room, kept = room - length, {*kept, place}
    for place in sorted(kept):
        badge, each, answer = worded[place]
        yield f"{badge}, Aufgabe\N{NO-BREAK SPACE}{each.task.number}", answer


def _worded(each: Exercise) -> Markup | None:
    """What is expected; not of a guess, and no single words or numbers, which need their question."""
    if (each.task.afb, each.task.points) == _GUESS:
        return None
    sentences = [text for _, text in each.solutions if _words_of(text) >= _LEAST_WORDS]
    said = each.answers[0] if each.answers else escape(" ".join(sentences))
    return said if _words_of(said.striptags()) >= _LEAST_WORDS else None


def _words_of(text: str) -> int:
    return len(re.findall(r"[^\W\d_]{2,}", text))


def _results(part: Part, desk: Desk) -> Iterator[tuple[str, str]]:
    """The last number of each task that calculates, with its name."""
    words, size = words_of(desk.built), desk.sizes.d_head
    for each, _ in part.exercises:
        if written := [number for number in each.numbers if number.name in desk.built.passes.hand]:
            last = written[-1]
            title = cell_title(desk.built.passes[last.name], last.index, words, desk.format.decimal_sign)
            yield sized(title, size), last.text


def _checks(exercises: Sequence[tuple[str, Exercise, float]]) -> Iterator[tuple[str, Markup]]:
    for badge, each, _ in exercises:
        for check in each.checks:
            yield f"{badge}, Aufgabe\N{NO-BREAK SPACE}{each.task.number}", check


def _stumbles(parts: Sequence[Part], reviewed: SheetReview, desk: Desk) -> tuple[ShownMistake, ...]:
    """The mistakes made in the lesson that are best told by one number, of each cell one.

    Those of the longest station come first.
    """
    found: dict[str, ShownMistake] = {}
    for part in parts:
        written = (number for each, _ in part.exercises for number in each.numbers)
        cells = [n.cell for n in written if n.given is not Given.READ_OFF]
        shown = shown_mistakes(
            desk.built.passes, reviewed.expectation, cells, desk.format, words_of(desk.built)
        )
        for mistake in sorted(
            (m for m in shown if m.here and not m.honest), key=lambda mistake: mistake.doubts
        ):
            found.setdefault(mistake.letter, mistake)
    by_place = {mistake.place: mistake for mistake in reversed(found.values())}  # the first of each cell
    once = [mistake for mistake in found.values() if by_place[mistake.place] is mistake]
    return tuple(dict.fromkeys((*once, *found.values())))[:MOST]


def _shorten(exercises: Sequence[tuple[str, Exercise, float]]) -> tuple[str, int, str] | None:
    """Of the tasks of numbers behind the first, for which the lesson is, the one that takes longest.

    Not the first of a station: its minutes hold the station's reading, see `task_minutes`.
    """
    numeric = [(m, badge, each.task.number) for badge, each, m in exercises if each.cells]
    later = [each for each in numeric[1:] if each[2] > 1]
    minutes, badge, number = max(later, default=(0.0, "", 0))
    return (badge, number, about(minutes)) if minutes >= _LEAST_SAVED else None


class _Pages:
    """Where things stand on the worksheet."""

    def __init__(self, key: Sequence[RecordedStation]) -> None:
        self._ids = {said.badge: said.id for said in key}

    def of(self, first: Portion, last: Portion, before: Portion | None = None) -> Sides:
        """From the one to the other; before: what the lesson before it ended with, whose page is known."""
        begin = f"station-{self._ids[first.station]}"
        if not first.whole and first.first > 1:
            begin = f"t{self._ids[first.station]}-{first.first}"
        return Sides(begin, self._end(last), self._end(before) if before else "")

    def _end(self, portion: Portion) -> str:
        of = self._ids[portion.station]
        return f"end-{of}" if portion.whole else f"t{of}-{portion.last}"


def in_words(places: Mapping[str, int], pages: int) -> Callable[[Sides], str]:
    """What is said of pages of the worksheet. places: id -> page; empty where nothing was printed."""
    opening = min((page for name, page in places.items() if name.startswith("station-")), default=1)

    def said(sides: Sides) -> str:
        begin = places.get(sides.first)
        if begin is None:
            return ""
        begin = 1 if begin == opening else begin  # the cover comes along: it has room for the name
        last = max(begin, places.get(sides.last, pages))
        known = places.get(sides.had) == begin
        new = range(begin + known, last + 1)
        said = f"S.\N{NO-BREAK SPACE}{new[0]}" + (f"–{last}" if len(new) > 1 else "") if new else "nichts"
        return f"{said} (S.\N{NO-BREAK SPACE}{begin} haben sie schon)" if known else said

    return said
