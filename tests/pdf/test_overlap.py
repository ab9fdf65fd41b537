"""No two words of a page stand on each other, labels of pictures among them: measured in the PDF."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from itertools import takewhile

import pypdfium2
import pytest
from pypdfium2 import raw

from generator.calculation.build import build
from generator.options.options import Options
from generator.output.formulas.typeset import Typesetter
from generator.output.pdf import write_pdf
from generator.stations.make_sheet import make_sheet
from tests.laid_out import pair_of

MM_PER_PT = 25.4 / 72
SLACK = 0.3  # mm
SENTENCES = (
    "Vögel singen laut am Morgen",
    "Die Katze sitzt auf der Matte",
    "Mein Nachbar baut im Garten eine Hütte",
    "Unser alter Lehrer liest den Kindern heute vor",
)
STATIONS = ("0,2,4a", "4b,5,8")  # by turns: each kind of picture with two sentences and two sizes
SIZES = ((4, 2), (4, 4), (6, 2), (6, 3), (8, 4))
USUAL = {(0, (8, 4)), (1, (4, 2)), (2, (6, 3)), (3, (4, 4))}


def crossings(pdf: bytes) -> Iterator[str]:
    """Signs of different texts whose ink boxes overlap; what stands unseen behind formulas is none."""
    for number, page in enumerate(pypdfium2.PdfDocument(pdf), 1):
        text = page.get_textpage()
        signs = []
        for i in range(text.count_chars()):
            piece = raw.FPDFText_GetTextObject(text, i)
            seen = piece and raw.FPDFTextObj_GetTextRenderMode(piece) != raw.FPDF_TEXTRENDERMODE_INVISIBLE
            if seen and not text.get_text_range(i, 1).isspace():
                box = tuple(side * MM_PER_PT for side in text.get_charbox(i))
                signs.append((*box, i, ctypes.addressof(piece.contents)))
        signs.sort()
        for place, (_, low, right, high, i, piece) in enumerate(signs):
            for left, lower, end, upper, k, other in takewhile(
                lambda sign: sign[0] < right - SLACK,  # noqa: B023
                signs[place + 1 :],
            ):
                across, down = min(right, end) - left, min(high, upper) - max(low, lower)
                if piece != other and abs(i - k) > 1 and min(across, down) > SLACK:
                    around = [text.get_text_range(max(0, at - 6), 12).split() for at in (i, k)]
                    yield f"page {number}: {' '.join(around[0])} on {' '.join(around[1])}"


def pages(**options) -> list[bytes]:
    typesetter = Typesetter("pdf")
    whole = make_sheet(build(Options(**options)))
    made = pair_of(whole, typesetter)
    return [write_pdf(view.html, title=view.title, images=typesetter.images).data for view in made]


@pytest.mark.parametrize(
    ("sentence", "size"),
    [
        pytest.param(k, size, marks=() if (k, size) in USUAL else pytest.mark.thorough)
        for k in range(len(SENTENCES))
        for size in SIZES
    ],
)
def test_no_words_stand_on_each_other(sentence, size):
    dimension, heads = size
    given = {"satz": SENTENCES[sentence], "dimension": dimension, "heads": heads}
    for view in pages(**given, stationen=STATIONS[sentence % 2], gewichte="dezimal", startwert=sentence):
        assert list(crossings(view)) == []


def test_nor_in_large_print():
    for view in pages(satz=SENTENCES[1], stationen="4a,8", schrift=18):
        assert list(crossings(view)) == []
