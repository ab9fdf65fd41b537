"""The way back through the other layers: LayerNorm, feed-forward, residual; and all changed weights."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
from markupsafe import Markup

from generator.desk import Desk
from generator.sheet import Cell, Number, Row, Solution, Table, Vector, Words
from generator.stations.add_norm import SECOND_ID
from generator.stations.common import Tasks
from generator.stations.further_block import identifier
from generator.stations.learning_attention import worked_out_before
from generator.stations.learning_output import wrong_words
from generator.stations.learning_tables import columns_table, counted, learning_of, products_line
from generator.stations.output import word_vector

_MOST_UNITS: Final = 8  # hidden units left to the pupil
_MOST_TERMS: Final = 12  # products of one sum
_MOST_SAMPLES: Final = 12  # changed weights left to the pupil
_MOST_MATRIX_CELLS: Final = 300  # new weights that are printed in full
_TEXT_WIDTH: Final = 165.0  # mm


def layers_part(desk: Desk, tasks: Tasks) -> dict[str, Any]:
    """From the logits to the attention layer of the last block, the last token's row.

    What the pupil works out in one step is left to be copied in the next: components are chosen so that the
    first, worked through in both norms, is never among them.
    """
    block = f"block{desk.sizes.n_blocks}."
    d = desk.sizes.d_model
    last_block = "5" if desk.sizes.n_blocks == 1 else identifier(desk.sizes.n_blocks)
    parts: dict[str, Any] = {
        "last": desk.words[-1],
        "sources": {
            "norm1": f"Station\N{NO-BREAK SPACE}{last_block}",
            "norm2": f"Station\N{NO-BREAK SPACE}{SECOND_ID if desk.sizes.n_blocks == 1 else last_block}",
        },
    }
    parts["vector"] = _last_vector(desk, f"gradient.{block}norm2.output", tasks)
    component = _component(desk, block)
    copied = {1, d - 1}
    parts["norm2"] = _norm(desk, block + "norm2.", block + "residual2", {component}, copied, tasks)
    parts["ffn"] = _feed_forward(desk, block, component, tasks)
    copied = {component}
    parts["norm1"] = _norm(
        desk, block + "norm1.", block + "residual1", worked_out_before(desk), copied, tasks
    )
    return parts


def _last_vector(desk: Desk, name: str, tasks: Tasks) -> dict[str, Any]:
    d, words = desk.sizes.d_model, range(len(desk.vocabulary))
    components = sorted({1, d - 1})
    gradient = [desk.number(name, desk.n - 1, c, blank=c in components) for c in range(d)]
    tasks.add("last_vector", "Bestimme", "I", gradient, points=2 * len(components))
    errors = desk.numbers("gradient.logit")
    lines = [products_line(desk, errors, [word_vector(desk, w)[c] for w in words]) for c in components]
    table = Table(
        tuple(counted(d)), tuple(Row(desk.vocabulary[w], tuple(word_vector(desk, w))) for w in words)
    )
    width = min(16.0, (_TEXT_WIDTH - 28.0) / d)
    table = Table(table.columns, table.rows, (27.0,) + (width,) * d, dense=d > 8)
    return {
        "words": table,
        "lines": lines,
        "gradient": columns_table(counted(d), {"gradient": gradient}, narrow=True),
        "some_wrong": bool(wrong_words(desk)),
    }


def _norm(desk: Desk, at: str, x: str, empty: set[int], copied: set[int], tasks: Tasks) -> dict[str, Any]:
    """LayerNorm backwards with its values given; empty: the components to do, never the first.

    copied: components whose gradient the pupil has just worked out.
    """
    last, d, task = desk.n - 1, desk.sizes.d_model, at.split(".")[-2]
    name, known = f"gradient.{at}normalised", norm_copied(desk, at)
    gamma = [desk.weight(at + "gamma", c) for c in range(d)]
    stretched = not _is_one(desk, at)
    g = [desk.number(name, last, c, blank=c in copied) for c in range(d)]
    hat = desk.numbers(at + "normalised", last, blank=known and not stretched)
    result = [desk.number(f"gradient.{x}", last, c, blank=c in empty) for c in range(d)]
    table = columns_table(counted(d), {"g": g, "hat": hat, "result": result}, example=0, narrow=True)
    tasks.add(task, "Berechne", "II", table, points=2 * len(empty) + len(copied) // 2)
    average = desk.number(f"gradient.{at}average", last)
    overlap = desk.number(f"gradient.{at}overlap", last)
    std = desk.number(at + "std", last, blank=known)
    inner = f"{g[0].text} − {_in_brackets(average)} − {desk.products([hat[0]], [overlap])}"
    return {
        "task": task,
        "table": table,
        "average": average,
        "overlap": overlap,
        "std": std,
        "copied": known,
        "hat_copied": hat[0].blank,
        "stretch": Vector(tuple(gamma)) if stretched else None,
        "line": None if known else f"({inner}) : {std.text}",
        "tolerance": desk.tolerance(d, desk.options.nachkommastellen + 2),
        "first": result[0],
        "sum": desk.check_sum(f"gradient.{x}", [(last, c) for c in range(d)]),
    }


def norm_copied(desk: Desk, at: str) -> bool:
    """Whether the pupil has worked out this norm of the last token in the same sheet."""
    station = "5" if at == "block1.norm1." else SECOND_ID
    return desk.printed(station) and desk.n - 1 in desk.exercises


def _is_one(desk: Desk, at: str) -> bool:
    weights = desk.calculation.model.weights
    return bool(np.all(weights[at + "gamma"] == 1) and np.all(weights[at + "beta"] == 0))


def _in_brackets(number: Number) -> str:
    return f"({number.text})" if number.text.startswith("\N{MINUS SIGN}") else number.text


def _feed_forward(desk: Desk, block: str, component: int, tasks: Tasks) -> dict[str, Any]:
    """ReLU lets a gradient through where its unit was above 0; then W_1, and the sum with the residual."""
    last, at = desk.n - 1, block + "ffn."
    units = desk.sizes.d_ff
    hidden = [desk.number(f"gradient.{at}hidden", last, h, blank=h < _MOST_UNITS) for h in range(units)]
    rows = desk.calculation.model.weights[at + "W_2"]
    same = [h for h in range(units) if rows[h, component] == 1 and np.count_nonzero(rows[h]) == 1]
    activation = f"gradient.{at}activation"
    table = columns_table(
        counted(units),
        {
            "hidden": _forward(desk, block),
            "activation": [desk.number(activation, last, h, blank=h in same) for h in range(units)],
            "gradient": hidden,
        },
        narrow=True,
    )
    tasks.add("relu", "Bestimme", "I", table)
    tasks.add("dead", "Deute", "II", points=2)
    weights = desk.calculation.model.weights[at + "W_1"]
    terms = [h for h in range(units) if weights[component, h]]
    direct = desk.number(f"gradient.{block}residual2", last, component)
    total = desk.number(f"gradient.{block}norm1.output", last, component, blank=len(terms) <= _MOST_TERMS)
    tasks.add("residual", "Bestimme", "II", total, points=2)
    through = desk.products(
        [hidden[h] for h in terms], [desk.weight(at + "W_1", component, h) for h in terms]
    )
    tasks.add("adds", "Begründe", "II", points=2)
    given = desk.numbers(f"gradient.{block}norm1.output", last)
    return {
        "table": table,
        "flowing": [str(h + 1) for h in range(units) if desk.quantity(at + "hidden").values[last, h] > 0],
        "component": component + 1,
        "same": [str(h + 1) for h in same],
        "row": [(h + 1, desk.weight(at + "W_1", component, h)) for h in terms],
        "line": Solution(f"{direct.text} + {through}" if terms else direct.text, rows=1 + len(terms) // 4),
        "total": total,
        "others": [(c + 1, number) for c, number in enumerate(given) if c != component],
    }


def _forward(desk: Desk, block: str) -> Sequence[Cell]:
    """What ReLU was given; its sign alone where the number would tell the pupil's own normalised vector."""
    hidden = desk.numbers(block + "ffn.hidden", desk.n - 1)
    if not norm_copied(desk, block + "norm1."):
        return hidden
    values = desk.quantity(block + "ffn.hidden").values[-1]
    return [Words("> 0" if value > 0 else "≤ 0") for value in values]


