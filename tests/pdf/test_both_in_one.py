"""Worksheet and key written with one layout: the same text, places, ink and titles as laid out alone."""

from __future__ import annotations

import io

import pytest
from pypdf import PdfReader

from generator.output.shared.captured import NotShared
from generator.output.shared.shared_layout import SharedLayout
from tests.pdf.documents import page
from tests.pdf.shared_configurations import Pair

THOROUGH = pytest.mark.thorough
KATZE = "Die Katze sitzt"
CASES = [
    {"stationen": "0,1"},  # a cover, figures with signs of another font
    # ranges in two lines, bars, lines of calculation
    pytest.param({"stationen": "4b", "nachkommastellen": "3"}, marks=THOROUGH),
    pytest.param({"stationen": "0,3,S", "satz": "Die Katze sitzt auf der Matte"}, marks=THOROUGH),
    pytest.param({"stationen": "2,6", "stufe": "1"}, marks=THOROUGH),
    pytest.param({"stationen": "9", "schrift": "16", "rand": "links"}, marks=THOROUGH),
    pytest.param({"stationen": "10,11", "zielsatz": "The cat", "lernen": "alles"}, marks=THOROUGH),
]


@pytest.mark.parametrize("options", CASES, ids=str)
def test_both_are_what_they_are_alone(options: dict[str, str]) -> None:
    pair = Pair.of(**{"satz": KATZE, **options})
    layout = pair.layout()
    assert [found for name in pair.parts for found in pair.differences(layout, name)] == []


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
    first, other = (
        Pair.of(satz="Die Katze sitzt auf der Matte", gewichte="ganzzahlig", stationen=stations, startwert=at)
        for at in ("1", str(seed))
    )
    layout = first.layout()
    flows = layout.found.flows
    unread = sum(not flow.items for flow in flows)
    assert unread / len(flows) < most, f"{unread} of {len(flows)} blocks could not be read"
    for name in other.parts:
        assert other.written(layout, name).getvalue(), "raises NotShared, which says why"


def test_what_is_lacking_is_not_shown_where_its_line_changes() -> None:
    """The answer stands in a line whose other words change, and in lines that break elsewhere then."""
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
            assert "7654" not in said
            assert "Stück" not in said
            assert "oder" in said
