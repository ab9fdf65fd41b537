"""Makes a class set: its sheets, its overview and its manifest.

Finished sheets are kept in a folder beside the target until the set is complete, then exchanged. Killed and
begun again, it goes on.
"""

import hashlib
import json
import shutil
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Final

from generator.basics.atomic_write import alone
from generator.basics.errors import UserError, quoted
from generator.basics.files import folder_for, write_together
from generator.calculation.build import build
from generator.calculation.learnt import Tell as Learning
from generator.options import limits
from generator.options.declaration import FORMATS, LEARNT, SELECTION
from generator.options.numbers_file import read_given
from generator.options.options import Options
from generator.options.sheet_code import sheet_code
from generator.output.binding import Bound, bind
from generator.output.page_marks import PageMark
from generator.production import exports
from generator.production.drawing import BANDS, Pool, draw_all
from generator.production.overview import Overview
from generator.production.seats import Seat, groups_in, seats_for
from generator.production.variant import LONGEST_ON_SHEET, Order
from generator.production.worksheet import fitted_to_lesson
from generator.production.workshop import Tell, Work, Workshop
from generator.reading import blank_map
from generator.version import VERSION

CLASS_STYLE: Final = "ganzzahlig"  # where no model is trained


def pupils(names: Sequence[str], number: int | None, source: str) -> tuple[str, ...]:
    """One name for each sheet, "" where it has none. source: what holds the names, for a UserError."""
    if number is not None:
        if names and number < len(names):
            raise UserError(f"--anzahl {number} reicht nicht für {len(names)} Namen in {quoted(source)}.")
        return (*names, *[""] * (number - len(names)))
    if not names:
        raise UserError("Für wie viele? Nötig ist eine Liste mit Namen oder zum Beispiel --anzahl 30.")
    return tuple(names)


def class_options(asked: Mapping[str, Any], tell: Learning = lambda number, of: None) -> Options:
    """Of all sheets: the style is settled, and instead of a lesson's length its stations are named.

    asked: options by name. tell: as `build`. UserError where they do not go together or on no paper.
    """
    options = Options.asked(asked)
    limits.for_paper(options)
    limits.numbers_for_paper(read_given(options))
    if options.gewichte is None:
        settled = build(options, tell=tell).options
        # In the style auswahl every seed gives the same matrices.
        style = CLASS_STYLE if settled.gewichte == SELECTION else str(settled.gewichte)
        options = options.settled(style, settled.untrained)
    if options.zeit is not None and not options.gruppen:
        options = fitted_to_lesson(build(options, tell=tell))[0].options
    return replace(options, living=None)


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
    usual = usual_folder(each[0])
    scratch = usual.with_name(f".papierformer-{usual.name}-{mark_of(each, names)}")
    seats = seats_for(len(names), [groups_in(options) for options in each])
    new = not usual.parent.exists()
    scratch.mkdir(parents=True, exist_ok=True)
    try:
        with alone(scratch, patience=0.0):
            try:
                return _make(each, names, seats, Workshop(scratch, executor, tell, away), usual)
            finally:  # only a process that was killed leaves what is finished, for the next one
                shutil.rmtree(scratch, ignore_errors=True)
    except BlockingIOError as error:
        raise UserError(
            "Genau diesen Klassensatz macht gerade ein anderer Lauf; bitte warten Sie, bis er fertig ist."
        ) from error
    finally:
        if new:
            with suppress(OSError):  # the set is in it
                usual.parent.rmdir()


def usual_folder(options: Options) -> Path:
    """Where a set of the sentence lies, the first one."""
    of_sheet = folder_for(options.ausgabe, options.satz)
    return of_sheet.with_name(f"{of_sheet.name}-klasse")


def folder_of(usual: Path, manifest: bytes) -> Path:
    """The set takes the place of the very same one; beside a set for others or with other numbers."""
    new = _told(manifest)
    for place in count(1):
        folder = usual if place == 1 else usual.with_name(f"{usual.name}-{place}")
        try:
            there = _told((folder / MANIFEST).read_bytes())
        except OSError:  # none is there, or what is wrong is said when it is written
            return folder
        except (ValueError, LookupError, TypeError):
            continue
        if there == new:
            return folder
    raise AssertionError


def _told(manifest: bytes) -> list[tuple[Any, ...]]:
    """Who has which sheet."""
    told = ("name", "satz", "startwert", "code", "gruppe")
    return [tuple(map(each.get, told)) for each in json.loads(manifest)["varianten"]]


