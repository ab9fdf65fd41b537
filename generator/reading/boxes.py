"""The boxes of a page: each is settled on the frame printed around it, and shown as the reader sees it."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from generator.output.page_marks import Blank
from generator.reading.pages import FoundPage, Picture, window

HEIGHT: Final = 32  # of what the reader sees, in its pixels
_STEP: Final = 16  # widths are multiples of it
_NARROWEST: Final = 96
_PX_PER_MM: Final = 3.5
MARGIN: Final = 3.0  # mm around a box that are looked at
_FINE: Final = 8.0  # pixels to a mm while settling, and of the crop that a person sees
RULE: Final = 0.45  # mm, of the frames
_LOOSE: Final = 2.2  # mm that a frame may lie beside where it is expected
_NEAR: Final = 1.2  # mm, of a frame that tells which page it is on
_LINE: Final = 0.45  # mean darkness along a side that is a frame's
_BESIDE: Final = 0.5  # mm beside a box that the reader still sees
_WIDER: Final = (1.0, 1.2)  # how the views are drawn out: narrow hands are read better so, wide ones worse
_STRETCH: Final = 0.9  # mm that a box may be wider or narrower than printed, on bent paper


@dataclass(frozen=True)
class Box:
    """A box of a page. seen: ink 0 to 1, `_FINE` pixels to a mm, with a margin. at: its sides in there.

    settled: whether its frame was found.
    """

    blank: Blank
    seen: Picture
    at: tuple[float, float, float, float]
    settled: bool


def boxes_of(picture: Picture, page: FoundPage, blanks: list[Blank]) -> list[Box]:
    """The boxes of a page. Where a frame is not found, the others of the page tell how far it is off."""
    patches = [_patch(picture, page, blank) for blank in blanks]
    offsets = [_settle(patch, blank) for patch, blank in zip(patches, blanks, strict=True)]
    found = [offset for offset in offsets if offset is not None]
    usual = np.median(np.array(found), axis=0) if found else np.zeros(4)
    boxes = []
    for blank, patch, offset in zip(blanks, patches, offsets, strict=True):
        moved = np.asarray(_expected(blank)) + (usual if offset is None else np.asarray(offset))
        left, top, right, bottom = (float(side) for side in moved)
        boxes.append(Box(blank, patch, (left, top, right, bottom), offset is not None))
    return boxes


def settled_share(picture: Picture, page: FoundPage, blanks: list[Blank]) -> float:
    """Of how many blanks the frame is found just where it is printed."""
    offsets = [_settle(_patch(picture, page, blank), blank) for blank in blanks]
    near = [offset for offset in offsets if offset is not None and max(map(abs, offset)) <= _NEAR]
    return len(near) / len(blanks)


def _expected(blank: Blank) -> tuple[float, float, float, float]:
    wide, high = blank.right - blank.left, blank.bottom - blank.top
    return (MARGIN, MARGIN, MARGIN + wide, MARGIN + high)


def _patch(picture: Picture, page: FoundPage, blank: Blank) -> Picture:
    corner = blank.left - MARGIN, blank.top - MARGIN
    size = blank.right - blank.left + 2 * MARGIN, blank.bottom - blank.top + 2 * MARGIN
    seen = window(picture, page.map, corner, size, _FINE)
    white = max(float(np.percentile(seen, 85)), page.black + 40)
    return np.clip((white - seen) / (white - page.black), 0, 1)


def _settle(patch: Picture, blank: Blank) -> tuple[float, float, float, float] | None:
    """How far each side (left, top, right, bottom) lies beside its place, in mm; None: not found."""
    left, top, right, bottom = _expected(blank)
    for _ in range(2):  # the second time along the sides found the first time
        rows = patch[round((top + 0.9) * _FINE) : round((bottom - 0.9) * _FINE)]
        columns = patch[:, round((left + 0.9) * _FINE) : round((right - 0.9) * _FINE)]
        across = _pair(rows.mean(0), left, right, blank.right - blank.left)
        down = _pair(columns.mean(1), top, bottom, blank.bottom - blank.top)
        if across is None or down is None:
            return None
        (left, right), (top, bottom) = across, down
    was = _expected(blank)
    return left - was[0], top - was[1], right - was[2], bottom - was[3]


def _pair(profile: Picture, low: float, high: float, apart: float) -> tuple[float, float] | None:
    """Two parallel sides in a profile of darkness, about `apart` mm from each other."""
    wide = round(RULE * _FINE)
    line = np.convolve(profile, np.ones(wide) / wide, "same")
    places = (np.arange(len(line)) + 0.5) / _FINE
    near = [np.flatnonzero(np.abs(places - side) <= _LOOSE) for side in (low, high)]
    if not all(len(each) for each in near):
        return None
    first, second = (line[each] for each in near)
    stretch = places[near[1]][None, :] - places[near[0]][:, None] - apart
    moved = np.abs(places[near[0]] - low)[:, None] + np.abs(places[near[1]] - high)[None, :]
    score = first[:, None] + second[None, :] - 0.25 * np.abs(stretch) - 0.04 * moved
    score = np.where(np.abs(stretch) <= _STRETCH, score, -1)
    one, other = np.unravel_index(int(score.argmax()), score.shape)
    if min(first[one], second[other]) < _LINE * 0.6 or first[one] + second[other] < 2 * _LINE:
        return None
    return float(places[near[0][one]]), float(places[near[1][other]])


def for_reader(box: Box) -> list[Picture]:
    """Views of the box (2, HEIGHT, width): what is seen, and the empty print beside it; ink 0 to 1."""
    return [_view(box, wider) for wider in _WIDER]


def _view(box: Box, wider: float) -> Picture:
    left, top, right, bottom = box.at
    high = HEIGHT / _PX_PER_MM
    shrink = max(1.0, (bottom - top) / (high - 0.1))  # a high box is made smaller
    per_mm = _PX_PER_MM / shrink
    across = per_mm * wider
    need = (right - left + 1.0) * across
    width = max(_NARROWEST, int(np.ceil(need / _STEP)) * _STEP)
    x = (left + right) / 2 + (np.arange(width) + 0.5 - width / 2) / across
    y = (top + bottom) / 2 + (np.arange(HEIGHT) + 0.5 - HEIGHT / 2) / per_mm
    rows, columns = _inside(y, top, bottom), _inside(x, left, right)  # neighbours may write in their boxes
    both = np.stack([_resampled(box.seen, x, y, across, per_mm), _frame(box.at, x, y, across, per_mm)])
    return np.asarray(both * rows[:, None] * columns)


def _inside(places: Picture, low: float, high: float) -> Picture:
    return np.asarray((places > low - _BESIDE) & (places < high + _BESIDE))


def _resampled(seen: Picture, x: Picture, y: Picture, across: float, down: float) -> Picture:
    """The mean over each pixel of the reader; nothing where nothing was looked at."""
    rows = _mean_along(seen, y - 0.5 / down, y + 0.5 / down, 0)
    return _mean_along(rows, x - 0.5 / across, x + 0.5 / across, 1)


def _mean_along(seen: Picture, low: Picture, high: Picture, axis: int) -> Picture:
    total = np.concatenate([np.zeros_like(seen.take([0], axis)), seen.cumsum(axis)], axis)
    most = seen.shape[axis]
    ends = []
    for places in (low, high):
        at = np.clip(places * _FINE, 0, most)
        whole = np.minimum(at.astype(int), most - 1)
        part = at - whole
        part = part[:, None] if axis == 0 else part[None, :]
        ends.append(total.take(whole, axis) * (1 - part) + total.take(whole + 1, axis) * part)
    length = (high - low) * _FINE
    return np.asarray((ends[1] - ends[0]) / (length[:, None] if axis == 0 else length[None, :]))


def _frame(
    at: tuple[float, float, float, float], x: Picture, y: Picture, per_mm_x: float, per_mm_y: float
) -> Picture:
    """The empty print: the frame of the box."""

    def line(places: Picture, side: float, per_mm: float) -> Picture:
        half = 0.5 / per_mm
        covered = np.minimum(places + half, side + RULE / 2) - np.maximum(places - half, side - RULE / 2)
        return np.clip(covered * per_mm, 0, 1)

    left, top, right, bottom = at
    across = np.maximum(line(x, left, per_mm_x), line(x, right, per_mm_x))[None, :]
    down = np.maximum(line(y, top, per_mm_y), line(y, bottom, per_mm_y))[:, None]
    return np.asarray(np.maximum(across + 0 * down, down + 0 * across))


def crop_of(box: Box) -> Picture:
    """The part of a scan around a box, in grey, for a person to look at."""
    left, top, right, bottom = (round(side * _FINE) for side in box.at)
    edge = round(1.2 * _FINE)
    part = box.seen[max(0, top - edge) : bottom + edge, max(0, left - edge) : right + edge]
    return np.asarray(255 * (1 - part), np.uint8)
