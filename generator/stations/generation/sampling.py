"""Station 9: rounds that draw the next word: by probability, Top-k, Top-p, with table and cut line."""

from dataclasses import replace
from typing import Final

from engine.texts.generation import Generation, Round
from generator.basics.fonts import printable
from generator.figures.drawing import text_width
from generator.figures.parts import named
from generator.sheet.columns import Column
from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH, WORD_WIDTH
from generator.sheet.sheet import Figure, Given, Number, Parts, Row, Solution, Table, Words, parts
from generator.sheet.tree import walk
from generator.stations.common import Tasks
from generator.stations.generation.strip import strip
from generator.stations.next_word import NO_SUM, about_one

_MOST_TO_ADD: Final = 8  # words whose sums a pupil adds up
_PAIRED_WIDTH: Final = 79.0
_PAIRED_LETTERS: Final = 9
_ONE_BESIDE_NONE: Final = 2  # rounds: the first has a place of its own
_WORD: Final = 3.4  # mm: the size of a word in a table
_ROWS_IN_A_COLUMN: Final = 10
# ID, probability, share and sum of a word: printed, beside an answer, and in two tables side by side.
_PRINTED: Final = (Column.ID, Column.PROBABILITY, Column.PROBABILITY, Column.PAIR)
_WRITTEN: Final = (Column.DIGITS, Column.LABEL, Column.SHARE, Column.WORD)
_PAIRED: Final = (Column.DENSE_UNIT, Column.FEW_DIGITS, Column.FEW_DIGITS, Column.SHARE)
_SIGNS_IN_A_LINE: Final = 45


