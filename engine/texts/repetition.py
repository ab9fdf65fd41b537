"""The rounds of a generated text go in; where and why it repeats itself comes out, as data."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.texts.generation import Round


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
