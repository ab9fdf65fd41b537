"""Station 9: rounds that draw the next word: by probability, Top-k, Top-p, with table and cut line."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engine.texts.generation import Generation, Round
from generator.basics.fonts import printable
from generator.basics.numbers import NumberFormat
from generator.figures.drawing import Canvas, Pattern, shortened, text_width
from generator.figures.parts import quoted
from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH, WORD_WIDTH
from generator.sheet.sheet import Drawing, Figure, Given, Number, Parts, Row, Solution, Table, Words, parts
from generator.sheet.tree import walk
from generator.stations.common import Tasks
from generator.stations.next_word import NO_SUM, about_one

_MOST_TO_ADD: Final = 8  # words whose sums a pupil adds up
_DROPPED_SHOWN: Final = 1
_PAIRED: Final = {"id": 7.0, "probability": 14.0, "share": 14.5, "cumulative": 20.0}  # two stand side by side
_PAIRED_WORD: Final = 22.0
_PAIRED_WIDTH: Final = 79.0
_PAIRED_LETTERS: Final = 9
_ONE_BESIDE_NONE: Final = 2  # rounds: the first has a place of its own
_WRITTEN: Final = {"id": 8.0, "probability": 18.0, "share": 20.0, "cumulative": 27.0}  # beside its answer
_SHORT_WORD: Final = 12  # letters
_ROWS_IN_A_COLUMN: Final = 10
_WIDTHS: Final = {"id": 10.0, "probability": 24.0, "share": 24.0, "cumulative": 30.0}  # mm
_SIGNS_IN_A_LINE: Final = 45
_LEFT: Final = 3.0
_LINE: Final = TEXT_WIDTH - 2 * _LEFT
_TOP: Final = 7.5
_HIGH: Final = 7.0
_PATTERNS: Final[tuple[Pattern, ...]] = ("white", "/", "white", "-")


def appended(desk: Desk, rounds: tuple[Round, ...]) -> Solution:
    """All chosen words, with room for as many of the longest."""
    longest = max(map(len, desk.vocabulary)) + 1
    text = " ".join(printable(round_.chosen.word) for round_ in rounds)
    return Solution(text, rows=-(-desk.options.laenge * longest // _SIGNS_IN_A_LINE))


def method(desk: Desk, name: str, made: Generation, tasks: Tasks) -> Parts:
    """kept: words that stay in the first round."""
    # What a cut does shows in one round; a whole text is drawn with the temperature alone.
    shown = made.rounds if name == "sampled" else made.rounds[:1]
    rounds = [_drawn(desk, name, made, round_) for round_ in shown]
    exercises = rounds[1:] if name == "sampled" else rounds
    tables = [round_.table for round_ in exercises]
    blanks = sum(number.blank for number in walk(tables, Number))
    if exercises:
        tasks.add(name, "Wähle", "I", tables, points=len(exercises) + (blanks + 1) // 2)
    return parts(
        name=name,
        temperature=desk.constant(made.choice.temperature),
        k=str(made.choice.k),
        kept=made.rounds[0].hand.n_kept,
        all_kept=name == "top_k" and made.choice.k is not None and made.choice.k >= len(made.words),
        p=desk.constant(made.choice.p),
        random_row=[round_.random for round_ in rounds],
        first=rounds[0] if name == "sampled" else None,
        worked=_worked(desk, name, made.rounds[0]) if name == "sampled" else None,
        rounds=exercises,
        appended=appended(desk, shown),
        id_sum=str(sum(round_.chosen.word_id for round_ in shown)),
        ended=made.stop if name == "sampled" else "",
    )


def _worked(desk: Desk, name: str, round_: Round) -> Parts:
    at = f"{name}.round{round_.number}."
    order = [c.word_id for c in round_.candidates]
    sums = [desk.number(at + "cumulative", i) for i in order]
    probabilities = [desk.number(at + "probability", i) for i in order]
    place = order.index(round_.hand.chosen)
    lines = [(sums[i - 1], probabilities[i], sums[i]) for i in range(1, min(3, len(order)))]
    return parts(
        lines=lines,
        word=printable(round_.chosen.word),
        below=sums[place - 1] if place else None,
        above=sums[place],
        pieces=pieces_with_needle(
            [printable(c.word) for c in round_.candidates],
            [desk.quantity(at + "cumulative").values[i] for i in order],
            round_.random or 0.0,
            desk.format,
        ),
    )


def _drawn(desk: Desk, name: str, made: Generation, round_: Round) -> Parts:
    """One round's table: probabilities, shares of the kept words where some are dropped, and their sums.

    open: the pupil decides which words stay. half: it stands beside another round.
    """
    at = f"{name}.round{round_.number}."
    kept = round_.hand.n_kept
    written = _written(desk, name, round_)
    has_shares = name != "sampled"
    open_cut = "share" in written
    dropped = _DROPPED_SHOWN if open_cut and name == "top_p" else 0  # the pupil decides which words stay
    columns = ("id", "probability", *(("share",) if has_shares else ()), "cumulative")
    rows = []
    for place, best in enumerate(round_.candidates[: kept + dropped]):
        word = best.word_id
        further = (
            desk.number(at + column, word, blank=column in written) if place < kept else Solution("–")
            for column in columns[2:]
        )
        cells = (Words(str(word)), desk.number(at + "probability", word), *further)
        rows.append(Row(printable(best.word), cells))
    if open_cut:
        known = Given.READ_OFF if round_.number == 1 else None  # it is a sum of the example, without shares
        total = desk.number(at + "kept_sum", blank=True, given=known)
        rows.append(Row("Summe", (NO_SUM, total, about_one(desk), NO_SUM), "sum"))
    several = len(made.rounds) > _ONE_BESIDE_NONE and round_.number > 1
    table = _table(desk, columns, rows, written, several)
    return parts(
        number=round_.number,
        random=desk.constant(round_.random or 0.0, 2),
        table=table,
        open=open_cut,
        fill=bool(written),
        half=several and sum(table.widths) <= _PAIRED_WIDTH,
        tied=round_.tied_at_cut,
        chosen=Solution(printable(round_.chosen.word)),
    )


def _table(desk: Desk, columns: tuple[str, ...], rows: list[Row], written: set[str], several: bool) -> Table:
    """several: more than one round comes after the first; they stand side by side where they fit."""
    widths = tuple(_WIDTHS[column] for column in columns)
    table = (
        Table(columns, tuple(rows), (WORD_WIDTH, *widths)) if written else in_columns(columns, rows, widths)
    )
    if table.columns != columns:
        return table
    longest = max(map(len, desk.vocabulary))
    if table.dense or (several and longest <= _PAIRED_LETTERS and "share" not in written):
        last = _WRITTEN["cumulative"] if written else _PAIRED["cumulative"]
        return replace(table, widths=(_PAIRED_WORD, *(_PAIRED[column] for column in columns[:-1]), last))
    if longest <= _SHORT_WORD:
        return replace(table, widths=(WORD_WIDTH, *(_WRITTEN[column] for column in columns)))
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


def pieces_with_needle(
    words: Sequence[str], ends: Sequence[float], random: float, numbers: NumberFormat
) -> Figure:
    """Pieces from the most probable word on, each up to its sum in `ends`; a needle at the random number."""
    canvas = Canvas()
    canvas.rectangle((_LEFT, _TOP), (_LINE, _HIGH), width=0.4)
    for tick in range(11):
        x = _LEFT + _LINE * tick / 10
        canvas.line((x, _TOP + _HIGH), (x, _TOP + _HIGH + (1.6 if tick % 5 == 0 else 1.0)), 0.3)
        if tick % 5 == 0:
            canvas.text((x, _TOP + _HIGH + 4.6), numbers.text(tick / 10, 1), 2.6, "middle")
    for k, (word, end) in enumerate(zip(words, ends, strict=True)):
        begin = float(ends[k - 1]) if k else 0.0
        left, wide = _LEFT + _LINE * min(begin, 1.0), _LINE * (min(end, 1.0) - min(begin, 1.0))
        if wide < 0.3:
            continue
        canvas.rectangle((left, _TOP), (wide, _HIGH), _PATTERNS[k % len(_PATTERNS)], 1.6, 0.3)
        if wide > 7.0:
            text = shortened(word, wide - 2.0, 2.8)
            room = text_width(text, 2.8) + 1.2
            canvas.rectangle((left + (wide - room) / 2, _TOP + 1.4), (room, _HIGH - 2.8), width=0.0)
            canvas.text((left + wide / 2, _TOP + _HIGH / 2 + 1.0), text, 2.8, "middle")
    x = _LEFT + _LINE * random
    canvas.arrow([(x, 2.4), (x, _TOP)], 0.8, 2.2)
    right = x < TEXT_WIDTH - 40.0
    canvas.text(
        (x + (1.6 if right else -1.6), 4.2),
        f"Zufallszahl {numbers.text(random, 2)}",
        2.8,
        "start" if right else "end",
    )
    listed = (f"{quoted(word)} bis {numbers.text(end, 3)}" for word, end in zip(words, ends, strict=True))
    said = f"Von 0 bis 1: {', '.join(listed)}. Die Nadel zeigt auf {numbers.text(random, 2)}."
    height = _TOP + _HIGH + 5.2
    return Figure("Die Strecke von 0 bis 1 in Stücken", TEXT_WIDTH, height, Drawing(canvas.shapes, said))
