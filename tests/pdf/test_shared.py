"""A sheet laid out once and written with other numbers is the sheet that laying it out would have given."""

from __future__ import annotations

import pickle
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from generator.basics.fonts import folder
from generator.options.options import Options
from generator.output.formulas.typeset import Store, Typesetter
from generator.output.pdf import write_pdf
from generator.output.shared.captured import NotShared
from generator.output.shared.metrics import face, face_of
from generator.output.shared.shared_layout import SharedLayout
from generator.stations.make_sheet import make_sheet
from tests.laid_out import pair_of
from tests.pdf.compare import alternatives, differences, everything


@dataclass(frozen=True)
class Printed:
    html: str
    title: str
    images: Any

    def laid_out(self) -> bytes:
        return write_pdf(self.html, title=self.title, images=self.images).data

    def shared(self, layout: SharedLayout) -> bytes:
        return layout.result(self.html, self.images, title=self.title).data


def worksheet(seed: int) -> Printed:
    options = {"satz": "Die Katze sitzt", "gewichte": "dezimal", "stationen": "4a", "startwert": str(seed)}
    typesetter = Typesetter("pdf")
    document, _ = pair_of(make_sheet(Options.from_mapping(options)), typesetter)
    return Printed(document.html, document.title, dict(typesetter.images))


@pytest.fixture(scope="module")
def first() -> Printed:
    return worksheet(1)


@pytest.fixture(scope="module")
def layout(first: Printed) -> SharedLayout:
    return SharedLayout.of(first.html, first.images, title=first.title)


def test_another_seed(first: Printed, layout: SharedLayout) -> None:
    for seed in range(2, 8):
        other = worksheet(seed)
        assert other.html != first.html
        try:
            written = other.shared(layout)
        except NotShared:
            continue
        assert list(differences(written, other.laid_out())) == []
        return
    pytest.fail("of six seeds none shares the layout")


def test_nothing_of_the_first_is_left_over(first: Printed, layout: SharedLayout) -> None:
    html = first.html
    old = re.findall(r'<span class="n"[^>]*>(\d+,\d\d)</span>', html)[9]
    other = replace(first, html=html.replace(f">{old}<", ">7,53<"), title="Neu")
    written = everything(other.shared(layout))
    assert b"(Neu)" in written
    assert first.title.encode("utf-16-be").hex().encode() not in written
    assert b"<dc:title>" not in written or "Transformer auf Papier: „Die".encode() not in written
    said = list(alternatives(first.shared(layout)))
    gone = replace(first, html=re.sub(r'alt="W Q gleich[^"]*"', 'alt="weg"', html))
    now = gone.shared(layout)
    assert "weg" in list(alternatives(now))
    formula = next(words for words in said if words.startswith("W Q gleich Matrix"))
    assert formula.encode("ascii") not in everything(now)


def test_the_same_input_gives_the_same_bytes(first: Printed, layout: SharedLayout) -> None:
    again = pickle.loads(pickle.dumps(layout))
    assert first.shared(layout) == first.shared(again) == first.shared(layout)


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
def test_whatever_is_not_certain_is_not_shared(first: Printed, layout: SharedLayout, change: Any) -> None:
    changed = replace(first, html=change(first.html))
    assert changed.html != first.html
    with pytest.raises(NotShared):
        changed.shared(layout)


def test_formulas_of_another_width_move_what_follows(layout: SharedLayout, first: Printed) -> None:
    typesetter = Typesetter("pdf", Store(None))
    old = re.search(r'<img class="tex"[^>]*alt="W Q gleich Matrix[^>]*>', first.html)
    assert old is not None
    rows = r" \\ ".join(["-0{,}5 & -0{,}5"] * 4)
    new = typesetter.set(rf"W_Q=\begin{{pmatrix}}{rows}\end{{pmatrix}}")
    images = {**first.images, **typesetter.images}
    other = Printed(first.html.replace(old[0], str(new)), first.title, images)
    assert list(differences(other.shared(layout), other.laid_out())) == []


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
