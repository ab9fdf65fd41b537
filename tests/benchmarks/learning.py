"""How long forward pass and way back take, and how they grow: `python tests/benchmarks/learning.py`."""

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from engine_learning.random_models import example, example_translation  # noqa: E402

from engine.backward.backward import DEFAULT_RATES, Lesson  # noqa: E402
from engine.backward.gradient_step import write_lesson  # noqa: E402
from engine.forward.encoder_decoder import EncoderDecoder  # noqa: E402
from engine.forward.forward import forward  # noqa: E402
from engine.model.encoder_decoder_model import (  # noqa: E402
    EncoderDecoderModel,
    encoder_decoder_shapes,
)
from engine.model.model import Model, Sizes, weight_shapes  # noqa: E402
from engine.pens.pens import ExactPen, SchoolPen  # noqa: E402

REPEATS = 7


def best_milliseconds(work: Callable[[], object]) -> float:
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times) * 1000


def decimals(rng, *shape):
    return rng.integers(-9, 10, size=shape) / 10


def weights_for(shapes, rng):
    return {
        n: np.ones(s) if n.endswith("gamma") else decimals(rng, *s) / s[0] ** 0.5 for n, s in shapes.items()
    }


def one_sentence(n, d):
    """n different words."""
    rng, sizes = np.random.default_rng(0), Sizes(d, 2, 2 * d, 1)
    weights = {name: np.round(w, 1) for name, w in weights_for(weight_shapes(sizes), rng).items()}
    return Model(sizes, tuple(f"w{i}" for i in range(n)), decimals(rng, n, d), weights)


def two_sentences(n, d):
    """n source words, half as many target words."""
    rng, sizes = np.random.default_rng(0), Sizes(d, 2, 2 * d, 1)
    weights = {name: np.round(w, 1) for name, w in weights_for(encoder_decoder_shapes(sizes), rng).items()}
    words, vectors = tuple(f"v{i}" for i in range(n // 2 + 1)), decimals(rng, n // 2 + 1, d)
    source = tuple(f"s{i}" for i in range(n))
    tokens, embedding = ("<Start>", *words[: n // 2 - 1]), np.vstack([vectors[-1], vectors[: n // 2 - 1]])
    return EncoderDecoderModel(sizes, source, decimals(rng, n, d), tokens, embedding, words, vectors, weights)


def measure(name, model):
    """Forward pass, and the whole lesson (forward, back, step, forward); the word is the predicted one."""
    two = isinstance(model, EncoderDecoderModel)
    trace = EncoderDecoder(model, ExactPen()).run() if two else forward(model, ExactPen(), entry=False)
    lesson = Lesson(int(trace["decoder.logit" if two else "logit"].values.argmax()), DEFAULT_RATES["alles"])
    row = []
    for pen in (ExactPen, lambda: SchoolPen(model.rules.places)):
        if two:
            there = best_milliseconds(lambda pen=pen: EncoderDecoder(model, pen()).run())
        else:
            there = best_milliseconds(lambda pen=pen: forward(model, pen(), entry=False))
        whole = best_milliseconds(lambda pen=pen: write_lesson(model, lesson, pen(), entry=False))
        row += [there, whole, whole / there]
    print(f"{name:34}" + "".join(f"{x:10.2f}" for x in row))


def main() -> None:
    head = ("exact", "lesson", "ratio", "by hand", "lesson", "ratio")
    print(f"{'milliseconds, best of ' + str(REPEATS):34}" + "".join(f"{h:>10}" for h in head))
    measure("example, one sentence", example())
    measure("example, two sentences", example_translation())
    for n in (6, 12, 24, 48):
        measure(f"one sentence, d 4, {n} tokens", one_sentence(n, 4))
    for d in (4, 8, 16, 32):
        measure(f"one sentence, d {d}, 12 tokens", one_sentence(12, d))
    for n in (6, 12, 24):
        measure(f"two sentences, d 4, {n} + {n // 2} tokens", two_sentences(n, 4))


if __name__ == "__main__":
    main()
