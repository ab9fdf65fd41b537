"""In: how many pupils. Out: whether a simulated class gets the verdicts it was made for.

python -m tests.classes.whole_class --anzahl 30   (`klassensatz`, answers, `pruefe`, report)

A third writes what the key says, a third slips once, a third leaves its scores undivided.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.classes.test_marking import answers_of, as_lines, without_scaling

KINDS = ("honest", "slip", "mistake")
SENTENCE = "Die Katze sitzt auf der Matte"


def papers(folder: Path, target: Path, pupils: int) -> None:
    """A CSV of answers for each pupil."""
    for number in range(1, pupils + 1):
        kind = KINDS[number % len(KINDS)]
        answers = without_scaling(folder, number) if kind == "mistake" else answers_of(folder, number)
        if kind == "slip":
            cell = [each for each in answers if each[0].endswith("output")][-1]
            answers[cell] += 5
        lines = "\n".join(["name;index;wert", *as_lines(answers)])
        (target / f"{number}.csv").write_text(lines, encoding="utf-8")


def run(*arguments: object) -> None:
    subprocess.run(
        [sys.executable, "-m", "generator", *map(str, arguments)], check=True, stdout=subprocess.DEVNULL
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--anzahl", type=int, default=30)
    pupils = parser.parse_args().anzahl
    with tempfile.TemporaryDirectory() as place:
        os.environ["PAPIERFORMER_CACHE"] = f"{place}/cache"
        run(
            "klassensatz",
            SENTENCE,
            "--anzahl",
            pupils,
            "--stationen",
            "4b",
            "--gewichte",
            "dezimal",
            "--ausgabe",
            place,
        )
        (folder,) = Path(place).glob("*-klasse")
        answers, report = Path(place) / "antworten", Path(place) / "klasse.html"
        answers.mkdir()
        papers(folder, answers, pupils)
        run("pruefe", folder, answers, "--bericht", report)
        rows = list(
            csv.DictReader(report.with_suffix(".csv").read_text("utf-8-sig").splitlines(), delimiter=";")
        )
    wrong = 0
    for row in rows:
        kind = KINDS[int(row["Blatt"]) % len(KINDS)]
        named = "nicht durch" in row["typische Fehler"]
        fits = {
            "honest": row["falsch"] == "0"
            and row["Fehler"] == "0"
            and int(row["BE"]) == int(row["von"]) - int(row["offen"]),
            "slip": row["Fehler"] == "1" and not named,
            "mistake": row["Fehler"] == "1" and named,
        }
        if not fits[kind]:
            wrong += 1
            print(kind, json.dumps(row, ensure_ascii=False))
    print(f"{len(rows)} papers of {pupils}, {wrong} with another verdict than planned")
    return 1 if wrong or len(rows) != pupils else 0


if __name__ == "__main__":
    sys.exit(main())
