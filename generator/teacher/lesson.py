"""How a lesson divides, which stations fit into it (--zeit), and the sheets of a jigsaw (--gruppen)."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from math import fsum
from typing import Final

from engine.judging.ranges import Range
from generator.basics.errors import UserError
from generator.calculation.build import Built
from generator.options.declaration import GROUP, KEY_ENDING
from generator.options.option_kinds import HEADS, MOST_GROUPS, TOKENS
from generator.output.render import TO_FILL
from generator.sheet.desk import SHORT_LESSON, SINGLE_LESSON
from generator.sheet.whole_sheet import WholeSheet
from generator.stations.group_work.station import (
    ID,
    Group,
    decision_station,
    group_station,
    head_station,
    together_station,
)
from generator.stations.make_sheet import Maker, make_sheet

Cost = Callable[[tuple[str, ...], tuple[int, ...], int], float]  # stations, tokens, level -> minutes of work


@dataclass(frozen=True)
class Phases:
    """A lesson from its beginning to its end, in whole minutes; the three in the middle are the work."""

    opening: int
    reading: int
    calculating: int
    questions: int
    comparing: int

    @property
    def work(self) -> int:
        return self.reading + self.calculating + self.questions

    @property
    def around(self) -> int:
        return self.opening + self.comparing


def phases(length: int, guesses: bool = False) -> Phases:
    """Ninths: one to begin, two to read the worked token, four to calculate, one for words, one to compare.

    So 90 minutes are 10, 20, 40, 10, 10. A single lesson needs more around it: 7 and 9 of 45 minutes, and
    where its sheet guesses and resolves, 9 and 13, by what `plan` gives a task and a point.
    """
    opening, reading, comparing = (ninth := round(length / 9)), round(2 * length / 9), ninth
    if length <= SINGLE_LESSON and guesses:
        opening, reading, comparing = round(length / 5), round(length / 6), round(2 * length / 7)
    elif length <= SINGLE_LESSON:
        opening, comparing = round(length * 3 / 20), round(length / 5)
    return Phases(opening, reading, length - opening - comparing - ninth - reading, ninth, comparing)


def guesses(stations: Sequence[str]) -> bool:
    """Whether the sheet of a lesson with these stations opens with a guess and comes back to it."""
    return "4a" in stations


@dataclass(frozen=True)
class OneLesson:
    """Stations for one lesson; too_long: even the only station takes longer than there is time to work."""

    stations: tuple[str, ...]
    minutes: float
    too_long: bool


@dataclass(frozen=True)
class LessonPlan:
    """What one lesson gets: stations, tokens left to the pupil (counted from 1); rest: what was left out.

    level: how much is given (--stufe); easier: more than was asked for, as only so it fits.
    """

    lesson: OneLesson
    exercises: tuple[int, ...]
    level: int
    easier: bool
    rest: tuple[str, ...]
    without: tuple[int, ...]
    length: int
    divided: Callable[[], Iterable[OneLesson]] = field(repr=False, compare=False)

    @property
    def phases(self) -> Phases:
        return phases(self.length, guesses(self.lesson.stations))

    @cached_property
    def later(self) -> tuple[OneLesson, ...]:
        """The lessons that take what was left out; worked out only where they are asked for."""
        return tuple(self.divided())


def shortened(choice: LessonPlan) -> list[str]:
    """What station 4a gives up in so short a time (`Desk.short`), in a sentence."""
    stations = choice.lesson.stations
    if choice.length > SHORT_LESSON or "4a" not in stations or stations == ("4a",):  # alone it is a lesson
        return []
    left = (
        "fehlt der Einstieg ohne Matrizen"
        if "4b" in stations
        else ("fehlen der Einstieg ohne Matrizen und die Attention-Matrix")
    )
    return [f"In Station\N{NO-BREAK SPACE}4a {left}."]


def without_attention(choice: LessonPlan) -> Iterator[str]:
    """What has to be said first of a lesson that has no time for what a Transformer is about."""
    if set(choice.rest) >= {"4a", "4b"}:
        yield (
            f"Ohne Attention: Für {choice.length} Minuten ist dieser Satz zu lang. Mit weniger Wörtern oder "
            "mehr Minuten kommt Station 4a dazu."
        )


def choose(
    lines: Sequence[tuple[str, ...]], tokens: tuple[int, ...], levels: Sequence[int], cost: Cost, length: int
) -> LessonPlan:
    """The first line of thought that fits a lesson, with as many tokens as fit with it; else the shortest.

    lines: stations that belong together, the best first. levels: of help, the one that is wanted first.
    """

    def room(line: tuple[str, ...]) -> int:
        return phases(length, guesses(line)).work

    def least(line: tuple[str, ...]) -> float:
        return cost(line, tokens[:1], levels[-1])

    @cache
    def fits(line: tuple[str, ...]) -> bool:
        """Each costs a sheet: where a part of a line is too long, so is the line."""
        parts = (each for each in lines if set(each) < set(line))
        return all(map(fits, parts)) and least(line) <= room(line)

    line = next(filter(fits, lines), None) or min(lines, key=least)
    exercises, level = _most(line, tokens, levels, cost, room(line))
    rest = [name for name in dict.fromkeys(name for each in lines for name in each) if name not in line]
    return LessonPlan(
        _lesson(line, cost(line, exercises, level), room(line)),
        exercises,
        level,
        level != levels[0],
        tuple(rest),
        tuple(token for token in tokens if token not in exercises),
        length,
        lambda: lessons(rest, lambda stations: cost(stations, exercises, level), phases(length).work),
    )


def _most(
    line: tuple[str, ...], tokens: tuple[int, ...], levels: Sequence[int], cost: Cost, room: float
) -> tuple[tuple[int, ...], int]:
    """As many of the last tokens as fit; where none does, the first (it sees least), then more help."""
    for level in levels:
        count = bisect_right(range(1, len(tokens) + 1), room, key=lambda k: cost(line, tokens[-k:], level))
        if count:
            return tokens[-count:], level
        if cost(line, tokens[:1], level) <= room:
            break
    return tokens[:1], level


def lessons(
    stations: Iterable[str], cost: Callable[[tuple[str, ...]], float], room: float
) -> Iterable[OneLesson]:
    """Stations in order, as many to a lesson with `room` minutes to work as fit, at least one."""
    current: tuple[str, ...] = ()
    for station in stations:
        if current and cost((*current, station)) > room:
            yield _lesson(current, cost(current), room)
            current = ()
        current += (station,)
    if current:
        yield _lesson(current, cost(current), room)


def _lesson(stations: tuple[str, ...], minutes: float, room: float) -> OneLesson:
    return OneLesson(stations, minutes, minutes > room)


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

    tasks: the minutes of every task of every station. A station that fits into one lesson stays whole, unless
    half of the lesson before it would be left; a longer one is cut between tasks; a task that is too long has
    a lesson to itself.
    """
    found: list[list[Portion]] = [[]]
    for station, minutes in tasks.items():
        left = room - fsum(portion.minutes for portion in found[-1])
        needed = fsum(minutes)
        whole = needed <= (left if left > room / 2 else room)
        pieces = [(1, len(minutes), needed)] if whole else [(n, n, m) for n, m in enumerate(minutes, 1)]
        for first, last, needed in pieces:
            lesson = found[-1]
            if lesson and fsum(portion.minutes for portion in lesson) + needed > room:
                lesson = []
                found.append(lesson)
            if lesson and lesson[-1].station == station:
                begun = lesson.pop()
                first, needed = begun.first, begun.minutes + needed
            lesson.append(Portion(station, first, last, (first, last) == (1, len(minutes)), needed))
    return [lesson for lesson in found if lesson]


