"""Station 9: the texts that the tables lead to, what the pupil writes, what the worksheet withholds."""

import re
from html import unescape

import pytest
from laid_out import KATZE, html_of, laid_out

from engine.texts.choosing import WordChoice
from engine.texts.generation import generate
from generator.calculation.build import build
from generator.options.options import Options
from generator.sheet.sheet import Given, Number, Row, Words
from generator.sheet.tree import walk
from generator.sheet.whole_sheet import withheld


def sheet_of(sentence=KATZE, stations="9", **options):
    return laid_out(Options(satz=sentence, stationen=stations, **options))


def page_of(sheet, desk, view):
    return unescape(html_of(sheet, desk, view))


def parts_of(sheet):
    return sheet.stations[-1].parts


def methods_of(sheet):
    return {method.name: method for method in parts_of(sheet).methods}


def value(number):
    return round(float(number.text.replace(",", ".").replace("\N{MINUS SIGN}", "-")) * 1000)


def thrown(table, columns, random):
    """The word that the printed rule chooses: the first whose sum is above the random number."""
    at = columns.index("cumulative")
    for row in table.rows:
        cell = row.cells[at]
        if isinstance(cell, Number) and value(cell) > round(float(random.replace(",", ".")) * 1000):
            return row.head
    raise AssertionError("no sum is above the random number")


@pytest.mark.parametrize(
    ("sentence", "words"),
    [("Ein kleiner Bär tanzt im Wald", "die 5 besten Wörter"), ("Ja nein", "die Wörter")],
)
def test_as_many_words_are_to_be_ranked_as_there_are_places(sentence, words):
    sheet, desk = sheet_of(sentence, dimension=2, heads=1)
    page = page_of(sheet, desk, "worksheet").replace("\N{NO-BREAK SPACE}", " ")
    assert f"<b>Ordne</b> {words} der Runde 1" in page


def test_the_example_goes_on_greedily_as_the_engine_does():
    sheet, desk = sheet_of()
    made = generate(desk.calculation.model, WordChoice(), 3)
    words = [round_.chosen.word for round_ in made.rounds]
    assert words[0] == "Matte"
    assert parts_of(sheet).greedy.appended.text == " ".join(words)


@pytest.mark.parametrize("options", [{}, {"endezeichen": "<Ende>"}, {"topk": 2, "topp": 0.6, "startwert": 4}])
def test_the_printed_rule_leads_to_the_word_of_the_key(options):
    sheet, _ = sheet_of(**options)
    rounds = 0
    for method in methods_of(sheet).values():
        for round_ in method.rounds:
            table = round_.table
            assert thrown(table, table.columns, round_.random) == round_.chosen.text
            rounds += 1
        if method.worked:
            table = method.first.table
            assert thrown(table, table.columns, method.first.random) == method.worked.word
    assert rounds >= 3 - bool(options.get("endezeichen"))


def test_shares_and_sums_follow_from_the_printed_probabilities():
    sheet, _ = sheet_of()
    table = methods_of(sheet)["top_k"].rounds[0].table
    kept = [row.cells for row in table.rows if isinstance(row.cells[2], Number)]
    total = table.rows[-1].cells[1]
    assert len(kept) == 3
    assert sum(value(cells[1]) for cells in kept) == value(total)
    reached = 0
    for cells in kept:
        assert value(cells[2]) == pytest.approx(1000 * value(cells[1]) / value(total), abs=0.5)
        reached += value(cells[2])
        assert value(cells[3]) == reached


def test_the_ids_of_the_appended_words_add_up_to_the_printed_check():
    sheet, desk = sheet_of()
    for method in methods_of(sheet).values():
        ids = [desk.vocabulary.index(word) for word in method.appended.text.split()]
        assert str(sum(ids)) == method.id_sum


