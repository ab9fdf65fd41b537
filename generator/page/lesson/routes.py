"""The routes of a lesson. The teacher's begin one, see who is where, give the class result, end, delete.

The pupils', for phones: choose an animal, enter numbers, be told what is right.
"""

import asyncio
from dataclasses import astuple
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from generator.basics.errors import UserError
from generator.page.guard import Refused, address_of
from generator.page.lesson.judge import JUDGING
from generator.page.lesson.lessons import NO_SUCH_SHEET, WHICH_OF_THE_TEAM
from generator.page.lesson.opened import DRAWN, Open, overview, wall
from generator.page.lesson.phones import room_of
from generator.page.lesson.store import Lesson, StoredAnswer
from generator.page.services import (
    as_table,
    class_of,
    framed,
    owner_of,
    rendered,
    sent,
    services_of,
    shown,
    source_of,
)
from generator.page.shelf import AbsentError

_MOST_EARLIER: Final = 50
_SECONDS: Final = 90.0
_REVIEWING: Final = "generator.page.reviewing"


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
        # from here on pupils' own: under guard.OPEN, so without a session
        Route("/stunde/{code}", phone),
        Route("/stunde/api/{code}/rein", join, methods=["POST"]),
        Route("/stunde/api/{code}/antworten", write, methods=["POST"]),
        Route("/stunde/api/{code}/stand", feedback, methods=["POST"]),
    ]


async def start(request: Request) -> Response:
    """Begin a lesson, or come back to one."""
    owner = owner_of(request)
    entries = await asyncio.to_thread(services_of(request).shelf.entries, owner, _MOST_EARLIER)
    known = await room_of(request).lessons.of_owner(owner)
    forgotten = [each for each in known if _waits(request, each)]
    return shown(
        request, "lessons.html.j2", here="stunden", sheets=entries, lessons=known, forgotten=forgotten
    )


async def begin(request: Request) -> Response:
    """From a code, or from a sheet or class set on the shelf; on one's own computer phones are let in."""
    asked, room = await sent(request), room_of(request)
    sources = class_of(request, asked) or await _sheets(request, source_of(request, asked))
    found = await room.lessons.begin(sources, str(asked.get("rueckmeldung", "")), owner_of(request))
    room.guesses.note(address_of(request), found.lesson.code, right=True)  # the class is where its teacher is
    await room.open_or_close()
    return JSONResponse({"stunde": found.lesson.code})


async def _sheets(request: Request, source: dict[str, str]) -> dict[str, tuple[dict[str, str], str]]:
    """Source and title of every sheet of a jigsaw by its number, or the one sheet of all."""
    parts = await services_of(request).lessons.call(_SECONDS, f"{_REVIEWING}:sheets_of_jigsaw", source)
    found = {str(n): (source | {"teil": part}, title) for n, (part, title) in enumerate(parts, 1)}
    return found or {"": (source, "")}


async def go_on(request: Request) -> Response:
    """A lesson that was open when the program ended: its phones are let in again."""
    found, room = await _lesson(request), room_of(request)
    if found.lesson.ended is None:
        room.lessons.let_in.add(found.lesson.code)
        await room.open_or_close()
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
    await room.open_or_close()
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
    cells = await services_of(request).lessons.call(
        _SECONDS, f"{JUDGING}:solution", sheet.source, station, number if isinstance(number, int) else 0
    )
    return JSONResponse({"zellen": cells, "blatt": sheet.mark})


async def delete(request: Request) -> Response:
    """The lesson with everything that was written in it."""
    found = await _lesson(request)
    await room_of(request).lessons.delete(found.lesson.code)
    await room_of(request).open_or_close()
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

    base = room_of(request).listener.address or services_of(request).settings.base
    address = f"{base}/stunde/{found.lesson.code}"
    code = segno.make(address, error="m", micro=False).svg_data_uri(scale=6, border=4, light="#fff")
    context |= {"lesson": found.lesson, "address": address, "picture": code}
    return shown(request, template, here="stunden", **context)


