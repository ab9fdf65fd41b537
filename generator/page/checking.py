"""Routes of the page on which a pupil's numbers are entered: the sheet, verdicts, files that are dropped."""

import asyncio
import hashlib
import json
from itertools import accumulate
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from generator.basics.errors import UserError
from generator.page.services import (
    as_table,
    client_of,
    found,
    framed,
    on_shelf,
    owner_of,
    put_aside,
    sent,
    services_of,
    shown,
    source_of,
)
from generator.page.shelf import NOT_OURS, AbsentError, sheets_of

_SECONDS: Final = 90.0
_SECONDS_FOR_CLASS: Final = 300.0
_MOST_FILES, _LONGEST_NAME = 200, 120
PART: Final = "teil"  # of a jigsaw, as `reviewing` takes it
_REVIEWING, _CLASSES = "generator.page.reviewing", "generator.page.class_work"
MOST_EARLIER: Final = 50
LARGEST_CALCULATION: Final = 8_000_000  # twenty times the largest that the page makes
_OF_CLASS: Final = ("bericht", "tabelle", "rueckmeldung")  # documents
_NONE: Final = "Dieses Blatt ist nicht mehr offen; bitte öffnen Sie es noch einmal."
# The sheet brings styles and fonts of its own; the only script in it is the one that reads its fields.
_WITH_FIELDS: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; font-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)


def routes() -> list[Route]:
    return [
        Route("/pruefen", start),
        Route("/pruefen/{name}", sheet),
        Route("/bericht/{name}", report),
        Route("/bericht/{name}/klasse.csv", table),
        Route("/api/oeffnen", opened, methods=["POST"]),
        Route("/api/loesung/{name}", key, methods=["POST"]),
        Route("/api/klasse/{name}", entered, methods=["POST"]),
        Route("/api/datei/rechnung", dropped, methods=["POST"]),
        Route("/api/datei/foto", photographed, methods=["POST"]),
        Route("/api/datei/antworten/{name}", answers, methods=["POST"]),
        Route("/api/datei/klasse/{name}", of_class, methods=["POST"]),
        Route("/api/pruefen/{name}", checked, methods=["POST"]),
    ]


async def start(request: Request) -> Response:
    """The page for checking; with ?code=… a sheet is opened at once."""
    services = services_of(request)
    entries = await asyncio.to_thread(services.shelf.entries, owner_of(request), MOST_EARLIER)
    return shown(
        request, "check.html.j2", here="pruefen", sheets=entries, photos=not services.settings.shared
    )


async def opened(request: Request) -> Response:
    """A sheet by its code, name or place on the shelf, a class set by that or a sheet of it; or a choice."""
    asked = await sent(request)
    sheets = [asked] if {"klasse", "blatt"} & asked.keys() else found(request, str(asked.get("code", "")))
    if len(sheets) > 1:
        return JSONResponse({"auswahl": sheets})
    of = sheets[0] if sheets else asked
    if (name := str(of.get("klasse", ""))) and "nummer" not in of:
        return _opened_set(request, name, of.get("zuerst"))
    part = {PART: str(asked[PART])[:_LONGEST_NAME]} if PART in asked else {}
    return await _opened(request, source_of(request, of) | part)


def _opened_set(request: Request, name: str, number: int | None) -> Response:
    """Every pupil has a sheet of their own: a list of the pupils is shown. number: of the first to open."""
    services, client = services_of(request), client_of(request)
    manifest = on_shelf(request, name, "klassensatz.json")
    entry = services.shelf.entry(name, owner_of(request))
    return JSONResponse(
        {
            "satz": entry["satz"],
            "anzahl": entry["anzahl"],
            "nummer": number,
            "quelle": services.sources.put(client, json.dumps({"klassensatz": str(manifest)})),
            "kennung": name,
            "personen": sheets_of(manifest),
        }
    )


async def dropped(request: Request) -> Response:
    """A sheet by its file rechnung.json."""
    content = await request.body()
    if len(content) > LARGEST_CALCULATION:
        raise UserError("Diese Datei ist zu groß für die Rechnung eines Blatts.")
    name = request.query_params.get("datei", "")[:_LONGEST_NAME]
    said = {"rechnung": content.decode("utf-8", "replace"), "datei": name}
    if (part := request.query_params.get(PART)) is not None:
        said[PART] = part[:_LONGEST_NAME]
    return await _opened(request, said)


