"""Sheets and class sets are made for the page: an order, as plain data, goes in; files on the shelf come out.

For worker processes, as `viewing`.
"""

import io
import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from math import isfinite
from pathlib import Path
from typing import Any, Final

from generator.basics.errors import UserError
from generator.basics.files import write_together
from generator.options import limits
from generator.options.declaration import LEARNT, is_number_key
from generator.options.numbers_file import read_given
from generator.options.option_kinds import toml_value
from generator.options.options import TABLE, Options
from generator.options.sentence import UNQUOTED, unquoted, without_end_marks
from generator.options.sheet_code import command_again, in_groups, sheet_code, short_mark
from generator.output.many import Printers, helpers
from generator.page.form import LISTED, TEXTS, in_words, number_of_pupils, options_of
from generator.page.shelf import PICTURE, sheets_of, write_entry, write_progress
from generator.production import class_set, exports
from generator.production.class_set import class_options, pupils
from generator.production.pupil_list import PupilList, names_in
from generator.production.worksheet import make_files
from generator.production.workshop import cluster

TEMPLATE: Final = "vorlage.toml"
TEXT_FILE: Final = "texte.txt"
_MOST_NUMBERS: Final = 20_000
_WIDTH_OF_PICTURE: Final = 240


# --- jobs ----------------------------------------------------------------------


def make_sheet(order: Mapping[str, Any], folder: Path) -> None:
    """All that `blatt` writes, in the folder, and its entry on the shelf. UserError as `blatt`."""
    tell = partial(write_progress, folder)
    tell("Rechne")
    options = on_paper(given_options(order, folder))
    with Printers() as printers:
        files = make_files(options, tell, printers)
    tell("Schreibe die Dateien")
    write_together(folder, {**files.files, **_picture(files.files)}, ())
    settled, work = files.built.options, files.work
    options = options.settled(str(settled.gewichte), settled.untrained)
    groups = files.groups
    if groups:  # of the groups, not of the single sheet that is made beside them
        minutes = max(each.minutes for each in groups[:-1]) + groups[-1].minutes
        jigsaw = {"minuten": minutes, "be": sum(each.points for each in groups), "gruppen": len(groups) - 1}
    else:
        jigsaw = {}
    write_entry(
        folder,
        art="blatt",
        blatt=short_mark(files.built.options),
        bestellung=order,
        satz=options.satz,
        befehl=command_again(options),
        code=in_groups(sheet_code(options)),
        seiten=files.pages,
        **({"minuten": round(work.minutes), "be": work.points} | jigsaw),
        hinweise=list(map(in_words, (*left_out(order, options), *options.notes, *files.notes()))),
        dateien=[*files.files, *_own_files(options)],
    )


