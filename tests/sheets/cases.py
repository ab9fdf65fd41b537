"""The configurations that sheets are tested with, and their sheets: built once in each test process."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import pytest
from laid_out import KATZE, LONGEST
from paper import Paper, paper

from generator.basics.fonts import Medium
from generator.calculation.build import Built, build
from generator.calculation.document import document_of, to_json
from generator.options.options import Options
from generator.output.formulas.typeset import Typesetter
from generator.sheet.desk import Desk
from generator.sheet.sheet import Sheet, View
from generator.stations.make_sheet import build_sheet
from tests.laid_out import page_of, written

TEN = "Der alte Hund jagt heute den roten Ball im Garten"
REPEATED = "Wenn Fliegen hinter Fliegen fliegen, fliegen Fliegen 3 Fliegen nach."
LONG_WORDS = "Donaudampfschifffahrtsgesellschaft und Rindfleischetikettierungsüberwachung streiten"

# All stations, or those that the case could hurt: laying out a page takes a tenth of a second.
CASES: dict[str, dict[str, Any]] = {
    "example": {},
    "ten_words": {"satz": TEN, "dimension": 6, "heads": 3, "stationen": "0,2,4a,4b,5,7,8,11"},
    "two_words": {"satz": "Vögel singen", "heads": 1, "nachkommastellen": 4},
    "24_words": {"satz": LONGEST, "stationen": "1,2,3,4a,4b,5,8,9"},
    "large": {"dimension": 16, "heads": 4, "stationen": "2,4a,4b,5,6"},
    "largest": {
        "satz": LONGEST,
        "dimension": 16,
        "heads": 4,
        "nachkommastellen": 4,
        "stufe": 1,
        "stationen": "4a,4b,8",
    },
    "small": {"dimension": 2, "heads": 1, "stufe": 3},
    "two_blocks": {"bloecke": 2, "nachkommastellen": 1, "stationen": "0,3,4b,5,6,7,8"},
    "plain": {"maske": False, "positionen": False, "skalierung": False, "stationen": "0,3,4a,4b,8"},
    "six_places": {
        "nachkommastellen": 6,
        "dimension": 8,
        "heads": 2,
        "dezimalzeichen": "punkt",
        "stationen": "3,4a,4b,5,6,8",
    },
    "all_tokens": {"uebung": [1, 3, 4, 5, 6], "gewichte": "dezimal", "stufe": 1, "stationen": "4a,4b,5,8"},
    "repeated": {"satz": REPEATED, "beispiel": 2, "stationen": "1,2,4a,8,9"},
    "four_places": {"nachkommastellen": 4, "stationen": "4a,6"},
    "two_sentences": {"zielsatz": "The cat sits", "lernen": "alles", "stationen": "10,11"},
    "two_narrow": {
        "satz": "Vögel singen",
        "zielsatz": "The birds sing today in all gardens",
        "lernen": "attention",
        "dimension": 2,
        "heads": 1,
        "stufe": 3,
        "maske": False,
        "stationen": "10,11",
    },
    "two_wide": {
        "zielsatz": "The cat sits",
        "lernen": "attention",
        "dimension": 8,
        "heads": 4,
        "bloecke": 2,
        "stufe": 1,
        "stationen": "11",
    },
}
# What has gone wrong before in the cases above, several at once, on the stations that it could hurt.
TOGETHER: dict[str, dict[str, Any]] = {
    "ten_words_much_given": {
        "satz": TEN,
        "dimension": 6,
        "heads": 3,
        "gewichte": "dezimal",
        "uebung": [1, 3, 4, 5, 6],
        "stufe": 1,
        "stationen": "4a,8,11",
    },
    # Answers about as many heads as can be, of a model that has learnt to tell them apart.
    "four_heads": {
        "satz": "Der Hund holt den Ball",
        "dimension": 8,
        "heads": 4,
        "gewichte": "gelernt",
        "stationen": "3,4b",
    },
    "small_two_blocks": {
        "dimension": 2,
        "heads": 1,
        "bloecke": 2,
        "nachkommastellen": 1,
        "stufe": 3,
        "stationen": "2,4b,5,7",
    },
    "long_words": {"satz": LONG_WORDS, "stationen": "0,1,4b,8"},
    "one_head_much_given": {"heads": 1, "gewichte": "gelernt", "stufe": 1, "stationen": "3,4a"},
    "one_head_little_given": {"heads": 1, "gewichte": "dezimal", "stufe": 3, "stationen": "3,4a"},
    "learnt_three_heads": {
        "satz": "Die Lehrerin schreibt einen langen Brief",
        "dimension": 6,
        "heads": 3,
        "gewichte": "gelernt",
        "stationen": "4a,4b",
    },
}


def thorough_but(usual: Collection[str], cases: Iterable[str]) -> list[Any]:
    """All cases; those that are not usual only with --gruendlich."""
    return [case if case in usual else pytest.param(case, marks=pytest.mark.thorough) for case in cases]


# What the booklet and lessons have, too, is laid out here with --gruendlich.
USUAL = ("two_narrow", "ten_words_much_given", "four_heads", "small_two_blocks", "long_words")
LAID_OUT = thorough_but(USUAL, CASES | TOGETHER)
# Where all pages need not be laid out.
FEW = ("example", "small", "two_blocks", "plain", "all_tokens", "two_sentences")
MEDIA: tuple[Medium, ...] = ("pdf", "screen")


def options_of(case: str) -> Options:
    return Options.from_mapping({"satz": KATZE} | (CASES | TOGETHER)[case])


@dataclass(frozen=True, repr=False, eq=False)  # what pytest shows of it would take minutes to write
class Made:
    """One configuration: its calculation, its sheet, and the HTML of both views."""

    built: Built
    sheet: Sheet
    desk: Desk

    @cached_property
    def document(self) -> dict[str, Any]:
        """rechnung.json as a reader gets it, without what honest rounding may give: that takes a second."""
        return json.loads(to_json(document_of(self.built, {})))

    def html(self, view: View, medium: Medium = "screen") -> str:
        return self.page(view, medium)[0]

    @cached_property
    def worksheet(self) -> Paper:
        """As it is laid out on paper."""
        return paper(*self.page("worksheet", "pdf"))

    @cache  # noqa: B019 (sheets live as long as their tests)
    def page(self, view: View, medium: Medium) -> tuple[str, dict[str, Any]]:
        """The HTML and the pictures of its formulas."""
        typesetter = Typesetter(medium)
        return written(page_of(self.sheet, self.desk, view), typesetter), typesetter.images


def made_from(options: Options) -> Made:
    built = build(options)
    return Made(built, *build_sheet(built))


@cache
def made(case: str) -> Made:
    return made_from(options_of(case))


@cache
def booklet(sentence: str) -> Made:
    """What a teacher gets who names nothing else."""
    return made_from(Options.asked({"satz": sentence}))
