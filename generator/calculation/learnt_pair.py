"""Options and a trained model go in; the numbers of an encoder–decoder that translates come out."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from engine.model.model import EncoderDecoderModel, Model
from engine.numbers.arrays import Floats
from engine.training.training import REACHES
from engine.training.two_sentences import Pair, TwoSentences, pair_budget, train_pair
from generator.calculation.learnt import NoModelError, Tell, kept_or_found, too_large
from generator.options.numbers_file import GivenNumbers, rules_of, sizes_of
from generator.options.options import Options
from generator.words.target_vectors import (
    END,
    START,
    TranslatedPair,
    boundary_vector,
    pairs_like,
    target_vectors,
)
from generator.words.word_vectors import word_vectors

_ONE_PAIR: Final = (
    "Zu --zielsatz lässt sich kein zweites Satzpaar bilden, in dem ein Wort und seine Übersetzung getauscht "
    "sind: Von keinem Wort ist eine bekannt. Aus einem Paar allein lernt das Modell nicht, auf den Quellsatz "
    "zu achten; es geht mit einem Zielsatz aus häufigen englischen oder deutschen Wörtern."
)
_ENOUGH: Final = 8  # components
_FURTHER: Final = 2  # pairs beside the sentence's own


def learn_pair(options: Options, one: Model, given: GivenNumbers, tell: Tell) -> GivenNumbers:
    """What is given, with the trained numbers of station 10. NoModelError where no model is found.

    one: the trained model of the sentence; its words' vectors are what the encoder reads.
    """
    pairs = pairs_like(options.source_tokens, options.target_tokens, _FURTHER)
    if len(pairs) == 1:
        raise NoModelError(_ONE_PAIR)
    words = (*dict.fromkeys(word for pair in pairs for word in pair.target), END)
    classes = _classes(options, given, pairs, words)
    task = _task(options, one, given, pairs, words)

    if not pair_budget(task).starts:
        raise NoModelError(too_large(options, len(options.source_tokens) + len(options.target_tokens)))

    def find() -> dict[str, Any] | None:
        trained = train_pair(
            task,
            classes,
            lambda weights, vectors, output: _model(options, task, words, weights, vectors, output),
            options.startwert,
            lambda attempt: tell(attempt + 1, len(REACHES)),
        )
        return None if trained is None else {name: table.tolist() for name, table in trained.items()}

    name, none = _name(options, task, pairs, classes), _not_found(options, words)
    content = kept_or_found(name, {"vectors", "output"}, find, none)
    tables = {name: np.array(table, dtype=np.float64) for name, table in content.items()}
    output, vectors = tables.pop("output"), tables.pop("vectors")
    return replace(
        given,
        target_vectors={
            word: tuple(row) for word, row in zip((START, *words), vectors.tolist(), strict=True)
        },
        encoder_decoder_weights=tables,
        target_output=output,
    )


def _classes(
    options: Options, given: GivenNumbers, pairs: Sequence[TranslatedPair], words: Sequence[str]
) -> Floats:
    """Where the vectors of start token, words and end token begin, (V + 1, d_model)."""
    d, seed, own = options.dimension, options.startwert, given.target_vectors
    spoken = [word for pair in pairs for word in pair.target]
    by_word = {each.token: each.values for each in target_vectors(spoken, d, seed, own)}
    start, end = (boundary_vector(token, d, seed, own).values for token in (START, END))
    return np.array([start, *(by_word[word] for word in words[:-1]), end])


def _task(
    options: Options, one: Model, given: GivenNumbers, pairs: Sequence[TranslatedPair], words: Sequence[str]
) -> TwoSentences:
    spoken = [word for pair in pairs for word in pair.source]
    found = word_vectors(spoken, options.dimension, options.startwert, given.word_vectors)
    vectors = {each.token: each.values for each in found}
    vectors |= dict(zip(one.vocabulary, map(tuple, one.input_embedding.tolist()), strict=True))
    made = [
        Pair(
            np.array([vectors[word] for word in pair.source]),
            tuple(words.index(word) for word in pair.target),
            pair.translates,
        )
        for pair in pairs
    ]
    return TwoSentences(sizes_of(options), rules_of(options), made, len(words))


def _model(
    options: Options,
    task: TwoSentences,
    words: tuple[str, ...],
    weights: Mapping[str, Floats],
    vectors: Floats,
    output: Floats,
) -> EncoderDecoderModel:
    own = [vectors[0], *(vectors[1 + words.index(word)] for word in options.target_tokens)]
    return EncoderDecoderModel(
        sizes=task.sizes,
        source_tokens=options.source_tokens,
        source_embedding=np.array(task.pairs[0].source),
        tokens=(START, *options.target_tokens),
        embedding=np.array(own),  # (n_target, d_model)
        vocabulary=words,
        vocabulary_embedding=output,
        weights=weights,
        rules=task.rules,
        entering=vectors[1:],
    )


def _name(options: Options, task: TwoSentences, pairs: Sequence[TranslatedPair], classes: Floats) -> str:
    """The name under which a trained pair is kept: everything that it depends on."""
    return json.dumps(
        [
            [(pair.source, pair.target, sorted(pair.translates.items())) for pair in pairs],
            [pair.source.tolist() for pair in task.pairs],
            classes.tolist(),
            repr(task.sizes),
            repr(rules_of(options)),
            options.startwert,
        ]
    )


def _not_found(options: Options, words: Sequence[str]) -> str:
    helps = "ein kürzerer Zielsatz oder ein anderer --startwert"
    if options.dimension < _ENOUGH:
        helps = f"mehr Komponenten (--dimension {6 if options.dimension < 6 else _ENOUGH}), {helps}"
    return (
        f"Zu --zielsatz ist mit --dimension {options.dimension} und {len(words)} Wörtern in der Zeit, die "
        "ein Training hat, kein Modell gefunden, das ihn auf dem Papier richtig schreibt und dazu jeden Head "
        f"braucht, der auf den Quellsatz achtet; es helfen {helps}."
    )
