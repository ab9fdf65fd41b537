"""A sheet laid out once and written with other numbers is the sheet that laying it out would have given."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from pypdf import PdfReader

from generator.basics.fonts import folder
from generator.options.options import Options
from generator.output.formulas.typeset import Store, Typesetter
from generator.output.many import PdfJob
from generator.output.pdf import write_pdf
from generator.output.shared.captured import NotShared
from generator.output.shared.metrics import face, face_of
from generator.output.shared.shared_layout import SharedLayout
from generator.production.sheet_documents import key_with, layout_of_both
from generator.stations.make_sheet import make_sheet
from tests.laid_out import Shown, pair_of
from tests.pdf.compare import alternatives, differences, everything
from tests.pdf.documents import page

KATZE, SHORT = "Die Katze sitzt auf der Matte", "Die Katze sitzt"
USUAL = {"satz": SHORT, "gewichte": "ganzzahlig"}
THOROUGH = pytest.mark.thorough


@dataclass(frozen=True)
class Pair:
    """A worksheet, its key, and what holds all that both show, as a configuration is written."""

    whole: PdfJob
    parts: dict[str, Shown]
    images: dict[str, Any]

    @classmethod
    def of(cls, **options: str) -> Pair:
        whole, typesetter = make_sheet(Options.from_mapping(USUAL | options)), Typesetter("pdf")
        parts = {each.name: each for each in pair_of(whole, typesetter)}
        both = layout_of_both(whole, key_with(whole, ""), typesetter)
        return cls(both, parts, dict(typesetter.images))

    def layout(self) -> SharedLayout:
        return SharedLayout.of(self.whole.html, self.images, title=self.whole.title)

    def written(self, layout: SharedLayout, name: str) -> bytes:
        """Raises NotShared."""
        return layout.result(self.parts[name].html, self.images, title=self.parts[name].title).data

    def differences(self, layout: SharedLayout, *names: str) -> list[str]:
        """How what is written differs from what is laid out alone. Raises NotShared."""
        found = []
        for name in names or self.parts:
            part = self.parts[name]
            alone = write_pdf(part.html, title=part.title, images=self.images).data
            found += [f"{name}: {each}" for each in differences(self.written(layout, name), alone)]
        return found


BOTH = [
    {"stationen": "0,1"},  # a cover, figures with signs of another font
    # ranges in two lines, bars, lines of calculation
    pytest.param({"stationen": "4b", "nachkommastellen": "3"}, marks=THOROUGH),
    pytest.param({"stationen": "0,3,S", "satz": KATZE}, marks=THOROUGH),
    pytest.param({"stationen": "2,6", "stufe": "1"}, marks=THOROUGH),
    pytest.param({"stationen": "9", "schrift": "16", "rand": "links"}, marks=THOROUGH),
    pytest.param({"stationen": "10,11", "zielsatz": "The cat", "lernen": "alles"}, marks=THOROUGH),
]


@pytest.mark.parametrize("options", BOTH, ids=str)
def test_worksheet_and_key_are_what_they_are_alone(options: dict[str, str]) -> None:
    pair = Pair.of(**options)
    assert pair.differences(pair.layout()) == []


@pytest.mark.parametrize(
    ("stations", "seed", "most"),
    [
        pytest.param("0,1,2,3", 2, 0.12, marks=THOROUGH),
        ("4b,6,S", 5, 0.17),  # 8 gives rows of equal vectors: another layout for most seeds
        ("5", 4, 0.15),  # the seeds before ask for other words
        pytest.param("4a,9", 1, 0.13, marks=THOROUGH),  # here every seed does
    ],
)
def test_the_booklet_is_still_shared(stations: str, seed: int, most: float) -> None:
    """A class set takes three times as long where a line of CSS makes blocks that cannot be read.

    most: the share of such blocks, a little above what it is.
    """
    first, other = (Pair.of(satz=KATZE, stationen=stations, startwert=at) for at in ("1", str(seed)))
    layout = first.layout()
    flows = layout.found.flows
    unread = sum(not flow.items for flow in flows)
    assert unread / len(flows) < most, f"{unread} of {len(flows)} blocks could not be read"
    for name in other.parts:
        assert other.written(layout, name), "raises NotShared, which says why"


@THOROUGH
def test_large_matrices_leave_a_layout_that_can_be_shared() -> None:
    """A table in a paragraph ends it for a parser: more elements than tags, and nothing would be shared."""
    assert Pair.of(gewichte="dezimal", dimension="6", heads="3", stationen="4a").layout()


@pytest.mark.parametrize("station", [pytest.param("6", marks=THOROUGH), "8"])
def test_keys_of_other_numbers_share_one_layout(station: str) -> None:
    pairs, ranges = [], set()
    for seed in "123456":
        pairs.append(Pair.of(stationen=station, gewichte="dezimal", startwert=seed))
        cells = pairs[-1].parts["loesung"].html.split("</td>")
        ranges.add(tuple('class="accepted"' in cell for cell in cells))
        if len(ranges) > 1:
            break
    assert len(ranges) > 1  # other cells of them have a range
    layout = pairs[0].layout()
    assert [found for pair in pairs[1:] for found in pair.differences(layout)] == []


@THOROUGH
def test_no_frame_moves_where_a_factor_beside_it_is_negative() -> None:
    """Station 4a copies what station 3 asks for into frames, with given factors between them."""
    one, other = (Pair.of(satz=KATZE, stationen="3,4a", gewichte="dezimal", startwert=seed) for seed in "02")
    given = [re.findall(r'class="factor"[^>]*>([^<]*)', pair.whole.html) for pair in (one, other)]
    signs = [["−" in factor for factor in factors] for factors in given]
    assert signs[0] != signs[1]
    assert other.differences(one.layout(), "loesung") == []


# Of a worksheet that is laid out once.


@pytest.fixture(scope="module")
def pair() -> Pair:
    return Pair.of(gewichte="dezimal", stationen="4a", startwert="1")


@pytest.fixture(scope="module")
def html(pair: Pair) -> str:
    return pair.parts["arbeitsblatt"].html


@pytest.fixture(scope="module")
def layout(pair: Pair, html: str) -> SharedLayout:
    return SharedLayout.of(html, pair.images, title="Das erste „Blatt“")


def test_nothing_of_the_first_is_left_over(pair: Pair, html: str, layout: SharedLayout) -> None:
    old = re.findall(r'<span class="n"[^>]*>(\d+,\d\d)</span>', html)[9]
    other = layout.result(html.replace(f">{old}<", ">7,53<"), pair.images, title="Neu <&>").data
    written = everything(other)
    assert b"(Neu <&>)" in written
    assert b"Neu &lt;&amp;&gt;" in written
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
    for damaged in (content[:-9], b'{"glyphs": {}}'):
        kept.write_bytes(damaged)
        assert face.__wrapped__(font) == made
        assert kept.read_bytes() == content


# Lines and columns of small pages.


def compared(one: str, other: str, images: Mapping[str, Any] = MappingProxyType({})) -> list[str] | None:
    """How the other page, written with the layout of the one, differs from itself; None: it is not shared."""
    layout = SharedLayout.of(page(one), images, title="t")
    try:
        data = layout.result(page(other), images, title="t").data
    except NotShared:
        return None
    return list(differences(data, write_pdf(page(other), title="t", images=images).data))


def test_what_is_lacking_is_not_shown_where_its_line_changes() -> None:
    """The answer stands in a line whose other words change, and in lines that break elsewhere then."""
    seen = 0
    for width in (35, 60, 150):
        begin, end = f'<p style="width:{width}mm">', "</p>"
        whole = f'{begin}Es sind im Ganzen 12 oder <b class="value">genau 7654 Stück</b>{end}'
        for before in ("Es sind im Ganzen 12 oder", "Es sind 3 oder", "Es sind im Ganzen beinahe 12345 oder"):
            layout = SharedLayout.of(page(whole), {}, title="t")
            try:
                data = layout.result(page(f"{begin}{before} {end}"), {}, title="t").data
            except NotShared:
                continue
            said = PdfReader(io.BytesIO(data)).pages[0].extract_text()
            assert ("7654" in said, "Stück" in said, "oder" in said) == (False, False, True)
            seen += 1
    assert seen > 3


FIXED = ' style="table-layout:fixed;width:60mm"'


@pytest.mark.parametrize(
    ("style", "value", "shared"), [("", "0,34", True), ("", "−0,34", False), (FIXED, "−0,34", True)]
)
def test_a_column_as_wide_as_its_numbers_is_not_shared(style: str, value: str, shared: bool) -> None:
    table = f"<table{style}><tbody><tr><td>{{}}</td><td>Stück</td></tr></tbody></table>"
    found = compared(table.format("0,12"), table.format(value))
    assert found == ([] if shared else None)


def test_lines_end_beside_pictures_where_weasyprint_ends_them() -> None:
    """Before a picture that a no-break space ties to its number, and where such a space just overflows."""
    typesetter = Typesetter("pdf")
    z = [typesetter.set(f"z_{number}") for number in range(1, 5)]
    shared = 0
    for width in range(52, 96, 8):
        text = f'<p style="width:{width}mm">Alle Zahlen ergeben zusammen {{}} (±&nbsp;0,04): die Summen.</p>'
        one, other = (
            text.format(
                " +\xa0".join(f"{each}&nbsp;·&nbsp;{n}" for each, n in zip(z, of.split(), strict=True))
            )
            for of in ("1,5 (−0,5) 2,1 0,2", "(−1,5) 0,4 2,2 (−0,7)")
        )
        found = compared(one, other, dict(typesetter.images))
        assert not found
        shared += found is not None
    assert shared >= 2


SAID = """„heute“ (−0,5) 0,31…0,35 a/b x–y ≈_0,5 <b>1,5</b> mit_<i>Oma</i>: q-k · [2] 5_% {v}
(−0,5&nbsp;|_0,1) m_=_(0,3_+_1,5)_:_8_= 10,12…14,09 Score ist am größten"""


@pytest.mark.parametrize("draws", [16, pytest.param(60, marks=THOROUGH)])
def test_lines_end_between_whatever_signs_where_weasyprint_ends_them(draws: int) -> None:
    rng, shared = random.Random(1), 0
    signs = [said.replace("_", " ") for said in SAID.split()]
    for _ in range(draws):
        words = rng.choices(signs, k=16)
        other = [rng.choice(["Zahl", "Matrix", "er"]) if word == "Score" else word for word in words]
        line = f'<p style="width:{rng.randint(35, 90)}mm">{{}}</p>'
        found = compared(line.format(" ".join(words)), line.format(" ".join(other)))
        assert not found, words
        shared += found is not None
    assert shared > draws / 4
