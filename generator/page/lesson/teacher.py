"""The teacher's routes of a lesson: begin one, see who is where, the class result, end, delete."""

from __future__ import annotations

from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from generator.page.checking import source_of
from generator.page.lesson.opened import Open, overview
from generator.page.lesson.room import room_of
from generator.page.making import FRAMED
from generator.page.office import client_of, office_of, sent
from generator.page.shown import shown

_MOST_EARLIER: Final = 50


def routes() -> list[Route]:
    return [
        Route("/stunden", start),
        Route("/stunden/{code}", live),
        Route("/stunden/{code}/klasse.html", result_page),
        Route("/stunden/{code}/klasse.csv", result_table),
        Route("/api/stunden", begin, methods=["POST"]),
        Route("/api/stunden/{code}", state),
        Route("/api/stunden/{code}/ende", end, methods=["POST"]),
        Route("/api/stunden/{code}/loeschen", delete, methods=["POST"]),
    ]


async def start(request: Request) -> Response:
    """Begin a lesson, or come back to one."""
    office, owner = office_of(request), office_of(request).owner(client_of(request))
    sheets = [each for each in office.shelf.entries(owner, _MOST_EARLIER) if each.get("art") == "blatt"]
    lessons = await room_of(request).lessons.all(owner)
    return shown(request, "lessons.html.j2", here="stunden", sheets=sheets, lessons=lessons)


async def begin(request: Request) -> Response:
    """From a code, or from a sheet on the shelf; on one's own computer phones are let in."""
    office, asked, room = office_of(request), await sent(request), room_of(request)
    owner = office.owner(client_of(request))
    found = await room.lessons.begin(source_of(request, asked), str(asked.get("rueckmeldung", "")), owner)
    if not office.settings.shared:
        await room.listener.begin()
    return JSONResponse({"stunde": found.lesson.code})


async def live(request: Request) -> Response:
    """Who is where; with the address for the phones as letters and as a QR code."""
    found = await _lesson(request)
    address = _address(request, found)
    return shown(
        request,
        "lesson.html.j2",
        here="stunden",
        lesson=found.lesson,
        address=address,
        picture=_picture(address),
        beyond=bool(room_of(request).listener.address),
    )


async def state(request: Request) -> Response:
    return JSONResponse(overview(await _lesson(request)))


async def end(request: Request) -> Response:
    """Nothing more can be entered; when no lesson is open any more, only this computer is answered."""
    found, room = await _lesson(request), room_of(request)
    await room.lessons.end_lesson(found.lesson.code)
    await _close_if_over(request)
    return JSONResponse({})


async def delete(request: Request) -> Response:
    """The lesson with everything that was written in it."""
    found = await _lesson(request)
    await room_of(request).lessons.delete(found.lesson.code)
    await _close_if_over(request)
    return JSONResponse({})


async def _close_if_over(request: Request) -> None:
    room = room_of(request)
    if all(lesson.ended is not None for lesson in await room.lessons.all("")):
        await room.listener.close()


async def result_page(request: Request) -> Response:
    result = await room_of(request).lessons.result(await _lesson(request))
    return HTMLResponse(result["html"], headers={"content-security-policy": FRAMED})


async def result_table(request: Request) -> Response:
    result = await room_of(request).lessons.result(await _lesson(request))
    headers = {"content-disposition": 'attachment; filename="klasse.csv"'}
    return Response(result["csv"], media_type="text/csv; charset=utf-8", headers=headers)


async def _lesson(request: Request) -> Open:
    try:
        owner = office_of(request).owner(client_of(request))
        return await room_of(request).lessons.find(request.path_params["code"], owner)
    except KeyError as error:
        raise HTTPException(404) from error


def _address(request: Request, found: Open) -> str:
    settings = office_of(request).settings
    return f"{room_of(request).listener.address or settings.base}/stunde/{found.lesson.code}"


def _picture(address: str) -> str:
    """The address as a QR code: an SVG as a data: address."""
    import segno

    picture: str = segno.make(address, error="m", micro=False).svg_data_uri(scale=6, border=4, light="#fff")
    return picture
