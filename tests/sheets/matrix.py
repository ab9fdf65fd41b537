"""Ten sentences in ten sizes: the faults of every page of their booklets, teacher's pages included.

python tests/sheets/matrix.py [--wahl katze] [--anzahl 5] [--mit stufe=3] [--prozesse 2]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE)]

from congruence import differences  # noqa: E402
from faults import (  # noqa: E402
    CHECKS,
    CHECKS_OF_READING,
    MOST_EMPTY,
    all_faults,
    emptiness,
    long_lines,
)
from paper import paper  # noqa: E402

from generator.calculation.build import build  # noqa: E402
from generator.options.course import COURSE  # noqa: E402
from generator.options.options import Options  # noqa: E402
from generator.output.formulas.typeset import Typesetter  # noqa: E402
from generator.production.press import CARDS  # noqa: E402
from generator.production.worksheet import TEACHER, VIEWS, documents  # noqa: E402
from generator.stations.make_sheet import make_sheet  # noqa: E402
from generator.teacher.review import review  # noqa: E402

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
STATIONS = ",".join(stop.id for stop in COURSE if not stop.needs)


def configurations() -> dict[str, dict[str, Any]]:
    """Their options by name, neighbours being as different as can be, so that a few say much."""
    every = {
        f"{sentence} d{d} h{h} b{blocks}": {"satz": text, "dimension": d, "heads": h, "bloecke": blocks}
        for (sentence, text), (d, h), blocks in product(SENTENCES.items(), SIZES, (1, 2))
    }
    names = list(every)
    return {name: every[name] for start in range(11) for name in names[start::11]}


def faults_of(given: dict[str, Any]) -> Iterator[str]:
    """Of all its documents, with the ranges on the key; before them which pages are rather empty."""
    built = build(Options.from_mapping({"stationen": STATIONS} | given))
    whole = make_sheet(built)
    typesetter = Typesetter("pdf")
    made = list(documents(whole, review(whole.sheet, whole.desk, whole.ranges), typesetter, "pdf"))
    pages = {each.name: paper(each.html, typesetter.images) for each in made}
    for name, found in pages.items():
        checks = CHECKS_OF_READING if name in (TEACHER, CARDS) else CHECKS
        yield from (f"{name}: {fault}" for fault in all_faults(found, checks))
    yield from (f"long_lines: {fault}" for fault in long_lines(pages[VIEWS["worksheet"]]))
    shares = emptiness(pages[VIEWS["worksheet"]])
    empty = [f"{number} ({share:.0%})" for number, share in enumerate(shares, 1) if share > MOST_EMPTY]
    yield f"{len(shares)} Seiten; mehr als ein Viertel leer: {', '.join(empty) or 'keine'}"
    yield from (f"congruence: {fault}" for fault in differences(*(pages[name] for name in VIEWS.values())))


def check(given: dict[str, Any]) -> list[str]:
    return list(faults_of(given))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wahl", default="", help="nur Hefte, deren Name das enthält")
    parser.add_argument("--anzahl", type=int, help="nur die ersten N")
    parser.add_argument("--mit", action="append", default=[], metavar="OPTION=WERT", help="für alle Hefte")
    parser.add_argument("--prozesse", type=int, default=1)
    asked = parser.parse_args()
    more = dict(pair.split("=", 1) for pair in asked.mit)
    chosen = {name: given | more for name, given in configurations().items() if asked.wahl in name}
    names, faults = list(chosen)[: asked.anzahl], 0
    with ProcessPoolExecutor(asked.prozesse) as pool:
        for name, found in zip(names, pool.map(check, [chosen[name] for name in names]), strict=True):
            told = [line for line in found if " Seiten; " in line]
            wrong = [line for line in found if line not in told]
            faults += len(wrong)
            print(f"{name}: {len(wrong)} Mängel", *told, *wrong[:5], sep="\n    ", flush=True)
    print(f"{len(names)} Hefte, {faults} Mängel")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
