"""Hands that the reader's training has never seen: strokes of our own, and fonts kept apart for it.

A hand always writes the same shapes, each sign one of its variants, bent in its own way, and shakes a little
anew each time. Everything is drawn with a pen in mm on a canvas of `PX` pixels to a mm.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

PX = 16
FONTS = """annie-use-your-telescope edu-nsw-act-foundation edu-qld-beginner edu-sa-beginner edu-tas-beginner
edu-vic-wa-nt-beginner gaegu homemade-apple itim kristi mali mansalva rock-salt the-girl-next-door"""
_STROKES = Path(__file__).with_name("strokes.txt").read_text(encoding="utf-8").splitlines()
# By sign its variants, each some strokes through points of a square one high, y downwards.
_SHAPES = {
    sign: [line[2:] for line in _STROKES if line[0] == sign]
    for sign in dict.fromkeys(line[0] for line in _STROKES)
}
_WORDS = ("ja", "nein", "?", "x", "weiß", "k", "hat", "wenn", "ex", "0,x", "na", "-x", "2a")
_TALL = 0.72  # of a font's size: its digits


class Hand:
    """One person's. fonts: files, one of which it may write with instead of strokes."""

    def __init__(self, rng: np.random.Generator, fonts: list[str]) -> None:
        self.rng = rng
        self.font = str(rng.choice(fonts)) if fonts and rng.random() < 0.5 else ""
        self.tall = rng.uniform(3.0, 5.4)  # mm
        self.wide = rng.uniform(0.75, 1.2)
        self.pen = rng.uniform(0.3, 0.8)  # mm
        self.dark = rng.uniform(0.5, 0.95)
        self.lean = rng.normal(0.05, 0.15)
        self.gap = rng.uniform(0.3, 1.1)  # mm
        self.mess = rng.gamma(2.0, 0.012)  # how much a point moves each time, of the height
        self._own = {
            sign: (int(rng.integers(len(shapes))), rng.normal(0, 0.035, (40, 2)))
            for sign, shapes in _SHAPES.items()
        }

    def number(self, text: str) -> Image.Image:
        """Ink (white on black) as narrow as it is. text: also letters and signs."""
        return self._of_font(text) if self.font else self._of_strokes(text)

    def _of_font(self, text: str) -> Image.Image:
        rng, face = self.rng, ImageFont.truetype(self.font, round(self.tall * PX / _TALL))
        canvas = Image.new(
            "L", (round(face.getlength(text)) + 80 * len(text) + 200, round(self.tall * PX * 4))
        )
        x = 60.0
        for sign in text:
            y = canvas.height * 0.6 + rng.normal(0, 1 + self.mess * self.tall * PX)
            draw = ImageDraw.Draw(canvas)
            draw.text((x, y), sign, 255, face, "ls", stroke_width=int(self.pen > 0.6))
            x += face.getlength(sign) * rng.uniform(0.95, 1.1) + 0.12 * PX
        return _leaning(canvas, self.lean / 2 + rng.normal(0, 0.03))

    def _of_strokes(self, text: str) -> Image.Image:
        rng, lines, x = self.rng, [], 0.0
        for sign in text:
            if sign not in _SHAPES:
                sign = "e"
            strokes = self._sign(sign)
            points = np.concatenate(strokes)
            line = rng.normal(0, 0.03 + self.mess) * self.tall
            move = np.array([x - points[:, 0].min(), line])
            lines += [np.add(stroke, move) for stroke in strokes]
            x += np.ptp(points[:, 0]) + max(0.15, self.gap + rng.normal(0, 0.15)) * (
                0.6 if sign == "," else 1
            )
        return _leaning(self.drawn(lines), self.lean)

    def _sign(self, sign: str) -> list[np.ndarray]:
        """Strokes in mm."""
        own, bend = self._own[sign]
        shapes = _SHAPES[sign]
        shape = shapes[own] if self.rng.random() < 0.9 else shapes[self.rng.integers(len(shapes))]
        scale = self.tall * self.rng.uniform(0.9, 1.1)
        strokes, at = [], 0
        for part in shape.split("|"):
            points = np.array([[float(each) for each in point.split(",")] for point in part.split()])
            points = points + bend[at : at + len(points)] + self.rng.normal(0, self.mess, points.shape)
            at += len(points)
            strokes.append(_smooth(points) * (scale * self.wide, scale))
        return strokes

    def drawn(self, lines: list[np.ndarray]) -> Image.Image:
        """Lines in mm, with this hand's pen, pressed more and less."""
        points = np.concatenate(lines)
        low = points.min(0) - 1
        size = np.ceil((np.ptp(points, 0) + 2) * PX).astype(int)
        canvas = Image.new("L", (int(size[0]), int(size[1])))
        draw = ImageDraw.Draw(canvas)
        for line in lines:
            at = (line - low) * PX
            press = 1 + 0.25 * np.sin(
                np.linspace(0, self.rng.uniform(1, 6), len(at)) + self.rng.uniform(0, 6)
            )
            for one, other, how in zip(at[:-1], at[1:], press, strict=False):
                half = self.pen * PX * how / 2
                draw.line([*one, *other], 255, max(1, round(2 * half)))
                draw.ellipse([*(other - half), *(other + half)], 255)
        return canvas.crop(canvas.getbbox())

    def crossed_out(self, text: str) -> Image.Image:
        """A number crossed out; often with another beside it."""
        rng, ink = self.rng, self.number(text)
        wide, high = ink.width / PX, ink.height / PX
        way = rng.integers(4)
        if way == 0:  # one stroke
            lines = [
                np.array(
                    [[-0.4, high * rng.uniform(0.35, 0.75)], [wide + 0.5, high * rng.uniform(0.35, 0.6)]]
                )
            ]
        elif way == 1:  # two or three
            lines = [
                np.array([[-0.3, y * high], [wide + 0.3, (y - 0.15) * high]])
                for y in np.linspace(0.35, 0.8, rng.integers(2, 4))
            ]
        elif way == 2:  # a scribble of loops
            turn = np.linspace(0, rng.uniform(14, 30), 90)
            lines = [
                np.stack([turn / turn[-1] * wide + 0.5 * np.cos(turn), high * (0.5 + 0.4 * np.sin(turn))], 1)
            ]
        else:  # a cross
            lines = [np.array([[0, 0], [wide, high]]), np.array([[wide, 0.1], [0, high]])]
        ink = _laid(ink, self.drawn([_smooth(line) for line in lines]))
        return _beside(ink, self.number(str(rng.integers(0, 10)))) if rng.random() < 0.4 else ink

    def overwritten(self, text: str) -> Image.Image:
        """Another digit on one of them, both still to be seen."""
        rng, at = self.rng, self.rng.choice([n for n, sign in enumerate(text) if sign.isdigit()])
        other = str((int(text[at]) + rng.integers(1, 10)) % 10)
        before, same = self.number(text), self.number(other)
        left = round(before.width * (at + 0.5) / len(text) - same.width / 2)
        return _laid(before, same, max(0, left))

    def fraction(self) -> Image.Image:
        above, below = str(self.rng.integers(1, 20)), str(self.rng.integers(2, 30))
        if self.rng.random() < 0.4:
            return self.number(f"{above}/{below}")
        one, other = self.number(above), self.number(below)
        wide = max(one.width, other.width) + PX
        bar = self.drawn([np.array([[0, 0], [wide / PX, self.rng.normal(0, 0.15)]])])
        canvas = Image.new("L", (wide, one.height + other.height + bar.height + PX))
        canvas.paste(one, ((wide - one.width) // 2, 0))
        canvas.paste(bar, (0, one.height + PX // 2))
        canvas.paste(other, ((wide - other.width) // 2, canvas.height - other.height))
        return canvas

    def words(self) -> Image.Image:
        return self.number(str(self.rng.choice(_WORDS)))


def font_files(packages: Path) -> list[str]:
    """In unpacked packages `@fontsource/NAME`, each in `fontsource-NAME/package`."""
    found = [
        next((packages / f"fontsource-{name}").rglob("*-latin-400-normal.woff"), None)
        for name in FONTS.split()
    ]
    return [str(each) for each in found if each]


def _smooth(points: np.ndarray) -> np.ndarray:
    """A curve through points (Catmull-Rom)."""
    if len(points) < 3:
        steps = np.linspace(0, 1, 8)[:, None]
        return np.asarray(points[0] * (1 - steps) + points[-1] * steps)
    ends = np.concatenate([2 * points[:1] - points[1:2], points, 2 * points[-1:] - points[-2:-1]])
    t = np.linspace(0, 1, 7, endpoint=False)[:, None]
    parts = []
    for a, b, c, d in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        parts.append(
            b + t * (c - a) / 2 + t**2 * (a - 2.5 * b + 2 * c - d / 2) + t**3 * (1.5 * (b - c) + (d - a) / 2)
        )
    return np.concatenate([*parts, points[-1:]])


def _leaning(ink: Image.Image, lean: float) -> Image.Image:
    more = round(abs(lean) * ink.height) + 2
    canvas = Image.new("L", (ink.width + 2 * more, ink.height))
    canvas.paste(ink, (more, 0))
    way = (1, lean, -lean * ink.height / 2, 0, 1, 0)
    canvas = canvas.transform(canvas.size, Image.Transform.AFFINE, way, Image.Resampling.BILINEAR)
    return canvas.crop(canvas.getbbox())


def _laid(ink: Image.Image, other: Image.Image, left: int | None = None) -> Image.Image:
    """Both on each other, the other in the middle or so far from the left."""
    wide, high = max(ink.width, other.width + (left or 0)), max(ink.height, other.height)
    both = [np.zeros((high, wide), np.uint8) for _ in range(2)]
    for canvas, each, at in zip(both, (ink, other), (0 if left is not None else None, left), strict=True):
        x, y = (wide - each.width) // 2 if at is None else at, (high - each.height) // 2
        canvas[y : y + each.height, x : x + each.width] = each
    return Image.fromarray(np.maximum(*both))


def _beside(one: Image.Image, other: Image.Image) -> Image.Image:
    canvas = Image.new("L", (one.width + other.width + PX, max(one.height, other.height)))
    canvas.paste(one, (0, canvas.height - one.height))
    canvas.paste(other, (one.width + PX, canvas.height - other.height))
    return canvas
