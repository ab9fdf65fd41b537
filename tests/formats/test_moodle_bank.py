"""Moodle, a class set: one question for each station, or page of one, and variant, all in one bank."""

import re
from dataclasses import replace
from xml.etree import ElementTree

from cloze import blanks
from sources import material
from test_moodle import variants

from generator.output.formats.moodle import questions as plan
from generator.output.formats.questions import Material, merged


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
    two = [*variants("plain", "A"), *variants("all_tokens", "B")]
    found = {c: q for c, q in by_category(merged(two)).items() if q[0].get("type") == "cloze"}
    assert {len(q) for c, q in found.items() if "/Self-Attention" in c} == {
        1,
        2,
    }  # a sheet with more to do has more parts
    assert {len(q) for c, q in found.items() if "/Multi-Head Attention" in c} == {1}
    names = [q.findtext("name/text") for several in found.values() for q in several]
    alone = [
        q.findtext("name/text") for bank in two for several in by_category(bank).values() for q in several
    ]
    assert sorted(names) == sorted(name for name in alone if "(Blatt " in name)


def test_a_question_that_is_the_same_in_all_variants_stands_once():
    alike = variants("plain", "A", "B")
    one, both = by_category(alike[0]), by_category(merged(alike))
    assert {c: len(q) for c, q in both.items()} == {c: len(q) for c, q in one.items()}
