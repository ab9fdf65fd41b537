"""What holds for every format: the words and numbers of the page, in their order, and none that is withheld.

What is printed is read back from the PDF and the page, so nothing of ours decides what stands there.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import cache
from importlib import import_module
from xml.etree.ElementTree import Element

import pdfplumber
import pytest
import sources
from cases import thorough_but
from reading import classes, tree
from sources import NAMES, SHOWN, material, page_in, worksheet_of
from test_leaks import scrambled

from generator.basics.errors import UserError
from generator.basics.files import OWN_KEY_FILES, SHEET_FILES
from generator.basics.numbers import NumberFormat
from generator.options.declaration import FORMATS, files_of_pages
from generator.options.options import Options
from generator.options.sheet_code import command_again
from generator.output.formats.read import read
from generator.output.formats.tree import Table, TableCell, Words
from generator.output.formulas.typeset import Typesetter
from generator.sheet.page import Page
from generator.sheet.sheet import Hidden, walk
from tests.laid_out import files_of
from tests.laid_out import written as shown_as

SHEETS = {
    "default": {"satz": "Der Hund bellt im Garten laut", "stationen": "3,4a"},
    "narrow": {
        "satz": "Vögel singen",
        "dimension": 3,
        "heads": 1,
        "dezimalzeichen": "punkt",
        "stationen": "4a",
    },
    "booklet": {"satz": "Die Katze sitzt auf der Matte"},
    "two_sentences": {"satz": "Die Maus schläft", "zielsatz": "The mouse sleeps", "stationen": "10"},
}
EVERY = thorough_but(("default",), SHEETS)
PAGES = [name for name, each in FORMATS.items() if not each.whole]
QUESTIONS = [name for name, each in FORMATS.items() if each.whole]
LEGEND = re.compile(r"(?:ab|unter) \d[.,]\d+")  # how thick an arc is: drawn, and nothing that is calculated
UNSEEN = {"svg", "math", "script", "style", "nav", "summary", "sheet-head", "foot-left", "turn", "aloud"}
PICTURE = re.compile(r"<svg\b.*?</svg>", re.S)
WORD = re.compile(r"[A-Za-zÄÖÜäöüß]{4,}")
NUMBER = re.compile(r"(?<![\w,.])-?\d+(?:[.,]\d+)?(?![\w]|[.,]\d)")


@dataclass(frozen=True, eq=False)
class Beside:
    """printed: numbers of the PDF in order. calculated: all of rechnung.json. asked: those of blanks."""

    files: dict[str, bytes]
    printed: list[str]
    calculated: set[str]
    asked: set[str]

    @property
    def withheld(self) -> set[str]:
        return self.asked - set(self.printed)


@cache
def made(name: str) -> Beside:
    options = Options.from_mapping(SHEETS[name] | {"format": list(FORMATS)})
    files = files_of(options)
    document = json.loads(files["rechnung.json"])
    asked = {
        (quantity, tuple(place))
        for task in document["aufgaben"]
        for quantity, places in task["luecken"].items()
        for place in places
    }
    form = NumberFormat(options.dezimalzeichen)
    calculated, in_blanks = set(), set()
    for quantity, entry in document["quantities"].items():
        for place, value in cells(entry["hand"]):
            text = plain(form.text(value, entry["places"]))
            calculated.add(text)
            if (quantity, place) in asked:
                in_blanks.add(text)
    printed = numbers(LEGEND.sub("", pdf_text(files["arbeitsblatt.pdf"])))
    return Beside(files, printed, calculated, in_blanks)


def cells(values, place=()):
    if isinstance(values, list):
        for n, value in enumerate(values):
            yield from cells(value, (*place, n))
    elif values is not None:
        yield place, values


def plain(text: str) -> str:
    return text.replace("−", "-").replace("\u202f", "").replace("\u2060", "").replace("\u200b", "")


def numbers(text: str) -> list[str]:
    return NUMBER.findall(plain(text))


def pdf_text(data: bytes) -> str:
    """In the order in which it is drawn, without what stands in the margins of every page."""
    with pdfplumber.open(io.BytesIO(data)) as pdf:
        return "\n".join(
            page.crop((0, 52, page.width, page.height - 52)).extract_text(x_tolerance=1.5, use_text_flow=True)
            for page in pdf.pages
        )


def exported(kind: str, beside: Beside, page: str) -> str:
    """All that a reader of the file sees or hears."""
    return SHOWN[kind](beside.files[page + FORMATS[kind].ending])


def in_words(element: Element) -> str:
    """What a page says, without formulas, which each format's own test looks for, and pictures."""
    if UNSEEN & {element.tag.rpartition("}")[2], *classes(element)}:
        return ""
    return (element.text or "") + "".join(f"{in_words(child)} {child.tail or ''}" for child in element)


def in_order(wanted: Sequence[str], told: Sequence[str]) -> float:
    """The share that stands in the same order."""
    blocks = SequenceMatcher(None, wanted, told, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks) / len(wanted)


