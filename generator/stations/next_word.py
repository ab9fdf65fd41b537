"""From a last vector to the next word, for stations 8, 10 and 11: tables of logits and of softmax."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from engine.forward.forward import temperature_name
from engine.numbers.decimals import Decimals
from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH, WORD_WIDTH, blank_width
from generator.sheet.sheet import CellContent, Given, Number, Row, Solution, Table, Vector, Words
from generator.stations.common import in_parts

PROBABILITY_PLACES: Final = 3
ROWS_TO_WRITE: Final = 16  # of 8 to 10 mm, so that a table stays on its page
ROWS_GIVEN: Final = 30
SIDE_BY_SIDE: Final = (19.0, 17.0, 23.5, 19.5)  # mm: words, logit : T, e^x, p
_EXP_WIDTH: Final = 30.0  # mm: e^x has up to five digits before its places
_WIDEST_EXP: Final = 12  # characters; longer ones are given, in powers of ten
_PRODUCTS_UP_TO: Final = 4  # components whose products fit beside them
FEW_WORDS: Final = 6
NO_SUM: Final = Words("–")  # in a row of sums, so that nobody takes the cell for a blank


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
        return self.before + at_temperature(temperature)


def own_output(desk: Desk) -> Output:
    """The one sentence's."""
    return Output("", desk.vocabulary, last_vector(desk), partial(word_vector, desk))


def at_temperature(temperature: float) -> str:
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


def logit_tables(desk: Desk, of: Output, worked: int, alike: Collection[int] = ()) -> list[Table]:
    """Every word's vector and its logit; the worked word's, and much at level 1, is given.

    alike: words with the worked word's vector; theirs is given too.
    """
    count, d = len(of.words), desk.sizes.d_model
    empty = [word for word in range(count) if word != worked and word not in alike]
    if desk.more:
        empty = empty[:FEW_WORDS]
    with_products = products_in_table(desk)
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
    return [Table(columns, part, widths, dense=d > 8) for part in in_parts(rows, ROWS_TO_WRITE)]


def products_in_table(desk: Desk) -> bool:
    return desk.sizes.d_model <= _PRODUCTS_UP_TO and not desk.less


def softmax_tables(
    desk: Desk,
    of: Output,
    temperature: float,
    worked: int,
    *,
    raised: bool = False,
    fill: int | None = None,
    narrow: bool = False,
    alike: Collection[int] = (),
) -> list[Table]:
    """From the logits to the probabilities at one temperature, with the sum in the last row.

    A divided logit, times T, is the logit that is asked for; so it is the pupil's too, or is not printed.
    raised: e^x is printed. fill: only so many words, the most probable, have blanks; others show e^x and p,
    and so the sum as well. narrow: two stand side by side. alike: words with the worked word's logit.
    """
    at = of.at(temperature)
    wide = not writable(desk, of, temperature)
    divides = temperature != 1 and not raised and not wide
    steps = [*(["scaled_logit"] if divides else []), "exp", "probability"]
    written = set() if wide else set(steps) - ({"exp"} if raised else set())
    logits = desk.quantity(of.before + "logit").values
    asked = sorted(range(len(logits)), key=lambda word: (-logits[word], word))[:fill]
    rows = []
    for word in range(len(of.words)):
        shown = {"scaled_logit", "exp"} if word == worked or word in alike else set()
        if word not in asked:
            shown = set(steps)
        cells: list[CellContent] = []
        for step in steps:
            if step == "exp" and wide:
                cells.append(_in_powers_of_ten(desk, float(desk.quantity(at + "exp").values[word])))
            else:
                cells.append(desk.number(at + step, word, blank=step in written - shown))
        rows.append(Row(of.words[word], tuple(cells), "example" if word == worked else "plain"))
    total: CellContent = desk.number(at + "exp_sum", blank=bool(written) and fill is None)
    if wide:
        total = _in_powers_of_ten(desk, float(desk.quantity(at + "exp_sum").values))
    rows.append(Row("Summe", (*([NO_SUM] if divides else []), total, about_one(desk)), "sum"))
    first, *others = SIDE_BY_SIDE
    if not narrow:
        first, *others = (
            WORD_WIDTH,
            max(blank_width(desk.options.nachkommastellen), 18.0),
            _EXP_WIDTH,
            blank_width(PROBABILITY_PLACES) + 6.0,
        )
    widths = (first, *others[-len(steps) :])
    most = ROWS_TO_WRITE if written and fill is None else ROWS_GIVEN
    return [Table(tuple(steps), part, widths) for part in in_parts(rows, most)]


def about_one(desk: Desk) -> Words:
    """What rounded probabilities add up to, in a row of sums."""
    return Words(f"≈\N{NO-BREAK SPACE}{desk.constant(1)}")


def writable(desk: Desk, of: Output, temperature: float) -> bool:
    """Whether a hand can write every e^x at this temperature."""
    number = desk.number(of.at(temperature) + "exp_sum")
    return len(number.text) <= _WIDEST_EXP


def _in_powers_of_ten(desk: Desk, value: float) -> Words:
    factor, _, power = f"{value:.2e}".partition("e")
    raised = str(int(power)).translate(str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"))
    return Words(f"{desk.constant(float(factor), 2)}\N{NO-BREAK SPACE}·\N{NO-BREAK SPACE}10{raised}")
