"""Moodle: a question for each exercise with numbers; a blank accepts what `pruefe` accepts, nothing else."""

import json
import re
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
from generator.output.formats.html import SCROLLING, height, typed
from generator.output.formats.moodle import cloze, folded, write
from generator.output.formats.moodle import questions as plan
from generator.output.formats.questions import Expected, Material
from generator.output.formats.tree import Blank, Task
from generator.sheet.sheet import walk
from tests.laid_out import files_of

shown = in_a_question_bank
KNOWN = ("category", "cloze", "description")


@cache
def questions(case):
    return ElementTree.fromstring(write(material(case))).findall("question")


def clozes(case):
    return [q for q in questions(case) if q.get("type") == "cloze"]


@pytest.mark.parametrize("case", EVERY)
def test_every_exercise_of_the_record_is_a_question_or_said_to_be_left_out(case):
    asked = [re.sub(r" \(\d+ BE\)$", "", q.findtext("name/text")) for q in clozes(case)]
    left = next((q for q in questions(case) if q.get("type") == "description"), None)
    out = left.findtext("questiontext/text") if left is not None else ""
    seen = 0
    for station in material(case).record.stations:
        for each in station.exercises:
            name = f"{station.title}, Aufgabe {each.task.number}"
            assert (name in asked) == any(not number.copied for number in each.numbers)
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
    """Every blank of the questions with the address that it has on the sheet."""
    pages = [each for each in material(case).exercises if each.asked]
    for question, page in zip(clozes(case), pages, strict=True):
        seen = dict.fromkeys(b.cell for b in walk(page.blocks, Blank))
        places = [at for at in seen if at in page.asked]
        assert set(places) == set(page.asked)
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
            lines.append(f"{at[0]};{','.join(map(str, at[1]))};{typed[at]}")
        paper = tmp_path / "antworten.csv"
        paper.write_text("\n".join(lines), encoding="utf-8")
        cells = json.loads(run(str(sheet), str(paper), as_json=True))["cells"]
        verdicts = {(c["name"], tuple(c["index"])): c["verdict"] for c in cells}
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


def test_the_way_back_has_hints_of_its_own():
    expected = source("two_sentences").expected
    told = {at: {hint.partition(".")[0]: number for number, hint in e.hints} for at, e in expected.items()}
    document = source("two_sentences").document["quantities"]

    def hand(name, index):
        value = document[name]["hand"]
        for place in index:
            value = value[place]
        return Decimal(str(value))

    loss, logarithm = hand("loss", ()), told["loss", ()]["Log statt ln"]
    assert abs(logarithm - loss / Decimal(10).ln()) <= Decimal("0.001")
    right = next(at for at in told if at[0] == "gradient.logit" and told[at])
    assert told[right]["1 beim richtigen Wort nicht abgezogen"] - hand(*right) == 1
    steps = [
        at for at in told if at[0].startswith("step.") and "Gradient addiert statt abgezogen" in told[at]
    ]
    assert len(steps) > 3
    for name, index in steps:
        old = told[name, index]["Gradient addiert statt abgezogen"] + hand(
            name, index
        )  # twice the old number
        assert abs(old / 2 - round(old / 2, 1)) < Decimal("0.0002")


def variants(case, *names):
    m = material(case)
    return [write(Material(m.sheet, m.key, replace(m.record, bank="SET", variant=name))) for name in names]


@pytest.mark.parametrize("case", EVERY)
@pytest.mark.parametrize("variant", ["", "A"])
def test_no_question_prints_a_number_that_it_asks_for(case, variant):
    m = material(case)
    told = Material(m.sheet, m.key, replace(m.record, variant=variant))
    at_home = {at: f"{at[0]}[{at[1]}]" for at in m.numbers}  # instead of every number of the key, its name
    told.__dict__["numbers"] = at_home
    seen = 0
    for question in ElementTree.fromstring(write(told)).findall("question[@type='cloze']"):
        text = re.sub(r"\{\d+:NUMERICAL:[^{}]*\}", "", question.findtext("questiontext/text"))
        own = exercises_of(case, question)
        recalled = {b.cell for each in own for b in walk(each.recalled, Blank)}
        asked = {at for each in own for at in each.asked} - recalled
        hidden = {same for at in asked for same in (at, *m.record.alike.get(at, ()))}
        printed = {at for at, name in at_home.items() if name in text}
        assert printed & hidden == set()
        seen += len(printed)
    assert seen > 0


def exercises_of(case, question):
    """The exercises of a question that have numbers."""
    name = question.findtext("name/text")
    variant = "A" if "(Blatt A" in name else ""
    m = material(case)
    made = plan(Material(m.sheet, m.key, replace(m.record, variant=variant)))
    (found,) = (each for each in made if name.startswith(f"{each.name}{', ' if variant else ' ('}"))
    return [each for each in found.exercises if each.asked]


