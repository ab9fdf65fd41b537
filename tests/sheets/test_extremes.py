"""Extreme sheets of every station become pages: right numbers, empty blanks, and text that stays text."""

import re

import pytest
from cases import made_from
from laid_out import KATZE, LONG
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
BIG = {"dimension": 16, "heads": 4, "bloecke": 2}
SMALL = {"dimension": 2, "heads": 1}
BARE = {"maske": False, "positionen": False, "skalierung": False}
EXACT = {"gewichte": "dezimal", "nachkommastellen": 6}
EXTREMES = [
    ("1,2,5,6,7,8,9", LONG, BIG | EXACT | {"ffn": 64, "stufe": 1, "endezeichen": "<Ende>", "laenge": 6}),
    ("0,2,5,6,7,8,10", "Vögel singen", SMALL | {"zielsatz": "Birds", "bloecke": 2, "ffn": 1}),
    ("0,2,3,8,9", "Ja nein", SMALL | {"nachkommastellen": 1, "laenge": 6, "stufe": 3, "endezeichen": "<b>&"}),
    ("2,3,8,9,10", "Ja Ja", {"zielsatz": "yes yes yes", "dimension": 2, "heads": 2, "laenge": 1, "stufe": 1}),
    (
        "5,6,7",
        KATZE,
        EXACT | {"dimension": 6, "heads": 3, "bloecke": 2, "uebung": (1, 3, 4, 5, 6), "stufe": 3},
    ),
    (
        "0,3,5,7,8,9,10",
        KATZE,
        BARE | {"zielsatz": CAT, "dimension": 5, "heads": 1, "dezimalzeichen": "punkt"},
    ),
    ("5,7", "der Hund und der Hund", {"beispiel": 2, "uebung": (1, 3, 4, 5), "gewichte": "ganzzahlig"}),
    ("2,3", FLIEGEN, BARE | {"dimension": 6, "beispiel": 1, "bloecke": 2}),
    ("3,9", "ha ha ha", {"dimension": 3, "heads": 1, "stufe": 3, "topk": 3, "topp": 1}),
    ("3", LONG, {"dimension": 16, "heads": 16, "nachkommastellen": 6}),
    ("10", LONG, {"zielsatz": "The", "dimension": 3, "heads": 1, "stufe": 3, "nachkommastellen": 6}),
    ("10", "Ja nein", SMALL | {"zielsatz": LONG_TARGET, "stufe": 1}),
    pytest.param("10", LONG, BIG | {"zielsatz": LONG_TARGET}, marks=pytest.mark.thorough),
    ("8,9,10", KATZE, {"zielsatz": CAT, "nachkommastellen": 1, "temperatur": (0.02, 1000), "topk": 1}),
    ("8,9", KATZE, {"temperatur": tuple(0.5 * k for k in range(1, 9)), "topp": 0.01, "startwert": 9}),
    ("0,1,2,10", "<b>Fett</b> & <i>ja</i> ␣", {"zielsatz": "<b>&amp; {{ x }} \\frac", "stufe": 3}),
    pytest.param("11", LONG, BIG | {"lernen": "alles"}, marks=pytest.mark.thorough),
    ("11", LONG, {"lernen": "attention", "dimension": 8, "heads": 1, "stufe": 3, "nachkommastellen": 6}),
    ("11", KATZE, {"lernen": "ausgabe", "dimension": 3, "heads": 1, "stufe": 1}),
    ("11", "Ja nein", SMALL | {"lernen": "alles", "nachkommastellen": 2}),
    (
        "11",
        KATZE,
        {"lernen": "attention", "zielsatz": CAT, "dimension": 2, "heads": 2, "nachkommastellen": 3},
    ),
    ("11", KATZE, {"lernen": "alles", "gewichte": "gelernt"}),
    ("11", KATZE, BARE | {"lernen": "ausgabe", "bild": False, "dezimalzeichen": "punkt"}),
    (
        "11",
        KATZE,
        {"lernen": "alles", "gewichte": "dezimal", "richtig": "Matte", "lernrate": 0.05, "bloecke": 2},
    ),
    ("1", "Donaudampfschifffahrtsgesellschaft Rindfleischetikettierungsüberwachung 😀 👍", SMALL),
    pytest.param("0", " ".join(f"Wort{i}" for i in range(24)), BIG, marks=pytest.mark.thorough),
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
