"""What rechnung.json holds beside quantities, checked: options, given numbers, and a sheet's exercises."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from engine.judging.ranges import Range, joined, places
from engine.model.model import Vocabulary, encoder_decoder_shapes, weight_shapes
from engine.numbers.arrays import Floats
from engine.texts.generation import END
from engine.trace import CellAddress, Trace
from generator.basics.errors import UserError, quoted
from generator.calculation.learning import BEFORE
from generator.options.numbers_file import GivenNumbers, sizes_of
from generator.options.options import NAMES, Options


def table(values: Any, shape: tuple[int, ...], name: str) -> Floats:
    """Nested lists of finite numbers of exactly this shape."""
    if values is None:
        raise broken(name, "fehlt")
    rows = [values] if len(shape) == 1 else values
    fits = isinstance(rows, list) and (len(shape) == 1 or len(rows) == shape[0])
    if not fits or not all(isinstance(row, list) and len(row) == shape[-1] for row in rows):
        raise broken(name, f"nicht {' × '.join(map(str, shape))} Zahlen")
    numbers = (isinstance(cell, int | float) and not isinstance(cell, bool) for row in rows for cell in row)
    if not all(numbers) or not all(abs(cell) < 1e12 for row in rows for cell in row):
        raise broken(name, "enthält etwas anderes als Zahlen")
    return np.array(values, dtype=np.float64)


def mapping(value: Any, name: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise broken(name, "nicht da oder keine Sammlung von Namen")
    return value


def broken(name: str, why: str) -> UserError:
    """What to raise where a part of the file is missing or is not what it should be."""
    where = name if re.fullmatch(r"[\w. ]{1,60}", name) else quoted(name)
    return UserError(
        f"Das ist keine vollständige rechnung.json: {where}: {why}; bitte die Datei nehmen, "
        "die „papierformer blatt“ geschrieben hat."
    )


_MOST_WORDS: Final = 1000
_MOST_ROUNDS: Final = 24
INPUT, OUTPUT = "input_embedding", "vocabulary_embedding"
_TARGET_INPUT, _TARGET_OUTPUT = "decoder." + INPUT, "decoder." + OUTPUT
WIDTH_FOUND: Final = "breite_gefunden"  # nobody named it: so many hidden units have a trained model's numbers
_NEEDED: Final = (
    *("dimension", "heads", "bloecke", "maske", "skalierung", "positionen"),
    *("temperatur", "nachkommastellen"),
)


def options_of_file(contents: Mapping[str, Any]) -> Options:
    """The options as they were; a name that this version does not know is passed over."""
    written = mapping(contents.get("optionen"), "optionen")
    for name in _NEEDED:
        if name not in written:
            raise broken(f"optionen.{name}", "fehlt")
    tokens = _words(contents, "tokens")
    said = {name: value for name, value in written.items() if value is not None}
    known = {name: value for name, value in said.items() if name in NAMES and name != "vorlage"}
    if contents.get(WIDTH_FOUND) is True and isinstance(known.get("ffn"), int):
        known = {name: value for name, value in known.items() if name != "ffn"} | {"living": known["ffn"]}
    try:
        options = Options(**known | {"satz": contents.get("satz", " ".join(tokens))})
    except UserError as error:
        raise broken("optionen", str(error).rstrip(".")) from error
    read = options.resolved()
    for name, value in known.items():
        if name in read and not _same(read[name], value):
            raise broken(f"optionen.{name}", "nicht so, wie das Programm es schreibt")
    return options


def given_of_file(contents: Mapping[str, Any], options: Options) -> GivenNumbers:
    """Vectors, matrices and random numbers of the file, so that nothing is drawn."""
    sizes, quantities = sizes_of(options), mapping(contents.get("quantities"), "quantities")
    d, weights = sizes.d_model, mapping(contents.get("weights"), "weights")
    ways = [name for name in quantities if name in ("sampled.random", "top_k.random", "top_p.random")]
    two = options.target_tokens
    return GivenNumbers(
        embedding=_written(quantities, "embedding", (len(options.tokens), d)),
        word_vectors={},
        weights=_tables(weights, weight_shapes(sizes)),
        target_vectors=_target_vectors(contents, quantities, weights, d) if two else {},
        encoder_decoder_weights=_tables(weights, encoder_decoder_shapes(sizes)) if two else {},
        end=_written(quantities, END, (d,)) if END in quantities else None,
        known=_known(contents, weights, d),
        target_output=_target_output(contents, weights, d) if two else None,
        earlier=_earlier(contents, weights, weight_shapes(sizes), d),
        random={name.partition(".")[0]: _row(quantities, name) for name in ways},
    )


def _known(contents: Mapping[str, Any], weights: Mapping[str, Any], d: int) -> Vocabulary | None:
    """The vocabulary of a trained model, which has more words than its sentence."""
    if INPUT not in weights:
        return None
    words = _words(contents, "vocabulary")
    if len(set(words)) < len(words):
        raise broken("vocabulary", "ein Wort steht zweimal da")
    tables = _tables(weights, dict.fromkeys((INPUT, OUTPUT), (len(words), d)))
    return Vocabulary(words, tables[INPUT], tables[OUTPUT])


def _earlier(
    contents: Mapping[str, Any], weights: Mapping[str, Any], shapes: Mapping[str, tuple[int, ...]], d: int
) -> tuple[dict[str, Floats], Vocabulary] | None:
    """Weights and vocabulary of the state from which a trained model's lesson takes its step."""
    before = {name.removeprefix(BEFORE): table for name, table in weights.items() if name.startswith(BEFORE)}
    vocabulary = _known(contents, before, d)
    return None if vocabulary is None else (_tables(before, shapes), vocabulary)


