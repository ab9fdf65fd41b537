"""A text grows word by word: predict the next word, append it, run the whole model again.

The paper decides: the hand arithmetic chooses the word, the exact one runs on the same tokens. The
quantities of a round are those of engine/texts/choosing.py; in the texts of several ways, the way's name
comes before them: greedy.round1.logit.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from engine.forward.forward import Forward
from engine.model.model import Model
from engine.numbers.arrays import Array, CalculationError, Floats
from engine.numbers.decimals import Decimals
from engine.pens.pens import ExactPen, Pen, SchoolPen
from engine.texts.choosing import Candidate, RoundSteps, SamplingSteps, Side, WordChoice
from engine.trace import AS_GIVEN, DIM, ROUND, Kind, Printed, Quantity, Trace


@dataclass(frozen=True)
class EndToken:
    """The word of the vocabulary that ends the text, with a vector of its own, (d_model,)."""

    word: str
    vector: Floats


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
    tied_at_cut: bool
    ends: bool

    @property
    def chosen(self) -> Candidate:
        return next(c for c in self.candidates if c.word_id == self.hand.chosen)


# Why a text ends: the end token, the length asked for, in a translation its most tokens, or a step without
# a value.
Stop = Literal["end_token", "length", "tokens", "error"]


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


States = dict[tuple[tuple[str, ...], bool], Array]  # what the last block gives, by text, by hand or exactly


def generate(
    model: Model,
    choice: WordChoice,
    length: int,
    end: EndToken | None = None,
    ends: Collection[str] = (),
    states: States | None = None,
) -> Generation:
    """Append up to `length` words to the model's sentence.

    ends: words of the vocabulary that end a text, as the end token does. states: what texts of the same
    model have in common, kept from one to the next. A round that cannot be computed ends the text. Raises
    CalculationError ("shape") for an end token whose vector has another length, ValueError if its word is in
    the vocabulary.
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
    stop: Stop = "length"
    now, known = model, {} if states is None else states
    for number in range(1, length + 1):
        try:
            round_ = _round(number, now, choice, words, vectors, exact, hand, known)
        except CalculationError:
            stop = "error"
            break
        rounds.append(round_)
        if round_.ends or round_.chosen.word in ends:
            stop = "end_token"
            break
        word_id = round_.hand.chosen
        embedding = np.vstack([now.embedding, now.input_embedding[word_id]])  # (n + 1, d_model)
        now = replace(now, tokens=(*now.tokens, now.vocabulary[word_id]), embedding=embedding)
    return Generation(model, words, choice, tuple(rounds), exact, hand, stop)


def _round(
    number: int,
    model: Model,
    choice: WordChoice,
    words: Sequence[str],
    vectors: Floats,
    exact: Trace,
    hand: Trace,
    known: States,
) -> Round:
    paper = RoundSteps(model, SchoolPen(model.rules.places), vectors, choice, number)
    true = RoundSteps(model, ExactPen(), vectors, choice, number)
    with np.errstate(all="ignore"):  # as a whole run
        for steps in (paper, true):
            text = model.tokens, steps is paper
            if text not in known:
                known[text] = steps.states(entry=False)
            steps.next_word(known[text])
    random = paper.random(number)
    side = paper.side(random)
    for steps, trace in ((paper, hand), (true, exact)):
        for name, quantity in steps.pen.trace.items():
            if name.startswith(steps.prefix):
                trace.note(quantity)
    candidates, ends = paper.candidates(side, words), side.chosen >= len(model.vocabulary)
    return Round(number, model, candidates, random, side, paper.tied_at_cut(side), ends)


def drawn_end(model: Model, word: str, seed: int) -> EndToken:
    """An end token with a drawn vector (0.0 to 0.9, one place) that no word of the vocabulary has."""
    rng = np.random.default_rng([seed, model.sizes.d_model])
    while True:
        vector = rng.integers(0, 10, size=model.sizes.d_model) / 10.0
        if not (model.vocabulary_embedding == vector).all(axis=1).any():
            return EndToken(word, vector)


