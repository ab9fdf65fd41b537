"""Texts, sizes and the classes' vectors go in; a model that continues the texts comes out, or None.

Several starts learn side by side; of those that pass the examination in school arithmetic the one with the
fewest products is taken. If none passes, more starts follow, whose words may go further from their class.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.calculation.calculation import SentencePass, calculate
from engine.judging.effort import effort
from engine.model.model import Model, Vocabulary
from engine.model.weights import Weights, make_weights
from engine.numbers.arrays import Floats
from engine.numbers.errors import CalculationError
from engine.training.descent import Course, Moment, descend
from engine.training.examination import (
    Examination,
    continues_as_read,
    examine,
    playable,
    stands_careless_pupils,
)
from engine.training.one_sentence import OUTPUT, VECTORS, OneSentence
from engine.training.parameters import Parameters
from engine.training.texts import Corpus

COURSE: Final = Course()
STARTS: Final = 8
REACHES: Final = (0.3, 0.4, 0.5, 0.5, 0.6, 0.6)  # how far a component may leave its class, attempt by attempt
_KEPT_EVERY: Final = 20  # steps
_EXAMINED_FROM: Final = 0.7  # of all steps
_SILENT: Final = 8  # products that a hidden unit is worth
MOST_WORK: Final = 1.5  # times the multiplications of the style auswahl
_PATIENCE: Final = 2  # attempts, counted from 0, in which less work is looked for
_COUNTED: Final = ("block", "logit", "temperature")
_MOST_EXAMINED: Final = 16  # candidates of one attempt


@dataclass(frozen=True)
class State:
    """The printed numbers after some steps."""

    step: int
    weights: Weights
    vocabulary: Vocabulary


@dataclass(frozen=True)
class Problem:
    """What is to be learnt. classes: where the vectors begin, (V, d_model). beginning: the sheet's input."""

    task: OneSentence
    classes: Floats
    beginning: tuple[str, ...]

    def model(self, state: State) -> Model:
        """The sheet's model in one state of its learning."""
        return Model(
            sizes=self.task.sizes,
            tokens=self.beginning,
            embedding=state.vocabulary.rows(self.beginning),
            weights=state.weights,
            rules=self.task.rules,
            known=state.vocabulary,
        )


@dataclass(frozen=True)
class Trained:
    """A model that has learnt.

    states: on the way of the start that was taken, the last one is the result. curve: step and loss, summed
    over all beginnings, of that start. attempt, start: which it was, from 0. reach: see `Parameters`.
    """

    problem: Problem
    states: tuple[State, ...]
    curve: tuple[tuple[int, float], ...]
    examination: Examination
    course: Course
    attempt: int
    start: int
    reach: float
    seed: int

    @property
    def result(self) -> State:
        return self.states[-1]

    @property
    def starts(self) -> int:
        """How many starts have learnt in all."""
        return (self.attempt + 1) * STARTS


def train(
    problems: Sequence[Problem],
    seed: int,
    course: Course = COURSE,
    attempts: int = len(REACHES),
    tell: Callable[[int], None] = lambda attempt: None,
) -> Trained | None:
    """The first attempt of which a start passes; None if none does.

    problems: tried by turns; with some sizes few texts are easier, with others many. tell: called before
    every attempt.
    """
    usual = [usual_work(problem) for problem in problems]
    reserve: tuple[float, Trained] | None = None
    for attempt in range(attempts):
        tell(attempt)
        problem = problems[attempt % len(problems)]
        reach = REACHES[min(attempt, len(REACHES) - 1)]
        parameters = Parameters(problem.task.shapes, {VECTORS: problem.classes}, reach)
        kept = [
            moment
            for moment in descend(problem.task, parameters, course, STARTS, _stream(seed, attempt))
            if moment.step % _KEPT_EVERY == 0
        ]
        for start, last in candidates(kept, course):
            way = kept[: last + 1]
            passed = _passes(problem, _state(problem.task, way[-1], start))
            if passed is None:
                continue
            examination, calculation = passed
            share = work(calculation) / usual[attempt % len(problems)]
            if reserve is not None and share >= reserve[0]:
                continue
            states = tuple(_state(problem.task, moment, start) for moment in way)
            curve = tuple((moment.step, _loss(problem.task, moment, start)) for moment in way)
            reserve = (
                share,
                Trained(problem, states, curve, examination, course, attempt, start, reach, seed),
            )
            if share <= MOST_WORK:
                return reserve[1]
        if reserve is not None and attempt >= _PATIENCE:
            break
    return reserve and reserve[1]


