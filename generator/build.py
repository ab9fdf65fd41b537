"""Options go in; the calculation of their sentence, and where each word's vector comes from, come out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, TypeVar

import numpy as np

from engine.calculation import Calculation, calculate
from engine.drawing import draw_playable
from engine.encoder_decoder import EncoderDecoderCalculation
from engine.encoder_decoder_model import EncoderDecoderModel
from engine.errors import CalculationError
from engine.friendliness import friendliest
from engine.gradient_step import Learning
from engine.model import Model, Sizes
from engine.target_rounds import TargetRounds
from engine.texts import Texts
from engine.trace import Quantity, Trace
from engine.weights import make_weights
from engine.whole import Whole, whole
from generator.build_learning import build_learning, build_learning_of_two, unused_of_two
from generator.build_texts import build_texts
from generator.build_two import Two, build_two
from generator.calculation_errors import in_german
from generator.lexicon.word_vectors import WordVector, word_vectors
from generator.limits import is_paper_size
from generator.numbers_file import GivenNumbers, read_given
from generator.options import Options

_DRAWS_BEFORE_CALMER: Final = 60
_DRAWS: Final = 12  # of which the friendliest is taken
_Written = TypeVar("_Written", Calculation, Texts, EncoderDecoderCalculation, TargetRounds, Learning)


@dataclass(frozen=True)
class Built:
    """One sentence, computed.

    vectors: one per token, with word class and origin; empty where a file gives the whole embedding.
    two: the encoder–decoder of the sentence and its target sentence, where there is one. learning: loss,
    gradients and one step, where they are asked for; learning_of_two: the same of the encoder–decoder.
    texts: those that go on from the sentence, for station 9.
    """

    options: Options
    calculation: Calculation
    vectors: tuple[WordVector, ...]
    given: GivenNumbers
    two: Two | None = None
    learning: Learning | None = None
    learning_of_two: Learning | None = None
    texts: Texts | None = None

    @property
    def two_model(self) -> EncoderDecoderModel | None:
        return self.two.calculation.model if self.two else None

    @cached_property
    def whole(self) -> Whole:
        """All passes whose numbers rechnung.json holds."""
        two = (self.two.calculation, self.two.rounds) if self.two else ()
        passes = (self.texts, *two, self.learning, self.learning_of_two)
        unused = unused_of_two(self.learning_of_two) if self.learning_of_two else ()
        return whole(self.calculation, [each for each in passes if each], unused)

    def with_hands(self, hands: Sequence[Trace]) -> Built:
        """The same with other hand traces, in the order of the passes of `whole`."""
        passes = [each for each, _ in self.whole.parts()]
        new = {id(each): hand for each, hand in zip(passes, hands, strict=True)}

        def changed(each: _Written) -> _Written:
            return replace(each, hand=new[id(each)])

        two = self.two
        return replace(
            self,
            calculation=changed(self.calculation),
            texts=self.texts and changed(self.texts),
            two=two and replace(two, calculation=changed(two.calculation), rounds=changed(two.rounds)),
            learning=self.learning and changed(self.learning),
            learning_of_two=self.learning_of_two and changed(self.learning_of_two),
        )

    @property
    def hand_traces(self) -> tuple[Mapping[str, Quantity], ...]:
        """Everything that is written by hand, trace by trace."""
        return tuple(each.hand for each, _ in self.whole.parts())


def build(options: Options) -> Built:
    """Numbers as given, drawn where nothing is given, and both arithmetics. UserError if that cannot be."""
    given = read_given(options)
    chosen: dict[int, tuple[WordVector, ...]] = {}
    models: dict[int, Model] = {}

    def model(attempt: int) -> Model:
        chosen[attempt] = _vectors(options, given, attempt)
        models[attempt] = _model(options, given, chosen[attempt], attempt)
        return models[attempt]

    try:
        calculation = _calculation(options, given, model)
    except CalculationError as error:
        raise in_german(error, options) from error
    vectors = next(v for n, v in chosen.items() if models[n] is calculation.model)
    two = build_two(options, calculation.model.embedding, given)
    learning = build_learning(options, calculation)
    of_two = build_learning_of_two(options, two.calculation) if two else None
    texts = build_texts(options, calculation)
    return Built(options, calculation, vectors, given, two, learning, of_two, texts)


def _calculation(options: Options, given: GivenNumbers, model: Callable[[int], Model]) -> Calculation:
    drawn = given.embedding is None or options.weight_style != "auswahl"
    if not drawn:
        return calculate(model(0))
    if not is_paper_size(options):
        return draw_playable(model)
    # The style auswahl has vectors with a meaning: its first draw stays unless something is wrong with it.
    return friendliest(model, _DRAWS, keep_first=options.weight_style == "auswahl")


def _vectors(options: Options, given: GivenNumbers, attempt: int) -> tuple[WordVector, ...]:
    if given.embedding is not None:
        return ()
    vectors = word_vectors(
        options.tokens, options.dimension, options.startwert, given.word_vectors, attempt=attempt
    )
    return tuple(vectors)


def _model(options: Options, given: GivenNumbers, vectors: Sequence[WordVector], attempt: int) -> Model:
    sizes = Sizes(options.dimension, options.heads, options.ffn, options.bloecke)
    rng = np.random.default_rng([options.startwert, attempt])
    calm = attempt // _DRAWS_BEFORE_CALMER
    embedding = given.embedding
    if embedding is None:
        embedding = np.array([[float(x) for x in vector.values] for vector in vectors])  # (n, d_model)
    return Model(
        sizes=sizes,
        tokens=options.tokens,
        embedding=embedding,
        weights=make_weights(sizes, options.weight_style, rng, calm) | given.weights,
        causal_mask=options.maske,
        scaling=options.skalierung,
        positions=options.positionen,
        temperatures=options.temperatur,
        places=options.nachkommastellen,
    )
