"""Sheets for the tests of the teacher's pages."""

import re
from functools import cache

from generator.calculation.build import build
from generator.options.options import Options
from generator.output.formulas.typeset import Typesetter
from generator.production.worksheet import fitted_to_lesson
from generator.stations.make_sheet import make_sheet
from generator.teacher.review import review
from generator.teacher.teacher import teacher_parts
from tests.laid_out import documents_of

KATZE = "Die Katze sitzt auf der Matte"


def text_of(html):
    """What is read, with single spaces."""
    plain = re.sub(r"<[^>]+>", " ", re.sub(r"(?s)<(style|svg).*?</\1>", " ", html))
    return re.sub(r"\s+", " ", plain.replace("\xa0", " ").replace("&nbsp;", " "))


@cache
def reviewed(satz=KATZE, **options):
    """A whole sheet and what a teacher is told of it."""
    whole = make_sheet(Options(satz=satz, **options))
    return whole, review(whole.sheet, whole.desk, whole.ranges)


@cache
def parts(satz=KATZE, **options):
    """Sheet, desk and what the templates of the teacher's pages read."""
    whole, found = reviewed(satz, **options)
    pages = recorded(satz, **options)
    return whole.sheet, whole.desk, teacher_parts(whole.sheet, whole.desk, pages, found)


def made(satz=KATZE, **options):
    """Sheet, desk and all HTML documents for the screen."""
    sheet, desk, pages = pages_of(satz, **options)
    return sheet, desk, {name: page.html for name, page in pages.items()}


def recorded(satz=KATZE, view="loesung", **options):
    """What the exercises of a page ask for, station by station."""
    return pages_of(satz, **options)[2][view].stations


@cache
def fitted(satz=KATZE, **options):
    """What is built for a lesson, and what was chosen for it."""
    return fitted_to_lesson(build(Options(satz=satz, **options)))


@cache
def pages_of(satz, **options):
    whole, found = reviewed(satz, **options)
    return whole.sheet, whole.desk, documents_of(whole, Typesetter("screen"), reviewed=found)
