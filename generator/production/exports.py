"""Further formats of a sheet, written from its documents: what is right in each blank; a class in one."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from importlib import import_module
from types import ModuleType
from typing import Final

from engine.judging.expectation import Expectation, expect
from engine.judging.mistakes import ALL_MISTAKES
from engine.trace import CellAddress
from generator.basics.files import KEY, WORKSHEET
from generator.calculation.contents import in_any_order
from generator.check.in_words import mistake_texts
from generator.options.declaration import FORMATS
from generator.options.sheet_code import short_mark
from generator.output.formats.questions import Asked, Expected, Material
from generator.output.formats.read import read
from generator.output.pdf import PdfResult
from generator.output.render import VIEWS, Document
from generator.sheet.whole_sheet import WholeSheet, exercises_of

ALL: Final = "arbeitsblaetter"
FILES: Final = tuple(ALL + each.ending for each in FORMATS.values() if each.whole)


def of_variant(
    names: Sequence[str],
    whole: WholeSheet,
    pair: Sequence[Document],
    printed: Sequence[PdfResult],
    variant: str,
) -> dict[str, bytes]:
    """File name -> a file of one sheet of a class.

    pair: worksheet and key. printed: their PDFs. variant: what its questions bear.
    """
    if not names:
        return {}
    results = dict(zip(VIEWS.values(), printed, strict=True))
    of_set = short_mark(replace(whole.built.options, startwert=0, living=None))
    asked = replace(asked_of(whole), bank=of_set, variant=variant)
    return export(names, pair, asked, results)


def asked_of(whole: WholeSheet) -> Asked:
    """What formats that ask questions know of a sheet beside its pages."""
    return Asked(
        expected=expected_numbers(whole),
        bank=whole.sheet.code,
        alike=whole.built.passes.aliases,
        sign=whole.built.options.dezimalzeichen,
        words=whole.desk.words_of,
    )


def of_class(formats: Sequence[str], parts: Callable[[str], Iterable[bytes]]) -> dict[str, bytes]:
    """File name -> a bank of all variants, as its writer makes one. parts: the file of that name of each."""
    banks = {name: FORMATS[name] for name in formats if FORMATS[name].whole}
    return {ALL + each.ending: _writer(name).merged(parts(each.file)) for name, each in banks.items()}


def expected_numbers(whole: WholeSheet) -> dict[CellAddress, Expected]:
    """For every blank whose quantity is in rechnung.json: value, range, numbers of typical mistakes."""
    calculation, sheet = whole.built.passes, whole.sheet
    hand = calculation.hand
    ranges = in_any_order(whole.ranges, calculation.hand, calculation.exact, exercises_of(sheet))
    cells = {(blank.name, blank.index) for blank in sheet.blanks() if blank.name in ranges}
    printed = hand.where(whole.printed)
    expectation = expect(calculation, ranges, cells, printed, ALL_MISTAKES)
    found: dict[CellAddress, Expected] = {}
    for blank in sheet.blanks():
        if blank.name not in hand:
            continue
        quantity, places = hand[blank.name], hand[blank.name].places or 0
        value = _decimal(float(quantity.values[blank.index]), places)
        low = high = value
        if blank.name in ranges:
            low = _decimal(float(ranges[blank.name].low[blank.index]), places)
            high = _decimal(float(ranges[blank.name].high[blank.index]), places)
        hints: dict[Decimal, str] = {}
        here = set()
        for number, hint, in_this in _hints(expectation, blank.cell, places):
            if not low <= number <= high and hints.setdefault(number, hint) == hint and in_this:
                here.add(number)
        told = tuple(hints.items())
        found[blank.cell] = Expected(value, low, high, told, frozenset(here))
    return found


def _hints(expectation: Expectation, cell: CellAddress, places: int) -> Iterator[tuple[Decimal, str, bool]]:
    """A wrong number, the advice to whoever has it, whether it is made in this very cell: those come first.

    What was made in an earlier step cannot show: a question gives its numbers.
    """
    texts = mistake_texts()
    for foreseen in (each for each in expectation.numbers.get(cell, ()) if each.here or each.follows):
        for text in [texts[name] for name in foreseen.ids if name in texts][:1]:
            title = text["title"][:1].upper() + text["title"][1:]
            yield _decimal(foreseen.value, places), f"{title}. {text['help']}", foreseen.here


def _decimal(value: float, places: int) -> Decimal:
    return Decimal(f"{value:.{places}f}")


def export(
    names: Iterable[str],
    documents: Iterable[Document],
    asked: Asked | None = None,
    printed: Mapping[str, PdfResult] | None = None,
) -> dict[str, bytes]:
    """File name -> bytes.

    asked: what is right in the blanks, for formats that ask questions; the record comes from the key.
    printed: the PDFs by the document's name.
    """
    made = {document.name: document for document in documents}
    trees = {name: read(each.page, (printed or {}).get(name)) for name, each in made.items()}
    files: dict[str, bytes] = {}
    for name in names:
        writer, format_ = _writer(name), FORMATS[name]
        if format_.whole:
            of_sheet = replace(asked or Asked(), stations=made[KEY].stations)
            files[format_.file] = writer.write(Material(trees[WORKSHEET], trees[KEY], of_sheet))
        else:
            files |= {page + format_.ending: writer.write(tree) for page, tree in trees.items()}
            for tree in trees.values():  # pictures that lie beside the pages of a format
                files |= getattr(writer, "beside", lambda _: {})(tree)
    return files


def _writer(name: str) -> ModuleType:
    """The file of a format's name is its writer; it is loaded only when the format is asked for."""
    return import_module(f"generator.output.formats.{name}")
