"""Ten sentences in ten sizes go in; the faults of every page of their booklets come out, as a table.

python tests/sheets/matrix.py [--wahl katze] [--anzahl 5] [--mit stufe=3] [--prozesse 2] [--bericht DATEI]

What was checked once is kept in output/matrix.jsonl and not laid out again until its HTML or a check changes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(ROOT), str(HERE)]

from congruence import differences  # noqa: E402
from faults import CHECKS, CHECKS_OF_READING, all_faults, long_lines  # noqa: E402
from paper import Paper, paper  # noqa: E402

from generator.calculation.build import build  # noqa: E402
from generator.calculation.document import ranges_of  # noqa: E402
from generator.options.course import COURSE  # noqa: E402
from generator.options.options import Options  # noqa: E402
from generator.output.formulas.typeset import Typesetter  # noqa: E402
from generator.production.worksheet import TEACHER, VIEWS, documents, lay_out_sheet  # noqa: E402
from generator.teacher.teacher import review  # noqa: E402

SENTENCES = {  # 2 to 16 words
    "vögel": "Vögel singen",
    "wer": "Wer lacht denn da?",
    "tante": "Tante Ütz füttert fünf süße Mäuse!",
    "katze": "Die Katze sitzt auf der Matte",
    "jürgen": "Anna und Jürgen Müller-Lüdenscheidt essen 3 Äpfel.",
    "fliegen": "Wenn Fliegen hinter Fliegen fliegen, fliegen Fliegen Fliegen nach.",
    "zahlen": "Am 24. Dezember 2025 kostet der Glühwein 3,50 Euro.",
    "kapitän": "Grüßen Donaudampfschifffahrtskapitäne Österreichs Straßenbahnfahrerinnen?",
    "hund": "Der alte Hund jagt heute den roten Ball im Garten",
    "hex": "Morgens früh um sechs kommt die kleine Hex, morgens früh um sieben schabt sie gelbe Rüben.",
}
SIZES = ((2, 1), (4, 2), (6, 3), (8, 2), (8, 4))  # d_model and heads
BLOCKS = (1, 2)
STATIONS = ",".join(stop.id for stop in COURSE if not stop.needs)
KEPT = ROOT / "output" / "matrix.jsonl"


@dataclass(frozen=True)
class Checked:
    """What was found in one configuration; proof: of its HTML and of the checks."""

    name: str
    proof: str
    pages: dict[str, int]
    faults: list[str]
    seconds: float


def configurations() -> dict[str, dict[str, Any]]:
    """Their options by name, neighbours being as different as can be, so that a few say much."""
    every = {
        f"{sentence} d{d} h{h} b{blocks}": {"satz": text, "dimension": d, "heads": h, "bloecke": blocks}
        for (sentence, text), (d, h), blocks in product(SENTENCES.items(), SIZES, BLOCKS)
    }
    names = list(every)
    return {name: every[name] for start in range(11) for name in names[start::11]}


def check(name: str, given: dict[str, Any], known: Checked | None = None) -> Checked:
    """Lays worksheet, key and teacher's pages out and judges them, unless they are what they were."""
    began = time.perf_counter()
    printed, images = html_of(Options.from_mapping({"stationen": STATIONS} | given))
    proof = proof_of(printed)
    if known is not None and known.proof == proof:
        return known
    pages = {document: paper(html, images) for document, html in printed.items()}
    counts = {document: len(found.pages) for document, found in pages.items()}
    return Checked(name, proof, counts, list(faults_of(pages)), round(time.perf_counter() - began, 1))


def html_of(options: Options) -> tuple[dict[str, str], dict[str, Any]]:
    """What is printed, by document, with the ranges on the key; and the pictures of its formulas."""
    built = build(options)
    ranges = ranges_of(built.whole)
    sheet, desk = lay_out_sheet(built, ranges)
    typesetter = Typesetter("pdf")
    made = documents(sheet, desk, review(sheet, desk, ranges), typesetter, "pdf")
    return {document.name: document.html for document in made}, typesetter.images


