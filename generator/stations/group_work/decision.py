"""Jigsaw of a model that has learnt: each group draws its head, together they decide the word."""

from collections.abc import Sequence
from typing import Final

from engine.numbers.arrays import CalculationError
from generator.basics.fonts import printable
from generator.calculation.learnt import Learnt
from generator.figures.weights import guess_arcs, ribbons, whole_unit
from generator.sheet.columns import Column
from generator.sheet.desk import Desk
from generator.sheet.sheet import Bar, Finding, Row, Station, Table, Words, parts
from generator.stations.attention import head_exercise, strongest_look, worked_head
from generator.stations.common import Tasks, component_table, vectors
from generator.stations.group_work.station import ID, Group, who
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
