"""Every grader on the same number: `pruefe` (page and lessons), the rules of Moodle, Maxima as in STACK."""

from __future__ import annotations

import random
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from cloze import blanks, given

from engine.trace import CellAddress
from generator.basics.files import KEY
from generator.basics.numbers import unit
from generator.calculation.rebuild import Rebuilt
from generator.check.answers import Answers
from generator.check.check import check
from generator.check.entries import Entry, number_of
from generator.options.options import Options
from generator.output.formats.head_chain import INPUTS, Chain, chains, feedback_variables, variables
from generator.output.formats.moodle import cloze
from generator.output.formats.questions import Expected, Material
from generator.output.formats.read import read
from generator.output.formats.stack import judged
from generator.production.exports import asked_of
from generator.production.sheet_documents import worksheet_and_key
from generator.stations.make_sheet import make_sheet

CREDIT = ("richtig", "angenommen", "folgefehler")
TYPED_MINUS = "-"


@dataclass(frozen=True)
class Try:
    """One number written in one cell. kind: what is tried with it."""

    at: CellAddress
    kind: str
    text: str


def tries(at: CellAddress, expected: Expected) -> Iterator[Try]:
    """Numbers inside, at and outside every edge of what is right, as they may be typed."""
    places = max(0, -int(expected.value.as_tuple().exponent))
    one = unit(places)
    low, high, key = expected.low, expected.high, expected.value
    numbers = {
        "Wert der Lösung": key,
        "eine Einheit darunter": key - one,
        "eine Einheit darüber": key + one,
        "neun Stellen": key + one * Decimal("0.1234567"),
        "eine Stelle weniger": key.quantize(unit(max(0, places - 1))),
        "weit daneben": key * 2 + 7,
        "falsches Vorzeichen": -key,
    }
    for share in map(Decimal, ("0", "0.4", "0.499", "0.5", "0.501", "1")):  # beside an end of what is right
        numbers |= {f"{share} darüber": high + share * one, f"{share} darunter": low - share * one}
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


def compared(options: dict[str, object], count: int, seed: int) -> Iterator[tuple[Try, list[bool | None]]]:
    """So many numbers of one sheet, each with the verdicts of `pruefe`, Moodle and STACK."""
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
