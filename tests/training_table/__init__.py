"""Sweeps over sheets that nobody chose: `python -m tests.training_table.NAME`; no model is from the cache."""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

os.environ["PAPIERFORMER_CACHE"] = ""
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from generator.basics.errors import UserError
from generator.calculation.build import build
from generator.calculation.document import document_of
from generator.options.options import Options


def arguments(**defaults: float) -> argparse.Namespace:
    """Numbers of the command line, by their names."""
    parser = argparse.ArgumentParser()
    for name, value in defaults.items():
        parser.add_argument(f"--{name}", type=type(value), default=value)
    return parser.parse_args()


def sweep(drawn: Iterable[Options], look: Callable[[dict, Options], dict[str, bool]]) -> None:
    """A line for each sheet whose model was trained, and how many keep what is looked for in their documents.

    A run may end early.
    """
    rows, refused = [], 0
    for options in drawn:
        before = time.process_time()
        said = f"  {options.satz} → {options.zielsatz}" if options.zielsatz else f"  {options.satz}"
        try:
            built = build(options)
        except UserError as error:
            refused += 1
            print(f"{said}: {error}", flush=True)
            continue
        seconds = time.process_time() - before
        rows.append(look(json.loads(json.dumps(document_of(built, {}))), options))
        faults = [name for name, holds in rows[-1].items() if not holds]
        size = f"d {options.dimension}, h {options.heads}, width {built.options.width}"
        print(f"{said}: {faults or 'all'}, {size}, {seconds:.1f} s", flush=True)
    kept = {name: sum(row[name] for row in rows) for name in (rows[0] if rows else ())}
    print(f"{len(rows)} of {len(rows) + refused} learnt; of these keep {kept}", flush=True)
