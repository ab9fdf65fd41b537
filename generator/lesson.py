"""Stations with their estimated minutes go in; how they are dealt out to lessons comes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

WORKING_SHARE: Final = 0.8  # of a lesson; the rest is for beginning and for comparing at the end


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
class Choice:
    """What one lesson gets: stations, tokens left to the pupil (counted from 1), and what was left out."""

    lesson: Lesson
    exercises: tuple[int, ...]
    later: tuple[Lesson, ...]
    without: tuple[int, ...]


def choose(
    minutes_for: Mapping[tuple[int, ...], Mapping[str, float]], wanted: Sequence[int], length: float
) -> Choice:
    """The most tokens with which the first station fits, then as many further stations as fit.

    minutes_for: for each possible set of tokens, the largest first, the minutes of every station.
    """
    dealt = {exercises: lessons(minutes, length) for exercises, minutes in minutes_for.items()}
    fits = (exercises for exercises, parts in dealt.items() if not parts[0].too_long)
    exercises = next(fits, list(dealt)[-1])
    first, *later = dealt[exercises]
    return Choice(first, exercises, tuple(later), tuple(t for t in wanted if t not in exercises))
