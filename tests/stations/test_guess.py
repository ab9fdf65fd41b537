"""A lesson with a model that has learnt: a guess before anything is told, the way, how the model decided."""

import re
from functools import cache

import pytest

from generator.calculation.build import build
from generator.options.options import Options
from generator.production.worksheet import fitted_to_lesson
from generator.stations.make_sheet import build_sheet
from tests.laid_out import html_of

HUND = "Der Hund holt den Ball"
NUMBER = re.compile(r"\d,\d\d")


@cache
def lesson(satz=HUND, **options):
    built, choice = fitted_to_lesson(build(Options.asked({"satz": satz, "zeit": 45, **options})))
    sheet, desk = build_sheet(built)
    return sheet, desk, choice


@cache
def pages(view="worksheet", satz=HUND):
    sheet, desk, _ = lesson(satz)
    return html_of(sheet, desk, view)


def test_before_the_guess_nothing_is_told():
    html = pages()
    before = html[html.index("Welches Wort kommt jetzt?") : html.index("Wem hört „den“ zu?")]
    assert all(text in before for text in lesson()[1].built.learnt.lines)
    assert not NUMBER.search(before)
    assert not re.search(r"Query|Value|Key|Gewicht", before)


@pytest.mark.parametrize("options", [{"gewichte": "auswahl"}, {"heads": 1}])
def test_every_lesson_begins_with_a_guess_and_goes_back_to_it(options):
    sheet, desk, choice = lesson(**options)
    tasks = list(sheet.stations[0].tasks)
    assert tasks.index("arcs") < tasks.index("scores") < tasks.index("back")
    assert choice.exercises == (desk.n,)
    at = "block1.head2." if desk.sizes.n_heads > 1 else "unmasked.head1."
    asked = {name for task in sheet.stations[0].tasks.values() for name, _ in task.cells}
    assert {at + "scaled", at + "weight", at + "output"} <= asked
    assert all(name.startswith(at) for name in asked)
    assert sheet.stations[0].parts.resolution.open == [desk.sizes.n_heads]
