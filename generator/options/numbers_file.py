"""What a model of these options is: sizes, rules, and the numbers that files give, kept as written."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from engine.model.model import Sizes, Vocabulary, encoder_decoder_shapes, weight_shapes
from engine.model.rules import Rules, token_ids, vocabulary_of
from generator.basics.errors import UserError, in_words, listed, quoted, shortened
from generator.basics.numbers import MINUS
from generator.basics.reading import is_there, read_json_or_toml
from generator.options.declaration import LEARNT, NUMBER_KEYS, WEIGHT_STYLES, is_number_key, nearest
from generator.options.options import NAMES, Options
from generator.options.sentence import one_spelling

Floats = NDArray[np.float64]
Vectors = dict[str, tuple[float, ...]]

_LARGEST_NUMBER = 10**6
_MOST_PLACES = 12
_MOST_DIGITS = 15  # so many digits a float gives back as they were written
_DEEPEST = 7
_OPENED = ("block", "encoder", "decoder")
# The parts of a rechnung.json that say nothing about given numbers; so one may serve as a numbers file.
_OF_A_CALCULATION = {"optionen", "tokens", "vocabulary", "token_ids", "quantities"}
_OF_A_CALCULATION |= {"quelltokens", "zieltokens", "zielvokabular"}
_TARGET_VECTORS = "decoder.vocabulary_embedding"


@dataclass(frozen=True)
class GivenNumbers:
    """What the files give; what they leave out comes from the style and from the words.

    embedding: (n, d_model) or None; word_vectors: word -> d_model numbers; weights: contract name -> array.
    target_vectors and encoder_decoder_weights: the same for the target sentence, where there is one.
    end, random: of a calculation read back, the end token's vector and each way's random numbers; known: the
    vocabulary of a trained model; target_output: what a trained encoder–decoder predicts words by; earlier:
    weights and vocabulary of the state from which its lesson takes a step.
    Every float's shortest text is the number as it stands in the file.
    """

    embedding: Floats | None
    word_vectors: Vectors
    weights: dict[str, Floats]
    target_vectors: Vectors = field(default_factory=dict)
    encoder_decoder_weights: dict[str, Floats] = field(default_factory=dict)
    end: Floats | None = None
    random: Vectors = field(default_factory=dict)
    known: Vocabulary | None = None
    target_output: Floats | None = None
    earlier: tuple[dict[str, Floats], Vocabulary] | None = None


def sizes_of(options: Options) -> Sizes:
    return Sizes(options.dimension, options.heads, options.width, options.bloecke)


def rules_of(options: Options) -> Rules:
    return Rules(
        causal_mask=options.maske,
        scaling=options.skalierung,
        positions=options.positionen,
        temperatures=options.temperatur,
        places=options.nachkommastellen,
    )


def read_given(options: Options) -> GivenNumbers:
    """All numbers that --vorlage, --gewichte and --embeddings give.

    Each file may hold any of them. Where two files give the same thing, the option named for it wins, then
    the other option, then the template; `embedding` wins over `wortvektoren`.
    UserError for files that cannot be read and numbers that do not fit the options.
    """
    files = [
        ("--vorlage", options.vorlage),
        ("--gewichte", options.gewichte),
        ("--embeddings", options.embeddings),
    ]
    sources = [_Source(flag, path, options) for flag, path in files if isinstance(path, Path)]
    whole = GivenNumbers(None, {}, {})
    for source in sorted(sources, key=lambda source: source.flag == "--gewichte"):
        whole.weights.update(source.given.weights)
        whole.encoder_decoder_weights.update(source.given.encoder_decoder_weights)
    for given in (source.given for source in sources):
        whole.word_vectors.update(given.word_vectors)
        whole.target_vectors.update(given.target_vectors)
        whole = whole if given.embedding is None else replace(whole, embedding=given.embedding)
    return whole


def unused_words(options: Options, given: GivenNumbers) -> str:
    """A sentence on word vectors whose words the sentence lacks; empty where all are used."""
    unused = [word for word in given.word_vectors if word not in options.tokens]
    if not unused:
        return ""
    alike = {token.casefold(): token for token in options.tokens}
    meant = [alike[word.casefold()] for word in unused if word.casefold() in alike]
    hint = f"; gemeint ist vielleicht {quoted(meant[0])}" if meant else ""
    words = listed([quoted(word) for word in unused])
    verb = "kommt" if len(unused) == 1 else "kommen"
    return f"wortvektoren: {words} {verb} im Satz nicht vor{hint}."


class _Source:
    """The numbers of one file, taken in one key after the other."""

    def __init__(self, flag: str, path: Path, options: Options) -> None:
        self.flag = flag
        self.options = options
        self.at = f"{flag} {quoted(path.name)}"
        sizes = sizes_of(options)
        self.shapes = weight_shapes(sizes)
        self.shapes_of_two = encoder_decoder_shapes(sizes)
        self.given = GivenNumbers(None, {}, {})
        content = _content(flag, path)
        words = content.get("zielvokabular")
        self.target_words = words if isinstance(words, list) else []
        for name, value in _flat(content):
            self.take(name, value)

    def take(self, name: str, value: Any) -> None:
        n, d = len(self.options.tokens), self.options.dimension
        if name in self.shapes:
            self.given.weights[name] = self._array(name, value, self.shapes[name])
        elif name in self.shapes_of_two:
            self.given.encoder_decoder_weights[name] = self._array(name, value, self.shapes_of_two[name])
        elif name == _TARGET_VECTORS and self.target_words:
            rows = self._array(name, value, (len(self.target_words), d), "eine je Wort von zielvokabular")
            words = (one_spelling(str(word)) for word in self.target_words)
            self.given.target_vectors.update(zip(words, map(tuple, rows.tolist()), strict=True))
        elif name == "embedding":
            self._take_embedding(name, self._array(name, value, (n, d), "eine je Token"))
        elif name == "vocabulary_embedding":
            vocabulary = vocabulary_of(self.options.tokens)
            vectors = self._array(name, value, (len(vocabulary), d), "eine je verschiedenem Wort")
            self._take_embedding(name, vectors[token_ids(self.options.tokens, vocabulary)])
        elif name == "wortvektoren":
            self.given.word_vectors.update(self._vectors(name, value))
        elif name == "zielvektoren":
            self.given.target_vectors.update(self._vectors(name, value))
        elif name == "weights":
            self._refuse("weights ist keine Tabelle; nötig sind darin die Namen der Matrizen.")
        elif not self._is_described(name, value):
            known = [*self.shapes, *self.shapes_of_two, *NUMBER_KEYS]
            self._refuse(f"Den Namen {quoted(name)} gibt es hier nicht; {nearest(name, known)}")

    def _vectors(self, name: str, value: Any) -> Vectors:
        """Vectors by word."""
        if not isinstance(value, Mapping):
            self._refuse(f"{name} ist keine Tabelle; nötig ist zu jedem Wort ein Vektor.")
        shape = (self.options.dimension,)
        vectors: Vectors = {}
        for typed, vector in value.items():
            word = one_spelling(typed)
            if word in vectors:
                self._refuse(f"{name} nennt {quoted(word)} zweimal; nötig ist ein Vektor je Wort.")
            vectors[word] = tuple(self._array(f"{name}.{shortened(word)}", vector, shape).tolist())
        return vectors

    def _is_described(self, name: str, value: Any) -> bool:
        """Whether the key only tells something about the numbers."""
        if self.flag == "--vorlage" and name in NAMES:
            return True
        return name in _OF_A_CALCULATION or (isinstance(value, str) and not is_number_key(name))

    def _take_embedding(self, name: str, rows: Floats) -> None:
        first: dict[str, int] = {}
        for place, token in enumerate(self.options.tokens):
            if not np.array_equal(rows[place], rows[first.setdefault(token, place)]):
                self._refuse(
                    f"{name} gibt dem Wort {quoted(token)} an den Stellen {first[token] + 1} und {place + 1} "
                    "verschiedene Vektoren; nötig ist zweimal derselbe."
                )
        if self.given.embedding is not None and not np.array_equal(self.given.embedding, rows):
            self._refuse("embedding und vocabulary_embedding widersprechen sich; nötig ist nur eines davon.")
        self.given = replace(self.given, embedding=rows)

    def _array(self, name: str, value: Any, shape: tuple[int, ...], what: str = "") -> Floats:
        rows, table = (value, True) if len(shape) == 2 else ([value], False)
        if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
            self._refuse(f"{name} ist keine Liste dieser Form; {_needed(shape, what)}.")
        if table and len(rows) != shape[0]:
            self._refuse(f"{name} hat {_count(len(rows), 'Zeile')}; {_needed(shape, what)}.")
        wrong = next((row for row in rows if len(row) != shape[-1]), None)
        if wrong is not None:
            numbers = "eine Zeile mit " * table + _count(len(wrong), "Zahl")
            self._refuse(f"{name} hat {numbers}; {_needed(shape, what)}.")
        array = [[self._number(name, number) for number in row] for row in rows]
        return np.array(array, dtype=np.float64).reshape(shape)

    def _number(self, name: str, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | Decimal):
            self._refuse(f"{name} enthält {_shown(value)}; nötig sind Zahlen, ohne Anführungszeichen.")
        number = Decimal(value)
        if not number.is_finite():
            self._refuse(f"{name} enthält nan oder inf; nötig sind endliche Zahlen.")
        if number.copy_abs() > _LARGEST_NUMBER:
            self._refuse(f"{name} enthält {_shown(value)}; möglich ist {MINUS}1000000 bis 1000000.")
        if not number:
            return 0.0
        _, digits, exponent = number.as_tuple()
        written = "".join(map(str, digits)).rstrip("0")
        places = max(0, -int(exponent) - (len(digits) - len(written)))
        if places > _MOST_PLACES or len(written) > _MOST_DIGITS:
            self._refuse(
                f"{name} enthält {_shown(value)}; möglich sind höchstens {_MOST_PLACES} Nachkommastellen und "
                f"{_MOST_DIGITS} Ziffern."
            )
        return float(number)

    def _refuse(self, sentence: str) -> NoReturn:
        raise UserError(f"{self.at}: {sentence}")


def _needed(shape: Sequence[int], what: str) -> str:
    rows, of = _count(shape[0], "Zahl" if len(shape) == 1 else "Zeile"), f" ({what})" if what else ""
    columns = f" mit je {_count(shape[1], 'Zahl')}" if len(shape) == 2 else ""
    return f"nötig {'ist' if shape[0] == 1 else 'sind'} {rows}{of}{columns}"


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}" + ("" if count == 1 else "n" if noun.endswith("e") else "en")


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return f"den Text {quoted(value)}"
    if isinstance(value, list | dict):
        return "eine Liste, wo eine Zahl stehen muss"
    return "nichts (null)" if value is None else shortened(value)


def _content(flag: str, path: Path) -> dict[str, Any]:
    try:
        return read_json_or_toml(path, flag)
    except UserError as error:
        if flag == "--gewichte" and not is_there(path):
            styles = in_words((*WEIGHT_STYLES, LEARNT), "oder")
            raise UserError(f"{str(error)[:-1]}; möglich ist auch {styles}.") from error
        raise


def _flat(content: Mapping[str, Any], at: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Names and values; tables inside `weights` and block1.head1 … are opened."""
    for key, value in content.items():
        name = at + key
        opened = name == "weights" or (name.startswith(_OPENED) and is_number_key(name))
        if isinstance(value, Mapping) and opened and depth < _DEEPEST:
            yield from _flat(value, "" if name == "weights" else name + ".", depth + 1)
        else:
            yield name, value
