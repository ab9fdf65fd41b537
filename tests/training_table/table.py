"""How often a model is found that keeps every criterion: sentences × sizes, with starts and seconds.

    python -m tests.training_table.table [--jeder 1] [--ab 0] [--reihum 0] [--startwert 24] [--sekunden 600]

The sentences are drawn, see sentences.py; --reihum 1 takes the sizes in turns, one for each sentence. Every
model is looked at anew by engine/training/criteria.py, and has to have |w| ≤ 2 with one decimal and at most
1.5 times the multiplications of `auswahl`. It goes sentence by sentence, so that a run that ends early is a
fair sample.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict

import numpy as np

from engine.judging.teaching import effort
from engine.training.criteria import faults
from generator.basics.errors import UserError
from generator.calculation.build import build
from generator.options.options import Options
from tests.training_table import arguments
from tests.training_table.sentences import sentences

SIZES = ("4,2", "6,2", "8,4")
MOST_WORK = 1.5
_PERCENT = (5, 50, 95)


def multiplications(built) -> int:
    """Of all cells from the first head to the probabilities."""
    done = effort(built.calculation).done
    return sum(int(c[..., 0].sum()) for n, c in done.items() if n.startswith(("block", "logit", "temp")))


def look(sentence: str, size: str) -> dict[str, object]:
    d, heads = map(int, size.split(","))
    before = time.process_time()
    options = {"satz": sentence, "dimension": d, "heads": heads, "stationen": ("8",)}
    try:
        built = build(Options(**options, gewichte="gelernt"))
    except UserError as error:
        return {"faults": ["none"], "seconds": time.process_time() - before, "text": str(error)}
    seconds, learnt = time.process_time() - before, built.learnt
    ratio = multiplications(built) / multiplications(build(Options(**options)))
    numbers = any(np.abs(w).max() > 2 or (w.round(1) != w).any() for w in learnt.model.weights.values())
    others = {"work": ratio > MOST_WORK, "numbers": numbers}
    rows = [np.sort(learnt.evidence.look(head, learnt.model.token_ids)[0]) for head in learnt.evidence.heads]
    return {
        "faults": [*faults(learnt.evidence), *(name for name, there in others.items() if there)],
        "seconds": seconds,
        "starts": learnt.starts,
        "ratio": ratio,
        "words": len(learnt.model.vocabulary),
        "places": len(learnt.corpus.places(learnt.model.token_ids)),
        "by hand": float(rows[0][-1]),
        "its lead": float(rows[0][-1] - rows[0][-2]),
        "least head": float(min(row[-1] for row in rows)),
        "least lead": float(min(row[-1] - row[-2] for row in rows)),
    }


def summary(size: str, rows: list[dict[str, object]]) -> str:
    kept = sum(not row["faults"] for row in rows)
    why = Counter(fault for row in rows for fault in row["faults"])
    lines = [f"d,h {size}: {kept} of {len(rows)} keep all; not kept: {dict(why)}; of 5, 50, 95 % at most:"]
    for key in dict.fromkeys(key for row in rows for key in row if key not in ("faults", "text")):
        values = [row[key] for row in rows if key in row]
        shares = "  ".join(f"{each:6.2f}" for each in np.percentile(values, _PERCENT))
        lines.append(f"    {key:<11}{shares}   most {max(values):.2f}")
    return "\n".join(lines)


def main() -> None:
    wanted = arguments(jeder=1, ab=0, reihum=0, startwert=24, sekunden=600.0)
    begun = time.process_time()
    rows = defaultdict(list)
    drawn = sentences(200, wanted.startwert)[wanted.ab :: wanted.jeder]
    for number, sentence in enumerate(drawn):
        if time.process_time() - begun > wanted.sekunden:
            break
        own = number % len(SIZES)
        for size in SIZES[own : own + 1] if wanted.reihum else SIZES:
            row = look(sentence, size)
            rows[size].append(row)
            shown = {key: round(v, 2) if isinstance(v, float) else v for key, v in row.items()}
            print(f"  {size} {sentence}: {shown}", flush=True)
    for size in SIZES:
        print(summary(size, rows[size]), flush=True)


if __name__ == "__main__":
    main()
