"""Routes of the page on which a sheet is made: preview, jobs, and the files of earlier sheets."""

import asyncio
import contextlib
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from generator.basics.errors import UserError
from generator.basics.files import slug
from generator.page import form
from generator.page.form import labelled
from generator.page.guard import address_of
from generator.page.services import client_of, framed, owner_of, put_aside, sent, services_of, shown
from generator.page.shelf import NOT_OURS, AbsentError
from generator.page.workers import DONE, FAILED, Job, Workers

_WORK: Final = "generator.page.work"
_VIEWING: Final = "generator.page.viewing"
_SECONDS_FOR_PREVIEW: Final = 90.0
_LONGEST_TITLE: Final = 120
_SECONDS_FOR_SHEET, _SECONDS_FOR_PUPIL = 900.0, 60.0
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
        Route("/blaetter/{name}/{file}", file),
        Route("/api/vorschau", preview, methods=["POST"]),
        Route("/api/seiten", pages, methods=["POST"]),
        Route("/api/namen", pupils, methods=["POST"]),
        Route("/api/blatt", make, methods=["POST"]),
        Route("/api/auftraege", jobs),
        Route("/api/auftraege/{name}", job, methods=["GET", "DELETE"]),
        Route("/api/blaetter/{name}", sheet, methods=["GET", "POST", "DELETE"]),
    ]


async def start(request: Request) -> Response:
    """The teacher's page; with ?blatt=NAME as an earlier sheet was asked for."""
    return shown(
        request,
        "start.html.j2",
        here="blatt",
        groups=form.groups(),
        templates=form.ready_lessons(),
        sentences=form.good_sentences(),
    )


async def earlier(request: Request) -> Response:
    """All earlier sheets."""
    entries = await asyncio.to_thread(services_of(request).shelf.entries, owner_of(request))
    return shown(request, "earlier.html.j2", here="blaetter", entries=list(map(labelled, entries)))


async def preview(request: Request) -> Response:
    """What is typed becomes a page for the frame, and what there is to say beside it."""
    return await _viewed(request, services_of(request).previews, "preview")


async def pages(request: Request) -> Response:
    """How many pages are printed, and a document that shows them; it takes seconds and keeps no preview."""
    return await _viewed(request, services_of(request).pages, "printed_pages")


async def _viewed(request: Request, workers: Workers, function: str) -> Response:
    order, client = await sent(request), client_of(request)
    wanted = services_of(request).newest(f"{function} {client} {order.get('fenster')}")
    said = await workers.call(
        _SECONDS_FOR_PREVIEW, f"{_VIEWING}:{function}", order, client=client, wanted=wanted
    )
    return JSONResponse(put_aside(request, said, "html"))


async def document(request: Request) -> Response:
    """A page made for the frame."""
    return framed(services_of(request).documents.get(request.path_params["name"], client_of(request)))


async def pupils(request: Request) -> Response:
    """What a list of names is understood as: what was typed, or a file."""
    listed, client = await request.body(), client_of(request)
    workers = services_of(request).previews
    said = await workers.call(_SECONDS_FOR_PREVIEW, f"{_WORK}:understood", listed, client=client)
    return JSONResponse(said)


async def make(request: Request) -> Response:
    """A sheet, or with names a class set, goes into the queue."""
    services, client, order = services_of(request), client_of(request), await sent(request)
    limit, function = _SECONDS_FOR_SHEET, f"{_WORK}:make_sheet"
    more: tuple[str, ...] = ()
    if order.get("klasse") is not None:
        limit += _SECONDS_FOR_PUPIL * _pupils(order["klasse"])
        function, more = f"{_WORK}:make_class_set", (services.settings.computers,)
    name, folder = services.shelf.new(services.owner(client))

    async def work() -> None:
        try:
            await services.printing.call(limit, function, order, folder, *more)
        except BaseException:  # what is not finished leaves nothing on the shelf
            await asyncio.to_thread(services.shelf.delete, name, services.owner(client))
            raise

    queued = Job(name, client, work, address_of(request))
    try:
        services.queue.add(queued)
    except UserError:
        services.shelf.delete(name, services.owner(client))
        raise
    return JSONResponse(_state(request, queued), 202)


def _pupils(asked: Any) -> int:
    """At most how many pupils are asked for. UserError for what no form of ours sends."""
    if not isinstance(asked, dict) or not isinstance(asked.get("namen", ""), str):
        raise UserError(NOT_OURS)
    number = asked.get("anzahl")
    lines = len(asked.get("namen", "").splitlines())
    return max(lines, 0 if number is None else form.number_of_pupils(number))


async def jobs(request: Request) -> Response:
    """All jobs of this client."""
    of_client = services_of(request).queue.of_client(client_of(request))
    return JSONResponse([_state(request, each) for each in of_client])


async def job(request: Request) -> Response:
    """How far a job is; or it is cancelled."""
    services = services_of(request)
    found = services.queue.job(request.path_params["name"], client_of(request))
    if request.method == "DELETE":
        found.cancel()
        await asyncio.sleep(0)
    return JSONResponse(_state(request, found))


def _state(request: Request, job: Job) -> dict[str, Any]:
    services = services_of(request)
    said: dict[str, Any] = {"name": job.name, "stand": job.state, "davor": services.queue.place(job)}
    if job.state == FAILED:
        said |= {"fehler": form.in_words(job.sentence), "feld": form.field_of(job.sentence)}
    elif job.state == DONE:
        with contextlib.suppress(AbsentError):  # deleted meanwhile
            said["blatt"] = labelled(services.shelf.entry(job.name, services.owner(job.client)))
    else:
        said |= services.shelf.progress(job.name)
    return said


async def sheet(request: Request) -> Response:
    """What there is to say of an earlier sheet; or it is renamed or deleted."""
    shelf, name, owner = services_of(request).shelf, request.path_params["name"], owner_of(request)
    if request.method == "DELETE":
        await asyncio.to_thread(shelf.delete, name, owner)
        return JSONResponse({})
    if request.method == "POST":
        title = str((await sent(request)).get("titel", "")).strip()[:_LONGEST_TITLE]
        await asyncio.to_thread(shelf.rename, name, owner, title)
    return JSONResponse(labelled(shelf.entry(name, owner)))


async def file(request: Request) -> Response:
    """A file of an earlier sheet, or its picture: to look at, or with ?sichern to keep."""
    name, wanted = request.path_params["name"], request.path_params["file"]
    path = services_of(request).shelf.file(name, wanted, owner_of(request))
    looked_at = path.suffix in (".pdf", ".html", ".png") and "sichern" not in request.query_params
    return FileResponse(
        path,
        filename=f"{_called(request, name)}-{wanted}",
        content_disposition_type="inline" if looked_at else "attachment",
        headers={"content-security-policy": _PDF if path.suffix == ".pdf" else _ALONE},
    )


def _called(request: Request, name: str) -> str:
    """What files of a sheet are called on the teacher's computer: by sentence and mark."""
    entry = services_of(request).shelf.entry(name, owner_of(request))
    return "-".join(filter(None, (slug(entry["satz"]), entry.get("blatt", ""))))


async def everything(request: Request) -> Response:
    """All files of an earlier sheet in one."""
    name = request.path_params["name"]
    data = await asyncio.to_thread(services_of(request).shelf.zipped, name, owner_of(request))
    headers = {"content-disposition": f'attachment; filename="{_called(request, name)}.zip"'}
    return Response(data, media_type="application/zip", headers=headers)
