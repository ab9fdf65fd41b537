"""Routes of the page on which a sheet is made: preview, jobs, and the files of earlier sheets."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from generator.basics.errors import UserError
from generator.basics.files import slug
from generator.page import form
from generator.page.form import labelled
from generator.page.guard import address_of
from generator.page.jobs import DONE, FAILED, Job
from generator.page.office import NOT_OURS, Office, client_of, office_of, sent, shown

_WORK: Final = "generator.page.work"
_VIEWING: Final = "generator.page.viewing"
_SECONDS_FOR_PREVIEW: Final = 90.0
_LONGEST_TITLE: Final = 120
_SECONDS_FOR_SHEET, _SECONDS_FOR_PUPIL = 900.0, 60.0
# A sheet's page brings its own styles and fonts; nothing of it runs or is fetched. It may be printed.
FRAMED: Final = (
    "sandbox allow-same-origin allow-modals; default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    "font-src data:; frame-ancestors 'self'"
)
_ALONE: Final = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
    "frame-ancestors 'none'"
)
_PDF: Final = "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'self'"


def routes() -> list[Route]:
    return [
        Route("/", start),
        Route("/blaetter", earlier),
        Route("/vorschau/{name}", document),
        Route("/blaetter/{name}/alles.zip", everything),
        Route("/blaetter/{name}/bild.png", picture),
        Route("/blaetter/{name}/{file}", file),
        Route("/api/vorschau", preview, methods=["POST"]),
        Route("/api/seiten", pages, methods=["POST"]),
        Route("/api/blatt", make, methods=["POST"]),
        Route("/api/auftraege", jobs),
        Route("/api/auftraege/{name}", job, methods=["GET", "DELETE"]),
        Route("/api/blaetter/{name}", sheet, methods=["GET", "POST", "DELETE"]),
    ]


async def start(request: Request) -> Response:
    """The teacher's page; with ?blatt=NAME as an earlier sheet was asked for."""
    return shown(request, "start.html.j2", here="blatt", groups=form.groups(), templates=form.ready_lessons())


async def earlier(request: Request) -> Response:
    """All earlier sheets."""
    office = office_of(request)
    entries = await asyncio.to_thread(office.shelf.entries, office.owner(client_of(request)))
    return shown(request, "earlier.html.j2", here="blaetter", entries=list(map(labelled, entries)))


async def preview(request: Request) -> Response:
    """What is typed becomes a page for the frame, and what there is to say beside it."""
    office, order = office_of(request), await sent(request)
    window = f"{client_of(request)} {order.get('fenster')}"
    number = office.newest(window)

    def wanted() -> bool:
        return office.is_newest(window, number)

    said = await office.previews.call(
        _SECONDS_FOR_PREVIEW, f"{_VIEWING}:preview", order, client=client_of(request), wanted=wanted
    )
    said["seite"] = office.documents.put(client_of(request), said.pop("html"))
    return JSONResponse(said)


async def pages(request: Request) -> Response:
    """How many pages are printed, and a document that shows them; it takes seconds and keeps no preview."""
    office, order = office_of(request), await sent(request)
    client = client_of(request)
    window = f"seiten {client} {order.get('fenster')}"
    number = office.newest(window)
    said = await office.pages.call(
        _SECONDS_FOR_PREVIEW,
        f"{_VIEWING}:printed_pages",
        order,
        client=client,
        wanted=lambda: office.is_newest(window, number),
    )
    said["seite"] = office.documents.put(client, said.pop("html"))
    return JSONResponse(said)


async def document(request: Request) -> Response:
    """A page made for the frame."""
    try:
        html = office_of(request).documents.get(request.path_params["name"], client_of(request))
    except KeyError as error:
        raise HTTPException(404) from error
    return HTMLResponse(html, headers={"content-security-policy": FRAMED})


async def make(request: Request) -> Response:
    """A sheet, or with names a class set, goes into the queue."""
    office, client, order = office_of(request), client_of(request), await sent(request)
    limit = _SECONDS_FOR_SHEET
    if order.get("klasse") is not None:
        limit += _SECONDS_FOR_PUPIL * _pupils(order["klasse"])
    name, folder = office.shelf.new(office.owner(client))

    async def work() -> None:
        try:
            await _made(office, limit, order, folder)
        except BaseException:  # what is not finished leaves nothing on the shelf
            office.shelf.delete(name, office.owner(client))
            raise

    queued = Job(name, client, work, address_of(request))
    try:
        office.queue.add(queued)
    except UserError:
        office.shelf.delete(name, office.owner(client))
        raise
    return JSONResponse(_said(request, queued), 202)


