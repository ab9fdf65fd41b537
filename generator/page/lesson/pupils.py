"""The pupils' routes of a lesson, for phones: choose an animal, enter numbers, be told what is right."""

from __future__ import annotations

from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from generator.basics.errors import UserError
from generator.page import answers
from generator.page.lesson.opened import Open, told
from generator.page.lesson.room import room_of
from generator.page.lesson.store import Answer
from generator.page.office import office_of, sent

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
    """The lesson on a phone: all exercises are in it, so that it goes on without a network."""
    found = await _guessed(request)
    prefix = office_of(request).settings.prefix
    return answers.page(
        "pupil.html.j2",
        prefix=prefix,
        lesson=found.lesson,
        sheet=found.sheet,
        animals=room_of(request).lessons.free(found),
    )


async def join(request: Request) -> Response:
    """Animal in, the pupil's secret mark out."""
    found, asked = await _guessed(request), await sent(request)
    pupil = await room_of(request).lessons.join(found, str(asked.get("tier", "")))
    return JSONResponse({"marke": pupil.token, "tier": pupil.animal})


async def write(request: Request) -> Response:
    """What was changed; the answer says that it is kept, and what there is to be told."""
    asked = await sent(request)
    found, token = await _own(request, asked)
    given = [_answer(each) for each in _list(asked.get("antworten"))]
    await room_of(request).lessons.write(found, token, str(asked.get("station", ""))[:10], given)
    return JSONResponse(
        {"bis": max((each.number for each in given), default=0), "urteile": told(found, token)}
    )


async def state(request: Request) -> Response:
    """What there is to be told; for a phone that comes back ("alles") also what was written."""
    asked = await sent(request)
    found, token = await _own(request, asked)
    said = {"urteile": told(found, token), "beendet": found.lesson.ended is not None}
    if asked.get("alles"):
        said["antworten"] = [[a.name, a.place, a.text, a.number] for a in found.written[token].values()]
    return JSONResponse(said)


async def _guessed(request: Request) -> Open:
    """The lesson of the code in the address; whoever has no mark may try so many codes a minute."""
    if not room_of(request).guesses.allow(request.client.host if request.client else ""):
        raise UserError(_MANY)
    return await _lesson(request)


async def _lesson(request: Request) -> Open:
    try:
        return await room_of(request).lessons.find(request.path_params["code"].upper())
    except KeyError as error:
        raise HTTPException(404) from error


async def _own(request: Request, asked: dict[str, Any]) -> tuple[Open, str]:
    """The lesson, and the mark of somebody who is in it."""
    found, token = await _lesson(request), str(asked.get("marke", ""))
    if token not in found.pupils:
        raise HTTPException(403)
    return found, token


def _list(value: Any) -> list[Any]:
    return value[:_MOST_AT_ONCE] if isinstance(value, list) else []


def _answer(each: Any) -> Answer:
    match each:
        case [str(name), str(place), str(text), int(number)] if 0 <= number < 2**53:
            return Answer(name, place, text[:_LONGEST], number)
    raise UserError("Diese Anfrage ist keine der Seite; bitte lade sie neu.")
