"""Station 5, Add & LayerNorm; for station 7 and further blocks too: worked through, and as tables to fill."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np

from engine.judging.ranges import working
from engine.model.norms import DEVIATION, RESIDUAL, SQUARE, SUM
from engine.numbers.arrays import Floats
from engine.numbers.decimals import Decimals
from generator.basics.numbers import parse_number
from generator.sheet.columns import Column, printed_width
from generator.sheet.desk import Desk
from generator.sheet.fields import TABLE_WIDTH, blank_width
from generator.sheet.sheet import (
    CellContent,
    Finding,
    Number,
    Parts,
    Row,
    Solution,
    Table,
    Words,
    parts,
    walk,
)
from generator.stations.before_after import before_after, bypass, furthest, norm_lines, source, told
from generator.stations.common import Tasks, block_input, given_vector
from generator.stations.worked_lines import honest_sum


def station(desk: Desk, tasks: Tasks) -> Parts:
    """Station 5: input plus attention.

    gained: what the attention changed most; source: who brought it, if printed.
    """
    layer = first_layer(1)
    norm = add_norm(desk, layer, tasks)
    tasks.add("strip", "Deute", "II", points=3)
    explained = desk.printed("4b") and not desk.mixes_heads("block1.")
    return parts(
        norm=norm,
        strip=before_after(desk, ("x", layer.own), ("z", layer.at + "output")),
        gained=told(desk, layer.new),
        source=source(desk, furthest(desk, layer.new)[0]) if explained else None,
        side_by_side=not desk.mixes_heads("block1."),
        weights=[(f"block1.head{k}.weight", (desk.path,)) for k in range(1, desk.sizes.n_heads + 1)],
        spread=_spread(desk, layer.at + desk.sizes.norm.divisor),
    )


def _spread(desk: Desk, name: str) -> Finding:
    """What dividing by the spread did to the distances; name: the divisor's."""
    value, text = float(desk.quantity(name).values[desk.path]), desk.number(name, desk.path).text
    return Finding(case="same" if value == 1 else "shrink" if value > 1 else "grow", divisor=text)


_MOST_PLACES_BESIDE: Final = 3  # with more, γ and β find no room beside the numbers
_LINES: Final = 2  # components of the normalised vector that are worked out line by line


@dataclass(frozen=True)
class Layer:
    """One Add & LayerNorm of a block: what is added to what, and what the results are called.

    letters: of the two vectors that are added and of the normalised one. called: what made the second.
    """

    own: str
    new: str
    letters: tuple[str, str, str]
    residual: str
    at: str
    called: str


def first_layer(block: int) -> Layer:
    at, letters = f"block{block}.", ("x", "a", "z")
    return Layer(block_input(block), at + "attention", letters, at + "residual1", at + "norm1.", "Attention")


def second_layer(block: int) -> Layer:
    at, letters = f"block{block}.", ("z", "f", "y")
    names = (at + "residual2", at + "norm2.", "Feed-Forward")
    return Layer(at + "norm1.output", at + "ffn.output", letters, *names)


def changes_nothing(desk: Desk, at: str) -> bool:
    """Whether the given vectors of a norm leave every number as it is: γ is 1 and β is 0."""
    weights = desk.calculation.model.weights
    return all(np.all(weights[at + name] == neutral) for name, neutral in desk.sizes.norm.parameters.items())


@dataclass(frozen=True)
class Working:
    """Working space of one token as text, exact.

    columns: between r and the output, a text for each component. sums: of what is added up, by their names.
    divided: what the norm divides. relations: of each step of the norm, "=" or "≈".
    """

    columns: Mapping[str, Sequence[str]]
    sums: Mapping[str, str]
    divided: Sequence[str]
    relations: Mapping[str, str]


def working_space(desk: Desk, layer: Layer, token: int) -> Working:
    norm = desk.sizes.norm
    between = working({name: desk.quantity(name) for name in (layer.residual, layer.at + norm.first)})
    places = {DEVIATION: desk.options.nachkommastellen, SUM: desk.quantity(layer.residual).places}

    def texts(ending: str) -> list[str]:
        values = np.atleast_1d(between[layer.at + ending].values[token])
        return [desk.format.text(float(value), places.get(ending)) for value in values]

    def written(step: str) -> Fraction:
        return _fraction(desk.quantity(layer.at + step).values[token])

    def exact(step: str) -> bool:
        of = norm.steps[step].of
        if of in norm.steps:
            return written(step) ** 2 == written(of)
        total = between[layer.at + of].values[token]
        return _fraction(total) / desk.sizes.d_model == written(step)

    columns = {name: texts(name) for name in norm.columns}
    before = [number.text for number in desk.numbers(layer.residual, token)]
    return Working(
        columns,
        {ending: texts(ending)[0] for ending in norm.sums.values()},
        columns.get(DEVIATION, before),
        {step: "=" if exact(step) else "≈" for step in norm.steps},
    )


