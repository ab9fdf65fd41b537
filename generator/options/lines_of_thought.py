"""Options go in; which stations make one whole line of thought, the longest first, come out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.options.course import BY_ID, END_OF_BLOCK
from generator.options.options import Options


def _way(first: str, last: str) -> tuple[str, ...]:
    """The stations from one to another, each going on with the result of the one before."""
    return (last,) if first == last else (*_way(first, BY_ID[last].after), last)


# Each is worth a lesson by itself: it begins with what it explains or prints, and ends with a result.
_COURSE: Final = (
    _way("3", "9"),  # from X to a generated text
    _way("4a", "8"),  # one block and its prediction
    _way("4a", END_OF_BLOCK),  # one block
    ("4a", "4b"),  # attention, then with a mask and several heads
    ("4a",),  # one head
    ("0", "6"),  # the map of the model, and one part of it by hand
    ("6",),  # a small network by hand
    ("0",),  # the map of the model
)
_TWO_SENTENCES: Final = (("4a", "4b", "10"), ("10",))
_LEARNING: Final = (("8", "11"), ("11",))


def lines_of(options: Options, wanted: Sequence[str]) -> list[tuple[str, ...]]:
    """wanted: the stations that would be printed, in order; they make the first line together.

    Stations that the teacher names keep their order: as many from the beginning as fit, else one of them.
    """
    if options.stationen:
        lines = [*(tuple(wanted[:end]) for end in range(len(wanted), 0, -1)), *((name,) for name in wanted)]
    else:
        asked = (_TWO_SENTENCES if options.zielsatz else ()) + (_LEARNING if options.lernen else ())
        lines = [tuple(wanted), *asked, *_COURSE]
    present = (tuple(name for name in line if name in wanted) for line in lines)
    return [line for line in dict.fromkeys(present) if line]
