"""One round of a generated text: from the logits to the candidates, and to the word that is chosen.

Quantities of round r, over the vocabulary and then the end token:
round{r}.logit|scaled_logit|exp|exp_sum|probability; with top-k and top-p round{r}.kept_sum|share, the
probabilities of the kept words brought to the sum 1 again; with random numbers round{r}.cumulative, the sum
of the shares down to each kept word, best first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from engine.forward.forward import Forward
from engine.model.model import Model
from engine.numbers.arrays import Array, CalculationError, Floats, exp, partial_sums
from engine.pens.pens import Pen
from engine.trace import THREE, WORD, N, Operation, Printed

Method = Literal["greedy", "temperature", "top_k", "top_p"]
_ALSO: Final = Printed.ALSO  # for all who go on with the draw
_EXP: Final = THREE.over(WORD, printed=_ALSO).by(Operation.EXP, "scaled_logit")
_FLOAT_NOISE: Final = 1e-9
_NOISE_PLACES: Final = 9


@dataclass(frozen=True)
class WordChoice:
    """How the next word is chosen.

    greedy: the most probable. temperature: by random number from all words. top_k: from the k best. top_p:
    from the fewest best words whose probabilities reach p together (Holtzman et al. 2020). The temperature
    holds for every method; seed (not negative) gives the row of random numbers, unless it is printed already.
    misses_best: the first of them hits another word than the best where it can: else chance would change
    nothing to see.
    """

    method: Method = "greedy"
    temperature: float = 1.0
    k: int = 3
    p: float = 0.8
    seed: int = 0
    printed: tuple[float, ...] | None = None
    misses_best: bool = True

    def __post_init__(self) -> None:
        if not (self.temperature > 0 and self.k >= 1 and 0 < self.p <= 1 and self.seed >= 0):
            raise ValueError(f"nothing can be chosen so: {self}")

    @property
    def at_random(self) -> bool:
        return self.method != "greedy"

    def kept(self, probabilities: Floats) -> int:
        """How many words stay in the choice, of probabilities sorted best first."""
        if self.method == "greedy":
            return 1
        if self.method == "top_k":
            return min(self.k, len(probabilities))
        if self.method == "top_p":
            reached = np.cumsum(probabilities) >= self.p - _FLOAT_NOISE
            return int(np.argmax(reached)) + 1 if reached.any() else len(probabilities)
        return len(probabilities)


@dataclass(frozen=True)
class Side:
    """One arithmetic's view of a round: word IDs best first, how many are kept, and which is chosen."""

    order: tuple[int, ...]
    n_kept: int
    chosen: int


@dataclass(frozen=True)
class Candidate:
    """One word of a round."""

    word_id: int
    word: str
    probability: float


class SamplingSteps(Forward):
    """From one round's logits to the shares of the kept words. prefix: what the names begin with."""

    def __init__(self, model: Model, pen: Pen, choice: WordChoice, prefix: str) -> None:
        super().__init__(model, pen)
        self.choice = choice
        self.prefix = prefix

    def note_logit(self, logit: Array) -> Array:
        return self.write(self.prefix + "logit", logit, N.over(WORD, printed=_ALSO))

    def chances(self, logit: Array) -> Array:
        prefix = self.prefix
        tempered = self.tempered(logit, self.choice.temperature)  # (V,)
        scaled = self.write(prefix + "scaled_logit", tempered, N.over(WORD, printed=_ALSO))
        e = self.write(prefix + "exp", exp(scaled), _EXP)  # (V,)
        total = self.write(prefix + "exp_sum", e.sum(-1), THREE.over(printed=_ALSO))  # ()
        return self.write(
            prefix + "probability", e / total[..., None], THREE.over(WORD, printed=_ALSO)
        )  # (V,)

    def shares_of_kept(self, probability: Array, order: Sequence[int], n_kept: int) -> None:
        """Shares of the kept words, and how far each reaches on the line from 0 to 1."""
        place = np.argsort(order)  # (V,), each word's place in the ranking
        kept = place < n_kept  # (V,)
        share = probability
        if self.choice.method != "temperature":
            rest = probability * kept  # (V,)
            kept_sum = self.write(self.prefix + "kept_sum", rest.sum(-1), THREE.over())  # ()
            share = self.write(
                self.prefix + "share", rest / kept_sum[..., None], THREE.over(WORD), kept
            )  # (V,)
        up_to = (place[:, None] <= place[None, :]).astype(np.float64)  # (V, V)
        cumulative = partial_sums(share, up_to, self.pen.read)  # (V,)
        self.write(self.prefix + "cumulative", cumulative, THREE.over(WORD), kept)


