"""Millimetres of a page to pixels of its picture: a projective map, and what is seen through it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

Picture = np.ndarray[Any, Any]  # grey, 0 black to 255 white
Map = np.ndarray[Any, Any]  # 3 × 3
Point = tuple[float, float]


def projective(places: Sequence[Point], seen: Sequence[Point]) -> Map:
    """The map that takes each place to where it is seen: of four points or more, least squares.

    ValueError where there is none.
    """
    rows, right = [], []
    for (x, y), (u, v) in zip(places, seen, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        right += [u, v]
    return _solved(rows, right, 8)


def affine(places: Sequence[Point], seen: Sequence[Point]) -> Map:
    """The same without perspective: of three points or more."""
    rows, right = [], []
    for (x, y), (u, v) in zip(places, seen, strict=True):
        rows += [[x, y, 1, 0, 0, 0], [0, 0, 0, x, y, 1]]
        right += [u, v]
    return _solved(rows, right, 6)


def _solved(rows: list[list[float]], right: list[float], unknown: int) -> Map:
    found, _, rank, _ = np.linalg.lstsq(np.array(rows, float), np.array(right, float), rcond=1e-12)
    if rank < unknown or not np.isfinite(found).all():
        raise ValueError("points that tell no map")
    return np.append(found, [0.0, 0.0, 1.0][unknown - 6 :] if unknown == 6 else [1.0]).reshape(3, 3)


def seen_at(map_: Map, x: Any, y: Any) -> tuple[Any, Any]:
    """Where places in mm are seen, in pixels."""
    depth = map_[2, 0] * x + map_[2, 1] * y + map_[2, 2]
    u = (map_[0, 0] * x + map_[0, 1] * y + map_[0, 2]) / depth
    v = (map_[1, 0] * x + map_[1, 1] * y + map_[1, 2]) / depth
    return u, v


def pixels_per_mm(map_: Map, at: Point) -> float:
    """How fine a picture is around a place."""
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