_LEAST_GROUPS: Final = 2
TOGETHER: Final = "zusammen"
ID_TOGETHER: Final = f"{ID}+"  # beside a group's own sheet


def groups_of(built: Built) -> list[Group]:
    """Who calculates what. A number of groups equal to the heads means a head for each."""
    wish, sizes = built.options.gruppen, built.calculation.model.sizes
    heads = tuple(range(1, sizes.n_heads + 1))
    if wish == HEADS or wish == sizes.n_heads:
        if sizes.n_heads == 1:
            raise UserError("--gruppen heads braucht mehr als einen Head; möglich ist --gruppen token.")
        last = built.calculation.model.n_tokens
        tokens = tuple(place - 1 for place in ((last,) if built.learnt else built.options.uebung))
        return [Group(k, (k,), tokens) for k in heads]
    tokens = tuple(i for i in range(built.calculation.model.n_tokens) if i != built.options.beispiel - 1)
    if wish == TOKENS and built.options.maske and tokens[0] == 0 and len(tokens) > _LEAST_GROUPS:
        tokens = tokens[1:]  # a first word sees only itself: nothing is to be worked out
    number = len(tokens) if wish == TOKENS else int(wish or 0)
    if len(tokens) < _LEAST_GROUPS:
        raise UserError(
            "--gruppen token braucht mindestens zwei Wörter neben dem vorgerechneten, hier ist es nur "
            "eines; es hilft ein längerer Satz."
        )
    if number > len(tokens):
        raise UserError(
            f"--gruppen {number} passt nicht: Der Satz hat neben dem vorgerechneten {len(tokens)} Token zu "
            "verteilen, also höchstens so viele Gruppen."
        )
    return [Group(i + 1, heads, tokens[i::number]) for i in range(number)]


def group_sheets(built: Built, ranges: Mapping[str, Range]) -> dict[str, WholeSheet]:
    """By name of the file: gruppe-1, gruppe-2, …, zusammen."""
    *own, together = _makers(built)
    named = {f"{GROUP}{number}": make for number, make in enumerate(own, 1)} | {TOGETHER: together}
    return {name: make_sheet(built, ranges=ranges, others={ID: make}) for name, make in named.items()}


def member_sheet(built: Built, group: int, alone: bool = False) -> WholeSheet:
    """What one person of a team works on, whose numbers are the team's own: the sheet of the group, counted
    from 1, then the one that puts all together. alone: nobody else has that sheet with other numbers.
    """
    *groups, together = _makers(built)
    if not 1 <= group <= len(groups):
        raise UserError(f"Eine Gruppe {group} gibt es hier nicht; es sind {len(groups)} Gruppen.")
    own = groups[group - 1]
    whole = make_sheet(
        built, others={ID: own, ID_TOGETHER: lambda desk: replace(together(desk), id=ID_TOGETHER)}
    )
    return replace(whole, values={**whole.values, "group": group, "alone": alone})


def _makers(built: Built) -> list[Maker]:
    """What makes the sheet of each group, and the one for all."""
    groups = groups_of(built)
    own, together = group_station, together_station
    if built.learnt and all(len(group.heads) == 1 for group in groups) and built.options.heads > 1:
        own, together = head_station, decision_station
    return [
        *(partial(own, group=group, of=len(groups)) for group in groups),
        partial(together, groups=groups),
    ]


def group_files() -> tuple[str, ...]:
    """Every name that a run with groups can write."""
    names = [*(f"{GROUP}{number}" for number in range(1, MOST_GROUPS + 1)), TOGETHER]
    return tuple(
        f"{name}{ending}.{kind}"
        for name in names
        for ending in ("", KEY_ENDING, TO_FILL)
        for kind in ("pdf", "html")
    )
