"""Options and names go in; the files of a class set come out. Interrupted and begun again, it goes on.

Finished sheets are kept in a folder beside the target until the set is complete, then exchanged.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
import time
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from generator.basics.files import folder_for, write_together
from generator.classes.binding import bound
from generator.classes.choosing import Measured, equally_hard
from generator.classes.variant import Order, carry_out
from generator.formulas.typeset import Typesetter
from generator.options.options import Options
from generator.options.sheet_code import sheet_code_of
from generator.print.pdf import write_pdf
from generator.print.render import render_page
from generator.print.screen import for_browsers
from generator.version import VERSION

MANIFEST: Final = "klassensatz.json"
FILES: Final = ("arbeitsblaetter.pdf", "loesungen.pdf", "uebersicht.pdf", "uebersicht.html", MANIFEST)
CALCULATIONS: Final = "rechnungen"
Tell = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Row:
    """A sheet in the overview."""

    number: int
    sheet: str
    name: str
    results: tuple[tuple[str, ...], ...]


def make(options: Options, names: Sequence[str], executor: Executor, tell: Tell) -> Path:
    """Makes the set for these pupils ("" for one without a name); the folder it is in.

    tell: what is being done, how many of how many are finished. UserError as far as the user can mend it.
    """
    usual = folder_for(options.ausgabe, options.satz)
    folder = usual.with_name(f"{usual.name}-klasse")
    scratch = folder.with_name(f".papierformer-{folder.name}-{_mark(options)}")
    scratch.mkdir(parents=True, exist_ok=True)
    orders: list[Order] = []
    measured: list[Measured] = []
    begun: list[Future[None] | None] = []
    for number, found in enumerate(equally_hard(options, len(names)), 1):
        order = Order(replace(options, startwert=found.seed), number, names[number - 1], scratch)
        orders.append(order)
        measured.append(found)
        begun.append(_submit(executor, order))
        tell("Suche gleich schwere Varianten", number, len(names))
    started, ready = time.monotonic(), sum(future is None or future.done() for future in begun)
    for done, (order, future) in enumerate(zip(orders, begun, strict=True), 1):
        _finish(order, future)
        left = (time.monotonic() - started) / max(1, done - ready) * (len(orders) - done)
        tell(f"Drucke die Blätter, noch etwa {_duration(left)}", done, len(orders))
    tell("Binde die Blätter", len(orders), len(orders))
    files = _files(options, orders, measured)
    calculations = {f"{o.number}.json": o.path("-rechnung.json").read_bytes() for o in orders}
    old = (path.name for path in (folder / CALCULATIONS).glob("*.json"))
    write_together(folder / CALCULATIONS, calculations, tuple(old))
    write_together(folder, files, FILES)
    shutil.rmtree(scratch, ignore_errors=True)
    return folder


def _mark(options: Options) -> str:
    """Of what all sheets of the set have in common."""
    said = repr((VERSION, options.satz, options.resolved(), sheet_code_of(options)))
    return hashlib.sha256(said.encode()).hexdigest()[:12]


def _submit(executor: Executor, order: Order) -> Future[None] | None:
    try:
        return None if order.done else executor.submit(carry_out, order)
    except (BrokenExecutor, OSError):
        return None


def _finish(order: Order, future: Future[None] | None) -> None:
    """The order is done when this returns: by a helper, or here if the helper has died."""
    with contextlib.suppress(BrokenExecutor, EOFError):
        if future is not None:
            future.result()
    carry_out(order)


def _duration(seconds: float) -> str:
    return f"{round(seconds)} s" if seconds < 90 else f"{round(seconds / 60)} min"


def _files(options: Options, orders: Sequence[Order], measured: Sequence[Measured]) -> dict[str, bytes]:
    notes = [json.loads(order.path(".json").read_text(encoding="utf-8")) for order in orders]

    def of(view: str) -> bytes:
        return bound(order.path(f"-{view}.pdf").read_bytes() for order in orders)

    manifest = {
        "papierformer": VERSION,
        "satz": options.satz,
        "optionen": options.resolved(),
        "varianten": [
            {
                "nummer": order.number,
                "name": order.name,
                "startwert": order.options.startwert,
                **{key: note[key] for key in ("blatt", "code", "seiten", "be")},
                "minuten": round(found.minutes, 1),
                "breite": round(found.width, 3),
            }
            for order, note, found in zip(orders, notes, measured, strict=True)
        ],
    }
    html = {medium: _overview(orders, notes, medium) for medium in ("pdf", "screen")}
    return {
        "arbeitsblaetter.pdf": of("arbeitsblatt"),
        "loesungen.pdf": of("loesung"),
        "uebersicht.pdf": write_pdf(html["pdf"], title="Übersicht zum Klassensatz").data,
        "uebersicht.html": for_browsers(html["screen"]).encode(),
        MANIFEST: (json.dumps(manifest, ensure_ascii=False, indent=1) + "\n").encode(),
    }


def _overview(orders: Sequence[Order], notes: Sequence[dict[str, Any]], medium: Any) -> str:
    ids = list(dict.fromkeys(result["station"] for result in notes[0]["ergebnisse"]))

    def of(note: dict[str, Any], station: str) -> list[dict[str, Any]]:
        return [result for result in note["ergebnisse"] if result["station"] == station]

    stations = {
        f"Station {id_}": [f"{result['nummer']}: {result['titel']}" for result in of(notes[0], id_)]
        for id_ in ids
    }
    rows = {
        f"Station {id_}": [
            Row(
                order.number,
                note["blatt"],
                order.name,
                tuple(tuple(result["werte"]) for result in of(note, id_)),
            )
            for order, note in zip(orders, notes, strict=True)
        ]
        for id_ in ids
    }
    title = f"Klassensatz zu „{orders[0].options.satz}“: Ergebnisse"
    context = {"title": title, "stations": stations.items(), "rows": rows}
    return render_page("classes/overview.html.j2", Typesetter(medium), medium, **context).html
