"""A head and one token go in; what a pupil writes to calculate it there, with its check, comes out."""

from __future__ import annotations

from dataclasses import dataclass

from generator.sheet.desk import Desk
from generator.sheet.sheet import Solution, Table, Vector
from generator.stations.attention_tables import known_before_mask, seen_by, steps_table, sum_line
from generator.stations.check_tolerances import own_work_tolerance, score_tolerance


@dataclass(frozen=True)
class HeadExercise:
    task: str
    token: str
    table: list[Table]
    output: Vector | None
    output_sum: str
    output_tolerance: str
    lines: list[Solution]
    scores: bool
    score_sum: str
    score_tolerance: str
    tolerance: str
    count: int
    seen: str


def head_exercise(
    desk: Desk, at: str, token: int, task: str, *, own_query: bool = False, bars: bool = True
) -> HeadExercise:
    """Table, vector and check of the head `at` for one token. own_query: the pupil worked the query out."""
    seen, words = seen_by(desk, at + "score", token), desk.words_of(at + "score", 1)
    return HeadExercise(
        task=task,
        token=desk.words_of(at + "score")[token],
        table=steps_table(desk, at, token, blank=True, own_query=own_query, bars=bars),
        output=desk.vector(at + "output", token, blank=True),
        output_sum=desk.check_sum(at + "output", [(token, c) for c in range(desk.sizes.d_head)]),
        output_tolerance=own_work_tolerance(desk, desk.sizes.d_head),
        lines=[sum_line(desk, at, token, c) for c in range(min(2, desk.sizes.d_head))],
        scores=not known_before_mask(desk, at, token),
        score_sum=desk.check_sum(at + "score", [(token, j) for j in seen]),
        score_tolerance=score_tolerance(desk, at, token, seen),
        tolerance=desk.tolerance(len(seen)),
        count=len(seen),
        seen=", ".join(words[j] for j in seen),
    )
