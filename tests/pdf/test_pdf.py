"""PDFs: nothing fetched, nothing overlooked, the same bytes in several processes; fonts of our own."""

from __future__ import annotations

import io
import logging
import urllib.request

import pdfplumber
import pypdfium2
import pytest
from pypdf import PdfReader

from generator.basics.fonts import font_css, printable, unprintable
from generator.output import machine as pdf_machine
from generator.output import many
from generator.output.formulas.typeset import Typesetter
from generator.output.formulas.wording import COPIED_FONT, as_text
from generator.output.many import PdfJob, Printers
from generator.output.pdf import PdfError, breakable, write_pdf
from generator.output.pdf_objects import PdfFile
from generator.output.shared.shared_layout import SharedLayout
from tests.pdf.documents import page, with_formulas


def test_pages_places_and_metadata() -> None:
    html = page('<h1 id="a">Größe</h1><p id="b" style="break-before:page;margin:0">Zwei</p>')
    result = write_pdf(html, title="Ein Blatt")
    assert result.pages == 2
    assert [set(anchors) for anchors in result.anchors] == [{"a"}, {"b"}]
    left, top, right, bottom = result.anchors[1]["b"]
    assert left == pytest.approx(56.69, abs=0.1)
    assert top == pytest.approx(56.69, abs=0.1)
    assert right == pytest.approx(595.28 - 56.69, abs=0.1)
    assert bottom > top
    with pdfplumber.open(io.BytesIO(result.data)) as pdf:
        words = pdf.pages[1].extract_words()
        assert words[0]["x0"] == pytest.approx(left, abs=1)
        assert top <= words[0]["top"] <= words[0]["bottom"] <= bottom
    reader = PdfReader(io.BytesIO(result.data))
    assert reader.trailer["/Root"]["/Lang"] == "de"
    assert reader.trailer["/Root"]["/MarkInfo"]["/Marked"]
    assert dict(reader.metadata or {}).keys() <= {"/Title", "/Creator", "/Producer"}
    assert reader.metadata is not None
    assert reader.metadata.title == "Ein Blatt"


def test_a_number_that_overflows_leaves_no_word_alone() -> None:
    """WeasyPrint breaks after the first word where an element just overflows that text is joined to."""
    sum_ = (
        'auf: 0,64&nbsp;·&nbsp;(−0,48) +&nbsp;1,95&nbsp;·&nbsp;1,95&nbsp;≈&nbsp;<span class="n">3,50</span>'
    )
    rows = "".join(f'<p style="width:{width}px">{sum_}</p>' for width in range(124, 260, 4))
    style = f"{font_css('pdf')}@page{{size:A3}}p{{margin:0;font:11pt Papierformer Sans}}"
    html = f"<!doctype html><html lang=de><title>t</title><style>{style}</style><body>{rows}"
    with pdfplumber.open(io.BytesIO(write_pdf(html, title="t").data)) as pdf:
        lines = [line["text"] for page_ in pdf.pages for line in page_.extract_text_lines()]
    assert len(lines) > 40
    assert "auf:" not in [line.strip() for line in lines]


def test_lines_end_where_they_end_with_any_pango() -> None:
    """Older ones keep „der“ (0,54) together, newer ones would not."""
    assert breakable("<p>„der“ (0,54), „das“\n „die“ und</p>") == "<p>„der“\xa0(0,54), „das“\xa0„die“ und</p>"


HOSTILE = [
    '<img src="file:///etc/passwd">',
    '<img src="http://127.0.0.1:9/x.png">',
    '<img src="relative.png">',
    '<link rel=stylesheet href="file:///etc/hostname">',
    '<style>@import url("https://example.invalid/x.css");</style>',
    '<style>@font-face{font-family:x;src:url("file:///etc/passwd")} p{font-family:x}</style><p>x</p>',
    '<p style="background:url(file:///etc/passwd)">x</p>',
    '<object data="file:///etc/passwd"></object>',
    "<svg width=9 height=9><image href='file:///etc/passwd' width=9 height=9 /></svg>",
    '<img src="tex:unknown">',
    '<a rel=attachment href="file:///etc/passwd">x</a>',
]


