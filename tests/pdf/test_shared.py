"""A sheet laid out once and written with other numbers is the sheet that laying it out would have given."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from generator.basics.fonts import folder
from generator.output.formulas.typeset import Store, Typesetter
from generator.output.pdf import write_pdf
from generator.output.shared.captured import NotShared
from generator.output.shared.metrics import face, face_of
from generator.output.shared.shared_layout import SharedLayout
from tests.pdf.compare import alternatives, differences, everything
from tests.pdf.shared_configurations import Pair


@pytest.fixture(scope="module")
def pair() -> Pair:
    return Pair.of(satz="Die Katze sitzt", gewichte="dezimal", stationen="4a", startwert="1")


@pytest.fixture(scope="module")
def html(pair: Pair) -> str:
    return pair.parts["arbeitsblatt"].html


@pytest.fixture(scope="module")
def layout(pair: Pair, html: str) -> SharedLayout:
    return SharedLayout.of(html, pair.images, title="Das erste „Blatt“")


def test_nothing_of_the_first_is_left_over(pair: Pair, html: str, layout: SharedLayout) -> None:
    old = re.findall(r'<span class="n"[^>]*>(\d+,\d\d)</span>', html)[9]
    other = layout.result(html.replace(f">{old}<", ">7,53<"), pair.images, title="Neu").data
    written = everything(other)
    assert b"(Neu)" in written
    assert "Das erste „Blatt“".encode("utf-16-be").hex().encode() not in written
    assert "Das erste „Blatt“".encode() not in written
    (formula, *_) = (words for words in alternatives(other) if words.startswith("W Q gleich Matrix"))
    gone = re.sub(r'alt="W Q gleich[^"]*"', 'alt="weg"', html)
    now = layout.result(gone, pair.images, title="Neu").data
    assert "weg" in list(alternatives(now))
    assert formula.encode("ascii") not in everything(now)


@pytest.mark.parametrize(
    "change",
    [
        lambda html: html.replace("</p>", " und dann kommt noch sehr viel mehr Text dazu" * 9 + "</p>", 1),
        lambda html: html.replace("</p>", "</p><p>mehr</p>", 1),
        lambda html: html.replace("<p", '<p class="mehr"', 1),
        lambda html: html.replace(">0,", ">漢,", 1),
        lambda html: html.replace("font-size: 9.5pt", "font-size: 9pt", 1),
        lambda html: re.sub(
            r'(<h1 id="[^"]*"><span class="badge">)\w+', r"\1ABCDEFGHIJKLMNOP QRSTUVW", html, count=1
        ),
        lambda html: html.replace('<path d="M', '<path d="Q1 1 2 2M', 1),
    ],
)
def test_whatever_is_not_certain_is_not_shared(
    pair: Pair, html: str, layout: SharedLayout, change: Any
) -> None:
    changed = change(html)
    assert changed != html
    with pytest.raises(NotShared):
        layout.result(changed, pair.images, title="t")


def test_formulas_of_another_width_move_what_follows(pair: Pair, html: str, layout: SharedLayout) -> None:
    typesetter = Typesetter("pdf", Store(None))
    old = re.search(r'<img class="tex"[^>]*alt="W Q gleich Matrix[^>]*>', html)
    assert old is not None
    rows = r" \\ ".join(["-0{,}5 & -0{,}5"] * 4)
    other = html.replace(old[0], str(typesetter.set(rf"W_Q=\begin{{pmatrix}}{rows}\end{{pmatrix}}")))
    images = {**pair.images, **typesetter.images}
    shared = layout.result(other, images, title="t").data
    assert list(differences(shared, write_pdf(other, title="t", images=images).data)) == []


def test_fonts_are_read_once(tmp_path: Path, monkeypatch) -> None:
    """And read anew where what was kept is damaged."""
    monkeypatch.setenv("PAPIERFORMER_CACHE", str(tmp_path))
    monkeypatch.setattr("generator.basics.files.PREPARED", tmp_path / "nothing")
    font = next(folder().glob("pdf/*.ttf")).read_bytes()
    made = face.__wrapped__(font)
    (kept,) = tmp_path.glob("*.face")
    content = kept.read_bytes()
    assert made == face_of(font)
    monkeypatch.setattr("generator.output.shared.metrics.face_of", lambda _: pytest.fail("read again"))
    assert face.__wrapped__(font) == made
    monkeypatch.setattr("generator.output.shared.metrics.face_of", lambda _: made)
    for damaged in (content[:-9], b"[]", b'{"glyphs": {}}'):
        kept.write_bytes(damaged)
        assert face.__wrapped__(font) == made
        assert kept.read_bytes() == content