def _component(desk: Desk, block: str) -> int:
    """The component, not the first, that gets most back through W_1, of those with few enough terms."""
    weights = desk.calculation.model.weights[block + "ffn.W_1"]
    flow = np.abs(weights @ desk.quantity(f"gradient.{block}ffn.hidden").values[-1])
    few = (weights != 0).sum(1) <= _MOST_TERMS
    return 1 + int(np.argmax(np.where(few, flow, -1.0)[1:]))


def changed_part(desk: Desk, tasks: Tasks, done: Iterable[Number]) -> dict[str, Any]:
    """Every changed weight by its entry with the largest gradient; small models: all new numbers too.

    done: what the pupil has worked out already, e.g. in the matrices of one head; it is not printed again.
    """
    names = [name[len("step.") :] for name in learning_of(desk).names if name.startswith("step.block")]
    withheld = {(number.name, number.index) for number in done if number.blank}
    cells = sum(desk.quantity("step." + name).values.size for name in names)
    shown = names if cells <= _MOST_MATRIX_CELLS else []
    of_steps = {name for name, _ in withheld}
    sampled = [name for name in names if "step." + name not in of_steps]
    known = _values(desk, withheld)
    largest = {name: _largest(desk, name, known) for name in sampled}
    samples = {name: place for name, place in largest.items() if place is not None}
    sampled = list(samples)
    withheld |= {("step." + name, index) for name, index in samples.items()}
    written = _values(desk, withheld)
    empty = set(sampled[:: max(1, -(-len(sampled) // _MOST_SAMPLES))])
    columns: dict[str, Sequence[Cell]] = {
        "place": [Words(_place(samples[name])) for name in sampled],
        "gradient": [desk.number("gradient." + name, *samples[name]) for name in sampled],
        "old": [desk.weight(name, *samples[name]) for name in sampled],
        "new": [desk.number("step." + name, *samples[name], blank=name in empty) for name in sampled],
    }
    table = columns_table([_label(desk, name) for name in sampled], columns) if sampled else []
    if table:
        tasks.add("changed", "Berechne", "I", table)
    full = [_in_full(desk, name, written) for name in shown]
    return {"table": table, "full": full, "count": desk.constant(cells, 0)}


def _values(desk: Desk, cells: Iterable[tuple[str, tuple[int, ...]]]) -> frozenset[float]:
    """The numbers of some cells as they are, unrounded: those of a bias are those of its layer's gradient."""
    exact = learning_of(desk).exact
    found = (_unrounded(float(exact[name].values[index])) for name, index in cells if name in exact)
    return frozenset(value for value in found if value not in (0.0, 1.0, -1.0))


def _unrounded(value: float) -> float:
    """Numbers that differ by less than any calculation does are the same."""
    return round(value, 11)


def _largest(desk: Desk, name: str, known: frozenset[float]) -> tuple[int, ...] | None:
    """The place of the largest gradient that the pupil has not worked out elsewhere under another name.

    None where nothing else changes.
    """
    values = learning_of(desk).exact["gradient." + name].values
    order = [np.unravel_index(place, values.shape) for place in np.argsort(-np.abs(values), axis=None)]
    places = [tuple(int(i) for i in place) for place in order]
    own = [place for place in places if _unrounded(float(values[place])) not in known]
    changing = [place for place in own if desk.quantity("gradient." + name).values[place]]
    return next(iter(changing), None)


def _place(index: tuple[int, ...]) -> str:
    return " | ".join(str(i + 1) for i in index)


def _in_full(desk: Desk, name: str, written: frozenset[float]) -> dict[str, Any]:
    """All new numbers of a weight; a dot for those that stand above or are the pupil's."""
    exact = learning_of(desk).exact["step." + name].values
    quantity = desk.quantity("step." + name)
    vector = quantity.values.ndim == 1
    rows, columns = (1, quantity.values.size) if vector else quantity.values.shape

    def cell(i: int, j: int) -> Cell:
        index = (j,) if vector else (i, j)
        known = _unrounded(float(exact[index])) in written
        return Words("·") if known else desk.number("step." + name, *index)

    width = min(14.0, (_TEXT_WIDTH - 12.0) / columns)
    body = tuple(Row(str(i + 1), tuple(cell(i, j) for j in range(columns))) for i in range(rows))
    return {
        "label": _label(desk, name),
        "table": Table(tuple(counted(columns)), body, (8.0,) + (width,) * columns, dense=True),
    }


_SYMBOLS: Final = {
    "W_Q": "W<sub>Q</sub>",
    "W_K": "W<sub>K</sub>",
    "W_V": "W<sub>V</sub>",
    "W_O": "W<sub>O</sub>",
    "W_1": "W<sub>1</sub>",
    "W_2": "W<sub>2</sub>",
    "b_1": "b<sub>1</sub>",
    "b_2": "b<sub>2</sub>",
    "gamma": "γ",
    "beta": "β",
}


def _label(desk: Desk, name: str) -> Markup:
    """W_Q of head 1, in block 2: how the table of changed weights calls them."""
    block, *middle, last = name.split(".")
    of = {"head": "Head ", "norm": "Norm ", "ffn": "FFN"}
    kinds = [part.rstrip("0123456789") for part in middle]
    where = [of[kind] + part.removeprefix(kind) for kind, part in zip(kinds, middle, strict=True)]
    if desk.sizes.n_blocks > 1:
        where.insert(0, "B" + block.removeprefix("block"))
    return Markup(", ".join([*where, _SYMBOLS[last]]))
