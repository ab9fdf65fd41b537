"""Hands that the reader's training has never seen: strokes of our own.

A hand always writes the same shapes, each sign one of its variants, bent in its own way, and shakes a little
anew each time. Everything is drawn with a pen in mm on a canvas of `PX` pixels to a mm.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from generator.output.page_marks import Blank

PX = 16
MM = 8.0  # pixels of a page to a mm
_STROKES = Path(__file__).with_name("strokes.txt").read_text(encoding="utf-8").splitlines()
# By sign its variants, each some strokes through points of a square one high, y downwards.
_SHAPES = {
    sign: [line[2:] for line in _STROKES if line[0] == sign]
    for sign in dict.fromkeys(line[0] for line in _STROKES)
}
_WORDS = ("ja", "nein", "?", "x", "weiß", "k", "hat", "wenn", "ex", "0,x", "na", "-x", "2a")


class Hand:
    """One person's."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
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
        rng, lines, x = self.rng, [], 0.0
        for sign in text:
            strokes = self._sign(sign if sign in _SHAPES else "e")
            points = np.concatenate(strokes)
            line = rng.normal(0, 0.03 + self.mess) * self.tall
            move = np.array([x - points[:, 0].min(), line])
            lines += [np.add(stroke, move) for stroke in strokes]
            gap = max(0.15, self.gap + rng.normal(0, 0.15)) * (0.6 if sign == "," else 1)
            x += np.ptp(points[:, 0]) + gap
        return _leaning(self._drawn(lines), self.lean)

    def words(self) -> Image.Image:
        return self.number(str(self.rng.choice(_WORDS)))

    def crossed_out(self, text: str) -> Image.Image:
        """A number under one stroke, two, a scribble of loops or a cross."""
        rng, ink = self.rng, self.number(text)
        wide, high = ink.width / PX, ink.height / PX
        turn = np.linspace(0, rng.uniform(14, 30), 90)
        loops = np.stack([turn / turn[-1] * wide + 0.5 * np.cos(turn), high * (0.5 + 0.4 * np.sin(turn))], 1)
        strokes = [np.array([[-0.3, y * high], [wide + 0.3, (y - 0.15) * high]]) for y in (0.45, 0.7)]
        cross = [np.array([[0, 0], [wide, high]]), np.array([[wide, 0.1], [0, high]])]
        over = self._drawn(
            [_smooth(line) for line in (strokes[:1], strokes, [loops], cross)[rng.integers(4)]]
        )
        both = np.zeros((max(ink.height, over.height), max(ink.width, over.width)), np.uint8)
        for each in (ink, over):
            y, x = (both.shape[0] - each.height) // 2, (both.shape[1] - each.width) // 2
            place = both[y : y + each.height, x : x + each.width]
            np.maximum(place, np.asarray(each), out=place)
        return Image.fromarray(both)

    def fill(self, page: Image.Image, blank: Blank, drawn: Image.Image) -> None:
        """Into its box, smaller where it is too large."""
        rng = self.rng
        room = (blank.right - blank.left - 0.6) * MM, (blank.bottom - blank.top - 0.2) * MM
        scale = min(MM / PX, room[0] / drawn.width, room[1] / drawn.height)
        drawn = drawn.resize([max(1, round(side * scale)) for side in drawn.size], Image.Resampling.LANCZOS)
        x = blank.left * MM + 0.3 * MM + rng.uniform(0.1, 0.7) * (room[0] - drawn.width)
        y = blank.top * MM + 0.1 * MM + np.clip(rng.normal(0.55, 0.2), 0, 1) * (room[1] - drawn.height)
        at = (round(x), round(y))
        page.paste(round(255 * (1 - self.dark)), (*at, at[0] + drawn.width, at[1] + drawn.height), drawn)

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

    def _drawn(self, lines: list[np.ndarray]) -> Image.Image:
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
