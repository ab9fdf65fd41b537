"""Station 4a: the way in, attention without matrices: each word as it is is query, key and value."""

from collections.abc import Sequence
from typing import Final

from generator.sheet.columns import Column, even
from generator.sheet.desk import Desk
from generator.sheet.sheet import Finding, Number, Parts, Row, Solution, Table, parts, walk
from generator.stations.attention import (
    legend_of,
    score_check,
    steps_table,
    strongest_look,
    worked_head,
)
from generator.stations.common import Tasks, within_page

_MOST_ALIKE: Final = 5, 4  # words and their components that are compared in a booklet: their page has room


def entry_of(desk: Desk, tasks: Tasks) -> Parts:
    token, example = desk.exercises[0], desk.example
    exercise = steps_table(desk, "entry.", token, blank=True, scaled=False)
    # Nothing goes on from this vector: one component shows how all of them come about.
    width = range(desk.sizes.d_model)
    asked = width if desk.less else width[:1]
    output = desk.vector("entry.output", token, blank=asked)
    tasks.add("entry", "Berechne", "I", exercise, output)
    words, components = _MOST_ALIKE
    room = desk.n <= words and desk.sizes.d_model <= components
    alike = room or not desk.printed("4b")
    if alike:
        tasks.add("alike", "Vergleiche", "II", points=2)
    by_weight, by_cosine = (
        desk.largest(name, example, others=True) for name in ("entry.weight", "entry.cosine")
    )
    both = [j for j in by_weight if j in by_cosine]
    return parts(
        worked=worked_head(desk, "entry.", example, sums=0 if desk.asks("input") else 1, scaled=False),
        exercise=exercise,
        begun=any(not number.blank for number in walk(exercise, Number)),
        exercise_output=output,
        token=desk.words[token],
        tolerance=desk.tolerance(desk.n),
        score_check=score_check(desk, "entry.", token, range(desk.n)),
        cosines=_cosines(desk, example) if alike else None,
        strongest=Solution(desk.either(by_weight)),
        answer=Solution(desk.either(by_cosine)),
        both=Solution(desk.either(both)),
        level=[
            Finding(case=case, words=[desk.words[j] for j in leaders if j not in both])
            for case, leaders in (("weight", by_weight), ("cosine", by_cosine))
            if both and set(leaders) - set(both)
        ],
        mixture=strongest_look(desk, "entry.weight", example),
        partner=_partner(desk, example, both),
        legend=legend_of(desk),
    )


def _partner(desk: Desk, token: int, both: Sequence[int]) -> Finding | None:
    """A word most like a token that looks most where the token does, or at the token as that at it."""
    weight = desk.quantity("entry.weight").values
    for j in both:
        common = [k for k in range(desk.n) if all(weight[i, k] == weight[i].max() for i in (token, j))]
        if common:
            share = desk.number("entry.weight", j, common[0]).text
            return Finding(case="same", word=desk.words[j], best=desk.words[common[0]], weight=share)
        if min(weight[token, j], weight[j, token]) > 1 / desk.n:
            score, back = (desk.number(name, j, token).text for name in ("entry.score", "entry.weight"))
            return Finding(case="mutual", word=desk.words[j], score=score, weight=back)
    return None


def _cosines(desk: Desk, token: int) -> Table:
    """A token's weights, and below them the cosines of its new vector with every one."""
    many = bool(legend_of(desk))
    kinds = (("Gewicht", "entry.weight"), ("Kosinus", "entry.cosine"))
    rows = tuple(Row(head, desk.numbers(name, token)) for head, name in kinds)
    columns = tuple(str(j + 1) for j in range(desk.n)) if many else desk.words
    table = Table(columns, rows, even(desk.n, Column.SHARE), dense=many)
    return within_page(table, desk.options.nachkommastellen + 3) if many else table
