"""Settings go in; the app that answers every request comes out, and is served until it is told to end."""

import asyncio
import atexit
import contextlib
import errno
import logging
import os
import shutil
import socket
import tempfile
import threading
import time
import webbrowser
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import Executor
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from generator.basics import fonts
from generator.basics.atomic_write import locked
from generator.basics.errors import UserError, quoted
from generator.basics.reading import reason, templates_folder
from generator.page import checking, form, making, scans
from generator.page.connections import config, listen
from generator.page.guard import PUPILS, Guard, Refused
from generator.page.lesson import routes as lesson_routes
from generator.page.lesson.databases import StoreError, driver
from generator.page.lesson.lessons import LONGEST, Lessons
from generator.page.lesson.phones import Listener, Room
from generator.page.lesson.store import POSTGRES, Store, is_there
from generator.page.services import Services, refusal
from generator.page.settings import Settings
from generator.page.shelf import NOT_OURS, AbsentError
from generator.page.workers import one_process

_LOG: Final = logging.getLogger("uvicorn.error")
_SECONDS_TO_END, _SECONDS_AT_MOST = 3, 8.0
_SECONDS_FOR_CLUSTER: Final = 5.0
_LOCK: Final = ".papierformer.sperre"
_NOTE: Final = ".papierformer.arbeit"
_PREFIX: Final = "papierformer-"


def serve(settings: Settings, ready: Callable[[str, int], None]) -> None:
    """Listens until Ctrl-C or SIGTERM, which are raised again as the caller has set them.

    ready: called once requests are answered, with an address that lets in once, and how many lessons wait to
    be gone on with. UserError where the port or the folder cannot be had.
    """
    os.umask(0o077)
    _refuse_unreachable(settings)
    with _listening(settings) as listening, _alone(settings.folder), _scratch(settings.folder):
        waiting = _waiting(settings)
        guard = create_app(settings)
        served = config(
            guard,
            share=4,
            of_address=1.0,  # of this computer, or of a proxy
            proxy_headers=settings.shared,
            timeout_graceful_shutdown=_SECONDS_TO_END,
        )
        _Server(served, lambda: ready(guard.entrance_once(), waiting)).run(sockets=[listening])


def _refuse_unreachable(settings: Settings) -> None:
    """UserError for a store or a cluster that there cannot be; it is said at the start."""
    if settings.store.startswith(POSTGRES):
        driver()  # a server that does not answer is said where it is needed
    elif settings.store and Path(settings.store).exists() and not Path(settings.store).is_file():
        raise UserError(
            f"--speicher {quoted(settings.store)} ist keine Datei; nötig ist eine Datei in einem Ordner, zum "
            f"Beispiel {quoted(Path(settings.store) / 'stunden.db')}, oder postgresql://…"
        )
    elif settings.store and not Path(settings.store).absolute().parent.is_dir():
        raise UserError(
            f"--speicher {quoted(settings.store)}: Den Ordner {quoted(Path(settings.store).parent)} gibt es "
            "nicht; nötig ist eine Datei in einem Ordner, den es gibt, oder postgresql://…"
        )
    if settings.computers:
        parts = urlsplit(settings.computers if "//" in settings.computers else f"//{settings.computers}")
        try:
            socket.create_connection((parts.hostname or "", parts.port or 0), _SECONDS_FOR_CLUSTER).close()
        except (OSError, ValueError) as error:
            raise UserError(
                f"--rechner {quoted(settings.computers)}: Dort antwortet niemand; nötig ist die Adresse "
                "eines Dask-Schedulers, zum Beispiel tcp://192.168.1.20:8786."
            ) from error


