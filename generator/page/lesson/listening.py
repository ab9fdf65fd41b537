"""Lets the phones of this network in while a lesson is open: a second listener, for pupils' paths only."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Iterator
from typing import Final

import uvicorn

from generator.basics.errors import UserError
from generator.page.guard import Guard, only_open

_ANYWHERE: Final = "0.0.0.0"
_UNUSED: Final = ("192.0.2.1", 9)  # an address for documentation (RFC 5737); nothing is sent to it
_TRIES: Final = 20
_MOST_CONNECTIONS: Final = 400


class Listener:
    """guard: the app, which is told our name in this network. port: the page's own; ours is one above."""

    def __init__(self, guard: Guard, port: int) -> None:
        self._guard, self._port = guard, port
        self._server: _Quiet | None = None
        self._task: asyncio.Task[None] | None = None
        self.address = ""  # "http://192.168.1.20:8766" while it listens

    async def begin(self) -> str:
        """The address for phones. UserError where no port can be had."""
        if self._server is not None:
            return self.address
        listening = self._listening()
        port = listening.getsockname()[1]
        host = f"{own_address()}:{port}"
        self._guard.hosts.add(host)
        config = uvicorn.Config(
            only_open(self._guard),
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            limit_concurrency=_MOST_CONNECTIONS,
            timeout_graceful_shutdown=2,
            lifespan="off",
            ws="none",
        )
        self._server = _Quiet(config)
        self._task = asyncio.create_task(self._server.serve(sockets=[listening]))
        self.address = f"http://{host}"
        return self.address

    async def close(self) -> None:
        """From now on only this computer is answered."""
        if self._server is None or self._task is None:
            return
        self._server.should_exit = True
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
        self._guard.hosts.discard(self.address.removeprefix("http://"))
        self._server, self._task, self.address = None, None, ""

    def _listening(self) -> socket.socket:
        for port in range(self._port + 1, min(self._port + 1 + _TRIES, 65536)):
            listening = socket.socket()
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                listening.bind((_ANYWHERE, port))
                listening.listen(128)
            except OSError:
                listening.close()
                continue
            return listening
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
        address: str = probe.getsockname()[0]
        return address
