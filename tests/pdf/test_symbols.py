"""A single symbol of a formula is a picture on the page and text where it is copied or read aloud."""

from __future__ import annotations

import pypdfium2
import pytest

from generator.basics.fonts import font_css
from generator.output.formulas.typeset import Typesetter
from generator.output.formulas.wording import as_text
from generator.output.pdf import write_pdf
from generator.output.shared.shared_layout import SharedLayout


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        ("q", "q"),
        ("d_k", "d_k"),
        ("d_{k}", "d_k"),
        (r"d_{\mathrm{model}}", "d_model"),
        (r"\mu", "μ"),
        (r"W_{Q}", "W_Q"),
        (r"\sqrt{d_k}", ""),
        ("q=2", ""),
        (r"\frac{1}{2}", ""),
        ("x^2", ""),
    ],
)
def test_what_is_copied(latex, text):
    assert as_text(latex) == text


def page(typesetter, word):
    formulas = (typesetter.set(latex) for latex in ("q", "d_{k}", r"\mu"))
    body = f"{word} mit " + " und ".join(formulas) + f" {typesetter.set('q=2')} Ende"
    head = f"<title>t</title><style>{font_css('pdf')}</style>"
    return f'<!doctype html><html lang="de"><head>{head}</head><body><p>{body}</p></body></html>'


def copied(data):
    with pypdfium2.PdfDocument(data) as document:
        return " ".join(document[0].get_textpage().get_text_range().split())


def test_symbols_are_copied_in_their_place():
    typesetter = Typesetter("pdf")
    html = page(typesetter, "Katze")
    wanted = "Katze mit q und d_k und μ Ende"
    assert copied(write_pdf(html, title="t", images=typesetter.images).data) == wanted
    layout = SharedLayout.of(html, typesetter.images, title="t")
    other = layout.result(page(typesetter, "Matte"), typesetter.images, title="t").data
    assert copied(other) == wanted.replace("Katze", "Matte")