@pytest.mark.parametrize("body", HOSTILE)
def test_nothing_is_fetched_and_a_forbidden_address_is_an_error(
    body: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(urllib.request.OpenerDirector, "open", lambda *a, **_: opened.append(str(a)))
    with pytest.raises(PdfError):
        write_pdf(page(body), title="t")
    assert opened == []


@pytest.mark.parametrize("css", ["p{colour:red}", "p{width:abc}", "@nonsense x;"])
def test_what_weasyprint_warns_of_is_an_error(css: str) -> None:
    logger = logging.getLogger("weasyprint")
    for level in (logging.CRITICAL, logging.NOTSET):
        logger.setLevel(level)
        with pytest.raises(PdfError):
            write_pdf(page("<p>x</p>", css), title="t")
        assert logger.level == level


def test_only_our_fonts_are_used() -> None:
    text = printable("Größe ≈ −0,50 | 1\u202f234 → ☐ ✓ □ ⊙ αβ Привет ẞ “„‚‘’” … – — 🚀 سلام")
    styles = (
        "font-family:serif",
        "font-family:DejaVu Sans,monospace",
        "font-weight:700",
        "font-style:italic",
        "",
    )
    body = "".join(f'<p style="{style}">{text}</p>' for style in styles)
    data = write_pdf(page(body), title="t").data
    fonts = {
        str(font.get_object()["/BaseFont"]).split("+")[1]
        for pdf_page in PdfReader(io.BytesIO(data)).pages
        for name, font in pdf_page["/Resources"]["/Font"].items()  # type: ignore[index]
        if name != f"/{COPIED_FONT}"  # of text that is not drawn
    }
    assert all(name.startswith("Papierformer-") or name in {"serif", "DejaVu-Sans"} for name in fonts), fonts


def test_a_sign_without_a_glyph_is_an_error() -> None:
    with pytest.raises(PdfError, match="1F680"):
        write_pdf(page("<p>🚀</p>"), title="t")


def test_figures_are_tabular() -> None:
    body = "".join(f"<p>{digit * 20}</p>" for digit in "0123456789−+")
    data = write_pdf(page(body), title="t").data
    with pdfplumber.open(io.BytesIO(data)) as pdf:
        widths = {round(word["x1"] - word["x0"], 2) for word in pdf.pages[0].extract_words()}
    assert len(widths) == 1


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("Die Größe", "Die Größe"),
        ("Ich 🚀 los", "Ich □ los"),
        ("👩‍🚀!", "□!"),
        ("a\u200bb\u202ec\x07\u3000d", "abc d"),
        ("e\u0301", "é"),
        ("\ud800", "□"),
        ("سلام", "□□□□"),
    ],
)
def test_printable(text: str, printed: str) -> None:
    assert printable(text) == printed
    assert unprintable(printable(text)) == []
    assert unprintable("a🚀b🚀س") == ["🚀", "س"]


def test_a_page_brings_the_fonts_and_signs_that_it_needs_and_no_more() -> None:
    plain = font_css("screen", "<p>Hallo</p>")
    assert plain.count("@font-face") == 3
    assert "https:" not in plain
    assert font_css("screen", "␣Hund") == plain  # the visible space comes with the Latin letters
    assert "U+41F" in font_css("screen", "П")
    assert "@font-face" not in font_css("pdf", "П")
    usual, whole = (font_css("screen", f"<math><mi>{sign}</mi></math>") for sign in ("x⋅β", "⟦"))
    assert len(usual) < 170_000 < 300_000 < len(whole)
    assert usual.count("@font-face") == whole.count("@font-face") == 4  # the dot of a product is no text


def test_the_hint_says_what_to_do() -> None:
    here = {"darwin": "„.venv“ löschen", "win32": "„.papierformer“ im Benutzerordner löschen"}
    for platform in ("linux", "darwin", "win32"):
        wanted = here.get(platform, "libpangoft2-1.0-0 libharfbuzz-subset0")
        assert wanted in pdf_machine.install_hint(platform)


def test_a_symbol_is_a_picture_on_the_page_and_text_where_it_is_copied() -> None:
    said = {"d_{k}": "d_k", r"d_{\mathrm{model}}": "d_model", r"\mu": "μ", r"\sqrt{d_k}": "", "x^2": ""}
    assert {latex: as_text(latex) for latex in said} == said
    typesetter, wanted = Typesetter("pdf"), "{} mit q und d_k und μ Ende"
    symbols = [typesetter.set(latex) for latex in ("q", "d_{k}", r"\mu")]

    def html(word: str) -> str:
        return page(f"<p>{word} mit {' und '.join(symbols)} {typesetter.set('q=2')} Ende</p>")

    def copied(data: bytes) -> str:
        with pypdfium2.PdfDocument(data) as document:
            return " ".join(document[0].get_textpage().get_text_range().split())

    images = typesetter.images
    assert copied(write_pdf(html("Katze"), title="t", images=images).data) == wanted.format("Katze")
    layout = SharedLayout.of(html("Katze"), images, title="t")
    assert copied(layout.result(html("Matte"), images, title="t").data) == wanted.format("Matte")


def test_several_processes_make_the_same_bytes_and_hand_back_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    """That nothing is left of them: test_helpers."""
    monkeypatch.setattr(many, "CORES", 2)
    html, typesetter = with_formulas()
    jobs = [PdfJob(html, title, typesetter.images) for title in "AB"]
    alone = [write_pdf(html, title=title, images=typesetter.images).data for title in "AB"]
    assert alone[0] != alone[1]
    with Printers(2) as printers:
        waiting = [printers.begin(job) for job in (*jobs, PdfJob(page("<img src=file:///x>"), "t"))]
        assert [result.data for made in waiting[:2] for result in made()] == alone
        with pytest.raises(PdfError, match="file:///x"):
            waiting[2]()


# A PDF written object by object.


def test_a_file_of_more_objects_than_two_bytes_count():
    written = io.BytesIO()
    file = PdfFile(written)
    root, pages, page, info, first = (file.new() for _ in range(5))
    last = file.new(70_000) + 69_999
    file.add(root, b"<</Type /Catalog/Pages %d 0 R>>" % pages)
    file.add(pages, b"<</Type /Pages/Kids [%d 0 R]/Count 1>>" % page)
    file.add(info, b"<<>>")
    parts = {n: b"<</Order %d>>" % n for n in range(first, last)}
    parts[page] = b"<</Type /Page/Parent %d 0 R/MediaBox [0 0 321 654]>>" % pages
    file.together(parts)
    file.finish(root, info)
    with pypdfium2.PdfDocument(written.getvalue()) as document:
        assert document[0].get_size() == (321, 654)
