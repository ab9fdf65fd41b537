"""Lines to write on: a pen has room for what the key expects there."""

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

import pytest
from cases import CASES, made, thorough_but

from generator.sheet.page import Answer, Page, inner, plain
from generator.sheet.sheet import Task
from tests.laid_out import page_of

WHOLE = 165.0  # mm of a line
MOST = 0.9  # printed signs for each mm: a hand needs 2.5 mm a sign, and less than half of the words
_ALSO = re.compile(" oder „[^“]*“")  # of words that do as well, a pupil names one
SHOWN = ["example", "ten_words", "two_words", "two_sentences", "plain"]


def cramped(page: Page) -> Iterator[str]:
    for part in page.parts:
        task = 0
        for element, width in _with_widths(part.root, WHOLE):
            match page.objects.of(element):
                case Task(number):
                    task = number
                case Answer(lines):
                    expected = _ALSO.sub("", " ".join(plain(inner(element)).split()))
                    if len(expected) > MOST * lines * width:
                        room = f"{len(expected)} signs on {lines} lines of {width:.0f} mm"
                        yield f"{part.station.id}/{task}: {room}: {expected}"


def _with_widths(element: Element, width: float) -> Iterator[tuple[Element, float]]:
    """Each element with the mm that a line in it has."""
    own = re.search(r"width:([\d.]+)mm", element.get("pdf-style", ""))
    width = float(own[1]) if own else width
    yield element, width
    for child in element:
        yield from _with_widths(child, width)


@pytest.mark.parametrize("case", thorough_but(SHOWN, CASES))
def test_a_pen_has_room_for_what_the_key_expects(case):
    sheet = made(case)
    assert not [*cramped(page_of(sheet.sheet, sheet.desk, "key"))]
