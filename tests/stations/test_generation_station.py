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


def thrown(sums, random):
    """The word that the printed rule chooses: the first whose sum is above the random number."""
    for word, cell in sums:
        if value(cell) > round(float(random.replace(",", ".")) * 1000):
            return word.strip("„“")
    raise AssertionError("no sum is above the random number")


def sums_of(round_):
    """What a round prints, or asks for: each word and where its piece ends."""
    if round_.ends:
        return round_.ends
    at = round_.table.columns.index("cumulative")
    return [(row.head, row.cells[at]) for row in round_.table.rows if isinstance(row.cells[at], Number)]


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
            assert thrown(sums_of(round_), round_.random) == round_.chosen.text
            rounds += 1
        if method.worked:
            assert thrown(method.worked.ends, method.random_row[0]) == method.worked.word
    assert rounds >= 2 - bool(options.get("endezeichen"))


@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_point_is_the_pupils_and_the_pieces_where_sums_are_asked_for(level):
    for round_ in methods_of(sheet_of(stufe=level)[0])["sampled"].rounds:
        assert f"{round_.random}." in round_.strip.drawing.text
        assert round_.random not in round_.strip.empty.text
        assert (round_.strip.empty.text == "Von 0 bis 1, leer.") == round_.fill


def test_the_ids_of_the_appended_words_add_up_to_the_printed_check():
    sheet, desk = sheet_of()
    for method in (parts_of(sheet).greedy, *methods_of(sheet).values()):
        ids = [desk.vocabulary.index(word) for word in method.appended.text.split()]
        assert str(sum(ids)) == method.id_sum


@pytest.mark.parametrize("options", [{}, {"topp": 0.4}])
def test_top_p_keeps_the_pieces_up_to_the_one_in_which_p_lies(options):
    methods = methods_of(sheet_of(**options)[0])
    cut, ends = methods["top_p"].cut, methods["sampled"].worked.ends
    p = round(1000 * options.get("topp", 0.9))
    kept = next(place for place, (_, end) in enumerate(ends, 1) if value(end) >= p)
    assert cut.words.text == ", ".join(word for word, _ in ends[:kept])
    assert cut.total.text == ends[kept - 1][1].text
    assert cut.total.blank
    assert cut.total.given is Given.READ_OFF


@pytest.mark.parametrize("options", [{}, {"stufe": 3, "topk": 2}, {"topk": 24, "topp": 0.4}])
def test_the_sum_that_stays_is_read_off_the_example(options):
    sheet, desk = sheet_of(**options)
    methods = methods_of(sheet)
    page = page_of(sheet, desk, "worksheet").replace("\N{NO-BREAK SPACE}", " ")
    total = methods["top_k"].rounds[0].table.rows[-1].cells[1]
    assert total.given is Given.READ_OFF
    assert total.text == methods["sampled"].worked.ends[methods["top_k"].kept - 1][1].text
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
        assert ("<b>Wähle</b>" in kept) == (name == "Top-k: nur")
        asked = "Runde 1: Zufallszahl" if name == "Top-k: nur" else "Es bleiben:"
        assert asked in kept.replace("\N{NO-BREAK SPACE}", " ")


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
