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
from engine.training.examination import (
    Examination,
    continues_as_read,
    examine,
    is_playable,
    looks,
    stands_careless_pupils,
)
from engine.training.one_sentence import OneSentence

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
    state: State
    pruned: int = 0

    @cached_property
    def model(self) -> Model:
        return self.problem.model(self.state)

    @cached_property
    def calculation(self) -> SentencePass | None:
        """The sheet's; None where a step cannot be computed."""
        try:
            return calculate(self.model)
        except CalculationError:
            return None

    @cached_property
    def work(self) -> float:
        """Its multiplications; without end where it cannot be calculated."""
        return float("inf") if self.calculation is None else work(self.calculation)

    @property
    def network_speaks(self) -> bool:
        """Whether each feed-forward network gives the sheet's last word more than its bias."""
        if self.calculation is None:
            return False
        hand, blocks = self.calculation.hand, range(1, self.model.sizes.n_blocks + 1)
        return all(hand[f"block{block}.ffn.activation"].values[-1].any() for block in blocks)

    @cached_property
    def examination(self) -> Examination | None:
        """What it predicts; None where a step cannot be computed."""
        try:
            return examine(self.model, self.problem.task.corpus)
        except CalculationError:
            return None

    @cached_property
    def passes(self) -> bool:
        """Whether nothing is missing: what it has learnt, and that a class can calculate with it."""
        found, corpus = self.examination, self.problem.task.corpus
        if found is None or not found.is_clear or _twins(self.state, self.problem.classes):
            return False
        if corpus.needs_context and not (found.needs_attention and found.uses_all_heads):
            return False
        if len(corpus.following(self.model.tokens)) > 1 and not continues_as_read(self.model, corpus):
            return False
        if self.calculation is None or not is_playable(self.calculation) or not looks(self.calculation):
            return False
        return stands_careless_pupils(self.model, corpus)


def work(calculation: SentencePass) -> int:
    """Multiplications of all cells from the first head to the probabilities."""
    done = effort(calculation).done
    return sum(int(counts[..., 0].sum()) for name, counts in done.items() if name.startswith(_COUNTED))


def _twins(state: State, classes: Floats) -> bool:
    """Whether two words have come to share a vector that did not share it in the beginning."""
    return len(np.unique(state.vocabulary.vectors, axis=0)) < len(np.unique(classes, axis=0))
