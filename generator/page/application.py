"""Settings go in; the app that answers every request comes out."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from generator.basics import fonts
from generator.page import answers
from generator.page.guard import Guard, csrf_of
from generator.page.settings import Settings

_SENTENCES = {404: "Diese Seite gibt es nicht.", 405: "Das geht hier nicht."}


def create_app(settings: Settings) -> Guard:
    """The whole page, behind its guard; to be run by an ASGI server with lifespan."""

    async def refused(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        sentence = _SENTENCES.get(status, "Hier ist etwas schiefgegangen; bitte laden Sie die Seite neu.")
        return answers.refusal(request, status, sentence, settings.prefix)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield

    routes = [Route("/", _start), *_static()]
    handlers = {HTTPException: refused, Exception: refused}
    app = Starlette(routes=routes, exception_handlers=handlers, lifespan=lifespan)
    app.router.redirect_slashes = False
    app.state.settings = settings
    return Guard(app, settings)


def _static() -> list[Mount]:
    """Styles and scripts of the page, and the sheets' fonts."""
    return [
        Mount("/static/schriften", StaticFiles(directory=fonts.folder() / "web")),
        Mount("/static", StaticFiles(directory=answers.folder() / "static")),
    ]


async def _start(request: Request) -> Response:
    settings: Settings = request.app.state.settings
    csrf = csrf_of(settings, request.state.client)
    return answers.page("start.html.j2", prefix=settings.prefix, csrf=csrf, here="blatt")
