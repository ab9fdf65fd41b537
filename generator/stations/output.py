"""Station 8, output: logits of the last token, softmax at each temperature, the predicted next word."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from engine.layers.output import temperature_name
from engine.numbers.decimals import Decimals
from generator.calculation.texts import main_temperature as main_of
from generator.figures.all import probability_bars
from generator.sheet.desk import Desk
from generator.sheet.measures import TEXT_WIDTH, WORD_WIDTH, blank_width
from generator.sheet.sheet import CellContent, Figure, Given, Number, Row, Solution, Table, Vector, Words
from generator.stations.check_tolerances import logit_tolerance
from generator.stations.common import Tasks, in_parts
from generator.stations.further_block import identifier
from generator.stations.trained import Compared, compared
from generator.stations.word_directions import word_directions

_PROBABILITY_PLACES: Final = 3
_ROWS_TO_WRITE: Final = 16  # of 8 to 10 mm, so that a table stays on its page
_ROWS_GIVEN: Final = 30
_SIDE_BY_SIDE: Final = (20.0, 13.0, 26.0, 20.0)  # mm: words, logit : T, e^x, p
_SHORT_PLACES: Final = 2
_SHORT_WORD: Final = 10  # letters
_EXP_WIDTH: Final = 30.0  # mm: e^x has up to five digits before its places
_WIDEST_EXP: Final = 12  # characters; longer ones are given, in powers of ten
_PRODUCTS_UP_TO: Final = 4  # components whose products fit beside them
_PRODUCTS_A_LINE: Final = 6
_HIGHEST_FIGURE: Final = 215.0  # mm that a page has beside the task
_FEW_WORDS: Final = 6
_TABLES_TO_FILL: Final = 2  # temperatures beside the main one that get a table of their own


@dataclass(frozen=True)
class Prediction:
    block: int
    before: str
    last: str
    vector: Vector
    worked: str
    line: Solution
    line_in_table: bool
    worked_logit: Number
    worked_exp: Number | None
    worked_scaled: Number
    words: int
    logits: list[Table]
    logit_sum: str
    logit_tolerance: str
    main: str
    divided: bool
    softmax: list[Table]
    places: str
    one: str
    tolerance: str
    next: Solution
    tables: list[Other]
    again: bool
    left_out: list[str]
    others: bool
    bars: Figure | None
    coldest: BestAt
    hottest: BestAt
    trained: Compared | None
    plane: Figure
    ahead: Solution


def station(desk: Desk, tasks: Tasks) -> Prediction:
    main = main_temperature(desk)
    others = [t for t in desk.options.temperatur if t != main]
    worked = desk.calculation.model.token_ids[desk.example]
    own = own_output(desk)
    plane, ahead = word_directions(desk, last_vector(desk).blank)
    tasks.add("plane", "Zeichne", "II", points=2)
    logits = logit_tables(desk, own, worked)
    tasks.add("logits", "Berechne", "I", logits)
    softmax = softmax_tables(desk, own, main, worked, given=("scaled_logit",) if desk.more else ())
    tasks.add("softmax", "Berechne", "I", softmax)
    tasks.add("predict", "Gib", "I", points=1)
    if not desk.options.learns:
        tasks.add("worth", "Beurteile", "III", points=1)
    trained = compared(desk)
    if trained:
        tasks.add("learnt", "Vergleiche", "II", points=2)
        tasks.add("alone", "Begründe", "II", points=3)
    tables = [
        _other(desk, t, worked, tasks, again=number > 0)
        for number, t in enumerate(others[:_TABLES_TO_FILL])
        if writable(desk, own, t)
    ]
    bars = probability_bars(desk, blank=True)
    if bars.height <= _HIGHEST_FIGURE:
        tasks.add("bars", "Zeichne", "I", points=2)
    if others:
        tasks.add("compare", "Beschreibe", "II", points=2)
    tasks.add("why", "Begründe", "II", points=2)
    return Prediction(
        block=desk.sizes.n_blocks,
        before=identifier(desk.sizes.n_blocks),
        last=desk.words[-1],
        vector=last_vector(desk),
        worked=desk.vocabulary[worked],
        line=worked_line(desk, worked),
        line_in_table=_products_in_table(desk),
        worked_logit=desk.number("logit", worked),
        worked_exp=desk.number(_at(main) + "exp", worked) if writable(desk, own, main) else None,
        worked_scaled=desk.number(_at(main) + "scaled_logit", worked),
        words=len(desk.vocabulary),
        logits=logits,
        logit_sum=desk.check_sum("logit", [(i,) for i in range(len(desk.vocabulary))]),
        logit_tolerance=logit_tolerance(desk, last_vector(desk).blank),
        main=desk.constant(main),
        divided=main != 1,
        softmax=softmax,
        places=str(_PROBABILITY_PLACES),
        one=desk.constant(1, _PROBABILITY_PLACES),
        tolerance=desk.tolerance(len(desk.vocabulary), _PROBABILITY_PLACES),
        next=Solution(" oder ".join(desk.vocabulary[i] for i in desk.largest("logit"))),
        tables=tables,
        again=desk.calculation.predicted() == desk.calculation.model.token_ids[-1],
        left_out=[desk.constant(t) for t in others if not writable(desk, own, t)],
        others=bool(others),
        bars=bars if bars.height <= _HIGHEST_FIGURE else None,
        coldest=_best_at(desk, min(desk.options.temperatur)),
        hottest=_best_at(desk, max(desk.options.temperatur)),
        trained=trained,
        plane=plane,
        ahead=ahead,
    )


def worked_line(desk: Desk, word: int) -> Solution:
    """The products of the worked logit: to write where the pupil has just computed the vector in them."""
    vector = last_vector(desk)
    line = desk.products(vector.numbers, word_vector(desk, word))
    return Solution(line.text, blank=vector.blank, rows=-(-len(vector.numbers) // _PRODUCTS_A_LINE))


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
    return desk.vector(name, token)


def word_vector(desk: Desk, word: int) -> tuple[Number, ...]:
    """The vector that a word is predicted by: its row of the embedding table, by the first token that is it.

    Where the output has a matrix of its own, the row of that.
    """
    model = desk.calculation.model
    if model.known is None:
        return desk.numbers("embedding", model.token_ids.index(word), given=Given.LOOKED_UP)
    places = Decimals.from_floats(model.vocabulary_embedding).places
    return tuple(
        Number("vocabulary_embedding", (word, c), desk.format.text(float(value), places), places)
        for c, value in enumerate(model.vocabulary_embedding[word])
    )


def logit_tables(desk: Desk, of: Output, worked: int) -> list[Table]:
    """Every word's vector and its logit; the worked word's, and much at level 1, is given."""
    count, d = len(of.words), desk.sizes.d_model
    empty = [word for word in range(count) if word != worked]
    if desk.more:
        empty = empty[:_FEW_WORDS]
    with_products = _products_in_table(desk)
    rows = []
    for word in range(count):
        cells: list[CellContent] = list(of.embedding(word))
        if with_products:
            blank = word in empty
            line = desk.products(of.vector.numbers, of.embedding(word))
            cells.append(line.cell() if desk.more or not blank else Solution(line.text))
        cells.append(desk.number(of.before + "logit", word, blank=word in empty))
        rows.append(Row(of.words[word], tuple(cells), "example" if word == worked else "plain"))
    logit_width = max(blank_width(desk.options.nachkommastellen), 18.0)
    used = WORD_WIDTH + logit_width
    component = (TEXT_WIDTH - used) / d if not with_products else 10.0
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
    narrow: bool = False,
) -> list[Table]:
    """From the logits to the probabilities at one temperature, with the sum in the last row.

    given: steps that are printed. fill: only so many words have blanks. narrow: two stand side by side.
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
        cells: list[CellContent] = []
        for step in steps:
            if step == "exp" and wide:
                cells.append(_in_powers_of_ten(desk, float(desk.quantity(at + "exp").values[word])))
            else:
                cells.append(desk.number(at + step, word, blank=step in written - shown))
        rows.append(Row(of.words[word], tuple(cells), "example" if word == worked else "plain"))
    gap: tuple[CellContent, ...] = tuple(Words("") for _ in steps[:-2])
    total: CellContent = desk.number(at + "exp_sum", blank=bool(written))
    if wide:
        total = _in_powers_of_ten(desk, float(desk.quantity(at + "exp_sum").values))
    rows.append(Row("Summe", (*gap, total, Words("")), "sum"))
    widths = (
        WORD_WIDTH,
        *((max(blank_width(desk.options.nachkommastellen), 18.0),) if temperature != 1 else ()),
        _EXP_WIDTH,
        blank_width(_PROBABILITY_PLACES) + 6.0,
    )
    if narrow:
        widths = _SIDE_BY_SIDE
    most = _ROWS_TO_WRITE if written and fill is None else _ROWS_GIVEN
    return [Table(tuple(steps), part, widths) for part in in_parts(rows, most)]