def _target_vectors(
    contents: Mapping[str, Any], quantities: Mapping[str, Any], weights: Mapping[str, Any], d: int
) -> dict[str, tuple[float, ...]]:
    """The start token's vector and those of the vocabulary, in its order."""
    words, tokens = _words(contents, "zielvokabular"), _words(contents, "zieltokens")
    name = _TARGET_INPUT if _TARGET_INPUT in weights else _TARGET_OUTPUT
    vocabulary = table(weights.get(name), (len(words), d), f"weights.{name}")
    start = _written(quantities, "decoder.embedding", (len(tokens), d))[:1]
    rows = zip((tokens[0], *words), (*start, *vocabulary), strict=True)
    return {word: tuple(map(float, row)) for word, row in rows}


def _target_output(contents: Mapping[str, Any], weights: Mapping[str, Any], d: int) -> Floats | None:
    """What a trained encoder–decoder predicts words by; None where that is what they enter with."""
    if _TARGET_INPUT not in weights:
        return None
    shape = (len(_words(contents, "zielvokabular")), d)
    return table(weights.get(_TARGET_OUTPUT), shape, f"weights.{_TARGET_OUTPUT}")


def _tables(weights: Mapping[str, Any], shapes: Mapping[str, tuple[int, ...]]) -> dict[str, Floats]:
    return {name: table(weights.get(name), shape, f"weights.{name}") for name, shape in shapes.items()}


def _row(quantities: Mapping[str, Any], name: str) -> tuple[float, ...]:
    row = mapping(quantities[name], f"quantities.{name}").get("hand")
    if not isinstance(row, list) or len(row) > _MOST_ROUNDS:
        raise broken(name, "keine Liste von Zufallszahlen")
    return tuple(map(float, table(row, (len(row),), name)))


def _written(quantities: Mapping[str, Any], name: str, shape: tuple[int, ...]) -> Floats:
    quantity = mapping(quantities.get(name), f"quantities.{name}")
    return table(quantity.get("hand", quantity.get("exact")), shape, name)


def _words(contents: Mapping[str, Any], key: str) -> tuple[str, ...]:
    words = contents.get(key)
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise broken(key, "keine Liste von Wörtern")
    if not 1 <= len(words) <= _MOST_WORDS:
        raise broken(key, f"{len(words)} Wörter; möglich sind 1 bis {_MOST_WORDS}")
    return tuple(words)


