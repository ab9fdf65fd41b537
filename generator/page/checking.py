"""Routes of the page on which a pupil's numbers are entered: the sheet, verdicts, files that are dropped."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import accumulate
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from generator.basics.errors import UserError
from generator.page.making import FRAMED
from generator.page.office import NOT_OURS, client_of, office_of, sent, shown

_LONGEST_CODE: Final = 2000
_SECONDS: Final = 90.0
_SECONDS_FOR_CLASS: Final = 300.0
_MOST_FILES, _LONGEST_NAME = 200, 120
_REVIEWING: Final = "generator.page.reviewing"
_LARGEST_CALCULATION: Final = 8_000_000  # twenty times the largest that the page makes
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
        Route("/api/datei/rechnung", dropped, methods=["POST"]),
        Route("/api/datei/antworten/{name}", answers, methods=["POST"]),
        Route("/api/datei/klasse/{name}", of_class, methods=["POST"]),
        Route("/api/pruefen/{name}", checked, methods=["POST"]),
    ]


async def start(request: Request) -> Response:
    """The page for checking; with ?code=… a sheet is opened at once."""
    return shown(request, "check.html.j2", here="pruefen")


async def opened(request: Request) -> Response:
    """A sheet by its code, or by its name on the shelf; or a class set by that."""
    asked = await sent(request)
    if name := str(asked.get("klasse", "")):
        return _opened_set(request, name)
    return await _opened(request, source_of(request, asked))


def _opened_set(request: Request, name: str) -> Response:
    """Every pupil has a sheet of their own: there is none to show."""
    office, client = office_of(request), client_of(request)
    try:
        manifest = office.shelf.file(name, "klassensatz.json", office.owner(client))
        entry = office.shelf.entry(name, office.owner(client))
    except KeyError as error:
        raise HTTPException(404) from error
    source = office.sources.put(client, json.dumps({"klassensatz": str(manifest)}))
    return JSONResponse({"satz": entry["satz"], "anzahl": entry["anzahl"], "quelle": source})


def source_of(request: Request, asked: Mapping[str, Any]) -> dict[str, str]:
    """What a worker opens: the sheet of a code, or one of the shelf. UserError where neither is named."""
    office, code = office_of(request), str(asked.get("code", "")).strip()
    if earlier := str(asked.get("blatt", "")):
        try:
            path = office.shelf.file(earlier, "rechnung.json", office.owner(client_of(request)))
        except KeyError as error:
            raise HTTPException(404) from error
        return {"rechnung": path.read_text(encoding="utf-8")}
    if not code or len(code) > _LONGEST_CODE:
        raise UserError("Bitte geben Sie den Code ein, der unten auf dem Blatt steht.")
    return {"code": code}


async def dropped(request: Request) -> Response:
    """A sheet by its file rechnung.json."""
    content = await request.body()
    if len(content) > _LARGEST_CALCULATION:
        raise UserError("Diese Datei ist zu groß für die Rechnung eines Blatts.")
    name = request.query_params.get("datei", "")[:_LONGEST_NAME]
    return await _opened(request, {"rechnung": content.decode("utf-8", "replace"), "datei": name})


async def _opened(request: Request, source: dict[str, str]) -> Response:
    office, client = office_of(request), client_of(request)
    said = await _call(request, _SECONDS, "opened", source)
    said["seite"] = office.documents.put(client, said.pop("html"))
    said["quelle"] = office.sources.put(client, json.dumps(source))
    return JSONResponse(said)


async def sheet(request: Request) -> Response:
    """The sheet with its fields, for the frame."""
    html = _kept(request)
    base = office_of(request).settings.prefix
    head = (
        f'<link rel="stylesheet" href="{base}/static/fields.css">'
        f'<script type="module" src="{base}/static/fields.js"></script>'
    )
    return HTMLResponse(
        html.replace("</head>", head + "</head>", 1), headers={"content-security-policy": _WITH_FIELDS}
    )


async def report(request: Request) -> Response:
    """The whole report of a check."""
    return HTMLResponse(_kept(request), headers={"content-security-policy": FRAMED})


async def checked(request: Request) -> Response:
    """Verdicts for all that is written."""
    office, client, asked = office_of(request), client_of(request), await sent(request)
    source = _source(request)
    said = await _call(request, _SECONDS, "checked", source, asked.get("antworten"))
    said["bericht"] = office.documents.put(client, said.pop("bericht"))
    return JSONResponse(said)


async def answers(request: Request) -> Response:
    """The entries of a file that was dropped; ?datei= says what it is called."""
    content, name = await request.body(), request.query_params.get("datei", "")
    entries = await _call(request, _SECONDS, "read_file", _source(request), name, content)
    return JSONResponse({"antworten": entries})


async def of_class(request: Request) -> Response:
    """The result of a class from its files: a line with their names and sizes, then one after the other."""
    office, client, body = office_of(request), client_of(request), await request.body()
    said = await _call(request, _SECONDS_FOR_CLASS, "class_result", _source(request), _files(body))
    said["bericht"] = office.documents.put(client, said["bericht"])
    said["tabelle"] = office.documents.put(client, said["tabelle"])
    return JSONResponse(said)


async def _call(request: Request, limit: float, function: str, *arguments: Any) -> Any:
    checks = office_of(request).checks
    return await checks.call(limit, f"{_REVIEWING}:{function}", *arguments, client=client_of(request))


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
    headers = {"content-disposition": 'attachment; filename="klasse.csv"'}
    return Response(_kept(request), media_type="text/csv; charset=utf-8", headers=headers)


def _source(request: Request) -> dict[str, str]:
    try:
        source: dict[str, str] = json.loads(
            office_of(request).sources.get(request.path_params["name"], client_of(request))
        )
    except KeyError as error:
        raise UserError(_NONE) from error
    return source


def _kept(request: Request) -> str:
    try:
        return office_of(request).documents.get(request.path_params["name"], client_of(request))
    except KeyError as error:
        raise HTTPException(404) from error
