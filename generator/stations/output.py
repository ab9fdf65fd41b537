"""Station 8, output: logits of the last token, softmax at each temperature, the predicted next word."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from engine.output import temperature_name
from generator.build_texts import main_temperature as main_of
from generator.desk import Desk
from generator.figures_output import probability_bars
from generator.sheet import Cell, Number, Row, Solution, Station, Table, Vector, Words
from generator.stations.add_norm import SECOND_ID
from generator.stations.check_tolerances import logit_tolerance
from generator.stations.common import WORD_WIDTH, Tasks, blank_width, in_parts
from generator.stations.further_block import identifier

ID: Final = "8"
_PROBABILITY_PLACES: Final = 3
_ROWS_TO_WRITE: Final = 16  # of 8 to 10 mm, so that a table stays on its page
_ROWS_GIVEN: Final = 30
_TEXT_WIDTH: Final = 165.0  # mm between the margins
_EXP_WIDTH: Final = 30.0  # mm: e^x has up to five digits before its places
_WIDEST_EXP: Final = 12  # characters; longer ones are given, in powers of ten
_PRODUCTS_UP_TO: Final = 4  # components whose products fit beside them
_PRODUCTS_A_LINE: Final = 6
_HIGHEST_FIGURE: Final = 215.0  # mm that a page has beside the task
_FEW_WORDS: Final = 6
_TABLES_TO_FILL: Final = 2  # temperatures beside the main one that get a table of their own


def station(desk: Desk) -> Station:
    tasks = Tasks()
    main = main_temperature(desk)
    others = [t for t in desk.options.temperatur if t != main]
    worked = desk.calculation.model.token_ids[desk.example]
    own = own_output(desk)
    logits = logit_tables(desk, own, worked)
    tasks.add("logits", "Berechne", "I", logits)
    softmax = softmax_tables(desk, own, main, worked, given=("scaled_logit",) if desk.more else ())
    tasks.add("softmax", "Berechne", "I", softmax)
    tasks.add("predict", "Gib", "I", points=1)
    tables = [_other(desk, t, worked, tasks) for t in others[:_TABLES_TO_FILL] if writable(desk, own, t)]
    bars = probability_bars(desk, blank=True)
    if bars.height <= _HIGHEST_FIGURE:
        tasks.add("bars", "Zeichne", "I", points=2)
    if others:
        tasks.add("compare", "Beschreibe", "II", points=3)
    tasks.add("why", "Begründe", "II", points=2)
    parts: dict[str, Any] = {
        "block": desk.sizes.n_blocks,
        "before": SECOND_ID if desk.sizes.n_blocks == 1 else identifier(desk.sizes.n_blocks),
        "last": desk.words[-1],
        "vector": last_vector(desk),
        "worked": desk.vocabulary[worked],
        "line": worked_line(desk, worked),
        "line_in_table": _products_in_table(desk),
        "worked_logit": desk.number("logit", worked),
        "worked_exp": desk.number(_at(main) + "exp", worked) if writable(desk, own, main) else None,
        "worked_scaled": desk.number(_at(main) + "scaled_logit", worked),
        "words": len(desk.vocabulary),
        "logits": logits,
        "logit_sum": desk.check_sum("logit", [(i,) for i in range(len(desk.vocabulary))]),
        "logit_tolerance": logit_tolerance(desk, last_vector(desk).blank),
        "main": desk.constant(main),
        "divided": main != 1,
        "softmax": softmax,
        "places": str(_PROBABILITY_PLACES),
        "one": desk.constant(1, _PROBABILITY_PLACES),
        "tolerance": desk.tolerance(len(desk.vocabulary), _PROBABILITY_PLACES),
        "next": Solution(desk.vocabulary[desk.calculation.predicted()]),
        "tables": tables,
        "left_out": [desk.constant(t) for t in others if not writable(desk, own, t)],
        "others": bool(others),
        "bars": bars if bars.height <= _HIGHEST_FIGURE else None,
        "coldest": _best_at(desk, min(desk.options.temperatur)),
        "hottest": _best_at(desk, max(desk.options.temperatur)),
    }
    return Station(ID, parts, tasks.by_name)


def worked_line(desk: Desk, word: int) -> Solution:
    """The products of the worked logit: to write where the pupil has just computed the vector in them."""
    vector = last_vector(desk)
    line = desk.products(vector.numbers, word_vector(desk, word))
    return Solution(line, blank=vector.blank, rows=-(-len(vector.numbers) // _PRODUCTS_A_LINE))


def main_temperature(desk: Desk) -> float:
    """The temperature worked out first: 1 where it is asked for."""
    return main_of(desk.options.temperatur)


@dataclass(frozen=True)
class Output:
    """Whose next word it is: what its quantities begin with, the words to choose from, the last vector.

    embedding: the vector of a word by its place in the vocabulary.
    """

    before: str
    words: tuple[str, ...]
    vector: Vector
    embedding: Callable[[int], Sequence[Number]]

    def at(self, temperature: float) -> str:
        return self.before + _at(temperature)


def own_output(desk: Desk) -> Output:
    """The one sentence's."""
    return Output("", desk.vocabulary, last_vector(desk), partial(word_vector, desk))


def _at(temperature: float) -> str:
    return temperature_name(temperature) + "."


def last_vector(desk: Desk) -> Vector:
    """What the last block makes of the last token; to copy where the pupil has just computed it."""
    name, token = f"block{desk.sizes.n_blocks}.norm2.output", desk.n - 1
    return desk.vector(name, token, blank=desk.printed(SECOND_ID) and token in desk.exercises)