@pytest.mark.parametrize("case", EVERY)
def test_a_variant_has_every_exercise_once_on_pages_of_some_length(case):
    m = material(case)
    made = list(plan(Material(m.sheet, m.key, replace(m.record, variant="A"))))
    asked = [each for question in made for each in question.exercises if each.asked]
    assert asked == [each for each in m.exercises if each.asked]
    assert len(made) == len({each.name for each in made}) == len({each.station for each in made})
    for question in made:
        own = [each for each in question.exercises if each.asked]
        first, *others = own
        together = height((*first.recalled, *folded(first)[1], *first.blocks))
        together += height(block for each in others for block in (*each.before, *each.blocks))
        assert own
        assert together < 3_000


@pytest.mark.parametrize("case", EVERY)
def test_no_question_is_longer_than_a_page(case):
    """What is told before it, or beside it for others, is folded away or left to them."""
    m = material(case)
    made = list(plan(m))
    assert [each.asked for question in made for each in question.exercises] == [
        each.asked for each in m.exercises if each.asked
    ]
    longest = max(
        (height((*each.recalled, *folded(each)[1], *each.blocks)), each.name)
        for question in made
        for each in question.exercises
    )
    assert longest < (3_000, "")


@pytest.mark.parametrize("case", EVERY)
def test_no_field_is_wider_than_its_number(case):
    """Moodle makes a field as wide as the longest text of its answers."""
    seen = 0
    for question in clozes(case):
        for alternatives in blanks(question.findtext("questiontext/text")):
            right = alternatives[0].value
            places = -right.as_tuple().exponent
            widest = max(len(f"{each.value:f}") for each in alternatives if each.fraction == 1)
            assert widest <= max(len(f"{right:f}"), len(f"{int(abs(right))}") + 2 + 4 + 2), (right, places)
            seen += 1
    assert seen > 30


@pytest.mark.parametrize("case", EVERY)
def test_tables_and_formulas_scroll_and_have_no_empty_column(case):
    """Bars are drawn on paper; a wide table pushes nothing out of its box."""
    for made in (write(material(case)), *variants(case, "A")):
        for question in ElementTree.fromstring(made).findall("question[@type='cloze']"):
            text = question.findtext("questiontext/text")
            assert text.count("<table") == text.count(f"{SCROLLING}<table") == text.count("</table></div>")
            shown = re.findall(r"<span style=\"display:block;overflow-x:auto[^>]*>\\\[", text)
            assert len(shown) == text.count(r"\[")
            assert "Balken</th>" not in text


@pytest.mark.parametrize("case", EVERY)
def test_the_blanks_of_an_exercise_earn_its_share_of_the_points(case):
    for question in ElementTree.fromstring(variants(case, "A")[0]).findall("question[@type='cloze']"):
        weights = [int(m) for m in re.findall(r"\{(\d+):NUMERICAL", question.findtext("questiontext/text"))]
        own = exercises_of(case, question)
        if len(own) == 1:
            assert len(set(weights)) == 1
            continue
        parts = []
        for each in own:
            parts.append(sum(weights[: len(each.asked)]))
            weights = weights[len(each.asked) :]
        scale = [part / each.points for part, each in zip(parts, own, strict=True)]
        assert max(scale) <= 1.1 * min(scale)


def test_numbers_can_be_copied_from_a_question():
    for case in CASES[:3]:
        for question in clozes(case):
            text = re.sub(r"\\[(\[].*?\\[)\]]", "", question.findtext("questiontext/text"), flags=re.S)
            assert not re.search(r"\N{MINUS SIGN}\d|\d\N{NARROW NO-BREAK SPACE}\d", text)


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
    question = ElementTree.fromstring(files_of(options)["arbeitsblatt-moodle.xml"]).find(
        "question[@type='cloze']"
    )
    text = question.findtext("questiontext/text")
    assert "&#123;1:NUMERICAL:=5}" in text
    assert "{1:NUMERICAL:=5}" not in text


def test_what_is_only_carried_over_is_filled_in():
    """The gradients before a LayerNorm with γ = 1 are those of the exercise before."""
    m = material("two_sentences")
    carried = [
        (exercise, blank.cell)
        for exercise in m.exercises
        for blank in walk(exercise.blocks, Blank)
        if blank.cell[0].startswith("gradient.") and blank.cell[0].endswith("normalised")
    ]
    assert len(carried) > 1
    for exercise, at in carried:
        assert exercise.asked
        assert at not in exercise.asked
        (question,) = (
            q for q in clozes("two_sentences") if q.findtext("name/text").startswith(f"{exercise.name} ")
        )
        assert typed(m.numbers[at]) in question.findtext("questiontext/text")
