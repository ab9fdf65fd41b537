"""Texts and sizes go in; what learns, its gradients, and whether a state of the training passes, come out."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from engine.forward.calculation import SentencePass, calculate
from engine.forward.forward import sinusoids
from engine.judging.parts import dead_units
from engine.judging.teaching import effort
from engine.model.model import Model, Sizes, Vocabulary, weight_shapes
from engine.model.rules import Rules, token_ids
from engine.model.weights import Weights, make_weights, plain_weights
from engine.numbers.arrays import CalculationError, Floats, half_up
from engine.pens.pens import Pen
from engine.trace import place_of
from engine.training.absences import Absences, with_absences
from engine.training.budget import attention_numbers, token_numbers
from engine.training.criteria import FEWEST_UNITS, Evidence, faults
from engine.training.heads import Guidance, TrainingSteps, guidance
from engine.training.steps import (
    LARGEST_GRADIENT,
    RATIO,
    Batch,
    EveryBeginning,
    largest_to_write,
    learns,
    on_grid,
    said_clearly,
)
from engine.training.texts import Corpus, Reading, reading

VECTORS, OUTPUT = "input_embedding", "vocabulary_embedding"
_PLACES_OF_POSITIONS, _PLACES_OF_INPUT = 3, 1  # as on the sheet
_OF_SHARE = 0.65  # of how often a word follows the sheet's beginning, where several do
LEEWAY = 0.1  # of the logits that are to stay small
Units = tuple[list[int], ...]  # for each block the places of hidden units, as many in all


@dataclass(frozen=True)
class Learnable(ABC):
    """What learning with one sentence and with two have in common."""

    sizes: Sizes
    rules: Rules
    insists: bool = field(default=False, kw_only=True)  # see `Batch`
    side: ClassVar[str] = ""  # what the names of the words' vectors begin with

    @property
    @abstractmethod
    def weight_shapes(self) -> dict[str, tuple[int, ...]]:
        """The shapes of all weights of the model."""

    @property
    @abstractmethod
    def n_words(self) -> tuple[int, int]:
        """How many words can enter, and how many can come next."""

    @property
    @abstractmethod
    def reading(self) -> Reading: ...
    @property
    @abstractmethod
    def largest(self) -> Floats:
        """How large the logits of the sheet's last row may become, ∞ for the others, (B, n, 1)."""

    def axes_of(self, **axes: int) -> dict[str, int]:
        """Of every table of these kinds the axis along which no line may be empty."""
        return {name: axes[kind] for name in self.shapes if (kind := place_of(name).last) in axes}

    @cached_property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """What learns: the weights of the blocks, the words' vectors, and the output's."""
        own = {name: shape for name, shape in self.weight_shapes.items() if learns(name)}
        tables = {self.side + name: n for name, n in zip((VECTORS, OUTPUT), self.n_words, strict=True)}
        return own | {name: (n, self.sizes.d_model) for name, n in tables.items()}

    @cached_property
    def kept(self) -> Weights:
        """The weights that do not learn."""
        plain = plain_weights(self.weight_shapes, self.sizes.norm)
        return {name: table for name, table in plain.items() if not learns(name)}

    def batch(self, tables: Mapping[str, Floats], pen: Pen) -> Batch:
        """The tables of all starts, (S, *shape) each, with what is asked of them."""
        kept = {name: table[None] for name, table in self.kept.items()}
        return Batch(
            self.sizes,
            {name: with_texts(table) for name, table in {**tables, **kept}.items()},
            pen.read(with_texts(tables[self.side + OUTPUT])),
            self.reading.right,
            self.reading.visible,
            self.largest,
            self.rules,
            self.insists,
        )

    def input(self, vectors: Floats) -> Floats:
        """The printed input from the words' vectors, (…, n, d_model) each."""
        if not self.rules.positions:
            return vectors
        position = half_up(sinusoids(vectors.shape[-2], self.sizes.d_model), _PLACES_OF_POSITIONS)
        return half_up(vectors + position, _PLACES_OF_INPUT)

    def gradients(self, steps: EveryBeginning) -> dict[str, Floats]:
        """∂loss/∂table for every table that learns, the texts added up, (S, *shape) each.

        Into a word's vector it flows back from every place where the word stands.
        """
        steps.back()
        vectors = self.side + VECTORS
        found = {name: steps.gradient_of(name).sum(1) for name in self.shapes if name != vectors}
        stands = np.eye(self.n_words[0])[self.reading.ids.ravel()]  # (B·n, V)
        g = on_grid(steps.written[f"gradient.{self.side}input"])  # (S, B, n, d_model)
        found[vectors] = np.asarray(stands.T @ g.reshape(len(g), -1, self.sizes.d_model))
        return found

    def predicts(self, steps: EveryBeginning) -> NDArray[np.bool_]:
        """Which starts predict every decided beginning clearly, with logits that can be written, (S,)."""
        small = np.asarray((steps.written[self.side + "logit"] <= self.largest + LEEWAY).all((-1, -2, -3)))
        if not small.any():
            return small
        return small & clear(steps.written[self.side + "temperature1.probability"], self.reading)


