"""Several models of one sentence in one run: NumPy's calls cost more than the few numbers of a model."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from engine.forward.calculation import SentencePass, both_traces, calculate, has_entry_step
from engine.model.model import Model, Sizes
from engine.model.rules import Rules
from engine.numbers.arrays import CalculationError, Floats
from engine.numbers.decimals import places_of_each


@dataclass(frozen=True)
class _Draws:
    """Models of one sentence with their numbers along a leading axis: one run computes them all."""

    sizes: Sizes
    tokens: tuple[str, ...]
    rules: Rules
    vocabulary: tuple[str, ...]
    embedding: Floats  # (draws, n, d_model)
    weights: Mapping[str, Floats]  # (draws, rows, columns); a vector is one row
    vocabulary_embedding: Floats
    input_embedding: Floats

    @classmethod
    def of(cls, models: Sequence[Model]) -> "_Draws":
        one = models[0]
        tables = ("embedding", "vocabulary_embedding", "input_embedding")
        stacked = {name: np.stack([getattr(model, name) for model in models]) for name in tables}
        weights = {name: np.stack([np.atleast_2d(m.weights[name]) for m in models]) for name in one.weights}
        return cls(one.sizes, one.tokens, one.rules, one.vocabulary, weights=weights, **stacked)

    @property
    def n_tokens(self) -> int:
        return len(self.tokens)


def calculate_all(models: Sequence[Model]) -> list[SentencePass | CalculationError]:
    """What `calculate` gives or raises for each of several models of one sentence."""
    tables = [[model.embedding, *model.weights.values()] for model in models]
    starts = [0, *accumulate(table.size for table in tables[0][:-1])]
    flat = np.array([np.concatenate([table.reshape(-1) for table in each]) for each in tables])
    alike: dict[tuple[object, ...], list[int]] = {}
    for number, (model, places) in enumerate(zip(models, places_of_each(flat, starts), strict=True)):
        alone = number if min(places) < 0 else None
        alike.setdefault((has_entry_step(model), model.token_ids, alone, *places), []).append(number)
    found: dict[int, SentencePass | CalculationError] = {}
    for (entry, *_), numbers in alike.items():
        found |= zip(numbers, _together([models[number] for number in numbers], bool(entry)), strict=True)
    return [found[number] for number in range(len(models))]


def _together(models: Sequence[Model], entry: bool) -> Sequence[SentencePass | CalculationError]:
    """A run of them all; those that have a fault, or hide cells that others show, are computed alone."""
    if len(models) < 2:
        return [_alone(model) for model in models]
    try:
        both = both_traces(_Draws.of(models), entry)  # type: ignore[arg-type]
        # those without a direction hide cells
        norms = [q.values for trace in both for name, q in trace.items() if name.endswith(".norm")]
        lengths = np.concatenate(norms, axis=-1).min(-1)  # (draws,)
        apart: Collection[int] = np.flatnonzero(lengths < 10.0 ** -models[0].rules.places).tolist()
        if not apart:
            return [SentencePass(m, *(trace.of_run(i) for trace in both)) for i, m in enumerate(models)]
    except CalculationError as error:
        apart = error.index[:1] or range(len(models))
    others = [i for i in range(len(models)) if i not in apart]
    found = {i: _alone(models[i]) for i in apart}
    found |= zip(others, _together([models[i] for i in others], entry), strict=True)
    return [found[i] for i in range(len(models))]


def _alone(model: Model) -> SentencePass | CalculationError:
    try:
        return calculate(model)
    except CalculationError as error:
        return error
