"""In: a configuration. Out: its PDFs by WeasyPrint and by a browser, and how they differ."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain

import pdfplumber
from pdfplumber.pdf import PDF
from pypdf import PdfReader

from generator.calculation.build import build
from generator.options.options import Options
from generator.output.browser_pdf import print_by_browser
from generator.output.formulas.typeset import Store, Typesetter
from generator.output.many import PdfJob
from generator.output.pdf import PdfResult, write_pdf
from generator.production.sheet_documents import worksheet_and_key
from generator.sheet import fields as measures
from generator.stations.make_sheet import make_sheet
from tests.pdf.compare import alternatives

SHORT, MIDDLE = "Die Katze", "Die Katze sitzt auf der Matte"
LONG = "Der alte Hund jagt heute den roten Ball im Garten"
CASES = [
    {"satz": SHORT, "stationen": "0,1,2"},
    {"satz": SHORT, "stationen": "3,5"},
    {"satz": SHORT, "stationen": "S"},
    {"satz": "Vögel singen", "stationen": "4a,4b", "stufe": 1},
    {"satz": "Vögel singen", "stationen": "6,7", "stufe": 3},
    {"satz": "Wo schläft der müde Hund?", "stationen": "8", "gewichte": "dezimal"},
    {"satz": "Wo schläft der müde Hund?", "stationen": "9", "startwert": 3},
    {"satz": MIDDLE, "stationen": "4a", "dezimalzeichen": "punkt"},
    {"satz": MIDDLE, "stationen": "4b", "maske": False},
    {"satz": MIDDLE, "stationen": "5", "nachkommastellen": 4},
    {"satz": MIDDLE, "stationen": "6", "gewichte": "ganzzahlig", "startwert": 2},
    {"satz": MIDDLE, "stationen": "2,8", "temperatur": [0.5, 3]},
    {"satz": MIDDLE, "stationen": "4a,6", "heads": 1},
    {"satz": LONG, "stationen": "4a", "dimension": 6, "heads": 3},
    {"satz": LONG, "stationen": "7", "dimension": 8},
    {"satz": LONG, "stationen": "2,3", "dimension": 12},
    {"satz": SHORT, "zielsatz": "The cat", "stationen": "10"},
    {"satz": SHORT, "stationen": "11", "lernen": "ausgabe"},
    {"satz": "May the force be with you", "stationen": "4a", "skalierung": False},
    {"satz": MIDDLE, "stationen": "8", "gewichte": "gelernt"},
]
_NUMBER = re.compile(r"−?\d+")  # either side of a comma: what is extracted has spaces there or not
_CONTENTS = re.compile(r"^Inhalt\n.*", re.DOTALL | re.MULTILINE)  # whose pages may be others
OURS = {"PapierformerSans", "PapierformerSymbole", "Papierformer"}
_POINTS = 72 / 25.4
_WHITE = (1, 1, 1)


def documents(**options) -> list[PdfJob]:
    """Worksheet and key."""
    built = build(Options.from_mapping(options))
    whole = make_sheet(built)
    typesetter = Typesetter("pdf", Store(None))
    both = list(worksheet_and_key(whole, typesetter, "pdf"))
    return [PdfJob(document.html, document.title, dict(typesetter.images)) for document in both]


@lru_cache(maxsize=4)
def opened(data: bytes) -> PDF:
    """Kept, since reading a page takes long and each is asked several questions."""
    return pdfplumber.open(io.BytesIO(data))


def numbers_in(data: bytes) -> Counter[str]:
    said = "\n".join(_CONTENTS.sub("", _above_the_foot(page).extract_text()) for page in opened(data).pages)
    return Counter(_NUMBER.findall(said))


def _above_the_foot(page):
    """What is to be seen there; WeasyPrint's formulas have text below them that only copying shows."""
    seen = page.filter(lambda each: each.get("fontname") != "Helvetica")
    return seen.crop((0, 0, page.width, page.height - measures.BOTTOM * _POINTS), strict=False)


