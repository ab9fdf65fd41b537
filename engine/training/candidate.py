"""A state of a training goes in; how much there is to calculate, and whether it passes, come out."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from engine.forward.calculation import SentencePass, calculate
from engine.judging.teaching import effort
from engine.model.model import Model, Vocabulary
from engine.model.weights import Weights, make_weights
from engine.numbers.arrays import CalculationError, Floats
from engine.training.criteria import Evidence, faults
from engine.training.one_sentence import OneSentence

CLEAR: Final = 0.2
_COUNTED: Final = ("block", "logit", "temperature")


@dataclass(frozen=True)
class State:
    """The printed numbers after some steps."""

    step: int
    weights: Weights
    vocabulary: Vocabulary


@dataclass(frozen=True)
class Problem:
    """What is to be learnt. classes: where the vectors begin, (V, d_model)."""

    task: OneSentence
    classes: Floats

    def model(self, state: State) -> Model:
        """The sheet's model in one state of its learning."""
        beginning = self.task.beginning
        return Model(
            sizes=self.task.sizes,
            tokens=beginning,
            embedding=state.vocabulary.rows(beginning),
            weights=state.weights,
            rules=self.task.rules,
            known=state.vocabulary,
        )

    @cached_property
    def usual_work(self) -> float:
        """Multiplications for the whole sentence with the style that has the fewest.

        Without end where it cannot be calculated.
        """
        task = self.task
        tokens = task.corpus.texts[0][:-1]
        vectors = dict(zip(task.corpus.vocabulary, self.classes, strict=True))
        weights = make_weights(task.sizes, "auswahl", np.random.default_rng(0))
        try:
            embedding = np.array([vectors[token] for token in tokens])
            return work(calculate(Model(task.sizes, tokens, embedding, weights, task.rules)))
        except CalculationError:
            return float("inf")


@dataclass(frozen=True)
class Candidate:
    """A state that may be the result; pruned: how many of its weights have become 0 or ±1 at last."""

    problem: Problem
    untrained: State
    state: State
    pruned: int = 0

    @cached_property
    def evidence(self) -> Evidence:
        problem = self.problem
        models = problem.model(self.state), problem.model(self.untrained)
        return Evidence(*models, problem.task.corpus, problem.classes)

    @cached_property
    def work(self) -> float:
        """Its multiplications; without end where it cannot be calculated."""
        try:
            return work(self.evidence.calculation)
        except CalculationError:
            return float("inf")

    @cached_property
    def clearness(self) -> float:
        """By how much a head's largest weight moves more if its own word is exchanged than if another is.

        The least of all heads; nothing is asked where fewer than two words decide.
        """
        e, found = self.evidence, [CLEAR]
        exchanges = e.corpus.first_exchanges(e.beginning)
        for head in e.heads if len(exchanges) > 1 else ():
            before = e.look(head, e.beginning)[0]
            place = int(before.argmax())
            moved = [(abs(before - e.look(head, each.beginning)[0])[place], each.place) for each in exchanges]
            own = max((move for move, at in moved if at == place), default=0.0)
            found.append(float(own - max(move for move, at in moved if at != place)))
        return min(found)

    @cached_property
    def passes(self) -> bool:
        return next(faults(self.evidence), None) is None


def work(calculation: SentencePass) -> int:
    """Multiplications of all cells from the first head to the probabilities."""
    done = effort(calculation).done
    return sum(int(counts[..., 0].sum()) for name, counts in done.items() if name.startswith(_COUNTED))