def _same(read: Any, written: Any) -> bool:
    """The same value; no number for true, no text for a number."""
    if isinstance(read, list | tuple) and isinstance(written, list):
        return len(read) == len(written) and all(map(_same, read, written))
    return isinstance(read, bool) == isinstance(written, bool) and bool(read == written)


# --- What rechnung.json holds of a sheet: its exercises and the cells that it prints.


EXERCISES: Final = "aufgaben"
PRINTED: Final = "gegeben"
GROUP: Final = "gruppe"  # of a jigsaw, where the sheet is that of one person in a team
ORDERED: Final = "geordnet"
_MOST_POINTS: Final = 10_000


@dataclass(frozen=True)
class Exercise:
    """One task of a station: its number there, its points (BE), the cells that it asks for.

    ordered: it is to put them in order, the largest first, as the cells stand here.
    """

    station: str
    number: int
    points: int
    cells: tuple[CellAddress, ...]
    ordered: bool = False


def as_document(exercises: Sequence[Exercise]) -> list[dict[str, Any]]:
    return [
        {
            "station": exercise.station,
            "nummer": exercise.number,
            "be": exercise.points,
            "luecken": by_name(exercise.cells),
        }
        | ({ORDERED: True} if exercise.ordered else {})
        for exercise in exercises
    ]


def from_document(contents: Mapping[str, Any]) -> tuple[Exercise, ...]:
    """The exercises that rechnung.json holds, none where it has none."""
    listed = contents.get(EXERCISES, [])
    if not isinstance(listed, list):
        raise broken(EXERCISES, "keine Liste von Aufgaben")
    return tuple(map(_exercise, listed))


def printed_from_document(contents: Mapping[str, Any]) -> tuple[CellAddress, ...]:
    """The printed cells that rechnung.json names."""
    return _cells(PRINTED, mapping(contents.get(PRINTED, {}), PRINTED))


def _exercise(entry: Any) -> Exercise:
    match entry:
        case {"station": str(station), "nummer": int(number), "be": int(points), "luecken": dict(blanks)} if (
            0 <= points <= _MOST_POINTS and number > 0
        ):
            return Exercise(station, number, points, _cells(EXERCISES, blanks), entry.get(ORDERED) is True)
    raise broken(EXERCISES, "eine Aufgabe ohne Station, Nummer, BE oder Lücken")


def by_name(cells: Iterable[CellAddress]) -> dict[str, list[list[int]]]:
    found: dict[str, list[list[int]]] = {}
    for name, index in cells:
        found.setdefault(name, []).append(list(index))
    return found


def _cells(key: str, blanks: Mapping[str, Any]) -> tuple[CellAddress, ...]:
    cells = []
    for name, given_places in blanks.items():
        if not isinstance(given_places, list):
            raise broken(key, "die Plätze einer Tabelle sind keine Liste")
        for place in given_places:
            if not isinstance(place, list) or not all(isinstance(i, int) and i >= 0 for i in place):
                raise broken(key, "ein Platz besteht nicht aus ganzen Zahlen ab 0")
            cells.append((name, tuple(place)))
    return tuple(dict.fromkeys(cells))


def in_any_order(
    ranges: Mapping[str, Range], hand: Trace, exact: Trace, exercises: Iterable[Exercise]
) -> Mapping[str, Range]:
    """What is written at a place of an order may be the number of all that can stand there."""
    found = dict(ranges)
    for exercise in exercises:
        names = {name for name, _ in exercise.cells}
        if not exercise.ordered or len(names) != 1:
            continue
        (name,) = names
        quantity = hand.get(name)
        order = [index[0] for _, index in exercise.cells if len(index) == 1]
        if quantity is not None and quantity.values.ndim == 1 and max(order) < quantity.values.size:
            found[name] = joined(ranges[name], places(ranges[name], exact[name].values, order))
    return found
