"""Formulas: what they look like, where their baseline is, what they say, and what they survive."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
from xml.etree import ElementTree

import lxml.html
import pytest
from PIL import Image, ImageChops, ImageFilter

from generator.basics.fonts import FORMULA_SCALE
from generator.output.formulas.shapes import EM, ROOM, digits_of, shape_name, svg_of, typeset
from generator.output.formulas.typeset import Store, TypesetError, Typesetter, spoken, tex_text, user_store
from generator.output.pdf import write_pdf

NOWHERE = Store(None)
FORMULAS = [
    r"\mathrm{softmax}\left(\frac{Q K^{\top}}{\sqrt{d_k}}\right) V",
    r"\frac{0{,}85 + ({-}1{,}20)}{\sqrt{2}} \approx {-}0{,}25",
    r"\sum_{j=1}^{n} \alpha_{ij} \cdot v_j",
    r"\begin{pmatrix} 1 & {-}2 \\ 0{,}5 & 4 \end{pmatrix}",
    r"f(x) = \begin{cases} x & \text{für } x > 0 \\ 0 & \text{sonst} \end{cases}",
    r"\begin{aligned} s_{21} &= 0{,}4 \cdot 1 \\ &= 0{,}4 \end{aligned}",
    r"\underbrace{x + y}_{\text{Summe}}",
    r"\boxed{x_{12} = 3{,}50}",
    r"\mathbf{W}_Q \mathbf{x} + b^{(1)}",
    r"\frac{e^{0{,}35}}{e^{0{,}35} + e^{1{,}20}} \approx 0{,}30",
    r"\text{Größe}_{\text{Katze},3} \in \mathbb{R}^{3 \times 4}",
    r"\left[\frac{\frac{a}{b}}{c}\right] \le 10 \odot \gamma",
]
HOSTILE = [
    r"\end{document}", "}{", "a}b{c", "$x$", "50 %", "a & b", "a_b^c~d#e", "<script>alert(1)</script>",
    '"\' onload="x', "🚀", "👩‍🚀", "سلام", "\x00\x07\x1b[31m", "\u202eabc", "\ud800", "", " ", "e\u0301",
    "\\input{/etc/passwd}", "日本", "\ue000\ue005", "--", "a\nb\\\\c", "```", "\\text{x}", "Straße 12",
]  # fmt: skip


def pixels(pdf: bytes) -> Image.Image:
    if shutil.which("pdftoppm") is None:
        pytest.skip("pdftoppm is not installed")
    command = ["pdftoppm", "-r", "150", "-gray", "-singlefile", "-"]
    run = subprocess.run(command, input=pdf, capture_output=True, check=True)
    return Image.open(io.BytesIO(run.stdout))


def page(body: str) -> str:
    css = "@page{size:12cm 4cm;margin:5mm}body{margin:0;font-size:12pt}img{display:block}"
    return f"<!doctype html><html lang=de><title>x</title><style>{css}</style><body>{body}</body></html>"


def with_plain_paths(latex: str) -> str:
    """The same formula as inline SVG of ziamath's symbols, drawn by WeasyPrint."""
    svg = svg_of(latex, display=True)
    left, top, width, height = (float(part) for part in svg.attrib["viewBox"].split())
    left, right, top, height = min(left, 0) - 10, left + width + 10, top - 10, height + 20
    svg.set("viewBox", f"{left} {top} {right - left} {height}")
    svg.set("width", f"{(right - left) * FORMULA_SCALE / EM}em")
    svg.set("height", f"{height * FORMULA_SCALE / EM}em")
    svg.set("style", "display:block")
    for part in svg.iter():
        for key in [key for key in part.attrib if key.startswith("xmlns")]:
            del part.attrib[key]
    return ElementTree.tostring(svg, encoding="unicode")


