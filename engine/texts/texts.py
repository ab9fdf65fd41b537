"""Texts generated in several ways go in; the numbers of all their rounds, which any pen can write, come out.

The rounds of a way have its name before theirs: greedy.round1.logit. The end token's vector (end.embedding)
and the random numbers of a way (top_k.random, one a round) are given like the words' vectors. What leads to
a round's logits is no quantity: a whole round is too long for a hand, so writing begins again there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from engine.forward.forward import Forward
from engine.numbers.arrays import Floats
from engine.numbers.decimals import Decimals
from engine.pens.pens import Pen
from engine.texts.choosing import SamplingSteps
from engine.texts.generation import EndToken, Generation, Round
from engine.trace import AS_GIVEN, DIM, ROUND, Kind, Printed, Quantity, Trace

END: Final = "end.embedding"
_END: Final = AS_GIVEN.over(DIM, printed=Printed.GIVEN)
_RANDOM: Final = AS_GIVEN.over(ROUND, printed=Printed.GIVEN)


@dataclass(frozen=True)
class Texts:
    """Generations by the name of their way; exact and hand: the quantities of all."""

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
                self._write_rounds(pen, name, generation)
        return pen.trace

    def _write_rounds(self, pen: Pen, name: str, generation: Generation) -> None:
        steps = SamplingSteps(generation.start, pen)
        steps.choice = generation.choice
        for round_ in generation.rounds:
            steps.at = f"{name}.round{round_.number}."
            logit = generation.hand[f"round{round_.number}.logit"].values  # (V,)
            probability = steps.chances(steps.note_logit(pen.read(logit)))
            if generation.choice.at_random:
                steps.shares_of_kept(probability, round_.hand.order, round_.hand.n_kept)


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
        trace.note(Quantity(name, kind.axes, places, values, printed=kind.printed, inside=kind.inside))


# --- The rounds of a generated text go in; where and why it repeats itself comes out, as data.


@dataclass(frozen=True)
class Repeat:
    """One round's word seen from the text before it.

    places: where the word stood before (counted from 0). own_rank: the place (from 1) that the last
    token's own word has among the candidates, by hand: adding what one had (the residuals) keeps its vector
    alive, so it tends to be high.
    """

    number: int
    word: str
    places: tuple[int, ...]
    own_rank: int
    own_probability: float


@dataclass(frozen=True)
class Repeats:
    """period: the text ends with the same run of that many words twice, the second one generated, or None."""

    rounds: tuple[Repeat, ...]
    period: int | None

    @property
    def repeated(self) -> int:
        """How many of the generated words stood in the text before."""
        return sum(bool(repeat.places) for repeat in self.rounds)


def repeats(rounds: Sequence[Round]) -> Repeats:
    """What comes again in a generated text; nothing for no rounds."""
    if not rounds:
        return Repeats((), None)
    text = (*rounds[-1].tokens, rounds[-1].chosen.word)
    return Repeats(tuple(_repeat(round_) for round_ in rounds), _period(text, len(rounds)))


def _repeat(round_: Round) -> Repeat:
    tokens, word = round_.tokens, round_.chosen.word
    places = tuple(i for i, token in enumerate(tokens) if token == word)
    rank, own = next((i, c) for i, c in enumerate(round_.candidates, 1) if c.word == tokens[-1])
    return Repeat(round_.number, word, places, rank, own.probability)


def _period(text: Sequence[str], generated: int) -> int | None:
    for length in range(1, min(generated, len(text) // 2) + 1):
        if text[-length:] == text[-2 * length : -length]:
            return length
    return None
