"""Station 6, feed-forward: each token alone, through W_1, ReLU and W_2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH, blank_width
from generator.sheet.sheet import (
    CellContent,
    Line,
    Number,
    Parts,
    Row,
    Solution,
    Table,
    Words,
    parts,
    walk,
)
from generator.sheet.wording import bracketed
from generator.stations.before_after import before_after, key_only, told
from generator.stations.check_tolerances import hidden_probe, hidden_tolerance, output_tolerance
from generator.stations.common import Tasks, cut_columns, even_size, given_vector, in_parts
from generator.stations.feed_forward.figures import network, relu_graph

_UNIT_WIDTH: Final = 12.0  # mm, the column that counts the rows
_DENSE_UNIT_WIDTH: Final = 7.0
_ROOM: Final = TEXT_WIDTH - 3.0  # mm for the columns of a table
_LETTER: Final = 1.5  # mm that a letter of a line of products takes
_MOST_ROWS: Final = 16  # rows of 10 mm that stay together
_MOST_GIVEN_ROWS: Final = 32
_MOST_LINES: Final = 44  # of the example's products; with more only the first rows are written out
_ALL_LINES: Final = 4  # of an example that all stand there
_LEAST_OPEN: Final = 2  # units that a worked word sends through ReLU
_LINES_TO_WRITE: Final = 2  # of products that fit a row for the hand
HIDDEN: Final = ("hidden", "activation")
OUTPUT: Final = ("output",)


def station(desk: Desk, tasks: Tasks) -> Parts:
    ffn = feed_forward(desk, 1, tasks)
    tasks.add("strip", "Begründe", "III", points=3)
    z, f = "block1.norm1.output", "block1.ffn.output"
    return parts(ffn=ffn, strip=before_after(desk, ("z", z), ("f", f)), says=_says(desk, f))


def _says(desk: Desk, name: str) -> Solution:
    """What the network does to the word of the path, and how much of it ReLU switches off."""
    values = desk.quantity("block1.ffn.hidden").values[desk.path]
    off = int(np.sum(values < 0))
    relu = f"ReLU setzt {off} von {len(values)} Zahlen u auf 0" if off else "ReLU lässt hier alles stehen"
    if not np.any(desk.quantity(name).values[desk.path]):
        return key_only(f"Nichts: f ist überall 0. {relu}")
    return key_only(f"{told(desk, name, 'f')}. {relu}")


def feed_forward(desk: Desk, block: int, tasks: Tasks, example: bool = True) -> Parts:
    """The parts of one feed-forward network.

    example: whether one token is worked through first; without it the pupil's vectors stand nearby and not
    again.
    """
    at = f"block{block}.ffn."
    z = f"block{block}.norm1.output"
    weights = desk.calculation.model.weights
    copied = not example or desk.asks(z)
    return parts(
        W_1=matrix_tables(desk, at + "W_1"),
        W_2=matrix_tables(desk, at + "W_2"),
        biases={b: given_vector(desk, at + b) for b in ("b_1", "b_2") if np.any(weights[at + b])},
        example=_example(desk, at, z) if example else None,
        exercises=[_exercise(desk, at, z, desk.path, tasks, copied, example)],
        copied=copied,
        silent=not weights[at + "W_1"].any(0).all(),
    )


def matrix_tables(desk: Desk, name: str) -> list[Table]:
    """A given matrix with counted rows and columns, in as many tables as the page needs."""
    rows = desk.matrix(name)
    longest = max(len(number.text) for number in walk(rows, Number))
    dense = len(rows[0]) > 8 or len(rows) > 12
    unit = _DENSE_UNIT_WIDTH if dense else _UNIT_WIDTH
    width = 0.9 + 1.45 * max(2, longest) if dense else max(10.0, 2.8 + 1.95 * longest)
    width = max(width, min(7.0, (_ROOM - unit) / len(rows[0])))
    most = int((_ROOM - unit) / width + 1e-9)
    columns = tuple(str(c + 1) for c in range(len(rows[0])))
    counted = tuple(Row(str(i), row) for i, row in enumerate(rows, 1))
    whole = Table(columns, counted, (unit,), dense)
    return [
        replace(table, rows=part)
        for table in cut_columns(whole, even_size(len(columns), most), width)
        for part in in_parts(table.rows, _MOST_GIVEN_ROWS)
    ]


def worked_token(desk: Desk, at: str) -> int:
    """The sheet's example, or another word where the network has too little to say to that one."""
    W_1, W_2 = desk.given(at + "W_1"), desk.given(at + "W_2")
    heard = W_1.any(0) & W_2.any(1)  # (d_ff,): units that depend on the word, and are passed on
    open_units = (desk.quantity(at + "hidden").values > 0) @ heard.astype(int)  # (n,)
    others = [token for token in range(desk.n) if token != desk.path] or [desk.example]
    if desk.example in others and open_units[desk.example] >= _LEAST_OPEN:
        return desk.example
    return max(others, key=lambda token: (open_units[token], token == desk.example))