def _picture(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The first page of the worksheet, small; none where there is no PDF."""
    printed = files.get("arbeitsblatt.pdf")
    return {PICTURE: next(pictures(printed, _WIDTH_OF_PICTURE, 1))} if printed else {}


def make_class_set(order: Mapping[str, Any], folder: Path, computers: str) -> None:
    """All that `klassensatz` writes, and its entry on the shelf. computers: of a cluster, or ""."""
    tell = partial(write_progress, folder)
    tell("Rechne")
    names = pupils_asked_for(order["klasse"])
    wanted = given_options(order, folder)
    for each in TABLE:
        if each.not_of_class:
            wanted.pop(each.name, None)
    options = class_options(followed(wanted), lambda number, of: tell("Lerne", number, of))
    options = replace(options, ausgabe=folder)
    with cluster(computers) if computers else helpers() as executor:
        made = class_set.make(options, names, executor, tell, away=bool(computers))
    for path in made.iterdir():
        path.replace(folder / path.name)
    shutil.rmtree(made)
    manifest = json.loads((folder / class_set.MANIFEST).read_text(encoding="utf-8"))
    apart = ["Die Dokumente jeder Person liegen einzeln in „Alles sichern (ZIP)“."]
    apart *= (folder / class_set.SINGLE).is_dir()
    write_entry(
        folder,
        art="klassensatz",
        blaetter=sheets_of(folder / class_set.MANIFEST),
        bestellung=order,
        satz=options.satz,
        befehl=command_again(options).replace("papierformer blatt", "papierformer klassensatz", 1)
        + f" --anzahl {len(names)}",
        code="",
        anzahl=len(names),
        hinweise=[
            *left_out(order, options),
            *map(in_words, (*options.remarks, *class_set.differences(manifest))),
            *apart,
        ],
        dateien=[name for name in (*class_set.FILES, *exports.FILES) if (folder / name).is_file()]
        + _own_files(options),
    )


def pupils_asked_for(asked: Mapping[str, Any]) -> tuple[str, ...]:
    """The pupils of the page's list, as of a file of names."""
    given, number = asked.get("namen", ""), asked.get("anzahl")
    names = _listed(given).names if given.strip() else ()
    return pupils(names, None if number is None else number_of_pupils(number), "der Liste")


def understood(listed: bytes) -> dict[str, Any]:
    """A list of names, and what is said of it."""
    found = _listed(listed)
    return {"namen": found.names, "gesagt": [*found.said, *found.doubts]}


def _listed(names: bytes | str) -> PupilList:
    """UserError for more than a class set of the page has."""
    found = names_in(names, LISTED)
    number_of_pupils(len(found.names))
    return found


def _own_files(options: Options) -> list[str]:
    there = {TEMPLATE: options.vorlage, TEXT_FILE: options.texte}
    return [name for name, path in there.items() if path is not None]


# --- what the page sends -------------------------------------------------------


def given_options(order: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The options by name; numbers and texts typed into the page become files in the folder."""
    wanted = options_of(order.get("optionen"))
    wanted["satz"] = unquoted(wanted["satz"])
    numbers = order.get("zahlen") or {}
    if numbers:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / TEMPLATE).write_text(template_of(numbers), encoding="utf-8")
        wanted["vorlage"] = folder / TEMPLATE
    lines = order["optionen"].get(TEXTS)
    if isinstance(lines, str) and lines.strip() and wanted.get("gewichte", LEARNT) == LEARNT:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / TEXT_FILE).write_text(lines, encoding="utf-8")
        wanted[TEXTS] = folder / TEXT_FILE
    return wanted


def followed(wanted: Mapping[str, Any]) -> dict[str, Any]:
    """The options without the mark behind the sentence: where no model is trained it would be followed."""
    asked, bare = Options.asked(wanted), without_end_marks(wanted["satz"])
    if bare and (asked.gewichte not in (None, LEARNT) or asked.satz == f"{bare}."):
        return {**wanted, "satz": bare}
    return dict(wanted)


def left_out(order: Mapping[str, Any], options: Options) -> Iterator[str]:
    """What of the sentence that was typed is not on the sheet."""
    typed = str(options_of(order.get("optionen"))["satz"]).strip()
    bare = unquoted(typed)
    if bare != typed:
        yield UNQUOTED
    if not options.learns and without_end_marks(bare) == options.satz != bare:
        yield "Das Satzzeichen am Ende ist weggelassen: Verfolgt wird ein Wort."


def on_paper(wanted: Mapping[str, Any]) -> Options:
    """The options of one sheet, checked as `blatt` does. UserError with one sentence."""
    options = Options.asked(followed(wanted), on_paper=True)
    limits.for_paper(options)
    limits.numbers_for_paper(read_given(options))
    return options


def template_of(numbers: Any) -> str:
    """TOML with vectors and matrices. UserError for anything that is none."""
    if not isinstance(numbers, Mapping) or sum(map(_count, numbers.values())) > _MOST_NUMBERS:
        raise UserError("Die eigenen Zahlen sind keine der Seite; bitte laden Sie sie neu.")
    lines = []
    for name, value in numbers.items():
        if not isinstance(name, str) or not is_number_key(name):
            raise UserError("Die eigenen Zahlen haben einen Namen, den es nicht gibt.")
        lines.append(f"{toml_value(name)} = {_toml(value)}")
    return "# Eigene Zahlen, auf der Seite eingegeben\n" + "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        pairs = (f"{toml_value(str(key))} = {_toml(inner)}" for key, inner in value.items())
        return "{ " + ", ".join(pairs) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise UserError("Unter den eigenen Zahlen ist etwas, das keine Zahl ist.")
    return toml_value(value)


def _count(value: Any) -> int:
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return 1 + sum(map(_count, inner))


def pictures(pdf: bytes, width: int, most: int | None = None) -> Iterator[bytes]:
    """Each page as PNG, so many pixels wide. most: of the first pages; None for all."""
    import pypdfium2  # only who looks at pages waits for it

    document = pypdfium2.PdfDocument(pdf)
    try:
        for number in range(min(len(document), most or len(document))):
            page = document[number]
            image = page.render(scale=width / page.get_width(), grayscale=True).to_pil()
            out = io.BytesIO()
            image.quantize(16).save(out, "PNG", optimize=False)
            yield out.getvalue()
    finally:
        document.close()