@dataclass(frozen=True)
class OneSentence(Learnable):
    """A model that continues texts. beginning: the sheet's input, after which e^x is written by hand.

    all_live: whether every hidden unit has to say something, because somebody wants so many.
    """

    corpus: Corpus
    beginning: tuple[str, ...]
    all_live: bool = False

    @property
    def weight_shapes(self) -> dict[str, tuple[int, ...]]:
        return weight_shapes(self.sizes)

    @property
    def n_words(self) -> tuple[int, int]:
        return len(self.corpus.vocabulary), len(self.corpus.vocabulary)

    @cached_property
    def _read(self) -> tuple[Reading, Absences | None]:
        own = tuple(token_ids(self.beginning, self.corpus.vocabulary))
        texts = reading(self.corpus, self.rules.causal_mask)
        return with_absences(self.corpus, texts, own, self.sizes)

    @property
    def reading(self) -> Reading:
        return self._read[0]

    @property
    def absences(self) -> Absences | None:
        return self._read[1]

    @cached_property
    def sheet_asks(self) -> NDArray[np.bool_]:
        """True at the last word of the sheet's beginning, after which the sheet predicts, (B, n)."""
        own = tuple(token_ids(self.beginning, self.corpus.vocabulary))
        found = np.zeros(self.reading.ids.shape, dtype=np.bool_)
        for b, row in enumerate(self.reading.ids.tolist()):
            if own and tuple(row[: len(own)]) == own:
                found[b, len(own) - 1] = True
        return found & (self.absences is None or np.arange(len(found))[:, None] < self.absences.first)

    @cached_property
    def guidance(self) -> Guidance | None:
        own = tuple(token_ids(self.beginning, self.corpus.vocabulary))
        texts = reading(self.corpus, self.rules.causal_mask)
        return guidance(self.corpus, texts, own, self.sizes.n_heads)

    @cached_property
    def largest(self) -> Floats:
        return np.where(self.sheet_asks, largest_to_write(self.rules), np.inf)[..., None]

    def steps(self, tables: Mapping[str, Floats], pen: Pen) -> TrainingSteps:
        """The way forward with the tables of all starts, (S, *shape) each."""
        steps = TrainingSteps(self.batch(tables, pen), pen, self.guidance, self.absences, self.all_live)
        steps.predict(pen.read(self.input(tables[VECTORS][:, self.reading.ids])))
        return steps

    def clear(self, steps: TrainingSteps) -> NDArray[np.bool_]:
        fit = self.predicts(steps)
        if not fit.any():
            return fit
        probability = steps.written["temperature1.probability"]
        fair = as_often_as_read(probability, self.reading.right) | self.reading.decided | ~self.sheet_asks
        return np.asarray(fit & fair.all((-1, -2)) & steps.needs_all_parts() & steps.guided())

    def misses(self, steps: TrainingSteps) -> Floats:
        """How far the predictions are from the texts, and logits beyond their limits, (S,)."""
        off = steps.written["temperature1.probability"] - on_grid(self.reading.right)
        beyond = on_grid(steps.beyond(steps.written["logit"]), LARGEST_GRADIENT)
        return np.asarray((off * off * self.reading.asked[..., None] + beyond * beyond).sum((-1, -2, -3)))

    def living_units(self, steps: TrainingSteps, start: int, weights: Weights) -> Units | None:
        """The hidden units that say something; None for all, and where too few do.

        All blocks have as many; of one that has more the loudest.
        """
        own = self.guidance
        if own is None or self.all_live:
            return None
        found = []
        for block in range(1, self.sizes.n_blocks + 1):
            prefix = f"block{block}.ffn."
            activation = steps.written[prefix + "activation"][start, own.row, : own.length]  # (length, d_ff)
            alive = np.flatnonzero(~dead_units(activation, weights, prefix))
            loudness = np.abs(weights[prefix + "W_2"]).sum(-1)
            found.append(alive[np.argsort(-loudness[alive], kind="stable")])
        most = min(map(len, found))
        return None if most < FEWEST_UNITS else tuple(sorted(each[:most].tolist()) for each in found)

    @property
    def numbers(self) -> int:
        """About how many numbers one start writes in a step."""
        rows, tokens, sizes = *map(int, self.reading.ids.shape), self.sizes
        first = self.absences.first if self.absences else rows
        heads = attention_numbers(sizes, first + (sizes.n_blocks - 1) * rows, tokens, tokens)
        return heads + rows * tokens * token_numbers(sizes, len(self.corpus.vocabulary))

    @cached_property
    def lines(self) -> dict[str, int]:
        """Where no column or row may be empty: of the heads' matrices, and of hidden units that all live."""
        return self.axes_of(W_Q=0, W_K=0, W_V=0, **({"W_1": 0, "W_2": 1} if self.all_live else {}))

    def products(self, name: str) -> int:
        """How many products on the sheet one number of the table takes part in."""
        if name == VECTORS or len(self.shapes[name]) == 1:
            return 0
        return 1 if name == OUTPUT else len(self.beginning)


