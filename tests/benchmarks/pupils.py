"""Seconds and peak memory of the simulation, the ranges and a check, for the example and for a large sheet.

Run as `python tests/benchmarks/pupils.py`.
"""

import resource
import sys
import time
from pathlib import Path

import numpy as np

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

from acceptance.configurations import example
from mistakes.simulation import answers_of

from engine.forward.calculation import calculate
from engine.judging.acceptance import accepted, simulate
from engine.judging.expectation import expect
from engine.judging.friendliness import assess
from engine.model.model import Model, Sizes
from engine.model.weights import make_weights
from generator.check.check import check


def large() -> Model:
    """24 tokens, d_model 16, 4 heads, 2 blocks: the largest sheet that is printed."""
    sizes, rng = Sizes(16, 4, 32, 2), np.random.default_rng(1)
    embedding = rng.integers(0, 10, size=(24, 16)) / 10
    words = tuple(f"Wort{i}" for i in range(24))
    return Model(sizes, words, embedding, make_weights(sizes, "auswahl", rng))


def timed(title, work, repeat=3):
    times = []
    for _ in range(repeat):
        start, busy = time.perf_counter(), time.process_time()
        result = work()
        times.append((time.perf_counter() - start, time.process_time() - busy))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    wall, busy = min(times)
    print(f"{title:58} {wall:7.3f} s   processor {busy:7.3f} s   peak {peak:4.0f} MB", flush=True)
    return result


def through(calculation, pupils):
    """Let so many pupils calculate, a class at a time; only one class is kept."""
    return sum(1 for _ in simulate(calculation, pupils, 1))


def main() -> None:
    calculation = calculate(example())
    timed("example: both arithmetics", lambda: calculate(example()))
    timed("example: 10,000 pupils", lambda: through(calculation, 10_000))
    ranges = timed("example: accepted ranges", lambda: accepted(calculation))
    timed("example: numbers of the typical mistakes", lambda: expect(calculation, ranges))
    timed("example: friendliness", lambda: assess(calculation))
    tables = {name: quantity.values.copy() for name, quantity in calculation.hand.items()}
    answers = answers_of(calculation, tables)
    timed(f"example: check of {len(answers.entries)} cells, all right", lambda: check(calculation, answers))
    tables["block1.head1.weight"][1, 0] = 0.64
    answers = answers_of(calculation, tables)
    timed(f"example: check of {len(answers.entries)} cells, one wrong", lambda: check(calculation, answers))
    big = calculate(large())
    ranges = timed("24 tokens, d_model 16, 2 blocks: accepted ranges", lambda: accepted(big), 1)
    answers = answers_of(big, {name: quantity.values for name, quantity in big.hand.items()})
    timed(f"24 tokens, d_model 16, 2 blocks: check of {len(answers.entries)} cells",
          lambda: check(big, answers, ranges), 1)  # fmt: skip
    timed("24 tokens, d_model 16, 2 blocks: 10,000 pupils", lambda: through(big, 10_000), 1)


if __name__ == "__main__":
    main()
