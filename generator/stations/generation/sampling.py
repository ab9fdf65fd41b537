"""Station 9: rounds that draw the next word: by probability, Top-k, Top-p, with table and cut line."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from markupsafe import Markup

from engine.texts.generation import Generation, Round
from generator.basics.fonts import printable
from generator.basics.numbers import NumberFormat
from generator.figures.drawing import Canvas, text_width
from generator.figures.labels import BETWEEN, spread
from generator.figures.parts import named
from generator.sheet.columns import Column
from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH, WORD_WIDTH
from generator.sheet.sheet import (
    Drawing,
    Figure,
    Given,
    Number,
    Parts,
    Row,
    Solution,
    Table,
    Words,
    parts,
    walk,
)
from generator.stations.common import Tasks
from generator.stations.next_word import NO_SUM, about_one

_MOST_TO_ADD: Final = 8  # words whose sums a pupil adds up
_PAIRED_WIDTH: Final = 79.0
_PAIRED_LETTERS: Final = 9
_ONE_BESIDE_NONE: Final = 2  # rounds: the first has a place of its own
_WORD: Final = 3.4  # mm: the size of a word in a table
_ROWS_IN_A_COLUMN: Final = 10
# ID, probability, share and sum of a word: printed, beside an answer, and in two tables side by side.
_PRINTED: Final = (Column.ID, Column.PROBABILITY, Column.PROBABILITY, Column.PAIR)
_WRITTEN: Final = (Column.DENSE_UNIT, Column.LABEL, Column.SHARE, Column.WORD)
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


# --- The line from 0 to 1 of which every word has a piece: a random number is a point thrown on it.


_LEFT: Final = 3.0
_LINE: Final = TEXT_WIDTH - 2 * _LEFT
_TOP: Final = 9.0  # mm above the pieces, for the point's number and the scale
_HIGH: Final = 8.6
_BELOW: Final = 6.0  # for words that their pieces have no room for, and the lines to them
_SIZE, _SMALL = 3.2, 2.8
_CLEAR: Final = 3.6  # mm between the point and a number of the scale
_SEEN: Final = 0.8  # mm of a piece that is named in the picture


def strip(
    words: Sequence[str],
    ends: Sequence[float],
    random: float,
    numbers: NumberFormat,
    *,
    left: str = "",
    cut: float | None = None,
) -> Figure:
    """Pieces from the most probable word on, each up to its sum in `ends`, and the random number's point.

    left: what the worksheet leaves to the pupil: the "point", or the "pieces" too, or only the "cut": where
    Top-p stops.
    """
    listed = (f"{word} bis {numbers.text(end, 3)}" for word, end in zip(words, ends, strict=True))
    said = f"Von 0 bis 1: {', '.join(listed)}."
    point = f" Der Punkt liegt bei {numbers.text(random, 2)}."
    empty = {
        "": None,
        "point": Drawing(_pieces(words, ends, None, numbers), said),
        "pieces": Drawing(_pieces((), (), None, numbers), "Von 0 bis 1, leer."),
        "cut": Drawing(_pieces(words, ends, random, numbers), said + point),
    }[left]
    drawn = _pieces(words, ends, random, numbers, cut)
    whole = Drawing(
        drawn, said + point + (f" Der Strich p steht bei {numbers.text(cut, None)}." if cut else "")
    )
    height = _TOP + _HIGH + _BELOW
    return Figure("Die Strecke von 0 bis 1", TEXT_WIDTH, height, whole, empty, later=left == "cut")


def _beside_marks(left: float, right: float, marks: Iterable[float], wide: float) -> float:
    """The middle of a piece, or of the widest part of it beside the lines that cross it, if that has room."""
    cuts = [left, *sorted(mark for mark in marks if left < mark < right), right]
    start, end = max(pairwise(cuts), key=lambda part: part[1] - part[0])
    return (start + end) / 2 if end - start >= wide else (left + right) / 2


def _pieces(
    words: Sequence[str],
    ends: Sequence[float],
    random: float | None,
    numbers: NumberFormat,
    cut: float | None = None,
) -> Markup:
    canvas = Canvas()
    bottom = _TOP + _HIGH
    canvas.rectangle((_LEFT, _TOP), (_LINE, _HIGH), width=0.45)
    point, stop = (None if at is None else _LEFT + _LINE * at for at in (random, cut))
    marks = [x for x in (point, stop) if x is not None]
    for tick in range(101):
        x, length = _LEFT + _LINE * tick / 100, 2.2 if tick % 10 == 0 else 1.6 if tick % 5 == 0 else 0.9
        canvas.line((x, _TOP), (x, _TOP - length), 0.25 if tick % 5 else 0.35)
        if tick % 10 == 0 and all(abs(x - mark) > _CLEAR for mark in marks):
            canvas.text((x, _TOP - 2.9), numbers.text(tick / 100, 1), 2.8, "middle")
    begin, small = 0.0, list[tuple[float, str]]()
    for word, end in zip(words, ends, strict=True):
        left, right = (_LEFT + _LINE * min(float(at), 1.0) for at in (begin, end))
        begin = end
        if right < _LEFT + _LINE - 0.1:
            canvas.line((right, _TOP), (right, bottom), 0.35)
        wide = text_width(word, _SIZE) + 1.6
        if wide <= right - left:
            middle = _beside_marks(left, right, marks, wide)
            canvas.text((middle, _TOP + _HIGH / 2 + 1.1), word, _SIZE, "middle")
        elif right - left >= _SEEN:
            small.append(((left + right) / 2, word))
    while sum(text_width(word, _SMALL) + BETWEEN for _, word in small) > TEXT_WIDTH:
        small.pop()
    widths = [text_width(word, _SMALL) for _, word in small]
    places = spread([x for x, _ in small], widths, (0.0, TEXT_WIDTH))
    for (x, word), place in zip(small, places, strict=True):
        canvas.leader((x, bottom - 2.0), (place, bottom + _BELOW - 3.4))
        canvas.text((place, bottom + _BELOW - 0.8), word, _SMALL, "middle")
    if random is not None and point is not None:
        canvas.disc((point, bottom - 1.6), 1.2)
        canvas.text((point, 2.9), numbers.text(random, 2), 3.0, "middle", bold=True)
        canvas.line((point, 3.6), (point, bottom - 1.6), 0.35)
    if stop is not None:
        beside = point is not None and abs(stop - point) < _CLEAR
        canvas.text((stop + (_CLEAR if beside else 0.0), 2.9), "p", 3.0, "middle", bold=True)
        canvas.line((stop, 3.6), (stop, bottom), 0.9)
    return canvas.shapes