def beyond_the_margins(data: bytes) -> list[str]:
    """What stands outside the page's text, above its foot; half a point belongs to a rule's width."""
    found = []
    for page in opened(data).pages:
        left, right = measures.LEFT * _POINTS - 0.6, (210 - measures.RIGHT) * _POINTS + 0.6
        head = measures.TOP if page.page_number > 1 else 7.0  # a key says there what counts
        top, bottom = head * _POINTS - 0.6, (297 - measures.BOTTOM) * _POINTS + 0.6
        for each in chain(page.chars, page.lines, page.rects, page.curves):
            what = each.get("text", each["object_type"])
            if what == "rect" and each["non_stroking_color"] == _WHITE:
                continue
            if each["x0"] < left or each["x1"] > right or each["top"] < top:
                found.append(f"page {page.page_number}: {what!r} at {each['x0']:.1f}, {each['top']:.1f}")
            if each["bottom"] > bottom and (each["top"] < bottom or each["bottom"] > page.height - 12):
                found.append(f"page {page.page_number}: {what!r} in the foot, {each['bottom']:.1f}")
    return found


def tasks_by_page(data: bytes) -> list[list[str]]:
    return [re.findall(r"/\s*\d+\s*BE", page.extract_text()) for page in opened(data).pages]


def contents_of(data: bytes) -> list[str]:
    """The page numbers of the table of contents."""
    said = opened(data).pages[0].extract_text().split("Inhalt")[1]
    return re.findall(r"(\d+)$", "\n".join(line for line in said.splitlines()[1:4]), re.MULTILINE)


def fonts_of(reader: PdfReader) -> set[str]:
    named = (page["/Resources"].get("/Font", {}).values() for page in reader.pages)
    every = (font.get_object() for fonts in named for font in fonts)
    return {str(font["/BaseFont"]) for font in every if font["/Subtype"] != "/Type3"}  # drawn slanted or bold


def differences(ours: PdfResult, theirs: PdfResult) -> Iterator[str]:
    """How a document printed by a browser differs from WeasyPrint's, in words."""
    if abs(ours.pages - theirs.pages) > 1:  # a browser sometimes fits a task on the page before
        yield f"{theirs.pages} pages instead of {ours.pages}"
    numbers = [numbers_in(result.data) for result in (ours, theirs)]
    if numbers[0] != numbers[1]:
        yield f"numbers: {numbers[0] - numbers[1]} instead of {numbers[1] - numbers[0]}"
    spoken = [set(alternatives(result.data)) for result in (ours, theirs)]
    if spoken[0] != spoken[1]:
        yield f"text alternatives: {spoken[0] ^ spoken[1]}"
    yield from beyond_the_margins(theirs.data)
    reader = PdfReader(io.BytesIO(theirs.data))
    root = reader.trailer["/Root"]
    if not root.get("/MarkInfo", {}).get("/Marked") or root.get("/Lang") != "de":
        yield "no tags, or no language"
    if foreign := {font for font in fonts_of(reader) if font.split("+")[-1].split("-")[0] not in OURS}:
        yield f"fonts of the machine: {foreign}"


def compared(options: dict[str, object]) -> list[str]:
    """How worksheet and key by a browser differ from WeasyPrint's, and from each other."""
    found, by_browser, pages = [], [], []
    for job in documents(**options):
        ours = write_pdf(job.html, title=job.title, images=job.images)
        by_browser.append(print_by_browser(job.html, job.images, title=job.title))
        found += differences(ours, by_browser[-1])
        pages.append((ours.pages, by_browser[-1].pages))
    sheet, key = (tasks_by_page(result.data) for result in by_browser)
    if sheet != key:
        found.append(f"tasks by page: {sheet} on the sheet, {key} on the key")
    if len({by for _, by in pages}) > 1:
        found.append(f"pages by WeasyPrint and browser: {pages}")
    print(f"pages of sheet and key by WeasyPrint and browser: {pages}")
    return found
