"""Sheets for the tests of the teacher's pages: each is made once, with what a teacher is told of it."""

import re
from functools import cache
from html import unescape
from types import SimpleNamespace

import pytest

from generator.calculation.build import build
from generator.options.options import Options
from generator.output.formulas.typeset import Typesetter
from generator.output.pdf import paginate
from generator.production.worksheet import documents, fitted_to_lesson, jigsaw_of
from generator.production.worksheet import taught as taught_with
from generator.stations.make_sheet import make_sheet
from generator.teacher.review import review
from generator.teacher.teacher import teacher_parts
from tests.laid_out import KATZE, written

HUND = "Der Hund holt den Ball"
STEP = {"stationen": "11", "lernen": "ausgabe"}
SHEETS = {
    "booklet": {},
    "both sentences": {"stationen": "10,11", "zielsatz": "The cat sits", "lernen": "alles", "stufe": 1},
    "plain": {"stationen": "2,3,4b,7", "positionen": False, "maske": False, "heads": 1},
    "two blocks": {"stationen": "1b,4b", "bloecke": 2},
    "learnt": {"satz": HUND, "gewichte": "gelernt", "stationen": "2,4a,5,8,9,11,S", "lernen": "ausgabe"},
    "few": {"stationen": "4a,4b,8,S"},
    "worded": {"stationen": "0"},
    "lesson": {"zeit": 45},
}
every_sheet = pytest.mark.parametrize("sheet", SHEETS)
SCREEN, PAPER = Typesetter("screen"), Typesetter("pdf")


def text_of(html):
    """What is read, with single spaces."""
    plain = re.sub(r"<[^>]+>", " ", re.sub(r"(?s)<(style|svg).*?</\1>", " ", html))
    return re.sub(r"\s+", " ", unescape(plain))


@cache
def fitted(satz=KATZE, **options):
    """What is built for a lesson, and what was chosen for it."""
    return fitted_to_lesson(build(Options(satz=satz, **options)))


@cache
def taught(satz=KATZE, **options):
    """A sheet with its pages; key: what they ask for; found: what templates of the teacher's pages read."""
    built, choice = fitted(satz, **options)
    whole = make_sheet(built)
    told, jigsaw = review(whole.sheet, whole.desk, whole.ranges), jigsaw_of(whole)
    made = {each.name: each for each in documents(whole, told, choice, jigsaw)}
    key, groups = made["loesung"].stations, taught_with(jigsaw, list(made.values()))
    return SimpleNamespace(
        sheet=whole.sheet,
        desk=whole.desk,
        choice=choice,
        review=told,
        groups=jigsaw.sheets,
        pages=made,
        key=key,
        found=teacher_parts(whole.sheet, whole.desk, key, told, choice, groups),
        html={name: written(each.page, SCREEN) for name, each in made.items()},
    )


@cache
def printed(name, satz=KATZE, **options):
    """A page as it is printed."""
    return paginate(written(taught(satz, **options).pages[name].page, PAPER), PAPER.images)
