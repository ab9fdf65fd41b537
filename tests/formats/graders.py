"""Every grader on the same number: `pruefe` (so page and lessons), the rules of Moodle, Maxima as in STACK.

As a script, 2,000 numbers around the edges of ten sheets: python tests/formats/graders.py [SHEETS] [NUMBERS]
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parent)]

from cloze import blanks, given

from engine.trace import CellAddress
from generator.basics.numbers import unit
from generator.calculation.rebuild import Rebuilt
from generator.check.answers import Answers
from generator.check.check import check
from generator.check.entries import Entry, number_of
from generator.options.options import Options
from generator.output.formats.head_chain import INPUTS, Chain, chains, feedback_variables, variables
from generator.output.formats.moodle import cloze
from generator.output.formats.questions import Expected, Material
from generator.output.formats.stack import judged

CREDIT = ("richtig", "angenommen", "folgefehler")
TYPED_MINUS = "-"


@dataclass(frozen=True)
class Try:
    """One number written in one cell. kind: what is tried with it."""

    at: CellAddress
    kind: str
    text: str


def tries(at: CellAddress, expected: Expected) -> Iterator[Try]:
    """Numbers inside, at and outside every edge of what is right."""
    places = max(0, -int(expected.value.as_tuple().exponent))
    one = unit(places)
    low, high, key = expected.low, expected.high, expected.value
    numbers = {
        "Wert der Lösung": key,
        "eine Einheit darunter": key - one,
        "eine Einheit darüber": key + one,
        "unteres Ende": low,
        "oberes Ende": high,
        "eine Einheit unter dem Ende": low - one,
        "eine Einheit über dem Ende": high + one,
        "mehr Stellen, gerundet noch darin (oben)": high + one * Decimal("0.4"),
        "mehr Stellen, gerundet noch darin (unten)": low - one * Decimal("0.4"),
        "genau die Hälfte über dem Ende": high + one / 2,
        "genau die Hälfte unter dem Ende": low - one / 2,
        "knapp unter der Hälfte über dem Ende": high + one * Decimal("0.499"),
        "knapp unter der Hälfte unter dem Ende": low - one * Decimal("0.499"),
        "knapp über der Hälfte über dem Ende": high + one * Decimal("0.501"),
        "knapp über der Hälfte unter dem Ende": low - one * Decimal("0.501"),
        "neun Stellen": key + one * Decimal("0.1234567"),
        "eine Stelle weniger": key.quantize(unit(max(0, places - 1))),
        "weit daneben": key * 2 + 7,
        "falsches Vorzeichen": -key,
    }
    for kind, number in numbers.items():
        text = f"{number:f}".replace(".", ",")
        yield Try(at, kind, text)
        yield Try(at, "mit Punkt", text.replace(",", "."))
        for sign in "\N{MINUS SIGN}\N{EN DASH}":
            if text.startswith(TYPED_MINUS):
                yield Try(at, f"mit {sign} statt -", sign + text[1:])
    if places == 0 and abs(key) >= 1000:
        yield Try(at, "Tausenderpunkt", f"{key:,.0f}".replace(",", "."))


def by_pruefe(rebuilt: Rebuilt, some: Sequence[Try]) -> list[bool]:
    """Each alone, as if nothing else were written."""
    found = []
    for each in some:
        name, index = each.at
        entry = Entry(name, index, each.text, number_of(each.text))
        (checked,) = check(rebuilt, Answers((entry,), 0), named=False).cells
        found.append(checked.verdict in CREDIT)
    return found


def by_moodle(expected: Expected, text: str) -> bool | None:
    """None where Moodle cannot read a number."""
    if not text.isascii():
        return None
    (alternatives,) = blanks(cloze(expected))
    chosen = given(alternatives, text)
    return chosen is not None and chosen.fraction == 1


def by_stack(material: Material, some: Sequence[Try]) -> dict[int, bool]:
    """By the place in the list, for cells of heads; all from one run of Maxima."""
    heads = list(chains(material))
    script, asked = [], []
    for chain in heads:
        for part in chain.parts:
            script.append(variables(chain, part))
            fields = [f"{INPUTS[s]}{n}" for s in part for n in range(len(chain.asked[s]))]
            for number, each in enumerate(some):
                field, step, place = _field_of(chain, part, each.at)
                if not field:
                    continue
                asked.append(number)
                script += [f'{name}:"{each.text if name == field else ""}";' for name in fields]
                script.append(_judged(material, chain, part, step, place))
    said = [line.split()[1] == "true" for line in maxima(script).splitlines() if line.startswith("@ ")]
    return dict(zip(asked, said, strict=True))


def maxima(script: Sequence[str]) -> str:
    """What Maxima prints for these statements."""
    with tempfile.NamedTemporaryFile("w", suffix=".mac") as file:
        file.write("\n".join(script).replace(";", "$"))
        file.flush()
        command = ["maxima", "--very-quiet", f"--batch={file.name}"]
        return subprocess.run(command, capture_output=True, text=True, timeout=600, check=True).stdout


def _field_of(chain: Chain, part: Sequence[str], at: CellAddress) -> tuple[str, str, int]:
    for step in part:
        for place, blank in enumerate(chain.asked[step]):
            if blank.cell == at:
                return f"{INPUTS[step]}{place}", step, place
    return "", "", 0


def _judged(material: Material, chain: Chain, part: Sequence[str], step: str, place: int) -> str:
    """The two tests that give credit, as the question's tree has them."""
    lines = [feedback_variables(chain, part, step), *judged(material, chain, step, place)]
    return "\n".join(lines) + f'\nprint("@",in{place} or follows{place});'


