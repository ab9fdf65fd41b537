"""Every page of both views, in many configurations: what a teacher would object to, and if they match."""

import pytest
from cases import LAID_OUT, made
from congruence import differences
from faults import all_faults, long_lines
from paper import paper

SHOWN = 12


@pytest.mark.parametrize("case", LAID_OUT)
def test_pages_hold_what_they_promise(case):
    """One test for both views of a case, since laying the pages out is what takes time."""
    pages = {view: paper(*made(case).page(view, "pdf")) for view in ("worksheet", "key")}
    assert len(pages["worksheet"].pages) > 1
    found = [f"{view}: {fault}" for view in pages for fault in all_faults(pages[view])]
    found += differences(pages["worksheet"], pages["key"])
    assert not found, "\n".join([f"{len(found)} faults", *found[:SHOWN]])
    # On the key the expected answers stand small in the room of the ruled lines; it is read by teachers.
    lines = list(long_lines(pages["worksheet"]))
    assert not lines, "\n".join([f"{len(lines)} long lines", *lines[:SHOWN]])
