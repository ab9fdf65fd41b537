"""Trains the reader: `python train.py PACKAGES OUT --steps N`; the same steps give the same bytes.

Needs numpy, pillow, jax[cpu] and optax; PACKAGES holds unpacked npm packages (see README.md). What is written
is the moving average of the weights, as 16-bit floats.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import hands
import jax
import jax.numpy as jnp
import numpy as np
import optax

SIGNS = "0123456789,-X"
BLANK = 0  # of CTC; a sign is its place in SIGNS + 1
# name, height, width, in, out, and how much the picture shrinks after it (down, across)
LAYERS = (
    ("a", 3, 3, 2, 12, (2, 2)),
    ("b", 3, 3, 12, 28, (2, 2)),
    ("c", 3, 3, 28, 56, (2, 1)),
    ("d", 3, 3, 56, 64, (1, 1)),
    ("e", 4, 3, 64, 96, (1, 1)),  # over the whole height
    ("f", 1, 3, 96, 96, (1, 1)),
)
LONGEST = 8
BATCH, FRESH, POOL = 64, 20, 60_000


def first_weights(rng: np.random.Generator) -> dict[str, np.ndarray]:
    weights = {}
    for name, high, wide, inward, out, _ in LAYERS:
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
    for name, high, wide, _, _, (down, across) in LAYERS:
        pad = ((0, 0) if high == 4 else (high // 2, high // 2), (wide // 2, wide // 2))
        x = jax.lax.conv_general_dilated(
            x, weights[f"{name}.w"], (1, 1), pad, dimension_numbers=("NHWC", "HWIO", "NHWC")
        )
        x = jax.nn.relu(x + weights[f"{name}.b"])
        if (down, across) != (1, 1):
            shape = (1, down, across, 1)
            x = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, shape, shape, "VALID")
    return x[:, 0] @ weights["out.w"] + weights["out.b"]


def loss_of(weights, boxes, labels, padded):
    out = logits(weights, boxes)
    return optax.ctc_loss(out, jnp.zeros(out.shape[:2]), labels, padded, blank_id=BLANK).mean()


def encoded(texts: list[str]) -> tuple[np.ndarray, np.ndarray]:
    labels, padded = np.zeros((len(texts), LONGEST), np.int32), np.ones((len(texts), LONGEST), np.float32)
    for row, text in enumerate(texts):
        for place, sign in enumerate(text[:LONGEST]):
            labels[row, place], padded[row, place] = SIGNS.index(sign) + 1, 0
    return labels, padded


def read(out: np.ndarray) -> list[str]:
    """The likeliest sign at each place, repeats and blanks left out."""
    texts = []
    for row in out.argmax(-1):
        kept = [
            sign for before, sign in zip([BLANK, *row[:-1]], row, strict=True) if sign not in (before, BLANK)
        ]
        texts.append("".join(SIGNS[sign - 1] for sign in kept))
    return texts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packages", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--steps", type=int, default=10_000)
    given = parser.parse_args()
    rng = np.random.default_rng(29)
    stuff = hands.material(given.packages, "training")
    other_rng, other = np.random.default_rng(30), hands.material(given.packages, "validation")
    checks = [hands.sample(other_rng, other) for _ in range(300)]
    seen = np.stack([box for box, _ in checks])
    weights = {name: jnp.asarray(value) for name, value in first_weights(rng).items()}
    average = weights
    optimiser = optax.chain(
        optax.clip_by_global_norm(5.0), optax.adam(optax.linear_schedule(3e-4, 1.2e-3, 300))
    )
    state = optimiser.init(weights)

    @jax.jit
    def step(weights, average, state, boxes, labels, padded):
        loss, slope = jax.value_and_grad(loss_of)(weights, boxes, labels, padded)
        change, state = optimiser.update(slope, state, weights)
        weights = optax.apply_updates(weights, change)
        average = jax.tree.map(lambda old, new: 0.998 * old + 0.002 * new, average, weights)
        return weights, average, state, loss

    forward = jax.jit(logits)
    pool_boxes, pool_texts, begun, losses = [], [], time.time(), []
    for number in range(1, given.steps + 1):
        for _ in range(FRESH if number > 10 else BATCH):
            box, text = hands.sample(rng, stuff)
            if len(pool_boxes) < POOL:
                pool_boxes.append(box.astype(np.float16))
                pool_texts.append(text)
            else:
                place = int(rng.integers(POOL))
                pool_boxes[place], pool_texts[place] = box.astype(np.float16), text
        recent = np.arange(len(pool_boxes))[-FRESH:]
        chosen = np.concatenate([recent, rng.integers(0, len(pool_boxes), BATCH - FRESH)])
        boxes = np.stack([_shifted(rng, pool_boxes[place]) for place in chosen]).astype(np.float32)
        labels, padded = encoded([pool_texts[place] for place in chosen])
        weights, average, state, loss = step(weights, average, state, boxes, labels, padded)
        losses.append(float(loss))
        if number % 250 == 0 or number == given.steps:
            found = read(np.asarray(forward(average if number > 1500 else weights, seen)))
            right = np.mean([text == answer for text, (_, answer) in zip(found, checks, strict=True)])
            print(
                f"{number} {time.time() - begun:.0f} s loss {np.mean(losses[-250:]):.3f} unseen {right:.3f}",
                flush=True,
            )
            np.savez(given.out, **{name: np.asarray(value, np.float16) for name, value in average.items()})


def _shifted(rng: np.random.Generator, box: np.ndarray) -> np.ndarray:
    down, right = rng.integers(-1, 2), rng.integers(-3, 4)
    return np.roll(box, (int(down), int(right)), (1, 2))


if __name__ == "__main__":
    main()