_LONGEST: Final = 40
_MOST_AT_ONCE: Final = 5000  # a paper that was filled in without a network
_MANY: Final = "Das waren zu viele Versuche; bitte warte eine Minute."


async def phone(request: Request) -> Response:
    """The lesson on a phone: all exercises are in it, so that it goes on without a network.

    Of a class set one says first which sheet one has (?blatt=).
    """
    found, said = await _opened(request), request.query_params.get("blatt", "")
    meant = found.numbers_of(said)
    number = meant[0] if len(meant) == 1 else None
    return rendered(
        "pupil.html.j2",
        prefix=services_of(request).settings.prefix,
        lesson=found.lesson,
        number=number,
        sheet=None if number is None else found.sheets[number],
        error=WHICH_OF_THE_TEAM if meant[1:] else NO_SUCH_SHEET if said and not meant else "",
        groups=found.groups,
        animals=sorted(room_of(request).lessons.free(found), key=lambda animal: animal not in DRAWN),
        drawn=DRAWN,
    )


async def join(request: Request) -> Response:
    """Animal in, the pupil's secret mark out."""
    found, asked = await _opened(request), await sent(request)
    animal, number = str(asked.get("tier", "")), str(asked.get("blatt", ""))
    pupil = await room_of(request).lessons.join(found, animal, number)
    return JSONResponse({"marke": pupil.token, "tier": pupil.animal})


async def write(request: Request) -> Response:
    """What was changed; the answer says that it is kept, what stands there instead, what there is to be told.

    „hat“: cells in which something newer stood already, such as of another tab of the same phone.
    """
    asked = await sent(request)
    found, token = await _own(request, asked)
    sent_now = asked.get("antworten")
    given = list(map(_answer, sent_now[:_MOST_AT_ONCE])) if isinstance(sent_now, list) else []
    newer = await room_of(request).lessons.write(found, token, str(asked.get("station", ""))[:10], given)
    said = {"hat": list(map(astuple, newer)), "urteile": found.feedback_of(token), "pause": found.paused}
    return JSONResponse(said)


async def feedback(request: Request) -> Response:
    """What there is to be told; for a phone that comes back ("alles") also what was written."""
    asked = await sent(request)
    found, token = await _own(request, asked)
    said = {
        "urteile": found.feedback_of(token),
        "beendet": found.lesson.ended is not None,
        "pause": found.paused,
    }
    if said["beendet"]:
        said["ergebnis"] = found.result(token)
    if asked.get("alles"):
        said["antworten"] = list(map(astuple, found.written[token].values()))
    return JSONResponse(said)


async def _opened(request: Request) -> Open:
    """The lesson of the code in the address; wrong codes are counted, on every route."""
    code, address, room = request.path_params["code"].upper(), address_of(request), room_of(request)
    if room.guesses.refuses(address, code):
        raise Refused(429, _MANY)
    try:
        found = await room.lessons.find(code)
    except AbsentError:
        room.guesses.note(address, code, right=False)
        raise
    room.guesses.note(address, code, right=True)
    return found


async def _own(request: Request, asked: dict[str, Any]) -> tuple[Open, str]:
    """The lesson, and the mark of somebody who is in it."""
    found, token = await _opened(request), str(asked.get("marke", ""))
    if token not in found.pupils:
        address, code, guesses = address_of(request), found.lesson.code, room_of(request).guesses
        if guesses.refuses(address, f"{code} {token[:40]}"):
            raise Refused(429, _MANY)
        guesses.note(address, f"{code} {token[:40]}", right=False, code=code)
        raise HTTPException(403)
    found.asked(token)
    return found, token


def _answer(each: Any) -> StoredAnswer:
    match each:
        case [str(name), str(place), str(text), int(number)] if 0 <= number < 2**53:
            return StoredAnswer(name, place, text[:_LONGEST], number)
    raise UserError("Diese Anfrage ist keine der Seite; bitte lade sie neu.")
