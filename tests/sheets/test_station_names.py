"""Stations that a sheet names: they stand on it, or it says that they are another sheet's."""

import re
from html import unescape
from itertools import pairwise

import pytest
from laid_out import html_of

from generator.calculation.build import build
from generator.options.options import Options
from generator.output.formulas.typeset import Typesetter
from generator.output.render import render
from generator.stations.make_sheet import build_sheet, page_values

NAMED = re.compile(r"\bStation\s(\d+[ab]?|S|Σ|B\d+)(,? \(?anderes Blatt\)?)?")
SINGLE = ("0", "1", "2", "3", "4a", "4b", "5", "6", "7", "8", "9", "S")
PAIRS = tuple(",".join(pair) for pair in pairwise(SINGLE))
FURTHER = (
    {},
    {"stationen": "4b,7", "bloecke": 2},
    {"stationen": "4a,5", "maske": False},
    {"stationen": "5", "positionen": False},
    {"stationen": "4a,4b,5", "positionen": False, "heads": 1},
    {"stationen": "8,9", "endezeichen": "<Ende>"},
    {"stationen": "9", "endezeichen": "<Ende>", "stufe": 1},
    {"stationen": "8", "stufe": 3},
    {"stationen": "4b", "stufe": 3},
    {"stationen": "11", "lernen": "ausgabe"},
    {"stationen": "8,11", "lernen": "attention"},
    {"stationen": "11", "lernen": "alles"},
    {"stationen": "11", "lernen": "alles", "bloecke": 2},
    {"stationen": "10", "zielsatz": "The cat sits"},
    {"stationen": "11", "zielsatz": "The cat sits", "lernen": "attention"},
    {"stationen": "8,S", "gewichte": "gelernt"},
    {"stationen": "0,4a,9", "gewichte": "gelernt"},
    {"stationen": "7,8,S", "gewichte": "gelernt"},
)
SHEETS = (*({"stationen": which} for which in (*SINGLE, *PAIRS)), *FURTHER)


@pytest.mark.parametrize("options", SHEETS, ids=lambda options: " ".join(map(str, options.values())) or "all")
def test_a_station_that_is_named_is_printed_or_said_to_be_elsewhere(options):
    sentence = "Die Katze sitzt auf der Matte"
    sheet, desk = build_sheet(build(Options.from_mapping({"satz": sentence, **options})))
    printed = {station.id for station in sheet.stations}
    values = page_values(desk, sheet)
    signs = {values["signs"].get(id_, id_) for id_ in printed}
    for view in ("worksheet", "key"):
        html = render(sheet, view, Typesetter("screen"), "screen", values).html
        body = re.sub(r"<(style|svg|nav|head)\b.*?</\1>", " ", html, flags=re.DOTALL)
        text = re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", "", body)))
        wrong = [found[0] for found in NAMED.finditer(text) if (found[1] in signs) == bool(found[2])]
        assert wrong == [], view


def test_a_sheet_of_one_station_says_what_is_elsewhere():
    sheet, desk = build_sheet(build(Options(satz="Die Katze sitzt auf der Matte", stationen="7")))
    html = html_of(sheet, desk, "worksheet")
    assert "Station&nbsp;5 (anderes Blatt)" in html
    assert "Station&nbsp;8 (anderes Blatt)" in html
