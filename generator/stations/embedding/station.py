"""Station 2: looking up word vectors, what their components mean, and the cosine of two words."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from generator.basics.errors import in_words
from generator.basics.numbers import MINUS
from generator.sheet.desk import Desk
from generator.sheet.sheet import Given, Number, Parts, Row, Solution, Table, parts
from generator.stations.common import Tasks, component_tables
from generator.stations.embedding.cosines import (
    MOST_LISTED,
    ComparedWords,
    compared_words,
    cosine_parts,
    first_token,
    word_of,
    word_vector,
)
from generator.stations.embedding.figures import word_bars
from generator.words.word_vectors import (
    DimensionMeaning,
    WordVector,
    dimension_meanings,
    own_dimension,
)


def station(desk: Desk, tasks: Tasks) -> Parts:
    rows = sorted({desk.example, *desk.exercises})
    look_up = component_tables(desk, "embedding", desk.exercises, rows)
    tasks.add("look_up", "Gib an", "I", look_up, points=len(desk.exercises))
    choice = compared_words(desk)
    shown = _bar_tokens(desk, choice)
    empty = [token for token in shown if token in desk.exercises]
    if empty:
        tasks.add("bars", "Zeichne", "I", points=len(empty))
    tasks.add("meaning", "Deute", "II", points=2)
    meanings = dimension_meanings(desk.sizes.d_model) if desk.built.vectors else ()
    farthest = _farthest(desk, desk.exercises[0])
    return parts(
        vocabulary=_vocabulary(desk),
        look_up=look_up,
        meanings=meanings,
        token=desk.words[desk.exercises[0]],
        strongest=Solution(_strongest(farthest, [meaning.name for meaning in meanings])),
        strongest_negative=all(number.text.startswith(MINUS) for number in farthest),
        group=_group(desk, desk.exercises[0], meanings),
        groups=_groups(desk) if desk.options.learns and meanings else None,
        cosine=cosine_parts(desk, choice, tasks) if choice else None,
        bars=word_bars(desk, tokens=shown, withheld=empty),
        empty=in_words([f"„{desk.words[token]}“" for token in empty], "und"),
    )


def _vocabulary(desk: Desk) -> list[Table]:
    firsts = [first_token(desk, word) for word in range(len(desk.vocabulary))]
    vectors = [word_vector(desk, word) for word in range(len(desk.vocabulary))]
    space = 2 * "\N{NO-BREAK SPACE}"

    def named(table: Table) -> Table:
        rows = []
        for i, (word, vector) in enumerate(zip(desk.vocabulary, vectors, strict=True)):
            cells = tuple(vector[int(column) - 1] for column in table.columns)
            rows.append(Row(f"{i}{space}{word}", cells))
        return replace(table, rows=tuple(rows))

    return [named(table) for table in component_tables(desk, "embedding", (), firsts, Given.LOOKED_UP)]


def _group(desk: Desk, token: int, meanings: Sequence[DimensionMeaning]) -> Parts | None:
    """Whether the component of the word's own group is its largest; None where no component stands for it.

    largest: whether it is farthest from 0, alone, and above 0. name: what it stands for.
    """
    vector = _vector(desk, token)
    own = None if vector is None else own_dimension(vector)
    return None if own is None else parts(name=meanings[own].name, largest=_is_largest(desk, token, own))


def _groups(desk: Desk) -> Parts:
    """The words whose vectors are printed, by what has become of the component of their group, as lists.

    kept: it is the largest still. moved: another one is. none: no component stands for their group.
    """
    found: dict[str, list[str]] = {"kept": [], "moved": [], "none": []}
    for token, word in enumerate(desk.words):
        vector = _vector(desk, token)
        if token not in desk.exercises and vector is not None and desk.words.index(word) == token:
            own = own_dimension(vector)
            kind = "none" if own is None else "kept" if _is_largest(desk, token, own) else "moved"
            found[kind].append(f"„{word}“")
    kept, moved, none = (in_words(words, "und") for words in found.values())
    return parts(kept=kept, moved=moved, none=none)


def _vector(desk: Desk, token: int) -> WordVector | None:
    word = desk.calculation.model.tokens[token]
    return next((vector for vector in desk.built.vectors if vector.token == word), None)


def _is_largest(desk: Desk, token: int, component: int) -> bool:
    values = desk.quantity("embedding").values[token]
    return bool(np.delete(np.abs(values), component).max(initial=0.0) < values[component])


def _strongest(numbers: Sequence[Number], meanings: Sequence[str]) -> str:
    """The components that are farthest from 0, with their meanings: „Komponente 3 (Handlung) mit 0,9“."""
    found = []
    for number in numbers[:MOST_LISTED]:
        c = number.index[1]
        name = f" ({meanings[c]})" if meanings else ""
        found.append(f"Komponente {c + 1}{name} mit {number.text}")
    return ", ".join(found) + (", …" if len(numbers) > MOST_LISTED else "")


def _farthest(desk: Desk, token: int) -> list[Number]:
    values = np.abs(desk.quantity("embedding").values[token])
    vector = word_vector(desk, word_of(desk, token))
    return [vector[c] for c in range(len(values)) if values[c] == values.max()]


def _bar_tokens(desk: Desk, choice: ComparedWords | None) -> list[int]:
    """Four words, or eight where there are so many: those that are compared first."""
    shown = choice.shown if choice else tuple(range(min(8, len(desk.vocabulary))))
    most = 8 if len(shown) >= 8 else 4
    first = [choice.example, choice.exercise, *choice.partners] if choice else []
    words = list(dict.fromkeys([*first, *shown]))[:most]
    return [first_token(desk, word) for word in sorted(words) if word in desk.calculation.model.token_ids]
