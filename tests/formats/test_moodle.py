"""Moodle: a question for each exercise with numbers; a blank accepts what `pruefe` accepts, nothing else."""

import io
import json
from dataclasses import replace
from decimal import Decimal
from functools import cache
from xml.etree import ElementTree

import pytest
from cases import thorough_but
from cloze import blanks, given
from shown import in_a_question_bank
from sources import CASES, EVERY, material, source

from generator.commands.check_command import run
from generator.options.options import Options
from generator.output.formats.moodle import cloze, write
from generator.output.formats.questions import Expected, Material, merged
from generator.output.formats.tree import Blank, Task, walk
from generator.output.many import Printers
from generator.production.progress import Progress
from generator.production.worksheet import make_files

shown = in_a_question_bank
KNOWN = ("category", "cloze", "description")


@cache
def questions(case):
    return ElementTree.fromstring(write(material(case))).findall("question")


def clozes(case):
    return [q for q in questions(case) if q.get("type") == "cloze"]


@pytest.mark.parametrize("case", EVERY)
def test_every_exercise_of_the_record_is_a_question_or_said_to_be_left_out(case):
    asked = [(q.findtext("name/text")) for q in clozes(case)]
    left = next((q for q in questions(case) if q.get("type") == "description"), None)
    out = left.findtext("questiontext/text") if left is not None else ""
    seen = 0
    for station in material(case).record.stations:
        for each in station.exercises:
            name = f"{station.title}, Aufgabe {each.task.number}"
            assert (name in asked) == bool(each.numbers)
            words = each.answers or (each.solutions and not each.numbers)
            drawn = bool(each.figures)
            why = "Antwort in Worten" if words else "Zeichnung" if drawn else ""
            assert bool(why) == (f"<li>{name}: {why}</li>" in out.replace("&amp;", "&"))
            assert why or each.numbers, "neither a question nor left out"
            seen += 1
    assert seen == len(list(walk(material(case).sheet.blocks, Task)))
    assert len(asked) == len(set(asked))


@pytest.mark.parametrize("case", EVERY)
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
    """Every blank of the questions with the address that it has on the sheet, as the record names it."""
    asking = [
        exercise for each in material(case).record.stations for exercise in each.exercises if exercise.numbers
    ]
    pages = [each for each in material(case).exercises if each.asked]
    for question, exercise, page in zip(clozes(case), asking, pages, strict=True):
        wanted = {(asked.number.name, asked.number.address) for asked in exercise.numbers}
        places = [at for b in walk(page.blocks, Blank) if (at := (b.name, b.index)) in wanted]
        assert set(places) == wanted
        yield from zip(places, blanks(question.findtext("questiontext/text")), strict=True)


@pytest.mark.usefixtures("verdicts_alone")
@pytest.mark.parametrize("case", EVERY)
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


@pytest.mark.parametrize("case", thorough_but(("example", "all_tokens"), CASES[:-1]))
def test_the_number_of_a_typical_mistake_gets_its_hint(case):
    told = 0
    for at, alternatives in asked_with(case):
        for number, hint in material(case).answers[at].hints[:4]:
            chosen = given(alternatives, str(number))
            assert chosen is not None
            assert chosen.fraction == 0
            told += hint == chosen.feedback
    assert told > 5


def variants(case, *names):
    m = material(case)
    return [write(Material(m.sheet, m.key, replace(m.record, variant=name))) for name in names]


def by_category(bank):
    found, category = {}, ""
    for question in ElementTree.fromstring(bank):
        if question.get("type") == "category":
            category = question.findtext("category/text")
        else:
            found.setdefault(category, []).append(question)
    return found


def test_a_variant_is_one_question_for_each_station_with_all_its_blanks():
    (bank,) = variants("example", "AB3C")
    found = {c: q for c, q in by_category(bank).items() if q[0].get("type") == "cloze"}
    asked = {}
    for exercise in material("example").exercises:
        asked[exercise.station] = asked.get(exercise.station, 0) + len(exercise.asked)
    assert [category.rpartition("/")[2] for category in found] == [s for s, n in asked.items() if n]
    for (question,) in found.values():
        station = question.findtext("name/text").removesuffix(" (Blatt AB3C)")
        text = question.findtext("questiontext/text")
        assert len(blanks(text)) >= asked[station] > 0
        for each in material("example").exercises:
            if each.station == station:
                assert (f"<h4>Aufgabe {each.number}</h4>" in text) == bool(each.asked)


def test_what_a_variant_carries_over_from_another_station_is_given():
    """The feed-forward network reads a row of the layer norm, which one station before asks for."""
    first = next(each for each in material("example").exercises if each.station == "Feed-Forward")
    known = {(blank.name, blank.index): blank.text for blank in walk(material("example").key.blocks, Blank)}
    carried = [known[blank.name, blank.index] for blank in walk(first.before, Blank)]
    assert len(carried) == 4

    def shown(bank):
        questions = ElementTree.fromstring(bank).findall("question[@type='cloze']")
        texts = (
            q.findtext("questiontext/text") for q in questions if "Feed-Forward" in q.findtext("name/text")
        )
        return " ".join(next(texts).split())  # narrow spaces too

    given, left_open = (f"({' | '.join(numbers)})" for numbers in (carried, ["…"] * 4))
    alone, among_others = shown(write(material("example"))), shown(variants("example", "A")[0])
    assert given in among_others
    assert left_open not in among_others
    assert given not in alone


def test_several_sheets_become_one_category_for_each_station():
    other = material("all_tokens")
    two = [*variants("plain", "A"), write(replace(other, record=replace(other.record, variant="B")))]
    found = {c: q for c, q in by_category(merged(two)).items() if q[0].get("type") == "cloze"}
    assert [len(q) for c, q in found.items() if c.endswith("/Self-Attention")] == [2]
    assert [len(q) for c, q in found.items() if c.endswith("/Multi-Head Attention")] == [1]
    names = [q.findtext("name/text") for several in found.values() for q in several]
    alone = [
        q.findtext("name/text") for bank in two for several in by_category(bank).values() for q in several
    ]
    assert sorted(names) == sorted(name for name in alone if "(Blatt " in name)


def test_a_question_that_is_the_same_in_all_variants_stands_once():
    alike = variants("plain", "A", "B")
    one, both = by_category(alike[0]), by_category(merged(alike))
    assert {c: len(q) for c, q in both.items()} == {c: len(q) for c, q in one.items()}


def test_signs_of_moodle_in_a_hint_end_nothing():
    value = Decimal("0.50")
    text = cloze(
        Expected(value, Decimal("0.48"), Decimal("0.51"), ((Decimal("0.90"), "a ~ b } c { d # e <f>"),))
    )
    (alternatives,) = blanks(text)
    assert given(alternatives, "0,48").fraction == given(alternatives, "0.51").fraction == 1
    assert given(alternatives, "0,47") is None
    assert given(alternatives, "0,9").feedback == "a   b   c   d # e <f>"


def test_a_sentence_that_looks_like_a_blank_is_text():
    options = Options(satz="Die Katze {1:NUMERICAL:=5} frisst", stationen=("1",), format=("moodle",))
    with Printers(0) as printers:
        files = make_files(options, Progress(io.StringIO()), printers).files
    question = ElementTree.fromstring(files["arbeitsblatt-moodle.xml"]).find("question[@type='cloze']")
    text = question.findtext("questiontext/text")
    assert "&#123;1:NUMERICAL:=5}" in text
    assert "{1:NUMERICAL:=5}" not in text
