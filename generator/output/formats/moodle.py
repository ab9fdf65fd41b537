"""A sheet as a Moodle question bank, with blanks to fill in (Cloze).

One question for each exercise with numbers. Of a variant among others, one for each station or page full of
it: Moodle draws them one by one. Each can be solved where it stands. A blank is judged by the one rule
(generator/basics/numbers.py); the number of a typical mistake gets its hint.
"""

import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from html import escape
from itertools import groupby
from typing import Final
from xml.etree.ElementTree import Element

from engine.trace import DECODER, place_of
from generator.basics.errors import in_words
from generator.basics.numbers import counting, unit
from generator.output.formats import questions as question_bank
from generator.output.formats.html import OPEN, PAGE, HtmlWriter, height, typed
from generator.output.formats.questions import Exercise, Expected, Material
from generator.output.formats.tree import Blank, Block, Heading
from generator.sheet.sheet import walk

merged: Final = question_bank.merged
_PENALTY: Final = "0.3333333"
_MOST_HINTS: Final = 4
_MOST_POINTS: Final = 10_000
_THOUSAND: Final = 1000
# Layer and name of what a quantity is calculated from.
_INPUT: Final = ("", "input")
_READS: Final[Mapping[str, Collection[tuple[str, str]]]] = {
    **dict.fromkeys(("query", "key", "value", "score"), (_INPUT,)),
    "residual1": (_INPUT, ("", "attention")),
    "hidden": (("norm1", "output"),),
    "residual2": (("norm1", "output"), ("ffn", "output")),
    **dict.fromkeys(("logit", "scaled_logit"), (("norm2", "output"),)),
}
_FOREIGN: Final = re.compile(r"\{(?=[0-9]*:[A-Za-z_]+:)")
_OURS: Final = "\ufdd0"  # a sign that no text holds stands for the brace of our blanks
_BEFORE: Final = "Was auf dem Blatt davor steht, mit allen Zahlen (zum Aufklappen)"
_HOW: Final = (
    "<p><small>Rechne mit den Zahlen dieser Frage; was aus anderen Stationen gebraucht wird, steht schon da. "
    "Zahlen mit Komma oder Punkt, ein Minus mit der Taste „-“; „0“ zählt wie „0,00“. Beim Runden entscheidet "
    "die erste weggelassene Ziffer: Ab 5 wird der Betrag größer. Auszufüllen ist, wo ein Feld steht; „…“ in "
    "einer Tabelle steht für das, was du auf Papier schreibst oder weiter oben einträgst. Gezeichnet wird "
    "auf Papier. Die BE einer Aufgabe verteilen sich auf ihre Felder.</small></p>"
)


@dataclass(frozen=True)
class Question:
    """What one question holds. name: without its points. exercises: also those of words between its own."""

    station: str
    name: str
    exercises: tuple[Exercise, ...]


def questions(material: Material) -> Iterator[Question]:
    """The questions of a sheet, in order: each exercise with numbers; of a variant, pages full of them."""
    for station, grouped in groupby(material.exercises, lambda exercise: exercise.station):
        exercises = tuple(grouped)
        asking = [exercise for exercise in exercises if exercise.asked]
        if not material.record.variant:
            yield from (Question(station, each.name, (each,)) for each in asking)
        elif asking:
            pages = list(_pages(exercises))
            for number, page in enumerate(pages, 1):
                part = f", Teil {number}" if len(pages) > 1 else ""
                yield Question(station + part, f"{station}{part} (Blatt {material.record.variant}", page)


def _pages(exercises: Sequence[Exercise]) -> Iterator[tuple[Exercise, ...]]:
    """The exercises of a station up to the last with numbers, as many together as a page has room for."""
    page: list[Exercise] = []
    room = 0
    for each in exercises[: 1 + max(n for n, exercise in enumerate(exercises) if exercise.asked)]:
        needed = height(each.before) + (height(each.blocks) if each.asked else 0)
        if any(earlier.asked for earlier in page) and needed > room:
            yield tuple(page)
            page = []
        if not page:
            room = PAGE - height(folded(each)[1]) + height(each.before)
        page.append(each)
        room -= needed
    yield tuple(page)


