"""The tables of docs/messungen.md anew, as Markdown: `python -m tests.benchmarks.measure [--anzahl 30]`.

Times of one run on one machine: compare them with each other, not with another run.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np
from pypdf import PdfReader

from engine.forward.calculation import calculate
from engine.judging.acceptance import accepted, simulate
from engine.model.model import Model, Sizes
from engine.model.weights import make_weights
from generator.check.check import check
from generator.options.options import Options
from generator.output.formulas.typeset import Typesetter
from generator.output.shared.layouts import Part, SharedLayout
from generator.production.sheet_documents import both_in_one, worksheet_and_key
from generator.stations.make_sheet import make_sheet

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from mistakes.simulation import answers_of  # noqa: E402

from benchmarks.peers import latex_seconds, typst_seconds  # noqa: E402

ROUNDS = 3
PAIR, FILES = "pdflatex, worksheet and key of 4a and 4b", "Typst, all worksheets and keys"
KATZE = "Die Katze sitzt auf der Matte"
# A process begins with the memory of the one that starts it: a small one in between keeps ours out.
RUNNER = """
import json, resource, subprocess, sys, time
start = time.perf_counter()
status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=False).returncode
seconds, memory = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(json.dumps([status, seconds, memory // 1024]))
"""


def cold(*words: str) -> tuple[float, int, int]:
    """Seconds, pages and peak MB of a run of the program in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "generator", *words, "--ausgabe", folder]
        runner = [sys.executable, "-I", "-c", RUNNER, *command]
        done = subprocess.run(runner, stdout=subprocess.PIPE, cwd=ROOT, check=True)
        status, seconds, megabytes = json.loads(done.stdout)
        if status:
            raise SystemExit(f"{' '.join(command)} ended with {status}")
        pages = sum(len(PdfReader(path).pages) for path in Path(folder).rglob("*.pdf"))
    return seconds, pages, megabytes


def seconds_of(work: Callable[[], object], repeats: int = 3) -> float:
    """The quickest of some runs."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def processes(pupils: int) -> str:
    """Sheets, a booklet and a class set beside pdflatex and Typst: medians of three rounds in turns."""
    two, every = ("blatt", KATZE, "--stationen", "4a,4b"), ("blatt", KATZE)
    class_set = ("klassensatz", *two[1:], "--anzahl", str(pupils), "--gewichte", "dezimal")
    pair, files = documents(1), documents(pupils)
    runs: dict[str, list[list[float]]] = {}

    def note(title: str, *figures: float) -> None:
        runs.setdefault(title, []).append(list(figures))

    for turn in range(ROUNDS):
        with tempfile.TemporaryDirectory() as cache:
            os.environ["PAPIERFORMER_CACHE"] = cache
            note(PAIR, latex_seconds(pair) or 0.0)
            note("4a and 4b, empty home", *cold(*two))
            note("4a and 4b, another seed", *cold(*two, "--startwert", str(turn + 1)))
            note("4a and 4b again", *cold(*two))
        with tempfile.TemporaryDirectory() as cache:
            os.environ["PAPIERFORMER_CACHE"] = cache
            note("booklet, empty home", *cold(*every))
            note("booklet again", *cold(*every))
        with tempfile.TemporaryDirectory() as cache:
            os.environ["PAPIERFORMER_CACHE"] = cache
            note(FILES, typst_seconds(files) or 0.0)
            note(f"class set of {pupils}, nothing kept", *cold(*class_set))
            note(f"class set of {pupils}, layouts kept", *cold(*class_set))
    middle = {title: [median(each) for each in zip(*figures, strict=True)] for title, figures in runs.items()}
    rows = []
    for title, (seconds, *rest) in middle.items():
        peer = middle[FILES if "class set" in title or title == FILES else PAIR][0]
        rows.append(
            [title, f"{seconds:.2f}", f"{seconds / peer:.2f}" if peer else "–", *map("{:.0f}".format, rest)]
        )
    return table(["whole process", "s", "peer = 1", "pages", "peak MB"], rows)


def documents(seeds: int) -> list[str]:
    """Worksheet and key of 4a and 4b for so many seeds, as HTML."""
    asked = Options(satz=KATZE, stationen=("4a", "4b"), gewichte="dezimal")
    sheets = (make_sheet(replace(asked, startwert=seed)) for seed in range(seeds))
    return [each.html for sheet in sheets for each in worksheet_and_key(sheet, Typesetter("pdf"), "pdf")]


def layout_and_one_more() -> str:
    sheet = make_sheet(Options(satz=KATZE, stationen=("4a", "4b")))
    typesetter = Typesetter("pdf")
    worksheet, _ = worksheet_and_key(sheet, typesetter, "pdf")
    whole, images = both_in_one(sheet, typesetter), typesetter.images
    layout = SharedLayout.of(whole.html, images, title=whole.title)
    laid_out = seconds_of(lambda: SharedLayout.of(whole.html, images, title=whole.title))
    more = seconds_of(lambda: layout.result(Part(worksheet.html, worksheet.title), images))
    return (
        f"A layout {laid_out:.2f} s, one more document {more:.4f} s: {laid_out / more:.0f} times as fast.\n"
    )


def drawn(sizes: Sizes, tokens: int, seed: int, least: int) -> Model:
    rng = np.random.default_rng(seed)
    vectors = rng.integers(least, 10, size=(tokens, sizes.d_model)) / 10
    words = tuple(f"Wort{i}" for i in range(tokens))
    return Model(sizes, words, vectors, make_weights(sizes, "auswahl", rng))


def calculations() -> str:
    whole = make_sheet(Options(satz=KATZE, gewichte="auswahl"))
    example, built = whole.built.calculation, whole.rebuilt()
    large = calculate(drawn(Sizes(16, 4, 32, 2), 24, 1, 0))
    hand = {name: quantity.values for name, quantity in example.hand.items()}
    slip = hand | {"block1.head1.weight": hand["block1.head1.weight"].copy()}
    slip["block1.head1.weight"][1, 0] = 0.64
    right, wrong = (answers_of(example, tables) for tables in (hand, slip))
    gpt2 = drawn(Sizes(768, 12, 3072, 12), 64, 0, -9)
    work = {
        "the example, both arithmetics": partial(calculate, example.model),
        "10 000 simulated pupils of the example": lambda: sum(1 for _ in simulate(example, 10_000, 1)),
        "accepted ranges of the example": partial(accepted, example),
        "accepted ranges of 24 tokens, d_model 16, 2 blocks": partial(accepted, large),
        f"check of {len(right.entries)} cells, all right": partial(check, built, right),
        "check, one wrong": partial(check, built, wrong),
        "GPT-2 Small's sizes, 64 tokens, both arithmetics": partial(calculate, gpt2),
    }
    rows = [[title, f"{seconds_of(each, 1 if 'GPT' in title else 3):.4f}"] for title, each in work.items()]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return table(["calculation alone, libraries loaded", "s"], rows) + f"Peak {peak} MB.\n"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--anzahl", type=int, default=30)
    pupils = parser.parse_args().anzahl
    print(calculations(), layout_and_one_more(), processes(pupils), sep="\n", flush=True)
