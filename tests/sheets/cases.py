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
from generator.output.render import on_paper
from generator.sheet.desk import Desk
from generator.sheet.page import Page
from generator.sheet.sheet import Sheet, View
from generator.stations.make_sheet import build_sheet
from tests.laid_out import page_of, written


def on(stations: str, satz: str = KATZE, *options: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Options as a dictionary; later ones go before."""
    return {"stationen": stations, "satz": satz} | {k: v for each in options for k, v in each.items()} | more


TEN = "Der alte Hund jagt heute den roten Ball im Garten"
LONG_WORDS = "Donaudampfschifffahrtsgesellschaft und Rindfleischetikettierungsüberwachung streiten"
ONE_EXCHANGE = "Im Herbst fallen die Blätter von den Bäumen"  # of two texts; station 8 has no tip then
BOOKLETS = (
    KATZE,
    "Der Mond leuchtet hell über dem See",
    "Meine Oma backt sonntags einen Kuchen",
    "Vögel bauen ein Nest",
    "Mein Nachbar baut im Garten eine Hütte",
    "Die Ärztin hilft am Abend dem Kind",
    "Mein Bruder spielt abends gern Gitarre",
    "Die Gärtnerin schneidet morgens die Rosen",
    TEN,
)
SMALL, THREE_HEADS = {"dimension": 2, "heads": 1}, {"dimension": 6, "heads": 3}
MUCH, LITTLE = {"stufe": 1}, {"stufe": 3}
BARE = {"maske": False, "positionen": False, "skalierung": False}
LEARNT = {"gewichte": "gelernt"}
TWO = {"zielsatz": "The cat sits", "lernen": "alles"}
NARROW = {"zielsatz": "The birds sing today in all gardens", "lernen": "attention", "maske": False}
ALL_TOKENS = {"uebung": [1, 3, 4, 5, 6], "gewichte": "dezimal", "stufe": 1}

# All stations, or those that the case could hurt.
CASES: dict[str, dict[str, Any]] = {
    "example": {"satz": KATZE},
    "ten_words": on("0,2,4a,4b,5,7,8,11", TEN, THREE_HEADS),
    "ten_words_much_given": on("4a,8", TEN, THREE_HEADS, ALL_TOKENS),
    "two_words": {"satz": "Vögel singen", "heads": 1, "nachkommastellen": 4},
    "24_words": on("1,2,3,4a,4b,5,8,9", LONGEST),
    "largest": on("4a,4b,8", LONGEST, MUCH, dimension=16, heads=4, nachkommastellen=4),
    "small": {"satz": KATZE} | SMALL | LITTLE,
    "small_two_blocks": on("2,4b,5,7", KATZE, SMALL, LITTLE, bloecke=2, nachkommastellen=1),
    "two_blocks": on("0,3,4b,5,6,7,8", bloecke=2, nachkommastellen=1),
    "plain": on("0,3,4a,4b,8", KATZE, BARE),
    "six_places": on("3,4a,4b,5,6,8", nachkommastellen=6, dimension=8, heads=2, dezimalzeichen="punkt"),
    "all_tokens": on("4a,4b,5,8", KATZE, ALL_TOKENS),
    "two_sentences": on("10,11", KATZE, TWO),
    "two_narrow": on("10,11", "Vögel singen", NARROW, SMALL, LITTLE),
    # Answers about as many heads as can be, of a model that has learnt to tell them apart.
    "four_heads": on("3,4b", "Der Hund holt den Ball", LEARNT, dimension=8, heads=4),
    "learnt_three_heads": on("4a,4b", "Die Lehrerin schreibt einen langen Brief", LEARNT, THREE_HEADS),
    "long_words": on("1,4b,8", LONG_WORDS),
    "one_exchange": on("6,8", ONE_EXCHANGE, LEARNT, dimension=6),
}


def thorough_but(usual: Collection[str], cases: Iterable[str]) -> list[Any]:
    """All cases; those that are not usual only with --gruendlich."""
    return [case if case in usual else pytest.param(case, marks=pytest.mark.thorough) for case in cases]


@dataclass(frozen=True, repr=False, eq=False)  # what pytest shows of it would take minutes to write
class Made:
    """One configuration: its calculation, its sheet, and both views of it."""

    built: Built
    sheet: Sheet
    desk: Desk

    @cached_property
    def document(self) -> dict[str, Any]:
        """rechnung.json as a reader gets it, without what honest rounding may give: that takes a second."""
        return json.loads(to_json(document_of(self.built, {})))

    @cache  # noqa: B019 (sheets live as long as their tests)
    def page(self, view: View) -> Page:
        return page_of(self.sheet, self.desk, view)

    @cache  # noqa: B019
    def html(self, view: View, medium: Medium = "screen") -> str:
        return written(self.page(view), Typesetter(medium))

    @cached_property
    def worksheet(self) -> Paper:
        """As it is laid out alone."""
        return self._laid_out("worksheet")

    @cached_property
    def both(self) -> Paper:
        """The key with the worksheet's lines to write on: this layout is what both are printed with."""
        return self._laid_out("key", both=True)

    def _laid_out(self, view: View, **how: bool) -> Paper:
        typesetter = Typesetter("pdf")
        return paper(on_paper(self.page(view), typesetter, **how), typesetter.images)


def made_from(options: Options) -> Made:
    built = build(options)
    return Made(built, *build_sheet(built))


@cache
def made(case: str) -> Made:
    return made_from(Options.from_mapping(CASES[case]))


@cache
def booklet(sentence: str) -> Made:
    """What a teacher gets who names nothing else."""
    return made_from(Options.asked({"satz": sentence}))
