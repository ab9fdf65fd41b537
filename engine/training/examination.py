"""A trained model goes in; what it predicts after every beginning, in school arithmetic, comes out."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from engine.forward.calculation import SentencePass
from engine.forward.forward import Forward, temperature_name
from engine.judging.friendliness import assess
from engine.model.model import Model
from engine.model.rules import Rules
from engine.numbers.arrays import Array, Floats
from engine.pens.pens import CarelessPen, Pen, SchoolPen, Visible
from engine.trace import TOKEN, WORD, N, Trace
from engine.training.steps import SMALLEST_LIMIT, largest_to_write
from engine.training.texts import Corpus, Ids

LARGEST_EXP: Final = 200.0  # of a logit
PUPILS: Final = 200
_PUPILS_SEED: Final = 11


class EachBeginning(Forward):
    """A prediction after every token. alone: names of heads in which a token sees only itself."""

    def __init__(self, model: Model, pen: Pen, alone: Collection[str] = ()) -> None:
        super().__init__(model, pen)
        self.alone = alone

    def predict(self) -> Floats:
        """Probabilities as written, (n, V)."""
        with np.errstate(all="ignore"):
            self.probabilities("", self.every_logit(), 1.0)
        return self.pen.trace["temperature1.probability"].values

    def every_logit(self) -> Array:
        """The logits after each token, (n, V)."""
        return self.logits("", self.blocks(self.input()))

    def logits(self, prefix: str, x: Array) -> Array:
        return self.write(prefix + "logit", x @ self.vocabulary().swapaxes(-1, -2), N.over(TOKEN, WORD))

    def attend(self, prefix: str, weights: str, x: Array, source: Array, visible: Visible) -> Array:
        if prefix in self.alone:
            visible = np.eye(self.model.n_tokens, dtype=np.bool_)
        return super().attend(prefix, weights, x, source, visible)

    def attention_cosines(self, attention: Array) -> None:
        """Cosines for sheets only."""


class SeveralTexts(EachBeginning):
    """The same for several texts of one length. ids: (B, n); what is written has the leading axis B."""

    def __init__(self, model: Model, pen: Pen, ids: Sequence[Ids]) -> None:
        super().__init__(spoken(model, ids[0]), pen)
        self.ids = np.array(ids)

    def input(self) -> Array:
        return self.input_of("", self.model.input_embedding[self.ids], self.position())  # (B, n, d_model)


def head_names(model: Model) -> tuple[str, ...]:
    """block1.head1., block1.head2., …"""
    return tuple(
        f"block{block}.head{head}."
        for block in range(1, model.sizes.n_blocks + 1)
        for head in range(1, model.sizes.n_heads + 1)
    )


def by_hand(model: Model, alone: Collection[str] = ()) -> Floats:
    """The probabilities of the next word after every token, in school arithmetic, (n, V)."""
    return EachBeginning(model, SchoolPen(model.rules.places), alone).predict()


@dataclass(frozen=True)
class Prediction:
    """What the model says after a beginning that the texts decide; second: the highest of the other words."""

    beginning: Ids
    right: int
    probability: float
    second: float


def examine(model: Model, corpus: Corpus) -> tuple[Prediction, ...]:
    """Every beginning that the texts decide. Raises CalculationError where a step cannot be computed.

    model: of any sentence over the corpus' vocabulary. Texts of one length are read at once.
    """
    decided = [beginning for beginning, after in corpus.followers.items() if len(after) == 1]
    causal = model.rules.causal_mask
    by_length: dict[int, list[Ids]] = defaultdict(list)
    for text in dict.fromkeys(text[:-1] for text in corpus.ids) if causal else decided:
        by_length[len(text)].append(text)
    rows: dict[Ids, Floats] = {}
    for length, texts in by_length.items():
        tables = SeveralTexts(model, SchoolPen(model.rules.places), texts).predict()  # (B, n, V)
        for text, table in zip(texts, tables, strict=True):
            for end in range(1 if causal else length, length + 1):
                rows[text[:end]] = table[end - 1]
    return tuple(_prediction(corpus, beginning, rows[beginning]) for beginning in decided)


def _prediction(corpus: Corpus, beginning: Ids, row: Floats) -> Prediction:
    (right,) = corpus.followers[beginning]
    return Prediction(beginning, right, float(row[right]), float(np.delete(row, right).max(initial=0.0)))


def spoken(model: Model, ids: Ids) -> Model:
    """The same model before other words of its vocabulary."""
    tokens = tuple(model.vocabulary[i] for i in ids)
    return replace(model, tokens=tokens, embedding=model.input_embedding[list(ids)])


def careless(model: Model) -> Trace:
    """What pupils write who round as they like, with a prediction after every token."""
    printed = SchoolPen(model.rules.places)
    pupils = CarelessPen(printed.trace, PUPILS, np.random.default_rng(_PUPILS_SEED))
    with np.errstate(all="ignore"):
        EachBeginning(model, printed).every_logit()
        EachBeginning(model, pupils).every_logit()
    return pupils.trace


def is_playable(calculation: SentencePass) -> bool:
    """Whether a class can do it: nothing unfriendly, no layer whose result is 0.

    The entry step's e^x are those of the words' vectors; the blocks learn nothing about them.
    """
    model = calculation.model
    last = calculation.hand[f"block{model.sizes.n_blocks}.ffn.output"].values[-1]
    can_be_done = can_be_written(calculation.hand, "", model.rules) and last.any()
    return bool(can_be_done and not set(assess(calculation).faults) - {"exp"})


def can_be_written(hand: Trace, side: str, rules: Rules) -> bool:
    """Whether every e^x of the logits is friendly; at very low temperatures a clear one cannot be."""
    limited = largest_to_write(rules) == SMALLEST_LIMIT
    asked = [each for each in rules.temperatures if each >= 1 or not limited]
    written = [hand[f"{side}{temperature_name(each)}.exp"].values.max() for each in asked]
    return bool(max(written, default=0.0) <= LARGEST_EXP)
