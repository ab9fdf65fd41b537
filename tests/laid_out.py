"""What tests of sheets share: sentences, a sheet's page, and the cells that it leaves to the pupil."""

from __future__ import annotations

import fcntl
import hashlib
import pickle
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from pathlib import Path
from typing import Any

from generator.basics.fonts import Medium
from generator.calculation.build import build
from generator.calculation.document import document_of
from generator.options.options import Options
from generator.output.formulas.typeset import Typesetter
from generator.output.html import Html
from generator.output.many import Printers
from generator.output.render import Document, render, whole_html
from generator.production.sheet_documents import worksheet_and_key
from generator.production.worksheet import documents, make_files
from generator.sheet.desk import Desk
from generator.sheet.page import Page
from generator.sheet.record import RecordedStation
from generator.sheet.sheet import Sheet, View
from generator.sheet.whole_sheet import WholeSheet
from generator.stations.make_sheet import build_sheet, page_values
from generator.teacher.lesson import LessonPlan
from generator.teacher.review import SheetReview, review

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


def sheet_of(satz: str = KATZE, **options: Any) -> tuple[Sheet, Desk]:
    """The same of options as they are named."""
    return laid_out(Options.from_mapping({"satz": satz} | options))


def document(options: Mapping[str, Any]) -> dict[str, Any]:
    """What rechnung.json of these options holds."""
    return document_of(build(Options.from_mapping(options)))


def contents_of(options: Options) -> dict[str, Any]:
    """What rechnung.json holds, without the accepted ranges, which take most of the time."""
    return document_of(build(options), {})


def page_of(sheet: Sheet, desk: Desk, view: View = "worksheet") -> Page:
    return render(sheet, view, page_values(desk, sheet))


def html_of(sheet: Sheet, desk: Desk, view: View, medium: Medium = "screen") -> str:
    return written(page_of(sheet, desk, view), Typesetter(medium))


def written(page: Page, typesetter: Typesetter) -> str:
    """The page for a medium, without what a browser gets beside it."""
    return whole_html(page, Html(page.objects, typesetter), typesetter.medium)


def text_of(sheet: Sheet, desk: Desk, view: View = "worksheet") -> str:
    """The words of the page: no tags, single spaces."""
    plain = unescape(re.sub(r"<[^>]*>", "", html_of(sheet, desk, view)))
    return re.sub(r"\s+", " ", plain)


def silent(*_: object) -> None:
    """Whoever is told of the steps says nothing."""


# A sheet with most kinds of pages, for whoever looks at its files in a browser.
SEEN = Options(satz="Die Katze", stationen=("1", "4b", "8"), ausfuellbar=True)
FOR_THIS_RUN: list[Path] = []  # a folder that all processes of a test run share


def files_of(options: Options) -> Mapping[str, bytes]:
    """All that `blatt` writes; it is made once in a test run, whoever asks."""
    kept = FOR_THIS_RUN[0] / hashlib.sha256(repr(options).encode()).hexdigest()
    with kept.open("a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        if not (content := file.read()):
            with Printers() as printers:
                content = pickle.dumps(dict(make_files(options, silent, printers).files))
            file.write(content)
    files: Mapping[str, bytes] = pickle.loads(content)
    return files


@dataclass(frozen=True)
class Shown:
    """A document as it is printed or seen."""

    document: Document
    html: str

    @property
    def name(self) -> str:
        return self.document.name

    @property
    def title(self) -> str:
        return self.document.title

    @property
    def stations(self) -> tuple[RecordedStation, ...]:
        return self.document.stations

    @classmethod
    def of(cls, document: Document, typesetter: Typesetter) -> Shown:
        return cls(document, written(document.page, typesetter))


def documents_of(
    whole: WholeSheet,
    typesetter: Typesetter,
    choice: LessonPlan | None = None,
    reviewed: SheetReview | None = None,
) -> dict[str, Shown]:
    """Worksheet, key and teacher's pages by name."""
    reviewed = reviewed or review(whole.sheet, whole.desk, whole.ranges)
    return {each.name: Shown.of(each, typesetter) for each in documents(whole, reviewed, choice)}


def pair_of(whole: WholeSheet, typesetter: Typesetter, pupil: str = "") -> list[Shown]:
    """Worksheet and key."""
    return [Shown.of(each, typesetter) for each in worksheet_and_key(whole, pupil)]