def with_texts(table: Floats) -> Floats:
    """(S, rows, columns) becomes (S, 1, rows, columns), (S, columns) becomes (S, 1, 1, columns)."""
    return table[:, None] if table.ndim == 3 else table[:, None, None]


def clear(probability: Floats, asked: Reading) -> NDArray[np.bool_]:
    """Which starts predict every beginning that is decided clearly, (S,)."""
    return np.asarray((said_clearly(probability, asked.right) | ~asked.decided).all((-1, -2)))


def as_often_as_read(probability: Floats, right: Floats) -> NDArray[np.bool_]:
    """Whether all words that follow a beginning are probable, and clearly more than others, (S, B, n)."""
    follows = right > 0
    least = np.where(follows, probability, np.inf).min(-1)
    share = np.where(follows, probability / np.where(follows, right, 1.0), np.inf).min(-1)
    other = np.where(follows, 0.0, probability).max(-1)
    return np.asarray((share > _OF_SHARE) & (least > RATIO * other))


# --- A state of a training goes in; how much there is to calculate, and whether it passes, come out.


CLEAR: Final = 0.2


@dataclass(frozen=True)
class State:
    """The printed numbers after some steps."""

    step: int
    weights: Weights
    vocabulary: Vocabulary

    def with_units(self, units: Units | None) -> "State":
        """With some of the hidden units of every block; None for all."""
        weights = dict(self.weights)
        for block, own in enumerate(units or (), start=1):
            prefix = f"block{block}.ffn."
            weights[prefix + "W_1"], weights[prefix + "b_1"] = (
                weights[prefix + "W_1"][:, own],
                weights[prefix + "b_1"][own],
            )
            weights[prefix + "W_2"] = weights[prefix + "W_2"][own]
        return replace(self, weights=weights)


@dataclass(frozen=True)
class Problem:
    """What is to be learnt. classes: where the vectors begin, (V, d_model)."""

    task: OneSentence
    classes: Floats

    def model(self, state: State) -> Model:
        """The sheet's model in one state of its learning, as wide as that is."""
        beginning = self.task.beginning
        return Model(
            sizes=replace(self.task.sizes, d_ff=len(state.weights["block1.ffn.b_1"])),
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
    """A state that may be the result; pruned: how many of its weights have become 0 or ±1 at last.

    units: of the hidden units those that it keeps, None for all.
    """

    problem: Problem
    untrained: State
    state: State
    pruned: int = 0
    units: Units | None = None

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
    done = [(place_of(name), counts) for name, counts in effort(calculation).done.items()]
    counted = (
        counts for at, counts in done if not at.way and (at.block or at.temperature or at.last == "logit")
    )
    return sum(int(counts[..., 0].sum()) for counts in counted)
