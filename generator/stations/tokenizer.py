"""Station 1: the sentence becomes tokens and IDs; then byte pairs are counted and merged by hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.model.model import GPT2_SMALL
from engine.model.tokenizer import token_ids
from engine.texts.byte_pairs import SPACE
from generator.sheet.desk import Desk
from generator.sheet.sheet import Number, Row, Table
from generator.stations.byte_pair_rounds import BytePairs, byte_pair_parts
from generator.stations.common import Tasks
from generator.stations.token_words import label, listed, number, per_line, whole

_BYTES: Final = 256
_END_TOKENS: Final = 1


@dataclass(frozen=True)
class Tokenizer:
    sentence: Ids
    bpe: BytePairs
    mark: str
    gpt2_vocabulary: str
    gpt2_bytes: str
    gpt2_merges: str


def station(desk: Desk, tasks: Tasks) -> Tokenizer:
    sentence, bpe = _ids(desk, tasks), byte_pair_parts(desk, tasks)
    tasks.add("space", "Begründe", "II", points=2)
    tasks.add("judge", "Beurteile", "III", points=2)
    return Tokenizer(
        sentence=sentence,
        bpe=bpe,
        mark=SPACE,
        gpt2_vocabulary=whole(desk, GPT2_SMALL.vocabulary),
        gpt2_bytes=whole(desk, _BYTES),
        gpt2_merges=whole(desk, GPT2_SMALL.vocabulary - _BYTES - _END_TOKENS),
    )


@dataclass(frozen=True)
class Ids:
    ids: list[Table]
    count: Number
    id_sum: str
    list: list[Table]
    beyond: bool
    twice: str
    first_word: str


def _listed(desk: Desk) -> list[Table]:
    """Tokens with their IDs: those that only other texts have, or all where much is given."""
    vocabulary = desk.calculation.model.vocabulary
    first = 0 if desk.more else len(set(desk.calculation.model.token_ids))
    return listed("Token", vocabulary[first:], per_line(vocabulary), first)


def _ids(desk: Desk, tasks: Tasks) -> Ids:
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
    return Ids(
        ids=tables,
        count=count,
        id_sum=whole(desk, sum(ids)),
        list=_listed(desk),
        beyond=len(model.vocabulary) > len(set(ids)),
        twice=label(twice[0]) if twice else "",
        first_word=label(model.tokens[0]),
    )
