"""Station 6, feed-forward: each token alone, through W_1, ReLU and W_2."""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from engine.numbers.arrays import Floats
from generator.figures.drawing import Canvas, Point
from generator.figures.parts import quoted, subscript, value
from generator.sheet.columns import Column
from generator.sheet.desk import Desk
from generator.sheet.fields import blank_width
from generator.sheet.sheet import Drawing, Figure, Finding, Line, Parts, Row, Solution, Table, parts
from generator.stations.before_after import before_after, told
from generator.stations.common import (
    ROOM,
    Tasks,
    even_size,
    given_vector,
    in_parts,
    matrix_tables,
    points_of_products,
)
from generator.stations.worked_lines import hidden_probe, honest_sum

_LETTER: Final = 1.5  # mm that a letter of a line of products takes
_MOST_ROWS: Final = 16  # rows of 10 mm that stay together
_ALL_LINES: Final = 5  # of products that an example writes out; of more the first, and the others' results
_FIRST_LINES: Final = 2
_LEAST_OPEN: Final = 2  # units that a worked word sends through ReLU
_LINES_TO_WRITE: Final = 2  # of products that fit a row for the hand
HIDDEN: Final = ("hidden", "activation")
_SIGNS: Final = {"hidden": "u", "activation": "ReLU(u)", "output": "f"}
OUTPUT: Final = ("output",)
_MOST_DRAWN: Final = 140  # weights other than 0 that can still be told apart
_PITCH: Final = 3.4  # mm from one node to the next
_HIGHEST: Final = 48.0
_TOP: Final = 5.0
_LAYERS: Final = (8.0, 34.0, 60.0)  # x of the nodes
_UNIT, _UNIT_PITCH = 3.2, 9.0  # mm, radius of a unit and from one to the next
_BY_HAND: Final = 3  # units; the rest is given
_MOST_RESTING: Final = 9  # side by side
_RADIUS: Final = 1.5
_WIDTH: Final = 68.0
_REACH: Final = 20.0  # mm of the graph of ReLU to either side
_NEGATIVE: Final = "1.4 0.9"


def station(desk: Desk, tasks: Tasks) -> Parts:
    ffn = feed_forward(desk, 1, tasks)
    tasks.add("strip", "Begründe", "III", points=3)
    z, f = "block1.norm1.output", "block1.ffn.output"
    return parts(ffn=ffn, strip=before_after(desk, ("z", z), ("f", f), added=True), says=_says(desk, f))


def _says(desk: Desk, name: str) -> Finding:
    """What the network does to the word of the path, and how much of it ReLU switches off."""
    values = desk.quantity("block1.ffn.hidden").values[desk.path]
    case = "some_off" if np.any(values < 0) else "none_off"
    brought = told(desk, name) if np.any(desk.quantity(name).values[desk.path]) else None
    off, already = (int(np.sum(which)) for which in (values < 0, values == 0))
    return Finding(brought=brought, case=case, off=off, already=already, units=len(values))


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
    token = worked_token(desk, at)
    lines = _lines(desk, at + "activation", at + "W_2", at + "b_2", token)
    return parts(
        word=desk.words[token],
        z=desk.vector(z, token),
        hidden=_filled(desk, _lines(desk, z, at + "W_1", at + "b_1", token), at, token, HIDDEN),
        output=_filled(desk, lines, at, token, OUTPUT),
        relu=relu_graph(desk, at, token),
    )


def _exercise(desk: Desk, at: str, z: str, token: int, tasks: Tasks, copied: bool, alone: bool) -> Parts:
    units = units_by_hand(desk, at, token)
    hidden = _empty(
        desk,
        _lines(desk, z, at + "W_1", at + "b_1", token),
        at,
        token,
        HIDDEN,
        desk.more and not copied,
        units,
    )
    lines = _lines(desk, at + "activation", at + "W_2", at + "b_2", token)
    output = _empty(desk, lines, at, token, OUTPUT, False)
    tasks.add(
        f"hidden{token}", "Berechne", "I", hidden, points=points_of_products(len(units), desk.sizes.d_model)
    )
    tasks.add(
        f"output{token}", "Berechne", "I", output, points=points_of_products(desk.sizes.d_model, len(units))
    )
    return parts(
        token=desk.words[token],
        z=desk.vector(z, token) if alone else None,
        hidden=hidden,
        output=output,
        hidden_task=f"hidden{token}",
        output_task=f"output{token}",
        units=[str(unit + 1) for unit in units],
        rest=_results(desk, at, token, [i for i in range(desk.sizes.d_ff) if i not in units], HIDDEN),
        network=network(desk, at, token, units) if alone else None,
        differ=any(
            len(np.unique(np.abs(matrix[matrix != 0]))) > 1
            for matrix in (desk.given(at + "W_1")[:, units], desk.given(at + "W_2")[units])
        ),
        hidden_check=honest_sum(desk, at + "hidden", [(token, i) for i in units]),
        output_check=honest_sum(desk, at + "output", [(token, i) for i in range(desk.sizes.d_model)]),
        probe=hidden_probe(desk, at, units) if copied else None,
    )


