"""Functions and their arguments go in; they are called in worker processes, each with a time limit.

Every worker is an executor of its own with one process: what takes too long ends its process, and nobody
else's. Anything that speaks `concurrent.futures.Executor` can take the place of the processes here.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor
from typing import Any, Final, TypeVar

from generator.basics.errors import UserError

R = TypeVar("R")
_ENDED: Final = 3  # exit status of a process whose time was up


def one_process() -> Executor:
    """A helper process of the printing room, which begins to load at once."""
    from generator.output.many import helpers

    return helpers(1)


class EndedError(UserError):
    """The process that did it is gone."""


class Workers:
    """So many processes; whoever comes first is served first. make: gives a new executor with one process."""

    def __init__(self, number: int, make: Callable[[], Executor] = one_process) -> None:
        self._make = make
        self._idle: asyncio.Queue[Executor | None] = asyncio.Queue()
        self._all: set[Executor] = set()
        for _ in range(number):
            self._idle.put_nowait(None)

    async def call(
        self,
        limit: float,
        function: Callable[..., R],
        *arguments: Any,
        wanted: Callable[[], bool] = lambda: True,
    ) -> R:
        """What the function gives, in a worker. UserError where it takes longer than limit seconds.

        wanted: asked when a worker is free; what nobody wants any more is not done (UserError).
        """
        worker = await self._idle.get()
        try:
            if not wanted():
                raise UserError("Inzwischen wurde etwas Neues verlangt.")
            if worker is None:
                worker = await asyncio.to_thread(self._make)
                self._all.add(worker)
            return await self._called(worker, limit, function, *arguments)
        except (EndedError, asyncio.CancelledError):
            if worker is not None:
                self._drop(worker)
            worker = None
            raise
        finally:
            self._idle.put_nowait(worker)

    async def _called(self, worker: Executor, limit: float, function: Callable[..., R], *arguments: Any) -> R:
        begun = time.monotonic()
        try:  # a new process answers only when the fork server has loaded everything: not in our loop
            called = await asyncio.to_thread(worker.submit, limited, limit, function, *arguments)
            return await asyncio.wrap_future(called)
        except BrokenExecutor as error:
            if time.monotonic() - begun >= limit:
                sentence = f"Das hat länger als {_duration(limit)} gedauert und wurde beendet."
            else:
                sentence = "Die Rechnung ist abgebrochen; bitte versuchen Sie es noch einmal."
            raise EndedError(sentence) from error

    def end(self) -> None:
        """Ends all processes, whatever they do."""
        for worker in list(self._all):
            self._drop(worker)

    def _drop(self, worker: Executor) -> None:
        self._all.discard(worker)
        for process in list((getattr(worker, "_processes", None) or {}).values()):
            process.terminate()
        worker.shutdown(wait=False, cancel_futures=True)


def limited(limit: float, function: Callable[..., R], *arguments: Any) -> R:
    """Calls the function; the process ends if that takes longer than limit seconds."""
    timer = threading.Timer(limit, os._exit, (_ENDED,))
    timer.daemon = True
    timer.start()
    try:
        return function(*arguments)
    finally:
        timer.cancel()


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} Sekunden" if seconds < 120 else f"{seconds / 60:.0f} Minuten"
