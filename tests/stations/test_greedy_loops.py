"""Station 9, why greedy repeats itself: the key argues with what the table of further rounds shows."""

import re
from dataclasses import replace

import pytest

from tests.stations.test_generation_station import page_of, sheet_of


def said_of(sheet, desk, **facts):
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
    said = said_of(*sheet_of(), **facts)
    for sentence in sentences:
        assert sentence in said


def test_without_further_rounds_the_key_names_none():
    sheet, desk = sheet_of(laenge=2)
    station = sheet.stations[-1]
    bare = replace(station, parts=station.parts.but(repeat=None))
    page = page_of(replace(sheet, stations=(bare,)), desk, "key")
    assert "mit den Zahlen der Tabelle" not in page
    assert "Auf denselben Text folgt immer dasselbe Wort. Sieht das Ende" in " ".join(page.split())
