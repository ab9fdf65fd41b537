"""Words beside what they name: each at the first place that is free, so that no two labels ever overlap."""

from collections.abc import Iterable, Sequence
from typing import Final

from generator.figures.drawing import Anchor, Canvas, Point, text_width

Box = tuple[float, float, float, float]  # left, top, right, bottom, mm
Place = tuple[float, float, Anchor]
BETWEEN: Final = 1.5  # mm between words in a row
_ABOVE, _BELOW = 0.74, 0.24  # of the size: what letters reach above and below their baseline


def text_box(at: Point, words: str, size: float, anchor: Anchor = "start") -> Box:
    """What words on a baseline cover, rather too much."""
    x, y = at
    width = text_width(words, size)
    left = x - {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * width
    return left, y - _ABOVE * size, left + width, y + _BELOW * size


def overlaps(box: Box, others: Iterable[Box]) -> int:
    """How many of the others the box overlaps."""
    x, y, u, v = box
    return len(
        [0 for left, top, right, bottom in others if x < right and left < u and y < bottom and top < v]
    )


def around(at: Point, size: float, gap: float = 0.8) -> list[Place]:
    """Places for a label of what ends `gap` mm around a point: beside, above, below, then farther off."""
    x, y = at
    places: list[Place] = []
    for away in (gap, gap + 2.5, gap + 5.0, gap + 7.5):
        slant = 0.7 * away
        rise, fall = -_BELOW * size, _ABOVE * size
        places += [
            (x + away, y + 0.3 * size, "start"), (x - away, y + 0.3 * size, "end"),
            (x, y - away + rise, "middle"), (x, y + away + fall, "middle"),
            (x + slant, y - slant + rise, "start"), (x + slant, y + slant + fall, "start"),
            (x - slant, y - slant + rise, "end"), (x - slant, y + slant + fall, "end"),
        ]  # fmt: skip
    return places


def spread(middles: Sequence[float], widths: Sequence[float], ends: tuple[float, float]) -> list[float]:
    """Places for words in one row, about as near to their own as the others let them, in the same order.

    The row is long enough for them.
    """
    left, right = ends
    rightwards = _pushed(middles, widths, ends)
    leftwards = _pushed([-x for x in reversed(middles)], widths[::-1], (-right, -left))
    return [(a - b) / 2 for a, b in zip(rightwards, reversed(leftwards), strict=True)]


def _pushed(middles: Sequence[float], widths: Sequence[float], ends: tuple[float, float]) -> list[float]:
    """Each as far to the right as those before it push it, and back where the row ends."""
    left, right = ends
    places: list[float] = []
    for middle, wide in zip(middles, widths, strict=True):
        places.append(max(middle, left + wide / 2))
        left = places[-1] + wide / 2 + BETWEEN
    for k in reversed(range(len(places))):
        places[k] = min(places[k], right - widths[k] / 2)
        right = places[k] - widths[k] / 2 - BETWEEN
    return places


class Labels:
    """Puts words on a canvas inside a frame. What has been put there, or blocked, stays free of others."""

    def __init__(self, canvas: Canvas, frame: Box) -> None:
        self._canvas, self._frame = canvas, frame
        self._taken: list[Box] = []
        self._words: list[Box] = []
        self._crossed: list[Box] = []

    def block(self, *boxes: Box) -> None:
        """Keeps a box free of labels."""
        self._taken.extend(boxes)

    def avoid(self, start: Point, end: Point, wide: float = 0.2) -> None:
        """A line that is crossed only where there is no better place."""
        steps = max(1, int(max(abs(end[0] - start[0]), abs(end[1] - start[1])) / _STEP))
        for k in range(steps + 1):
            x, y = (a + (b - a) * k / steps for a, b in zip(start, end, strict=True))
            self._crossed.append((x - wide / 2, y - wide / 2, x + wide / 2, y + wide / 2))

    def put(
        self,
        words: str,
        places: Iterable[Place],
        size: float,
        *,
        bold: bool = False,
        leader: Point | None = None,
        clear: bool = False,
    ) -> bool:
        """Whether one of the places was free; the words stand there now. What fits nowhere is left out.

        Earlier places are better, and such that cross no line; a line that is crossed ends at the words.
        leader: where a line to the label begins. clear: no line may be crossed.
        """
        best: tuple[float, Place, Box] | None = None
        for order, (x, y, anchor) in enumerate(places):
            if best is not None and best[0] <= _LATER * order:
                break  # no later place can be better
            box = text_box((x, y), words, size * (1.06 if bold else 1.0), anchor)
            free = self._is_free(box)
            if free and (
                leader is None or not overlaps(_around_line(leader, _end(leader, box)), self._words)
            ):
                struck = overlaps(box, self._crossed)
                if struck and clear:
                    continue
                cost = _LATER * order + struck + (_STRUCK if struck else 0.0)
                if best is None or cost < best[0]:
                    best = cost, (x, y, anchor), box
        if best is None:
            return False
        _, (x, y, anchor), box = best
        if leader is not None:
            self._canvas.leader(leader, _end(leader, box))
            self.avoid(leader, _end(leader, box))
        if overlaps(box, self._crossed):
            self._canvas.blank(box[:2], (box[2] - box[0], box[3] - box[1]))
        self._canvas.text((x, y), words, size, anchor, bold=bold)
        self._taken.append(box)
        self._words.append(box)
        return True

    def _is_free(self, box: Box) -> bool:
        left, top, right, bottom = self._frame
        inside = box[0] >= left and box[1] >= top and box[2] <= right and box[3] <= bottom
        return inside and not overlaps(box, self._taken)


_STEP: Final = 1.0  # mm between the points of a line to avoid
_LATER: Final = 0.35  # what a later place costs, in such points
_STRUCK: Final = 2.0  # what any line through the words costs


def _end(start: Point, box: Box) -> Point:
    """Where the line that joins a label to its point ends at the label."""
    x = min(max(start[0], box[0] + 0.5), box[2] - 0.5)
    return x, min(max(start[1], box[1] + 0.2), box[3])


def _around_line(start: Point, end: Point) -> Box:
    (x, y), (u, v) = start, end
    return min(x, u) - 0.1, min(y, v) + 0.4, max(x, u) + 0.1, max(y, v) - 0.1
