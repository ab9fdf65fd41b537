"""An app goes in; uvicorn's settings for it come out, under which connections that stay silent harm nobody.

Connections are counted, in all and for each address, far below the number of files that a program may have
open; a request's head must come within ten seconds (its body: `guard`). When all are taken, whoever has most
of them loses the one that has kept us waiting longest.
"""

import asyncio
import contextlib
import logging
import socket
import sys
from collections import Counter
from typing import Any, Final

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from generator.page.guard import Rate, Rates

SECONDS_FOR_HEAD: Final = 10.0
_BACKLOG: Final = 128
_LINES: Final = Rate(at_once=20, a_minute=6)  # in the log, of one kind


class Counted(H11Protocol):
    """A connection. most: of them at once; of_address: of one address."""

    most = of_address = 1000
    since = 0.0
    _late: asyncio.TimerHandle | None = None

    @property
    def address(self) -> str:
        """The address that the connection comes from."""
        return self.client[0] if self.client else ""

    @property
    def silent(self) -> bool:
        """Whether it is our client's turn: no request has come whole."""
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_head()
        others = [each for each in self.connections if isinstance(each, Counted) and each.open]
        count = Counter(each.address for each in others)
        too_many = count[self.address] > self.of_address
        if too_many or len(others) > self.most:
            crowd = self.address if too_many else max(count, key=count.__getitem__)
            waiting = [each for each in others if each.silent and each.address == crowd]
            min(waiting, key=lambda each: each.since, default=self).transport.abort()

    @property
    def open(self) -> bool:
        """Whether it is not about to be closed."""
        return not self.transport.is_closing()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._late is not None:
            self._late.cancel()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """To whoever speaks no HTTP."""
        super().send_400_response(_IN_GERMAN.get(msg, msg))

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._await_head()

    def _await_head(self) -> None:
        if self._late is not None:
            self._late.cancel()
        self.since = self.loop.time()
        self._late = self.loop.call_later(SECONDS_FOR_HEAD, self._give_up)

    def _give_up(self) -> None:
        if self.cycle is None or self.cycle.response_complete:
            self.transport.abort()


def config(app: ASGIApp, share: int, of_address: float, **named: Any) -> uvicorn.Config:
    """share: connections are one in so many of the files that may be open; of_address: a part of these."""
    most = min(1000, _most_files() // share)
    kind = type("Counted", (Counted,), {"most": most, "of_address": int(most * of_address)})
    for name in ("asyncio", "uvicorn.error"):
        logging.getLogger(name).addFilter(_seldom)
    return uvicorn.Config(
        app,
        http=kind,
        ws="none",
        log_level="warning",
        access_log=False,
        server_header=False,
        backlog=_BACKLOG,
        **named,
    )


def listen(address: str, port: int) -> socket.socket:
    """A socket that listens, and sends small answers at once. OSError where the port cannot be had."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # named, so asyncio is quick
    try:
        if sys.platform != "win32":  # there it would let two programs have the port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((address, port))
        listening.listen(_BACKLOG)
    except BaseException:
        listening.close()
        raise
    return listening


_lines: Final = Rates(_LINES)


_NO_HTTP: Final = "Invalid HTTP request received."
_IN_GERMAN: Final = {  # what uvicorn says of requests
    _NO_HTTP: "Eine Anfrage war kein HTTP und ist abgewiesen.",
    "Unsupported upgrade request.": "Eine Anfrage wollte ein anderes Protokoll als HTTP.",
}
_SAID_BEFORE: Final = "No supported WebSocket library"


def _seldom(record: logging.LogRecord) -> bool:
    """Whether a line of the log is written, in German: strangers must not fill a disk with it."""
    said = str(record.msg)
    if said.startswith(_SAID_BEFORE):
        return False
    record.msg = _IN_GERMAN.get(said, said)
    return _lines.allow((str(record.msg) + str(record.args))[:200])


def _most_files() -> int:
    """How many files this program may have open; asks for some more, where it may."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = 4096 if hard == resource.RLIM_INFINITY else min(4096, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        return most
    return 1024