@pytest.mark.parametrize("latex", FORMULAS)
def test_picture_is_the_one_ziamath_draws(latex: str) -> None:
    """Compared with the digits 0, whose layout all digits share."""
    latex = re.sub("[0-9]", "0", latex)
    typesetter = Typesetter("pdf", NOWHERE)
    ours = typesetter.set(latex, display=True)
    mine = pixels(write_pdf(page(ours), title="x", images=typesetter.images).data)
    theirs = pixels(write_pdf(page(with_plain_paths(latex)), title="x").data)
    blur = ImageFilter.GaussianBlur(1)
    difference = ImageChops.difference(mine.filter(blur), theirs.filter(blur))
    ink = sum(i * n for i, n in enumerate(ImageChops.invert(theirs).histogram()))
    off = sum(i * n for i, n in enumerate(difference.histogram()))
    assert ink > 50_000
    assert off < 0.05 * ink, f"{off / ink:.3f} of the ink differs"


@pytest.mark.parametrize("latex", FORMULAS)
def test_exchanged_digits_draw_what_a_layout_of_their_own_draws(latex: str) -> None:
    other = re.sub("[0-9]", "7", latex)
    shared, own = (typeset(each, display=False) for each in (latex, other))
    assert shape_name(latex, False) == shape_name(other, False)
    assert shared.operators(digits_of(other)) == own.operators(digits_of(other))
    assert len(shared.gaps) == len(digits_of(latex))


def test_each_digit_stands_where_its_place_in_the_source_says() -> None:
    shape = typeset(r"\sqrt[3]{12} + \frac{45}{67} + x^{8}_{9} + 0{,}1234567890123", display=False)
    assert [shape.gaps.index(gap) for gap in sorted(shape.gaps)] != list(range(23))
    assert sorted(source for source, _ in shape.gaps) == list(range(23))
    assert len(set(map(shape.operators, ("3" + "1" * 22, "1" * 22 + "3", "1" * 23)))) == 3


def test_a_decimal_comma_and_a_minus_before_a_number_have_no_space_after_them() -> None:
    """The box of 0{,}5 is exactly as wide as 0, comma and 5; that of a list is wider."""
    together = typeset(r"0{,}5", display=False).width
    assert abs(together - typeset(r"\text{0,5}", display=False).width) <= 15
    assert typeset(r"0,5", display=False).width > together + 100
    assert 'rspace="0">,' in Typesetter("screen", NOWHERE).set(r"0{,}5")
    assert typeset(r"a \cdot {-}5", False).width + 300 < typeset(r"a \cdot 0 - 5", False).width


def test_numbers_with_and_without_a_minus_share_one_layout() -> None:
    """The room of a minus is empty, is not read aloud and is no part of what a screen shows."""
    negative, mixed = (rf"\begin{{pmatrix}}{{-}}1 \\ {sign}2\end{{pmatrix}}" for sign in ("{-}", ROOM))
    shape = typeset(negative, False)
    assert shape_name(mixed, False) == shape_name(negative, False)
    signs, fewer = (shape.operators(digits_of(each)).count(" f Q") for each in (negative, mixed))
    assert signs == fewer
    assert 'alt="Matrix: minus 1; 2 Ende Matrix"' in Typesetter("pdf", NOWHERE).set(mixed)
    assert "phantom" not in Typesetter("screen", NOWHERE).set(mixed)


@pytest.mark.parametrize(
    ("latex", "depth", "height"), [("x", 0, 0.5), ("p", 0.22, 0.7), (r"\frac{a}{b}", 0.5, 1.2)]
)
def test_baseline_is_the_depth_below_the_box(latex: str, depth: float, height: float) -> None:
    html = Typesetter("pdf", NOWHERE).set(latex)
    sizes = {key: float(value) for key, value in re.findall(r"(height|vertical-align):(-?[\d.]+)em", html)}
    assert -sizes["vertical-align"] == pytest.approx(depth * FORMULA_SCALE, abs=0.12)
    assert sizes["height"] == pytest.approx(height * FORMULA_SCALE, abs=0.3)


def attributes(html: str) -> list[tuple[str, dict[str, str]]]:
    """Of every tag."""
    return [(part.tag, dict(part.attrib)) for part in lxml.html.fragment_fromstring(html).iter()]


