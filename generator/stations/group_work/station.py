"""Jigsaw: what one group calculates (a head, or a token), and the sheet on which all put it together."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from engine.numbers.arrays import CalculationError
from generator.basics.fonts import printable
from generator.calculation.learnt import Learnt
from generator.figures.parts import seen
from generator.figures.weights import guess_arcs, ribbons, whole_unit
from generator.sheet.columns import Column, even
from generator.sheet.desk import Desk
from generator.sheet.sheet import Bar, Finding, Hidden, Parts, Row, Solution, Station, Table, Words, parts
from generator.stations.attention import head_exercise, strongest_look, worked_head
from generator.stations.common import (
    MOST_WRITTEN_COLUMNS,
    Tasks,
    component_table,
    repeated_notes,
    vectors,
    within_page,
)
from generator.stations.guess import finding_without, swapped, without_head
from generator.stations.next_word import PROBABILITY_PLACES
from generator.stations.output.exchange import (
    THREE_A_PAGE,
    Run,
    reading_of,
    ribbon_unit,
    run_of,
    sentence_figure,
    word_widths,
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


# --- Jigsaw of a model that has learnt: each group draws its head, together they decide the word.


_LOW: Final = 26.0  # mm, of arcs that share a page with tables


def head_station(desk: Desk, group: Group, of: int) -> Station:
    """The sheet of one group: its head's weights for the last word, as ribbons. of: how many groups."""
    tasks, last = Tasks(), desk.n - 1
    (k,) = group.heads
    at = f"block1.head{k}."
    learnt = desk.built.learnt
    assert learnt is not None
    tasks.add("tip", "Zeichnet", "III", points=1, around=True)
    exercise = head_exercise(desk, tasks, at, last, operator="Berechnet", bars=False)
    tasks.add("ribbons", "Zeichnet", "I", points=2)
    tasks.add("tell", "Erklärt", "II", points=2)
    made = parts(
        number=group.number,
        of=of,
        head=k,
        texts=learnt.lines,
        arcs=guess_arcs(
            desk, printable(learnt.expected), learnt.corpus.places(learnt.model.token_ids), highest=_LOW
        ),
        qkv=vectors(desk, [at + "query", at + "key", at + "value"]),
        notes=repeated_notes(desk, at),
        query=desk.vector(at + "query", last),
        worked=worked_head(desk, at, desk.example, bars=False),
        exercise=exercise,
        ribbons=ribbons(desk, at + "weight", last, blank=True),
        unit=whole_unit(desk),
        look=strongest_look(desk, at + "weight", last),
    )
    return Station(ID, "group_head", made, tasks.by_name)


def decision_station(desk: Desk, groups: Sequence[Group]) -> Station:
    """The sheet for all: every head over one sentence, the word, and what comes without each head."""
    tasks, last, learnt = Tasks(), desk.n - 1, desk.built.learnt
    assert learnt is not None
    run = run_of(desk, learnt, learnt.model.token_ids)
    exchanges = learnt.corpus.first_exchanges(learnt.model.token_ids)
    others = [run_of(desk, learnt, each.beginning) for each in exchanges]
    places = [each.place for each in exchanges]
    widths = word_widths([run, *others], THREE_A_PAGE)
    tasks.add("draw", "Zeichnet", "I", points=2)
    concat = component_table(desk, "block1.concat", [last], [last])
    tasks.add("concat", "Setzt", "I", concat)
    tasks.add("tip", "Gebt", "III", points=1)
    tasks.add("which", "Deutet", "III", points=3)
    tasks.add("back", "Vergleicht", "II", points=2, around=True)
    results, findings = _without_each(desk, learnt, run, others, places)
    made = parts(
        groups=who(desk, groups),
        texts=learnt.lines,
        own=sentence_figure(
            desk, run, (), widths, [True] * len(run.weights), bars_open=True, lines=1, size=THREE_A_PAGE
        ),
        heads=len(run.weights),
        unit=ribbon_unit(widths, THREE_A_PAGE),
        concat=concat,
        results=results,
        exchanged=[
            swapped(desk, other, place, widths, THREE_A_PAGE)
            for other, place in zip(others, places, strict=True)
        ],
        findings=findings,
    )
    return Station(ID, "group_decision", made, tasks.by_name)


def _without_each(
    desk: Desk, learnt: Learnt, run: Run, others: Sequence[Run], places: Sequence[int]
) -> tuple[Table, list[Finding]]:
    """The likeliest word with all heads and without each, and what that says of each head.

    others: with the word at its place exchanged.
    """
    rows, findings = [_row(desk, "mit allen Heads", run)], []
    for head in range(desk.sizes.n_heads):
        try:
            off = without_head(learnt, run, head)
        except CalculationError:  # no hand computes it
            continue
        rows.append(_row(desk, f"ohne Head\N{NO-BREAK SPACE}{head + 1}", off))
        drawn = others and head < len(run.weights)
        findings.append(
            Finding(
                head=head + 1,
                without=finding_without(desk, learnt, run, off),
                reads=reading_of(desk, run, others, places, head) if drawn else None,
            )
        )
    widths = (Column.PHRASE, Column.PHRASE, Column.LABEL, Column.LONG_BAR)
    return Table(("word", "probability", "bar"), tuple(rows), widths), findings


def _row(desk: Desk, head: str, run: Run) -> Row:
    best = run.best()[0]
    share = float(run.probabilities[best])
    number = desk.format.text(share, PROBABILITY_PLACES)
    return Row(head, (Words(run.likeliest()[0]), Words(number), Bar(share)))
