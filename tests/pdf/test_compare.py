"""The judge of two PDFs judged: what differs in a letter, a place, a size, ink or what is said is found."""

from __future__ import annotations

import pytest

from generator.output.pdf import write_pdf
from tests.pdf.compare import differences
from tests.pdf.documents import page

BODY = '<p>Ein Wort, <b style="font-size:11pt">groß</b><i style="margin-left:3pt">das</i> steht</p>'


@pytest.mark.parametrize(
    ("body", "title", "said"),
    [
        (BODY.replace("groß", "grob"), "t", "other text"),
        (BODY.replace("3pt", "3.3pt"), "t", "letters elsewhere"),
        (BODY.replace("font-size", "color:#999;font-size"), "t", "spots of other ink"),
        (BODY.replace("<p>", "<h1 style='font:11pt serif;margin:11pt 0'>"), "t", "page 1"),
        (BODY, "u", "other titles"),
        (BODY + "<p style='break-before:page'>mehr", "t", "1 pages and 2"),
        (BODY, "t", ""),
    ],
)
def test_what_differs_is_found(body: str, title: str, said: str) -> None:
    one, other = (write_pdf(page(b), title=t).data for b, t in ((BODY, "t"), (body, title)))
    found = list(differences(one, other))
    assert any(said in each for each in found) if said else found == []
