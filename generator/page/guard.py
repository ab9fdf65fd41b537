"""What stands before every route: host, origin, session, sizes, rates, and the headers of every answer.

A request comes in; the same request, with `scope["state"]["client"]` saying who asks, goes on, or a refusal
goes out. Routes under `OPEN` need no session; all other checks hold for them too.
"""

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from starlette.datastructures import MutableHeaders, QueryParams
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from generator.basics.errors import quoted
from generator.page.services import refusal
from generator.page.settings import Settings, same

STATIC: Final = "/static/"  # styles and scripts: the same for everybody, also on a page that refuses
PUPILS: Final = "/stunde/"  # what phones ask for
OPEN: Final = (PUPILS, STATIC)
ENTRANCE: Final = "/einlass/"
LEAVE: Final = "/api/abmelden"
LARGE: Final = "/api/datei"  # takes files that a teacher drops
CSRF_HEADER: Final = "x-papierformer"
MARK_HEADER: Final = "x-marke"  # of a pupil, beside the one in the request: looked at before that is read
_SAFE: Final = ("GET", "HEAD")
_LARGEST, LARGEST_FILE = 512_000, 32_000_000
SECONDS_FOR_BODY, SECONDS_FOR_FILE = 30.0, 120.0
_SECONDS_FOR_ONCE: Final = 300.0
_YEAR: Final = 31_536_000
_MOST_REMEMBERED: Final = 20_000
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


class Refused(HTTPException):
    """A request that goes no further; detail: one German sentence."""


TOO_MANY: Final = Refused(429, "Das waren zu viele Anfragen; bitte eine Minute warten.")


@dataclass(frozen=True)
class Rate:
    """So many at once, and so many more a minute."""

    at_once: int
    a_minute: float


class Rates:
    """A bucket of tries for every name, which fills again by itself. clock: seconds that never go back."""

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._clock = rate, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()  # tries left, and when that was

    def left(self, name: str) -> float:
        """How many tries there are."""
        left, since = self._left.get(name, (float(self._rate.at_once), 0.0))
        return min(self._rate.at_once, left + (self._clock() - since) * self._rate.a_minute / 60)

    def allow(self, name: str) -> bool:
        """Whether there is a try left; takes it."""
        left = self.left(name)
        self._left[name] = (left - (left >= 1), self._clock())
        self._left.move_to_end(name)
        if len(self._left) > _MOST_REMEMBERED:
            self._left.popitem(last=False)
        return left >= 1


TRIES: Final = Rate(at_once=10, a_minute=6)  # at the entrance: 8 650 a day, of 2**192 secrets
_OF_SESSION: Final = Rate(at_once=300, a_minute=1200)
OF_MARK: Final = Rate(at_once=300, a_minute=600)  # a phone asks every two seconds
OF_ADDRESS: Final = Rate(at_once=3000, a_minute=12_000)  # a school is one address