def appended(desk: Desk, rounds: tuple[Round, ...]) -> Solution:
    """All chosen words, with room for as many of the longest."""
    longest = max(map(len, desk.vocabulary)) + 1
    text = " ".join(printable(round_.chosen.word) for round_ in rounds)
    return Solution(text, rows=-(-desk.options.laenge * longest // _SIGNS_IN_A_LINE))


def method(desk: Desk, name: str, made: Generation, tasks: Tasks, drawn_cut: float | None) -> Parts:
    """kept: words that stay in the first round. drawn_cut: the p that pupils draw into the worked strip."""
    first = made.rounds[0]
    # What a cut does shows in one round; a whole text is drawn with the temperature alone.
    shown = made.rounds if name == "sampled" else made.rounds[:1]
    cut = _cut(desk, name, first) if name == "top_p" else None
    rounds = [] if cut else [_drawn(desk, name, made, round_) for round_ in shown]
    exercises = rounds[1:] if name == "sampled" else rounds
    tables = [round_.table for round_ in exercises]
    blanks = sum(number.blank for number in walk(tables, Number))
    if exercises:
        tasks.add(name, "Wähle", "I", tables, points=len(exercises) + round(blanks / 3))
    if cut:
        tasks.add(name, "Gib", "I", cut, points=2)
    return parts(
        name=name,
        temperature=desk.constant(made.choice.temperature),
        k=str(made.choice.k),
        kept=first.hand.n_kept,
        all_kept=name == "top_k" and made.choice.k is not None and made.choice.k >= len(made.words),
        p=desk.constant(made.choice.p),
        random_row=[round_.random for round_ in rounds],
        worked=_worked(desk, name, first, drawn_cut) if name == "sampled" else None,
        cut=cut,
        rounds=exercises,
        appended=appended(desk, shown),
        id_sum=str(sum(round_.chosen.word_id for round_ in shown)),
        ended=made.stop if name == "sampled" else "",
    )


def _cut(desk: Desk, name: str, round_: Round) -> Parts:
    """Which words stay; choosing among them would be as with Top-k."""
    words = [named(c.word) for c in round_.candidates[: round_.hand.n_kept]]
    total = desk.number(f"{name}.round{round_.number}.kept_sum", blank=True, given=Given.READ_OFF)
    return parts(words=Solution(", ".join(words)), total=total, tied=round_.tied_at_cut)


def _worked(desk: Desk, name: str, round_: Round, cut: float | None) -> Parts:
    at = f"{name}.round{round_.number}."
    order = [c.word_id for c in round_.candidates]
    sums = [desk.number(at + "cumulative", i) for i in order]
    probabilities = [desk.number(at + "probability", i) for i in order]
    place = order.index(round_.hand.chosen)
    drawn, ends = _strip(desk, at, round_, "cut" if cut else "", cut)
    lines = [(sums[i - 1], probabilities[i], sums[i]) for i in range(1, min(3, len(order)))]
    return parts(
        lines=lines,
        word=printable(round_.chosen.word),
        below=sums[place - 1] if place else None,
        above=sums[place],
        strip=drawn,
        ends=ends,
    )


def _strip(
    desk: Desk, at: str, round_: Round, left: str = "", cut: float | None = None
) -> tuple[Figure, tuple[tuple[str, Number], ...]]:
    """The picture of all pieces, and where each ends. left: what of it the pupil draws; cut: Top-p's p."""
    order = [c.word_id for c in round_.candidates]
    words = [named(c.word) for c in round_.candidates]
    ends = [float(desk.quantity(at + "cumulative").values[i]) for i in order]
    numbers = [desk.number(at + "cumulative", i) for i in order]
    picture = strip(words, ends, round_.random or 0.0, desk.format, left=left, cut=cut)
    return picture, tuple(zip(words, numbers, strict=True))


def _drawn(desk: Desk, name: str, made: Generation, round_: Round) -> Parts:
    """One round's table: probabilities, shares of the kept words where some are dropped, and their sums.

    open: shares are to be worked out. half: it stands beside another round. Where all words stay and
    nothing is to be added up there is no table, but the strip with all its ends.
    """
    at = f"{name}.round{round_.number}."
    kept = round_.hand.n_kept
    written = _written(desk, name, round_)
    has_shares = name != "sampled"
    open_cut = "share" in written
    columns = ("id", "probability", *(("share",) if has_shares else ()), "cumulative")
    rows = []
    for best in round_.candidates[:kept]:
        word = best.word_id
        given = Words(str(word)), desk.number(at + "probability", word)
        further = (desk.number(at + column, word, blank=column in written) for column in columns[2:])
        rows.append(Row(named(best.word), (*given, *further)))
    if open_cut:
        known = Given.READ_OFF if round_.number == 1 else None  # it is a sum of the example, without shares
        total = desk.number(at + "kept_sum", blank=True, given=known)
        rows.append(Row("Summe", (NO_SUM, total, about_one(desk), NO_SUM), "sum"))
    several = len(made.rounds) > _ONE_BESIDE_NONE and round_.number > 1
    table = _table(desk, columns, rows, written, several) if has_shares or written else None
    picture, ends = _strip(desk, at, round_, "pieces" if written else "point")
    return parts(
        number=round_.number,
        random=desk.constant(round_.random or 0.0, 2),
        table=table,
        strip=None if has_shares else picture,
        ends=() if has_shares or written else ends,
        open=open_cut,
        fill=bool(written),
        half=several and table is not None and sum(table.widths) <= _PAIRED_WIDTH,
        tied=round_.tied_at_cut,
        chosen=Solution(printable(round_.chosen.word)),
    )


def _table(desk: Desk, columns: tuple[str, ...], rows: list[Row], written: set[str], several: bool) -> Table:
    """several: more than one round comes after the first; they stand side by side where they fit."""

    def widths(first: float, of: tuple[float, ...]) -> tuple[float, ...]:
        return (first, *(of if "share" in columns else (*of[:2], of[-1])))

    wide = widths(Column.WORD, _PRINTED)
    table = Table(columns, tuple(rows), wide) if written else in_columns(columns, rows, wide[1:])
    if table.columns != columns:
        return table
    longest = max(map(len, desk.vocabulary))
    if table.dense or (several and longest <= _PAIRED_LETTERS and "share" not in written):
        *first, last = widths(Column.LONG_LABEL, _PAIRED)
        return replace(table, widths=(*first, Column.WORD if written else last))
    if max(text_width(word, _WORD) for word in desk.vocabulary) <= WORD_WIDTH - 1.0:
        return replace(table, widths=widths(Column.WORD, _WRITTEN))
    return table


def _written(desk: Desk, name: str, round_: Round) -> set[str]:
    """What the pupil computes: all of the first round with shares; later ones where little is given."""
    first = round_.number == 1
    if round_.hand.n_kept > _MOST_TO_ADD or (name == "sampled" and first):
        return set()
    if desk.more:
        return {"cumulative"} if first else set()
    if name == "sampled":
        return {"cumulative"}
    return {"share", "cumulative"} if first or desk.less else set()


def in_columns(columns: tuple[str, ...], rows: list[Row], widths: tuple[float, ...]) -> Table:
    """Given rows; many of them side by side in two halves."""
    if len(rows) <= _ROWS_IN_A_COLUMN or 2 * (sum(widths) + WORD_WIDTH) > TEXT_WIDTH:
        return Table(columns, tuple(rows), (WORD_WIDTH, *widths), dense=len(rows) > _ROWS_IN_A_COLUMN)
    half = -(-len(rows) // 2)
    blank = Row("", tuple(Words("") for _ in columns))
    pairs = zip(rows[:half], [*rows[half:], blank], strict=False)
    joined = tuple(Row(a.head, (*a.cells, Words(b.head), *b.cells)) for a, b in pairs)
    return Table((*columns, "word", *columns), joined, (WORD_WIDTH, *widths, WORD_WIDTH, *widths))
