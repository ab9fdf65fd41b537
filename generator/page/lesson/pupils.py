"""The pupils' routes of a lesson, for phones: choose an animal, enter numbers, be told what is right."""

from __future__ import annotations

from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from generator.basics.errors import UserError
from generator.page.guard import Refused, address_of
from generator.page.lesson.lessons import NO_SUCH_SHEET
from generator.page.lesson.listening import room_of
from generator.page.lesson.opened import DRAWN, Open
from generator.page.lesson.store import Answer
from generator.page.office import office_of, rendered, sent
from generator.page.shelf import AbsentError

_LONGEST: Final = 40
_MOST_AT_ONCE: Final = 5000  # a paper that was filled in without a network
_MANY: Final = "Das waren zu viele Versuche; bitte warte eine Minute."


def routes() -> list[Route]:
    return [
        Route("/stunde/{code}", page),
        Route("/stunde/api/{code}/rein", join, methods=["POST"]),
        Route("/stunde/api/{code}/antworten", write, methods=["POST"]),
        Route("/stunde/api/{code}/stand", state, methods=["POST"]),
    ]


async def page(request: Request) -> Response:
    """The lesson on a phone: all exercises are in it, so that it goes on without a network.

    Of a class set one says first which sheet one has (?blatt=).
    """
    found, said = await _lesson(request), request.query_params.get("blatt", "")
    number = found.number_of(said)
    return rendered(
        "pupil.html.j2",
        prefix=office_of(request).settings.prefix,
        lesson=found.lesson,
        number=number,
        sheet=None if number is None else found.sheets[number],
        error=NO_SUCH_SHEET if said and number is None else "",
        animals=_drawn_first(room_of(request).lessons.free(found)),
        drawn=DRAWN,
    )


def _drawn_first(free: list[str]) -> list[str]:
    """Those with a picture first."""
    return sorted(free, key=lambda animal: animal not in DRAWN)


async def join(request: Request) -> Response:
    """Animal in, the pupil's secret mark out."""
    found, asked = await _lesson(request), await sent(request)
    animal, number = str(asked.get("tier", "")), str(asked.get("blatt", ""))
    pupil = await room_of(request).lessons.join(found, animal, number)
    return JSONResponse({"marke": pupil.token, "tier": pupil.animal})


async def write(request: Request) -> Response:
    """What was changed; the answer says that it is kept, what stands there instead, what there is to be told.

    „hat“: cells in which something newer stood already, such as of another tab of the same phone.
    """
    asked = await sent(request)
    found, token = await _own(request, asked)
    given = [_answer(each) for each in _list(asked.get("antworten"))]
    newer = await room_of(request).lessons.write(found, token, str(asked.get("station", ""))[:10], given)
    return JSONResponse({"hat": list(map(_said, newer)), "urteile": found.told(token), "pause": found.paused})


async def state(request: Request) -> Response:
    """What there is to be told; for a phone that comes back ("alles") also what was written."""
    asked = await sent(request)
    found, token = await _own(request, asked)
    said = {"urteile": found.told(token), "beendet": found.lesson.ended is not None, "pause": found.paused}
    if said["beendet"]:
        said["ergebnis"] = found.result(token)
    if asked.get("alles"):
        said["antworten"] = list(map(_said, found.written[token].values()))
    return JSONResponse(said)


async def _lesson(request: Request) -> Open:
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
    found, token = await _lesson(request), str(asked.get("marke", ""))
    if token not in found.pupils:
        address, code, guesses = address_of(request), found.lesson.code, room_of(request).guesses
        if guesses.refuses(address, f"{code} {token[:40]}"):
            raise Refused(429, _MANY)
        guesses.note(address, f"{code} {token[:40]}", right=False, code=code)
        raise HTTPException(403)
    found.asked(token)
    return found, token


def _said(answer: Answer) -> list[Any]:
    return [answer.name, answer.place, answer.text, answer.number]


def _list(value: Any) -> list[Any]:
    return value[:_MOST_AT_ONCE] if isinstance(value, list) else []


def _answer(each: Any) -> Answer:
    match each:
        case [str(name), str(place), str(text), int(number)] if 0 <= number < 2**53:
            return Answer(name, place, text[:_LONGEST], number)
    raise UserError("Diese Anfrage ist keine der Seite; bitte lade sie neu.")
