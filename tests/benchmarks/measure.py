"""The table of docs/messungen.md, ready to paste: `python -m tests.benchmarks.measure [--runden 3]`.

Every line is a run in processes of its own; the rounds take turns, a figure is the median of them. Seconds
of the processor are those of all processes of the run, MB those of its largest. Linux only: elsewhere no
parent is told of its grandchildren. Compare lines of one table with each other, not with another machine's.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Final

from pypdf import PdfReader

from tests.page.running import Program, Teacher

KATZE: Final = "Die Katze sitzt auf der Matte"
TOKENS: Final = {2: "Katzen schlafen", 6: KATZE, 12: f"{KATZE} und der Hund liegt vor dem"}
TOKENS[24] = f"{TOKENS[12]} Haus wo es warm ist und sieht den Vögeln im großen Garten"
OWN: Final = "Mein Bruder spielt heute im Garten"
STYLE: Final = "auswahl"
PAIR: Final = ("--stationen", "4a,4b")
DRAWN: Final = (*PAIR, "--gewichte", "dezimal")
# A process begins with the memory of the one that starts it: a small one in between keeps ours out. What its
# child leaves behind becomes its own (PR_SET_CHILD_SUBREAPER), so that the time of helpers counts.
RUNNER: Final = """
import ctypes, json, os, resource, subprocess, sys, time
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
start = time.perf_counter()
status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=False).returncode
seconds = time.perf_counter() - start
while True:
    try:
        os.wait()
    except ChildProcessError:
        break
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([status, used.ru_utime + used.ru_stime, seconds, used.ru_maxrss / 1024]))
"""
CLASS_OF: Final = """
import sys
from generator.commands import class_set_command
class_set_command.PROCESSES = int(sys.argv.pop(1))
from generator.__main__ import main
sys.exit(main())
"""
Figures = Sequence[float | None]  # seconds of the processor, seconds, MB, pages
Line = tuple[str, Figures]


def measured(*command: str) -> list[float]:
    """Seconds of the processor, seconds on the clock and peak MB of a command."""
    runner = [sys.executable, "-I", "-c", RUNNER, *command]
    status, *figures = json.loads(subprocess.run(runner, stdout=subprocess.PIPE, check=True).stdout)
    if status:
        raise SystemExit(f"{' '.join(command)} ended with {status}")
    return figures


def ours(*words: str, program: Sequence[str] = ("-m", "generator")) -> Figures:
    """A run of the program, and the pages of its PDFs."""
    with tempfile.TemporaryDirectory() as folder:
        figures = measured(sys.executable, *program, *words, "--ausgabe", folder)
        return [*figures, sum(len(PdfReader(path).pages) for path in Path(folder).rglob("*.pdf"))]


@contextmanager
def home() -> Iterator[None]:
    """An empty one, to begin with."""
    before = os.environ.get("PAPIERFORMER_CACHE", "")
    with tempfile.TemporaryDirectory() as cache:
        os.environ["PAPIERFORMER_CACHE"] = cache
        yield
    os.environ["PAPIERFORMER_CACHE"] = before


def sheet(number: int, wanted: argparse.Namespace) -> Iterator[Line]:
    words = ("blatt", KATZE, *PAIR, "--gewichte", STYLE)
    yield "Blatt zu 4a und 4b, leeres Heim", ours(*words)
    yield "Blatt zu 4a und 4b, anderer Startwert", ours(*words, "--startwert", str(number + 1))
    yield "Blatt zu 4a und 4b, eigener Satz: ein Modell wird trainiert", ours("blatt", OWN, *PAIR)


def classes(number: int, wanted: argparse.Namespace) -> Iterator[Line]:
    words = ("klassensatz", KATZE, *DRAWN, "--anzahl", str(wanted.anzahl))
    yield f"Klassensatz für {wanted.anzahl}, leeres Heim", ours(*words)
    for processes in (1, 2, 4):
        again = ours(str(processes), *words, program=("-c", CLASS_OF))
        yield f"Klassensatz für {wanted.anzahl}, noch einmal, Prozesse: {processes}", again


def booklet(number: int, wanted: argparse.Namespace) -> Iterator[Line]:
    yield "ganzes Heft, leeres Heim", ours("blatt", KATZE, "--gewichte", STYLE)
    yield "ganzes Heft, eigener Satz: ein Modell wird trainiert", ours("blatt", OWN)
    yield "ganzes Heft, Beispiel der README", ours("blatt", KATZE)


def page(number: int, wanted: argparse.Namespace) -> Iterator[Line]:
    for title, sentence in (("", KATZE), (", eigener Satz: ein Modell wird trainiert", OWN)):
        with home(), tempfile.TemporaryDirectory() as folder:
            begun = time.perf_counter()
            program = Program(Path(folder) / "ablage")
            try:
                teacher, order = Teacher(program.base), {"optionen": {"satz": sentence}, "ganz": False}
                teacher.page(f"/vorschau/{teacher.ask('/api/vorschau', order)['seite']}")
                seconds = time.perf_counter() - begun
                yield f"die Seite: Start und erste Vorschau{title}", [None, seconds, None, None]
            finally:
                program.end()


def growth(number: int, wanted: argparse.Namespace) -> Iterator[Line]:
    sheets = [(f"{tokens} Tokens, d 4", (sentence,)) for tokens, sentence in TOKENS.items()]
    sheets += [(f"6 Tokens, d {d}", (KATZE, "--dimension", str(d))) for d in (2, 8, 16)]
    for title, words in sheets:
        with home():
            yield f"Blatt, leeres Heim: {title}", ours("blatt", *words, *DRAWN)
    simple = ("klassensatz", KATZE, "--stationen", "4a", "--gewichte", "dezimal", "--anzahl")
    ours(*simple, "30")
    for pupils in (1, 30, 100, *([1000] if wanted.tausend and not number else [])):
        yield f"Klassensatz zu 4a für {pupils}", ours(*simple, str(pupils))


PARTS: Final = {each.__name__: each for each in (sheet, booklet, classes, page, growth)}


def table(lines: Sequence[Line]) -> str:
    """The medians of lines of the same name."""
    runs: dict[str, list[Figures]] = {}
    for title, figures in lines:
        runs.setdefault(title, []).append(figures)
    rows = ["| | s Prozessor | s | MB | Seiten |", "| --- | ---: | ---: | ---: | ---: |"]
    for title, found in runs.items():
        said = []
        for place, form in enumerate((".2f", ".2f", ".0f", ".0f")):
            values = [value for figures in found if (value := figures[place]) is not None]
            said.append(format(median(values), form).replace(".", ",") if values else "–")
        rows.append(f"| {title} | {' | '.join(said)} |")
    return "\n".join(rows)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runden", type=int, default=3)
    parser.add_argument("--anzahl", type=int, default=30)
    parser.add_argument("--tausend", action="store_true", help="a class of 1 000, too, in the first round")
    parser.add_argument("--teile", nargs="+", choices=PARTS, default=list(PARTS))
    wanted = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # users have compiled modules
    found: list[Line] = []
    for number in range(wanted.runden):
        for name in wanted.teile:
            with home():
                found += PARTS[name](number, wanted)
    print(table(found))
