"""The example learnt once more by another optimiser, on the exact gradient: losses side by side.

    python tests/training_table/independent.py [--schritte 400]

The pass is that of tests/engine_learning/plain_transformer.py, which has nothing of the engine's;
gradients come from autograd, steps from plain gradient descent with momentum. Nothing is rounded,
so its loss may end lower.
"""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import autograd.numpy as np
from autograd import grad
from engine_learning.plain_transformer import Taps, plain_block

from engine.layers.positions import sinusoids
from engine.training.texts import reading
from generator.calculation.build import build
from generator.options.options import Options


def loss_of(read, vectors, sizes, w) -> float:
    x = vectors[read.ids] + sinusoids(read.ids.shape[1], sizes.d_model)  # (B, n, d_model)
    for b in range(1, sizes.n_blocks + 1):
        x = plain_block(Taps(), w, f"block{b}.", sizes.n_heads, x, True, True)
    logit = x @ np.swapaxes(w["vocabulary_embedding"], 0, 1)  # (B, n, V)
    logit = logit - np.max(logit, axis=-1, keepdims=True)
    surprise = np.log(np.sum(np.exp(logit), axis=-1, keepdims=True)) - logit
    return np.sum(read.right * surprise)


def descended(read, vectors, sizes, start: dict, steps: int) -> float:
    """The loss after so many steps; W_O, gamma and beta stay."""
    w = {name: np.array(table) for name, table in start.items()}
    speed = {name: np.zeros_like(table) for name, table in w.items()}
    slope = grad(lambda weights: loss_of(read, vectors, sizes, weights))
    for _ in range(steps):
        g = slope(w)
        length = np.sqrt(sum(np.sum(g[name] ** 2) for name in w))
        for name in w:
            if not name.endswith(("W_O", "gamma", "beta")):
                speed[name] = 0.9 * speed[name] - 0.02 * g[name] / max(1.0, length)
                w[name] = w[name] + speed[name]
    return float(loss_of(read, vectors, sizes, w))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--schritte", type=int, default=400)
    steps = parser.parse_args().schritte
    for d, heads in ((4, 2), (6, 2), (8, 4)):
        size = {"dimension": d, "heads": heads, "stationen": ("8",)}
        learnt = build(Options(satz="Die Katze sitzt auf der Matte", gewichte="gelernt", **size)).learnt
        model, read = learnt.model, reading(learnt.corpus, True)
        least = -sum(float(p) * math.log(p) for p in read.right[read.right > 0])
        start = {**learnt.untrained.weights, "vocabulary_embedding": learnt.untrained.vocabulary_embedding}
        other = descended(read, model.input_embedding, model.sizes, start, steps)
        print(
            f"d {d}, h {heads}: begun {learnt.curve[0][1]:.2f}, ours on printed numbers "
            f"{learnt.curve[-1][1]:.2f}, other optimiser {other:.2f}, least possible {least:.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
