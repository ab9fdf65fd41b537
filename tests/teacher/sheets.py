"""Sheets for the tests of the teacher's pages."""

from functools import cache

from generator.build import build
from generator.calculation_document import ranges_of
from generator.options import Options
from generator.typeset import Typesetter
from generator.worksheet import documents, judge, lay_out_sheet

KATZE = "Die Katze sitzt auf der Matte"


@cache
def made(satz=KATZE, **options):
    """Sheet, desk and all HTML documents for the screen."""
    built = build(Options(satz=satz, **options))
    ranges = ranges_of(built.whole)
    sheet, desk = lay_out_sheet(built, ranges)
    found = documents(sheet, desk, judge(sheet, desk, ranges), Typesetter("screen"), "screen")
    return sheet, desk, {document.name: document.html for document in found}


__all__ = ["KATZE", "made"]
