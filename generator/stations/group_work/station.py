"""Jigsaw: what one group calculates (a head, or a token), and the sheet on which all put it together."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from generator.figures.parts import seen
from generator.sheet.columns import Column, even
from generator.sheet.desk import Desk
from generator.sheet.sheet import Hidden, Parts, Row, Solution, Station, Table, Words, parts
from generator.stations.attention import head_exercise, worked_head
from generator.stations.common import (
    MOST_WRITTEN_COLUMNS,
    Tasks,
    component_table,
    vectors,
    within_page,
)

ID: Final = "4b"
_AT: Final = "block1."


@dataclass(frozen=True)
class Group:
    """One group: its number from 1, its heads from 1, its tokens from 0."""

    number: int
    heads: tuple[int, ...]
    tokens: tuple[int, ...]


def group_station(desk: Desk, group: Group, of: int) -> Station:
    """The sheet of one group. of: how many groups there are."""
    tasks = Tasks()
    tasks.add("tip", "Gebt", "III", points=1, around=True)
    heads = [_head(desk, k, group, tasks) for k in group.heads]
    tasks.add("tell", "Erkläre", "II", points=2)
    made = parts(
        number=group.number,
        of=of,
        by_head=len(group.heads) == 1 and desk.sizes.n_heads > 1,
        heads=heads,
        tokens=[desk.words[token] for token in group.tokens],
    )
    return Station(ID, "group_work", made, tasks.by_name)


def together_station(desk: Desk, groups: Sequence[Group]) -> Station:
    """The sheet for all: weights and outputs of the groups side by side, then concatenated and mixed."""
    tasks = Tasks()
    tokens = sorted({token for group in groups for token in group.tokens})
    heads = range(1, desk.sizes.n_heads + 1)
    matrices = [weight_matrix(desk, f"{_AT}head{k}.weight", tokens) for k in heads]
    tasks.add("matrices", "Übertragt", "I", matrices, points=len(groups))
    concat = component_table(desk, _AT + "concat", tokens)
    tasks.add("concat", "Setzt", "I", concat)
    attention = component_table(desk, _AT + "attention", tokens) if desk.mixes_heads("block1.") else None
    if attention is not None:
        tasks.add("attention", "Berechnet", "I", attention)
    tasks.add("understand", "Beurteilt", "III", points=3)
    made = parts(
        matrices=list(zip(heads, matrices, strict=True)),
        groups=who(desk, groups),
        concat=concat,
        attention=attention,
        W_O=desk.matrix(_AT + "W_O"),
    )
    return Station(ID, "group_together", made, tasks.by_name)


def _head(desk: Desk, k: int, group: Group, tasks: Tasks) -> Parts:
    at = f"{_AT}head{k}."
    return parts(
        number=k,
        qkv=vectors(desk, [at + "query", at + "key", at + "value"]),
        worked=worked_head(desk, at, desk.example),
        exercises=[head_exercise(desk, tasks, at, token, operator="Berechnet") for token in group.tokens],
    )


def who(desk: Desk, groups: Sequence[Group]) -> Table:
    rows = []
    for group in groups:
        heads, tokens = map(str, group.heads), (desk.words[token] for token in group.tokens)
        cells = Words(", ".join(heads)), Words(", ".join(tokens)), Solution("")
        rows.append(Row(f"Gruppe {group.number}", cells))
    return Table(
        ("heads", "tokens", "names"), tuple(rows), (Column.WORD, Column.PROBABILITY, Column.LINE, Column.REST)
    )


def weight_matrix(desk: Desk, name: str, blank_rows: Iterable[int]) -> Table:
    """The numbers of all weights; rows to fill are set out below where it has many columns."""
    words, others = desk.words_of(name), desk.words_of(name, 1)
    empty = {*blank_rows, *(i for i in range(len(words)) if desk.asks(name, i))}
    n = len(others)
    narrow = n > MOST_WRITTEN_COLUMNS

    def row(i: int) -> Row:
        cells = tuple(
            desk.number(name, i, j, blank=i in empty) if seen(desk, name, i, j) else Hidden()
            for j in range(n)
        )
        head = f"{i + 1}\N{NO-BREAK SPACE}{words[i]}" if narrow and words == others else words[i]
        return Row(head, cells, "example" if i == desk.example else "plain")

    apart = empty if narrow else set()
    inside = tuple(row(i) for i in range(len(words)) if i not in apart)
    below = tuple(row(i) for i in range(len(words)) if i in apart)
    columns = tuple(str(j + 1) for j in range(n)) if narrow else others
    table = Table(columns, inside, even(n, Column.SHARE), narrow, "", below, columns if below else ())
    return within_page(table, desk.options.nachkommastellen + 2) if narrow else table