def _fraction(number: Floats) -> Fraction:
    exact = Decimals.from_floats(number)
    return Fraction(int(exact.digits), 10**exact.places)


def add_norm(
    desk: Desk, layer: Layer, tasks: Tasks, brought: int | None = None, example: bool = True
) -> Parts:
    """The parts of one Add & LayerNorm: the example worked through, a table to fill for the path's.

    brought: the token whose new vector the pupil puts together from what no task asks for by itself.
    """
    plain = changes_nothing(desk, layer.at)
    own_work = {name for name in (layer.own, layer.new) if desk.asks(name, desk.path)}
    own_work |= {layer.new} if desk.path == brought else set()
    return parts(
        letters=layer.letters,
        plain=plain,
        stretch=None
        if plain or desk.options.nachkommastellen <= _MOST_PLACES_BESIDE
        else {name: given_vector(desk, layer.at + name) for name in desk.sizes.norm.parameters},
        zero=desk.constant(0, desk.options.nachkommastellen),
        square_places=desk.options.nachkommastellen + 1,
        example=_example(desk, layer, plain) if example else None,
        exercises=[_exercise(desk, layer, desk.path, tasks, plain, own_work)],
        own_copied=layer.own in own_work,
        new_copied=layer.new in own_work,
        own=(layer.own, (desk.path,)),
        new=(layer.new, (desk.path,)),
        mean_tolerance=mean_tolerance(desk, layer),
        squares=desk.constant(desk.sizes.d_model, 0),
        squares_tolerance=squares_tolerance(desk, layer),
        bypass=bypass(layer.called, desk.sizes.norm.name, layer.letters),
    )


def mean_tolerance(desk: Desk, layer: Layer) -> str:
    """How far the mean of a normalised vector may be off 0.

    The mean is off by half a unit at most, which the division by the spread enlarges; the rounded
    components add half a unit. The smallest spread of all tokens decides, so that the tolerance tells none.
    """
    std = float(desk.quantity(layer.at + desk.sizes.norm.divisor).values.min())
    return _in_units(desk, max(2.0, 0.5 / std + 0.5))


def squares_tolerance(desk: Desk, layer: Layer) -> str:
    """How far the squares of a normalised vector may be off d together; with a wrong spread they are further.

    With s for the spread in units of the last place: it is off by half a unit, and by what the variance, with
    one place more, is off by before the root; a relative error of s doubles in the squares. Each component
    is off by half a unit, and their absolute values are d together at most (Cauchy and Schwarz).
    """
    std = float(desk.quantity(layer.at + desk.sizes.norm.divisor).values.min())
    return _in_units(desk, 1.05 * desk.sizes.d_model * (1 + (1 + 0.05 / std) / std))


def _in_units(desk: Desk, units: float) -> str:
    n = desk.options.nachkommastellen
    return desk.constant(math.ceil(units - 1e-9) / 10**n, n)


def _example(desk: Desk, layer: Layer, plain: bool) -> Parts:
    token, d, norm = desk.example, desk.sizes.d_model, desk.sizes.norm
    space = working_space(desk, layer, token)
    steps = {step: desk.number(layer.at + step, token) for step in norm.steps}
    divisor = steps[norm.divisor]

    def output_line(c: int) -> str:
        """−0,48 : 0,62 ≈, with γ and β where they do something."""
        line = f"{space.divided[c]} : {divisor.text}"
        result = Fraction(parse_number(space.divided[c])) / Fraction(parse_number(divisor.text))
        for name in () if plain else norm.parameters:
            given = desk.weight(layer.at + name, c)
            number = Fraction(parse_number(given.text))
            line += f" {'·' if name == 'gamma' else '+'} {given.bracketed}"
            result = result * number if name == "gamma" else result + number
        written = Fraction(parse_number(desk.number(layer.at + "output", token, c).text))
        return f"{line} {'=' if result == written else '≈'}"

    return parts(
        table=_table(desk, layer, token, plain, set(), set(), space),
        steps=[
            parts(
                latex=latex,
                sum=space.sums.get(of, ""),
                radicand=steps.get(of),
                relation=space.relations[step],
                number=steps[step],
            )
            for step, (of, _, latex) in norm.steps.items()
        ],
        outputs=[
            (c + 1, output_line(c), desk.number(layer.at + "output", token, c)) for c in range(min(_LINES, d))
        ],
        lines=norm_lines(desk, layer.residual, layer.at, token, layer.letters),
    )