def _pupils(asked: Any) -> int:
    """At most how many pupils are asked for. UserError for what no form of ours sends."""
    if not isinstance(asked, dict) or not isinstance(asked.get("namen", ""), str):
        raise UserError(NOT_OURS)
    number = asked.get("anzahl")
    lines = len(asked.get("namen", "").splitlines())
    return max(lines, 0 if number is None else form.number_of_pupils(number))


async def _made(office: Office, limit: float, order: dict[str, Any], folder: Path) -> None:
    if order.get("klasse") is None:
        await office.printing.call(limit, f"{_WORK}:make_sheet", order, folder)
    else:
        computers = office.settings.computers
        await office.printing.call(limit, f"{_WORK}:make_class_set", order, folder, computers)


async def jobs(request: Request) -> Response:
    """All jobs of this client."""
    of_client = office_of(request).queue.of_client(client_of(request))
    return JSONResponse([_said(request, each) for each in of_client])


async def job(request: Request) -> Response:
    """How far a job is; or it is cancelled."""
    office = office_of(request)
    try:
        found = office.queue.job(request.path_params["name"], client_of(request))
    except KeyError as error:
        raise HTTPException(404) from error
    if request.method == "DELETE":
        office.queue.cancel(found)
        await asyncio.sleep(0)
    return JSONResponse(_said(request, found))


def _said(request: Request, job: Job) -> dict[str, Any]:
    office = office_of(request)
    said: dict[str, Any] = {"name": job.name, "stand": job.state, "davor": office.queue.place(job)}
    if job.state == FAILED:
        said |= {"fehler": form.in_words(job.sentence), "feld": form.field_of(job.sentence)}
    elif job.state == DONE:
        with contextlib.suppress(KeyError):  # deleted meanwhile
            said["blatt"] = labelled(office.shelf.entry(job.name, office.owner(job.client)))
    else:
        said |= office.shelf.progress(job.name)
    return said


async def sheet(request: Request) -> Response:
    """What there is to say of an earlier sheet; or it is renamed or deleted."""
    office, name = office_of(request), request.path_params["name"]
    owner = office.owner(client_of(request))
    try:
        if request.method == "DELETE":
            await asyncio.to_thread(office.shelf.delete, name, owner)
            return JSONResponse({})
        if request.method == "POST":
            title = str((await sent(request)).get("titel", "")).strip()[:_LONGEST_TITLE]
            await asyncio.to_thread(office.shelf.rename, name, owner, title)
        return JSONResponse(labelled(office.shelf.entry(name, owner)))
    except KeyError as error:
        raise HTTPException(404) from error


async def file(request: Request) -> Response:
    """A file of an earlier sheet: to look at, or with ?sichern to keep."""
    office = office_of(request)
    name, wanted = request.path_params["name"], request.path_params["file"]
    try:
        path = office.shelf.file(name, wanted, office.owner(client_of(request)))
    except KeyError as error:
        raise HTTPException(404) from error
    looked_at = path.suffix in (".pdf", ".html") and "sichern" not in request.query_params
    entry = office.shelf.entry(name, office.owner(client_of(request)))
    return FileResponse(
        path,
        filename=f"{_called(entry)}-{wanted}",
        content_disposition_type="inline" if looked_at else "attachment",
        headers={"content-security-policy": _PDF if path.suffix == ".pdf" else _ALONE},
    )


async def picture(request: Request) -> Response:
    """The first page of an earlier sheet."""
    office = office_of(request)
    try:
        path = office.shelf.picture(request.path_params["name"], office.owner(client_of(request)))
    except KeyError as error:
        raise HTTPException(404) from error
    return FileResponse(path)


def _called(entry: Mapping[str, Any]) -> str:
    """What files of a sheet are called on the teacher's computer: by sentence and mark."""
    return "-".join(filter(None, (slug(entry["satz"]), entry.get("blatt", ""))))


async def everything(request: Request) -> Response:
    """All files of an earlier sheet in one."""
    office, name = office_of(request), request.path_params["name"]
    try:
        data = await asyncio.to_thread(office.shelf.zipped, name, office.owner(client_of(request)))
    except KeyError as error:
        raise HTTPException(404) from error
    called = _called(office.shelf.entry(name, office.owner(client_of(request))))
    headers = {"content-disposition": f'attachment; filename="{called}.zip"'}
    return Response(data, media_type="application/zip", headers=headers)