def work(calculation: SentencePass) -> int:
    """Multiplications of all cells from the first head to the probabilities."""
    done = effort(calculation).done
    return sum(int(counts[..., 0].sum()) for name, counts in done.items() if name.startswith(_COUNTED))


def usual_work(problem: Problem) -> float:
    """The same for the whole sentence with the style that has the fewest; without end where it cannot be."""
    task = problem.task
    tokens = task.corpus.texts[0][:-1]
    vectors = dict(zip(task.corpus.vocabulary, problem.classes, strict=True))
    weights = make_weights(task.sizes, "auswahl", np.random.default_rng(0))
    try:
        embedding = np.array([vectors[token] for token in tokens])
        return work(calculate(Model(task.sizes, tokens, embedding, weights, task.rules)))
    except CalculationError:
        return float("inf")


def _stream(seed: int, attempt: int) -> int:
    return seed * len(REACHES) + attempt


def _state(task: OneSentence, moment: Moment, start: int) -> State:
    own = {name: table[start] for name, table in moment.tables.items()}
    vocabulary = Vocabulary(task.corpus.vocabulary, own.pop(VECTORS), own.pop(OUTPUT))
    return State(moment.step, own | task.kept, vocabulary)


def candidates(kept: Sequence[Moment], course: Course) -> list[tuple[int, int]]:
    """Starts that seem to have learnt, each first where it has the fewest products; start and moment."""
    found = sorted(
        (work, start, -place)
        for place, moment in enumerate(kept)
        if moment.step >= _EXAMINED_FROM * course.steps
        for start, work in enumerate(_products(moment))
        if moment.clear[start]
    )
    turn: Counter[int] = Counter()
    ranked = []
    for work, start, place in found:
        ranked.append((turn[start], work, start, -place))
        turn[start] += 1
    return [(start, place) for _, _, start, place in sorted(ranked)[:_MOST_EXAMINED]]


def _products(moment: Moment) -> list[int]:
    """How many weights of each start have to be multiplied with; units that never fire count against it."""
    tables = [
        (table != 0) & (np.abs(table) != 1)
        for name, table in moment.tables.items()
        if not name.endswith(VECTORS)
    ]
    counts = sum(table.reshape(len(table), -1).sum(1) for table in tables)
    fired = [
        table.max((1, 2)) > 0 for name, table in moment.steps.written.items() if name.endswith("activation")
    ]
    silent = sum((~units).sum(-1) for units in fired)
    return [int(count) for count in counts + _SILENT * silent]


def _probability(moment: Moment) -> Floats:
    return np.asarray(moment.steps.written["temperature1.probability"])  # (S, B, n, V)


def _loss(task: OneSentence, moment: Moment, start: int) -> float:
    right = task.reading.right
    surprise = -np.log(np.maximum(_probability(moment)[start], 1e-6))
    return round(float((right * surprise).sum()), 3)


def _passes(problem: Problem, state: State) -> tuple[Examination, SentencePass] | None:
    """The examination of a state in which nothing is missing, and the sheet's calculation."""
    model, corpus = problem.model(state), problem.task.corpus
    if _twins(state, problem.classes):
        return None
    try:
        found = examine(model, corpus)
    except CalculationError:
        return None
    if not (found.is_clear and found.needs_attention and found.uses_all_heads):
        return None
    if not continues_as_read(model, corpus):
        return None
    calculation = playable(model)
    if calculation is None or (_is_decided(model, corpus) and not stands_careless_pupils(calculation)):
        return None
    return found, calculation


def _is_decided(model: Model, corpus: Corpus) -> bool:
    """Of two words that are as possible, honest rounding may prefer the one or the other."""
    return len(corpus.followers.get(model.token_ids, ())) == 1


def _twins(state: State, classes: Floats) -> bool:
    """Whether two words have come to share a vector that did not share it in the beginning."""
    return len(np.unique(state.vocabulary.vectors, axis=0)) < len(np.unique(classes, axis=0))
