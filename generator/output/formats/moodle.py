"""A sheet as a Moodle question bank, with blanks to fill in (Cloze).

One question for each exercise with numbers. Of a variant among others, one for each station: Moodle draws
questions one by one, and exercises of one station need each other's numbers. A blank accepts exactly the
range that `pruefe` accepts; the number of a typical mistake gets its hint.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from decimal import Decimal
from html import escape
from itertools import groupby
from typing import Final
from xml.etree.ElementTree import Element

from generator.output.formats import questions as question_bank
from generator.output.formats.html import OPEN, HtmlWriter
from generator.output.formats.questions import Address, Exercise, Expected, Material
from generator.output.formats.tree import Blank, walk

merged: Final = question_bank.merged
_PENALTY: Final = "0.3333333"
_MOST_HINTS: Final = 4
_FOREIGN: Final = re.compile(r"\{(?=[0-9]*:[A-Za-z_]+:)")
_OURS: Final = "\ufdd0"  # a sign that no text holds stands for the brace of our blanks
_HALF: Final = Decimal("0.5")


def write(material: Material) -> bytes:
    """The bank of one sheet."""
    bank = question_bank.new_bank()
    title = material.sheet.title
    for station, grouped in groupby(material.exercises, lambda exercise: exercise.station):
        exercises = list(grouped)
        asking = [exercise for exercise in exercises if exercise.asked]
        if asking:
            question_bank.add_category(bank, title, station)
        if asking and material.record.variant:
            _add_station(bank, exercises, material)
        else:
            for exercise in asking:
                _add_exercise(bank, exercise, material)
    left_out = tuple(_left_out(material))
    if left_out:
        question_bank.add_category(bank, title)
        said = f"<p>Das steht nur auf dem Blatt:</p><ul>{''.join(left_out)}</ul>"
        question_bank.add_note(bank, "Nicht in Moodle: Antworten in Worten und Zeichnungen", said)
    return question_bank.written(bank)


def _add_exercise(bank: Element, exercise: Exercise, material: Material) -> None:
    given = HtmlWriter(lambda blank: OPEN, question_bank.FILES)
    asked = _asking(material, exercise.asked)
    before, task = given.blocks(exercise.given), asked.blocks(exercise.blocks)
    told = f"<details><summary>Angaben und Erklärung</summary>{before}</details>" if before else ""
    name = f"{exercise.station}, Aufgabe {exercise.number}"
    _add(bank, name, told + task, given.pictures | asked.pictures)


def _add_station(bank: Element, exercises: Sequence[Exercise], material: Material) -> None:
    """Its exercises with numbers in one question; what it carries over from other stations is given."""
    own = {address for exercise in exercises for address in exercise.asked}
    known = {(blank.name, blank.index): blank.text for blank in walk(material.key.blocks, Blank)}
    given = HtmlWriter(
        lambda blank: OPEN if (at := (blank.name, blank.index)) in own else escape(known[at]),
        question_bank.FILES,
    )
    parts, pictures = [], given.pictures
    for exercise in exercises:
        parts.append(given.blocks(exercise.before))
        if exercise.asked:
            asked = _asking(material, exercise.asked)
            parts += [f"<h4>Aufgabe {exercise.number}</h4>", asked.blocks(exercise.blocks)]
            pictures |= asked.pictures
    _add(bank, f"{exercises[0].station} (Blatt {material.record.variant})", "".join(parts), pictures)


def _asking(material: Material, asked: Collection[Address]) -> HtmlWriter:
    """Writes blanks to fill in where these are asked for; others stay open."""

    def blank(each: Blank) -> str:
        at = (each.name, each.index)
        return _OURS + cloze(material.answers[at])[1:] if at in asked else OPEN

    return HtmlWriter(blank, question_bank.FILES)


def _add(bank: Element, name: str, html: str, pictures: dict[str, bytes]) -> None:
    html = _FOREIGN.sub("&#123;", html).replace(_OURS, "{")  # a sentence opens no blank
    question = question_bank.add_question(bank, "cloze", name, html, pictures)
    question_bank.add_values(question, penalty=_PENALTY, hidden="0")


def _left_out(material: Material) -> Iterator[str]:
    """Every exercise, or part of one, that Moodle cannot mark, and why."""
    for each in material.exercises:
        if each.only_on_paper or not each.asked:
            why = each.only_on_paper or "keine Zahl zum Eintragen"
            yield f"<li>{escape(each.station)}, Aufgabe {each.number}: {why}</li>"


def cloze(expected: Expected) -> str:
    """A blank as Moodle's embedded answer: the value, the whole accepted range, the numbers of mistakes."""
    middle, reach = (expected.low + expected.high) / 2, (expected.high - expected.low) / 2
    answers = [f"={_plain(expected.value)}:0"]
    if reach:
        answers.append(f"%100%{_plain(middle)}:{_plain(reach)}")
    unit = Decimal(1).scaleb(int(expected.value.as_tuple().exponent))
    for number, hint in expected.hints[:_MOST_HINTS]:
        answers.append(f"%0%{_plain(number)}:{_plain(unit * _HALF / 2)}#{_feedback(hint)}")
    return "{1:NUMERICAL:" + "~".join(answers) + "}"


def _feedback(hint: str) -> str:
    """A hint in which nothing ends the answer."""
    return escape(re.sub(r"[{}~\\]", " ", hint), quote=False)


def _plain(number: Decimal) -> str:
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