def faults_of(pages: dict[str, Paper]) -> Iterator[str]:
    for document, found in pages.items():
        checks = CHECKS_OF_READING if document == TEACHER else CHECKS
        yield from (f"{document}: {fault}" for fault in all_faults(found, checks))
        if document == VIEWS["worksheet"]:
            yield from (f"{document}: long_lines: {fault}" for fault in long_lines(found))
    both = [pages[name] for name in VIEWS.values()]
    yield from (f"{VIEWS['key']}: congruence: {fault}" for fault in differences(*both))


def proof_of(printed: dict[str, str]) -> str:
    return hashlib.sha256("".join([_checks(), *printed.values()]).encode()).hexdigest()[:16]


@cache
def _checks() -> str:
    return "".join((HERE / f"{name}.py").read_text(encoding="utf-8") for name in ("faults", "congruence"))


def kept(path: Path) -> dict[str, Checked]:
    if not path.exists():
        return {}
    lines = path.read_text(encoding="utf-8").splitlines()
    return {found.name: found for found in (Checked(**json.loads(line)) for line in lines)}


def run(chosen: dict[str, dict[str, Any]], path: Path, processes: int) -> Iterator[Checked]:
    """Checks what is chosen, one after the other, and writes each down at once."""
    known = kept(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as lines, ProcessPoolExecutor(processes) as pool:
        work = [pool.submit(partial(check, name, given, known.get(name))) for name, given in chosen.items()]
        for future in work:
            found = future.result()
            if found != known.get(found.name):
                lines.write(json.dumps(asdict(found), ensure_ascii=False) + "\n")
                lines.flush()
            yield found


def row(found: Checked) -> str:
    counts = [found.pages[name] for name in (*VIEWS.values(), TEACHER)]
    kinds = Counter(fault.split(": ")[1] for fault in found.faults)
    said = ", ".join(f"{count} {kind}" for kind, count in kinds.items()) or "–"
    return f"{found.name:<18}{counts[0]:>6}{counts[1]:>6}{counts[2]:>6}{found.seconds:>8.1f} s  {said}"


def main() -> int:
    asked = arguments()
    more = dict(pair.split("=", 1) for pair in asked.mit)
    ending = "".join(f" {pair}" for pair in asked.mit)
    chosen = {name + ending: given | more for name, given in configurations().items() if asked.wahl in name}
    chosen = dict(list(chosen.items())[: asked.anzahl])
    print(f"{'Satz, Größe':<18}{'Blatt':>6}{'Lsg.':>6}{'Lehrk.':>7}{'Zeit':>7}    Mängel")
    results = []
    for found in run(chosen, asked.bericht, asked.prozesse):
        results.append(found)
        print(row(found), *(f"    {fault}" for fault in found.faults[: asked.zeigen]), sep="\n", flush=True)
    pages = sum(sum(found.pages.values()) for found in results)
    faults = sum(len(found.faults) for found in results)
    print(f"{len(results)} Hefte, {pages} Seiten, {faults} Mängel")
    return 1 if faults else 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Prüft alle Seiten der Hefte zu zehn Sätzen in zehn Größen.")
    parser.add_argument("--wahl", default="", metavar="TEXT", help="nur Hefte, deren Name das enthält")
    parser.add_argument("--anzahl", type=int, metavar="N", help="nur die ersten N")
    parser.add_argument("--mit", action="append", default=[], metavar="OPTION=WERT", help="für alle Hefte")
    parser.add_argument("--prozesse", type=int, default=1, metavar="N")
    parser.add_argument("--zeigen", type=int, default=5, metavar="N", help="Mängel, die je Heft dastehen")
    parser.add_argument("--bericht", type=Path, default=KEPT, metavar="DATEI", help="was geprüft ist")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
