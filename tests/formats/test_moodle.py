"""Moodle: a question for each exercise with numbers; a blank accepts what `pruefe` accepts, nothing else."""

import re
from dataclasses import replace
from decimal import Decimal
from functools import cache
from xml.etree import ElementTree

import pytest
from cloze import blanks, given
from sources import EVERY, material, page_with

from generator.output.formats.html import SCROLLING, height, typed
from generator.output.formats.moodle import cloze, folded, write
from generator.output.formats.moodle import questions as plan
from generator.output.formats.questions import Expected, merged
from generator.output.formats.read import read
from generator.output.formats.tree import Blank, Station, Task
from generator.sheet.sheet import walk

VARIANTS = ("", "AB3C")
FIELD = re.compile(r"\{(\d+):NUMERICAL")


@cache
def variant_of(case, variant):
    """A sheet alone (“”), or one of a class."""
    m = material(case)
    return replace(m, record=replace(m.record, bank="SET" * bool(variant), variant=variant))


@cache
def bank(case, variant=""):
    return write(variant_of(case, variant))


@cache
def asking(case, variant=""):
    """Each question with numbers: name, text, its exercises with numbers and all of it."""
    found = ElementTree.fromstring(bank(case, variant)).findall("question[@type='cloze']")
    planned = plan(variant_of(case, variant))
    return [
        (q.findtext("name/text"), q.findtext("questiontext/text"), [e for e in p.exercises if e.asked], p)
        for q, p in zip(found, planned, strict=True)
    ]


@pytest.mark.parametrize("case", EVERY)
def test_every_exercise_of_the_record_is_a_question_or_said_to_be_left_out(case):
    asked = [re.sub(r" \(\d+ BE\)$", "", name) for name, *_ in asking(case)]
    left = ElementTree.fromstring(bank(case)).find("question[@type='description']")
    out = left.findtext("questiontext/text") if left is not None else ""
    seen = 0
    for station in material(case).record.stations:
        for each in station.exercises:
            name = f"{station.title}, Aufgabe {each.task.number}"
            assert (name in asked) == any(not number.copied for number in each.numbers)
            words = each.answers or (each.solutions and not each.numbers)
            why = "Antwort in Worten" if words else "Zeichnung" if each.figures else ""
            assert bool(why) == (f"<li>{name}: {why}</li>" in out.replace("&amp;", "&"))
            assert why or each.numbers, "neither a question nor left out"
            seen += 1
    assert seen == len(list(walk(material(case).sheet.blocks, Task)))
    assert len(asked) == len(set(asked))


@pytest.mark.parametrize("case", EVERY)
def test_the_file_is_as_moodle_describes_it(case):
    first, *questions = ElementTree.fromstring(bank(case))
    assert first.findtext("category/text").startswith("$course$/top/")
    assert {each.get("type") for each in questions} <= {"category", "cloze", "description"}
    for text in (each.find("questiontext") for each in questions if each.get("type") != "category"):
        html = text.findtext("text")
        assert text.get("format") == "html"
        closed = html.replace("<br>", "<br/>").replace('100%">', '100%"/>')
        ElementTree.fromstring(f"<div>{closed}</div>")
        assert all(f"@@PLUGINFILE@@/{file.get('name')}" in html for file in text.findall("file"))


@pytest.mark.parametrize("case", EVERY)
def test_every_blank_expects_its_number_and_gives_typical_mistakes_their_hints(case):
    """What is right beside that number: test_graders.py. Moodle makes a field as wide as its longest answer;
    a number can be copied from a question into a blank.
    """
    told = seen = 0
    for _, text, ((page,)), _ in asking(case):
        places = [at for at in dict.fromkeys(b.cell for b in walk(page.blocks, Blank)) if at in page.asked]
        assert set(places) == set(page.asked)
        for at, alternatives in zip(places, blanks(text), strict=True):
            expected = material(case).answers[at]
            (wanted,) = blanks(cloze(expected))
            right = [each for each in alternatives if each.fraction == 1]
            assert right == [each for each in wanted if each.fraction == 1]
            value = f"{expected.value:f}"
            assert max(len(f"{each.value:f}") for each in right) <= max(
                len(value) + 1, len(f"{int(abs(expected.value))}") + 8
            )
            for number, hint in expected.hints[:4]:
                chosen = given(alternatives, str(number))
                assert chosen.fraction == 0
                told += hint == chosen.feedback
            seen += 1
        plain = re.sub(r"\\[(\[].*?\\[)\]]", "", text, flags=re.S)
        assert not re.search(r"\N{MINUS SIGN}\d|\d\N{NARROW NO-BREAK SPACE}\d", plain)
    assert (told > 5, seen > 30) == (True, True)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("case", EVERY)
