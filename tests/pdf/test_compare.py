"""The judge of two PDFs judged: what differs in a letter, a place, a size, ink or what is said is found."""

from __future__ import annotations

import pytest

from generator.output.pdf import write_pdf
from tests.pdf.compare import differences, elsewhere
from tests.pdf.documents import page

BODY = '<p>Ein Wort, <b style="font-size:{size}pt">{sign}</b><i style="margin-left:{gap}pt">das</i> steht</p>'
WHOLE = {"sign": "groß", "size": "11", "gap": "3"}


def pdf(title: str = "t", body: str = BODY, **changed: str) -> bytes:
    return write_pdf(page(body.format(**WHOLE | changed)), title=title).data


def test_the_same_is_the_same() -> None:
    assert list(differences(pdf(), pdf())) == []


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"sign": "grob"}, "other text"),
        ({"sign": "groß groß"}, "other text"),
        ({"gap": "3.3"}, "letters elsewhere"),
        ({"size": "11.4"}, "letters elsewhere"),
        ({"body": BODY.replace("font-size", "color:#999;font-size")}, "spots of other ink"),
        ({"body": BODY.replace("<p>", "<h1 style='font:11pt serif;margin:11pt 0'>")}, "page 1"),
        ({"title": "u"}, "other titles"),
        ({"body": BODY + "<p style='break-before:page'>mehr"}, "1 pages and 2"),
    ],
)
def test_what_differs_is_found(changed: dict[str, str], said: str) -> None:
    assert any(said in found for found in differences(pdf(), pdf(**changed)))


def test_a_small_shift_between_two_lines_is_none() -> None:
    """Where it sorts the letters otherwise, too."""
    lines = [("1", 40.0, 359.4993), ("1", 20.0, 359.5008)]
    shifted = [("1", 20.0, 359.4995), ("1", 40.0, 359.5006)]
    assert elsewhere(lines, shifted) == []
    assert elsewhere(lines, [shifted[0], ("1", 20.0, 359.5006)]) == [lines[0]]
