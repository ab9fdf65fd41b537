"""What a feeder or a phone makes of a page; and where each millimetre of the page then is.

A way is a map from the picture back to the page. It is drawn as a mesh of quadrilaterals and inverted by
going back and forth, so that the true place of a box is known without the program's own geometry.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from itertools import pairwise

import numpy as np
from PIL import Image, ImageChops, ImageFilter

MM = 8.0  # pixels of a clean page to a mm
_CELLS = 24  # of the mesh, in each direction
Back = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]


class Seen:
    """A page as it is seen. back: pixels of the picture to pixels of the clean page."""

    def __init__(self, page: Image.Image, way: str, rng: np.random.Generator) -> None:
        self._page = page.size
        self.back, size, desk = (_phone if way == "phone" else _feeder)(rng, page.size)
        picture = page.transform(
            size, Image.Transform.MESH, self._mesh(size), Image.Resampling.BICUBIC, fillcolor=desk
        )
        self.picture = (_lit if way == "phone" else _scanned)(rng, picture)

    def _mesh(self, size: tuple[int, int]) -> list:
        xs, ys = (np.linspace(0, side, _CELLS + 1).round().astype(int) for side in size)
        quads = []
        for x, right in pairwise(xs):
            for y, low in pairwise(ys):
                u, v = self.back(np.array([x, x, right, right]), np.array([y, low, low, y]))
                quads.append(((x, y, right, low), tuple(np.stack([u, v], 1).ravel())))
        return quads

    def at(self, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Where places in mm are in the picture, in pixels."""
        goal = x * MM, y * MM
        u, v = (side * self.picture.size[axis] / self._page[axis] for axis, side in enumerate(goal))
        for _ in range(30):
            was = self.back(u, v)
            u, v = u + 0.8 * (goal[0] - was[0]), v + 0.8 * (goal[1] - was[1])
        return u, v


def _feeder(rng, size) -> tuple[Back, tuple[int, int], int]:
    """Drawn in askew, a little faster here and there."""
    angle, slip, wave = rng.normal(0, 0.012), rng.uniform(0.99, 1.01), rng.uniform(0, 4)
    moved = rng.normal(0, 12, 2)

    def back(u, v):
        x, y = u - size[0] / 2, v - size[1] / 2
        y = y * slip + wave * np.sin(y / 300)
        return (
            x * np.cos(angle) - y * np.sin(angle) + size[0] / 2 + moved[0],
            x * np.sin(angle) + y * np.cos(angle) + size[1] / 2 + moved[1],
        )

    return back, size, 250


def _phone(rng, size) -> tuple[Back, tuple[int, int], int]:
    """From above and aside; the paper is curled."""
    big = round(size[0] * 1.15), round(size[1] * 1.15)
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * 0.88 + 0.06 + rng.normal(0, 0.014, (4, 2))
    rows, right = [], []
    for (u, v), (x, y) in zip(corners * big, np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * size, strict=True):
        rows += [[u, v, 1, 0, 0, 0, -x * u, -x * v], [0, 0, 0, u, v, 1, -y * u, -y * v]]
        right += [x, y]
    a, b, c, d, e, f, g, h = np.linalg.solve(np.array(rows), np.array(right))
    curl, where = rng.uniform(-9, 9), rng.uniform(0.2, 0.8)

    def back(u, v):
        deep = g * u + h * v + 1
        x, y = (a * u + b * v + c) / deep, (d * u + e * v + f) / deep
        return x, y + curl * np.cos(2.2 * (x / size[0] - where))

    return back, big, int(rng.uniform(40, 120))


def _scanned(rng, picture: Image.Image) -> Image.Image:
    seen = picture.filter(ImageFilter.GaussianBlur(rng.uniform(0.3, 1.0)))
    low, high, gamma = rng.uniform(0, 40), rng.uniform(225, 255), rng.uniform(0.7, 1.4)
    seen = seen.point([round(low + (high - low) * (grey / 255) ** gamma) for grey in range(256)])
    if rng.random() < 0.1:  # dirt on the glass
        x = int(rng.uniform(0.1, 0.9) * seen.width)
        seen.paste(int(rng.uniform(120, 200)), (x, 0, x + 2, seen.height))
    return _kept(_grainy(rng, seen, 3), int(rng.uniform(60, 90)))


def _lit(rng, picture: Image.Image) -> Image.Image:
    light = rng.uniform(0.55, 0.85) + rng.uniform(-0.12, 0.12, (4, 4))
    if rng.random() < 0.4:  # the shadow of a hand
        light[rng.integers(4) :, : rng.integers(1, 4)] *= rng.uniform(0.7, 0.9)
    shade = Image.fromarray((np.clip(light, 0.3, 1) * 255).astype(np.uint8)).resize(
        picture.size, Image.Resampling.BICUBIC
    )
    seen = ImageChops.multiply(picture, shade)
    way = rng.uniform(0, np.pi)
    far = rng.uniform(0, 1.4)  # the hand shakes
    seen = Image.blend(seen, ImageChops.offset(seen, round(far * np.cos(way)), round(far * np.sin(way))), 0.5)
    seen = seen.filter(ImageFilter.GaussianBlur(rng.uniform(0.4, 1.3)))
    return _kept(_grainy(rng, seen, 6), int(rng.uniform(55, 85)))


def _grainy(rng, picture: Image.Image, much: float) -> Image.Image:
    tile = Image.fromarray(np.clip(128 + rng.normal(0, much, (512, 512)), 0, 255).astype(np.uint8))
    grain = Image.new("L", picture.size)
    for x in range(0, picture.width, 512):
        for y in range(0, picture.height, 512):
            grain.paste(tile, (x, y))
    return ImageChops.add(picture, grain, 1, -128)


def _kept(picture: Image.Image, quality: int) -> Image.Image:
    """Through JPEG, as scanners and phones keep it."""
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=quality)
    return Image.open(io.BytesIO(file.getvalue()))
