"""How long sheets take, what memory they need, and how both grow: `python tests/benchmarks/sheets.py`.

Out: Markdown tables. Times of one run on one machine: compare them with each other, not with another run.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import os
import pstats
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from engine.forward.calculation import calculate  # noqa: E402
from engine.model.model import Model, Sizes  # noqa: E402
from engine.model.weights import make_weights  # noqa: E402
from generator.calculation.build import build  # noqa: E402
from generator.options.options import Options  # noqa: E402

KATZE = "Die Katze sitzt auf der Matte"
LONGEST = (
    "Am ersten Tag nach den langen Ferien treffen sich alle Kinder der fünften Klasse "
    "auf dem großen Hof und erzählen einander lachend viele Geschichten"
)
THREE = ("--stationen", "4a,4b,S")
REPEATS = 3
MEGABYTE = 1024 if sys.platform != "darwin" else 1024 * 1024  # of ru_maxrss


class Cold(NamedTuple):
    """One run of the program in a process of its own."""

    seconds: float
    megabytes: float
    pages: int


def cold(command: str, *words: str, repeats: int = 1) -> Cold:
    """The quickest of some runs; memory is the largest of the process and its helpers."""
    runs = []
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as folder:
            target = ["--ausgabe", folder] if command == "blatt" else []
            runs.append(run_cold([sys.executable, "-m", "generator", command, *words, *target], Path(folder)))
    return min(runs)


# A process begins with the memory of the one that starts it: a small one in between keeps ours out.
RUNNER = """
import json, resource, subprocess, sys, time
start = time.perf_counter()
status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=False).returncode
seconds, memory = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(json.dumps([status, seconds, memory]))
"""


def run_cold(command: Sequence[str], folder: Path) -> Cold:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    runner = [sys.executable, "-I", "-c", RUNNER, *command]
    done = subprocess.run(runner, stdout=subprocess.PIPE, env=environment, check=True)
    status, seconds, memory = json.loads(done.stdout)
    if status:
        raise SystemExit(f"{' '.join(command)} ended with {status}")
    return Cold(seconds, memory / MEGABYTE, sum(map(_pages, folder.rglob("*.pdf"))))


def _pages(file: Path) -> int:
    from pypdf import PdfReader

    return len(PdfReader(file).pages)


def milliseconds(work: Callable[[], object], repeats: int = 7) -> float:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return 1000 * statistics.median(times)


def calculation_milliseconds(satz: str = KATZE, dimension: int = 4, heads: int = 2) -> float:
    """Both arithmetics of one sentence, nothing else; the words' vectors are there already."""
    options = Options(satz=satz, dimension=dimension, heads=heads)
    model = build(options).calculation.model
    return milliseconds(lambda: calculate(model))


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines) + "\n"


def shown(run: Cold) -> list[str]:
    each = f"{1000 * run.seconds / run.pages:.0f}" if run.pages else "–"
    return [f"{run.seconds:.2f}", str(run.pages or "–"), each, f"{run.megabytes:.0f}"]


RUN_HEAD = ["cold process", "s", "PDF pages", "ms a page", "peak MB"]


def commands(booklet: bool) -> str:
    rows = [
        ["`rechne`", *shown(cold("rechne", KATZE, repeats=REPEATS))],
        ["`blatt`, three stations", *shown(cold("blatt", KATZE, *THREE, repeats=REPEATS))],
    ]
    if booklet:
        rows.append(["`blatt`, all stations", *shown(cold("blatt", KATZE))])
    return table(RUN_HEAD, rows)


def growth() -> str:
    words = LONGEST.split()
    rows = []
    for count in (2, 6, 12, 24):
        satz = " ".join(words[:count])
        run = cold("blatt", satz, *THREE)
        rows.append([f"{count} tokens, d_model 4", f"{calculation_milliseconds(satz):.1f}", *shown(run)])
    for dimension, heads in ((2, 1), (8, 2), (16, 4)):
        run = cold("blatt", KATZE, "--dimension", str(dimension), "--heads", str(heads), *THREE)
        calculated = calculation_milliseconds(KATZE, dimension, heads)
        rows.append([f"6 tokens, d_model {dimension}", f"{calculated:.1f}", *shown(run)])
    return table(["three stations", "calculation, ms", *RUN_HEAD[1:]], rows)


def large_model() -> str:
    sizes = Sizes(768, 12, 3072, 12)
    rng = np.random.default_rng(0)
    vectors = rng.integers(-9, 10, size=(64, 768)) / 10
    weights = make_weights(sizes, "auswahl", rng)
    model = Model(sizes, tuple(f"w{i}" for i in range(64)), vectors, weights)
    seconds = milliseconds(lambda: calculate(model), 1) / 1000
    return table(["GPT-2 Small's sizes, 64 tokens", "s"], [["both arithmetics", f"{seconds:.1f}"]])


PARTS = {  # functions whose cumulative time stands for a part of the work
    "calculation": [("build.py", "build")],
    "templates (formulas included)": [("render.py", "render_page")],
    "formulas: typesetting": [("typeset.py", "inline"), ("typeset.py", "display")],
    "formulas: drawing into the PDF": [("typeset_shapes.py", "draw")],
    "layout": [("pdf.py", "layout")],
    "writing the PDF": [("pdf.py", "write")],
}


def profile() -> str:
    """Shares of one sheet with its key made in one process, libraries loaded."""
    from generator.basics.errors import Progress
    from generator.output.many import Printers
    from generator.production import worksheet

    options = Options(satz=KATZE, stationen=("4a", "4b", "S"))
    in_this_process = Printers(0)
    worksheet.make_files(options, Progress(), in_this_process)
    profiler = cProfile.Profile()
    profiler.runcall(worksheet.make_files, options, Progress(), in_this_process)
    stats = pstats.Stats(profiler)
    rows = [[part, f"{_seconds(stats, names) / stats.total_tt:.0%}"] for part, names in PARTS.items()]
    return table(["part of the profile", "share"], rows)


def _seconds(stats: pstats.Stats, names: Iterable[tuple[str, str]]) -> float:
    """Cumulative seconds of functions by file and name."""
    wanted = set(names)
    found = stats.stats.items()  # type: ignore[attr-defined]
    return sum(
        cumulative
        for (file, _, function), (_, _, _, cumulative, _) in found
        if (Path(file).name, function) in wanted and "generator" in file
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Benchmarks of the sheets, as Markdown.")
    parser.add_argument("--ohne-heft", action="store_true", help="leave the booklet of all stations out")
    arguments = parser.parse_args()
    calculated = f"{calculation_milliseconds():.1f}"
    print(table(["calculation alone", "ms"], [["the example, both arithmetics", calculated]]))
    print(commands(not arguments.ohne_heft))
    print(growth())
    print(profile())
    print(large_model())
    if not (shutil.which("pdflatex") or shutil.which("lualatex")):
        print("No LaTeX on this machine to compare with.")


if __name__ == "__main__":
    main()
