"""Which readings count: the machine confirms what is surely read and right, a person says the rest.

Readings are made before (`scan`), without the right values, and are not changed here. The form of a blank may
make a reading unsure. What is open goes to a person; what is settled goes to `check` as any answers do.
"""

import csv
import io
import re
from collections.abc import Mapping
from typing import Final

from engine.model.norms import NORMS
from engine.trace import place_of
from generator.basics.cell_names import cell_parts
from generator.calculation.rebuild import Rebuilt
from generator.check.answers import Answers, from_form
from generator.check.check import ACCEPTED, RIGHT, Report, check
from generator.reading.network import OTHER
from generator.reading.papers import MACHINE, Class, ReadBlank, ReadPaper

# Chosen on hands that the training has not seen (tests/scans_training/README.md).
LIKELY: Final = 0.4
OTHER_SHARE: Final = 0.07  # more is no number, however likely a number is beside it
_TRACE: Final = 0.35  # mm² of ink; less is dust, or a faint pen
_NEVER_NEGATIVE: Final = {"exp", "exp_sum", "weight", "probability", "activation"}.union(
    *(norm.never_negative for norm in NORMS.values())
)
_NUMBER: Final = re.compile(r"-?\d{1,6}(,\d{1,6})?")


def confirm_readings(read: Class, calculations: Mapping[str, Rebuilt]) -> None:
    """Confirms what is surely read and inside its range, and says of the rest why it is open."""
    for paper in read.papers:
        rebuilt = calculations[paper.calculation]
        for each in paper.fields:
            each.doubt = _doubt(each, rebuilt)
            each.sure = not each.doubt
            if each.by == MACHINE:
                each.by = ""
        read_surely = _entries({each.cell: each.reading for each in paper.fields if each.sure})
        cells = check(rebuilt, read_surely, named=False).cells
        right = {f"{c.entry.name}[{c.entry.index_text}]" for c in cells if c.verdict in (RIGHT, ACCEPTED)}
        for each in paper.fields:
            if each.by or not each.sure:
                continue
            if not each.reading or each.cell in right:
                each.value, each.by = each.reading, MACHINE
            else:
                each.doubt = "range"


def _doubt(field: ReadBlank, rebuilt: Rebuilt) -> str:
    """Why a reading is not believed: "place", "ink", "other", "likely", "number", "form"; "" where it is."""
    text, likely = field.guesses[0] if field.guesses else ("", 0.0)
    if not field.settled:
        return "place"
    if not text or field.ink < _TRACE:  # little ink and a reading is dust or a faint pen
        return "" if not text and likely >= LIKELY and field.ink < _TRACE else "ink"
    if any(share > OTHER_SHARE for guess, share in field.guesses if OTHER in guess):
        return "other"
    if likely < LIKELY:
        return "likely"
    if not _NUMBER.fullmatch(text):
        return "number"
    name, _ = cell_parts(field.cell)
    quantity = rebuilt.calculation.hand.get(name)
    if text.startswith("-") and place_of(name).last in _NEVER_NEGATIVE:
        return "form"
    if quantity is not None and quantity.places is not None:
        places = len(text.partition(",")[2])
        if places != quantity.places and not (places == 0 and float(text.replace(",", ".")) == 0):
            return "form"
    return ""


def _entries(values: Mapping[str, str]) -> Answers:
    return from_form({cell: text for cell, text in values.items() if text})


def values_of(paper: ReadPaper) -> dict[str, str]:
    """What stands in the cells of a paper, as far as it is settled; a cell with two boxes counts once."""
    found: dict[str, str] = {}
    for each in paper.fields:
        if each.by and not found.get(each.cell):
            found[each.cell] = each.value
    return {cell: text for cell, text in found.items() if text}


def judged(paper: ReadPaper, rebuilt: Rebuilt) -> Report:
    """The verdicts on what is settled."""
    return check(rebuilt, _entries(values_of(paper)))


def as_csv(paper: ReadPaper) -> bytes:
    """The answers of a paper as `pruefe` reads them."""
    out = io.StringIO()
    lines = csv.writer(out, delimiter=";", lineterminator="\r\n")
    lines.writerow(["name", "index", "wert"])
    lines.writerows([*cell_parts(cell), text] for cell, text in values_of(paper).items())
    return b"\xef\xbb\xbf" + out.getvalue().encode()


def words_on_sample(read: Class) -> str:
    """The error that was found among readings that nobody would have looked at."""
    if not read.sampled:
        return ""
    share = f"{100 * len(read.mistaken) / len(read.sampled):.1f}".replace(".", ",")
    return (
        f"Stichprobe: Von {len(read.sampled)} Feldern, die der Rechner allein bestätigt hat, waren "
        f"{len(read.mistaken)} falsch gelesen ({share} %)."
    )