def folded(exercise: Exercise) -> tuple[tuple[Block, ...], tuple[Block, ...]]:
    """What its station says before it: what is folded away, and what its page has room for.

    At most its own part, which begins with a heading; of a long one only the end.
    """
    given = exercise.given
    heads = [n for n, block in enumerate(given) if isinstance(block, Heading)]
    start = heads[-1] if heads else 0
    room = PAGE - height((*exercise.recalled, *exercise.blocks))
    while height(given[start:]) > room and start < len(given):
        start += 1
    return given[:start], given[start:]


def write(material: Material) -> bytes:
    """The bank of one sheet."""
    bank = Element("quiz")
    for station, some in groupby(questions(material), lambda question: question.station):
        question_bank.add_category(bank, material.title, station)
        for question in some:
            _add(bank, question, material)
    left_out = tuple(_left_out(material))
    if left_out:
        question_bank.add_category(bank, material.title)
        said = f"<p>Das steht nur auf dem Blatt:</p><ul>{''.join(left_out)}</ul>"
        question_bank.add_note(bank, "Nicht in Moodle: Antworten in Worten und Zeichnungen", said)
    return question_bank.written(bank)


def _add(bank: Element, question: Question, material: Material) -> None:
    exercises, alone = question.exercises, not material.record.variant
    elsewhere = _elsewhere([each.number for each in exercises if not each.asked])
    own = {address for exercise in exercises for address in exercise.asked}
    marks = _marks(exercises)
    known = material.given(own)
    given = HtmlWriter(lambda blank: typed(known(blank)) or OPEN, typed)
    told = HtmlWriter(lambda blank: typed(material.numbers[blank.cell]), typed, given.pictures)
    recalled = dict.fromkeys(block for exercise in exercises for block in exercise.recalled)
    asked, points = HtmlWriter(lambda _: OPEN, typed, given.pictures), 0
    before, here = folded(exercises[0])
    parts = [_HOW, elsewhere]
    if recalled:
        parts += ["<p>Aus einer Station davor:</p>", told.blocks(recalled)]
    parts.append(_from_before(exercises, material))
    if before:
        parts.append(f"<details><summary>{_BEFORE}</summary>{given.blocks(before)}</details>")
    for n, (exercise, mark) in enumerate(zip(exercises, marks, strict=True)):
        parts.append(given.blocks(exercise.before if n else here))
        if exercise.asked:
            asked.blank = _field(exercise, known, mark, material)
            parts += [f"<h4>Aufgabe {exercise.number}</h4>", asked.blocks(exercise.blocks)]
            points += exercise.points
    html = _FOREIGN.sub("&#123;", "".join(parts)).replace(_OURS, "{")  # a sentence opens no blank
    label = f"{question.name}{' (' if alone else ', '}{points} BE)"
    made = question_bank.add_question(bank, "cloze", label, html, given.pictures)
    question_bank.add_values(made, penalty=_PENALTY, hidden="0")


def _elsewhere(numbers: Sequence[str]) -> str:
    """Which tasks of the station the question leaves out; of those alone on the sheet it says nothing."""
    if not numbers:
        return ""
    task, stand = ("Aufgabe", "steht") if len(numbers) == 1 else ("Die Aufgaben", "stehen")
    said = f"{task} {in_words(numbers)} {stand} nur auf dem Blatt: Dort wird geschrieben oder gezeichnet."
    return f"<p><small>{said}</small></p>"


