"""Who gets which sheet of a class set: one drawn sheet each, or in a jigsaw one for each team."""

from collections.abc import Sequence
from itertools import cycle
from typing import NamedTuple

from generator.basics.errors import UserError
from generator.calculation.build import build
from generator.options.options import Options
from generator.teacher.lesson import groups_of


class Seat(NamedTuple):
    """team: those with the same numbers, counted from 0. group: of a jigsaw, counted from 1, 0 for none."""

    team: int
    group: int


def groups_in(options: Options) -> int:
    """How many groups a jigsaw has (--gruppen), 0 for none. UserError where it has none to form."""
    return len(groups_of(build(options))) if options.gruppen else 0


def seats_for(people: int, groups: Sequence[int]) -> list[Seat]:
    """Those beside each other in the list are a team, one person for each group; whoever is left over joins
    a team. groups: of each sentence; teams take turns with the sentences. UserError for too few people.
    """
    seats: list[Seat] = []
    for team, number in enumerate(cycle(groups)):
        members = range(1, number + 1) if number else (0,)
        if len(seats) + len(members) > people:
            break
        seats += [Seat(team, group) for group in members]
    if not seats:
        raise UserError(
            f"Ein Gruppenpuzzle mit {groups[0]} Gruppen braucht mindestens {groups[0]} Personen; möglich ist "
            "eine größere --anzahl oder eine kleinere Zahl für --gruppen."
        )
    teams = seats[-1].team + 1
    for left in range(people - len(seats)):
        team = left % teams
        seats.append(Seat(team, left % groups[team % len(groups)] + 1))
    return seats