def _make(
    each: Sequence[Options], names: Sequence[str], seats: Sequence[Seat], workshop: Workshop, usual: Path
) -> Path:
    orders = _orders(workshop, each, names, seats)
    workshop.make(orders)
    workshop.tell("Binde die Blätter", len(orders), len(orders))
    files = _files(workshop, each, orders, seats)
    files |= exports.of_class(
        each[0].format,
        lambda part: (workshop.path(orders[own[0]], part).read_bytes() for own in alike(orders)),
    )
    manifest = files[MANIFEST]
    assert isinstance(manifest, bytes)
    calculations = {f"{n}.json": workshop.path(o, "rechnung.json") for n, o in enumerate(orders, 1)}
    with alone(usual.with_name(f"{usual.name}-folders")):  # another set may be looking for its folder, too
        folder = folder_of(usual, manifest)
        for name, inside in ((CALCULATIONS, calculations), (SINGLE, dict(_single(workshop, orders)))):
            old = tuple(path.name for path in (folder / name).glob("*.*"))
            if inside or old:
                write_together(folder / name, inside, old)
        write_together(folder, files, (*FILES, *exports.FILES))
    return folder


def mark_of(each: Sequence[Options], names: Sequence[str]) -> str:
    """A mark of the set: of the options of its sheets and of the pupils."""
    said = [(VERSION, options.satz, options.resolved(), sheet_code(options)) for options in each]
    return hashlib.sha256(repr((said, each[0].format, names)).encode()).hexdigest()[:12]


