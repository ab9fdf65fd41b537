"""Station 9: the texts that the tables lead to, what the pupil writes, what the worksheet withholds."""

import re
from dataclasses import replace
from html import unescape

import pytest
from laid_out import KATZE, html_of, laid_out

from generator.options.options import Options
from generator.sheet.sheet import Given, Number


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


@pytest.mark.parametrize(
    ("length", "rounds"), [(1, "für Runde 1"), (2, "für Runde 2"), (3, "für jede Runde")]
)
def test_one_round_is_not_called_every_round(length, rounds):
    sheet, desk = sheet_of(laenge=length)
    page = " ".join(page_of(sheet, desk, "worksheet").split())
    assert f"<b>Gib</b> {rounds} <b>an</b>" in page.replace("\N{NO-BREAK SPACE}", " ")
    assert ("<b>Wähle</b> in jeder Runde" in page) == (length > 2)
    assert ("in Runde 2 das Wort" in page) == (length == 2)


# Why greedy repeats itself: the key argues with what the table of further rounds shows.


def named_mark(sheet, desk, **facts):
    """What the key says of a table of further rounds."""
    station = sheet.stations[-1]
    repeat = station.parts.repeat.but(**facts)
    changed = replace(station, parts=station.parts.but(repeat=repeat))
    page = page_of(replace(sheet, stations=(*sheet.stations[:-1], changed)), desk, "key")
    text = re.sub(r"<svg.*?</svg>|<[^>]*>", "", page, flags=re.DOTALL).replace("\N{NO-BREAK SPACE}", " ")
    return re.search(r"immer dasselbe Wort\.(.*?)Sieht das Ende", " ".join(text.split()))[1].strip()


WORDS = "ist das letzte Wort selbst auf Platz 1 "


@pytest.mark.parametrize(
    ("facts", "sentences"),
    [
        (
            {"count": 5, "own": 5, "places": None, "chances": ("0,2", "0,3"), "most": ("a", 5), "run": "a"},
            (
                "In jeder Runde der Tabelle " + WORDS,
                "0,2 bis 0,3",
                "noch einmal gewählt. Am Ende wiederholt sich „a“.",
            ),
        ),
        (
            {"count": 5, "own": 3, "places": (2, 4), "chances": ("0,2", "0,2"), "most": ("a", 4), "run": ""},
            (
                "In 3 von 5 Runden " + WORDS,
                "0,2)",
                "Sonst ist es auf Platz 2 bis 4. „a“ wird in 4 von 5 Runden gewählt. Am Ende ist noch keine",
            ),
        ),
        (
            {"count": 5, "own": 0, "places": (3, 3), "chances": None, "most": ("a", 2), "run": "a b"},
            (
                "Das letzte Wort selbst ist nie auf Platz 1, sondern auf Platz 3. „a“ wird in 2 von 5 Runden",
                "gewählt. Am Ende wiederholt sich die Folge „a b“.",
            ),
        ),
        (
            {"count": 2, "own": 0, "places": (2, 3), "chances": None, "most": ("a", 1), "run": ""},
            ("nie auf Platz 1, sondern auf Platz 2 bis 3. Am Ende ist noch keine Schleife zu sehen.",),
        ),
        (
            {"count": 1, "own": 1, "places": None, "chances": ("0,2", "0,2"), "most": ("a", 1), "run": "a"},
            ("In dieser Runde " + WORDS,),
        ),
    ],
)
def test_the_key_argues_with_the_numbers_of_the_table(facts, sentences):
    said = named_mark(*sheet_of(), **facts)
    for sentence in sentences:
        assert sentence in said


def test_without_further_rounds_the_key_names_none():
    sheet, desk = sheet_of(laenge=2)
    station = sheet.stations[-1]
    bare = replace(station, parts=station.parts.but(repeat=None))
    page = page_of(replace(sheet, stations=(bare,)), desk, "key")
    assert "mit den Zahlen der Tabelle" not in page
    assert "Auf denselben Text folgt immer dasselbe Wort. Sieht das Ende" in " ".join(page.split())
