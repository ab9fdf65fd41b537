"""What stands beside the sentence's own calculation: texts of station 9, two sentences of station 10.

And the German sentence for a step that cannot be computed: where it is, and what helps.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from engine.forward.calculation import Calculation, draw_playable
from engine.forward.encoder_decoder import EncoderDecoderCalculation, calculate_encoder_decoder
from engine.model.model import EncoderDecoderModel, Model, encoder_decoder_shapes
from engine.model.rules import vocabulary_of
from engine.model.weights import make_encoder_decoder_weights
from engine.numbers.arrays import CalculationError, Floats
from engine.texts.choosing import WordChoice
from engine.texts.generation import EndToken, Generation, States, Texts, drawn_end, generate, texts_of
from engine.texts.translation import TargetRounds, target_rounds, translate
from engine.trace import place_of
from engine.training.texts import Corpus
from generator.basics.cell_names import SheetWords, quantity_title
from generator.basics.errors import UserError, quoted
from generator.options.limits import is_paper_size
from generator.options.numbers_file import GivenNumbers, rules_of, sizes_of
from generator.options.options import Options
from generator.options.sentence import SENTENCE_ENDS
from generator.words.target_vectors import BOUNDARIES, END, START, boundary_vector, target_vectors
from generator.words.word_vectors import WordVector

_AXIS_WORDS = {"token": "Token", "word": "Wort", "dim": "Komponente", "head_dim": "Komponente"}
_AXIS_WORDS |= {"source_token": "Token", "target_token": "Zieltoken"}


def in_german(error: CalculationError, options: Options) -> UserError:
    """One sentence that names the cell and proposes more places or other numbers."""
    where = f"{_title(error, options)}{_cell(error, options)}"
    if error.kind == "zero_divisor":
        helps = "anderen Zahlen (--startwert, --embeddings) oder Temperaturen"
        if options.nachkommastellen < 6:
            helps = f"--nachkommastellen {options.nachkommastellen + 1} oder mit {helps}"
        return UserError(f"{where} lässt sich nicht rechnen: Der Teiler rundet auf 0; es geht mit {helps}.")
    if error.kind == "not_finite" and place_of(error.name).of_norm:
        return UserError(
            f"{where} lässt sich nicht rechnen: Alle Komponenten davor sind gleich, also ist der Teiler 0; "
            "es geht mit anderen Zahlen (--embeddings, --gewichte, --startwert)."
        )
    if error.kind == "not_finite":
        return UserError(
            f"{where} wird zu groß oder ist nicht bestimmt; es geht mit kleineren Zahlen "
            "(--gewichte, --embeddings) oder höheren Temperaturen."
        )
    if error.kind == "unplayable":
        return UserError(
            f"{where} wird für e^x von Hand zu groß, auch nach vielen Ziehungen; es geht mit einem anderen "
            "Stil (--gewichte auswahl) oder mehr Heads."
        )
    return UserError(f"{where} passt nicht zu den Größen des Modells.")


def _title(error: CalculationError, options: Options) -> str:
    """What a teacher calls the quantity: „Head 1, Score durch √d_k“."""
    sizes = sizes_of(options)
    words = SheetWords(sizes, options.tokens, (), options.source_tokens, options.target_tokens)
    return quantity_title(error.name, words, options.dezimalzeichen)


def _cell(error: CalculationError, options: Options) -> str:
    if not error.index:
        return ""
    parts = []
    for axis, place in zip(error.axes, error.index, strict=False):
        word = f" {quoted(options.tokens[place])}" if axis == "token" and place < len(options.tokens) else ""
        parts.append(f"{_AXIS_WORDS.get(axis, 'Stelle')} {place + 1}{word}")
    return f" ({', '.join(parts)})"


# --- The texts of station 9, each written on from the sentence in another way; called by build.py.


STATION: Final = "9"
_WARMER: Final = (1.5, 1.4, 1.6, 1.3, 1.7, 1.2, 1.8)  # times the main one
_FEWEST_FIRST: Final = ("top_p", "top_k", "sampled")  # ways that draw, by how many texts they can write
_APART, _ROWS, _MISSING = 3, 36, 24  # between seeds of rows; so many are looked at; miss the best word
_FURTHER_ROUNDS: Final = 6  # that the computer goes on greedily, to see what repeats


def build_texts(
    options: Options, calculation: Calculation, given: GivenNumbers, corpus: Corpus | None
) -> Texts | None:
    """Four texts from the sentence; None where the station is not wanted, or nobody could print it.

    corpus: what a trained model has read; random numbers are then chosen with which the ways write different
    sentences, as far as such are found.
    """
    if (options.stationen and STATION not in options.stationen) or not is_paper_size(options):
        return None
    model, seed = calculation.model, options.startwert
    word, vector = options.endezeichen, given.end
    end = None if word is None else drawn_end(model, word, seed) if vector is None else EndToken(word, vector)
    ways = choices(options.temperatur, options.topk, options.topp, seed)
    ways = {name: replace(choice, printed=given.random.get(name)) for name, choice in ways.items()}
    known = None if given.random or end is not None else corpus
    return texts(model, ways, options.laenge, end, SENTENCE_ENDS if options.learns else (), known)


def choices(temperatures: Sequence[float], k: int, p: float, seed: int) -> dict[str, WordChoice]:
    """The four ways to choose. Every way that draws has random numbers of its own.

    They draw at a temperature that station 8 does not ask for: its results would stand in their tables.
    """
    main = main_temperature(temperatures)
    warmer = (round(main * factor, 2) for factor in _WARMER)
    warm = next((t for t in warmer if t not in temperatures), main)
    return {
        "greedy": WordChoice("greedy", main),
        "sampled": WordChoice("temperature", warm, seed=seed),
        "top_k": WordChoice("top_k", warm, k=k, seed=seed + 1),
        "top_p": WordChoice("top_p", warm, p=p, seed=seed + 2),
    }


def main_temperature(temperatures: Sequence[float]) -> float:
    """The temperature worked out first: 1 where it is asked for."""
    return 1.0 if 1.0 in temperatures else temperatures[0]


def texts(
    model: Model,
    ways: Mapping[str, WordChoice],
    length: int,
    end: EndToken | None,
    ends: Collection[str],
    corpus: Corpus | None,
) -> Texts:
    """ends: words that end a text, because a trained model has read nothing behind them.

    corpus: what it has read; of each way's rows of random numbers the first is taken that writes a sentence
    which no other way draws, else one that writes another text at least.
    """
    made: dict[str, Generation] = {}
    states: States = {}
    for name in ("greedy", *_FEWEST_FIRST):
        choice, rounds = ways[name], length + (_FURTHER_ROUNDS if name == "greedy" else 0)
        others = {made[other].text for other in _FEWEST_FIRST if other in made}
        looked_at = _ROWS if corpus is not None and choice.at_random else 1
        best = (-1, -1)
        for row in range(looked_at):
            missing = row < _MISSING or name == "sampled"  # whose whole text stands beside the best one
            drawn = replace(choice, seed=choice.seed + _APART * row, misses_best=missing)
            text = generate(model, drawn, rounds, end, ends, states)
            fits = (text.text not in others, corpus is not None and corpus.sounds_read(text.text))
            if fits > best:
                made[name], best = text, fits
            if all(fits):
                break
    return texts_of({name: made[name] for name in ways}, end)


# --- The encoder–decoder of the sentence and its target sentence, where there is one; called by build.py.


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
    drawn: list[tuple[EncoderDecoderModel, tuple[WordVector, ...]]] = []

    def model(attempt: int) -> EncoderDecoderModel:
        vectors = _vectors(options, given, words, attempt)
        drawn.append((_model(options, given, source, words, vectors, attempt), vectors))
        return drawn[-1][0]

    weights = encoder_decoder_shapes(sizes_of(options)).keys()
    all_weights = given.encoder_decoder_weights.keys() >= weights
    try:
        if all_weights and given.target_vectors.keys() >= {START, *words}:
            calculation = calculate_encoder_decoder(model(0))
        else:
            calculation = draw_playable(model, calculate_encoder_decoder)
    except CalculationError as error:
        raise in_german(error, options) from error
    vectors = next(vectors for model, vectors in drawn if model is calculation.model)
    both = calculation.model
    start = replace(both, tokens=both.tokens[:1], embedding=both.embedding[:1])
    return Two(calculation, vectors, target_rounds(translate(start, rounds_of(options))))


def rounds_of(options: Options) -> int:
    """How many words are written; a trained model is let come to its end."""
    return max(options.laenge, len(options.target_tokens) + 1) if options.learns else options.laenge


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
