"""What stands before every route: host, origin, session, sizes, rates, and the headers of every answer.

A request comes in; the same request, with `scope["state"]["client"]` saying who asks, goes on, or a refusal
goes out. Routes under `OPEN` need no session; all other checks hold for them too.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping
from hmac import compare_digest
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from generator.page.answers import refusal
from generator.page.rates import Rate, Rates
from generator.page.settings import Settings

OPEN: Final = ("/stunde/", "/static/")
ENTRANCE: Final = "/einlass/"
LARGE: Final = "/api/datei"  # takes files that a teacher drops
CSRF_HEADER: Final = "x-papierformer"
_SAFE: Final = ("GET", "HEAD")
_LARGEST, _LARGEST_FILE = 512_000, 32_000_000
_TOO_LARGE: Final = "Das ist zu groß."
_SECONDS_FOR_BODY: Final = 30.0
_TRIES: Final = Rate(at_once=10, a_minute=6)  # at the entrance: 8 650 a day, of 2**192 secrets
_OF_SESSION: Final = Rate(at_once=300, a_minute=1200)
_OF_ADDRESS: Final = Rate(at_once=3000, a_minute=12_000)  # a school is one address
CSP: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = {
    "content-security-policy": CSP,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-store",
}


class BodyError(Exception):
    """A body that is larger or slower than the route takes."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status, self.sentence = status, sentence


class Guard:
    """The outermost layer of the app. hosts: names that a request may ask for; more may be added."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app, self._settings = app, settings
        self.hosts: set[str] = set(settings.hosts)
        self._tries = Rates(_TRIES)
        self._of_session, self._of_address = Rates(_OF_SESSION), Rates(_OF_ADDRESS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        scope = {**scope, "path": self._path(scope["path"]), "root_path": ""}
        scope["state"] = {**scope.get("state", {}), "client": ""}
        request = Request(scope)
        answer = _with_headers(send)
        refused = self._refused(request)
        if refused is not None:
            status, sentence = refused
            await refusal(request, status, sentence, self._settings.prefix)(scope, receive, answer)
            return
        if request.url.path.startswith(ENTRANCE):
            await self._let_in(request, scope, receive, answer)
            return
        try:
            await self._app(scope, _measured(receive, _largest(scope["path"])), answer)
        except BodyError as error:
            await refusal(request, error.status, error.sentence, self._settings.prefix)(
                scope, receive, answer
            )

    def _path(self, path: str) -> str:
        """The path without the proxy's prefix, whether the proxy took it off or not."""
        prefix = self._settings.prefix
        return (path[len(prefix) :] or "/") if prefix and (path + "/").startswith(prefix + "/") else path

    def _refused(self, request: Request) -> tuple[int, str] | None:
        """Status and sentence of a refusal; None where the request may go on. Notes who asks."""
        path, address = request.scope["path"], request.client.host if request.client else ""
        if request.headers.get("host", "") not in self.hosts:
            return 421, "Unter diesem Namen gibt es hier nichts."
        if not self._of_address.allow(address):
            return 429, "Das waren zu viele Anfragen; bitte eine Minute warten."
        if int(request.headers.get("content-length") or 0) > _largest(path):
            return 413, _TOO_LARGE
        if request.method not in _SAFE and not self._same_origin(request):
            return 403, "Diese Anfrage kam von einer fremden Seite."
        if path.startswith(ENTRANCE) and not self._right(path) and not self._tries.allow(address):
            return 429, "Das waren zu viele Versuche; bitte eine Minute warten."
        if path.startswith((*OPEN, ENTRANCE)):
            return None
        client = self.client_of(request.cookies)
        if client is None:
            return 401, (
                "Bitte öffnen Sie die Seite mit der Adresse, die Papierformer beim Start genannt hat "
                "(sie enthält „einlass“)."
            )
        if not self._of_session.allow(client):
            return 429, "Das waren zu viele Anfragen; bitte eine Minute warten."
        request.scope["state"]["client"] = client
        if request.method not in _SAFE and not self._meant(request, client):
            return 403, "Diese Anfrage war nicht gültig; bitte laden Sie die Seite neu."
        return None

    def _right(self, path: str) -> bool:
        """Whether this address holds the secret; a whole staff may come in at once, from one network."""
        return _same(path.removeprefix(ENTRANCE), self._settings.secret)

    def _same_origin(self, request: Request) -> bool:
        """Whether the browser says that one of our pages sent this; what is no browser says nothing."""
        if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return False
        origin = request.headers.get("origin")
        return origin is None or origin.partition("://")[2] == request.headers.get("host")

    def _meant(self, request: Request, client: str) -> bool:
        return _same(request.headers.get(CSRF_HEADER, ""), csrf_of(self._settings, client))

    # --- sessions ----------------------------------------------------------------

    @property
    def cookie(self) -> str:
        """Its name; browsers keep cookies of all ports of a host together."""
        return f"papierformer-{self._settings.port}"

    def client_of(self, cookies: Mapping[str, str]) -> str | None:
        """Whose session a request brings; None without one."""
        client, _, mark = cookies.get(self.cookie, "").partition(".")
        return client if _same(mark, self._settings.sealed("session " + client)) else None

    async def _let_in(self, request: Request, scope: Scope, receive: Receive, send: Send) -> None:
        """The secret of the address becomes a session's cookie; the address is forgotten."""
        settings = self._settings
        if not self._right(scope["path"]):
            sentence = "Diese Adresse gilt nicht (mehr); nötig ist die, die Papierformer zuletzt genannt hat."
            await refusal(request, 403, sentence, settings.prefix)(scope, receive, send)
            return
        client = self.client_of(request.cookies) or secrets.token_urlsafe(16)
        response = RedirectResponse(settings.prefix + "/", 303)
        response.set_cookie(
            self.cookie,
            f"{client}.{settings.sealed('session ' + client)}",
            path=settings.prefix or "/",
            max_age=31_536_000 if settings.shared else None,
            httponly=True,
            samesite="lax",
            secure=settings.encrypted,
        )
        await response(scope, receive, send)


def csrf_of(settings: Settings, client: str) -> str:
    """What our pages send along, and no page elsewhere knows."""
    return settings.sealed("csrf " + client)


def only_open(app: ASGIApp) -> ASGIApp:
    """The same app for listeners beyond this computer: it answers what pupils may reach, and nothing else."""

    async def open_paths(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not scope["path"].startswith(OPEN):
            request = Request(scope)
            await refusal(request, 404, "Diese Seite gibt es nicht.")(scope, receive, _with_headers(send))
        elif scope["type"] == "http":
            await app(scope, receive, send)

    return open_paths


def _same(given: str, right: str) -> bool:
    return compare_digest(given.encode("utf-8", "replace"), right.encode())


def _largest(path: str) -> int:
    return _LARGEST_FILE if path.startswith(LARGE) else _LARGEST


def _measured(receive: Receive, largest: int) -> Receive:
    """The same body, as long as it is not too large and comes in time."""
    seen, complete = 0, False

    async def counting() -> Message:
        nonlocal seen, complete
        if complete:
            return await receive()  # of a client that goes away
        try:
            message = await asyncio.wait_for(receive(), _SECONDS_FOR_BODY)
        except TimeoutError as error:
            raise BodyError(408, "Das hat zu lange gedauert.") from error
        seen += len(message.get("body", b""))
        complete = not message.get("more_body", False)
        if seen > largest:
            raise BodyError(413, _TOO_LARGE)
        return message

    return counting


def _with_headers(send: Send) -> Send:
    async def answer(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return answer
