"""The teacher's routes of a lesson: begin one, see who is where, the class result, end, delete."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from generator.page.guard import address_of
from generator.page.lesson.judge import JUDGING
from generator.page.lesson.listening import room_of
from generator.page.lesson.opened import DRAWN, Open, overview, wall
from generator.page.lesson.store import Lesson
from generator.page.office import as_table, class_of, framed, office_of, owner_of, sent, shown, source_of

_MOST_EARLIER: Final = 50
_SECONDS: Final = 90.0


def routes() -> list[Route]:
    return [
        Route("/stunden", start),
        Route("/stunden/{code}", live),
        Route("/stunden/{code}/klasse.html", result_page),
        Route("/stunden/{code}/klasse.csv", result_table),
        Route("/api/stunden", begin, methods=["POST"]),
        Route("/stunden/{code}/beamer", beamer),
        Route("/api/stunden/{code}", state),
        Route("/api/stunden/{code}/beamer", squares),
        Route("/api/stunden/{code}/loesung", solution, methods=["POST"]),
        Route("/api/stunden/{code}/pause", pause, methods=["POST"]),
        Route("/api/stunden/{code}/weiter", go_on, methods=["POST"]),
        Route("/api/stunden/{code}/entfernen", remove, methods=["POST"]),
        Route("/api/stunden/{code}/ende", end, methods=["POST"]),
        Route("/api/stunden/{code}/loeschen", delete, methods=["POST"]),
    ]


async def start(request: Request) -> Response:
    """Begin a lesson, or come back to one."""
    owner = owner_of(request)
    entries = await asyncio.to_thread(office_of(request).shelf.entries, owner, _MOST_EARLIER)
    known = await room_of(request).lessons.of_owner(owner)
    forgotten = [each for each in known if _waits(request, each)]
    return shown(
        request, "lessons.html.j2", here="stunden", sheets=entries, lessons=known, forgotten=forgotten
    )


async def begin(request: Request) -> Response:
    """From a code, or from a sheet or class set on the shelf; on one's own computer phones are let in."""
    asked, room = await sent(request), room_of(request)
    sources = class_of(request, asked) or {"": (source_of(request, asked), "")}
    found = await room.lessons.begin(sources, str(asked.get("rueckmeldung", "")), owner_of(request))
    room.guesses.note(address_of(request), found.lesson.code, right=True)  # the class is where its teacher is
    await room.settle()
    return JSONResponse({"stunde": found.lesson.code})


async def go_on(request: Request) -> Response:
    """A lesson that was open when the program ended: its phones are let in again."""
    found, room = await _lesson(request), room_of(request)
    if found.lesson.ended is None:
        room.lessons.let_in.add(found.lesson.code)
        await room.settle()
    return JSONResponse({})


async def remove(request: Request) -> Response:
    """An animal with all that it wrote."""
    asked, found = await sent(request), await _lesson(request)
    await room_of(request).lessons.remove(found, str(asked.get("tier", "")))
    return JSONResponse({})


async def live(request: Request) -> Response:
    """Who is where; with the address for the phones as letters and as a QR code."""
    found, beyond = await _lesson(request), bool(room_of(request).listener.address)
    waits = _waits(request, found.lesson)
    return _with_entrance(
        request, "lesson.html.j2", found, of_class_set=found.of_class_set, beyond=beyond, waits=waits
    )


async def state(request: Request) -> Response:
    return JSONResponse(overview(await _lesson(request)))


async def end(request: Request) -> Response:
    """Nothing more can be entered; when all phones have heard it, only this computer is answered."""
    found, room = await _lesson(request), room_of(request)
    code = found.lesson.code
    await room.lessons.end_lesson(code)
    await room.settle()
    if code in room.lessons.let_in:
        room.soon(room.lessons.all_heard(code))
    return JSONResponse({})


async def pause(request: Request) -> Response:
    """Phones say that everybody looks at the teacher, or go on."""
    asked, found = await sent(request), await _lesson(request)
    found.paused = bool(asked.get("an"))
    return JSONResponse({})


async def beamer(request: Request) -> Response:
    """The lesson for the wall: the way in, then what the class has entered."""
    return _with_entrance(request, "beamer.html.j2", await _lesson(request), drawn=DRAWN)


async def squares(request: Request) -> Response:
    return JSONResponse(wall(await _lesson(request)))


async def solution(request: Request) -> Response:
    """What is right in one exercise, on the one sheet of all or on that of an animal ("tier")."""
    asked, found = await sent(request), await _lesson(request)
    station, number = str(asked.get("station", "")), asked.get("nummer")
    of = {pupil.animal: pupil.sheet for pupil in found.pupils.values()}.get(str(asked.get("tier", "")), "")
    sheet = found.sheets.get(of) or next(iter(found.sheets.values()))
    cells = await office_of(request).lessons.call(
        _SECONDS, f"{JUDGING}:solution", sheet.source, station, number if isinstance(number, int) else 0
    )
    return JSONResponse({"zellen": cells, "blatt": sheet.mark})


async def delete(request: Request) -> Response:
    """The lesson with everything that was written in it."""
    found = await _lesson(request)
    await room_of(request).lessons.delete(found.lesson.code)
    await room_of(request).settle()
    return JSONResponse({})


async def result_page(request: Request) -> Response:
    result = await room_of(request).lessons.result(await _lesson(request))
    return framed(result["html"])


async def result_table(request: Request) -> Response:
    result = await room_of(request).lessons.result(await _lesson(request))
    return as_table(result["csv"])


async def _lesson(request: Request) -> Open:
    return await room_of(request).lessons.find(request.path_params["code"], owner_of(request))


def _waits(request: Request, lesson: Lesson) -> bool:
    """Whether it was open when the program ended, and nobody has said yet what is to become of it."""
    room = room_of(request)
    return not room.shared and lesson.ended is None and lesson.code not in room.lessons.let_in


def _with_entrance(request: Request, template: str, found: Open, **context: Any) -> Response:
    """A page with the phones' address, also as a QR code: an SVG as a data: address."""
    import segno

    base = room_of(request).listener.address or office_of(request).settings.base
    address = f"{base}/stunde/{found.lesson.code}"
    code = segno.make(address, error="m", micro=False).svg_data_uri(scale=6, border=4, light="#fff")
    context |= {"lesson": found.lesson, "address": address, "picture": code}
    return shown(request, template, here="stunden", **context)