@pytest.mark.parametrize("kind", PAGES)
@pytest.mark.parametrize("name", EVERY)
def test_the_export_has_the_numbers_of_the_pdf_in_their_order_and_none_that_it_withholds(name, kind):
    """In order but for those in pictures, and what stands at the edge of the page, as points and the small
    table beside a task: they are drawn apart from the words beside them.
    """
    beside = made(name)
    found = numbers(exported(kind, beside, "arbeitsblatt"))
    printed = set(beside.printed) & beside.calculated
    assert len(printed) > 25
    assert printed - set(found) == set()
    assert len(beside.withheld) > 5
    assert beside.withheld & set(found) == set()
    assert beside.asked - set(numbers(exported(kind, beside, "loesung"))) == set()
    pictures = PICTURE.findall(beside.files["arbeitsblatt.html"].decode())
    drawn = set(numbers(re.sub("<[^>]*>", " ", " ".join(pictures))))
    wanted, told = (
        [number for number in each if len(number) > 2 and number not in drawn]
        for each in (beside.printed, found)
    )
    assert len(wanted) > 20
    assert in_order(wanted, told) > 0.92


@pytest.mark.parametrize("kind", PAGES)
@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("page", NAMES)
def test_all_words_of_the_page_stand_in_the_export_in_their_order(page, name, kind):
    """An E-Buch reads wide tables out row by row: of it the words alone."""
    body = tree(made(name).files[f"{page}.html"].decode()).find("body")
    said = WORD.findall(in_words(body).replace("\u00ad", ""))
    told = WORD.findall(exported(kind, made(name), page).replace("\u00ad", ""))
    assert len(said) > 200
    assert set(said) - set(told) == set()
    assert kind == "ebuch" or in_order(said, told) > 0.97
    words, there = "".join(said), "".join(told)  # paragraphs without a formula or a blank stand there whole
    plain = [e.text or "" for e in body.iter("p") if not len(e)]
    whole = ["".join(WORD.findall(text.replace("\u00ad", ""))) for text in plain]
    assert [text for text in whole if text in words and text not in there] == []
    assert sum(len(text) > 20 for text in whole) > 3


@pytest.mark.parametrize("kind", QUESTIONS)
def test_questions_show_numbers_of_the_pdf(kind):
    """What others ask for is given there: see test_alone.py."""
    beside = made("default")
    found = numbers(exported(kind, beside, "arbeitsblatt"))
    assert len(set(found) & set(beside.printed) & beside.calculated) > 10


def questions_of(kind: str, case: str, page: Page) -> bytes:
    """What a format of questions makes of this worksheet."""
    writer = import_module(f"generator.output.formats.{kind}")
    data: bytes = writer.write(replace(material(case), sheet=read(page)))
    return data


@pytest.mark.parametrize("case", ["plain", "two_sentences"])
def test_other_withheld_values_make_the_same_file_to_the_last_byte(case):
    """Page formats see nothing but the page."""
    scrambled_page, page = worksheet_of(case, scrambled), worksheet_of(case, lambda part: part)
    scrambled_html, html = (shown_as(each, Typesetter("screen")) for each in (scrambled_page, page))
    assert scrambled_html == html
    for kind in QUESTIONS:
        of_a_sheet = questions_of(kind, case, page)
        assert questions_of(kind, case, scrambled_page) == of_a_sheet, kind
        merged = import_module(f"generator.output.formats.{kind}").merged
        once = merged([of_a_sheet])  # what is the same in a class stands once
        assert merged([of_a_sheet, of_a_sheet]) == once == merged([once])


@pytest.mark.parametrize("case", sources.EVERY)
def test_no_column_is_headed_by_a_name_of_the_program_and_what_the_mask_hides_is_hidden(case):
    """A column without a head of its own would be printed under the name that Python gives it."""
    pages = {name: read(page_in(case, name)) for name in NAMES}
    heads = [cell for page in pages.values() for table in walk(page, Table) for cell in table.head]
    said = ["".join(words.text for words in walk(cell.blocks, Words)) for cell in heads]
    assert len(said) > 20
    assert [each for each in said if re.search(r"[a-z]+[._][a-z]", each)] == []
    told = [cell for cell in walk(pages["arbeitsblatt"], TableCell) if cell.hidden]
    assert len(told) == len([*walk(sources.made(case).sheet, Hidden)])


def test_formats_are_asked_for_by_name_and_change_nothing_of_the_sheet():
    """Neither the code nor the command in the teacher's pages, nor rechnung.json; each file has its name."""
    plain, more = (Options.from_mapping({"satz": "Die Katze", "format": each}) for each in ((), ("md", "md")))
    assert (plain.format, more.format) == ((), ("md",))
    assert more.resolved() == plain.resolved()
    assert command_again(more) == command_again(plain)
    with pytest.raises(UserError, match=r"--format pdf passt nicht: Es gibt .*md"):
        Options.from_mapping({"satz": "Die Katze", "format": ["pdf"]})
    files = [*SHEET_FILES, *OWN_KEY_FILES, *files_of_pages((*NAMES, "loesung-mit"))]
    assert len(files) == len(set(files))
