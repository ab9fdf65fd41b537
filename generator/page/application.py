"""Settings go in; the app that answers every request comes out."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Executor
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from generator.basics import fonts
from generator.basics.errors import UserError
from generator.basics.templates import templates_folder
from generator.page import checking, form, making, scans
from generator.page.guard import Guard, Refused
from generator.page.lesson import pupils, teacher
from generator.page.lesson.databases import StoreError
from generator.page.lesson.lessons import Lessons
from generator.page.lesson.listening import Listener, Room
from generator.page.lesson.store import Store, is_there
from generator.page.office import Office, refusal
from generator.page.settings import Settings
from generator.page.shelf import AbsentError
from generator.page.workers import one_process

_SENTENCES: Final = {404: "Diese Seite gibt es nicht.", 405: "Das geht hier nicht."}
_SECONDS_TO_WARM_UP: Final = 120.0
_SECONDS_TO_TIDY: Final = 600.0


def create_app(settings: Settings, make_worker: Callable[[], Executor] = one_process) -> Guard:
    """The whole page, behind its guard; to be run by an ASGI server with lifespan.

    make_worker: gives an executor with one process, for each worker of its own.
    """
    office = Office(settings, make_worker)

    async def refused(request: Request, error: Exception) -> Response:
        if isinstance(error, AbsentError):
            error = HTTPException(404)
        if isinstance(error, UserError):
            status = 503 if isinstance(error, StoreError) else 422
            said, field = form.in_words(str(error)), form.field_of(str(error))
            return refusal(request, status, said, settings.prefix, field)
        status = error.status_code if isinstance(error, HTTPException) else 500
        sentence = _SENTENCES.get(status, "Hier ist etwas schiefgegangen; bitte laden Sie die Seite neu.")
        if isinstance(error, Refused):
            sentence = error.detail
        return refusal(request, status, sentence, settings.prefix)

    async def gone(request: Request, error: Exception) -> Response:
        """Whoever asked is not there any more; nobody reads this."""
        return Response(status_code=400)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        office.shelf.tidy()
        tasks = [asyncio.create_task(_warm_up(office)), asyncio.create_task(_tidy(room, settings))]
        yield
        for task in tasks:
            task.cancel()
        room.lessons.let_in.clear()
        await room.settle()
        await room.lessons.close()
        await office.end()

    ours = dict.fromkeys((HTTPException, AbsentError, UserError, Exception), refused)
    handlers = {**ours, ClientDisconnect: gone}
    static = [
        Mount("/static/schriften", StaticFiles(directory=fonts.folder() / "web")),
        Mount("/static", StaticFiles(directory=templates_folder() / "page" / "static")),
    ]
    rooms = (making, checking, scans, teacher, pupils)
    routes = [*static, *(route for room in rooms for route in room.routes())]
    app = Starlette(routes=routes, exception_handlers=handlers, lifespan=lifespan)
    app.router.redirect_slashes = False
    guard = Guard(app, settings)
    lessons = Lessons(office.lessons, lambda: Store(settings.store, settings.folder))
    room = Room(lessons, Listener(guard, settings.port), settings.shared)
    app.state.office, app.state.room = office, room
    return guard


async def _tidy(room: Room, settings: Settings) -> None:
    """Lessons that nobody ends are ended, and phones no longer let in."""
    while True:
        if is_there(settings.store, settings.folder):
            with contextlib.suppress(UserError):
                await room.lessons.tidy()
                await room.settle()
        await asyncio.sleep(_SECONDS_TO_TIDY)


async def _warm_up(office: Office) -> None:
    """The first worker has loaded everything before the first sentence is typed."""
    with contextlib.suppress(UserError):
        await office.previews.call(_SECONDS_TO_WARM_UP, "generator.page.viewing:warm_up")
