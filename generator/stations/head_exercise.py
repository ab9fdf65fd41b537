"""A head and one token go in; what a pupil writes to calculate it there, with its check, comes out."""

from __future__ import annotations

from typing import Any

from generator.desk import Desk
from generator.stations.check_tolerances import score_tolerance
from generator.stations.common import seen_by, steps_table, sum_line


def head_exercise(desk: Desk, at: str, token: int, *, own_query: bool = False) -> dict[str, Any]:
    """Table, vector and check of the head `at` for one token. own_query: the pupil worked the query out."""
    seen = seen_by(desk, at + "score", token)
    return {
        "token": desk.words[token],
        "table": steps_table(desk, at, token, blank=True, own_query=own_query),
        "output": desk.vector(at + "output", token, blank=True),
        "lines": [sum_line(desk, at, token, c) for c in range(min(2, desk.sizes.d_head))],
        "score_sum": desk.check_sum(at + "score", [(token, j) for j in seen]),
        "score_tolerance": score_tolerance(desk, at, token, seen),
        "tolerance": desk.tolerance(len(seen)),
        "count": len(seen),
        "seen": ", ".join(desk.words[j] for j in seen),
    }
