"""How often a model is found that keeps its promises: sentences × sizes, with starts and seconds.

    python tests/training_table/table.py [--jeder 5] [--groessen 4,2 6,2 8,4] [--sekunden 600]

Every model is looked at anew, with the calculation of the sheet: the expected word clearly the most probable
after every beginning that the texts decide, wrong without attention, all heads in use, careless pupils at the
same word. Nothing is taken from the cache.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from pathlib import Path

os.environ["PAPIERFORMER_CACHE"] = ""
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np

from engine.calculation.calculation import calculate
from engine.judging.effort import effort
from engine.judging.simulation import simulate
from engine.training.examination import LEAST_EFFECT, examine, spoken
from generator.basics.errors import UserError
from generator.calculation.build import build
from generator.options.options import Options

SENTENCES = (Path(__file__).parent / "sentences.txt").read_text(encoding="utf-8").splitlines()


def faults(built) -> list[str]:
    """Promises that the model does not keep."""
    model, corpus = built.calculation.model, built.learnt.corpus
    found = []
    for beginning, after in corpus.followers.items():
        if len(after) == 1:
            (right,) = after
            probability = calculate(spoken(model, beginning))["temperature1.probability"].values
            second = np.delete(probability, right).max()
            if probability[right] < 0.5 or probability[right] < 2 * second:
                found.append("unclear")
    examination = examine(model, corpus)
    if not examination.needs_attention:
        found.append("attention")
    if min(examination.effects) < LEAST_EFFECT:
        found.append("heads")
    winner = model.vocabulary.index(built.learnt.expected)
    for papers in simulate(built.calculation, 1000, 5):
        if (np.atleast_2d(papers["logit"].values).argmax(-1) != winner).any():
            found.append("pupils")
    if any(np.abs(w).max() > 2 or (np.round(w * 10) / 10 != w).any() for w in model.weights.values()):
        found.append("numbers")
    return sorted(set(found))


def multiplications(built) -> int:
    """Of all cells from the first head to the probabilities."""
    done = effort(built.calculation).done
    return sum(int(c[..., 0].sum()) for n, c in done.items() if n.startswith(("block", "logit", "temp")))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--jeder", type=int, default=1)
    parser.add_argument("--ab", type=int, default=0)
    parser.add_argument("--groessen", nargs="*", default=["4,2", "6,2", "8,4"])
    parser.add_argument("--sekunden", type=float, default=600)
    arguments = parser.parse_args()
    begun = time.process_time()
    for size in arguments.groessen:
        d, heads = map(int, size.split(","))
        kept, seconds, starts, ratios, why = 0, [], [], [], Counter()
        tried = 0
        for sentence in SENTENCES[arguments.ab :: arguments.jeder]:
            if time.process_time() - begun > arguments.sekunden:
                break
            tried += 1
            before = time.process_time()
            try:
                options = {"satz": sentence, "dimension": d, "heads": heads, "stationen": ("8",)}
                built = build(Options(**options, gewichte="gelernt"))
            except UserError as error:
                why["none"] += 1
                print(f"  {sentence}: {error}", flush=True)
                continue
            seconds.append(time.process_time() - before)
            starts.append(built.learnt.starts)
            fault = faults(built)
            why.update(fault)
            kept += not fault
            ratios.append(multiplications(built) / multiplications(build(Options(**options))))
            if fault:
                print(f"  {sentence}: {fault}", flush=True)
        print(
            f"d {d}, h {heads}: {kept} of {tried} kept all, starts median {np.median(starts):.0f} most "
            f"{max(starts)}, seconds of one processor median {np.median(seconds):.1f} most "
            f"{max(seconds):.1f}, multiplications / auswahl median {np.median(ratios):.2f} most "
            f"{max(ratios):.2f}, {dict(why)}",
            flush=True,
        )


if __name__ == "__main__":
    main()
