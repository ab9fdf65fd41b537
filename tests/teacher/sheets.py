"""Sheets for the tests of the teacher's pages."""

from functools import cache

from generator.calculation.build import build
from generator.options.options import Options
from generator.output.formulas.typeset import Typesetter
from generator.production.worksheet import documents, review
from generator.stations.make_sheet import make_sheet

KATZE = "Die Katze sitzt auf der Matte"


def made(satz=KATZE, **options):
    """Sheet, desk and all HTML documents for the screen."""
    sheet, desk, pages = pages_of(satz, **options)
    return sheet, desk, {name: page.html for name, page in pages.items()}


def recorded(satz=KATZE, view="loesung", **options):
    """What the exercises of a page ask for, station by station."""
    return pages_of(satz, **options)[2][view].stations


@cache
def pages_of(satz, **options):
    built = build(Options(satz=satz, **options))
    whole = make_sheet(built)
    sheet, desk, ranges = whole.sheet, whole.desk, whole.ranges
    found = documents(whole, review(sheet, desk, ranges), Typesetter("screen"), "screen")
    return sheet, desk, {document.name: document for document in found}


__all__ = ["KATZE", "made", "recorded"]
