"""Finds the pages in a picture: their marks, and where on the picture each millimetre of them is.

A map takes millimetres of a page to pixels of its picture; pages are looked at through it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from generator.options.sheet_code import looks_like_code
from generator.output.page_marks import Layout, PageMark

Picture = np.ndarray[Any, Any]  # grey, 0 black to 255 white
Map = np.ndarray[Any, Any]  # 3 × 3
Point = tuple[float, float]
Paper = tuple[Point, Layout]  # the size of its pages in mm, and where their marks are


def map_of(places: Sequence[Point], seen: Sequence[Point], perspective: bool = False) -> Map:
    """The map that takes each place to where it is seen: of three points or more, least squares.

    perspective: takes four points. ValueError where there is no map.
    """
    unknown = 8 if perspective else 6
    rows: list[list[float]] = []
    for (x, y), (u, v) in zip(places, seen, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
    right = np.array(seen, float).ravel()
    found, _, rank, _ = np.linalg.lstsq(np.array(rows, float)[:, :unknown], right, rcond=1e-12)
    if rank < unknown or not np.isfinite(found).all():
        raise ValueError("points that tell no map")
    return np.append(found, [0.0, 0.0, 1.0][unknown - 6 :]).reshape(3, 3)


def seen_at(map_: Map, x: Any, y: Any) -> tuple[Any, Any]:
    """Where places in mm are seen, in pixels."""
    depth = map_[2, 0] * x + map_[2, 1] * y + map_[2, 2]
    u = (map_[0, 0] * x + map_[0, 1] * y + map_[0, 2]) / depth
    v = (map_[1, 0] * x + map_[1, 1] * y + map_[1, 2]) / depth
    return u, v


def pixels_per_mm(map_: Map, at: Point) -> float:
    """The resolution of a scan around a place on the paper."""
    (u, v), (right, low), (down, under) = (
        seen_at(map_, at[0] + dx, at[1] + dy) for dx, dy in ((0, 0), (1, 0), (0, 1))
    )
    return float(min(np.hypot(right - u, low - v), np.hypot(down - u, under - v)))


def window(
    picture: Picture, map_: Map, corner: Point, size: Point, fine: float, outside: float = 255.0
) -> Picture:
    """A rectangle of the page (upper left corner and size in mm), `fine` pixels to a mm.

    Several points of the picture make one of the window where the picture is finer.
    """
    wide, high = max(1, round(size[0] * fine)), max(1, round(size[1] * fine))
    times = int(np.clip(pixels_per_mm(map_, (corner[0] + size[0] / 2, corner[1] + size[1] / 2)) / fine, 1, 4))
    x = corner[0] + (np.arange(wide * times) + 0.5) / (fine * times)
    y = corner[1] + (np.arange(high * times) + 0.5) / (fine * times)
    found = _bilinear(picture, *seen_at(map_, x[None, :], y[:, None]), outside)
    return np.asarray(found.reshape(high, times, wide, times).mean((1, 3)))


def _bilinear(picture: Picture, u: Picture, v: Picture, outside: float) -> Picture:
    high, wide = picture.shape
    u, v = u - 0.5, v - 0.5
    inside = (u > -1) & (v > -1) & (u < wide) & (v < high)
    u, v = np.clip(u, 0, wide - 1.001), np.clip(v, 0, high - 1.001)
    left, top = u.astype(np.intp), v.astype(np.intp)
    right, down = (u - left).astype(np.float32), (v - top).astype(np.float32)
    above = picture[top, left] * (1 - right) + picture[top, left + 1] * right
    below = picture[top + 1, left] * (1 - right) + picture[top + 1, left + 1] * right
    return np.where(inside, above * (1 - down) + below * down, outside).astype(np.float32)


_COARSE: Final = 3.6  # pixels to a mm, about 90 dpi: below, digits are a few dots
_CONTRAST: Final = 50  # of 255, between paper and print
_FINE: Final = 4.0  # pixels to a mm where squares of 5 mm are looked for, and more for smaller ones
_SIDE_OF_FINE: Final = 5.0
_AROUND: Final = (9.0, 24.0, 28.0, 32.0)  # mm that a square may lie beside its guess, in the order of search
_UNKNOWN: Final = 15.0  # mm, where no code says where the page lies
_SURE: Final = 0.5  # how much darker a square is than what surrounds it
_LIGHT: Final = 50.0  # the darkest that may surround it
_ORDER: Final = (1, 0, 2, 3)  # the square beside the DataMatrix, then those that its neighbours tell more of


@dataclass(frozen=True)
class FoundPage:
    """A page in a picture. black: what print looks like. fault: why it cannot be read."""

    mark: PageMark
    map: Map
    black: float = 0.0
    fault: str = ""


def find_pages(picture: Picture, papers: dict[str, Paper], usual: Paper) -> list[FoundPage]:
    """Every page of ours in a picture. papers: by sheet; usual: of a sheet not known."""
    return [
        _placed(picture, mark, corners, papers.get(mark.sheet, usual)) for mark, corners in _marks(picture)
    ]


def placed_without_code(picture: Picture, size: Point, marks: Layout) -> Iterator[FoundPage]:
    """A page that fills the picture, placed by its squares, each way it may lie; its mark says nothing."""
    high, wide = picture.shape
    width, height = size
    around = [(0.0, 0.0), (wide, 0.0), (wide, high), (0.0, high)]
    for turn in range(4):
        corners = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]
        seen = around[turn:] + around[:turn]
        if (turn % 2 == 1) == ((wide > high) == (width > height)):
            continue  # it lies the other way
        try:
            map_ = map_of(corners, seen)
        except ValueError:
            continue
        page = _by_squares(picture, PageMark("", 0, 0), map_, size, marks, ([], []), (_UNKNOWN,) * 4)
        if not page.fault:
            yield page


def names_in(picture: Picture) -> tuple[str, str]:
    """Short name and code of the sheet that a picture shows, of its DataMatrix and its QR code; or ""."""
    import zxingcpp

    kind: Any = zxingcpp.BarcodeFormat.QRCode
    mark = next((mark.sheet for mark, _ in _marks(picture)), "")
    found = zxingcpp.read_barcodes(np.ascontiguousarray(picture.astype(np.uint8)), formats=kind)
    return mark, next((each.text for each in found if looks_like_code(each.text)), "")


def is_blank(picture: Picture) -> bool:
    """Whether nothing stands on a page; the edges, where scanners draw shadows, are left out."""
    high, wide = picture.shape
    inner = picture[high // 12 : -high // 12 or None, wide // 12 : -wide // 12 or None]
    if not inner.size:
        return True
    small = inner[:: max(1, high // 600), :: max(1, wide // 600)]
    return float((small < np.median(small) - 40).mean()) < 0.0008


def _marks(picture: Picture) -> Iterator[tuple[PageMark, list[Point]]]:
    """The DataMatrices of ours, each once, with their corners clockwise from the upper left."""
    import zxingcpp

    kind: Any = zxingcpp.BarcodeFormat.DataMatrix
    known: set[PageMark] = set()
    for smaller in (1, 2, 3):
        shown: Any = np.ascontiguousarray(_smaller(picture, smaller).astype(np.uint8))
        found = zxingcpp.read_barcodes(shown, formats=kind)
        for each in found:
            mark = PageMark.of(each.text)
            if mark is None or mark in known:
                continue
            known.add(mark)
            at = each.position
            corners = [at.top_left, at.top_right, at.bottom_right, at.bottom_left]
            yield mark, [(corner.x * smaller, corner.y * smaller) for corner in corners]
        if known or min(picture.shape) < 1500:
            return


def _smaller(picture: Picture, times: int) -> Picture:
    if times == 1:
        return picture
    high, wide = (side // times * times for side in picture.shape)
    parts = picture[:high, :wide].reshape(high // times, times, wide // times, times)
    return np.asarray(parts.mean((1, 3)))


def _placed(picture: Picture, mark: PageMark, seen: list[Point], paper: Paper) -> FoundPage:
    size, marks = paper
    (left, top), side = marks.matrix_corner(size[0]), marks.matrix
    places = [(left, top), (left + side, top), (left + side, top + side), (left, top + side)]
    map_ = map_of(places, seen)
    if pixels_per_mm(map_, (left, top)) < _COARSE:
        return FoundPage(mark, map_, fault="coarse")
    return _by_squares(picture, mark, map_, size, marks, (places, seen), _AROUND)


def _by_squares(
    picture: Picture,
    mark: PageMark,
    map_: Map,
    size: Point,
    marks: Layout,
    known_before: tuple[list[Point], list[Point]],
    reach: Sequence[float],
) -> FoundPage:
    """known_before: places that are seen already. reach: mm that each square may lie beside its guess."""
    squares, half = marks.squares(*size), marks.square / 2
    found: dict[int, Point] = {}
    for number, around in zip(_ORDER, reach, strict=True):
        middle = squares[number][0] + half, squares[number][1] + half
        at = _square(picture, map_, middle, around, marks.square)
        if at is None:
            continue
        found[number] = at
        known = [(squares[n][0] + half, squares[n][1] + half) for n in found]
        map_ = _nearer(known, list(found.values()), *known_before, map_)
    if len(found) < 3:
        return FoundPage(mark, map_, fault="cropped")
    black, white = _shades(picture, map_, [squares[n] for n in found], marks.square)
    fault = "dark" if white - black < _CONTRAST else ""
    return FoundPage(mark, map_, black, fault)


def _nearer(known: list[Point], at: list[Point], places: list[Point], seen: list[Point], before: Map) -> Map:
    """The map through the squares found so far; the DataMatrix helps while they are few."""
    if len(known) >= 4:
        return map_of(known, at, perspective=True)
    if len(known) == 3:
        return map_of(known, at)
    if not places:
        return before
    many = 6  # a square tells more than a corner of the DataMatrix
    try:
        return map_of(places + known * many, seen + at * many)
    except ValueError:
        return before


def _square(picture: Picture, map_: Map, middle: Point, around: float, side: float) -> Point | None:
    """Where a square is seen, looked for around its guess; None if there is none."""
    reach = around + side
    corner = middle[0] - reach, middle[1] - reach
    fine = _FINE * _SIDE_OF_FINE / side
    seen = window(picture, map_, corner, (2 * reach, 2 * reach), fine, float(np.median(picture)))
    inner, ring = round(side * 0.86 * fine), round(side * 1.7 * fine)
    margin = (ring - inner) // 2
    whole = _means(seen, ring) * ring**2
    middles = _means(seen, inner)[margin:, margin:][: whole.shape[0], : whole.shape[1]]
    rings = (whole - middles * inner**2) / (ring**2 - inner**2)
    score = 1 - middles / np.maximum(np.minimum(rings, _darkest_side(seen, ring, margin)), _LIGHT)
    best = np.unravel_index(int(score.argmax()), score.shape)
    if score[best] < _SURE:
        return None
    top, left = (int(place) + margin - 3 for place in best)
    span = inner + 6
    patch = 1 - seen[max(0, top) : top + span, max(0, left) : left + span] / rings[best]
    patch = np.where(patch > _SURE * 0.8, patch, 0)
    y = max(0, top) + (patch.sum(1) @ (np.arange(patch.shape[0]) + 0.5)) / patch.sum()
    x = max(0, left) + (patch.sum(0) @ (np.arange(patch.shape[1]) + 0.5)) / patch.sum()
    u, v = seen_at(map_, corner[0] + x / fine, corner[1] + y / fine)
    return float(u), float(v)


def _darkest_side(picture: Picture, ring: int, margin: int) -> Picture:
    """Of the four sides around each square: a desk beside the paper is dark on one of them."""
    beside = _means(picture, margin)
    middle, far = (ring - margin) // 2, ring - margin
    high, wide = (side - ring + 1 for side in picture.shape)
    places = (0, middle), (far, middle), (middle, 0), (middle, far)
    return np.asarray(np.minimum.reduce([beside[y : y + high, x : x + wide] for y, x in places]))


def _means(picture: Picture, side: int) -> Picture:
    """The mean of every square of so many pixels, by its upper left corner."""
    total = np.pad(picture.cumsum(0).cumsum(1), ((1, 0), (1, 0)))
    sums = total[side:, side:] - total[:-side, side:] - total[side:, :-side] + total[:-side, :-side]
    return np.asarray(sums / side**2)


def _shades(picture: Picture, map_: Map, squares: list[Point], side: float) -> tuple[float, float]:
    edge, around = side / 5, side / 2
    inside = [
        window(picture, map_, (x + edge, y + edge), (side - 2 * edge,) * 2, _FINE).mean() for x, y in squares
    ]
    beside = [
        np.percentile(window(picture, map_, (x - around, y - around), (2 * side, 2 * side), _FINE), 75)
        for x, y in squares
    ]
    return float(np.median(inside)), float(np.median(beside))
