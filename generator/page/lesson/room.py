"""What the routes of lessons share: the lessons, the listener, and how often somebody may guess a code."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from starlette.requests import Request

from generator.page.lesson.lessons import Lessons
from generator.page.lesson.listening import Listener
from generator.page.rates import Rate, Rates

# A school may be one address: 86 400 codes a day at most, of 2.8e10.
_GUESSES: Final = Rate(at_once=100, a_minute=60)


@dataclass
class Room:
    lessons: Lessons
    listener: Listener
    guesses: Rates = field(default_factory=lambda: Rates(_GUESSES))


def room_of(request: Request) -> Room:
    room: Room = request.app.state.room
    return room
