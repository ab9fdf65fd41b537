"""Lets the phones of this network in while a lesson is open: a second listener, for pupils' paths only."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections import OrderedDict
from collections.abc import Coroutine, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import uvicorn
from starlette.requests import Request

from generator.basics.errors import UserError
from generator.page.connections import config, listen
from generator.page.guard import Guard, Rate, Rates, only_open
from generator.page.lesson.lessons import Lessons

_ANYWHERE: Final = "0.0.0.0"
_UNUSED: Final = ("192.0.2.1", 9)  # an address for documentation (RFC 5737); nothing is sent to it
_TRIES: Final = 20
GUESSES: Final = Rate(at_once=100, a_minute=60)  # 86 400 codes a day at most, of 2.8e10
_MOST_REMEMBERED: Final = 10_000


class Guesses:
    """How often codes and marks may be wrong, for each address and each lesson.

    What is right costs nothing, the same mistake twice counts once, and a lesson that somebody has found
    from an address stays open to that address: one pupil who guesses locks nobody out.
    """

    def __init__(self) -> None:
        self._left = Rates(GUESSES)
        self._known: OrderedDict[tuple[str, str], bool] = OrderedDict()  # address, what was tried -> right

    def refuses(self, address: str, code: str) -> bool:
        """Whether this address, or this lesson, has been wrong too often."""
        return not self._known.get((address, code)) and min(map(self._left.left, (address, code))) < 1

    def note(self, address: str, tried: str, right: bool, code: str = "") -> None:
        """code: of the lesson whose mark it was."""
        if not right and (address, tried) not in self._known:
            self._left.allow(address)
            if code:
                self._left.allow(code)
        self._known[address, tried] = right
        self._known.move_to_end((address, tried))
        if len(self._known) > _MOST_REMEMBERED:
            self._known.popitem(last=False)


class Listener:
    """guard: the app, which is told our name in this network. port: the page's own; ours is one above."""

    def __init__(self, guard: Guard, port: int) -> None:
        self._guard, self._port = guard, port
        self._server: _Quiet | None = None
        self._task: asyncio.Task[None] | None = None
        self._turn = asyncio.Lock()
        self.address = ""  # "http://192.168.1.20:8766" while it listens

    async def open_or_close(self, wanted: set[str]) -> None:
        """Listens while a lesson is in the set, which may change meanwhile. UserError without a port."""
        async with self._turn:
            if wanted and self._server is None:
                self._begin()
            elif not wanted and self._server is not None and self._task is not None:
                self._server.should_exit = True
                with contextlib.suppress(asyncio.CancelledError):
                    await self._task
                self._guard.hosts.discard(self.address.removeprefix("http://"))
                self._server, self._task, self.address = None, None, ""

    def _begin(self) -> None:
        listening = self._listening()
        host = f"{own_address()}:{listening.getsockname()[1]}"
        self._guard.hosts.add(host)
        self._server = _Quiet(
            config(
                only_open(self._guard),
                share=3,
                of_address=0.6,
                proxy_headers=False,
                timeout_graceful_shutdown=1,
                lifespan="off",
            )
        )
        self._task = asyncio.create_task(self._server.serve(sockets=[listening]))
        self.address = f"http://{host}"

    def _listening(self) -> socket.socket:
        for port in range(self._port + 1, min(self._port + 1 + _TRIES, 65536)):
            with contextlib.suppress(OSError):
                return listen(_ANYWHERE, port)
        raise UserError(
            "Auf diesem Rechner ist kein Anschluss frei, über den Handys die Seite erreichen könnten."
        )


class _Quiet(uvicorn.Server):
    """Leaves signals to the server that is there already."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def own_address() -> str:
    """This computer's address in its network; 127.0.0.1 without one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_UNUSED)
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


@dataclass
class Room:
    """What the routes of lessons share. shared: a server, which a proxy shows; phones need no listener."""

    lessons: Lessons
    listener: Listener
    shared: bool
    guesses: Guesses = field(default_factory=Guesses)

    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def soon(self, wait: Coroutine[Any, Any, None]) -> None:
        """Settles again when something has been waited for."""

        async def later() -> None:
            await wait
            await self.open_or_close()

        task = asyncio.create_task(later())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def open_or_close(self) -> None:
        """Phones are let in while a lesson is open, and at no other time."""
        if not self.shared:
            await self.listener.open_or_close(self.lessons.let_in)


def room_of(request: Request) -> Room:
    room: Room = request.app.state.room
    return room