async def photographed(request: Request) -> Response:
    """By what name or code a sheet in a photo is opened. UserError on a server, which gets no pictures."""
    if services_of(request).settings.shared:
        raise UserError(NOT_OURS)
    mark, code = await _call(request, _SECONDS, "seen", await request.body(), of=_CLASSES)
    if code:  # a sheet that was not made here
        mark = mark if found(request, mark) else code
    return JSONResponse({"code": mark})


async def _opened(request: Request, source: dict[str, str]) -> Response:
    said = await _call(request, _SECONDS, "opened", source)
    if "auswahl" in said:  # a jigsaw: which of its sheets?
        return JSONResponse(said)
    said = put_aside(request, said, "html")
    kept = json.dumps(source, sort_keys=True)
    said["quelle"] = services_of(request).sources.put(client_of(request), kept)
    said["kennung"] = hashlib.sha256(kept.encode()).hexdigest()[:16]
    return JSONResponse(said)


async def key(request: Request) -> Response:
    """The key of the sheet that is open."""
    html = await _call(request, _SECONDS, "key", _source(request))
    return JSONResponse(put_aside(request, {"html": html}, "html"))


async def entered(request: Request) -> Response:
    """The result of a class whose papers were entered one by one."""
    papers = (await sent(request)).get("arbeiten")
    if not isinstance(papers, list) or len(papers) > _MOST_FILES:
        raise UserError(NOT_OURS)
    said = await _call(request, _SECONDS_FOR_CLASS, "entered_result", _source(request), papers, of=_CLASSES)
    return JSONResponse(put_aside(request, said, *_OF_CLASS))


async def sheet(request: Request) -> Response:
    """The sheet with its fields, for the frame."""
    html = _kept(request)
    base = services_of(request).settings.prefix
    head = (
        f'<link rel="stylesheet" href="{base}/static/fields.css">'
        f'<script type="module" src="{base}/static/fields.js"></script>'
    )
    return framed(html.replace("</head>", head + "</head>", 1), _WITH_FIELDS)


async def report(request: Request) -> Response:
    """The whole report of a check."""
    return framed(_kept(request))


async def checked(request: Request) -> Response:
    """Verdicts for all that is written."""
    written = (await sent(request)).get("antworten")
    said = await _call(request, _SECONDS, "checked", _source(request), written)
    return JSONResponse(put_aside(request, said, "bericht"))


async def answers(request: Request) -> Response:
    """The entries of a file that was dropped; ?datei= says what it is called."""
    content, name = await request.body(), request.query_params.get("datei", "")
    return JSONResponse(await _call(request, _SECONDS, "read_file", _source(request), name, content))


async def of_class(request: Request) -> Response:
    """The result of a class from its files: a line with their names and sizes, then one after the other."""
    files = _files(await request.body())
    said = await _call(request, _SECONDS_FOR_CLASS, "class_result", _source(request), files, of=_CLASSES)
    return JSONResponse(put_aside(request, said, *_OF_CLASS))


async def _call(request: Request, limit: float, function: str, *arguments: Any, of: str = _REVIEWING) -> Any:
    checks = services_of(request).checks
    return await checks.call(limit, f"{of}:{function}", *arguments, client=client_of(request))


def _files(body: bytes) -> list[tuple[str, bytes]]:
    head, _, rest = body.partition(b"\n")
    try:
        sizes = [(str(name)[:_LONGEST_NAME], int(size)) for name, size in json.loads(head)]
    except (ValueError, TypeError, RecursionError) as error:
        raise UserError(NOT_OURS) from error
    if min((size for _, size in sizes), default=0) < 0 or sum(size for _, size in sizes) != len(rest):
        raise UserError(NOT_OURS)
    if len(sizes) > _MOST_FILES:
        raise UserError(f"Das sind {len(sizes)} Dateien; möglich sind {_MOST_FILES} auf einmal.")
    ends = list(accumulate(size for _, size in sizes))
    return [(name, rest[end - size : end]) for (name, size), end in zip(sizes, ends, strict=True)]


async def table(request: Request) -> Response:
    """The result of a class for a spreadsheet."""
    return as_table(_kept(request))


def _source(request: Request) -> dict[str, str]:
    try:
        source: dict[str, str] = json.loads(
            services_of(request).sources.get(request.path_params["name"], client_of(request))
        )
    except AbsentError as error:
        raise UserError(_NONE) from error
    return source


def _kept(request: Request) -> str:
    return services_of(request).documents.get(request.path_params["name"], client_of(request))
