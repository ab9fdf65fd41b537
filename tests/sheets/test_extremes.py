"""Extreme sheets of every station become pages: right numbers, empty blanks, and text that stays text."""

import re

import pytest
from cases import made_from
from laid_out import KATZE, LONG, LONGEST
from reading import numbers, tree
from test_html_back import wrong_numbers
from test_leaks import told_in_blanks

from generator.options.options import Options

CAT = "The cat sits"
FLIEGEN = "Wenn Fliegen hinter Fliegen fliegen, fliegen Fliegen 3 Fliegen nach."
LONG_TARGET = (
    "An old man and a young woman walk today with their Danubesteamshipnavigationcaptain slowly over the "
    "long bridge home , because it will"
)
THOROUGH = pytest.mark.thorough
EXTREMES = [
    ("5,7", LONGEST, {"dimension": 16, "heads": 4, "stufe": 1}),
    ("5,7", "Vögel singen", {"dimension": 2, "heads": 1, "bloecke": 2}),
    (
        "5,7",
        KATZE,
        {"dimension": 6, "heads": 3, "gewichte": "dezimal", "nachkommastellen": 6, "bloecke": 2, "stufe": 3},
    ),
    ("5,7", KATZE, {"maske": False, "positionen": False, "skalierung": False, "bloecke": 2, "heads": 1}),
    ("5,7", "der Hund und der Hund", {"beispiel": 2, "uebung": (1, 3, 4, 5), "gewichte": "ganzzahlig"}),
    pytest.param(
        "10",
        LONG,
        {"zielsatz": LONG_TARGET, "dimension": 16, "heads": 4, "bloecke": 2},
        marks=THOROUGH,
    ),
    ("10", LONG, {"zielsatz": "The", "dimension": 3, "heads": 1, "stufe": 3, "nachkommastellen": 6}),
    ("10", "Ja nein", {"zielsatz": LONG_TARGET, "dimension": 2, "heads": 1, "stufe": 1}),
    ("10", "Vögel singen", {"zielsatz": "Birds", "dimension": 2, "heads": 1}),
    ("10", "Ja Ja", {"zielsatz": "yes yes yes", "dimension": 2, "heads": 2, "gewichte": "ganzzahlig"}),
    pytest.param("10", KATZE, {"zielsatz": CAT, "dimension": 8, "heads": 8}, marks=THOROUGH),
    (
        "10",
        KATZE,
        {
            "zielsatz": CAT,
            "dimension": 5,
            "heads": 1,
            "maske": False,
            "positionen": False,
            "skalierung": False,
        },
    ),
    ("10", KATZE, {"zielsatz": CAT, "nachkommastellen": 1, "temperatur": (0.02,), "dezimalzeichen": "punkt"}),
    ("10", KATZE, {"zielsatz": "<b>&amp; {{ x }} \\frac"}),
    ("2", LONGEST, {"dimension": 16, "heads": 4, "nachkommastellen": 6, "dezimalzeichen": "punkt"}),
    ("2", "Ja nein", {"dimension": 2, "heads": 1, "nachkommastellen": 1}),
    ("2", FLIEGEN, {"dimension": 6, "beispiel": 1, "maske": False, "positionen": False, "bloecke": 2}),
    ("2", "<i>ja</i> & nein", {"stufe": 3}),
    ("6", LONG, {"dimension": 16, "heads": 4, "ffn": 64, "gewichte": "dezimal"}),
    ("6", "Vögel singen", {"dimension": 2, "heads": 1, "ffn": 1}),
    ("6", KATZE, {"nachkommastellen": 6, "gewichte": "dezimal", "stufe": 1}),
    ("6", KATZE, {"uebung": (1, 3, 4, 5, 6), "stufe": 3, "nachkommastellen": 1}),
    ("9", LONG, {"dimension": 16, "heads": 4, "bloecke": 2, "endezeichen": "<Ende>", "laenge": 6}),
    (
        "9",
        "Ach ja nein",
        {"dimension": 2, "heads": 1, "stufe": 3, "nachkommastellen": 6, "topk": 3, "topp": 1},
    ),
    ("9", "Ja nein", {"dimension": 2, "heads": 1, "laenge": 6, "stufe": 3, "endezeichen": "<b>&"}),
    ("9", "Ja Ja", {"dimension": 2, "heads": 1, "laenge": 1, "stufe": 1}),
    ("9", KATZE, {"maske": False, "positionen": False, "skalierung": False, "dezimalzeichen": "punkt"}),
    ("9", KATZE, {"temperatur": (0.05,), "nachkommastellen": 1}),
    ("9", KATZE, {"temperatur": (1000, 0.5), "topk": 1, "topp": 0.01, "startwert": 9}),
    ("0", "Ja nein", {"dimension": 2, "heads": 1}),
    ("0", " ".join(f"Wort{i}" for i in range(24)), {"dimension": 16, "heads": 4, "bloecke": 2}),
    ("0", KATZE, {"stufe": 1}),
    ("0", KATZE, {"stufe": 3, "maske": False, "dezimalzeichen": "punkt"}),
    ("0", "<b>Fett</b> & Co", {}),
    ("8", LONG, {"dimension": 16, "heads": 4, "bloecke": 2}),
    pytest.param("8", LONG, {"dimension": 16, "heads": 4, "stufe": 1}, marks=THOROUGH),
    pytest.param("8", LONG, {"dimension": 3, "heads": 1, "stufe": 3, "nachkommastellen": 6}, marks=THOROUGH),
    ("8", "Ja nein", {"dimension": 2, "heads": 1, "nachkommastellen": 1}),
    ("8", "Ja Ja", {"dimension": 2, "heads": 1, "positionen": True}),
    ("8", KATZE, {"maske": False, "positionen": False, "skalierung": False, "dezimalzeichen": "punkt"}),
    ("8", KATZE, {"temperatur": tuple(0.5 * k for k in range(1, 9))}),
    ("8", KATZE, {"temperatur": (0.02, 1000)}),
    ("3", "Ach ja", {"dimension": 2, "heads": 1}),
    ("3", "ha ha ha", {"dimension": 3, "heads": 1, "stufe": 3}),
    pytest.param("3", LONG, {"dimension": 16, "heads": 1, "stufe": 1}, marks=THOROUGH),
    ("3", LONG, {"dimension": 16, "heads": 16, "nachkommastellen": 6}),
    ("3", KATZE, {"nachkommastellen": 1, "dezimalzeichen": "punkt", "maske": False, "skalierung": False}),
    ("3", KATZE, {"bloecke": 2, "dimension": 8}),
    ("1", LONGEST, {"stufe": 3}),
    ("1", "Donaudampfschifffahrtsgesellschaft Rindfleischetikettierungsüberwachung", {}),
    ("1", "😀 👍", {"dimension": 2, "heads": 1}),
    ("1", "<i>ja</i> & nein ␣", {"stufe": 1}),
]


@pytest.mark.parametrize(("stations", "sentence", "options"), EXTREMES)
def test_extremes_become_pages_that_tell_nothing(stations, sentence, options):
    made = made_from(Options(satz=sentence, stationen=stations, **options))
    worksheet, key = made.html("worksheet"), made.html("key")
    for station in stations.split(","):
        assert f'id="station-{station}"' in worksheet
        assert f'id="station-{station}"' in key
    assert wrong_numbers(made, numbers(tree(key)))[0] == []
    assert told_in_blanks(tree(worksheet)) == []
    blanks = [number for number in numbers(tree(worksheet)) if number.blank]
    assert (
        blanks or 'class="rule"' in worksheet or options.get("positionen") is False
    )  # numbers, or words to write
    assert not re.search("<(?:b|i)>(?:Fett|ja|&)", worksheet + key)
