"""A filled-in box as a scanner, copier or phone shows it to the reader, and what stands in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hands import MM, Hand, number
from ink import resized
from packages import Material
from PIL import Image, ImageFilter

HEIGHT, WIDTH = 32, 96
FINE = 2  # drawn twice as fine


@dataclass(frozen=True)
class Sample:
    """A box as (2, HEIGHT, WIDTH), what the scan shows and the empty print, and what stands in it.

    spans: of its signs, in pixels: twice the middle; of an X where it begins and ends.
    """

    box: np.ndarray
    text: str
    spans: tuple[tuple[float, float], ...]


def sample(rng: np.random.Generator, stuff: Material) -> Sample:
    """A box as a hand fills it in."""
    hand = Hand(rng, stuff)
    kind = rng.random()
    if kind < 0.04:
        ink = np.zeros((2, 2), np.float32)
    elif kind < 0.30:
        ink = hand.something_else()
    else:
        ink = hand.text(number(rng))
    signs, room = hand.signs, ink.shape[1]
    box, left, wide = in_a_box(rng, hand, ink)
    spans = ((left + each.begin / room * wide, left + each.end / room * wide) for each in signs)
    return Sample(box, "".join(each.sign for each in signs), tuple(spans))


def in_a_box(rng: np.random.Generator, hand: Hand, ink: np.ndarray) -> tuple[np.ndarray, float, float]:
    """Ink in a printed frame, as a scanner, copier or phone sees it; where the ink begins, how wide it is."""
    high, wide = HEIGHT * FINE, WIDTH * FINE
    box_high, box_wide = rng.choice([8.9, 8.9, 8.9, 7.4, 6.4]) * MM, rng.uniform(13.0, 25.5) * MM
    room = (box_wide - 0.6 * MM) / max(1, ink.shape[1]), (box_high + 0.4 * MM) / max(1, ink.shape[0])
    if min(room) < 1:
        ink = resized(ink, int(ink.shape[1] * min(room)), int(ink.shape[0] * min(room)))
    left, top = (wide - box_wide) / 2, (high - box_high) / 2
    clean, seen = np.zeros((high, wide), np.float32), np.zeros((high, wide), np.float32)
    rule, dark = rng.uniform(0.15, 0.55) * MM, rng.uniform(0.55, 1.0)
    table, dashes = rng.random() < 0.75, rng.random() < 0.04
    offset = rng.normal(0, 0.12, 2) * MM
    for canvas, (dx, dy) in ((clean, (0.0, 0.0)), (seen, tuple(offset))):
        for y in (top, top + box_high):
            begin, end = (0, wide + dx) if table else (left + dx, left + box_wide + dx)
            _rect(canvas, begin, y - rule / 2 + dy, end, y + rule / 2 + dy)
        for x in (left, left + box_wide):
            span = (0, high) if table else (top, top + box_high)
            _rect(canvas, x - rule / 2 + dx, span[0] + dy, x + rule / 2 + dx, span[1] + dy)
        if dashes:
            canvas[:, ::6] *= 0.3
    seen *= dark
    x = round(left + rng.uniform(0.15, 0.85) * max(0.0, box_wide - ink.shape[1]))
    y = round(top + rng.normal(0.5, 0.13) * (box_high - ink.shape[0]))
    x, y = int(np.clip(x, 0, wide - 2)), int(np.clip(y, 0, high - 2))
    pen = np.zeros_like(seen)
    part = ink[: high - y, : wide - x]
    pen[y : y + part.shape[0], x : x + part.shape[1]] = part
    if rng.random() < 0.2:  # the neighbours' writing beside the box
        stranger, side = hand.text(number(rng)), rng.random() < 0.5
        shown = stranger[:high, : int(rng.uniform(0.2, 1.5) * MM) + int(left)]
        down = rng.integers(0, max(1, high - shown.shape[0]))
        if side:
            pen[down : down + shown.shape[0], : min(shown.shape[1], int(left))] += shown[:, : int(left)]
        else:
            start = int(left + box_wide + 1)
            part = shown[:, : max(0, wide - start)]
            pen[down : down + part.shape[0], start : start + part.shape[1]] += part
    if rng.random() < 0.12:  # a stroke from above or below
        at = int(left + rng.uniform(0, 1) * box_wide)
        depth = int(rng.uniform(0.4, 1.4) * MM)
        rows = slice(0, int(top) + depth) if rng.random() < 0.5 else slice(high - int(top) - depth, high)
        pen[rows, at : at + max(1, int(hand.pen))] = 1
    seen = np.maximum(seen, np.clip(pen, 0, 1) * rng.uniform(0.5, 1.0))
    both = np.stack([_scanned(rng, seen), _reduced(clean)])
    edge = 0.5 * MM  # what stands farther outside is not shown to the reader
    rows = _inside(HEIGHT, top - edge, top + box_high + edge)
    columns = _inside(WIDTH, left - edge, left + box_wide + edge)
    return both * rows[:, None] * columns, x / FINE, ink.shape[1] / FINE


def _inside(pixels: int, low: float, high: float) -> np.ndarray:
    middles = (np.arange(pixels) + 0.5) * FINE
    return ((middles > low) & (middles < high)).astype(np.float32)


def _rect(canvas: np.ndarray, left: float, top: float, right: float, bottom: float) -> None:
    canvas[max(0, round(top)) : max(0, round(bottom)), max(0, round(left)) : max(0, round(right))] = 1


def _reduced(canvas: np.ndarray) -> np.ndarray:
    return canvas.reshape(HEIGHT, FINE, WIDTH, FINE).mean((1, 3))


def _scanned(rng: np.random.Generator, ink: np.ndarray) -> np.ndarray:
    image = Image.fromarray((np.clip(ink, 0, 1) * 255).astype(np.uint8))
    if rng.random() < 0.5:
        angle, scale = rng.normal(0, 0.006), 1 + rng.normal(0, 0.01)
        at = np.array(image.size) / 2
        x, y = at * (1 - scale) + angle * at[::-1] * (-1, 1)
        turned = (scale, angle, x, -angle, scale, y)
        image = image.transform(image.size, Image.Transform.AFFINE, turned, Image.Resampling.BILINEAR)
    if rng.random() < 0.8:
        image = image.filter(ImageFilter.GaussianBlur(rng.uniform(0.2, 1.6)))
    seen = np.asarray(image, np.float32) / 255
    kind = rng.random()
    if kind < 0.18:  # 1 bit
        seen = (seen + rng.normal(0, 0.04, seen.shape) > rng.uniform(0.2, 0.45)).astype(np.float32)
    elif kind < 0.4:  # a copier: steep
        seen = np.clip((seen - rng.uniform(0.1, 0.3)) * rng.uniform(1.4, 3), 0, 1)
    seen = _reduced(seen.astype(np.float32))
    seen = seen + rng.normal(0, rng.uniform(0.005, 0.05), seen.shape) + rng.uniform(-0.03, 0.08)
    return np.clip(seen, 0, 1).astype(np.float32)
