"""Sheets and keys of other numbers share a layout where nothing moves, and only there."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pytest

from generator.basics.fonts import folder
from generator.output.formulas.typeset import Typesetter
from generator.output.pdf import write_pdf
from generator.output.shared.metrics import face
from generator.output.shared.shared_layout import NotShared, SharedLayout, unpacked
from tests.pdf.compare import differences
from tests.pdf.documents import page
from tests.pdf.shared_configurations import Pair

KATZE = "Die Katze sitzt auf der Matte"
SHORT = "Die Katze sitzt"


def compared(one: str, other: str, images: Mapping[str, Any] = MappingProxyType({})) -> list[str] | None:
    """How the other page, written with the layout of the one, differs from itself; None: it is not shared."""
    layout = SharedLayout.of(page(one), images, title="t")
    try:
        data = layout.result(page(other), images, title="t").data
    except NotShared:
        return None
    return list(differences(data, write_pdf(page(other), title="t", images=images).data))


@pytest.mark.parametrize("station", [pytest.param("6", marks=pytest.mark.thorough), "8"])
def test_keys_of_other_numbers_share_one_layout(station: str) -> None:
    pairs, ranges = [], set()
    for seed in "123456":
        pairs.append(Pair.of(satz=SHORT, stationen=station, gewichte="dezimal", startwert=seed))
        cells = pairs[-1].parts["loesung"].html.split("</td>")
        ranges.add(tuple('class="accepted"' in cell for cell in cells))
        if len(ranges) > 1:
            break
    assert len(ranges) > 1  # other cells of them have a range
    layout = pairs[0].layout()
    for pair in pairs[1:]:
        for name in pair.parts:
            assert pair.differences(layout, name) == []


def test_no_frame_moves_where_a_factor_beside_it_is_negative() -> None:
    """Station 4a copies what station 3 asks for into frames, with given factors between them."""
    one, other = (Pair.of(satz=KATZE, stationen="3,4a", gewichte="dezimal", startwert=seed) for seed in "02")
    given = [re.findall(r'class="factor"[^>]*>([^<]*)', pair.whole.html) for pair in (one, other)]
    signs = [["−" in factor for factor in factors] for factors in given]
    assert signs[0] != signs[1]
    assert other.differences(one.layout(), "loesung") == []


def test_a_layout_that_was_packed_is_the_same() -> None:
    one, other = (Pair.of(satz=KATZE, stationen="5", gewichte="ganzzahlig", startwert=seed) for seed in "14")
    layout = one.layout()
    again = unpacked(layout.packed())
    for name in other.parts:
        assert other.written(again, name).getvalue() == other.written(layout, name).getvalue()


FIXED = ' style="table-layout:fixed;width:60mm"'


@pytest.mark.parametrize(
    ("style", "value", "shared"), [("", "0,34", True), ("", "−0,34", False), (FIXED, "−0,34", True)]
)
def test_a_column_as_wide_as_its_numbers_is_not_shared(style: str, value: str, shared: bool) -> None:
    table = f"<table{style}><tbody><tr><td>{{}}</td><td>Stück</td></tr></tbody></table>"
    found = compared(table.format("0,12"), table.format(value))
    assert found == ([] if shared else None)


def test_large_matrices_leave_a_layout_that_can_be_shared() -> None:
    """A table in a paragraph ends it for a parser: more elements than tags, and nothing would be shared."""
    assert Pair.of(satz=SHORT, gewichte="dezimal", dimension="6", heads="3", stationen="4a").layout()


def test_lines_end_beside_pictures_where_weasyprint_ends_them() -> None:
    """Before a picture that a no-break space ties to its number, and where such a space just overflows."""
    typesetter = Typesetter("pdf")
    z = [typesetter.set(f"z_{number}") for number in range(1, 5)]
    shared = 0
    for width in range(52, 96, 4):
        text = f'<p style="width:{width}mm">Alle Zahlen ergeben zusammen {{}} (±&nbsp;0,04): die Summen.</p>'
        one, other = (
            text.format(
                " +\xa0".join(f"{letter}&nbsp;·&nbsp;{factor}" for letter, factor in zip(z, of, strict=True))
            )
            for of in (("1,5", "(−0,5)", "2,1", "0,2"), ("(−1,5)", "0,4", "2,2", "(−0,7)"))
        )
        found = compared(one, other, dict(typesetter.images))
        assert not found
        shared += found is not None
    assert shared >= 4


def test_a_line_more_stands_below_one_that_a_formula_made_higher() -> None:
    typesetter = Typesetter("pdf")
    root = typesetter.set(r"\sqrt{d_k}")
    room = '<p style="width:50mm;min-height:30mm">{} durch {} ≈&nbsp;1,41{}.</p>'
    one, other = (
        room.format("Der Score", root, ""),
        room.format("Ein Score", root, ". Gezeichnet ist nur die Achse"),
    )
    assert compared(one, other, dict(typesetter.images)) == []


SAID = [
    "„heute“",
    "(−0,5)",
    "0,31…0,35",
    "a/b",
    "x–y",
    "≈ 0,5",
    "<b>1,5</b>",
    "mit <i>Oma</i>:",
    "q-k",
    "·",
    "[2]",
    "5 %",
    "{v}",
    "(−0,5&nbsp;| 0,1)",
    "m = (0,3 + 1,5) : 8 =",
    "10,12…14,09",
]


@pytest.mark.parametrize("draws", [20, pytest.param(60, marks=pytest.mark.thorough)])
def test_lines_end_between_whatever_signs_where_weasyprint_ends_them(draws: int) -> None:
    rng, shared = random.Random(1), 0
    for _ in range(draws):
        words = rng.choices(["Score", "ist", "am", "größten", *SAID], k=16)
        other = [rng.choice(["Zahl", "Matrix", "er"]) if word == "Score" else word for word in words]
        line = f'<p style="width:{rng.randint(35, 90)}mm">{{}}</p>'
        found = compared(line.format(" ".join(words)), line.format(" ".join(other)))
        assert not found, words
        shared += found is not None
    assert shared > draws / 4


def just_fitting(said: str, over: float) -> str:
    """A line in a room so much wider than it (px), with more words after it."""
    font = face((folder() / "pdf" / "papierformer-sans-regular.ttf").read_bytes())
    style = f"width:{font.width(said) * 0.012 + over:.4f}px;font-size:12px"
    return f'<p style="{style}">{{}} auf sich selbst, und so weiter</p>'


@pytest.mark.parametrize(("over", "shared"), [(-0.1, True), (0.0, False), (0.03, False), (0.1, True)])
def test_a_line_that_just_fits_is_shared_where_no_rounding_decides(over: float, shared: bool) -> None:
    said = "Der Score ist am größten bei „{}“ mit „Oma“ (1,175) und also"
    line = just_fitting(said.format("heute"), over)
    found = compared(line.format(said.format("mit")), line.format(said.format("heute")))
    assert found == ([] if shared else None)


@pytest.mark.parametrize("over", [-0.02, 0.02])
def test_a_line_that_just_fits_fits_with_other_digits_too(over: float) -> None:
    said = "Der Score ist am größten bei „Oma“ ({}) und also"
    line = just_fitting(said.format("1,175"), over)
    first, second, negative = (line.format(said.format(each)) for each in ("1,175", "2,463", "−,463"))
    assert compared(first, second) == []
    assert compared(first, negative) is None
