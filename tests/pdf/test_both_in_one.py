"""Worksheet and key written with one layout: the same text, places, ink and titles as laid out alone."""

from __future__ import annotations

import io

import pytest
from pypdf import PdfReader

from generator.output.markup import tokens_of
from generator.output.shared.captured import Captured, NotShared, aligned
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


def test_a_name_stands_on_the_worksheet_alone() -> None:
    pair = Pair.of("Zoë", satz="Die Katze", stationen="4b")
    layout = pair.layout()
    said = {name: pair.written(layout, name) for name in pair.parts}
    texts = {name: PdfReader(data).pages[0].extract_text() for name, data in said.items()}
    assert "Zoë" in texts["arbeitsblatt"]
    assert "Zoë" not in texts["loesung"]


def captured(html: str) -> Captured:
    tokens, ends, stack = tokens_of(html), {}, []
    for place in range(1, len(tokens), 2):
        if tokens[place].startswith("</"):
            ends[stack.pop()] = place
        else:
            stack.append(place)
    return Captured(tokens, ends=ends)


BOTH = '<p>a</p><div><b class="value">1</b><b class="rule" style="top:0mm"></b></div><p>z</p>'


def test_what_a_document_lacks_is_known() -> None:
    found = captured(BOTH)
    worksheet = tokens_of('<p>A</p><div><b class="rule"></b></div><p>Z</p>')
    placed, lacking = aligned(found, worksheet)
    assert [found.tokens[tag] for tag in lacking] == ['<b class="value">']
    assert (placed[2], placed[-3]) == ("A", "Z")
    key = tokens_of('<p>a</p><div><b class="value">2</b></div><p>z</p>')
    placed, lacking = aligned(found, key)
    assert [found.tokens[tag][:16] for tag in lacking] == ['<b class="rule" ']
    assert placed[6 + 2] == "2"


@pytest.mark.parametrize(
    "html",
    [
        "<p>a</p>",
        BOTH + "<p>more</p>",
        '<p>a</p><div><b class="value">1</b><b class="value">1</b><b class="value">1</b></div><p>z</p>',
    ],
)
def test_other_tags_are_another_layout(html: str) -> None:
    found = captured(BOTH)
    try:
        placed, _ = aligned(found, tokens_of(html))
    except NotShared:
        return
    assert [t.split(" ")[0] for t in placed[1::2]] != [t.split(" ")[0] for t in found.tokens[1::2]]


def test_text_after_what_is_lacking_is_not_guessed() -> None:
    with pytest.raises(NotShared, match="text after"):
        aligned(captured('<p><b class="value">1</b>after</p>'), tokens_of("<p>after</p>"))


def test_another_sentence_is_another_layout() -> None:
    pair, other = (Pair.of(satz=satz, stationen="2") for satz in ("Die Katze", "Der Hund bellt"))
    layout = pair.layout()
    for name in pair.parts:
        with pytest.raises(NotShared):
            other.written(layout, name)


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
