"""Words of drawn keys against the table of findings.

    python -m tests.training_table.findings [--anzahl 300] [--ab 0]

One line a sheet; below it the sentences that are not in the table or do not hold. At the end their sum, and
which lines of the table no sheet here has shown.
"""

from __future__ import annotations

import random
import time

from findings.seen import seen
from findings.table import TABLE
from findings.test_findings import faults_of, read

from generator.basics.errors import UserError
from tests.training_table import arguments
from tests.training_table.sentences import sentences

_TARGETS = ("", "", "", "The cat sits on the mat", "Mit Geduld backt man gutes Brot")


def drawn(number: int) -> dict[str, object]:
    """The options of a sheet; two of three have learnt."""
    draw = random.Random(number)
    options: dict[str, object] = {
        "satz": sentences(1, number)[0],
        "gewichte": draw.choice(["gelernt", "gelernt", "gelernt", "gelernt", "auswahl", "dezimal"]),
        "startwert": draw.randrange(100),
        "stufe": draw.choice([1, 2, 2, 3]),
    }
    if draw.random() < 0.2:
        options |= {"dimension": 6, "heads": draw.choice([2, 3])}
    if draw.random() < 0.25:
        options["lernen"] = draw.choice(["ausgabe", "attention", "alles"])
    if draw.random() < 0.15:
        options |= {"stationen": "4a", "zeit": 45, "gewichte": "gelernt"}
    elif target := draw.choice(_TARGETS):
        options["zielsatz"] = target
    return options


def main(count: int, first: int) -> None:
    sheets = answers = wrong = refused = 0
    shown = set()
    for number in range(first, first + count):
        options, start = drawn(number), time.perf_counter()
        try:
            sheet = seen(options)
        except UserError as error:
            refused += 1
            print(number, "refused:", error, flush=True)
            continue
        faults = faults_of(sheet)
        shown |= {id(line) for said in sheet.said for line, *_ in read(said)}
        sheets, answers, wrong = sheets + 1, answers + len(sheet.said), wrong + len(faults)
        print(number, f"{time.perf_counter() - start:.1f} s", len(sheet.said), "answers", options, flush=True)
        for fault in faults.values():
            print("   ", fault, flush=True)
    print(
        f"{sheets} sheets, {answers} answers in words, {wrong} wrong or not in the table, {refused} refused"
    )
    print(f"{len(shown - {id(None)})} of {len(TABLE)} lines of the table were shown; not:")
    for line in TABLE:
        if id(line) not in shown:
            print("   ", line.task, line.sentence)


if __name__ == "__main__":
    wanted = arguments(anzahl=300, ab=0)
    main(wanted.anzahl, wanted.ab)
