"""Station 4b, masked multi-head attention: the same token with the mask, all heads, concatenation, W_O."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from engine.weights import picks
from generator.desk import Desk
from generator.figures import attention_arcs
from generator.lexicon.word_vectors import dimension_meanings
from generator.sheet import Figure, Hidden, Row, Station, Table, Words
from generator.stations.common import (
    WORD_WIDTH,
    Tasks,
    component_table,
    legend,
    seen_by,
    steps_table,
    vectors,
    weight_matrix,
)
from generator.stations.head_exercise import head_exercise
from generator.stations.worked_lines import products_line, score_lines, weighted_sum_line

ID: Final = "4b"


def station(desk: Desk, block: int = 1) -> Station:
    tasks = Tasks()
    masked = desk.calculation.model.causal_mask
    at = f"block{block}."
    parts: dict[str, Any] = {
        "masked": masked,
        "triangle": _triangle(desk) if masked else None,
        "last": desk.words[-1],
        "first_word": desk.words[0],
        "compare": _compare(desk) if masked and block == 1 else None,
        "arcs": _arcs(desk) if masked and block == 1 else None,
    }
    if masked:
        tasks.add("mask", "Gib", "II", points=3)
    parts["heads"] = [_head(desk, at, k, tasks) for k in range(1, desk.sizes.n_heads + 1)]
    parts |= _together(desk, at, tasks)
    parts["asked"] = _asked(desk, block)
    tasks.add("understand", "Begründe", "II", points=2)
    return Station(ID, parts, tasks.by_name)


def _triangle(desk: Desk) -> Table:
    """Which tokens each token may look at."""
    n, few = desk.n, not legend(desk)
    heads = [word if few else f"{i + 1}\N{NO-BREAK SPACE}{word}" for i, word in enumerate(desk.words)]
    rows = tuple(Row(heads[i], tuple(Words("✓") if j <= i else Hidden() for j in range(n))) for i in range(n))
    columns = desk.words if few else tuple(str(j + 1) for j in range(n))
    return Table(columns, rows, (WORD_WIDTH,) + (min(134.0 / n, 20.0),) * n, dense=not few)


def _compare(desk: Desk) -> Table:
    """The example token without and with the mask, side by side."""
    rows = []
    token = desk.example
    for head, at in (("ohne Maske", "unmasked.head1."), ("mit Maske", "block1.head1.")):
        seen = seen_by(desk, at + "weight", token)
        best = desk.strongest(at + "weight", token)
        rows.append(
            Row(
                head,
                (
                    Words(str(len(seen))),
                    Words(desk.words[best]),
                    desk.number(at + "weight", token, best),
                    desk.vector(at + "output", token),
                ),
            )
        )
    return Table(("seen", "strongest", "weight", "output"), tuple(rows), (WORD_WIDTH, 24.0, 32.0, 24.0, 0.0))


def _arcs(desk: Desk) -> Figure:
    return attention_arcs(
        desk,
        "unmasked.head1.weight",
        desk.example,
        below="block1.head1.weight",
        notes=("ohne Maske", "mit Maske"),
    )


def _head(desk: Desk, block: str, k: int, tasks: Tasks) -> dict[str, Any]:
    at = f"{block}head{k}."
    first = k == 1 and block == "block1."
    masked = desk.calculation.model.causal_mask
    known, done = first and masked, first and not masked and desk.printed("4a")
    tokens = desk.exercises if k == 1 else desk.exercises[:1]
    # The last token sees all: with station 4a at hand there is nothing new to compute for it.
    unchanged = known and desk.printed("4a") and len(tokens) > 1 and tokens[-1] == desk.n - 1
    computed = tokens[:-1] if unchanged else tokens
    names = [at + "query", at + "key", at + "value"]
    exercises = [] if done else [_exercise(desk, at, token, tasks) for token in computed]
    steps = steps_table(desk, at, desk.example, blank=False)
    matrix = None if done else weight_matrix(desk, at + "weight", tokens)
    return {
        "number": k,
        "done": done,
        "matrices": {W: desk.matrix(at + W) for W in ("W_Q", "W_K", "W_V")},
        "qkv": vectors(desk, names),
        "known": known,
        "unchanged": unchanged,
        "example": steps if k == 1 else None,
        "score_lines": score_lines(desk, at, desk.example, steps, 1),
        "sum_line": weighted_sum_line(desk, at, desk.example, 0),
        "first": desk.number(at + "output", desk.example, 0),
        "example_output": desk.vector(at + "output", desk.example),
        "exercises": exercises,
        "matrix": matrix,
    }


def _exercise(desk: Desk, at: str, token: int, tasks: Tasks) -> dict[str, Any]:
    exercise = head_exercise(desk, at, token)
    name = f"{at}{token}"
    tasks.add(name, "Berechne", "I", exercise["table"], exercise["output"])
    return exercise | {"task": name}


def _together(desk: Desk, at: str, tasks: Tasks) -> dict[str, Any]:
    identity = bool(np.array_equal(desk.calculation.model.weights[at + "W_O"], np.eye(desk.sizes.d_model)))
    # Only the first exercise token went through every head: its row comes from the pupil's own work.
    token = desk.exercises[0]
    concat = component_table(desk, at + "concat", [token])
    attention = component_table(desk, at + "attention", [token])
    tasks.add("concat", "Setze", "I", concat, points=max(1, desk.sizes.n_heads))
    tasks.add("attention", "Bestimme", "I", attention, points=1 if identity else None)
    first_column = [row[0] for row in desk.matrix(at + "W_O")]
    first = desk.number(at + "attention", desk.example, 0)
    return {
        "token": desk.words[token],
        "concat": concat,
        "attention": attention,
        "W_O": desk.matrix(at + "W_O"),
        "identity": identity,
        "output_line": products_line(desk, desk.numbers(at + "concat", desk.example), first_column, first),
        "output_first": first,
    }


def _subscript(number: int) -> str:
    return "".join("₀₁₂₃₄₅₆₇₈₉"[int(digit)] for digit in str(number))


def _asked(desk: Desk, block: int) -> Table | None:
    """What each head searches, offers and takes, where its matrices pick components."""
    if desk.options.weight_style != "auswahl" or any(".W_" in name for name in desk.built.given.weights):
        return None
    names = [meaning.name for meaning in dimension_meanings(desk.sizes.d_model)]
    rows = []
    for k in range(1, desk.sizes.n_heads + 1):
        cells = tuple(
            Words("; ".join(f"x{_subscript(c + 1)} {names[c]}" for c in taken), small=True)
            for taken in picks(desk.sizes, block, k)
        )
        rows.append(Row(f"Head {k}", cells))
    return Table(("searches", "offers", "takes"), tuple(rows), (20.0, 0.0, 0.0, 0.0))
