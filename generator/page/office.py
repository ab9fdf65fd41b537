"""All that the routes share in one run: settings, shelf, workers, queue, and the previews shown last."""

from __future__ import annotations

import os
import secrets
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any, Final

from starlette.requests import Request

from generator.basics.errors import UserError
from generator.page.jobs import FairQueue
from generator.page.settings import Settings
from generator.page.shelf import Shelf
from generator.page.workers import Workers, one_process

_MOST_PAGES: Final = 60  # of about a megabyte
_MOST_SOURCES: Final = 200
_MOST_WINDOWS: Final = 1000
_PROCESSORS: Final = os.cpu_count() or 1


class Documents:
    """Texts that were just made, for a frame or a later check: the last ones, each only to who asked."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[str, tuple[str, str]] = OrderedDict()

    def put(self, client: str, html: str) -> str:
        """The name under which it can be fetched."""
        name = secrets.token_urlsafe(12)
        self._kept[name] = (client, html)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return name

    def get(self, name: str, client: str) -> str:
        """KeyError for what is forgotten, or another's."""
        self._kept.move_to_end(name)
        whose, html = self._kept[name]
        if whose != client:
            raise KeyError(name)
        return html


@dataclass
class Office:
    """quick: previews and checks. slow: printing, and what the queue gives them.

    documents: pages for frames. sources: the sheets that are open for checking.
    """

    settings: Settings
    make_worker: Callable[[], Executor] = one_process
    documents: Documents = field(default_factory=lambda: Documents(_MOST_PAGES))
    sources: Documents = field(default_factory=lambda: Documents(_MOST_SOURCES))
    _newest: OrderedDict[str, int] = field(default_factory=OrderedDict)

    def __post_init__(self) -> None:
        at_once = max(1, _PROCESSORS // 2)
        self.shelf = Shelf(self.settings.folder)
        self.quick = Workers(max(2, at_once), self.make_worker)
        self.slow = Workers(at_once, self.make_worker)
        self.queue = FairQueue(at_once)

    def newest(self, window: str) -> int:
        """The number of a window's newest preview, from now on."""
        number = self._newest.pop(window, 0) + 1
        self._newest[window] = number
        if len(self._newest) > _MOST_WINDOWS:
            self._newest.popitem(last=False)
        return number

    def is_newest(self, window: str, number: int) -> bool:
        """Whether nothing newer was asked for."""
        return self._newest.get(window, number) == number

    def owner(self, client: str) -> str:
        """Whose sheets a client sees: on a server his own, on one's own computer all."""
        return client if self.settings.shared else ""

    async def end(self) -> None:
        """Stops all work."""
        await self.queue.end()
        self.quick.end()
        self.slow.end()


def office_of(request: Request) -> Office:
    office: Office = request.app.state.office
    return office


def client_of(request: Request) -> str:
    """Who asks; the guard has seen to it."""
    client: str = request.state.client
    return client


async def sent(request: Request) -> dict[str, Any]:
    """The JSON object that a script sent. UserError for anything else."""
    try:
        said = await request.json()
    except (ValueError, RecursionError) as error:
        raise UserError("Diese Anfrage ist keine der Seite; bitte laden Sie sie neu.") from error
    if not isinstance(said, dict):
        raise UserError("Diese Anfrage ist keine der Seite; bitte laden Sie sie neu.")
    return said
