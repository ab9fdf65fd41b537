"""The contents of rechnung.json and its sentence's calculation go in; what later stations add comes out.

The texts of station 9, the two sentences of station 10 and the lessons of station 11, each where the file has
its quantities.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from engine.backward_steps import Lesson, Path
from engine.calculation import Calculation
from engine.choosing import Choice
from engine.encoder_decoder import EncoderDecoderCalculation, calculate_encoder_decoder
from engine.encoder_decoder_model import EncoderDecoderModel, encoder_decoder_shapes
from engine.errors import CalculationError
from engine.generation import EndToken
from engine.gradient_step import Learning, learn
from engine.model import Model
from engine.passes import Pass
from engine.texts import END, Texts
from engine.whole import Whole, whole
from generator.build_learning import lesson_of_two, unused_of_two
from generator.build_texts import choices, texts
from generator.build_two import rounds_from_start
from generator.cell_names import SheetWords
from generator.document_values import amount, broken, mapping, table, whole_number
from generator.errors import quoted

_MOST_WORDS: Final = 1000
_MOST_ROUNDS: Final = 24
_PATHS: Final[Mapping[Any, Path]] = {"ausgabe": "ausgabe", "attention": "attention", "alles": "alles"}
_LARGEST_RATE: Final = 1000


def with_further(contents: Mapping[str, Any], calculation: Calculation) -> tuple[Whole, SheetWords]:
    """The whole calculation and all its words. UserError where a part of the file is broken."""
    options, quantities = mapping(contents["optionen"], "optionen"), contents["quantities"]
    further: list[Pass] = []
    unused: list[str] = []
    model, end = calculation.model, ""
    words = SheetWords(model.sizes, model.tokens, model.vocabulary)
    if any(name.startswith("greedy.round") for name in quantities):
        made = _texts(options, quantities, calculation)
        further.append(made)
        end = "" if made.end is None else made.end.word
    two: EncoderDecoderCalculation | None = None
    if "zieltokens" in contents:
        two = _two(contents, options, calculation)
        words = replace(words, target_tokens=two.model.tokens, target_vocabulary=two.model.vocabulary)
        further += [two, rounds_from_start(two.model, _length(options))]
    if "loss" in quantities:
        further.append(_learning(options, quantities, calculation))
    if two is not None and "decoder.loss" in quantities:
        path = _path(options)
        lesson = lesson_of_two(path, amount(options, "lernrate", _LARGEST_RATE), two)
        learning = _learnt(two.model, lesson)
        unused = unused_of_two(learning)
        further.append(learning)
    return whole(calculation, further, unused), replace(words, end=end)


def _texts(options: Mapping[str, Any], quantities: Mapping[str, Any], calculation: Calculation) -> Texts:
    model = calculation.model
    k, p = whole_number(options, "topk", 1, _MOST_WORDS), amount(options, "topp", 1)
    ways = {
        name: replace(choice, printed=_random(quantities, name, choice))
        for name, choice in choices(model.temperatures, k, p, 0).items()
    }
    word = options.get("endezeichen")
    if word is not None and (not isinstance(word, str) or word in model.vocabulary):
        raise broken("optionen.endezeichen", f"{quoted(word)}; möglich ist ein Wort, das nicht im Satz steht")
    end = None
    if word is not None:
        vector = _hand(quantities, END)
        end = EndToken(word, table(vector, (model.sizes.d_model,), END))
    return texts(model, ways, _length(options), end)


def _random(quantities: Mapping[str, Any], way: str, choice: Choice) -> tuple[float, ...] | None:
    """The printed random numbers of a way, one a round."""
    name = f"{way}.random"
    if not choice.at_random or name not in quantities:
        return None
    row = _hand(quantities, name)
    if not isinstance(row, list) or len(row) > _MOST_ROUNDS:
        raise broken(name, "keine Liste von Zufallszahlen")
    return tuple(float(number) for number in table(row, (len(row),), name))


def _two(
    contents: Mapping[str, Any], options: Mapping[str, Any], calculation: Calculation
) -> EncoderDecoderCalculation:
    one, d = calculation.model, calculation.model.sizes.d_model
    tokens, vocabulary = (_word_list(contents, key) for key in ("zieltokens", "zielvokabular"))
    weights = mapping(contents["weights"], "weights")
    name = "decoder.vocabulary_embedding"
    try:
        model = EncoderDecoderModel(
            sizes=one.sizes,
            source_tokens=one.tokens,
            source_embedding=one.embedding,
            tokens=tokens,
            embedding=table(
                _hand(contents["quantities"], "decoder.embedding"), (len(tokens), d), "decoder.embedding"
            ),
            vocabulary=vocabulary,
            vocabulary_embedding=table(weights.get(name), (len(vocabulary), d), f"weights.{name}"),
            weights={
                name: table(weights.get(name), shape, f"weights.{name}")
                for name, shape in encoder_decoder_shapes(one.sizes).items()
            },
            causal_mask=one.causal_mask,
            scaling=one.scaling,
            positions=one.positions,
            temperatures=one.temperatures,
            places=one.places,
        )
        return calculate_encoder_decoder(model)
    except CalculationError as error:
        raise broken(error.name, "lässt sich mit diesen Zahlen nicht rechnen") from error


def _learning(
    options: Mapping[str, Any], quantities: Mapping[str, Any], calculation: Calculation
) -> Learning:
    model, word = calculation.model, options.get("richtig")
    if not isinstance(word, str) or word not in model.vocabulary:
        raise broken("optionen.richtig", f"{quoted(word)} ist kein Wort des Satzes")
    rate, head = amount(options, "lernrate", _LARGEST_RATE), _head(quantities, model.sizes.n_heads)
    return _learnt(model, Lesson(model.vocabulary.index(word), rate, _path(options), head))


def _head(quantities: Mapping[str, Any], heads: int) -> int:
    """The head whose softmax the lesson works out; the first where it works out none."""
    found = (re.fullmatch(r"gradient\.block\d+\.head(\d{1,6})\.jacobian", name) for name in quantities)
    return next((int(match[1]) for match in found if match and 1 <= int(match[1]) <= heads), 1)


def _learnt(model: Model | EncoderDecoderModel, lesson: Lesson) -> Learning:
    try:
        return learn(model, lesson)
    except CalculationError as error:
        raise broken(error.name, "lässt sich mit diesen Zahlen nicht rechnen") from error


def _path(options: Mapping[str, Any]) -> Path:
    named = options.get("lernen")
    if not isinstance(named, str) or named not in _PATHS:
        raise broken("optionen.lernen", f"{quoted(named)}; möglich ist {', '.join(_PATHS)}")
    return _PATHS[named]


def _length(options: Mapping[str, Any]) -> int:
    return whole_number(options, "laenge", 1, _MOST_ROUNDS)


def _word_list(contents: Mapping[str, Any], key: str) -> tuple[str, ...]:
    words = contents.get(key)
    fits = isinstance(words, list) and 1 <= len(words) <= _MOST_WORDS
    if not fits or not all(isinstance(word, str) for word in words or ()):
        raise broken(key, "keine Liste von Wörtern")
    return tuple(words or ())


def _hand(quantities: Mapping[str, Any], name: str) -> Any:
    return mapping(quantities.get(name), f"quantities.{name}").get("hand")
