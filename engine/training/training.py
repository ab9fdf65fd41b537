"""Texts, sizes and the classes' vectors go in; a model that continues the texts comes out, or None.

Several starts learn side by side; of those that pass the examination in school arithmetic one with few
products is taken, if possible one whose heads answer to one word each. If none passes, more starts follow,
whose words may go further from their class.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from math import prod
from typing import Final

import numpy as np

from engine.model.model import Sizes, Vocabulary
from engine.numbers.arrays import Floats
from engine.trace import place_of
from engine.training.budget import Budget
from engine.training.descent import Course, Moment, Parameters, Pruning, descend
from engine.training.one_sentence import CLEAR, OUTPUT, VECTORS, Candidate, OneSentence, Problem, State
from engine.training.steps import GridPen

LARGEST_RATE, RATE_FOR_ONE_COMPONENT, SPREAD = 0.035, 0.14, 0.45
REACHES: Final = (0.4, 0.5, 0.6, 0.6, 0.6, 0.6)  # how far a component may leave its class, attempt by attempt
_FEW_COMPONENTS, _MANY_STEPS = 4, 400
_KEPT_EVERY: Final = 20  # steps
_EXAMINED_FROM: Final = 0.7  # of all steps
_SILENT: Final = 8  # products that a hidden unit is worth
MOST_WORK: Final = 1.5  # times the multiplications of the style auswahl
GOAL: Final = 1.1  # so many are left if possible; with fewer the heads would have nothing to tell
_ENOUGH: Final = (MOST_WORK, -CLEAR)
_TURN: Final = 2  # attempts with one problem
_PATIENT: Final = 3  # attempts; then the easiest problem, and it insists, see `Batch`
_PRUNED: Final = (0.2, 0.4, 0.6, 0.8, 1.0)  # of the way to fewer products, looked at one by one
_MOST_EXAMINED: Final = 8  # candidates of one attempt


@dataclass(frozen=True)
class Trained:
    """A model that has learnt.

    states: on the way of the start that was taken, the last one is the result. curve: step and loss, summed
    over all beginnings, of that start. attempt: which it was, from 0. starts: how many have learnt in all.
    reach: see `Parameters`. pruned: how many weights have become 0 or ±1 after the last step. seconds: that
    all of it takes, as `Budget` estimates them.
    """

    problem: Problem
    states: tuple[State, ...]
    curve: tuple[tuple[int, float], ...]
    attempt: int
    starts: int
    reach: float
    pruned: int
    seconds: float


def train(
    problems: Sequence[Problem],
    seed: int,
    attempts: int = len(REACHES),
    tell: Callable[[int], None] = lambda attempt: None,
) -> Trained | None:
    """The best of the first attempt of which a start passes; None if none does.

    problems: the first is tried twice before the second, the easiest is the last. tell: called before every
    attempt.
    """
    course, budget = course_for(problems[0].task.sizes), budget_of(problems)
    starts = budget.starts
    best: tuple[tuple[float, float], Trained] | None = None
    for attempt in range(attempts if starts else 0):
        if not budget.allows_attempt(best is not None):
            break
        tell(attempt)
        insists = attempt >= _PATIENT
        problem = problems[-1 if insists else attempt // _TURN % len(problems)]
        usual = problem.usual_work
        reach = REACHES[min(attempt, len(REACHES) - 1)]
        parameters = Parameters(
            problem.task.shapes, {VECTORS: problem.classes}, reach, SPREAD, problem.task.lines
        )
        task = replace(problem.task, insists=insists)
        moments = descend(task, parameters, course, starts, seed * len(REACHES) + attempt)
        kept = [
            _Kept.of(problem.task, moment, course) for moment in moments if moment.step % _KEPT_EVERY == 0
        ]
        budget.attempted()
        # Starts whose heads look at their place whatever word stands there come first.
        for start, last in candidates(
            [each.moment for each in kept], course, lambda moment: (-moment.steps.staying()).tolist()
        ):
            if not budget.allows_look(best is not None):
                break
            budget.looked()
            way = kept[: last + 1]
            before = [_state(problem.task, each.moment, start) for each in way[:-1]]
            found = _passed(problem, parameters, before[0], way[-1].moment, start, GOAL * usual)
            if found is None:
                continue
            rank = max(found.work / usual, MOST_WORK), -found.clearness
            if best and rank >= best[0]:
                continue
            way_there = [state.with_units(found.units) for state in before]
            trained = Trained(
                problem=problem,
                states=(*way_there, found.state),
                curve=tuple((each.moment.step, round(float(each.loss[start]), 3)) for each in way),
                attempt=attempt,
                starts=(attempt + 1) * starts,
                reach=reach,
                pruned=found.pruned,
                seconds=budget.spent,
            )
            best = rank, trained
            if rank == _ENOUGH:
                return trained
        if best and best[0][0] == MOST_WORK:
            break
    return best and replace(best[1], seconds=budget.spent)


def budget_of(problems: Sequence[Problem]) -> Budget:
    """What training may cost: as much as the largest of the problems needs."""
    tasks = [problem.task for problem in problems]
    weights = max(sum(map(prod, task.shapes.values())) for task in tasks)
    sizes = tasks[0].sizes
    return Budget(max(task.numbers for task in tasks), weights, sizes.n_blocks, course_for(sizes).steps)


@dataclass(frozen=True)
class _Kept:
    """A moment on the way; what it wrote stays only where a start may be taken. loss: of each start, (S,)."""

    moment: Moment
    loss: Floats

    @classmethod
    def of(cls, task: OneSentence, moment: Moment, course: Course) -> "_Kept":
        probability = moment.steps.written["temperature1.probability"]  # (S, B, n, V)
        surprise = -np.log(np.maximum(probability, 1e-6))
        loss = (task.reading.right * surprise).sum((1, 2, 3))
        return cls(moment if is_examined(moment, course) else replace(moment, steps=None), loss)


def course_for(sizes: Sizes) -> Course:
    """With more components every step goes further, so it has to be shorter; with few it takes more."""
    rate = min(LARGEST_RATE, RATE_FOR_ONE_COMPONENT / sizes.d_model)
    return Course(rate, _MANY_STEPS) if sizes.d_model <= _FEW_COMPONENTS else Course(rate)


def _state(task: OneSentence, moment: Moment, start: int) -> State:
    own = {name: table[start] for name, table in moment.tables.items()}
    vocabulary = Vocabulary(task.corpus.vocabulary, own.pop(VECTORS), own.pop(OUTPUT))
    return State(moment.step, own | task.kept, vocabulary)


def _candidate(problem: Problem, first: State, moment: Moment, start: int, pruned: int = 0) -> Candidate:
    state = _state(problem.task, moment, start)
    units = problem.task.living_units(moment.steps, start, state.weights)
    return Candidate(problem, first.with_units(units), state.with_units(units), pruned, units)


def candidates(
    kept: Sequence[Moment],
    course: Course,
    order: Callable[[Moment], Iterable[int]] = lambda moment: repeat(0),
) -> list[tuple[int, int]]:
    """Starts that seem to have learnt; start and moment.

    Each comes first where it has the fewest products. order: by start, what then counts before them.
    """
    found = sorted(
        (work, start, -place, first)
        for place, moment in enumerate(kept)
        if is_examined(moment, course)
        for start, (work, first) in enumerate(zip(_products(moment), order(moment), strict=False))
        if moment.clear[start]
    )
    turn: Counter[int] = Counter()
    ranked = []
    for work, start, place, first in found:
        ranked.append((turn[start], first, work, start, -place))
        turn[start] += 1
    return [(start, place) for *_, start, place in sorted(ranked)[:_MOST_EXAMINED]]


def is_examined(moment: Moment, course: Course) -> bool:
    return moment.step >= _EXAMINED_FROM * course.steps


def _products(moment: Moment) -> list[int]:
    """How many weights of each start have to be multiplied with; units that never fire count against it."""
    tables = [
        (table != 0) & (np.abs(table) != 1)
        for name, table in moment.tables.items()
        if place_of(name).last != VECTORS
    ]
    counts = sum(table.reshape(len(table), -1).sum(1) for table in tables)
    fired = [
        table.max((1, 2)) > 0
        for name, table in moment.steps.written.items()
        if place_of(name).last == "activation"
    ]
    silent = sum((~units).sum(-1) for units in fired)
    return [int(count) for count in counts + _SILENT * silent]


def _passed(
    problem: Problem, parameters: Parameters, first: State, moment: Moment, start: int, goal: float
) -> Candidate | None:
    """The moment, if it passes, pruned as far as need be.

    On the way to fewer products the first that passes and has no more than the goal, else the last that
    passes. What is quickly counted is counted before what takes longer is looked at.
    """
    own = {name: table[start : start + 1] for name, table in moment.tables.items()}
    found = _candidate(problem, first, moment, start)
    if not found.passes or found.work <= goal:
        return found if found.passes else None
    way = np.array(Pruning(problem.task, parameters).way(parameters.flat(own)[0]))  # (W, P)
    looked = way[np.array(sorted({round(share * (len(way) - 1)) for share in _PRUNED}))]
    tables = parameters.by_name(looked)
    changed = replace(moment, tables=tables, steps=problem.task.steps(tables, GridPen()))
    fewer = [
        _candidate(problem, first, changed, place, int((numbers != way[0]).sum()))
        for place, numbers in enumerate(looked)
    ]
    enough = [each for each in fewer if each.work <= goal]
    rest = [each for each in reversed(fewer) if each.work > goal]
    return next((each for each in (*enough, *rest) if each.passes), found)