def _orders(
    workshop: Workshop, each: Sequence[Options], names: Sequence[str], seats: Sequence[Seat]
) -> list[Order]:
    """The sheets in the order of the names. Sentences take turns."""
    teams = range(max(seat.team for seat in seats) + 1)
    pools = [
        Pool(options, len(teams[start :: len(each)])) for start, options in enumerate(each[: len(teams)])
    ]

    def tell(number: int, of: int) -> None:
        workshop.tell("Suche gleich schwere Blätter", number, of)

    drawn = draw_all(pools, workshop.draw, tell, workshop.at_once)
    placed = [drawn[seat.team % len(pools)][seat.team // len(pools)] for seat in seats]
    numbers: defaultdict[tuple[str, int], set[int]] = defaultdict(set)
    for sheet, seat in zip(placed, seats, strict=True):
        numbers[sheet.options.satz, seat.group].add(sheet.options.startwert)
    orders = [
        Order(
            sheet.options,
            name,
            group=seat.group,
            alone=seat.group > 0 and len(numbers[sheet.options.satz, seat.group]) == 1,
        )
        for sheet, name, seat in zip(placed, names, seats, strict=True)
    ]
    for own in alike(orders):
        if len(own) > 1:
            orders[own[0]] = replace(orders[own[0]], sharers=sharers(names, own))
    return orders


def alike(orders: Sequence[Order]) -> list[list[int]]:
    """The places of each sheet that is different, in order."""
    places: defaultdict[tuple[str, int, int], list[int]] = defaultdict(list)
    for place, order in enumerate(orders):
        places[sheet_code(order.options), order.options.startwert, order.group].append(place)
    return list(places.values())


def sharers(names: Sequence[str], places: Sequence[int]) -> str:
    """Whose sheet it is, as short as a name's line: names, where there is no room for them numbers."""
    said = ", ".join(names[place] or f"Nr. {place + 1}" for place in places)
    if len(said) > LONGEST_ON_SHEET:
        said = "Nr. " + ", ".join(str(place + 1) for place in places)
    return said if len(said) <= LONGEST_ON_SHEET else f"{len(places)} Personen: siehe Übersicht"


def _files(
    workshop: Workshop, each: Sequence[Options], orders: Sequence[Order], seats: Sequence[Seat]
) -> dict[str, bytes | Path]:
    """The files of the set, the large ones written aside."""
    notes = [workshop.note(order) for order in orders]
    names = [order.name for order in orders]
    variants = [
        {"nummer": number, "name": name, **{key: note[key] for key in _IN_MANIFEST}}
        | ({"team": seat.team + 1, "gruppe": seat.group} if seat.group else {})
        for number, (name, note, seat) in enumerate(zip(names, notes, seats, strict=True), 1)
    ]
    manifest = {
        "papierformer": VERSION,
        "satz": each[0].satz,
        "optionen": each[0].resolved(),
        "varianten": variants,
    }
    overview = Overview(
        f"Klassensatz zu {_sentences(each)}: Ergebnisse",
        " ".join(differences(manifest, helps=False)),
        names,
        notes,
        seats,
    )
    bound = {
        "arbeitsblaetter.pdf": (_worksheets, f"Arbeitsblätter zu {_sentences(each)}"),
        "loesungen.pdf": (_keys, f"Lösungen zu {_sentences(each)}"),
    }
    work: dict[str, Work] = {
        name: partial(_bound, workshop.folder / name, list(parts(workshop, orders)), title)
        for name, (parts, title) in bound.items()
    }
    work["uebersicht.pdf"] = overview.pdf
    files = workshop.share(work)
    if all(workshop.path(order, blank_map.FILE).exists() for order in orders):
        files[blank_map.FILE] = blank_map.document_of(_maps(workshop, orders, notes))
    files["uebersicht.html"] = overview.html()
    files[MANIFEST] = (json.dumps(manifest, ensure_ascii=False, indent=1) + "\n").encode()
    return files


def _sentences(each: Sequence[Options]) -> str:
    return ", ".join(f"„{options.satz}“" for options in each[:3]) + (" …" if len(each) > 3 else "")


_OTHER_STATIONS: Final = "anderen Stationen, zum Beispiel --stationen 4a"
_HELPS: Final = {
    LEARNT: "--gewichte ganzzahlig",
    "ganzzahlig": _OTHER_STATIONS,
    "dezimal": _OTHER_STATIONS,
}  # the style of the weights -> what gives more different sheets


def differences(manifest: Mapping[str, Any], helps: bool = True) -> Iterator[str]:
    """What is not the same for everybody in a set, in whole sentences, for the teacher.

    helps: with the option that gives more different sheets.
    """
    variants, style = manifest["varianten"], manifest["optionen"]["gewichte"]
    different = len({each["code"].partition("-")[0] for each in variants})
    sentences = len({each["satz"] for each in variants})
    minutes, points = ([each[key] for each in variants] for key in ("minuten", "be"))
    teams = len({each["team"] for each in variants if "team" in each})
    counted = f"{len(variants)} Blätter, {different} verschiedene" + "s" * (different == 1)
    if teams:
        left = len({(each["team"], each["gruppe"]) for each in variants}) < len(variants)
        yield (
            f"{teams} Team{'s, in jedem' if teams > 1 else ', in ihm'} eine Person aus jeder Gruppe"
            + "; wer übrig ist, kommt dazu und rechnet dasselbe wie eine andere Person des Teams" * left
            + ". Ein Team hat dieselben Zahlen und unten auf den Blättern dieselben vier Zeichen."
        )
        if manifest["optionen"]["stationen"] != "alle":
            yield (
                "Gewählte Stationen gelten im Gruppenpuzzle nicht: Jede Person bekommt das Blatt ihrer "
                "Gruppe und das gemeinsame."
            )
        if manifest["optionen"]["zeit"] is not None:
            yield (
                "Die gewählte Zeit kürzt ein Gruppenpuzzle kaum: Rechnen und Zusammentragen dauern geschätzt "
                f"{_span(minutes)} Minuten."
            )
        counted = f"Eigene Zahlen für {different} von {teams} Teams"
    if different < (teams or len(variants)):
        yield (
            f"{counted}: Mehr gleich schwere haben sich nicht gefunden. Blätter mit "
            "demselben Kurznamen haben dieselben Zahlen, ihre Lösung ist einmal gedruckt."
        )
        if helps:
            with_these = _HELPS.get(style, "--gewichte ganzzahlig oder dezimal")
            yield f"Mehr verschiedene gibt es mit {with_these}."
    if max(minutes) > (1 + BANDS[0].minutes) ** 2 * min(minutes) or (
        sentences == 1 and min(points) < max(points)
    ):
        yield (
            f"Die Blätter sind nicht ganz gleich: {_span(points)} BE, geschätzt {_span(minutes)} Minuten."
            + " Gleich viel Arbeit machen Sätze mit gleich vielen Wörtern." * (sentences > 1)
        )


def _span(found: Sequence[float]) -> str:
    low, high = round(min(found)), round(max(found))
    return f"{low} bis {high}" if low < high else f"{low}"


Part = tuple[str, Path, PageMark | None]
"""What the bookmark of a sheet says, its PDF, and what marks its pages, which a key's are not."""


def _worksheets(workshop: Workshop, orders: Sequence[Order]) -> Iterator[Part]:
    for number, order in enumerate(orders, 1):
        mark = workshop.note(order)["blatt"]
        more = [f"Gruppe {order.group}"] * bool(order.group) + [order.name] * bool(order.name)
        said = " – ".join([str(number), f"Blatt {mark}", *more])
        yield said, workshop.path(order, "arbeitsblatt.pdf"), PageMark(mark, number, 0)


def _keys(workshop: Workshop, orders: Sequence[Order]) -> Iterator[Part]:
    """Each different key once, with the numbers of the pupils that it belongs to."""
    for own in alike(orders):
        order, numbers = orders[own[0]], ", ".join(str(place + 1) for place in own)
        said = f"{numbers} – Blatt {workshop.note(order)['blatt']}" + f" – Gruppe {order.group}" * bool(
            order.group
        )
        yield said, workshop.path(order, "loesung.pdf"), None


def _bound(target: Path, parts: Sequence[Part], title: str) -> Path:
    with target.open("wb") as out:
        bind((Bound(said, path.read_bytes(), mark) for said, path, mark in parts), title, out)
    return target


def _single(workshop: Workshop, orders: Sequence[Order]) -> Iterator[tuple[str, Path]]:
    """The documents of each sheet under its number; pictures keep their names."""
    banks = {each.file for each in FORMATS.values() if each.whole}
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
