"""The encoder–decoder of the sentence and its target sentence, where there is one; called by build.py."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from engine.forward.calculation import EncoderDecoderCalculation, calculate_encoder_decoder
from engine.forward.playable import draw_playable_encoder_decoder
from engine.model.encoder_decoder_model import (
    EncoderDecoderModel,
    encoder_decoder_shapes,
    make_encoder_decoder_weights,
)
from engine.model.tokenizer import vocabulary_of
from engine.numbers.arrays import CalculationError, Floats
from engine.texts.translation import TargetRounds, target_rounds, translate
from generator.basics.errors import UserError
from generator.calculation.errors import in_german
from generator.options.numbers_file import GivenNumbers, rules_of, sizes_of
from generator.options.options import Options
from generator.words.target_vectors import BOUNDARIES, END, START, boundary_vector, target_vectors
from generator.words.word_vectors import WordVector

_DRAWS_BEFORE_CALMER: Final = 60
_STREAM: Final = 10  # the number of this module's own stream of random numbers
_MOST_WORDS: Final = 24  # of the target vocabulary that a sheet can print


@dataclass(frozen=True)
class Two:
    """The calculation, and the vector of every word of the target vocabulary with its origin, start first.

    rounds: the target sentence word by word from the start token alone.
    """

    calculation: EncoderDecoderCalculation
    vectors: tuple[WordVector, ...]
    rounds: TargetRounds


def build_two(options: Options, source: Floats, given: GivenNumbers) -> Two | None:
    """Both sentences, drawn until they can be played by hand; None where there is no target sentence.

    source: (n_source, d_model). UserError where the numbers cannot be computed.
    """
    if not options.target_tokens:
        return None
    words = target_vocabulary(options, given)
    if len(words) > _MOST_WORDS and given.target_vectors:  # the sentence alone is limited on paper only
        raise UserError(
            f"Das Zielvokabular hat mit den Wörtern aus zielvektoren {len(words)} Wörter; möglich sind "
            f"{_MOST_WORDS} mit dem Endetoken."
        )
    chosen: dict[int, tuple[WordVector, ...]] = {}
    models: dict[int, EncoderDecoderModel] = {}

    def model(attempt: int) -> EncoderDecoderModel:
        chosen[attempt] = _vectors(options, given, words, attempt)
        models[attempt] = _model(options, given, source, words, chosen[attempt], attempt)
        return models[attempt]

    try:
        calculation = _calculation(options, given, words, model)
    except CalculationError as error:
        raise in_german(error, options) from error
    vectors = next(v for n, v in chosen.items() if models[n] is calculation.model)
    return Two(calculation, vectors, rounds_from_start(calculation.model, rounds_of(options)))


def _calculation(
    options: Options,
    given: GivenNumbers,
    words: tuple[str, ...],
    model: Callable[[int], EncoderDecoderModel],
) -> EncoderDecoderCalculation:
    weights = encoder_decoder_shapes(sizes_of(options))
    all_weights = given.encoder_decoder_weights.keys() >= weights.keys()
    if all_weights and given.target_vectors.keys() >= {START, *words}:
        return calculate_encoder_decoder(model(0))
    return draw_playable_encoder_decoder(model)


def rounds_of(options: Options) -> int:
    """How many words are written; a trained model is let come to its end."""
    return max(options.laenge, len(options.target_tokens) + 1) if options.learns else options.laenge


def rounds_from_start(model: EncoderDecoderModel, length: int) -> TargetRounds:
    start = replace(model, tokens=model.tokens[:1], embedding=model.embedding[:1])
    return target_rounds(translate(start, length))


def target_vocabulary(options: Options, given: GivenNumbers) -> tuple[str, ...]:
    """The words of the target sentence, then those that only a file gives, the end token last."""
    own = vocabulary_of(options.target_tokens)
    others = [word for word in given.target_vectors if word not in own and word not in BOUNDARIES]
    return (*own, *others, END)


def _vectors(
    options: Options, given: GivenNumbers, words: tuple[str, ...], attempt: int
) -> tuple[WordVector, ...]:
    """The start token's vector, then those of the vocabulary."""
    d, seed, own = options.dimension, options.startwert, given.target_vectors
    listed = target_vectors([*options.target_tokens, *words[:-1]], d, seed, own, attempt)
    by_word = {vector.token: vector for vector in reversed(listed)}  # the first occurrence has the class
    start, end = (boundary_vector(token, d, seed, own) for token in BOUNDARIES)
    return (start, *(by_word[word] for word in words[:-1]), end)


def _model(
    options: Options,
    given: GivenNumbers,
    source: Floats,
    words: tuple[str, ...],
    vectors: tuple[WordVector, ...],
    attempt: int,
) -> EncoderDecoderModel:
    sizes = sizes_of(options)
    rng = np.random.default_rng([options.startwert, attempt, _STREAM])
    calm = attempt // _DRAWS_BEFORE_CALMER
    weights = make_encoder_decoder_weights(sizes, options.weight_style, rng, calm)
    if calm and options.weight_style == "auswahl":
        # What comes from the source may cancel a short vector out; with a component less it cannot.
        for block in range(1, sizes.n_blocks + 1):
            weights[f"decoder.block{block}.cross.head{sizes.n_heads}.W_V"][:, -1] = 0.0
    start, *vocabulary = (vector.values for vector in vectors)
    table = np.array(vocabulary, dtype=np.float64)  # (V, d_model)
    rows = [start, *(vocabulary[words.index(token)] for token in options.target_tokens)]
    return EncoderDecoderModel(
        sizes=sizes,
        source_tokens=options.source_tokens,
        source_embedding=source,
        tokens=(START, *options.target_tokens),
        embedding=np.array(rows, dtype=np.float64),  # (n_target, d_model)
        vocabulary=words,
        vocabulary_embedding=table if given.target_output is None else given.target_output,
        weights=weights | given.encoder_decoder_weights,
        rules=rules_of(options),
        entering=None if given.target_output is None else table,
    )
