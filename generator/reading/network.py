"""The small reader: a convolutional net over a box, its signs by CTC. It knows nothing but the picture."""

from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from generator.reading.pages import Picture

OTHER: Final = "X"  # what is no number (crossed out, overwritten, letters, a fraction)
SIGNS: Final = "0123456789,-" + OTHER
_LAYERS: Final = "abcdef"
_POOLED: Final = {"a": (2, 2), "b": (2, 1), "c": (2, 1)}  # how much smaller after it: down, across
_APART: Final = {"a": 1, "b": 1}  # how far apart it looks across; the others 2
_WHOLE: Final = 4  # a layer so high sees the whole height at once
_BEAM: Final = 8
_GUESSES: Final = 3  # of a box
_TINY: Final = 1e-4
_MOVED: Final = (-1, 1)  # pixels that a box is moved down; what it shows stays in its steps
_WEIGHTS: Final = Path(__file__).with_name("reader.npz")


class Guess(NamedTuple):
    """A text that may stand in a box (as on paper, with a comma), and how likely it is."""

    text: str
    likely: float


def read_boxes(boxes: Sequence[Sequence[Picture]]) -> list[list[Guess]]:
    """The likeliest texts of each box, best first, and last how likely something in it is no number.

    boxes: of each its views, as `for_reader` gives them; how likely a text is, is the mean over them.
    """
    shares: dict[tuple[int, int], Picture] = {}
    by_width: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for place, views in enumerate(boxes):
        for number, view in enumerate(views):
            by_width[view.shape[2]].append((place, number))
    for places in by_width.values():
        for start in range(0, len(places), 16):
            some = places[start : start + 16]
            seen = np.stack([boxes[place][number] for place, number in some])
            found = np.mean([probabilities(np.roll(seen, by, 2)) for by in _MOVED], 0)
            shares |= dict(zip(some, found, strict=True))
    return [
        _together([shares[place, number] for number in range(len(views))])
        for place, views in enumerate(boxes)
    ]


def _together(views: Sequence[Picture]) -> list[Guess]:
    likely: dict[str, float] = defaultdict(float)
    for shares in views:
        for text, share in texts_of(shares, _BEAM):
            likely[text] += share / len(views)
    ranked = sorted(likely.items(), key=lambda item: -item[1])
    other = np.mean([shares[:, SIGNS.index(OTHER) + 1].max() for shares in views])
    return [Guess(text, round(share, 6)) for text, share in [*ranked[:_GUESSES], (OTHER, float(other))]]


def probabilities(boxes: Picture) -> Picture:
    """(n, 2, height, width) -> (n, steps, 1 + signs), the first for no sign."""
    weights = _weights()
    x = boxes.transpose(0, 2, 3, 1).astype(np.float32)
    for name in _LAYERS:
        x = np.maximum(_convolved(x, weights[f"{name}.w"], _APART.get(name, 2)) + weights[f"{name}.b"], 0)
        if name in _POOLED:
            x = _pooled(x, *_POOLED[name])
    logits = x[:, 0] @ weights["out.w"] + weights["out.b"]
    shares = np.exp(logits - logits.max(-1, keepdims=True))
    return np.asarray(shares / shares.sum(-1, keepdims=True))


@cache
def _weights() -> dict[str, Picture]:
    with np.load(_WEIGHTS) as kept:
        return {name: kept[name].astype(np.float32) for name in kept.files}


def _convolved(x: Picture, kernel: Picture, apart: int) -> Picture:
    high, wide, inward, out = kernel.shape
    down = 0 if high == _WHOLE else high // 2
    beside = apart * (wide // 2)
    padded = np.pad(x, ((0, 0), (down, down), (beside, beside), (0, 0)))
    span = high, apart * (wide - 1) + 1
    all_seen = np.lib.stride_tricks.sliding_window_view(padded, span, (1, 2))  # (n, h, w, in, high, span)
    seen = all_seen[..., ::apart]
    rows = seen.transpose(0, 1, 2, 4, 5, 3).reshape(-1, high * wide * inward)
    return np.asarray((rows @ kernel.reshape(-1, out)).reshape(*seen.shape[:3], out))


def _pooled(x: Picture, down: int, across: int) -> Picture:
    n, high, wide, channels = x.shape
    return np.asarray(x.reshape(n, high // down, down, wide // across, across, channels).max((2, 4)))


def texts_of(shares: Picture, most: int = 3) -> list[Guess]:
    """The likeliest texts of one box by prefix search (Graves 2012): all ways to write a text count together.

    shares: (steps, 1 + signs).
    """
    beams: dict[str, tuple[float, float]] = {"": (1.0, 0.0)}  # text -> ended by no sign, by its last sign
    for step in shares:
        likely = [int(sign) for sign in np.flatnonzero(step[1:] > _TINY)]
        after: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
        for text, (apart, joined) in beams.items():
            after[text][0] += (apart + joined) * float(step[0])
            if text:
                after[text][1] += joined * float(step[SIGNS.index(text[-1]) + 1])
            for sign in likely:
                letter = SIGNS[sign]
                fresh = apart if text.endswith(letter) else apart + joined
                after[text + letter][1] += fresh * float(step[sign + 1])
        best = sorted(after.items(), key=lambda item: -sum(item[1]))[:_BEAM]
        beams = {text: (apart, joined) for text, (apart, joined) in best}
    ranked = sorted(((text, sum(ways)) for text, ways in beams.items()), key=lambda item: -item[1])
    return [Guess(text, round(min(1.0, share), 6)) for text, share in ranked[:most]]