SHEETS = (
    {"satz": "Die Katze sitzt auf der Matte", "gewichte": "ganzzahlig"},
    {"satz": "Vögel singen", "heads": 1, "nachkommastellen": 4, "gewichte": "auswahl"},
    {"satz": "Der Hund bellt im Garten laut", "gewichte": "dezimal", "stationen": "3,4a,4b,5"},
    {"satz": "Wer liest ein Buch", "gewichte": "ganzzahlig", "dimension": 8, "heads": 2, "skalierung": False},
    {
        "satz": "Die Maus schläft",
        "zielsatz": "The mouse sleeps",
        "lernen": "ausgabe",
        "gewichte": "ganzzahlig",
    },
    {"satz": "Heute regnet es", "gewichte": "ganzzahlig", "stufe": 3, "nachkommastellen": 1},
    {"satz": "Der Zug fährt nach Rom", "positionen": False, "gewichte": "dezimal", "stationen": "4a,4b,6"},
    {"satz": "Wir lernen rechnen", "maske": False, "gewichte": "ganzzahlig", "nachkommastellen": 3},
    {"satz": "Anna ruft Ben", "gewichte": "dezimal", "stufe": 1, "stationen": "4a,8,9"},
    {"satz": "Das Kind malt ein Haus", "gewichte": "auswahl", "startwert": 5, "stationen": "3,4a,5,6,7,8"},
)


def compared(options: dict[str, object], count: int, seed: int) -> Iterator[tuple[Try, list[bool | None]]]:
    """So many numbers of one sheet, each with the verdicts of `pruefe`, Moodle and STACK."""
    from generator.basics.files import KEY
    from generator.output.formats.read import read
    from generator.production.exports import asked_of
    from generator.production.sheet_documents import worksheet_and_key
    from generator.stations.make_sheet import make_sheet

    whole = make_sheet(Options.from_mapping(options))
    pages = worksheet_and_key(whole)
    asked = asked_of(whole)
    key = next(page for page in pages if page.name == KEY)
    material = Material(read(pages[0].page), read(key.page), replace(asked, stations=key.stations))
    own = {at for exercise in material.exercises for at in exercise.asked} & asked.expected.keys()
    every = [each for at in sorted(own) for each in tries(at, asked.expected[at])]
    some = random.Random(seed).sample(every, min(count, len(every)))
    stack = by_stack(material, some)
    told = by_pruefe(whole.rebuilt(), some)
    for number, (each, right) in enumerate(zip(some, told, strict=True)):
        yield each, [right, by_moodle(asked.expected[each.at], each.text), stack.get(number)]


def main(sheets: int = 10, numbers: int = 2000) -> int:
    """Print a table by kind of number; the exit status says whether any two verdicts differ."""
    count: dict[str, Counter[str]] = {}
    differ = 0
    for number, options in enumerate(SHEETS[:sheets]):
        for each, verdicts in compared(options, numbers // sheets, number):
            known = [verdict for verdict in verdicts if verdict is not None]
            row = count.setdefault(each.kind, Counter())
            row.update({"Zahlen": 1, "richtig": int(known[0])})
            of = zip(("pruefe", "Moodle", "STACK"), verdicts, strict=True)
            row.update({name: 1 for name, verdict in of if verdict is not None})
            if len(set(known)) > 1:
                differ += 1
                row.update({"verschieden": 1})
                print(options["satz"], each, verdicts, file=sys.stderr)
    heads = ("Zahlen", "richtig", "pruefe", "Moodle", "STACK", "verschieden")
    print(f"{'':45}" + "".join(f"{head:>12}" for head in heads))
    for kind, row in sorted(count.items()):
        print(f"{kind:45}" + "".join(f"{row[head]:>12}" for head in heads))
    print(f"{sum(row['Zahlen'] for row in count.values())} Zahlen, {differ} verschieden beurteilt")
    return int(differ > 0)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
