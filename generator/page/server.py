"""Settings go in; the page is served until it is told to end."""

from __future__ import annotations

import errno
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from typing import Final

import uvicorn

from generator.basics.errors import UserError, quoted
from generator.page.application import create_app
from generator.page.settings import Settings

_MOST_CONNECTIONS: Final = 1000
_SECONDS_TO_END: Final = 3


def serve(settings: Settings, ready: Callable[[], None]) -> None:
    """Listens until Ctrl-C or SIGTERM, which are raised again as the caller has set them.

    ready: called once requests are answered. UserError where the port cannot be had.
    """
    listening = _listen(settings)
    config = uvicorn.Config(
        create_app(settings),
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=settings.shared,
        limit_concurrency=_MOST_CONNECTIONS,
        timeout_graceful_shutdown=_SECONDS_TO_END,
        ws="none",
    )
    with listening:
        _Server(config, ready).run(sockets=[listening])


def open_browser(address: str) -> None:
    """In the background: some browsers only return when they are closed."""
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()


def _listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.address else socket.AF_INET
    listening = socket.socket(family)
    if sys.platform != "win32":  # there it would let two programs have the port
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.address, settings.port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        raise UserError(_refused(settings, error)) from error
    return listening


def _refused(settings: Settings, error: OSError) -> str:
    port = settings.port
    if error.errno == errno.EADDRINUSE:
        other = port + 1 if port < 65535 else port - 1
        return (
            f"--port {port} ist schon belegt, vielleicht läuft die Seite in einem anderen Fenster; "
            f"möglich ist zum Beispiel --port {other}."
        )
    if isinstance(error, PermissionError):
        return f"--port {port} darf dieses Programm nicht benutzen; möglich ist zum Beispiel --port 8765."
    return f"--adresse {quoted(settings.address)} gehört nicht zu diesem Rechner; üblich ist 127.0.0.1."
