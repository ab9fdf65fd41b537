"""Moodle: a question for each exercise with numbers; a blank accepts what `pruefe` accepts, nothing else."""

import re
from dataclasses import replace
from decimal import Decimal
from functools import cache
from xml.etree import ElementTree

import pytest
from cloze import blanks, given
from shown import in_a_question_bank
from sources import EVERY, material

from generator.options.options import Options
from generator.output.formats.html import SCROLLING, height, typed
from generator.output.formats.moodle import cloze, folded, write
from generator.output.formats.moodle import questions as plan
from generator.output.formats.questions import Expected, Material, merged
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


@pytest.mark.parametrize("case", EVERY)
def test_every_blank_expects_its_number_and_gives_typical_mistakes_their_hints(case):
    """What is right beside that number: test_graders.py."""
    asked, told = dict(asked_with(case)), 0
    assert len(asked) > 30
    for at, alternatives in asked.items():
        expected = material(case).answers[at]
        (wanted,) = blanks(cloze(expected))
        assert [each for each in alternatives if each.fraction == 1] == [w for w in wanted if w.fraction == 1]
        for number, hint in expected.hints[:4]:
            chosen = given(alternatives, str(number))
            assert chosen.fraction == 0
            told += hint == chosen.feedback
    assert told > 5


def variants(case, *names):
    m = material(case)
    return [write(Material(m.sheet, m.key, replace(m.record, bank="SET", variant=name))) for name in names]


def exercises_of(case, question):
    """The exercises of a question that have numbers."""
    name = question.findtext("name/text")
    variant = "A" if "(Blatt A" in name else ""
    m = material(case)
    made = plan(Material(m.sheet, m.key, replace(m.record, variant=variant)))
    (found,) = (each for each in made if name.startswith(f"{each.name}{', ' if variant else ' ('}"))
    return [each for each in found.exercises if each.asked]


@pytest.mark.parametrize("variant", ["", "A"])
@pytest.mark.parametrize("case", EVERY)
def test_every_exercise_is_asked_once_and_no_question_is_longer_than_a_page(case, variant):
    """What is told before it, or beside it for others, is folded away or left to them."""
    m = material(case)
    made = list(plan(Material(m.sheet, m.key, replace(m.record, variant=variant))))
    owns = [[each for each in question.exercises if each.asked] for question in made]
    assert [each for own in owns for each in own] == [each for each in m.exercises if each.asked]
    assert len(made) == len({each.name for each in made})
    for first, *others in owns:
        together = height((*first.recalled, *folded(first)[1], *first.blocks))
        together += height(block for each in others for block in (*each.before, *each.blocks))
        assert together < 3_000, first.name


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
    for case in ("example", "two_sentences"):
        for question in clozes(case):
            text = re.sub(r"\\[(\[].*?\\[)\]]", "", question.findtext("questiontext/text"), flags=re.S)
            assert not re.search(r"\N{MINUS SIGN}\d|\d\N{NARROW NO-BREAK SPACE}\d", text)


def test_a_question_gives_no_number_that_it_asks_for():
    m = material("example")
    blank = next(each for each in walk(m.sheet.blocks, Blank) if m.numbers.get(each.cell))
    assert m.given([])(blank) == m.numbers[blank.cell]
    assert m.given([blank.cell])(blank) == ""


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


# A class set: one question for each station, or page of one, and variant, all in one bank.


def by_category(bank):
    found, category = {}, ""
    for question in ElementTree.fromstring(bank):
        if question.get("type") == "category":
            category = question.findtext("category/text")
        else:
            found.setdefault(category, []).append(question)
    return found


def station_of(name):
    return re.sub(r"(, Teil \d+)?( \(Blatt.*)?$", "", name)


def test_a_variant_has_all_blanks_of_each_station():
    (bank,) = variants("example", "AB3C")
    found = {c: q for c, q in by_category(bank).items() if q[0].get("type") == "cloze"}
    asked = {}
    for exercise in material("example").exercises:
        asked[exercise.station] = asked.get(exercise.station, 0) + len(exercise.asked)
    of_stations = dict.fromkeys(station_of(name.rpartition("/")[2]) for name in found)
    assert list(of_stations) == [s for s, n in asked.items() if n]
    texts = {}
    for category, (question,) in found.items():
        name = question.findtext("name/text")
        assert name.partition(" (Blatt AB3C, ")[0] == category.rpartition("/")[2]
        station = station_of(name)
        texts[station] = texts.get(station, "") + question.findtext("questiontext/text")
    for station, text in texts.items():
        assert len(blanks(text)) == asked[station] > 0
        for each in material("example").exercises:
            if each.station == station:
                assert (f"<h4>Aufgabe {each.number}</h4>" in text) == bool(each.asked)


def test_a_question_ends_with_its_last_task_and_says_which_stand_on_paper():
    (bank,) = variants("example", "A")
    m = material("example")
    planned = list(plan(Material(m.sheet, m.key, replace(m.record, variant="A"))))
    for question in ElementTree.fromstring(bank).findall("question[@type='cloze']"):
        text = question.findtext("questiontext/text")
        name = question.findtext("name/text")
        (own,) = (each.exercises for each in planned if name.startswith(f"{each.name}, "))
        assert text.rindex("<h4>Aufgabe ") == text.index(
            f"<h4>Aufgabe {[e for e in own if e.asked][-1].number}<"
        )
        left = [each.number for each in own if not each.asked]
        said = re.search(r"Aufgaben? ([\d, und]+) steh(?:t|en) nur auf dem Blatt", text)
        assert (re.findall(r"\d+", said[1]) if said else []) == left
        headings = re.findall(r"<h[345]>([^<]*)</h", text[text.rindex(":NUMERICAL:") :])
        assert headings == []


def test_a_station_that_points_elsewhere_says_formulas_and_rounding_again():
    (bank,) = variants("example", "A")
    second = [q for c, q in by_category(bank).items() if c.endswith("zum Zweiten")]
    text = second[0][0].findtext("questiontext/text")
    assert r"\sigma^{2} = " in text
    assert "Varianz auf 3" in text


def test_several_sheets_become_one_category_for_each_station():
    two = [*variants("plain", "A"), *variants("example", "B")]
    found = {c: q for c, q in by_category(merged(two)).items() if q[0].get("type") == "cloze"}
    number = {category.rpartition("/")[2]: len(q) for category, q in found.items()}
    assert (number["Self-Attention, Teil 1"], number["Multi-Head Attention"]) == (2, 1)
    names = [q.findtext("name/text") for several in found.values() for q in several]
    alone = [
        q.findtext("name/text") for bank in two for several in by_category(bank).values() for q in several
    ]
    assert sorted(names) == sorted(name for name in alone if "(Blatt " in name)


def test_a_question_that_is_the_same_in_all_variants_stands_once():
    alike = variants("plain", "A", "B")
    one, both = by_category(alike[0]), by_category(merged(alike))
    assert {c: len(q) for c, q in both.items()} == {c: len(q) for c, q in one.items()}
