"""What holds for every format: the words and numbers of the page, in their order, and none that is withheld.

What the PDF prints is read back from the PDF itself, so nothing of ours decides what stands there. What a
reader of a file sees or hears says `shown` in the test of its format, `test_NAME.py` beside this one.
"""

from __future__ import annotations

import io
import json
import re
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import cache
from importlib import import_module

import pdfplumber
import pytest
import sources
from cases import thorough_but
from sources import (
    NAMES,
    html_in,
    material,
    page_in,
    parts_out_of_order,
    squeezed,
    visible,
    worksheet_of,
    written_of,
)
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
    "wide": {"satz": "Heute rechnet die Klasse auf Papier", "dimension": 8, "heads": 4, "stationen": "4b"},
    "much_help": {
        "satz": "Wer liest",
        "gewichte": "dezimal",
        "stufe": 1,
        "nachkommastellen": 3,
        "stationen": "8",
    },
    "two_sentences": {"satz": "Die Maus schläft", "zielsatz": "The mouse sleeps", "stationen": "10"},
}
EVERY = thorough_but(("default",), SHEETS)  # what two sentences print is looked for with all other text
PAGES = [name for name, each in FORMATS.items() if not each.whole]
QUESTIONS = [name for name, each in FORMATS.items() if each.whole]
LEGEND = re.compile(r"(?:ab|unter) \d[.,]\d+")  # how thick an arc is: drawn, and nothing that is calculated
TEXT = re.compile(r"[A-Za-zÄÖÜäöüß]{4,}")  # words between two other signs, written as one
OWN_SIGNS = re.compile(r"[*|#>_█□{}()]|\$\^")  # of formats, which pages have too
NO_LETTER = re.compile(r"[^A-Za-zÄÖÜäöüß]")
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


def shown(kind: str, data: bytes) -> str:
    """All that a reader of the file sees or hears."""
    text: str = import_module(f"test_{kind}").shown(data)
    return text


@cache
def exported_numbers(kind: str, beside: Beside, page: str = "arbeitsblatt") -> list[str]:
    return numbers(shown(kind, beside.files[page + FORMATS[kind].ending]))


@pytest.mark.parametrize("kind", PAGES)
@pytest.mark.parametrize("name", EVERY)
def test_the_export_has_the_numbers_of_the_pdf_in_their_order_and_none_that_it_withholds(name, kind):
    """In order but for those in pictures, and what stands at the edge of the page, as points and the small
    table beside a task: they are drawn apart from the words beside them.
    """
    beside = made(name)
    found = exported_numbers(kind, beside)
    printed = set(beside.printed) & beside.calculated
    assert len(printed) > 25
    assert printed - set(found) == set()
    assert len(beside.withheld) > 5
    assert beside.withheld & set(found) == set()
    assert beside.asked - set(exported_numbers(kind, beside, "loesung")) == set()
    pictures = re.findall("<svg.*?</svg>", beside.files["arbeitsblatt.html"].decode(), re.DOTALL)
    drawn = set(numbers(re.sub("<[^>]*>", " ", " ".join(pictures))))
    wanted, told = (
        [number for number in each if len(number) > 2 and number not in drawn]
        for each in (beside.printed, found)
    )
    assert len(wanted) > 20
    blocks = SequenceMatcher(None, wanted, told, autojunk=False).get_matching_blocks()
    assert sum(block.size for block in blocks) > 0.92 * len(wanted)


@pytest.mark.parametrize("kind", QUESTIONS)
def test_questions_show_numbers_of_the_pdf(kind):
    """What others ask for is given there: see test_alone.py."""
    beside = made("default")
    assert len(set(exported_numbers(kind, beside)) & set(beside.printed) & beside.calculated) > 10


@pytest.mark.parametrize("kind", PAGES)
@pytest.mark.parametrize(("case", "name"), sources.PAGES)
def test_all_text_of_the_page_stands_in_the_export_in_its_order(case, name, kind):
    """Formulas and blanks are looked for by each format's own test. An E-Buch reads wide tables out row by
    row, and its way is told by headings: of it the words alone.
    """
    read_out = kind == "ebuch"
    blocks = visible(html_in(case, name), "sheet-head strip" if read_out else "sheet-head")
    pieces = [piece for block in blocks for piece in re.split(r"\$.*?\$|____|█", block)]
    if read_out:
        wanted = {words for piece in pieces for words in TEXT.findall(piece)}
        found = NO_LETTER.sub("", shown(kind, written_of(kind, case, name)))
        lost = [words for words in wanted if words not in found]
    else:
        wanted = tuple(filter(None, (OWN_SIGNS.sub("", piece) for piece in pieces)))
        lost = parts_out_of_order(
            wanted, OWN_SIGNS.sub("", squeezed(shown(kind, written_of(kind, case, name))))
        )
    assert len(wanted) > 200
    assert lost == []


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
        assert questions_of(kind, case, scrambled_page) == questions_of(kind, case, page), kind


def test_no_two_files_of_a_sheet_have_one_name():
    files = [*SHEET_FILES, *OWN_KEY_FILES, *files_of_pages((*NAMES, "loesung-mit"))]
    assert len(files) == len(set(files))


@pytest.mark.parametrize("kind", QUESTIONS)
def test_the_files_of_a_class_become_one(kind):
    of_a_sheet = questions_of(kind, "plain", worksheet_of("plain", lambda part: part))
    merged = import_module(f"generator.output.formats.{kind}").merged
    once = merged([of_a_sheet])  # what is the same stands once
    assert merged([of_a_sheet, of_a_sheet]) == once == merged([once])


@pytest.mark.parametrize("case", sources.EVERY)
def test_no_column_is_headed_by_a_name_of_the_program(case):
    """A column without a head of its own would be printed under the name that Python gives it."""
    heads = [
        cell for name in NAMES for table in walk(read(page_in(case, name)), Table) for cell in table.head
    ]
    said = ["".join(words.text for words in walk(cell.blocks, Words)) for cell in heads]
    assert len(said) > 20
    assert [each for each in said if re.search(r"[a-z]+[._][a-z]", each)] == []


@pytest.mark.parametrize("case", ["example", "two_sentences"])
def test_what_the_mask_hides_is_hidden_in_the_exports(case):
    masked = [*walk(sources.made(case).sheet, Hidden)]
    told = [cell for cell in walk(read(page_in(case, "arbeitsblatt")), TableCell) if cell.hidden]
    assert len(told) == len(masked) > 0


def test_formats_are_asked_for_by_name_and_change_nothing_of_the_sheet():
    """Neither the code nor the command in the teacher's pages, nor rechnung.json."""
    plain, more = (Options.from_mapping({"satz": "Die Katze", "format": each}) for each in ((), ("md", "md")))
    assert (plain.format, more.format) == ((), ("md",))
    assert more.resolved() == plain.resolved()
    assert command_again(more) == command_again(plain)
    with pytest.raises(UserError, match=r"--format pdf passt nicht: Es gibt .*md"):
        Options.from_mapping({"satz": "Die Katze", "format": ["pdf"]})
