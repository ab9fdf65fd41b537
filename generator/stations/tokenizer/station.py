"""Station 1: the sentence becomes tokens and IDs; then words become parts: one round, and a tree."""

from typing import Final

from engine.model.rules import token_ids
from engine.model.weights import GPT2_SMALL
from engine.texts.byte_pairs import SPACE
from generator.sheet.columns import Column
from generator.sheet.desk import Desk
from generator.sheet.sheet import Parts, Row, Table, parts
from generator.stations.byte_pairs.station import label, listed, one_round, per_line
from generator.stations.common import ROOM, Tasks, cut_columns, whole_number

_BYTES: Final = 256
_END_TOKENS: Final = 1


def station(desk: Desk, tasks: Tasks) -> Parts:
    sentence = _ids(desk, tasks)
    bpe = None if desk.printed("1b") else one_round(desk, tasks)
    return parts(
        sentence=sentence,
        bpe=bpe,
        mark=SPACE,
        gpt2_vocabulary=desk.constant(GPT2_SMALL.vocabulary, 0),
        gpt2_bytes=desk.constant(_BYTES, 0),
        gpt2_merges=desk.constant(GPT2_SMALL.vocabulary - _BYTES - _END_TOKENS, 0),
    )


def _ids(desk: Desk, tasks: Tasks) -> Parts:
    model = desk.calculation.model
    ids = token_ids(model.tokens, model.vocabulary)
    numbers = tuple(whole_number(desk, "token_ids", i, k, blank=k > 0) for k, i in enumerate(ids))
    size = per_line(model.tokens)
    row = Table(tuple(map(label, model.tokens)), (Row("ID", numbers),), (Column.LABEL,))
    tables = cut_columns(row, size, (ROOM - Column.LABEL) / size)
    count = whole_number(desk, "vocabulary.size", len(model.vocabulary), blank=True)
    # Only those that other texts have, or all where much is given.
    first = 0 if desk.more else len(set(model.token_ids))
    tasks.add("ids", "Gib an", "I", tables, count)
    tasks.add("same", "Erkläre", "II", points=2)
    twice = [word for word in model.vocabulary if model.tokens.count(word) > 1]
    return parts(
        ids=tables,
        count=count,
        id_sum=desk.constant(sum(ids), 0),
        list=listed("Token", model.vocabulary[first:], per_line(model.vocabulary), first),
        beyond=len(model.vocabulary) > len(set(ids)),
        twice=label(twice[0]) if twice else "",
        first_word=label(model.tokens[0]),
    )
