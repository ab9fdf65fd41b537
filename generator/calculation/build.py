"""The calculation of a sentence by its options, for sheets, for rechnung.json and for reading it back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, TypeVar

import numpy as np

from engine.backward.gradient_step import Learning
from engine.forward.calculation import AllPasses, SentencePass, all_passes, calculate, draw_playable
from engine.forward.encoder_decoder import EncoderDecoderCalculation
from engine.judging.acceptance import accepted
from engine.judging.friendliness import friendliest
from engine.judging.ranges import Ranges
from engine.judging.teaching import ONLY_TOLD, Effort, effort, teaching_faults
from engine.model.model import EncoderDecoderModel, Model, weight_shapes
from engine.model.weights import make_weights
from engine.numbers.arrays import CalculationError, Floats
from engine.texts.generation import Texts
from engine.texts.translation import TargetRounds
from engine.trace import Cells, Trace
from generator.basics.cell_names import quantity_title
from generator.basics.errors import UserError
from generator.calculation.later_stations import Two, build_texts, build_two, in_german
from generator.calculation.learning import build_learning, build_learning_of_two, path_of, unused_of_two
from generator.calculation.learnt import Learnt, NoModelError, Tell, ensure_learnable, learn_texts
from generator.calculation.learnt_pair import learn_pair
from generator.options.declaration import LEARNT, SELECTION
from generator.options.limits import is_paper_size
from generator.options.numbers_file import GivenNumbers, read_given, rules_of, sizes_of
from generator.options.options import Options
from generator.words.word_vectors import WordVector, word_vectors

_DRAWS_BEFORE_CALMER: Final = 60
_DRAWS: Final = 12  # of which the friendliest is taken
_Written = TypeVar("_Written", SentencePass, Texts, EncoderDecoderCalculation, TargetRounds, Learning)


@dataclass(frozen=True)
class Built:
    """One sentence, computed.

    vectors: one per token, with word class and origin; empty where a file gives the whole embedding.
    two: the encoder–decoder of the sentence and its target sentence, where there is one. learning: loss,
    gradients and one step, where they are asked for; learning_of_two: the same of the encoder–decoder.
    texts: those that go on from the sentence, for station 9. learnt: how the model was trained, if this run
    knows it.
    """

    options: Options
    calculation: SentencePass
    vectors: tuple[WordVector, ...]
    given: GivenNumbers
    two: Two | None = None
    learning: Learning | None = None
    learning_of_two: Learning | None = None
    texts: Texts | None = None
    learnt: Learnt | None = None

    @property
    def two_model(self) -> EncoderDecoderModel | None:
        return self.two.calculation.model if self.two else None

    @cached_property
    def passes(self) -> AllPasses:
        """All passes whose numbers rechnung.json holds."""
        two = (self.two.calculation, self.two.rounds) if self.two else ()
        further = (self.texts, *two, self.learning, self.learning_of_two)
        unused = unused_of_two(self.learning_of_two) if self.learning_of_two else ()
        return all_passes(self.calculation, [each for each in further if each], unused)

    @cached_property
    def effort(self) -> Effort:
        """What each cell takes with a pocket calculator."""
        return effort(self.passes)

    def ranges(self, printed: Cells | None = None) -> Ranges:
        """What honest work can give in every quantity. UserError where a number is too large to have an end.

        printed: the cells that a sheet gives, if there is a sheet.
        """
        found = accepted(self.passes, printed)
        for name, each in found.items():
            if not (np.isfinite(each.low).all() and np.isfinite(each.high).all()):
                title = quantity_title(name, self.calculation.model)
                raise UserError(
                    f"{title} wird zu groß; es geht mit kleineren Zahlen (--gewichte, --embeddings) oder "
                    "höheren Temperaturen."
                )
        return found

    def with_hands(self, hands: Sequence[Trace]) -> Built:
        """The same with other hand traces, in the order of `passes`."""
        passes = [each for each, _ in self.passes.parts()]
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


def build(options: Options, given: GivenNumbers | None = None, tell: Tell = lambda number, of: None) -> Built:
    """Numbers as given, learnt, or drawn, and both arithmetics. UserError if that cannot be.

    given: read back from a calculation; None: those of the files that the options name. tell: called before
    every attempt to train, with its number and how many there may be. The options of what is built are
    settled: where the style is open and no model is found, it is `auswahl`, and they say why.
    """
    given = read_given(options) if given is None else given
    if options.gewichte is not None:
        return _built(options, given, tell)
    try:
        ensure_learnable(options)
        return _built(options.settled(LEARNT), given, tell)
    except NoModelError as error:
        return _built(options.settled(SELECTION, str(error)), given, tell)


def _built(options: Options, given: GivenNumbers, tell: Tell) -> Built:
    learnt = None
    try:
        if options.learns and given.known is None:
            learnt = learn_texts(options, given, tell)
            if options.ffn is None:
                options = replace(options, living=learnt.model.sizes.d_ff)
            calculation, vectors = calculate(learnt.model), _entered(learnt)
        else:
            calculation, vectors = _drawn(options, given)
    except CalculationError as error:
        raise in_german(error, options) from error
    if options.learns and options.target_tokens and given.target_output is None:
        given = learn_pair(options, calculation.model, given, tell)
    two = build_two(options, source_embedding(options, calculation.model), given)
    earlier = () if path_of(options) is None else _earlier(calculation.model, learnt, given)
    learning = build_learning(options, calculation, earlier)
    of_two = (
        build_learning_of_two(options, two.calculation, learning.lesson.rate) if two and learning else None
    )
    texts = build_texts(options, calculation, given, learnt.corpus if learnt else None)
    return Built(options, calculation, vectors, given, two, learning, of_two, texts, learnt)


def _earlier(model: Model, learnt: Learnt | None, given: GivenNumbers) -> tuple[Model, ...]:
    """States before the end of a training: those that knew the right word less, or the one of a file."""
    if learnt is not None:
        return learnt.knowing_less
    if given.earlier is None:
        return ()
    weights, vocabulary = given.earlier
    embedding = vocabulary.rows(model.tokens)
    return (replace(model, weights=weights, known=vocabulary, embedding=embedding),)


def source_embedding(options: Options, model: Model) -> Floats:
    """What the encoder reads, (n_source, d_model)."""
    return model.known.rows(options.source_tokens) if options.learns and model.known else model.embedding


def _entered(learnt: Learnt) -> tuple[WordVector, ...]:
    """The sentence's words with the vectors that they have after the training."""
    model = learnt.model
    return tuple(
        replace(learnt.vectors[word], values=tuple(model.input_embedding[word].tolist()))
        for word in model.token_ids
    )


