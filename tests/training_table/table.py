"""How often a model is found that keeps its promises: sentences × sizes, with starts and seconds.

    python tests/training_table/table.py [--jeder 5] [--ab 0] [--groessen 4,2 6,2 8,4] [--sekunden 600]

Every model is looked at anew, with the calculation of the sheet: the expected word clearly the most probable
after every beginning that the texts decide, wrong without attention, all heads in use, careless pupils at the
same word after each of these beginnings, |w| ≤ 2 with one decimal, at most 1.5 times the multiplications of
`auswahl`, no unfriendly number. Nothing is taken from the cache. It goes sentence by sentence, so that a run
that ends early is a fair sample.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

os.environ["PAPIERFORMER_CACHE"] = ""
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np

from engine.forward.calculation import calculate
from engine.judging.acceptance import simulate
from engine.judging.friendliness import assess
from engine.judging.teaching import effort
from engine.training.examination import LEAST_EFFECT, examine, spoken
from generator.basics.errors import UserError
from generator.calculation.build import build
from generator.options.options import Options

SENTENCES = (Path(__file__).parent / "sentences.txt").read_text(encoding="utf-8").splitlines()
MOST_WORK = 1.5


def faults(built) -> list[str]:
    """Promises of the predictions that the model does not keep."""
    model, corpus = built.calculation.model, built.learnt.corpus
    found = []
    for beginning, after in corpus.followers.items():
        if len(after) == 1:
            (right,) = after
            calculation = calculate(spoken(model, beginning))
            probability = calculation["temperature1.probability"].values
            second = np.delete(probability, right).max()
            if probability[right] < 0.5 or probability[right] < 2 * second:
                found.append("unclear")
            for papers in simulate(calculation, 100, 5):
                if (np.atleast_2d(papers["logit"].values).argmax(-1) != right).any():
                    found.append("pupils")
    examination = examine(model, corpus)
    if not examination.needs_attention:
        found.append("attention")
    if min(examination.effects) < LEAST_EFFECT:
        found.append("heads")
    if any(np.abs(w).max() > 2 or (np.round(w * 10) / 10 != w).any() for w in model.weights.values()):
        found.append("numbers")
    return sorted(set(found))


def unhandy(built) -> bool:
    """Whether an e^x of the output is one that nobody likes to write."""
    exps = [q.values.max() for n, q in built.calculation.hand.items() if n[:4] == "temp" and n[-4:] == ".exp"]
    return max(exps) > 200 or bool(set(assess(built.calculation).faults) - {"exp"})


def multiplications(built) -> int:
    """Of all cells from the first head to the probabilities."""
    done = effort(built.calculation).done
    return sum(int(c[..., 0].sum()) for n, c in done.items() if n.startswith(("block", "logit", "temp")))


def idle(built) -> int:
    """Hidden units that are 0 for every token."""
    hand = built.calculation.hand
    return sum(int((q.values.max(0) == 0).sum()) for n, q in hand.items() if n.endswith("activation"))


def look(sentence: str, size: str) -> dict[str, object]:
    d, heads = map(int, size.split(","))
    before = time.process_time()
    options = {"satz": sentence, "dimension": d, "heads": heads, "stationen": ("8",)}
    try:
        built = build(Options(**options, gewichte="gelernt"))
    except UserError as error:
        return {"faults": ["none"], "text": str(error)}
    seconds = time.process_time() - before
    ratio = multiplications(built) / multiplications(build(Options(**options)))
    others = {"work": ratio > MOST_WORK, "unhandy": unhandy(built)}
    found = [*faults(built), *(name for name, there in others.items() if there)]
    learnt = built.learnt
    return {
        "faults": found,
        "seconds": seconds,
        "starts": learnt.starts,
        "ratio": ratio,
        "idle": idle(built),
        "texts": len(learnt.texts),
        "words": len(learnt.model.vocabulary),
    }


def summary(size: str, rows: list[dict[str, object]]) -> str:
    def spread(key: str, form: str) -> str:
        values = [row[key] for row in rows if key in row]
        return f"median {np.median(values):{form}} most {max(values):{form}}"

    kept = sum(not row["faults"] for row in rows)
    why = Counter(fault for row in rows for fault in row["faults"])
    return (
        f"d,h {size}: {kept} of {len(rows)} kept all; starts {spread('starts', '.0f')}; seconds of one "
        f"processor {spread('seconds', '.1f')}; multiplications / auswahl {spread('ratio', '.2f')}; idle "
        f"hidden units {spread('idle', '.0f')}; {dict(why)}"
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--jeder", type=int, default=1)
    parser.add_argument("--ab", type=int, default=0)
    parser.add_argument("--groessen", nargs="*", default=["4,2", "6,2", "8,4"])
    parser.add_argument("--sekunden", type=float, default=600)
    arguments = parser.parse_args()
    begun = time.process_time()
    rows = defaultdict(list)
    for sentence in SENTENCES[arguments.ab :: arguments.jeder]:
        if time.process_time() - begun > arguments.sekunden:
            break
        for size in arguments.groessen:
            row = look(sentence, size)
            rows[size].append(row)
            shown = {key: round(v, 2) if isinstance(v, float) else v for key, v in row.items()}
            print(f"  {size} {sentence}: {shown}", flush=True)
    for size in arguments.groessen:
        print(summary(size, rows[size]), flush=True)


if __name__ == "__main__":
    main()
