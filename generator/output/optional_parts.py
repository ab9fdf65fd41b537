"""In: the tags of a layout of all that worksheet and key show. Out: those of one of the two, in its places.

What only one of them shows stands in an element of its own: an answer, its range, a bar, a line to write on.
"""

from __future__ import annotations

import re
from typing import Final

from generator.output.slots import Captured
from generator.output.tokens import tag_name

_OPTIONAL: Final = re.compile(r'<\w+ class="(value|accepted|expected|gauge|rule|pupil)\b')


class OtherParts(Exception):  # noqa: N818
    """The document is not one of the two."""


def optional(tag: str) -> str:
    """The class of an element that a document may lack; "" for all others."""
    found = _OPTIONAL.match(tag)
    return found[1] if found else ""


def aligned(found: Captured, tokens: list[str]) -> tuple[list[str], list[int]]:
    """The document's tokens, each in the place that it has in the layout; and the tags that it lacks.

    In the places of what it lacks the layout's own tokens stand. Raises OtherParts.
    """
    placed, lacking = list(found.tokens), []
    here, there = 0, 0  # in the layout, in the document; texts stand at even places
    while True:
        placed[here] = tokens[there]
        here, there = here + 1, there + 1
        following = tokens[there] if there < len(tokens) else ""
        while (
            here < len(placed)
            and (kind := optional(placed[here]))
            and not _same(placed[here], following, kind)
        ):
            lacking.append(here)
            here = found.ends[here] + 2
            if placed[here - 1].strip():
                raise OtherParts("text after what is lacking")
        if here >= len(placed) or there >= len(tokens):
            break
        placed[here] = following
        here, there = here + 1, there + 1
    if here < len(placed) or there < len(tokens):
        raise OtherParts("other tags")
    return placed, lacking


def _same(tag: str, other: str, kind: str) -> bool:
    return optional(other) == kind and tag_name(other) == tag_name(tag)