def units_by_hand(desk: Desk, at: str, token: int) -> list[int]:
    """The hidden units that the pupil works out: one that sleeps and those that say most, else all."""
    hidden = desk.quantity(at + "hidden").values[token]
    heard = np.flatnonzero(desk.given(at + "W_1").any(0))
    if desk.less or len(hidden) <= _BY_HAND:
        return list(range(len(hidden)))
    says = np.abs(desk.given(at + "W_2")).max(1) * hidden  # (d_ff,)
    awake = sorted((i for i in heard if hidden[i] > 0), key=lambda i: (-says[i], i))
    asleep = sorted((i for i in heard if hidden[i] <= 0), key=lambda i: (hidden[i], i))
    chosen = [*asleep[:1], *awake, *asleep[1:]][:_BY_HAND]
    return sorted(map(int, chosen))


def _results(desk: Desk, at: str, token: int, places: Sequence[int], steps: Sequence[str]) -> list[Table]:
    """What is given, side by side."""
    if not places:
        return []
    size = even_size(len(places), _MOST_RESTING)
    parts = [places[i : i + size] for i in range(0, len(places), size)]
    width = max(Column.PRINTED, 7.0 + 1.9 * desk.options.nachkommastellen)  # of a number with its sign
    return [
        Table(
            tuple(str(unit + 1) for unit in part),
            tuple(Row(_SIGNS[step], tuple(desk.number(at + step, token, i) for i in part)) for step in steps),
            (Column.STEP, *(width,) * len(part)),
        )
        for part in parts
    ]


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
            line += f" + {biases[column].bracketed}" if used else biases[column].text
        lines.append(line if line.parts else Line((desk.constant(0, 0),)))
    return lines


