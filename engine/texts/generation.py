"""A model and a way to choose go in; the text grows word by word, each round with its candidates comes out.

Predict the next word, append it, run the whole model again. The paper decides: the hand arithmetic chooses
the word, the exact one runs on the same tokens and tells where it would have chosen another. The
quantities of a round are those of engine/texts/choosing.py.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from engine.model.model import Model
from engine.numbers.arrays import CalculationError, Floats
from engine.pens.pens import ExactPen, SchoolPen
from engine.texts.choosing import RoundSteps, Side, WordChoice
from engine.trace import Trace

MOST_TOKENS_ON_PAPER: Final = 24


@dataclass(frozen=True)
class EndToken:
    """The word of the vocabulary that ends the text, with a vector of its own, (d_model,)."""

    word: str
    vector: Floats


@dataclass(frozen=True)
class Candidate:
    """One word of a round. share and cumulative: None where it is not kept or nothing is drawn."""

    word_id: int
    word: str
    probability: float
    kept: bool
    share: float | None
    cumulative: float | None


@dataclass(frozen=True)
class Round:
    """One prediction.

    model: with the tokens so far (`calculate(round.model)` gives all steps before the logits). candidates:
    all words, best first by hand (of equal logits the smaller ID). random: the printed number, 0.00 to 0.99;
    the first kept word whose cumulative sum is above it is chosen. tied_at_cut: the last kept word and the
    first dropped one have the same logit by hand, so only their IDs decided.
    """

    number: int
    model: Model
    candidates: tuple[Candidate, ...]
    random: float | None
    hand: Side
    exact: Side
    tied_at_cut: bool
    ends: bool

    @property
    def tokens(self) -> tuple[str, ...]:
        return self.model.tokens

    @property
    def chosen(self) -> Candidate:
        return next(c for c in self.candidates if c.word_id == self.hand.chosen)

    @property
    def differs(self) -> bool:
        """Whether unrounded numbers would choose another word here."""
        return self.hand.chosen != self.exact.chosen

    def best(self, n: int) -> tuple[Candidate, ...]:
        return self.candidates[:n]


@dataclass(frozen=True)
class Stop:
    """Why the text ends: the end token, the length asked for, the most tokens, or a step without a value."""

    kind: Literal["end_token", "length", "tokens", "error"]
    error: CalculationError | None = None


@dataclass(frozen=True)
class Generation:
    """All rounds, the two traces with every round's quantities, and why it stopped."""

    start: Model
    words: tuple[str, ...]
    choice: WordChoice
    rounds: tuple[Round, ...]
    exact: Trace
    hand: Trace
    stop: Stop

    @property
    def text(self) -> tuple[str, ...]:
        """The sentence and all words appended, the end token too."""
        return (*self.start.tokens, *(round_.chosen.word for round_ in self.rounds))

    @property
    def random_row(self) -> tuple[float, ...]:
        """The random numbers to print, one a round."""
        return tuple(round_.random for round_ in self.rounds if round_.random is not None)


def generate(
    model: Model,
    choice: WordChoice,
    length: int,
    end: EndToken | None = None,
    most_tokens: int = MOST_TOKENS_ON_PAPER,
    ends: Collection[str] = (),
) -> Generation:
    """Append up to `length` words to the model's sentence; the text never gets longer than most_tokens.

    ends: words of the vocabulary that end a text, as the end token does.

    A round that cannot be computed ends the text, with the error as the reason. Raises CalculationError
    ("shape") for an end token whose vector has another length, ValueError if its word is in the vocabulary.
    """
    words, vectors = model.vocabulary, model.vocabulary_embedding
    if end is not None:
        if end.word in words:
            raise ValueError(f"the end token {end.word!r} is a word of the sentence")
        if end.vector.shape != (model.sizes.d_model,):
            raise CalculationError("shape", "end_token")
        words, vectors = (*words, end.word), np.vstack([vectors, end.vector])  # (V, d_model)
    exact, hand = Trace(), Trace()
    rounds: list[Round] = []
    stop = Stop("length")
    now = model
    for number in range(1, length + 1):
        if now.n_tokens >= most_tokens:
            stop = Stop("tokens")
            break
        try:
            round_ = _round(number, now, choice, words, vectors, exact, hand)
        except CalculationError as error:
            stop = Stop("error", error)
            break
        rounds.append(round_)
        if round_.ends or round_.chosen.word in ends:
            stop = Stop("end_token")
            break
        now = _appended(now, round_.hand.chosen)
    return Generation(model, words, choice, tuple(rounds), exact, hand, stop)


def _appended(model: Model, word_id: int) -> Model:
    row = model.input_embedding[word_id]  # (d_model,)
    tokens = (*model.tokens, model.vocabulary[word_id])
    return replace(model, tokens=tokens, embedding=np.vstack([model.embedding, row]))


def _round(
    number: int,
    model: Model,
    choice: WordChoice,
    words: Sequence[str],
    vectors: Floats,
    exact: Trace,
    hand: Trace,
) -> Round:
    paper = RoundSteps(model, SchoolPen(model.rules.places), vectors, choice, number)
    true = RoundSteps(model, ExactPen(), vectors, choice, number)
    for steps in (paper, true):
        steps.run(entry=False)
    random = paper.random(number)
    side = paper.side(random)
    for steps, trace in ((paper, hand), (true, exact)):
        for name, quantity in steps.pen.trace.items():
            if name.startswith(steps.at):
                trace.note(quantity)
    return Round(
        number=number,
        model=model,
        candidates=_candidates(paper, side, words),
        random=random,
        hand=side,
        exact=true.side(random),
        tied_at_cut=_tied_at_cut(paper, side),
        ends=side.chosen >= len(model.vocabulary),
    )


def _candidates(paper: RoundSteps, side: Side, words: Sequence[str]) -> tuple[Candidate, ...]:
    trace, at = paper.pen.trace, paper.at
    probability = trace[at + "probability"].values
    share = trace.get(at + "share", trace[at + "probability"]).values
    cumulative = trace.get(at + "cumulative")
    found = []
    for rank, i in enumerate(side.order):
        drawn = rank < side.n_kept and cumulative is not None
        found.append(
            Candidate(
                word_id=i,
                word=words[i],
                probability=float(probability[i]),
                kept=rank < side.n_kept,
                share=float(share[i]) if drawn else None,
                cumulative=float(cumulative.values[i]) if drawn and cumulative is not None else None,
            )
        )
    return tuple(found)


def _tied_at_cut(paper: RoundSteps, side: Side) -> bool:
    if side.n_kept >= len(side.order):
        return False
    logit = paper.pen.trace[paper.at + "logit"].values
    return bool(logit[side.order[side.n_kept - 1]] == logit[side.order[side.n_kept]])


def drawn_end(model: Model, word: str, seed: int) -> EndToken:
    """An end token with a drawn vector (0.0 to 0.9, one place) that no word of the vocabulary has."""
    rng = np.random.default_rng([seed, model.sizes.d_model])
    while True:
        vector = rng.integers(0, 10, size=model.sizes.d_model) / 10.0
        if not (model.vocabulary_embedding == vector).all(axis=1).any():
            return EndToken(word, vector)
