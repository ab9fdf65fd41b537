"""Makes a class set: its sheets, its overview and its manifest. Interrupted and begun again, it goes on.

Finished sheets are kept in a folder beside the target until the set is complete, then exchanged.
"""

import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from generator.basics.errors import UserError, quoted
from generator.basics.files import folder_for, write_together
from generator.calculation.build import build
from generator.options import limits
from generator.options.declaration import FORMATS, LEARNT, SELECTION
from generator.options.numbers_file import read_given
from generator.options.options import Options
from generator.options.sheet_code import sheet_code
from generator.output.binding import Bound, bind
from generator.output.page_marks import PageMark
from generator.production import exports
from generator.production.exports import SHEET
from generator.production.overview import overview_html, overview_pdf
from generator.production.variant import Hardness, Order, middle
from generator.production.worksheet import fitted_to_lesson
from generator.production.workshop import Tell, Work, Workshop
from generator.reading import blank_map
from generator.version import VERSION

CLASS_STYLE: Final = "ganzzahlig"  # in the style auswahl every seed gives the same matrices


def pupils(names: Sequence[str], number: int | None, source: str) -> tuple[str, ...]:
    """One name for each sheet, "" where it has none. source: what holds the names, for a UserError."""
    if number is not None:
        if names and number < len(names):
            raise UserError(f"--anzahl {number} reicht nicht für {len(names)} Namen in {quoted(source)}.")
        return (*names, *[""] * (number - len(names)))
    if not names:
        raise UserError("Für wie viele? Nötig ist eine Liste mit Namen oder zum Beispiel --anzahl 30.")
    return tuple(names)


def class_options(asked: Mapping[str, Any]) -> Options:
    """Of all sheets: without a lesson's length, which is chosen once, and with numbers that seeds change.

    asked: options by name. UserError where they do not go together or on no paper.
    """
    options = Options.asked(asked)
    limits.for_paper(options)
    limits.numbers_for_paper(read_given(options))
    if options.learns and options.ffn is None:  # all models of the set are as wide as the first
        options = build(options).options
        options = replace(options, ffn=options.living)
    if options.gewichte == SELECTION:
        if "gewichte" in asked:
            raise UserError(
                "--gewichte auswahl gibt bei jedem Startwert dieselben Matrizen; für einen Klassensatz bitte "
                "gelernt, ganzzahlig oder dezimal."
            )
        options = replace(options, gewichte=CLASS_STYLE)
    if options.zeit is not None:
        options = fitted_to_lesson(build(options))[0].options
    return options


MANIFEST: Final = "klassensatz.json"
FILES: Final = (
    "arbeitsblaetter.pdf",
    "loesungen.pdf",
    "uebersicht.pdf",
    "uebersicht.html",
    MANIFEST,
    blank_map.FILE,
)
CALCULATIONS: Final = "rechnungen"
SINGLE: Final = "einzeln"  # documents of one pupil each
PROCESSES: Final = 2
MODELS: Final = 6  # trained for a sentence: more than sit within reach of each other's eyes
_PROBES: Final = 5  # sheets measured to see what is usual
_IN_MANIFEST: Final = ("satz", "startwert", "blatt", "code", "seiten", "be", "minuten", "breite")


def make(
    options: Options | Sequence[Options],
    names: Sequence[str],
    executor: Executor,
    tell: Tell,
    away: bool = False,
) -> Path:
    """Makes the set for these pupils ("" for one without a name); the folder it is in.

    options: of all sheets, or for each of several sentences, which take turns. tell: what is being done, how
    many of how many are finished. away: whether the executor's workers are other machines. UserError as far
    as the user can mend it.
    """
    each = [options] if isinstance(options, Options) else list(options)
    usual = folder_for(each[0].ausgabe, each[0].satz)
    folder = usual.with_name(f"{usual.name}-klasse")
    scratch = folder.with_name(f".papierformer-{folder.name}-{mark_of(each)}")
    scratch.mkdir(parents=True, exist_ok=True)
    workshop = Workshop(scratch, executor, tell, away)
    orders = _orders(workshop, each, names)
    tell("Binde die Blätter", len(orders), len(orders))
    files = _files(workshop, each, orders)
    files |= exports.of_class(
        each[0].format, lambda part: (workshop.path(order, part).read_bytes() for order in orders)
    )
    calculations = {f"{n}.json": workshop.path(o, "rechnung.json") for n, o in enumerate(orders, 1)}
    for name, inside in ((CALCULATIONS, calculations), (SINGLE, dict(_single(workshop, orders)))):
        old = tuple(path.name for path in (folder / name).glob("*.*"))
        if inside or old:
            write_together(folder / name, inside, old)
    write_together(folder, files, (*FILES, *exports.FILES))
    shutil.rmtree(scratch, ignore_errors=True)
    return folder


def mark_of(each: Sequence[Options]) -> str:
    """Of what all sheets of the set have in common."""
    said = [(VERSION, options.satz, options.resolved(), sheet_code(options)) for options in each]
    return hashlib.sha256(repr((said, each[0].format)).encode()).hexdigest()[:12]