def _exercise(desk: Desk, layer: Layer, token: int, tasks: Tasks, plain: bool, brought: set[str]) -> Parts:
    results = {layer.residual, layer.at + "output"} if not desk.more else {layer.at + "output"}
    # Given beside a vector that the pupil brings, the sum would tell it.
    results |= {layer.residual} if brought else set()
    table = _table(desk, layer, token, plain, results, brought, working_space(desk, layer, token))
    norm = desk.sizes.norm
    hand = blank_width(desk.options.nachkommastellen + 1)
    steps = {step: desk.number(layer.at + step, token, blank=True) for step in norm.steps}
    rows = tuple(Row(norm.steps[step].sign, (number,)) for step, number in steps.items())
    statistics = Table(("value",), rows, (Column.NUMBER, hand))
    name = f"{layer.at}{token}"
    own_work = [number for number in walk(table, Number) if number.name in results]
    tasks.add(name, "Berechne", "I", own_work, statistics)
    cells = [(token, c) for c in range(desk.sizes.d_model)]
    return parts(
        token=desk.words[token],
        task=name,
        residual_given=layer.residual not in results,
        table=table,
        statistics=statistics,
        residual_check=honest_sum(desk, layer.residual, cells, (layer.at + SUM, (token,))),
        check=honest_sum(desk, layer.at + "output", cells),
    )


def _table(
    desk: Desk, layer: Layer, token: int, plain: bool, results: set[str], brought: set[str], space: Working
) -> Table:
    """A row for each component, from the two vectors to the normalised one; without results it is filled."""
    working = not (results and desk.less)
    written = bool(results)
    few = desk.options.nachkommastellen <= _MOST_PLACES_BESIDE
    beside = tuple(desk.sizes.norm.parameters) if few and not plain else ()

    def own(text: str, ending: str, *index: int) -> CellContent:
        cell = (layer.at + ending, (token, *index))
        return Solution(text, number=True, cell=cell) if written else Words(text)

    blanks = {name: name in brought and not desk.asks(name, token) for name in (layer.own, layer.new)}
    blanks[layer.residual] = layer.residual in results
    rows = []
    for c in range(desk.sizes.d_model):
        cells: list[CellContent] = [desk.number(name, token, c, blank=its) for name, its in blanks.items()]
        if working:
            cells += [own(texts[c], column, c) for column, texts in space.columns.items()]
        cells += [desk.weight(layer.at + name, c) for name in beside]
        cells.append(desk.number(layer.at + "output", token, c, blank=written))
        rows.append(Row(str(c + 1), tuple(cells)))
    columns = ("own", "new", RESIDUAL, *(space.columns if working else ()), *beside, "output")
    if working:
        sums = {column: own(space.sums[ending], ending) for column, ending in desk.sizes.norm.sums.items()}
        rows.append(Row("Σ", tuple(sums.get(column, Words("")) for column in columns), "sum"))
    # As wide as a hand or the printed numbers need, together no wider than the page.
    hand = blank_width(desk.options.nachkommastellen)
    source = {"own": layer.own, "new": layer.new}
    wishes: dict[str, float] = {}
    for i, column in enumerate(columns):
        texts = [getattr(row.cells[i], "text", "") for row in rows]
        given = column in desk.sizes.norm.parameters or (column in source and source[column] not in brought)
        room = {RESIDUAL: Column.ROUND, SQUARE: Column.SQUARE}.get(column, hand)
        wishes[column] = printed_width(texts, Column.FEW_DIGITS if given else max(hand, room))
    # Squares have twice the places: their column keeps its width, the others share what is left.
    squares = wishes.get(SQUARE, 0.0)
    scale = min(1.0, (TABLE_WIDTH - Column.NUMBER - squares) / (sum(wishes.values()) - squares))
    fitted = (wish if column == SQUARE else scale * wish for column, wish in wishes.items())
    return Table(columns, tuple(rows), (Column.NUMBER, *fitted))