def _drawn(options: Options, given: GivenNumbers) -> tuple[SentencePass, tuple[WordVector, ...]]:
    models: list[tuple[Model, Sequence[WordVector]]] = []

    def model(attempt: int) -> Model:
        vectors = _vectors(options, given, attempt)
        models.append((_model(options, given, vectors, attempt), vectors))
        return models[-1][0]

    calculation = _calculation(options, given, model)
    return calculation, next(tuple(vectors) for drawn, vectors in models if drawn is calculation.model)


def _calculation(options: Options, given: GivenNumbers, model: Callable[[int], Model]) -> SentencePass:
    all_weights = given.weights.keys() >= weight_shapes(sizes_of(options)).keys()
    if given.embedding is not None and (all_weights or options.weight_style == "auswahl"):
        return calculate(model(0))
    if not is_paper_size(options):
        return draw_playable(model, calculate)
    # The style auswahl has vectors with a meaning: its first draw stays unless something is wrong with it.
    if options.weight_style == "auswahl":
        return friendliest(model, _DRAWS, keep_first=True)
    tokens = [place - 1 for place in options.uebung]

    def faults(drawn: SentencePass) -> int:
        return sum(fault.kind not in ONLY_TOLD for fault in teaching_faults(drawn, tokens))

    return friendliest(model, _DRAWS, teaching=faults)


def _vectors(options: Options, given: GivenNumbers, attempt: int) -> tuple[WordVector, ...]:
    if given.embedding is not None:
        return ()
    vectors = word_vectors(
        options.tokens, options.dimension, options.startwert, given.word_vectors, attempt=attempt
    )
    return tuple(vectors)


def _model(options: Options, given: GivenNumbers, vectors: Sequence[WordVector], attempt: int) -> Model:
    sizes = sizes_of(options)
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
        rules=rules_of(options),
        known=given.known,
    )
