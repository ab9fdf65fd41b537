"""Moodle: a question for each exercise with numbers; a blank accepts what `pruefe` accepts, nothing else."""

import json
from dataclasses import replace
from decimal import Decimal
from functools import cache
from xml.etree import ElementTree

import pytest
from cloze import blanks, given
from sources import CASES, material, source, worksheet_of
from test_leaks import scrambled

from generator.commands.check_command import run
from generator.formats.material import Expected, Material, exercises
from generator.formats.moodle import bank, cloze, write
from generator.formats.read import read
from generator.formats.tree import Blank, Task, walk

KNOWN = ("category", "cloze", "description")


@cache
def questions(case):
    return ElementTree.fromstring(write(material(case))).findall("question")


def clozes(case):
    return [q for q in questions(case) if q.get("type") == "cloze"]


@pytest.mark.parametrize("case", CASES)
def test_every_task_is_a_question_or_said_to_be_left_out(case):
    asked = [(q.findtext("name/text")) for q in clozes(case)]
    left = next((q for q in questions(case) if q.get("type") == "description"), None)
    out = left.findtext("questiontext/text") if left is not None else ""
    tasks = list(exercises(material(case).sheet))
    assert len(tasks) == len(list(walk(material(case).sheet.blocks, Task)))
    for task in tasks:
        name = f"{task.station}, Aufgabe {task.number}"
        if task.missing:
            assert f"{name}: {task.missing}" in out.replace("&amp;", "&")
        else:
            assert name in asked
    assert len(asked) == len(set(asked))


@pytest.mark.parametrize("case", CASES)
def test_the_file_is_as_moodle_describes_it(case):
    categories = 0
    for question in questions(case):
        assert question.get("type") in KNOWN
        if question.get("type") == "category":
            categories += 1
            assert question.findtext("category/text").startswith("$course$/top/")
            continue
        assert categories, "a question before its category"
        text = question.find("questiontext")
        assert text.get("format") == "html"
        assert question.findtext("name/text")
        ElementTree.fromstring(
            f"<div>{text.findtext('text')}</div>".replace("<br>", "<br/>").replace('100%">', '100%"/>')
        )
        for file in text.findall("file"):
            assert f"@@PLUGINFILE@@/{file.get('name')}" in text.findtext("text")
        assert text.findtext("text").count("@@PLUGINFILE@@") >= len(text.findall("file"))


def asked_with(case):
    """Every blank of the questions with the address that it has on the sheet."""
    for question, task in zip(
        clozes(case), [t for t in exercises(material(case).sheet) if not t.missing], strict=True
    ):
        addresses = [(b.name, b.index) for b in walk(task.blocks, Blank)]
        yield from zip(addresses, blanks(question.findtext("questiontext/text")), strict=True)


@pytest.mark.parametrize("case", CASES)
def test_right_nearly_right_and_wrong_answers_are_judged_as_by_pruefe(case, tmp_path):
    made = source(case)
    sheet = tmp_path / "rechnung.json"
    sheet.write_text(json.dumps(made.document), encoding="utf-8")
    asked = {at: alternatives for at, alternatives in asked_with(case) if at in made.expected}
    assert len(asked) > 30
    for answer_of in (
        lambda e, _: e.value,
        lambda e, _: e.high,
        lambda e, _: e.low,
        lambda e, unit: e.high + unit,
        lambda e, unit: e.low - unit,
    ):
        lines = ["name;index;wert"]
        typed = {}
        for at in asked:
            expected = made.expected[at]
            unit = Decimal(1).scaleb(expected.value.as_tuple().exponent)
            typed[at] = f"{answer_of(expected, unit):f}".replace(".", ",")
            lines.append(f"{at[0]};{at[1]};{typed[at]}")
        paper = tmp_path / "antworten.csv"
        paper.write_text("\n".join(lines), encoding="utf-8")
        cells = json.loads(run(str(sheet), str(paper), as_json=True))["cells"]
        verdicts = {(c["name"], ",".join(map(str, c["index"]))): c["verdict"] for c in cells}
        for at, alternatives in asked.items():
            chosen = given(alternatives, typed[at])
            right = chosen is not None and chosen.fraction == 1
            assert right == (verdicts[at] in ("richtig", "angenommen")), (at, typed[at], verdicts[at])
            assert given(alternatives, typed[at].replace(",", ".")) == chosen


@pytest.mark.parametrize("case", [case for case in CASES if case != "two_sentences"])
def test_the_number_of_a_typical_mistake_gets_its_hint(case):
    told = 0
    for at, alternatives in asked_with(case):
        for number, hint in material(case).answers[at].hints[:4]:
            chosen = given(alternatives, str(number))
            assert chosen is not None
            assert chosen.fraction == 0
            told += hint == chosen.feedback
    assert told > 5


def test_no_answer_stands_in_a_question_but_in_its_blank():
    """The bank of a sheet with other withheld values is the same, as long as the blanks accept the same."""
    original = material("plain")
    other = read(worksheet_of("plain", scrambled))
    assert write(replace(original, sheet=other)) == write(original)


def test_several_sheets_become_one_category_for_each_task():
    two = [Material(m.sheet, m.key, m.expected, v) for m in [material("plain")] for v in ("A", "B")]
    found = ElementTree.fromstring(bank(two)).findall("question")
    names = [q.findtext("name/text") for q in found if q.get("type") == "cloze"]
    assert {name[-3:] for name in names} == {"(A)", "(B)"}
    by_category, category = {}, ""
    for question in found:
        if question.get("type") == "category":
            category = question.findtext("category/text")
        elif question.get("type") == "cloze":
            by_category.setdefault(category, []).append(question)
    assert all(len(several) == 2 for several in by_category.values())


def test_signs_of_moodle_in_a_hint_end_nothing():
    value = Decimal("0.50")
    text = cloze(
        Expected(value, Decimal("0.48"), Decimal("0.51"), ((Decimal("0.90"), "a ~ b } c { d # e <f>"),))
    )
    (alternatives,) = blanks(text)
    assert given(alternatives, "0,48").fraction == given(alternatives, "0.51").fraction == 1
    assert given(alternatives, "0,47") is None
    assert given(alternatives, "0,9").feedback == "a   b   c   d # e <f>"