def test_every_exercise_is_asked_once_and_no_question_is_longer_or_wider_than_a_page(case, variant):
    """What is told before it, or beside it for others, is folded away or left to them; its blanks earn its
    share of the points.
    """
    found = asking(case, variant)
    assert [e for *_, own, _ in found for e in own] == [e for e in material(case).exercises if e.asked]
    assert len(found) == len({planned.name for *_, planned in found})
    for _, text, own, planned in found:
        first, *others = own
        together = height((*first.recalled, *folded(first)[1], *first.blocks))
        together += height(block for each in others for block in (*each.before, *each.blocks))
        assert together < 3_000, first.name
        assert text.count("<table") == text.count(f"{SCROLLING}<table") == text.count("</table></div>")
        shown = re.findall(r"<span style=\"display:block;overflow-x:auto[^>]*>\\\[", text)
        assert len(shown) == text.count(r"\[")
        assert "Balken</th>" not in text  # bars are drawn on paper
        weights, scale = [int(weight) for weight in FIELD.findall(text)], []
        assert len(weights) == sum(len(each.asked) for each in own)
        for each in own:
            part, weights = weights[: len(each.asked)], weights[len(each.asked) :]
            scale.append(sum(part) / each.points if len(own) > 1 else len(set(part)))
        assert max(scale) <= (1.1 * min(scale) if len(own) > 1 else 1)
        if variant:
            assert text.rindex("<h4>Aufgabe ") == text.index(f"<h4>Aufgabe {own[-1].number}<")
            left = [each.number for each in planned.exercises if not each.asked]
            said = re.search(r"Aufgaben? ([\d, und]+) steh(?:t|en) nur auf dem Blatt", text)
            assert (re.findall(r"\d+", said[1]) if said else []) == left


def test_a_question_gives_no_number_that_it_asks_for():
    m = material("example")
    blank = next(each for each in walk(m.sheet.blocks, Blank) if m.numbers.get(each.cell))
    assert m.given([])(blank) == m.numbers[blank.cell]
    assert m.given([blank.cell])(blank) == ""


def test_signs_of_moodle_in_a_hint_or_a_sentence_end_and_begin_nothing():
    hint = (Decimal("0.90"), "a ~ b } c { d # e <f>")
    (alternatives,) = blanks(cloze(Expected(*map(Decimal, ("0.50", "0.48", "0.51")), (hint,))))
    assert given(alternatives, "0,48").fraction == given(alternatives, "0.51").fraction == 1
    assert given(alternatives, "0,47") is None
    assert given(alternatives, "0,9").feedback == "a   b   c   d # e <f>"
    m = material("plain")
    said = read(page_with("<p>Die Katze {{1:NUMERICAL:=5}} frisst</p>")).blocks
    blocks = (replace(b, blocks=(*said, *b.blocks)) if isinstance(b, Station) else b for b in m.sheet.blocks)
    told = replace(m, sheet=replace(m.sheet, blocks=tuple(blocks)))
    text = write(told).decode()
    assert "&amp;#123;1:NUMERICAL:=5}" in text
    assert "{1:NUMERICAL:=5}" not in text


def test_what_is_only_carried_over_is_filled_in():
    """The gradients before a LayerNorm with γ = 1 are those of the exercise before."""
    seen = 0
    for _, text, own, _ in asking("two_sentences"):
        for at in {blank.cell for each in own for blank in walk(each.blocks, Blank)}:
            if at[0].startswith("gradient.") and at[0].endswith("normalised"):
                assert at not in own[0].asked
                assert typed(material("two_sentences").numbers[at]) in text
                seen += 1
    assert seen > 1


# A class set: one question for each station, or page of one, and variant, all in one bank.


def by_category(bank):
    found, category = {}, ""
    for question in ElementTree.fromstring(bank):
        if question.get("type") == "category":
            category = question.findtext("category/text").rpartition("/")[2]
        elif question.get("type") == "cloze":
            found.setdefault(category, []).append(question)
    return found


def test_a_variant_has_all_stations_and_says_formulas_of_another_again():
    found = by_category(bank("example", "AB3C"))
    names = [question.findtext("name/text").partition(" (Blatt AB3C, ")[0] for (question,) in found.values()]
    assert names == list(found)
    stations = dict.fromkeys(re.sub(r", Teil \d+$", "", name) for name in names)
    assert list(stations) == list(dict.fromkeys(e.station for e in material("example").exercises if e.asked))
    for _, text, *_ in asking("example", "AB3C"):
        assert "<h" not in re.sub("<hr?>", "", text[text.rindex(":NUMERICAL:") :]), "a heading of nothing"
    text = next(q for c, (q,) in found.items() if c.endswith("zum Zweiten")).findtext("questiontext/text")
    assert r"\sigma^{2} = " in text
    assert "Varianz auf 3" in text


def test_several_sheets_become_one_category_for_each_station_and_what_is_the_same_stands_once():
    two = [bank("plain", "A"), bank("example", "AB3C")]
    found = by_category(merged(two))
    assert [len(found[name]) for name in ("Self-Attention, Teil 1", "Multi-Head Attention")] == [2, 1]
    count = lambda banks: sum(len(questions) for each in banks for questions in by_category(each).values())  # noqa: E731
    assert count([merged(two)]) == count(two)
    assert count([merged([bank("plain", "A"), bank("plain", "B")])]) == count(two[:1])
