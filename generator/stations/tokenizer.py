"""Station 1: the sentence becomes tokens and IDs; then byte pairs are counted and merged by hand."""

from __future__ import annotations

from typing import Any, Final

from engine.byte_pairs import SPACE
from engine.parameters import GPT2_SMALL
from engine.tokenizer import token_ids
from generator.desk import Desk
from generator.sheet import Number, Row, Station, Table
from generator.stations.byte_pair_rounds import byte_pair_parts
from generator.stations.common import Tasks
from generator.stations.token_words import label, listed, number, per_line, whole

ID: Final = "1"
_BYTES: Final = 256
_END_TOKENS: Final = 1


def station(desk: Desk) -> Station:
    tasks = Tasks()
    parts = _ids(desk, tasks) | byte_pair_parts(desk, tasks)
    parts["mark"] = SPACE
    parts["gpt2"] = {
        "vocabulary": whole(desk, GPT2_SMALL.vocabulary),
        "bytes": whole(desk, _BYTES),
        "merges": whole(desk, GPT2_SMALL.vocabulary - _BYTES - _END_TOKENS),
    }
    tasks.add("space", "Begründe", "II", points=2)
    tasks.add("judge", "Beurteile", "III", points=3)
    return Station(ID, parts, tasks.by_name)


def _ids(desk: Desk, tasks: Tasks) -> dict[str, Any]:
    model = desk.calculation.model
    ids = token_ids(model.tokens, model.vocabulary)
    numbers = [number(desk, "token_ids", i, k, blank=k > 0) for k, i in enumerate(ids)]
    columns = list(zip(map(label, model.tokens), numbers, strict=True))
    size = per_line(model.tokens)
    tables = [
        Table(
            tuple(word for word, _ in part),
            (Row("ID", tuple(cell for _, cell in part)),),
            (18.0,) + (144.0 / size,) * len(part),
        )
        for start in range(0, len(columns), size)
        for part in [columns[start : start + size]]
    ]
    count = Number("vocabulary.size", (), whole(desk, len(model.vocabulary)), 0, True)
    tasks.add("ids", "Gib an", "I", tables, count)
    tasks.add("same", "Erkläre", "II", points=2)
    twice = [word for word in model.vocabulary if model.tokens.count(word) > 1]
    return {
        "tokens": [label(token) for token in model.tokens],
        "ids": tables,
        "count": count,
        "id_sum": whole(desk, sum(ids)),
        "list": listed("Token", model.vocabulary, per_line(model.vocabulary)) if desk.more else [],
        "twice": label(twice[0]) if twice else "",
        "first_word": label(model.tokens[0]),
    }
