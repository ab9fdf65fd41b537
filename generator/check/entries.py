"""One written cell: its name, its place, what number a pupil means; what follows from it; fields of PDFs."""

import contextlib
import ctypes
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final

import numpy as np

from engine.forward.calculation import Calculation
from engine.judging.own_range import recompute_from
from engine.pens.pens import Numbers
from engine.trace import CellAddress, Quantity, Trace
from generator.basics.errors import UserError, quoted
from generator.basics.numbers import NotANumber, read_number
from generator.options.declaration import nearest
from generator.sheet.fields import ORDERED

LARGEST_NUMBER: Final = 18  # digits before the decimal sign that a pupil's number may have

Index = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One written cell. value is None where the text is no number; index is None where it cannot be read.

    where: the line of a CSV file ("Zeile 7"), empty for JSON.
    """

    name: str
    index: Index | None
    text: str
    value: Decimal | None
    where: str = ""
    index_text: str = ""


@lru_cache(4096)
def index_of(text: str) -> Index | None:
    """(2, 1) from "2,1", "2;1", "2 1", "[2,1]" or "(2|1)"; () from nothing; None from anything else."""
    inner = text.strip().strip("[]()").strip()
    if not inner:
        return ()
    parts = re.split(r"\s*[,;|/.]\s*|\s+", inner)
    if all(part.isascii() and part.isdigit() and len(part) < 7 for part in parts):
        return tuple(int(part) for part in parts)
    return None


@lru_cache(4096)
def number_of(text: str) -> Decimal | None:
    """The number that a person wrote, None where there is none (or one that no pupil can have meant)."""
    try:
        value = read_number(text)
    except NotANumber:
        return None
    return value if value == 0 or value.adjusted() < LARGEST_NUMBER else None


def why_unread(text: str) -> str:
    """In German, why this is no number that could be compared."""
    try:
        read_number(text)
    except NotANumber as error:
        return error.reason
    return "die Zahl ist zu groß"


# --- The fields of a worksheet that was filled in and saved as PDF, for answers.py.
#
# Read by the engine of a browser, which is made for files that want to do harm; no script in them is run.
# What is larger than any sheet is not read to its end.


LARGEST_PDF: Final = 40_000_000
_MOST_PAGES: Final = 1_000
_MOST_FIELDS: Final = 100_000
_LONGEST: Final = 4_000  # signs of a name or an answer


def is_pdf(content: bytes) -> bool:
    """Whether a file says that it is a PDF, as viewers look for it."""
    return b"%PDF-" in content[:1024]


def fields_of(content: bytes, title: str) -> dict[str, str]:
    """Name of the field -> text, in the order of the pages. `title` names the file in a UserError."""
    import pypdfium2
    import pypdfium2.raw as raw

    fields: dict[str, str] = {}
    try:
        with contextlib.closing(pypdfium2.PdfDocument(content)) as document:
            document.init_forms()
            if document.formenv is None:
                raise _none_in(title)
            if len(document) > _MOST_PAGES:
                raise UserError(
                    f"Die Antwortdatei {title} hat {len(document)} Seiten; so viele hat kein Blatt."
                )
            for number in range(len(document)):
                with contextlib.closing(document[number]) as page:
                    for name, text in _of_page(raw, document.formenv.raw, page.raw):
                        name = name.partition(ORDERED)[0]  # a cell that is written twice counts once
                        fields[name] = fields.get(name) or text
                        if len(fields) > _MOST_FIELDS:
                            raise UserError(
                                f"Die Antwortdatei {title} hat mehr als {_MOST_FIELDS} Felder; so viele hat "
                                "kein Blatt."
                            )
    except pypdfium2.PdfiumError as error:
        raise UserError(
            f"Die Antwortdatei {title} ist kein vollständiges PDF oder mit einem Kennwort geschützt."
        ) from error
    if not fields:
        raise _none_in(title)
    return fields


def _none_in(title: str) -> UserError:
    return UserError(
        f"Die Antwortdatei {title} hat keine Felder; nötig ist das ausgefüllte "
        "„arbeitsblatt-ausfuellbar.pdf“, gespeichert und nicht neu gedruckt."
    )


def _of_page(raw: Any, form: Any, page: Any) -> Iterator[tuple[str, str]]:
    for place in range(min(raw.FPDFPage_GetAnnotCount(page), _MOST_FIELDS)):
        annotation = raw.FPDFPage_GetAnnot(page, place)
        if not annotation:
            continue
        if raw.FPDFAnnot_GetFormFieldType(form, annotation) == raw.FPDF_FORMFIELD_TEXTFIELD:
            name = _text(raw.FPDFAnnot_GetFormFieldName, form, annotation)
            if name:
                yield name, _text(raw.FPDFAnnot_GetFormFieldValue, form, annotation)
        raw.FPDFPage_CloseAnnot(annotation)


def _text(read: Any, form: Any, annotation: Any) -> str:
    """A text that PDFium gives in UTF-16, with its closing zero."""
    size = min(read(form, annotation, None, 0), 2 * _LONGEST + 2)
    buffer = (ctypes.c_ushort * (size // 2 + 1))()
    if not size or read(form, annotation, buffer, size) > size:
        return ""
    return bytes(buffer)[: size - 2].decode("utf-16-le", errors="replace").rstrip("\0")


def problem_of(hand: Trace, entry: Entry) -> str:
    """Why the entry is none of the cells: "name", "index", "masked"; "" where it is one."""
    if entry.name not in hand:
        return "name"
    quantity = hand[entry.name]
    shape = quantity.values.shape
    index = entry.index
    if index is None or len(index) != len(shape) or any(i >= n for i, n in zip(index, shape, strict=True)):
        return "index"
    return "masked" if quantity.visible is not None and not quantity.visible[index] else ""


# --- The calculation from own numbers onwards ("block1.head1.weight[2,1]=0,48"), for `loesung --mit`.


_LARGEST = 10**6  # what the blanks of a key have room for
_GIVEN = re.compile(r"\s*([\w.]+)\s*(?:\[([^\]]*)\])?\s*=\s*(.+?)\s*")


@dataclass(frozen=True)
class Recomputed:
    """The calculation with another hand trace.

    hands: the same pass by pass; own: the cells that were given; changed: all that differ; undefined: which
    steps cannot be computed so, as of `PupilPen`: there the calculation's own numbers stand.
    """

    calculation: Calculation
    hands: tuple[Trace, ...]
    own: frozenset[CellAddress]
    changed: frozenset[CellAddress]
    undefined: Mapping[str, str]


_WHY: Final = {
    "/": "der Teiler 0 ist",
    "sqrt": "unter der Wurzel eine negative Zahl steht",
    "ln": "es von dieser Zahl keinen Logarithmus gibt",
    "exp": "e^x zu groß wird",
}


def ensure_defined(own: Recomputed, given: Sequence[str]) -> None:
    """UserError where the given numbers lead to a step that nobody can compute: no key has it."""
    for name, function in own.undefined.items():
        raise UserError(
            f"--mit {quoted(', '.join(given))}: Damit lässt sich {quoted(name)} nicht rechnen, weil "
            f"{_WHY[function]}; nötig ist eine andere Zahl."
        )


def recomputed(calculation: Calculation, given: Sequence[str]) -> Recomputed:
    """Put the given cells in and compute by hand what follows. UserError for what cannot be placed."""
    numbers: dict[str, Numbers] = {}
    own: set[CellAddress] = set()
    for text in given:
        name, index, value = _read(calculation, text)
        shape = calculation.hand[name].values.shape
        numbers.setdefault(name, Numbers(np.zeros(shape), np.zeros(shape, np.bool_)))
        numbers[name].values[index], numbers[name].given[index] = value, True
        own.add((name, index))
    followed = recompute_from(calculation, numbers)
    changed: set[CellAddress] = set()
    traces = []
    hand = Trace()
    for (each, names), written in zip(calculation.parts(), followed.traces, strict=True):
        traces.append(_with_places(each.hand, written))
        for name in names:
            hand.note(traces[-1][name])
            differs = np.abs(written[name].values - each.hand[name].values) > 1e-9
            changed.update((name, tuple(int(i) for i in index)) for index in np.argwhere(differs))
    return Recomputed(
        replace(calculation, hand=hand), tuple(traces), frozenset(own), frozenset(changed), followed.undefined
    )


def follows_from(calculation: Calculation, cell: CellAddress, value: Decimal) -> frozenset[CellAddress]:
    """The other cells that change where this value stands in a cell."""
    (name, index), most = cell, Decimal(_LARGEST)
    return recomputed(
        calculation, [f"{name}[{','.join(map(str, index))}]={max(-most, min(most, value)):f}"]
    ).changed - {cell}


def _with_places(before: Mapping[str, Quantity], after: Mapping[str, Quantity]) -> Trace:
    """The numbers after, with the places that either has: own numbers may have more."""
    trace = Trace()
    for name, quantity in after.items():
        places = max(before[name].places or 0, quantity.places or 0)
        trace.note(replace(quantity, places=places, visible=before[name].visible))
    return trace


def _read(calculation: Calculation, text: str) -> tuple[str, tuple[int, ...], float]:
    found = _GIVEN.fullmatch(text)
    example = "„block1.head1.weight[2,1]=0,48“"
    if found is None:
        raise UserError(f"--mit {quoted(text)}: So sieht eine eigene Zahl aus: {example}.")
    name, hand = found[1], calculation.hand
    index, value = index_of(found[2] or ""), number_of(found[3])
    problem = problem_of(hand, Entry(name, index, found[3], value))
    if problem == "name":
        raise UserError(f"--mit {quoted(text)}: {quoted(name)} gibt es nicht; {nearest(name, list(hand))}")
    if problem == "index" or index is None:
        size = " × ".join(map(str, hand[name].values.shape)) or "1"
        raise UserError(f"--mit {quoted(text)}: Die Tabelle hat {size} Zellen, gezählt ab 0: {example}.")
    if problem:
        raise UserError(f"--mit {quoted(text)}: Diese Zelle verdeckt die Maske.")
    if value is None or abs(value) > _LARGEST:
        raise UserError(
            f"--mit {quoted(text)}: {quoted(found[3])} ist keine Zahl, mit der man weiterrechnen kann."
        )
    return name, index, float(value)