def _rows_of_text(desk: Desk, line: Line, steps: Sequence[str]) -> int:
    room = ROOM - Column.UNIT - len(steps) * blank_width(desk.options.nachkommastellen)
    return -(-len(line.text) // int(room / _LETTER))


def _filled(desk: Desk, lines: Sequence[Line], at: str, token: int, steps: Sequence[str]) -> list[Table]:
    """Every product written out; of many those of the first rows, and what the others give."""
    matrix = desk.given(at + ("W_1" if steps == HIDDEN else "W_2"))
    # a column of zeros gives the same for every word
    places = [i for i in range(len(lines)) if len(lines) <= _ALL_LINES or np.any(matrix[:, i])]
    shown = len(places) if len(places) <= _ALL_LINES else _FIRST_LINES
    rows = [
        Row(str(i + 1), (lines[i].cell(), *(desk.number(at + step, token, i) for step in steps)))
        for i in places[:shown]
    ]
    return [*_tables(desk, rows, steps, True, _MOST_ROWS), *_results(desk, at, token, places[shown:], steps)]


def _empty(
    desk: Desk,
    lines: Sequence[Line],
    at: str,
    token: int,
    steps: Sequence[str],
    products_given: bool,
    units: Sequence[int] | None = None,
) -> list[Table]:
    """A row for each component to fill, or for these units; with room for the products where a hand can write
    them there.
    """
    fits = all(_rows_of_text(desk, line, steps) <= _LINES_TO_WRITE for line in lines)
    with_products = fits and not desk.less
    rows = []
    matrix = desk.given(at + ("W_1" if steps == HIDDEN else "W_2"))
    for i, line in enumerate(lines):
        if units is not None and i not in units:
            continue
        worked = bool(np.any(matrix[:, i]))  # else it is a bias, or 0, for every word
        products = line.cell() if products_given or not worked else Solution(line.text)
        cells = tuple(desk.number(at + step, token, i, blank=worked) for step in steps)
        rows.append(Row(str(i + 1), (products, *cells) if with_products else cells))
    return _tables(desk, rows, steps, with_products, _MOST_ROWS)


def _tables(desk: Desk, rows: Sequence[Row], steps: Sequence[str], products: bool, most: int) -> list[Table]:
    columns = (*(("products",) if products else ()), *steps)
    width = blank_width(desk.options.nachkommastellen)
    widths = (Column.UNIT, *((Column.REST,) if products else ()), *(width,) * len(steps))
    return [Table(columns, part, widths) for part in in_parts(rows, most)]


def network(desk: Desk, at: str, token: int, units: Sequence[int]) -> Figure | None:
    """The units that are worked out by hand; solid lines for positive, dashed for negative weights.

    Thick lines are large weights. On the key alone, units that ReLU sets to 0 for the token are black, the
    others have a thick edge. None where too many lines would stand there.
    """
    first, second = desk.given(at + "W_1")[:, units], desk.given(at + "W_2")[units]
    if np.count_nonzero(first) + np.count_nonzero(second) > _MOST_DRAWN:
        return None
    counts = (first.shape[0], len(units), second.shape[1])
    high = max(min(_PITCH * counts[0], _HIGHEST), _UNIT_PITCH * counts[1])
    nodes = [
        [(x, _TOP + high * (k + 0.5) / count) for k in range(count)]
        for x, count in zip(_LAYERS, counts, strict=True)
    ]
    off = [unit for unit in units if value(desk, at + "hidden", token, unit) <= 0]
    foot = _TOP + high + 3.2

    def draw(filled: bool) -> Drawing:
        canvas = Canvas()
        _edges(canvas, first, nodes[0], nodes[1])
        _edges(canvas, second, nodes[1], nodes[2])
        for k, (place, end) in enumerate(zip(nodes[0], nodes[2], strict=True)):
            canvas.circle(place, _RADIUS, 0.35)
            canvas.circle(end, _RADIUS, 0.35)
            canvas.text((place[0] - 2.2, place[1] + 0.9), f"z{subscript(k + 1)}", 2.6, "end")
            canvas.text((end[0] + 2.2, end[1] + 0.9), f"f{subscript(k + 1)}", 2.6)
        for unit, place in zip(units, nodes[1], strict=True):
            black = filled and unit in off
            canvas.circle(place, _UNIT, 0.7 if filled else 0.35, filled=black)
            name = f"u{subscript(unit + 1)}"
            canvas.text((place[0], place[1] + 0.9), name, 2.6, "middle", white=black)
        for x, name in ((21.0, "W₁"), (47.0, "W₂")):
            canvas.text((x, 2.6), name, 2.8, "middle")
        canvas.line((10.0, foot - 0.9), (16.0, foot - 0.9), 0.5)
        canvas.text((17.0, foot), "positiv", 2.6)
        canvas.line((36.0, foot - 0.9), (42.0, foot - 0.9), 0.5, _NEGATIVE)
        canvas.text((43.0, foot), "negativ", 2.6)
        nothing = ", ".join(f"u{subscript(unit + 1)}" for unit in off) or "nichts"
        asleep = f"Bei {quoted(desk.words[token])} setzt ReLU auf 0: {nothing}."
        said = f"{counts[0]} Eingänge, {counts[1]} Einheiten, {counts[2]} Ausgänge. "
        return Drawing(canvas.shapes, said + (asleep if filled else "Zum Ausmalen."))

    title = "Das Netz: die Einheiten, die du rechnest"
    return Figure(title, _WIDTH, round(foot + 1.5, 1), draw(True), draw(False))


def _edges(canvas: Canvas, matrix: Floats, left: list[Point], right: list[Point]) -> None:
    largest = float(np.abs(matrix).max()) or 1.0
    for i, start in enumerate(left):
        for j, end in enumerate(right):
            if weight := float(matrix[i, j]):
                canvas.line(start, end, 0.2 + 0.7 * abs(weight) / largest, "" if weight > 0 else _NEGATIVE)


def relu_graph(desk: Desk, at: str, token: int) -> Figure:
    """ReLU with a token's numbers u as points on it."""
    hidden = [value(desk, at + "hidden", token, k) for k in range(desk.sizes.d_ff)]
    reach = max(1, math.ceil(max(map(abs, hidden))))
    unit = _REACH / reach
    zero = (_REACH + 3.0, _REACH + 6.0)
    canvas = Canvas()
    canvas.arrow([(zero[0] - _REACH - 2.0, zero[1]), (zero[0] + _REACH + 4.0, zero[1])], 0.3)
    canvas.arrow([(zero[0], zero[1] + 2.0), (zero[0], 2.0)], 0.3)
    canvas.text((zero[0] + _REACH + 4.0, zero[1] - 1.4), "u", 3.2, "end", bold=True)
    canvas.text((zero[0] - 1.4, 4.0), "ReLU(u)", 2.8, "end")
    for tick in {-reach, reach}:
        canvas.line((zero[0] + tick * unit, zero[1] - 0.8), (zero[0] + tick * unit, zero[1] + 0.8), 0.3)
        canvas.text((zero[0] + tick * unit, zero[1] + 4.0), desk.constant(tick, 0), 2.6, "middle")
    canvas.line((zero[0] - 0.8, zero[1] - reach * unit), (zero[0] + 0.8, zero[1] - reach * unit), 0.3)
    canvas.text((zero[0] - 1.4, zero[1] - reach * unit + 1.0), desk.constant(reach, 0), 2.6, "end")
    canvas.path([(zero[0] - _REACH, zero[1]), zero, (zero[0] + _REACH, zero[1] - _REACH)], 0.7)
    for number in hidden:
        canvas.marker("disc", (zero[0] + number * unit, zero[1] - max(0.0, number) * unit))
    points = ", ".join(n.text for n in desk.numbers(at + "hidden", token))
    said = (
        f"Links von 0 liegt der Graph auf der Achse, rechts steigt er mit 45 Grad. Punkte bei u = {points}."
    )
    return Figure("Graph von ReLU", 2 * _REACH + 8.0, _REACH + 11.0, Drawing(canvas.shapes, said))