def _from_before(exercises: Sequence[Exercise], material: Material) -> str:
    """Rows of earlier stations that these exercises calculate with and their page only points to."""
    mine, asked = {each.station for each in exercises}, {at for each in exercises for at in each.asked}
    places = [place_of(name) for name, _ in asked]
    needed = {(each.side == DECODER, source) for each in places for source in _READS.get(each.last, ())}
    here = (blank for each in exercises for blank in walk((*each.given, *each.blocks), Blank))
    there = {blank.cell for blank in here}
    rows: dict[tuple[str, int], list[str]] = {}
    for earlier in material.exercises:
        if earlier.station in mine:
            break
        for at in earlier.asked:
            place = place_of(at[0])
            read = (place.side == DECODER, (place.layer, place.last)) in needed
            if read and at not in there and len(at[1]) > 1:
                rows.setdefault((at[0], at[1][0]), []).append(typed(material.numbers[at]))
    words = material.record.words
    said = (f"„{escape(words(name, 0)[row])}“: ({' | '.join(some)})" for (name, row), some in rows.items())
    return "".join(f"<p>Aus einer Station davor, Vektor von {row}</p>" for row in said)


def _field(
    exercise: Exercise, known: Callable[[Blank], str], mark: int, material: Material
) -> Callable[[Blank], str]:
    """A blank of an exercise: a field where it asks for it first; what it would copy is given."""
    left = set(exercise.asked)

    def field(blank: Blank) -> str:
        if blank.cell not in left:
            return typed(known(blank)) or OPEN
        left.remove(blank.cell)
        return _OURS + cloze(material.answers[blank.cell], mark)[1:]

    return field


def _marks(exercises: Sequence[Exercise]) -> list[int]:
    """What a blank of each exercise earns; Moodle adds whole numbers: the sheet's points, or a multiple."""
    shares = [Fraction(each.points, max(1, len(each.asked))) for each in exercises]
    asking = [share for each, share in zip(exercises, shares, strict=True) if each.asked]
    if len(asking) == 1 and asking[0].denominator > 1:
        return [1] * len(exercises)
    times = math.lcm(*(share.denominator for share in asking))
    if times > _MOST_POINTS // sum(each.points for each in exercises):
        times = 100
    return [max(1, round(share * times)) for share in shares]


def _left_out(material: Material) -> Iterator[str]:
    """Every exercise, or part of one, that Moodle cannot mark, and why."""
    for each in material.exercises:
        if each.only_on_paper or not each.asked:
            why = each.only_on_paper or "keine Zahl zum Eintragen"
            yield f"<li>{escape(each.name)}: {why}</li>"


def cloze(expected: Expected, mark: int = 1) -> str:
    """A blank as Moodle's embedded answer: the value, all that counts as accepted, the numbers of mistakes.

    Moodle reads 1.023 as a number a little larger than 1; in a cell of whole numbers that is 1023.
    """
    places = max(0, -int(expected.value.as_tuple().exponent))
    answers = [f"={_plain(expected.value)}:0"]
    answers += [f"%100%{part}" for part in _around(expected.low, expected.high, places)]
    if places == 0 and abs(expected.value) >= _THOUSAND:
        low, high = expected.low / _THOUSAND, expected.high / _THOUSAND
        answers.append(f"%100%{_plain((low + high) / 2)}:{_plain((high - low) / 2)}")
    for number, hint in expected.hints[:_MOST_HINTS]:
        said = escape(re.sub(r"[{}~\\]", " ", hint), quote=False)  # nothing in it ends the answer
        answers += [f"%0%{part}#{said}" for part in _around(number, number, places)[:1]]
    return f"{{{mark}:NUMERICAL:{'~'.join(answers)}}}"


def _around(low: Decimal, high: Decimal, places: int) -> list[str]:
    """What counts as a number from low to high: a middle and its distance; then an end that counts too.

    Moodle makes a field as wide as its longest answer: no middle lies beside its number by a hair.
    """
    first, last = counting(low, high, places)
    half = unit(places) / 2
    middle, ends = (low + high) / 2, (low - half, high + half)
    inside = min(middle - max(first, ends[0]), min(last, ends[1]) - middle)
    counted = [end for end in ends if first <= end <= last]
    return [f"{_plain(middle)}:{_plain(inside)}", *(f"{_plain(end)}:0" for end in counted)]


def _plain(number: Decimal) -> str:
    return f"{number.normalize():f}"