@pytest.mark.parametrize("medium", ["screen", "pdf"])
def test_hostile_words_are_only_words(medium: str) -> None:
    typesetter = Typesetter(medium, NOWHERE)  # type: ignore[arg-type]
    for word in HOSTILE:
        html = typesetter.set(rf"q_{{\text{{{tex_text(word)}}}}} = 1")
        tags = attributes(html)
        assert {tag for tag, _ in tags} <= {"img", "math", "msub", "mi", "mn", "mo", "mtext", "mrow"}, word
        assert set(tags[0][1]) <= {"class", "src", "alt", "style", "alttext"}, word
        assert not re.search("[\ue000-\uf8ff\x00-\x08\u202e]", html), ascii(word)


def test_words_are_shown_as_they_were_written_and_what_the_font_lacks_as_a_square() -> None:
    words = r"50 % & \x{y} $3_a^b ~#"
    html = Typesetter("screen", NOWHERE).set(rf"\text{{{tex_text(words)}}}")
    assert ElementTree.fromstring(html).findtext("mtext", "").replace("\xa0", " ") == words
    assert (tex_text("a🚀b"), tex_text("سلام")) == ("a□b", "□□□□")


@pytest.mark.parametrize("medium", ["screen", "pdf"])
def test_an_alternative_is_escaped_and_kept_and_a_wrong_formula_is_an_error(medium: str) -> None:
    typesetter = Typesetter(medium, NOWHERE)  # type: ignore[arg-type]
    html = typesetter.set("x", alt='<b>"&')
    assert '<b>"&' in attributes(html)[0][1].values()
    with pytest.raises(TypesetError):
        typesetter.set(r"\frac{1}{")


@pytest.mark.parametrize(
    ("latex", "words"),
    [
        (r"0{,}50", "0,50"),
        (r"\frac{1}{2}", "1 durch 2"),
        (r"{-}0{,}5 \cdot 3 \approx {-}1{,}5", "minus 0,5 mal 3 ungefähr gleich minus 1,5"),
        (r"\sqrt{d_k}", "Wurzel aus d k Ende Wurzel"),
        (r"\sum_{j=1}^{n} x_j", "Summe über j gleich 1 bis n von x j"),
        (r"\bar{a} + \hat{x}_i \cdot \tilde{s}_j", "a quer plus x Dach i mal s Schlange j"),
        (r"e^{2} K^\top", "e hoch 2 K transponiert"),
        (r"\text{Größe}", "Größe"),
        (r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}", "Matrix: 1 | 2; 3 | 4 Ende Matrix"),
    ],
)
def test_read_aloud(latex: str, words: str) -> None:
    assert spoken(latex) == words


@pytest.mark.parametrize("latex", ["{", "}", r"\frac{1}", r"\begin{x", "{" * 5000, "\\", "_", ""])
def test_reading_aloud_never_fails(latex: str) -> None:
    assert isinstance(spoken(latex), str)


def test_the_store_gives_back_what_it_was_given_and_keeps_no_words(tmp_path) -> None:
    shape = typeset(r"\frac{1{,}5}{x^{2}}", display=True)
    user_store({"PAPIERFORMER_CACHE": str(tmp_path)}).put("name", shape)
    (folder,) = {path.parent for path in tmp_path.glob("*/*.shape")}
    assert Store(folder).get("name") == shape
    assert Store(folder).get("other") is None
    Typesetter("pdf", Store(folder)).set(r"\text{Geheimnis}")
    assert all(b"Geheimnis" not in path.read_bytes() for path in folder.iterdir())


@pytest.mark.parametrize("damage", [b"", b"\xff\xfe", b"0\n{}", b"half"])
def test_damaged_entries_are_laid_out_anew(tmp_path, damage: bytes) -> None:
    first = Typesetter("pdf", Store(tmp_path)).set(r"x_{12}")
    (entry,) = tmp_path.glob("*.shape")
    entry.write_bytes(damage if damage != b"half" else entry.read_bytes()[:-20])
    assert Typesetter("pdf", Store(tmp_path)).set(r"x_{12}") == first
    assert Store(tmp_path).get(shape_name(r"x_{12}", False)) is not None


def test_a_store_that_cannot_write_is_no_hindrance(tmp_path) -> None:
    file = tmp_path / "file"
    file.write_text("in the way", encoding="ascii")
    assert "<img" in Typesetter("pdf", Store(file / "below")).set("x_{12}")