def open_browser(address: str) -> None:
    """By a file that only the user may read: what stands in a program's arguments, everybody may.

    In the background: some browsers only return when they are closed. The file stands in the open, as some
    (Snap) may not look into hidden folders and not into the system's one for temporary files.
    """
    folder = Path.home() if os.access(Path.home(), os.W_OK) else Path(tempfile.gettempdir())
    handle, name = tempfile.mkstemp(".html", "papierformer-start-", folder)
    os.close(handle)
    path = Path(name)
    path.write_text(f'<!doctype html><meta http-equiv="refresh" content="0;url={address}">', encoding="utf-8")

    def opened() -> None:
        webbrowser.open(path.as_uri())
        forget.start()

    forget = threading.Timer(60, path.unlink, kwargs={"missing_ok": True})
    forget.daemon = True
    atexit.register(path.unlink, missing_ok=True)
    threading.Thread(target=opened, daemon=True).start()


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Whatever hangs then, such as a process that still loads, is left; what was kept is kept."""
        last = threading.Timer(_SECONDS_AT_MOST, os._exit, (0,))
        last.daemon = True
        last.start()
        await super().shutdown(sockets)


def _waiting(settings: Settings) -> int:
    """How many lessons were open when the program ended; 0 for a server, where they just go on."""
    if settings.shared or not is_there(settings.store, settings.folder):
        return 0
    with _logged(), contextlib.closing(Store(settings.store, settings.folder)) as store:
        store.prepare()
        return sum(each.ended is None and each.begun > time.time() - LONGEST for each in store.lessons(""))
    return 0


@contextlib.contextmanager
def _logged() -> Iterator[None]:
    """A store that fails is told to whoever runs the program."""
    try:
        yield
    except StoreError as error:
        _LOG.error("%s", error)


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """No second program may use the same folder; nobody else on this computer may look into it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "blaetter").mkdir(exist_ok=True)
        (folder / "blaetter").chmod(0o700)
        path = folder / _LOCK
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise UserError(
            f"--ablage {quoted(folder)} lässt sich nicht benutzen: {reason(error)}; nötig ist ein Ordner, "
            "in den dieses Programm schreiben darf."
        ) from error
    try:
        if not locked(path, handle):
            raise UserError(
                f"--ablage {quoted(folder)} benutzt schon ein anderes Papierformer; beenden Sie es, oder "
                "nennen Sie einen anderen Ordner."
            )
        yield
    finally:
        os.close(handle)


@contextlib.contextmanager
def _scratch(folder: Path) -> Iterator[None]:
    """A folder for all temporary files of this run and its workers; what a run before left goes first."""
    note = folder / _NOTE
    with contextlib.suppress(OSError):
        before = Path(note.read_text(encoding="utf-8"))
        if before.name.startswith(_PREFIX) and before.parent == Path(tempfile.gettempdir()):
            shutil.rmtree(before, ignore_errors=True)
    made = tempfile.mkdtemp(prefix=_PREFIX)
    note.write_text(made, encoding="utf-8")
    os.environ.update(dict.fromkeys(("TMPDIR", "TEMP", "TMP"), made))
    tempfile.tempdir = None
    try:
        yield
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _listening(settings: Settings) -> socket.socket:
    port, address = settings.port, settings.address
    try:
        return listen(address, port)
    except OSError as error:
        said = f"--adresse {quoted(address)} gehört nicht zu diesem Rechner; üblich ist 127.0.0.1."
        if error.errno == errno.EADDRINUSE:
            said = (
                f"--port {port} ist schon belegt, vielleicht läuft die Seite in einem anderen Fenster; "
                f"möglich ist zum Beispiel --port {port + 1 if port < 65535 else port - 1}."
            )
        elif isinstance(error, PermissionError):
            said = f"--port {port} darf dieses Programm nicht benutzen; möglich ist zum Beispiel --port 8765."
        raise UserError(said) from error


_SENTENCES: Final = {404: "Diese Seite gibt es nicht.", 405: "Das geht hier nicht."}
_OF_PUPILS: Final = {
    403: "Dein Tier ist nicht mehr in dieser Stunde; bitte frage deine Lehrerin oder deinen Lehrer.",
    404: "Diese Stunde gibt es hier nicht; bitte sieh noch einmal auf die Adresse.",
    422: "Diese Anfrage ist keine der Seite; bitte lade sie neu.",
}
_KEPT: Final = (
    "Der Rechner der Stunde kann gerade nichts aufschreiben. Deine Zahlen bleiben auf diesem Handy und "
    "kommen an, sobald es wieder geht."
)
_NOT_KEPT: Final = (
    "Die Antworten der Stunden lassen sich gerade nicht ablegen oder lesen; warum und was hilft, steht dort, "
    "wo Papierformer gestartet wurde. Die Handys behalten ihre Zahlen."
)
_SECONDS_TO_WARM_UP: Final = 120.0
_SECONDS_TO_TIDY: Final = 600.0
_SECONDS_TO_LOOK: Final = 120.0