def _orders(workshop: Workshop, each: Sequence[Options], names: Sequence[str]) -> list[Order]:
    """The sheets in the order of the names, no two neighbours with a row in common; all are made.

    Sentences take turns, so do the trained models of a sentence. The first sheets of a sentence show how hard
    its sheets usually are; those that are not are made again.
    """
    firsts = []
    for place, name in enumerate(names):
        turn, sentence = divmod(place, len(each))
        variant = turn % MODELS if each[sentence].gewichte == LEARNT else turn
        firsts.append(Order(each[sentence], variant, name))
    probes = []
    for sentence, options in enumerate(each):
        own = firsts[sentence :: len(each)][:_PROBES]
        probes.append(own + [Order(options, variant, None) for variant in range(len(own), _PROBES)])
    workshop.calculate([probe for own in probes for probe in own])
    usual = [middle([_hardness(workshop.note(probe)) for probe in own]) for own in probes]
    likely = [workshop.note(probes[place % len(each)][0]) for place in range(len(names))]
    workshop.prepare(partial(overview_pdf, _overview_of(each), names, likely))
    orders = []
    for place, order in enumerate(firsts):
        wanted = usual[place % len(each)]
        stays = place < _PROBES * len(each) and _hardness(workshop.note(order)).like(wanted)
        orders.append(order if stays else replace(order, wanted=wanted))
    workshop.make(orders)
    return _apart(workshop, orders, usual)


def _hardness(note: Mapping[str, Any]) -> Hardness:
    return Hardness(*note["haerte"])


def _apart(workshop: Workshop, orders: Sequence[Order], usual: Sequence[Hardness]) -> list[Order]:
    """Another sheet for whoever shares a row with the neighbour before. usual: of each sentence."""
    settled: list[Order] = []
    before: frozenset[str] = frozenset()
    for place, order in enumerate(orders):
        note = workshop.note(order)
        while before & set(note["reihen"]):
            order = replace(order, wanted=usual[place % len(usual)], first=note["versuch"] + 1)
            workshop.make([order])
            note = workshop.note(order)
        before = frozenset(note["reihen"])
        settled.append(order)
    return settled


def _files(workshop: Workshop, each: Sequence[Options], orders: Sequence[Order]) -> dict[str, bytes | Path]:
    """The files of the set, the large ones written aside."""
    bound = {
        "arbeitsblaetter.pdf": ("arbeitsblatt.pdf", f"Arbeitsblätter zu {_sentences(each)}"),
        "loesungen.pdf": ("loesung.pdf", f"Lösungen zu {_sentences(each)}"),
    }
    notes = [workshop.note(order) for order in orders]
    names = [order.name or "" for order in orders]
    overview = _overview_of(each)
    work: dict[str, Work] = {
        name: partial(_bound, workshop.folder / name, list(_sheets(workshop, orders, ending)), title)
        for name, (ending, title) in bound.items()
    }
    work["uebersicht.pdf"] = partial(overview_pdf, overview, names, notes)
    files = workshop.share(work)
    if all(workshop.path(order, blank_map.FILE).exists() for order in orders):
        files[blank_map.FILE] = blank_map.document_of(_maps(workshop, orders, notes))
    manifest = {
        "papierformer": VERSION,
        "satz": each[0].satz,
        "optionen": each[0].resolved(),
        "varianten": [
            {"nummer": number, "name": name, **{key: note[key] for key in _IN_MANIFEST}}
            for number, (name, note) in enumerate(zip(names, notes, strict=True), 1)
        ],
    }
    files["uebersicht.html"] = overview_html(overview, names, notes)
    files[MANIFEST] = (json.dumps(manifest, ensure_ascii=False, indent=1) + "\n").encode()
    return files


def _sentences(each: Sequence[Options]) -> str:
    return ", ".join(f"„{options.satz}“" for options in each[:3]) + (" …" if len(each) > 3 else "")


def _overview_of(each: Sequence[Options]) -> str:
    return f"Klassensatz zu {_sentences(each)}: Ergebnisse"


Part = tuple[str, Path, PageMark | None]
"""What the bookmark of a sheet says, its PDF, and what marks its pages, which a key's are not."""


def _sheets(workshop: Workshop, orders: Sequence[Order], ending: str) -> Iterator[Part]:
    for number, order in enumerate(orders, 1):
        mark = workshop.note(order)["blatt"]
        to_fill = ending.startswith("arbeitsblatt")
        said = f"{number} – Blatt {mark}" + (f" – {order.name}" if to_fill and order.name else "")
        yield said, workshop.path(order, ending), PageMark(mark, number, 0) if to_fill else None


def _bound(target: Path, parts: Sequence[Part], title: str) -> Path:
    with target.open("wb") as out:
        bind((Bound(said, path.read_bytes(), mark) for said, path, mark in parts), title, out)
    return target


def _single(workshop: Workshop, orders: Sequence[Order]) -> Iterator[tuple[str, Path]]:
    """The documents of each sheet under its number; pictures keep their names."""
    banks = {SHEET + each.ending for each in FORMATS.values() if each.whole}
    for number, order in enumerate(orders, 1):
        for name in workshop.note(order)["weitere"]:
            if name not in banks:
                yield (name if name.endswith(".svg") else f"{number}-{name}"), workshop.path(order, name)


def _maps(
    workshop: Workshop, orders: Sequence[Order], notes: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[str, int, str, Mapping[str, Any]]]:
    for number, (order, note) in enumerate(zip(orders, notes, strict=True), 1):
        its = json.loads(workshop.path(order, blank_map.FILE).read_bytes())
        yield note["blatt"], number, f"{CALCULATIONS}/{number}.json", its