END: Final = "end.embedding"
_END: Final = AS_GIVEN.over(DIM, printed=Printed.GIVEN)
_RANDOM: Final = AS_GIVEN.over(ROUND, printed=Printed.GIVEN)


@dataclass(frozen=True)
class Texts:
    """Generations by the name of their way; exact and hand: the quantities of all.

    The end token's vector (end.embedding) and the random numbers of a way (top_k.random, one a round) are
    given like the words' vectors. What leads to a round's logits is no quantity: a whole round is too long
    for a hand, so writing begins again there.
    """

    ways: Mapping[str, Generation]
    end: EndToken | None
    exact: Trace
    hand: Trace

    @property
    def places(self) -> int:
        return next(iter(self.ways.values())).start.rules.places

    def write(self, pen: Pen, variant: type[Forward] = Forward) -> Trace:
        """What is given, and all rounds from their logits on. The key decides which words are kept."""
        with np.errstate(all="ignore"):
            if self.end is not None:
                pen.write(END, pen.read(self.end.vector), _END)  # (d_model,)
            for name, generation in self.ways.items():
                if generation.random_row:
                    row = pen.read(np.array(generation.random_row))  # (rounds,)
                    pen.write(f"{name}.random", row, _RANDOM)
                for round_ in generation.rounds:
                    prefix = f"{name}.round{round_.number}."
                    steps = SamplingSteps(generation.start, pen, generation.choice, prefix)
                    logit = generation.hand[f"round{round_.number}.logit"].values  # (V,)
                    probability = steps.chances(steps.note_logit(pen.read(logit)))
                    if generation.choice.at_random:
                        steps.shares_of_kept(probability, round_.hand.order, round_.hand.n_kept)
        return pen.trace


def texts_of(ways: Mapping[str, Generation], end: EndToken | None = None) -> Texts:
    """The texts with all their numbers."""
    exact, hand = Trace(), Trace()
    if end is not None:
        _given(END, _END, end.vector, exact, hand)
    for name, generation in ways.items():
        if generation.random_row:
            _given(f"{name}.random", _RANDOM, np.array(generation.random_row), exact, hand)
        for trace, own in ((exact, generation.exact), (hand, generation.hand)):
            for quantity in own.values():
                trace.note(replace(quantity, name=f"{name}.{quantity.name}"))
    return Texts(ways, end, exact, hand)


def _given(name: str, kind: Kind, values: Floats, exact: Trace, hand: Trace) -> None:
    for trace, places in ((exact, None), (hand, Decimals.from_floats(values).places)):
        trace.note(Quantity(name, kind, places, values))


@dataclass(frozen=True)
class Repeat:
    """own_rank: the place (from 1) that the last token's own word has among a round's candidates, by hand.

    Adding what one had (the residuals) keeps its vector alive, so it tends to be high.
    """

    own_rank: int
    own_probability: float


@dataclass(frozen=True)
class Repeats:
    """period: the text ends with the same run of that many words twice, the second one generated, or None."""

    rounds: tuple[Repeat, ...]
    period: int | None


def repeats(rounds: Sequence[Round]) -> Repeats:
    """What comes again in a generated text; nothing for no rounds."""
    if not rounds:
        return Repeats((), None)
    found = []
    for round_ in rounds:
        last = round_.model.tokens[-1]
        rank, own = next((i, c) for i, c in enumerate(round_.candidates, 1) if c.word == last)
        found.append(Repeat(rank, own.probability))
    text = (*rounds[-1].model.tokens, rounds[-1].chosen.word)
    lengths = range(1, min(len(rounds), len(text) // 2) + 1)
    period = next((n for n in lengths if text[-n:] == text[-2 * n : -n]), None)
    return Repeats(tuple(found), period)
