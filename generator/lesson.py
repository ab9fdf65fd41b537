"""Stations with their estimated minutes go in; how they are dealt out to lessons comes out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

WORKING_SHARE: Final = 0.95  # of a lesson; reading and the worked token are in the stations' minutes


@dataclass(frozen=True)
class Lesson:
    """Stations for one lesson; too_long: even the only station takes longer than the lesson."""

    stations: tuple[str, ...]
    minutes: float
    too_long: bool


def lessons(minutes: Mapping[str, float], length: float) -> list[Lesson]:
    """Stations in order, as many to a lesson of `length` minutes as fit, at least one."""
    room = WORKING_SHARE * length
    found: list[Lesson] = []
    current: list[str] = []
    used = 0.0
    for station, needed in minutes.items():
        if current and used + needed > room:
            found.append(Lesson(tuple(current), used, used > room))
            current, used = [], 0.0
        current.append(station)
        used += needed
    return [*found, Lesson(tuple(current), used, used > room)] if current else found


@dataclass(frozen=True)
class Portion:
    """What a lesson takes of a station: the tasks from `first` to `last`, or all (whole)."""

    station: str
    first: int
    last: int
    whole: bool
    minutes: float


def portions(tasks: Mapping[str, Sequence[float]], room: float) -> list[list[Portion]]:
    """Stations in order, dealt out to lessons with `room` minutes to work.

    tasks: the minutes of every task of every station. A station that fits into one lesson stays whole, a
    longer one is cut between tasks; a task that is too long has a lesson to itself.
    """
    found: list[list[Portion]] = [[]]
    for station, minutes in tasks.items():
        whole = sum(minutes) <= room
        pieces = [(1, len(minutes), sum(minutes))] if whole else [(n, n, m) for n, m in enumerate(minutes, 1)]
        for first, last, needed in pieces:
            lesson = found[-1]
            if lesson and sum(portion.minutes for portion in lesson) + needed > room:
                lesson = []
                found.append(lesson)
            if lesson and lesson[-1].station == station:
                begun = lesson.pop()
                first, needed = begun.first, begun.minutes + needed
            lesson.append(Portion(station, first, last, whole, needed))
    return [lesson for lesson in found if lesson]


@dataclass(frozen=True)
class Choice:
    """What one lesson gets: stations, tokens left to the pupil (counted from 1), and what was left out."""

    lesson: Lesson
    exercises: tuple[int, ...]
    later: tuple[Lesson, ...]
    without: tuple[int, ...]
    length: float


def choose(
    candidates: Iterable[tuple[tuple[int, ...], Mapping[str, float]]], wanted: Sequence[int], length: float
) -> Choice:
    """The most tokens with which the first station fits, then as many further stations as fit.

    candidates: sets of tokens with the minutes of every station, the largest set first; at least one.
    """
    for tokens, minutes in candidates:
        exercises, dealt = tokens, lessons(minutes, length)
        if not dealt[0].too_long:
            break
    first, *later = dealt
    return Choice(first, exercises, tuple(later), tuple(t for t in wanted if t not in exercises), length)