def _example(desk: Desk, at: str, z: str) -> Parts:
    token, weights = worked_token(desk, at), [desk.given(at + W) for W in ("W_1", "W_2")]
    hidden = _filled(desk, _lines(desk, z, at + "W_1", at + "b_1", token), at, token, HIDDEN)
    lines = _lines(desk, at + "activation", at + "W_2", at + "b_2", token)
    output = _filled(desk, lines, at, token, OUTPUT)
    return parts(
        word=desk.words[token],
        z=desk.vector(z, token),
        hidden=hidden,
        output=output,
        shortened=any(words.text == "…" for words in walk((hidden, output), Words)),
        network=network(desk, at, token),
        differ=any(len(np.unique(np.abs(matrix[matrix != 0]))) > 1 for matrix in weights),
        relu=relu_graph(desk, at, token),
    )


def _exercise(desk: Desk, at: str, z: str, token: int, tasks: Tasks, copied: bool, alone: bool) -> Parts:
    hidden = _empty(
        desk, _lines(desk, z, at + "W_1", at + "b_1", token), at, token, HIDDEN, desk.more and not copied
    )
    lines = _lines(desk, at + "activation", at + "W_2", at + "b_2", token)
    output = _empty(desk, lines, at, token, OUTPUT, False)
    tasks.add(f"hidden{token}", "Berechne", "I", hidden)
    tasks.add(f"output{token}", "Berechne", "I", output)
    return parts(
        token=desk.words[token],
        z=desk.vector(z, token) if alone and not copied else None,
        hidden=hidden,
        output=output,
        hidden_task=f"hidden{token}",
        output_task=f"output{token}",
        hidden_sum=desk.check_sum(at + "hidden", [(token, i) for i in range(desk.sizes.d_ff)]),
        output_sum=desk.check_sum(at + "output", [(token, i) for i in range(desk.sizes.d_model)]),
        hidden_tolerance=hidden_tolerance(desk, at),
        output_tolerance=output_tolerance(desk, at, copied),
        probe=hidden_probe(desk, at) if copied else None,
    )


def _lines(desk: Desk, left: str, matrix: str, bias: str, token: int) -> list[Line]:
    """For each column of the matrix the products of a row of numbers with it; weights of 0 are left out."""
    vector = desk.numbers(left, token)
    weights = desk.calculation.model.weights
    biases = given_vector(desk, bias) if np.any(weights[bias]) else None
    lines = []
    for column in range(weights[matrix].shape[1]):
        used = [i for i in range(len(vector)) if weights[matrix][i, column] != 0]
        line = desk.products([vector[i] for i in used], [desk.weight(matrix, i, column) for i in used])
        if biases is not None:
            bias_text = bracketed(biases[column]) if used else biases[column].text
            line += f" + {bias_text}" if used else bias_text
        lines.append(line if line.parts else Line((desk.constant(0, 0),)))
    return lines


def _rows_of_text(desk: Desk, line: Line, steps: Sequence[str]) -> int:
    room = _ROOM - _UNIT_WIDTH - len(steps) * blank_width(desk.options.nachkommastellen)
    return -(-len(line.text) // int(room / _LETTER))


def _filled(desk: Desk, lines: Sequence[Line], at: str, token: int, steps: Sequence[str]) -> list[Table]:
    """Every product written out, or those of the first rows where there are too many for a page."""
    heights = [_rows_of_text(desk, line, steps) for line in lines]
    matrix = desk.given(at + ("W_1" if steps == HIDDEN else "W_2"))
    shown = len(lines) if sum(heights) <= _MOST_LINES else max(2, _MOST_LINES // (2 * max(heights)))
    rows = []
    for i, line in enumerate(lines):
        if len(lines) > _ALL_LINES and not np.any(matrix[:, i]):
            continue  # it is the same for every word
        cells: list[CellContent] = [line.cell() if i < shown else Words("…", small=True)]
        rows.append(Row(str(i + 1), (*cells, *(desk.number(at + step, token, i) for step in steps))))
    return _tables(desk, rows, steps, True, _MOST_GIVEN_ROWS)


def _empty(
    desk: Desk, lines: Sequence[Line], at: str, token: int, steps: Sequence[str], products_given: bool
) -> list[Table]:
    """A row for each component to fill; with room for the products where a hand can write them there."""
    fits = all(_rows_of_text(desk, line, steps) <= _LINES_TO_WRITE for line in lines)
    with_products = fits and not desk.less
    rows = []
    matrix = desk.given(at + ("W_1" if steps == HIDDEN else "W_2"))
    for i, line in enumerate(lines):
        worked = bool(np.any(matrix[:, i]))  # else it is a bias, or 0, for every word
        product: list[CellContent] = [line.cell() if products_given or not worked else Solution(line.text)]
        cells = [desk.number(at + step, token, i, blank=worked) for step in steps]
        rows.append(Row(str(i + 1), (*(product if with_products else []), *cells)))
    return _tables(desk, rows, steps, with_products, _MOST_ROWS)


def _tables(desk: Desk, rows: Sequence[Row], steps: Sequence[str], products: bool, most: int) -> list[Table]:
    columns = (*(("products",) if products else ()), *steps)
    width = blank_width(desk.options.nachkommastellen)
    widths = (_UNIT_WIDTH, *((0.0,) if products else ()), *(width,) * len(steps))
    return [Table(columns, part, widths) for part in in_parts(rows, most)]
