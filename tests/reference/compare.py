"""In: how many configurations. Out: the generator's documents compared with the reference, cell by cell.

    python tests/reference/compare.py --anzahl 10000 [--start 0] [--prozesse 2]

Exit status 1 on any difference, on any document that could not be made, and where drawn numbers break
the promise that |scaled| stays below 4.
"""

from __future__ import annotations

import argparse
import json
import sys
from multiprocessing import Pool
from pathlib import Path
from typing import NamedTuple

if __package__ in (None, ""):  # run as a script: make the package and the project importable
    here = Path(__file__).resolve()
    sys.path[0:1] = [str(here.parents[1]), str(here.parents[2])]

from reference.configurations import random_options
from reference.recomputation import Difference, cells, differences, recompute

LIMIT_OF_SCALED, RANGES_EVERY = 4, 3
SHOWN = 20


class Outcome(NamedTuple):
    seed: int
    cells: int
    faults: list


def judge(seed: int) -> Outcome:
    """One configuration; an exception becomes a fault of its own, never a silent gap."""
    from generator.calculation.build import build
    from generator.calculation.document import document_of
    from generator.options.options import Options

    options = random_options(seed)
    try:
        # The way through the text is the way of a reader of rechnung.json.
        built = build(Options.from_mapping(options))
        ranges = {} if seed % RANGES_EVERY else None  # they take longer than all the rest
        document = json.loads(json.dumps(document_of(built, ranges), allow_nan=False))
        reference = recompute(document)
        faults = differences(document, reference)
    except Exception as error:
        return Outcome(seed, 0, [f"{type(error).__name__}: {error}"])
    if options["gewichte"] != "auswahl":
        scaled = {n: each["hand"] for n, each in document["quantities"].items() if n.endswith(".scaled")}
        faults += [
            Difference(name, index, "limit", value, LIMIT_OF_SCALED)
            for name, values in scaled.items()
            for index, value in cells(values)
            if value is not None and abs(value) >= LIMIT_OF_SCALED
        ]
    return Outcome(seed, 2 * sum(1 for pair in reference.values() for _ in cells(pair["hand"])), faults)


def run(start: int, count: int, processes: int) -> int:
    with Pool(processes) as pool:
        outcomes = list(pool.imap(judge, range(start, start + count), chunksize=10))
    compared = sum(outcome.cells for outcome in outcomes)
    faults = [(outcome.seed, fault) for outcome in outcomes for fault in outcome.faults]
    print(f"{count} configurations, {compared} cells compared, {len(faults)} faults")
    for seed, fault in faults[:SHOWN]:
        print(f"  {random_options(seed)}: {fault}")
    return bool(faults)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Compare the generator's documents with the reference.")
    for name, default in (("start", 0), ("anzahl", 10_000), ("prozesse", 2)):
        parser.add_argument(f"--{name}", type=int, default=default)
    raise SystemExit(run(*vars(parser.parse_args()).values()))
