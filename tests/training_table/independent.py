"""Twenty trained models looked at by programs that have nothing of the engine's.

    python -m tests.training_table.independent [--schritte 400] [--startwert 24] [--sekunden 600]

Every number of their whole booklet is recomputed by tests/reference (`decimal`, lists). The training is done
once more by another optimiser on the exact gradient: the pass is that of
tests/engine_learning/plain_transformer.py, gradients come from autograd, steps from gradient descent with
momentum. Nothing is rounded there, so its loss may end lower.
"""

from __future__ import annotations

import json
import math
import time

import autograd.numpy as np
from autograd import grad
from engine_learning.plain_transformer import Taps, plain_block
from reference.recomputation import differences, recompute

from engine.forward.forward import sinusoids
from engine.training.texts import reading
from generator.calculation.build import build
from generator.calculation.document import document_of
from generator.options.options import Options
from tests.training_table import arguments
from tests.training_table.sentences import sentences

SIZES = ((4, 2), (6, 2), (8, 4))


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


def look(sentence: str, size: tuple[int, int], steps: int) -> bool:
    """One line on one model. True where no number differs and the other loss is of the same order."""
    d, heads = size
    before = time.process_time()
    built = build(Options(satz=sentence, gewichte="gelernt", dimension=d, heads=heads))
    seconds, learnt = time.process_time() - before, built.learnt
    contents = json.loads(json.dumps(document_of(built)))
    reference = recompute(contents)
    cells = sum(np.size(contents["quantities"][name]["hand"]) for name in reference)
    different = len(differences(contents, reference))
    model, read = learnt.model, reading(learnt.corpus, True)
    least = -sum(float(p) * math.log(p) for p in read.right[read.right > 0])
    start = {**learnt.untrained.weights, "vocabulary_embedding": learnt.untrained.vocabulary_embedding}
    other = descended(read, model.input_embedding, model.sizes, start, steps)
    ours = learnt.curve[-1][1]
    print(
        f"  {d},{heads} {sentence}: {seconds:.1f} s, {learnt.starts} starts; {different} of {cells} cells "
        f"differ; loss begun {learnt.curve[0][1]:.2f}, ours on printed numbers {ours:.2f}, other optimiser "
        f"{other:.2f}, least possible {least:.2f}",
        flush=True,
    )
    return not different and least - 1e-6 <= other < learnt.curve[0][1] / 2 and ours < learnt.curve[0][1] / 2


def main() -> None:
    wanted = arguments(schritte=400, startwert=24, sekunden=600.0)
    begun, good, done = time.process_time(), 0, 0
    for number, sentence in enumerate(sentences(200, wanted.startwert)[::10]):
        if time.process_time() - begun > wanted.sekunden:
            break
        good += look(sentence, SIZES[number % len(SIZES)], wanted.schritte)
        done += 1
    print(f"{good} of {done} as recomputed, and learnt by both", flush=True)


if __name__ == "__main__":
    main()
