"""Ink as arrays, 0 to 1: cut, resized, laid on and beside each other."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from PIL import Image


class Sign(NamedTuple):
    """A sign and where it stands in ink, in pixels: twice its middle; of an X where it begins and ends."""

    sign: str
    begin: float
    end: float

    def moved(self, by: float) -> Sign:
        return Sign(self.sign, self.begin + by, self.end + by)


def no_number(signs: list[Sign], begin: float, end: float) -> list[Sign]:
    """The same, with one X for what stands between."""
    before = [each for each in signs if each.end < begin]
    return [*before, Sign("X", begin, end), *(each for each in signs if each.begin > end)]


def cropped(ink: np.ndarray) -> np.ndarray:
    rows, columns = np.flatnonzero(ink.max(1) > 0.1), np.flatnonzero(ink.max(0) > 0.1)
    if not len(rows) or not len(columns):
        return np.zeros((2, 2), np.float32)
    return ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def resized(ink: np.ndarray, wide: int, high: int) -> np.ndarray:
    image = Image.fromarray((np.clip(ink, 0, 1) * 255).astype(np.uint8))
    return np.asarray(image.resize((max(1, wide), max(1, high)), Image.Resampling.BILINEAR), np.float32) / 255


def barred(ink: np.ndarray, at: float, pen: int) -> np.ndarray:
    row = int(at)
    columns = np.flatnonzero(ink[row] > 0.3)
    middle = int(columns.mean()) if len(columns) else ink.shape[1] // 2
    half = max(3, ink.shape[1] // 3)
    ink = np.pad(ink, ((0, 0), (2, 6)))
    ink[row : row + pen, max(0, middle + 2 - half) : middle + 2 + half] = 1
    return ink


def over(ink: np.ndarray, other: np.ndarray, rng: np.random.Generator, loose: float) -> np.ndarray:
    left = round((ink.shape[1] - other.shape[1]) / 2 + rng.normal(0, loose) * ink.shape[1])
    top = round((ink.shape[0] - other.shape[0]) / 2 + rng.normal(0, loose) * ink.shape[0])
    return over_at(ink, other, left, top)


def over_at(ink: np.ndarray, other: np.ndarray, left: int, top: int) -> np.ndarray:
    x, y = min(0, left), min(0, top)
    wide = max(ink.shape[1], left + other.shape[1]) - x
    high = max(ink.shape[0], top + other.shape[0]) - y
    out = np.zeros((high, wide), np.float32)
    out[-y : -y + ink.shape[0], -x : -x + ink.shape[1]] = ink
    part = out[top - y : top - y + other.shape[0], left - x : left - x + other.shape[1]]
    np.maximum(part, other, out=part)
    return out


def beside(one: np.ndarray, other: np.ndarray, gap: int) -> np.ndarray:
    high = max(one.shape[0], other.shape[0])
    out = np.zeros((high, one.shape[1] + gap + other.shape[1]), np.float32)
    out[high - one.shape[0] :, : one.shape[1]] = one
    out[high - other.shape[0] :, one.shape[1] + gap :] = other
    return out