class RoundSteps(SamplingSteps):
    """A forward pass that ends with one round's choice instead of the sheet's temperatures."""

    def __init__(self, model: Model, pen: Pen, vectors: Floats, choice: WordChoice, number: int) -> None:
        super().__init__(model, pen, choice, f"round{number}.")
        self.vectors = vectors

    def similarity(self) -> None:
        """Station 2 has shown it."""

    def attention_cosines(self, attention: Array) -> None:
        """Station 2 has shown it."""

    def unmasked(self, x: Array) -> None:
        """Station 4a has shown it."""

    def next_word(self, x: Array, prefix: str = "") -> None:
        words = self.pen.read(self.vectors)  # (V, d_model)
        logit = self.last(x) @ words.swapaxes(-1, -2)  # (V,)
        probability = self.chances(self.note_logit(logit))
        if self.choice.at_random:
            self.shares_of_kept(probability, self.order(), self.n_kept())

    def order(self) -> list[int]:
        """Word IDs, the best first; float noise does not decide between words with the same vector."""
        logit = np.round(self.pen.trace[self.prefix + "logit"].values, _NOISE_PLACES)
        return sorted(range(len(logit)), key=lambda i: (-logit[i], i))

    def n_kept(self) -> int:
        return self.choice.kept(self.pen.trace[self.prefix + "probability"].values[self.order()])

    def side(self, random: float | None) -> Side:
        order, n_kept = self.order(), self.n_kept()
        chosen = order[0]
        if random is not None:
            reach = self.pen.trace[self.prefix + "cumulative"].values
            chosen = next((i for i in order[:n_kept] if reach[i] > random), order[n_kept - 1])
        return Side(tuple(order), n_kept, chosen)

    def random(self, number: int) -> float | None:
        """Two places, drawn again while it is 0, on a boundary of the shares or beyond the last one."""
        if not self.choice.at_random:
            return None
        if self.choice.printed is not None and number <= len(self.choice.printed):
            return self.choice.printed[number - 1]
        name = self.prefix + "cumulative"
        boundaries = np.rint(self.pen.trace[name].values * 1000)  # (V,)
        drawn = np.random.default_rng([self.choice.seed, number]).permutation(100) * 10
        fits = (drawn > 0) & (drawn < boundaries.max()) & ~np.isin(drawn, boundaries[boundaries > 0])
        if not fits.any():
            raise CalculationError("unplayable", name)
        telling = fits & (drawn > boundaries[self.order()[0]])
        best = telling if number == 1 and self.choice.misses_best and telling.any() else fits
        return float(drawn[np.argmax(best)] / 1000)

    def candidates(self, side: Side, words: Sequence[str]) -> tuple[Candidate, ...]:
        """All words of the round, best first."""
        probability = self.pen.trace[self.prefix + "probability"].values
        return tuple(Candidate(i, words[i], float(probability[i])) for i in side.order)

    def tied_at_cut(self, side: Side) -> bool:
        """Whether only their IDs decide between the last kept word and the first dropped one."""
        if side.n_kept == len(side.order):
            return False
        logit = self.pen.trace[self.prefix + "logit"].values
        return bool(logit[side.order[side.n_kept - 1]] == logit[side.order[side.n_kept]])
