"""From a last vector to the next word, for stations 8, 10 and 11: tables of logits and of softmax."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from engine.forward.forward import temperature_name
from engine.numbers.decimals import Decimals
from generator.sheet.columns import Column, even
from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH, blank_width
from generator.sheet.sheet import CellContent, Given, Number, Row, Table, Vector, Words
from generator.stations.common import MOST_WRITTEN_COLUMNS, in_parts

PROBABILITY_PLACES: Final = 3
ROWS_TO_WRITE: Final = 16  # of 8 to 10 mm, so that a table stays on its page
ROWS_GIVEN: Final = 30
_WIDEST_EXP: Final = 12  # characters; longer ones are given, in powers of ten
_LEAST_BAR: Final = 18.0  # mm, of the probability 1
ASKED_AGAIN: Final = 3  # words at another temperature
_MOST_ASKED: Final = 4  # words of which none is given
_MANY: Final = 10  # of which most are
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
    """The output layer at the end of the one sentence."""
    return Output("", desk.vocabulary, last_vector(desk), partial(word_vector, desk))


def at_temperature(temperature: float) -> str:
    return temperature_name(temperature) + "."


def last_vector(desk: Desk) -> Vector:
    """What the last block makes of the last token; to copy where the pupil has just computed it."""
    return desk.vector(f"block{desk.sizes.n_blocks}.norm2.output", desk.n - 1)


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


def word_tables(
    desk: Desk, of: Output, temperature: float, worked: int, alike: Collection[int] = ()
) -> list[Table]:
    """Every word's vector, logit, e^x, probability and a bar; the worked word and some more are given.

    alike: words with the worked word's vector; theirs is given too.
    """
    at, count = of.at(temperature), range(len(of.words))
    given = _given_words(desk, of, {worked, *alike})
    wide = not writable(desk, of, temperature)
    columns = ["logit", *(["scaled_logit"] if temperature != 1 and not wide else []), "exp", "probability"]
    hand = max(blank_width(desk.options.nachkommastellen), Column.LABEL)
    steps = {
        "exp": Column.EXP if wide else Column.PROBABILITY,
        "probability": blank_width(PROBABILITY_PLACES),
    }
    step_widths = [steps.get(column, hand) for column in columns]
    vectors = tuple(str(c + 1) for c in range(desk.sizes.d_model))
    beside = Column.WORD + Column.DIGITS * len(vectors) + sum(step_widths) <= TEXT_WIDTH - _LEAST_BAR
    if not beside:
        vectors = ()
    rows = []
    for word in count:
        cells: list[CellContent] = [*of.embedding(word)] if beside else []
        for column in columns:
            blank = word not in given and not (wide and column != "logit")
            name = (of.before if column == "logit" else at) + column
            cells.append(_written(desk, name, word, given=wide and column == "exp", blank=blank))
        cells.append(desk.bar(at + "probability", word, blank=word not in given))
        rows.append(Row(of.words[word], tuple(cells), "example" if word == worked else "plain"))
    total = _written(desk, at + "exp_sum", given=wide, blank=not wide)
    before = [NO_SUM] * (len(columns) - 2 + len(vectors))
    rows.append(Row("Summe", (*before, total, about_one(desk), NO_SUM), "sum"))
    widths = (Column.WORD, *(Column.DIGITS for _ in vectors), *step_widths, Column.REST)
    tables = [Table((*vectors, *columns, "bar"), part, widths) for part in in_parts(rows, ROWS_TO_WRITE)]
    asked = [word for word in count if word not in given or word == worked]
    return tables if beside else [*_vector_tables(desk, of, asked), *tables]


def _given_words(desk: Desk, of: Output, shown: set[int]) -> set[int]:
    """Those shown anyway, some that cannot come next, of many most, and all with the vector of one."""
    count = len(of.words)
    best = set(desk.largest(of.before + "logit"))
    if not desk.less and count > _MOST_ASKED:
        few = set(range(0, count, 2) if desk.more else range(2, count, 3))
        shown |= (
            few if count < _MANY else set(range(count)) - set(range(1, count, 4 if desk.more else 3))
        ) - best
    vectors = [tuple(number.text for number in of.embedding(word)) for word in range(count)]
    known = {vectors[word] for word in shown}
    return {word for word in range(count) if vectors[word] in known}


def _vector_tables(desk: Desk, of: Output, asked: Iterable[int]) -> list[Table]:
    """The vectors of words alone, where they find no room beside what is worked out with them."""
    d = desk.sizes.d_model
    rows = [Row(of.words[word], tuple(of.embedding(word))) for word in asked]
    columns = tuple(str(c + 1) for c in range(d))
    widths = even(d, Column.PRINTED)
    return [
        Table(columns, part, widths, dense=d > MOST_WRITTEN_COLUMNS) for part in in_parts(rows, ROWS_GIVEN)
    ]


def softmax_tables(desk: Desk, of: Output, temperature: float, worked: int) -> list[Table]:
    """From the logits to the probabilities at one temperature, with the sum in the last row.

    A divided logit, times T, is the logit that is asked for; so it is the pupil's too, or is not printed.
    """
    at = of.at(temperature)
    wide = not writable(desk, of, temperature)
    steps = [*(["scaled_logit"] if temperature != 1 and not wide else []), "exp", "probability"]
    rows = []
    for word in range(len(of.words)):
        shown = {"scaled_logit", "exp"} if word == worked else set()
        cells: list[CellContent] = []
        for step in steps:
            blank = not wide and step not in shown
            cells.append(_written(desk, at + step, word, given=wide and step == "exp", blank=blank))
        rows.append(Row(of.words[word], tuple(cells), "example" if word == worked else "plain"))
    total = _written(desk, at + "exp_sum", given=wide, blank=not wide)
    rows.append(Row("Summe", (*([NO_SUM] * (len(steps) - 2)), total, about_one(desk)), "sum"))
    widths = (
        max(blank_width(desk.options.nachkommastellen), Column.LABEL),
        Column.EXP,
        blank_width(PROBABILITY_PLACES) + 6.0,
    )[-len(steps) :]
    most = ROWS_GIVEN if wide else ROWS_TO_WRITE
    return [Table(tuple(steps), part, (Column.WORD, *widths)) for part in in_parts(rows, most)]


def last_steps(desk: Desk, of: Output, temperatures: Sequence[float]) -> Table:
    """Only the last step, at several temperatures side by side: e^x is printed, and its sum over all words.

    Only the most probable words are asked for.
    """
    logits = desk.quantity(of.before + "logit").values
    best = sorted(range(len(logits)), key=lambda word: (-logits[word], word))
    ats, steps = [of.at(temperature) for temperature in temperatures], ("exp", "probability")

    rows = []
    for word in sorted(best[:ASKED_AGAIN]):
        cells = (desk.number(at + step, word, blank=step == "probability") for at in ats for step in steps)
        rows.append(Row(of.words[word], tuple(cells)))
    sums = (cell for at in ats for cell in (desk.number(at + "exp_sum"), about_one(desk)))
    rows.append(Row("Summe" if len(rows) == len(of.words) else "Summe aller", tuple(sums), "sum"))
    columns = tuple(f"{desk.constant(t)}.{step}" for t in temperatures for step in steps)
    widths = (Column.PROBABILITY, blank_width(PROBABILITY_PLACES)) * len(ats)
    return Table(columns, tuple(rows), (Column.WORD, *widths))


def about_one(desk: Desk) -> Words:
    """What rounded probabilities add up to, in a row of sums."""
    return Words(f"≈\N{NO-BREAK SPACE}{desk.constant(1)}")


def writable(desk: Desk, of: Output, temperature: float) -> bool:
    """Whether a hand can write every e^x at this temperature."""
    number = desk.number(of.at(temperature) + "exp_sum")
    return len(number.text) <= _WIDEST_EXP


def _written(desk: Desk, name: str, *index: int, given: bool, blank: bool) -> CellContent:
    """A number of the calculation; given: too long for a hand, so it stands in powers of ten."""
    if not given:
        return desk.number(name, *index, blank=blank)
    value = float(desk.quantity(name).values[index])
    factor, _, power = f"{value:.2e}".partition("e")
    raised = str(int(power)).translate(str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"))
    return Words(f"{desk.constant(float(factor), 2)}\N{NO-BREAK SPACE}·\N{NO-BREAK SPACE}10{raised}")
