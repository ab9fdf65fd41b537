"""Station 2: looking up word vectors, what their components mean, and the cosine of two words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from generator.figures.all import word_bars
from generator.sheet.desk import Desk
from generator.sheet.sheet import Figure, Given, Number, Row, Solution, Table
from generator.stations.common import Tasks, component_tables
from generator.stations.word_cosines import (
    MOST_LISTED,
    SHORT,
    ComparedWords,
    Cosine,
    choice_of,
    context_tables,
    cosine_parts,
    first_token,
    token_places,
    word_of,
    word_vector,
)
from generator.words.word_vectors import DimensionMeaning, dimension_meanings


@dataclass(frozen=True)
class Embedding:
    ids: list[Table]
    copied: bool
    vocabulary: list[Table]
    words: str
    look_up: list[Table]
    meanings: tuple[DimensionMeaning, ...]
    token: str
    strongest: Solution
    cosine: Cosine | None
    context: list[Table]
    bars: Figure
    empty: str


def station(desk: Desk, tasks: Tasks) -> Embedding:
    rows = sorted({desk.example, *desk.exercises})
    look_up = component_tables(desk, "embedding", desk.exercises, rows)
    tasks.add("look_up", "Gib an", "I", look_up)
    choice = choice_of(desk)
    shown = _bar_tokens(desk, choice)
    empty = [token for token in shown if token in desk.exercises]
    if empty:
        tasks.add("bars", "Zeichne", "I", points=len(empty))
    tasks.add("meaning", "Deute", "II", points=2)
    return Embedding(
        ids=_ids(desk, rows),
        copied=desk.asks("token_ids"),
        vocabulary=_vocabulary(desk),
        words=str(len(desk.vocabulary)),
        look_up=look_up,
        meanings=dimension_meanings(desk.sizes.d_model) if desk.built.vectors else (),
        token=desk.words[desk.exercises[0]],
        strongest=Solution(_strongest(desk, desk.exercises[0])),
        cosine=cosine_parts(desk, choice, tasks) if choice else None,
        context=context_tables(desk),
        bars=word_bars(desk, tokens=shown, withheld=empty),
        empty=", ".join(f"„{desk.words[token]}“" for token in empty),
    )


# --- looking up ------------------------------------------------------------------------------------------


def _ids(desk: Desk, tokens: Sequence[int]) -> list[Table]:
    """The IDs of the tokens to look up; in a booklet the exercises' are copied from the pupil's own work."""
    columns = desk.words if all(len(desk.words[i]) <= 2 * SHORT for i in tokens) else token_places(desk)
    per_line = 4
    return [
        Table(
            tuple(columns[i] for i in part),
            (Row("ID", tuple(_id_of(desk, i) for i in part)),),
            (18.0,) + (34.0,) * len(part),
        )
        for start in range(0, len(tokens), per_line)
        for part in [tokens[start : start + per_line]]
    ]


def _id_of(desk: Desk, token: int) -> Number:
    copied = desk.asks("token_ids", token)
    text = desk.format.text(word_of(desk, token), 0)
    return Number("token_ids", (token,), text, 0, copied, copied=copied)


def _vocabulary(desk: Desk) -> list[Table]:
    """The table of all word vectors: a row for each word, by its ID."""
    firsts = [first_token(desk, word) for word in range(len(desk.vocabulary))]
    vectors = [word_vector(desk, word) for word in range(len(desk.vocabulary))]

    def named(table: Table) -> Table:
        rows = tuple(
            Row(
                f"{word}\N{NO-BREAK SPACE}\N{NO-BREAK SPACE}{desk.vocabulary[word]}",
                tuple(vectors[word][int(column) - 1] for column in table.columns),
            )
            for word in range(len(vectors))
        )
        return replace(table, rows=rows)

    return [named(table) for table in component_tables(desk, "embedding", (), firsts, Given.LOOKED_UP)]


def _strongest(desk: Desk, token: int) -> str:
    """The component that is farthest from 0, with its meaning: „d3 (Handlung): 0,9“."""
    values = np.abs(desk.quantity("embedding").values[token])
    places = [c for c in range(len(values)) if values[c] == values.max()]
    meanings = dimension_meanings(desk.sizes.d_model) if desk.built.vectors else ()
    found = []
    for c in places[:MOST_LISTED]:
        name = f" ({meanings[c].name})" if meanings else ""
        found.append(f"Komponente {c + 1}{name} mit {word_vector(desk, word_of(desk, token))[c].text}")
    return ", ".join(found) + (", …" if len(places) > MOST_LISTED else "")


def _bar_tokens(desk: Desk, choice: ComparedWords | None) -> list[int]:
    """Four words, or eight where there are so many: those that are compared first."""
    shown = choice.shown if choice else tuple(range(min(8, len(desk.vocabulary))))
    most = 8 if len(shown) >= 8 else 4
    first = [choice.example, choice.exercise, *choice.partners] if choice else []
    words = list(dict.fromkeys([*first, *shown]))[:most]
    return [first_token(desk, word) for word in sorted(words) if word in desk.calculation.model.token_ids]