@pytest.mark.parametrize("options", [{}, {"stufe": 3, "topk": 2}, {"topk": 24, "topp": 0.4}])
def test_the_sum_that_stays_is_read_off_the_example(options):
    sheet, desk = sheet_of(**options)
    methods = methods_of(sheet)
    example = [row.cells[-1].text for row in methods["sampled"].first.table.rows]
    page = page_of(sheet, desk, "worksheet").replace("\N{NO-BREAK SPACE}", " ")
    for name in ("top_k", "top_p"):
        first, *later = methods[name].rounds
        total = first.table.rows[-1].cells[1]
        assert total.given is Given.READ_OFF
        assert total.text == example[methods[name].kept - 1]
        totals = [n for round_ in later for n in walk(round_, Number) if n.name.endswith("kept_sum")]
        assert not any(n.given for n in totals)
    kept = methods["top_k"].kept
    assert kept == min(options.get("topk", 3), len(desk.vocabulary))
    assert f"Es bleiben {kept} Wörter. Ihre Summe" in page


@pytest.mark.parametrize(
    ("length", "rounds"), [(1, "für Runde 1"), (2, "für Runde 2"), (3, "für jede Runde")]
)
def test_one_round_is_not_called_every_round(length, rounds):
    sheet, desk = sheet_of(laenge=length)
    page = " ".join(page_of(sheet, desk, "worksheet").split())
    assert f"<b>Gib</b> {rounds} <b>an</b>" in page.replace("\N{NO-BREAK SPACE}", " ")
    assert ("<b>Wähle</b> in jeder Runde" in page) == (length > 2)
    assert ("in Runde 2 das Wort" in page) == (length == 2)


@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_words_of_a_way_to_choose_stay_with_its_task_and_its_first_round(level):
    sheet, desk = sheet_of(stufe=level)
    page = page_of(sheet, desk, "worksheet")
    for name in ("Top-k: nur", "Top-p: die"):
        before, after = page.split(f"<h3>{name}", 1)
        assert before.rstrip().endswith('<div class="keep">')
        depth = 1
        for tag in re.finditer(r"<div\b|</div>", after):
            depth += 1 if tag[0] == "<div" else -1
            if depth == 0:
                kept = after[: tag.start()]
                break
        assert "<b>Wähle</b>" in kept
        assert "Runde 1: Zufallszahl" in kept.replace("\N{NO-BREAK SPACE}", " ")


def test_no_logit_that_station_8_asks_for_is_printed_under_another_name():
    sheet, desk = sheet_of(stations="8,9", endezeichen="<Ende>")
    hand = desk.calculation.hand["logit"].values
    again = desk.hand["greedy.round1.logit"].values
    assert list(again[:-1]) == list(hand)
    printed = {n.index for n in walk(parts_of(sheet), Number) if n.name.endswith(".logit") and not n.blank}
    assert printed == {(len(hand),)}  # the end token's


def test_station_8_is_copied_unless_an_end_token_changes_it():
    both = sheet_of(stations="8,9")[0]
    assert parts_of(both).first is None
    assert parts_of(sheet_of()[0]).first is not None
    with_end, desk = sheet_of(stations="8,9", endezeichen="<Ende>")
    assert [row.head for row in parts_of(with_end).first.rows][-1] == "<Ende>"
    assert "„&lt;Ende&gt;“" in html_of(with_end, desk, "worksheet")


def test_the_repetition_table_shows_later_rounds_alone():
    table = parts_of(sheet_of(laenge=2)[0]).repeat.table
    assert [row.head for row in table.rows] == [f"Runde {r}" for r in range(4, 9)]
    assert all(isinstance(row, Row) and isinstance(row.cells[0], Words) for row in table.rows)


def test_texts_are_made_for_their_station_alone():
    assert build(Options(satz=KATZE)).texts is not None
    assert build(Options(satz=KATZE, stationen="8")).texts is None
    assert build(Options(satz=KATZE, dimension=64, ffn=4)).texts is None


def test_dropped_words_look_like_kept_ones_on_the_worksheet():
    key = methods_of(sheet_of()[0])["top_p"].rounds[0].table
    assert any(getattr(row.cells[-1], "text", "") == "–" for row in key.rows)
    assert all(row.writable for row in withheld(key).rows)
