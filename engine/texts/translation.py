"""A translation grows word by word, like a text of one sentence.

The encoder runs once, and the keys and values of the cross-attention are worked out once: they depend on the
source alone. The decoder runs again in every round; with the causal mask the rows of its earlier tokens come
out as before, so only the last row is new. The paper decides which word is appended (the most probable one);
the exact arithmetic runs on the same tokens.
"""

import re
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from engine.forward.encoder_decoder import EncoderDecoder
from engine.forward.forward import Forward
from engine.model.model import EncoderDecoderModel
from engine.numbers.arrays import Array, CalculationError
from engine.pens.pens import ExactPen, Pen, SchoolPen, Visible
from engine.texts.generation import Stop
from engine.trace import TARGET_TOKEN, WORD, Kind, N, Printed, Trace, place_of

MOST_TOKENS: Final = 24  # that a sheet has room for
_NOISE_PLACES: Final = 12  # float noise does not decide between words with the same vector


class TranslationSteps(EncoderDecoder):
    """One pen for all rounds: round{r}.decoder.… for what a round writes, plain names for what is kept."""

    def __init__(self, model: EncoderDecoderModel, pen: Pen) -> None:
        super().__init__(model, pen)
        self.prefix = ""
        self.kept: dict[str, tuple[Array, Array]] = {}
        with np.errstate(all="ignore"):
            self.source = self.encode()  # (n_source, d_model)

    def round(self, number: int, model: EncoderDecoderModel) -> list[int]:
        """Write one round; the word IDs, best first (of equal logits the smaller ID)."""
        self.model, self.prefix = model, f"round{number}."
        with np.errstate(all="ignore"):
            logit = self.logits("decoder.", self.decode(self.source))  # (V,)
            self.probabilities("decoder.", logit, 1.0)
        written = np.round(self.pen.trace[self.prefix + "decoder.logit"].values, _NOISE_PLACES)
        return sorted(range(len(written)), key=lambda i: (-written[i], i))

    def keys_and_values(self, prefix: str, weights: str, source: Array) -> tuple[Array, Array]:
        if place_of(prefix).layer != "cross":
            return super().keys_and_values(prefix, weights, source)
        if prefix not in self.kept:
            now, self.prefix = self.prefix, ""
            self.kept[prefix] = super().keys_and_values(prefix, weights, source)
            self.prefix = now
        return self.kept[prefix]

    def write(self, name: str, value: Array, kind: Kind, visible: Visible = None) -> Array:
        return super().write(self.prefix + name, value, kind, visible)


@dataclass(frozen=True)
class TranslationRound:
    """One prediction: the model with the target so far, the word IDs best first by hand."""

    number: int
    model: EncoderDecoderModel
    order: tuple[int, ...]

    @property
    def chosen(self) -> int:
        return self.order[0]

    @property
    def word(self) -> str:
        return self.model.vocabulary[self.chosen]

    @property
    def ends(self) -> bool:
        return self.chosen == len(self.model.vocabulary) - 1


@dataclass(frozen=True)
class Translation:
    """All rounds, the two traces with the encoder's and every round's quantities, and why it stopped."""

    start: EncoderDecoderModel
    rounds: tuple[TranslationRound, ...]
    exact: Trace
    hand: Trace
    stop: Stop

    @property
    def text(self) -> tuple[str, ...]:
        """The target tokens at the start and all words appended, the end token too."""
        return (*self.start.tokens, *(round_.word for round_ in self.rounds))

    def kept_rows(self, name: str) -> int:
        """How many rows of a round's table stand as in the round before and need not be worked out again.

        0 for the first round, for what has no row for each target token, and for a decoder without mask.
        """
        match = re.match(r"round(\d+)\.", name)
        if match is None or not self.start.rules.causal_mask or TARGET_TOKEN not in self.hand[name].axes[:1]:
            return 0
        number = int(match[1])
        return self.rounds[number - 2].model.n_tokens if number > 1 else 0


def translate(model: EncoderDecoderModel, length: int, most_tokens: int = MOST_TOKENS) -> Translation:
    """Append up to `length` words to the model's target tokens (the start token alone to begin with).

    It stops at the end token, at the length, at most_tokens target tokens, or at a round that cannot be
    computed. Raises CalculationError where the encoder cannot be computed.
    """
    start = model
    paper, true = TranslationSteps(model, SchoolPen(model.rules.places)), TranslationSteps(model, ExactPen())
    rounds: list[TranslationRound] = []
    stop: Stop = "length"
    for number in range(1, length + 1):
        if model.n_tokens >= most_tokens:
            stop = "tokens"
            break
        try:
            order, _ = paper.round(number, model), true.round(number, model)
        except CalculationError:
            stop = "error"
            break
        rounds.append(TranslationRound(number, model, tuple(order)))
        if rounds[-1].ends:
            stop = "end_token"
            break
        model = extended(model, rounds[-1].word)
    # a round that could not be finished is left out; the first one works out what is kept too
    unfinished = (f"round{len(rounds) + 1}.", *(() if rounds else ("decoder.",)))
    exact, hand = Trace(), Trace()
    for steps, finished in ((true, exact), (paper, hand)):
        for name, quantity in steps.pen.trace.items():
            if not name.startswith(unfinished):
                finished.note(quantity)
    return Translation(start, tuple(rounds), exact, hand, stop)


def extended(model: EncoderDecoderModel, word: str) -> EncoderDecoderModel:
    """The model with one more target token, a word of its vocabulary."""
    embedding = np.vstack([model.embedding, model.vector_of(word)])  # (n_target + 1, d_model)
    return replace(model, tokens=(*model.tokens, word), embedding=embedding)


_CHOICES: Final = re.compile(r"round\d+\.decoder\.(?:logit|temperature1\.\w+)")


class PrintedSteps(Forward):
    """The sheet prints every round for all who choose from it."""

    def write(self, name: str, value: Array, kind: Kind, visible: Visible = None) -> Array:
        return super().write(name, value, replace(kind, printed=Printed.ALSO), visible)


@dataclass(frozen=True)
class TargetRounds:
    """The rounds of a translation; exact and hand: the quantities of their choices.

    A round is too long for a hand; its logits are where writing begins: round1.decoder.logit.
    """

    translation: Translation
    exact: Trace
    hand: Trace

    @property
    def places(self) -> int:
        return self.translation.start.rules.places

    def write(self, pen: Pen, variant: type[Forward] = Forward) -> Trace:
        """Each round's probabilities, from the logits of the hand arithmetic."""
        with np.errstate(all="ignore"):
            for round_ in self.translation.rounds:
                prefix = f"round{round_.number}.decoder."
                steps = PrintedSteps(round_.model, pen)
                values = self.translation.hand[prefix + "logit"].values  # (V,)
                logit = steps.write(prefix + "logit", pen.read(values), N.over(WORD))  # (V,)
                steps.probabilities(prefix, logit, 1.0)
        return pen.trace


def target_rounds(translation: Translation) -> TargetRounds:
    return TargetRounds(translation, _choices(translation.exact), _choices(translation.hand))


def _choices(trace: Trace) -> Trace:
    chosen = Trace()
    for name, quantity in trace.items():
        if _CHOICES.fullmatch(name):
            chosen.note(replace(quantity, kind=replace(quantity.kind, printed=Printed.ALSO)))
    return chosen
