"""The files beside the printed worksheet: the same numbers, in the same order, and none that is withheld.

What the PDF prints is read back from the PDF itself, so nothing of ours decides what stands there.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from xml.etree import ElementTree

import pdfplumber
import pytest

from generator.basics.numbers import NumberFormat
from generator.basics.progress import Progress
from generator.options.options import Options
from generator.print.many import Printers
from generator.production.worksheet import make_files

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
SHEETS = {
    "default": {"satz": "Der Hund bellt im Garten laut", "stationen": "3,4a"},
    "narrow": {
        "satz": "Vögel singen",
        "dimension": 3,
        "heads": 1,
        "dezimalzeichen": "punkt",
        "stationen": "4a",
    },
    "wide": {
        "satz": "Heute lernt die Klasse mit Papier rechnen",
        "dimension": 8,
        "heads": 4,
        "stationen": "4b",
    },
    "much_help": {
        "satz": "Wer liest ein Buch",
        "gewichte": "dezimal",
        "stufe": 1,
        "nachkommastellen": 3,
        "stationen": "8",
    },
    "two_sentences": {
        "satz": "Die Maus schläft",
        "zielsatz": "The mouse sleeps",
        "lernen": "ausgabe",
        "gewichte": "ganzzahlig",
        "stationen": "10",
    },
}
EVERY = [
    pytest.param(name, marks=() if name in ("default", "two_sentences") else pytest.mark.thorough)
    for name in SHEETS
]
PAGES = ("md", "docx", "ebuch")  # a file for each page; the others ask questions of it
QUESTIONS = ("moodle", "stack")
LEGEND = re.compile(r"(?:ab|unter) \d[.,]\d+")  # how thick an arc is: drawn, and nothing that is calculated
NUMBER = re.compile(r"(?<![\w,.])-?\d+(?:[.,]\d+)?(?![\w]|[.,]\d)")


@dataclass(frozen=True)
class Beside:
    """printed: numbers of the PDF in order. calculated: all numbers of rechnung.json as text."""

    files: dict[str, bytes]
    printed: list[str]
    calculated: set[str]
    withheld: set[str]


@cache
def made(name: str) -> Beside:
    options = Options.from_mapping(SHEETS[name] | {"format": [*PAGES, *QUESTIONS]})
    with Printers(1) as printers, Progress() as progress:
        files = make_files(options, progress, printers).files
    document = json.loads(files["rechnung.json"])
    asked = {
        (quantity, tuple(place))
        for task in document["aufgaben"]
        for quantity, places in task["luecken"].items()
        for place in places
    }
    written = NumberFormat(options.dezimalzeichen)
    calculated, hidden = set(), set()
    for quantity, entry in document["quantities"].items():
        for place, value in cells(entry["hand"]):
            text = plain(written.text(value, entry["places"]))
            calculated.add(text)
            if (quantity, place) in asked:
                hidden.add(text)
    printed = numbers(LEGEND.sub("", pdf_text(files["arbeitsblatt.pdf"])))
    return Beside(files, printed, calculated, hidden - set(printed))


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
    """Without what stands in the margins of every page."""
    with pdfplumber.open(io.BytesIO(data)) as pdf:
        return "\n".join(
            page.crop((0, 52, page.width, page.height - 52)).extract_text(x_tolerance=1.5)
            for page in pdf.pages
        )


def exported_text(kind: str, files: dict[str, bytes]) -> str:
    """All that a reader of the worksheet sees or hears in this format."""
    if kind == "md":
        return files["arbeitsblatt.md"].decode().replace("\\", "").replace("{,}", ",")
    if kind in ("docx", "ebuch"):
        name = "arbeitsblatt.docx" if kind == "docx" else "arbeitsblatt-ebuch.docx"
        with zipfile.ZipFile(io.BytesIO(files[name])) as package:
            body = ElementTree.fromstring(package.read("word/document.xml"))
        return "\n".join(word_text(p) for p in body.iter(f"{W}p"))
    bank = ElementTree.fromstring(files[f"arbeitsblatt-{kind}.xml"])
    texts = "\n".join(each.findtext("questiontext/text") or "" for each in bank)
    shown = re.sub(r"\{1:NUMERICAL:[^{}]*\}", " ", texts)  # what only Moodle knows until it is asked
    return re.sub(r"<img [^>]*alt=\"([^\"]*)\"[^>]*>", r" \1 ", shown).replace("{,}", ",")


def word_text(paragraph: ElementTree.Element) -> str:
    parts = (
        each.text or ""
        if each.tag in (f"{W}t", f"{M}t")
        else f" {each.get('descr')} "
        if each.get("descr")
        else ""
        for each in paragraph.iter()
    )
    return re.sub(r"<[^>]*>", " ", "".join(parts)).replace("{,}", ",")


@pytest.mark.parametrize("kind", PAGES)
@pytest.mark.parametrize("name", EVERY)
def test_every_number_that_the_pdf_prints_stands_in_the_export(name, kind):
    beside = made(name)
    wanted = set(beside.printed) & beside.calculated
    assert len(wanted) > 25
    assert wanted - set(numbers(exported_text(kind, beside.files))) == set()


@pytest.mark.parametrize("kind", [*PAGES, *QUESTIONS])
@pytest.mark.parametrize("name", EVERY)
def test_no_number_that_the_pdf_withholds_stands_in_the_export(name, kind):
    beside = made(name)
    assert len(beside.withheld) > 5
    assert beside.withheld & set(numbers(exported_text(kind, beside.files))) == set()


@pytest.mark.parametrize("kind", PAGES)
@pytest.mark.parametrize("name", EVERY)
def test_the_numbers_stand_in_the_order_of_the_pdf(name, kind):
    beside = made(name)
    wanted = [number for number in beside.printed if len(number) > 2]
    found = [number for number in numbers(exported_text(kind, beside.files)) if len(number) > 2]
    blocks = SequenceMatcher(None, wanted, found, autojunk=False).get_matching_blocks()
    in_order = sum(block.size for block in blocks)
    assert in_order > 0.95 * len(wanted)