def create_app(settings: Settings, make_worker: Callable[[], Executor] = one_process) -> Guard:
    """The whole page, behind its guard; to be run by an ASGI server with lifespan.

    make_worker: gives an executor with one process, for each worker of its own.
    """
    services = Services(settings, make_worker)

    async def refused(request: Request, error: Exception) -> Response:
        of_pupils = request.scope["path"].startswith(PUPILS)
        if isinstance(error, AbsentError):
            error = HTTPException(404)
        if isinstance(error, UserError):
            if isinstance(error, StoreError):
                _LOG.error("%s", error)
                return refusal(request, 503, _KEPT if of_pupils else _NOT_KEPT, settings.prefix)
            said, field = form.in_words(str(error)), form.field_of(str(error))
            said = _OF_PUPILS[422] if of_pupils and said == NOT_OURS else said
            return refusal(request, 422, said, settings.prefix, field)
        status = error.status_code if isinstance(error, HTTPException) else 500
        sentence = (_OF_PUPILS if of_pupils else _SENTENCES).get(status) or _SENTENCES.get(status)
        if sentence is None:
            please = "bitte lade die Seite neu" if of_pupils else "bitte laden Sie die Seite neu"
            sentence = f"Hier ist etwas schiefgegangen; {please}."
        if isinstance(error, Refused):
            sentence = error.detail
        return refusal(request, status, sentence, settings.prefix)

    async def gone(request: Request, error: Exception) -> Response:
        """Whoever asked is not there any more; nobody reads this."""
        return Response(status_code=400)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        services.shelf.tidy()
        tasks = [asyncio.create_task(_warm_up(services)), asyncio.create_task(_tidy(room, settings))]
        yield
        for task in tasks:
            task.cancel()
        room.lessons.let_in.clear()
        await room.open_or_close()
        await room.lessons.close()
        await services.end()

    ours = dict.fromkeys((HTTPException, AbsentError, UserError, Exception), refused)
    handlers = {**ours, ClientDisconnect: gone}
    static = [
        Mount("/static/schriften", StaticFiles(directory=fonts.folder() / "web")),
        Mount("/static", StaticFiles(directory=templates_folder() / "page" / "static")),
    ]
    rooms = (making, checking, scans, lesson_routes)
    routes = [*static, *(route for room in rooms for route in room.routes())]
    app = Starlette(routes=routes, exception_handlers=handlers, lifespan=lifespan)
    app.router.redirect_slashes = False
    lessons = Lessons(services.lessons, lambda: Store(settings.store, settings.folder))
    guard = Guard(app, settings, lessons.knows)
    room = Room(lessons, Listener(guard, settings.port), settings.shared)
    app.state.services, app.state.room = services, room
    return guard


async def _tidy(room: Room, settings: Settings) -> None:
    """Lessons that nobody ends are ended, and phones no longer let in; the store is checked and copied."""
    tidied = -_SECONDS_TO_TIDY
    while True:
        if is_there(settings.store, settings.folder):
            with contextlib.suppress(UserError), _logged():
                await room.lessons.look_after()
                if time.monotonic() - tidied >= _SECONDS_TO_TIDY:
                    await room.lessons.tidy()
                    await room.open_or_close()
                    tidied = time.monotonic()
        await asyncio.sleep(_SECONDS_TO_LOOK)


async def _warm_up(services: Services) -> None:
    """The first worker has loaded everything before the first sentence is typed; then the printers load."""
    with contextlib.suppress(UserError):
        await services.previews.call(_SECONDS_TO_WARM_UP, "generator.page.viewing:warm_up")
    services.printing.start()