@dataclass(frozen=True)
class Other:
    task: str
    temperature: str
    divided: bool
    given: tuple[str, ...]
    all: bool
    narrow: bool
    table: list[Table]


def _other(desk: Desk, temperature: float, worked: int, tasks: Tasks, again: bool) -> Other:
    """The same at another temperature: with few words the whole way, with many or once more the last step."""
    many = len(desk.vocabulary) > 2 * _FEW_WORDS
    given: tuple[str, ...] = ()
    if desk.more or ((many or again) and not desk.less):
        given = ("scaled_logit", "exp")
    elif not desk.less:
        given = ("scaled_logit",)
    fill = _FEW_WORDS if many and not desk.less else None
    narrow = "scaled_logit" in given and temperature != 1 and fits_beside(desk)
    table = softmax_tables(desk, own_output(desk), temperature, worked, given, fill, narrow)
    name = _at(temperature)
    tasks.add(name, "Berechne", "I", table)
    return Other(
        task=name,
        temperature=desk.constant(temperature),
        divided=temperature != 1,
        given=given,
        all=fill is None,
        narrow=narrow,
        table=table,
    )


def fits_beside(desk: Desk) -> bool:
    """Whether the tables of two temperatures stand side by side: their words and numbers are short."""
    few = len(desk.vocabulary) < _ROWS_TO_WRITE and desk.options.nachkommastellen <= _SHORT_PLACES
    return few and max(map(len, desk.vocabulary)) <= _SHORT_WORD


def writable(desk: Desk, of: Output, temperature: float) -> bool:
    """Whether a hand can write every e^x at this temperature."""
    number = desk.number(of.at(temperature) + "exp_sum")
    return len(number.text) <= _WIDEST_EXP


def _in_powers_of_ten(desk: Desk, value: float) -> Words:
    factor, _, power = f"{value:.2e}".partition("e")
    raised = str(int(power)).translate(str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"))
    return Words(f"{desk.constant(float(factor), 2)}\N{NO-BREAK SPACE}·\N{NO-BREAK SPACE}10{raised}")


@dataclass(frozen=True)
class BestAt:
    temperature: str
    word: str
    best: str
    least: str


def _best_at(desk: Desk, temperature: float) -> BestAt:
    best = desk.calculation.predicted()
    values = desk.quantity(_at(temperature) + "probability").values
    return BestAt(
        temperature=desk.constant(temperature),
        word=desk.vocabulary[best],
        best=desk.constant(float(values[best]), _PROBABILITY_PLACES),
        least=desk.constant(float(values.min()), _PROBABILITY_PLACES),
    )
