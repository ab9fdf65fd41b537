"""Routes of the page on which filled-in paper sheets are read in; on one's own computer alone.

Scans and what comes of them lie in the folder of their sheet, and go with it or with „Alles löschen“.
"""

import json
import secrets
from pathlib import Path
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from generator.basics.errors import UserError, quoted
from generator.page.services import as_table, client_of, framed, owner_of, sent, services_of, shown
from generator.reading.papers import SCANS

_WORK: Final = "generator.page.class_work"
_SECONDS_TO_READ: Final = 3600.0
_SECONDS: Final = 300.0
_ABROAD: Final = (
    "Eingelesen wird nur auf dem eigenen Rechner, damit die Bilder der Arbeiten ihn nicht verlassen."
)


def routes() -> list[Route]:
    return [
        Route("/einlesen", start),
        Route("/einlesen/{name}", review),
        Route("/einlesen/{name}/ergebnis.csv", table),
        Route("/einlesen/{name}/{page:str}.html", result),
        Route("/api/datei/scan/{name}", dropped, methods=["POST"]),
        Route("/api/einlesen/{name}", read, methods=["POST"]),
        Route("/api/einlesen/{name}/arbeiten", to_mark),
        Route("/api/einlesen/{name}/durchsicht", confirmed, methods=["POST"]),
        Route("/api/einlesen/{name}/nochmal", decided, methods=["POST"]),
        Route("/api/einlesen/{name}/loeschen", deleted, methods=["POST"]),
    ]


async def start(request: Request) -> Response:
    """The sheets that can be read in."""
    services = services_of(request)
    entries = services.shelf.entries(owner_of(request))
    sheets = [each for each in entries if "felder.json" in each["dateien"]]
    refused = _ABROAD if services.settings.shared else ""
    return shown(request, "scans.html.j2", here="einlesen", sheets=sheets, refused=refused)


def _folder(request: Request) -> Path:
    """Of the sheet. UserError on a server, AbsentError where there is none."""
    services = services_of(request)
    if services.settings.shared:
        raise UserError(_ABROAD)
    return services.shelf.file(request.path_params["name"], "felder.json", owner_of(request)).parent


async def dropped(request: Request) -> Response:
    """A scan, kept until it is read; ?datei= says what it is called."""
    folder, called = _folder(request), Path(request.query_params.get("datei", "")).name[:120]
    if Path(called).suffix.lower() not in SCANS:
        raise UserError(
            f"{quoted(called)} ist weder ein PDF noch ein Bild (möglich: JPG, PNG, TIFF, WebP, BMP)."
        )
    name = f"{secrets.token_hex(6)}{Path(called).suffix.lower()}"
    await _call(request, _SECONDS, "keep", str(folder), name, called, await request.body())
    return JSONResponse({"datei": name})


async def read(request: Request) -> Response:
    """Reads the scans that were dropped."""
    folder, asked = _folder(request), await sent(request)
    names = [str(name) for name in asked.get("dateien", [])]
    said = await _call(request, _SECONDS_TO_READ, "read", str(folder), names)
    return JSONResponse(said)


async def review(request: Request) -> Response:
    """What is open, to be looked at."""
    folder, name = _folder(request), request.path_params["name"]
    said = await _call(request, _SECONDS, "review", str(folder))
    settings = services_of(request).settings
    said["data"] |= {
        "post": f"{settings.prefix}/api/einlesen/{name}/durchsicht",
        "headers": {"X-Papierformer": settings.csrf(client_of(request))},
    }
    data = json.dumps(said["data"], ensure_ascii=False).replace("<", "\\u003c")
    told = {"data": data, "notes": said["notes"], "heading": said["heading"], "sheet": name}
    told["again"] = said["data"]["again"]
    entry = services_of(request).shelf.entry(name, owner_of(request))
    told["kind"] = "klasse" if entry["art"] == "klassensatz" else "blatt"
    return shown(request, "scan_review.html.j2", here="einlesen", **told)


async def confirmed(request: Request) -> Response:
    """What a person said so far."""
    await _call(request, _SECONDS, "confirm", str(_folder(request)), await sent(request))
    return JSONResponse({})


async def decided(request: Request) -> Response:
    """Pages that came again replace the earlier ones, or lie beside them."""
    asked = await sent(request)
    paper, replace = str(asked.get("arbeit", "")), asked.get("ersetzen") is True
    await _call(request, _SECONDS, "decide", str(_folder(request)), paper, replace)
    return JSONResponse({})


async def result(request: Request) -> Response:
    """The result of the class, or every verdict beside its crop."""
    page = request.path_params["page"]
    if page not in ("ergebnis", "urteile"):
        raise HTTPException(404)
    html = await _call(request, _SECONDS, "result", str(_folder(request)), f"{page}.html")
    return framed(html)


async def table(request: Request) -> Response:
    """The same for a spreadsheet."""
    return as_table(await _call(request, _SECONDS, "result", str(_folder(request)), "ergebnis.csv"))


async def to_mark(request: Request) -> Response:
    """What was read of each paper, for the page for checking."""
    return JSONResponse({"arbeiten": await _call(request, _SECONDS, "to_mark", str(_folder(request)))})


async def deleted(request: Request) -> Response:
    await _call(request, _SECONDS, "delete", str(_folder(request)))
    return JSONResponse({})


async def _call(request: Request, limit: float, function: str, *arguments: Any) -> Any:
    workers = services_of(request).printing
    return await workers.call(limit, f"{_WORK}:{function}", *arguments, client=client_of(request))
