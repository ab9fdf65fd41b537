"""The marks of a page, read back by another program: on each page of a sheet and of a class, on no key."""

import random
import string

import pytest

zxingcpp = pytest.importorskip("zxingcpp")
import numpy as np  # noqa: E402
from PIL import Image  # noqa: E402

from generator.output.page_marks import MARKS, PageMark, data_matrix  # noqa: E402
from generator.sheet.fields import page_format  # noqa: E402


def test_another_program_reads_our_data_matrix():
    dice = random.Random(29)
    for _ in range(40):
        sheet = "".join(dice.choice(string.ascii_uppercase + "234567") for _ in range(4))
        mark = PageMark(sheet, dice.randrange(10_000), dice.randrange(10_000))
        modules = np.pad(np.array(data_matrix(mark.text)), 2)
        image = Image.fromarray(np.where(modules, 0, 255).astype(np.uint8)).resize((72, 72), 0)
        (found,) = zxingcpp.read_barcodes(image)
        assert PageMark.of(found.text) == mark


def test_what_is_none_of_ours_is_no_mark():
    assert PageMark.of("https://example.org") is None
    assert PageMark.of("ABCD0001") is None
    with pytest.raises(ValueError, match="too long"):
        data_matrix("123456789X1234567X")
    assert PageMark("ABCD", 12, 4).text == "ABCD00120004"


@pytest.mark.parametrize("wider", [None, "links", "rechts"])
@pytest.mark.parametrize("size", [None, 14, 16, 18])
def test_text_keeps_away_from_the_code_and_the_squares(size, wider):
    paper = page_format(size, wider)
    (x, y), (square, _) = MARKS.matrix_corner(paper.width), MARKS.squares(paper.width, paper.height)[1]
    edge = paper.width - paper.right
    assert edge <= x + 0.01 or paper.top >= y + MARKS.matrix + 2.0
    assert edge < square
    assert paper.left > MARKS.inset + MARKS.square or size
