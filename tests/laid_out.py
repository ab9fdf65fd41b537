"""What tests of sheets share: sentences, a sheet's page, and the cells that it leaves to the pupil."""

from __future__ import annotations

from functools import lru_cache

from generator.calculation.build import build
from generator.options.options import Options
from generator.output.formulas.typeset import Typesetter
from generator.output.render import render
from generator.sheet.desk import Desk
from generator.sheet.sheet import Sheet, View
from generator.stations.make_sheet import build_sheet
from generator.stations.page_values import page_values

KATZE = "Die Katze sitzt auf der Matte"
LONGEST = (
    "Am ersten Tag nach den langen Ferien treffen sich alle Kinder der fünften Klasse "
    "auf dem großen Hof und erzählen einander lachend viele Geschichten"
)
LONG = (
    "Ein alter Mann und eine junge Frau gehen heute mit ihrem Donaudampfschifffahrtskapitän langsam über "
    "die lange Brücke nach Hause , weil es bald regnet"
)


@lru_cache(maxsize=40)
def laid_out(options: Options) -> tuple[Sheet, Desk]:
    """Made once for all tests that look at the same sheet."""
    return build_sheet(build(options))


def html_of(sheet: Sheet, desk: Desk, view: View) -> str:
    return render(sheet, view, Typesetter("screen"), "screen", page_values(desk, sheet)).html


def blanks_of(sheet: Sheet) -> set[tuple[str, tuple[int, ...]]]:
    return {(number.name, number.index) for number in sheet.blanks()}