class Guard:
    """The outermost layer of the app. hosts: names that a request may ask for; more may be added.

    knows: whether a lesson's code and a pupil's mark belong together.
    """

    def __init__(
        self, app: ASGIApp, settings: Settings, knows: Callable[[str, str], bool] = lambda code, mark: False
    ) -> None:
        self.app, self._settings, self._knows = app, settings, knows
        self.hosts: set[str] = set(settings.hosts)
        self._tries = Rates(TRIES)
        self._of_session, self._of_address = Rates(_OF_SESSION), Rates(OF_ADDRESS)
        self._of_mark = Rates(OF_MARK)
        self._once: dict[str, float] = {}  # secrets that let in once, and until when

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        scope = {**scope, "path": _entrance(self._path(scope["path"]), scope), "root_path": ""}
        scope["state"] = {**scope.get("state", {}), "client": ""}
        request = Request(scope)
        answer = _with_headers(send)
        try:
            self._check(request)
        except Refused as error:
            said: Response = refusal(request, error.status_code, error.detail, self._settings.prefix)
        else:
            if scope["path"].startswith(ENTRANCE):
                said = self._let_in(request)
            elif scope["path"] == LEAVE:
                said = JSONResponse({})
                said.delete_cookie(self.cookie, path=self._settings.prefix or "/")
            else:
                try:
                    await self.app(scope, _measured(receive, request), answer)
                except asyncio.CancelledError:  # the server ends and waits no longer
                    said = refusal(request, 503, "Papierformer wird gerade beendet.", self._settings.prefix)
                else:
                    return
        await said(scope, receive, answer)

    def _path(self, path: str) -> str:
        """The path without the proxy's prefix, whether the proxy took it off or not."""
        prefix = self._settings.prefix
        return (path[len(prefix) :] or "/") if prefix and (path + "/").startswith(prefix + "/") else path

    def _check(self, request: Request) -> None:
        """Raises Refused. Notes who asks."""
        path, address = request.scope["path"], address_of(request)
        if request.headers.get("host", "") not in self.hosts and not path.startswith(STATIC):
            raise Refused(421, f"Unter diesem Namen gibt es hier nichts; nötig ist {self._settings.base}/")
        client = self._settings.client_of(request.cookies.get(self.cookie, ""))
        if not self._allowed(request, client):
            raise TOO_MANY
        if int(request.headers.get("content-length") or 0) > _largest(path):
            raise _too_large(request, int(request.headers["content-length"]))
        if request.method not in _SAFE and not self._same_origin(request):
            raise Refused(403, "Diese Anfrage kam von einer fremden Seite.")
        if path.startswith(ENTRANCE) and not self._right(path) and not self._tries.allow(address):
            raise Refused(429, "Das waren zu viele Versuche; bitte eine Minute warten.")
        if path.startswith((*OPEN, ENTRANCE)):
            return
        if client is None:
            raise Refused(
                401,
                "Diese Seite öffnet sich mit der ganzen Adresse, die Papierformer beim Start nennt; darin "
                "steht „einlass“.",
            )
        request.scope["state"]["client"] = client
        mark = request.headers.get(CSRF_HEADER, "")
        if request.method not in _SAFE and not same(mark, self._settings.csrf(client)):
            raise Refused(403, "Diese Anfrage war nicht gültig; bitte laden Sie die Seite neu.")

    def _allowed(self, request: Request, client: str | None) -> bool:
        """Whether one more request is not too many. A school is one address, and one of it may ask for ever.

        So who is known to us has tries of their own, and what is the same for everybody costs none.
        """
        path = request.scope["path"]
        if path.startswith(STATIC):
            return True
        if client is not None and not path.startswith((PUPILS, ENTRANCE)):
            return self._of_session.allow(client)
        mark, code = (
            request.headers.get(MARK_HEADER, ""),
            path.removeprefix(PUPILS + "api/").partition("/")[0],
        )
        if mark and self._knows(code.upper(), mark):
            return self._of_mark.allow(mark)
        return self._of_address.allow(address_of(request))

    def _same_origin(self, request: Request) -> bool:
        """Whether the browser says that one of our pages sent this; what is no browser says nothing."""
        if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return False
        origin = request.headers.get("origin")
        return origin is None or origin.partition("://")[2] == request.headers.get("host")

    # --- sessions ----------------------------------------------------------------

    @property
    def cookie(self) -> str:
        """Its name; browsers keep cookies of all ports of a host together."""
        return f"papierformer-{self._settings.port}"

    def entrance_once(self) -> str:
        """An address that lets in whoever opens it first, and nobody after that."""
        secret = secrets.token_urlsafe(24)
        self._once[secret] = time.monotonic() + _SECONDS_FOR_ONCE
        return self._settings.base + ENTRANCE + secret

    def _right(self, path: str) -> bool:
        """Whether this address lets in; a whole staff may come in at once, from one network."""
        given = path.removeprefix(ENTRANCE)
        return same(given, self._settings.secret) or self._once.get(given, 0) > time.monotonic()

    def _let_in(self, request: Request) -> Response:
        """The secret of the address becomes a session's cookie; the address is forgotten.

        Whose sheets one sees stays as it was, also where the session is over or the secret is a new one.
        """
        settings, path = self._settings, request.scope["path"]
        if not self._right(path):
            sentence = "Diese Adresse gilt nicht (mehr); nötig ist die, die Papierformer zuletzt genannt hat."
            return refusal(request, 403, sentence, settings.prefix)
        self._once.pop(path.removeprefix(ENTRANCE), None)
        response = RedirectResponse(settings.prefix + "/", 303)
        response.set_cookie(
            self.cookie,
            settings.session(request.cookies.get(self.cookie, "").partition(".")[0]),
            path=settings.prefix or "/",
            max_age=_YEAR if settings.shared else None,
            httponly=True,
            samesite="lax",
            secure=settings.public.startswith("https:"),
        )
        return response


def _entrance(path: str, scope: Scope) -> str:
    """The path; of an address that somebody pasted on the page without a session, the entrance it names."""
    if path != ENTRANCE:
        return path
    pasted = QueryParams(scope["query_string"]).get("adresse", "").strip()
    return ENTRANCE + pasted.rpartition("/")[2]


def address_of(request: Request) -> str:
    """Where it comes from, as the server or its proxy says."""
    return request.client.host if request.client else ""


def only_open(app: ASGIApp) -> ASGIApp:
    """The same app for listeners beyond this computer: it answers what pupils may reach, and nothing else."""

    async def open_paths(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not scope["path"].startswith(OPEN):
            request = Request(scope)
            await refusal(request, 404, "Diese Seite gibt es nicht.")(scope, receive, _with_headers(send))
        elif scope["type"] == "http":
            await app(scope, receive, send)

    return open_paths


def _largest(path: str) -> int:
    return LARGEST_FILE if path.startswith(LARGE) else _LARGEST


def _too_large(request: Request, size: int) -> Refused:
    """size: in bytes, as far as it is known."""
    name = request.query_params.get("datei", "")
    most = _largest(request.scope["path"])
    said = f"Die Datei {quoted(name)} ist" if name else "Das ist"
    return Refused(413, f"{said} zu groß ({_megabytes(size)}); möglich sind höchstens {_megabytes(most)}.")


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB".replace(".", ",").replace(",0 ", " ").replace(" ", "\N{NO-BREAK SPACE}")


def _measured(receive: Receive, request: Request) -> Receive:
    """The same body, as long as it is not too large and comes whole in time."""
    path = request.scope["path"]
    seconds = SECONDS_FOR_FILE if path.startswith(LARGE) else SECONDS_FOR_BODY
    seen, complete, until = 0, False, time.monotonic() + seconds

    async def counting() -> Message:
        nonlocal seen, complete
        if complete:
            return await receive()  # of a client that goes away
        try:
            message = await asyncio.wait_for(receive(), max(0.0, until - time.monotonic()))
        except TimeoutError as error:
            raise Refused(408, "Das hat zu lange gedauert.") from error
        seen += len(message.get("body", b""))
        complete = not message.get("more_body", False)
        if seen > _largest(path):
            raise _too_large(request, seen)
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