def word_vector(desk: Desk, word: int) -> Any:
    """A word's row of the embedding table, by the first token that is this word."""
    return desk.numbers("embedding", desk.calculation.model.token_ids.index(word))


def logit_tables(desk: Desk, of: Output, worked: int) -> list[Table]:
    """Every word's vector and its logit; the worked word's, and much at level 1, is given."""
    count, d = len(of.words), desk.sizes.d_model
    empty = [word for word in range(count) if word != worked]
    if desk.more:
        empty = empty[:_FEW_WORDS]
    with_products = _products_in_table(desk)
    rows = []
    for word in range(count):
        cells: list[Cell] = list(of.embedding(word))
        if with_products:
            blank = word in empty
            line = desk.products(of.vector.numbers, of.embedding(word))
            given = (desk.more or not blank) and not of.vector.blank
            cells.append(Words(line, small=True) if given else Solution(line))
        cells.append(desk.number(of.before + "logit", word, blank=word in empty))
        rows.append(Row(of.words[word], tuple(cells), "example" if word == worked else "plain"))
    logit_width = max(blank_width(desk.options.nachkommastellen), 18.0)
    used = WORD_WIDTH + logit_width
    component = (_TEXT_WIDTH - used) / d if not with_products else 10.0
    widths = (WORD_WIDTH, *(min(component, 16.0),) * d, *((0.0,) if with_products else ()), logit_width)
    columns = (*(str(c + 1) for c in range(d)), *(("products",) if with_products else ()), "logit")
    return [Table(columns, part, widths, dense=d > 8) for part in in_parts(rows, _ROWS_TO_WRITE)]


def _products_in_table(desk: Desk) -> bool:
    return desk.sizes.d_model <= _PRODUCTS_UP_TO and not desk.less


def softmax_tables(
    desk: Desk,
    of: Output,
    temperature: float,
    worked: int,
    given: tuple[str, ...] = (),
    fill: int | None = None,
) -> list[Table]:
    """From the logits to the probabilities at one temperature, with the sum in the last row.

    given: steps that are printed. fill: only so many words have blanks.
    """
    at = of.at(temperature)
    wide = not writable(desk, of, temperature)
    steps = [*(["scaled_logit"] if temperature != 1 else []), "exp", "probability"]
    written = set() if wide else set(steps) - set(given)
    rows = []
    for word in range(len(of.words)):
        shown = {"scaled_logit", "exp"} if word == worked else set()
        if fill is not None and word >= fill:
            shown = set(steps)
        cells: list[Cell] = []
        for step in steps:
            if step == "exp" and wide:
                cells.append(_in_powers_of_ten(desk, float(desk.quantity(at + "exp").values[word])))
            else:
                cells.append(desk.number(at + step, word, blank=step in written - shown))
        rows.append(Row(of.words[word], tuple(cells), "example" if word == worked else "plain"))
    gap: tuple[Cell, ...] = tuple(Words("") for _ in steps[:-2])
    total: Cell = desk.number(at + "exp_sum", blank=bool(written))
    if wide:
        total = _in_powers_of_ten(desk, float(desk.quantity(at + "exp_sum").values))
    rows.append(Row("Summe", (*gap, total, Words("")), "sum"))
    widths = (
        WORD_WIDTH,
        *((max(blank_width(desk.options.nachkommastellen), 18.0),) if temperature != 1 else ()),
        _EXP_WIDTH,
        blank_width(_PROBABILITY_PLACES) + 6.0,
    )
    most = _ROWS_TO_WRITE if written and fill is None else _ROWS_GIVEN
    return [Table(tuple(steps), part, widths) for part in in_parts(rows, most)]


def _other(desk: Desk, temperature: float, worked: int, tasks: Tasks) -> dict[str, Any]:
    """The same at another temperature: with few words the whole way, with many the last step."""
    many = len(desk.vocabulary) > 2 * _FEW_WORDS
    given: tuple[str, ...] = ()
    if desk.more or (many and not desk.less):
        given = ("scaled_logit", "exp")
    elif not desk.less:
        given = ("scaled_logit",)
    fill = _FEW_WORDS if many and not desk.less else None
    table = softmax_tables(desk, own_output(desk), temperature, worked, given, fill)
    name = _at(temperature)
    tasks.add(name, "Berechne", "I", table)
    return {
        "task": name,
        "temperature": desk.constant(temperature),
        "divided": temperature != 1,
        "given": given,
        "all": fill is None,
        "table": table,
    }


def writable(desk: Desk, of: Output, temperature: float) -> bool:
    """Whether a hand can write every e^x at this temperature."""
    number = desk.number(of.at(temperature) + "exp_sum")
    return len(number.text) <= _WIDEST_EXP


def _in_powers_of_ten(desk: Desk, value: float) -> Words:
    factor, _, power = f"{value:.2e}".partition("e")
    raised = str(int(power)).translate(str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"))
    return Words(f"{desk.constant(float(factor), 2)}\N{NO-BREAK SPACE}·\N{NO-BREAK SPACE}10{raised}")


def _best_at(desk: Desk, temperature: float) -> dict[str, Any]:
    best = desk.calculation.predicted()
    values = desk.quantity(_at(temperature) + "probability").values
    return {
        "temperature": desk.constant(temperature),
        "word": desk.vocabulary[best],
        "best": desk.constant(float(values[best]), _PROBABILITY_PLACES),
        "least": desk.constant(float(values.min()), _PROBABILITY_PLACES),
    }
