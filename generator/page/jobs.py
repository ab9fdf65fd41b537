"""Jobs of many clients go in; they are done in turn, one of each client, and everybody sees their place."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

from generator.basics.errors import UserError
from generator.basics.reading import reason

WAITING, RUNNING, DONE, FAILED = "wartet", "läuft", "fertig", "gescheitert"
_MOST_OF_CLIENT: Final = 5  # that wait
_MOST_OF_ADDRESS: Final = 40  # of a whole staff, or of one person with many sessions
_MOST: Final = 500
_REMEMBERED: Final = 500  # that are done


@dataclass(eq=False)
class Job:
    """Something to be made. name: of its place on the shelf. address: where it was asked for.

    sentence: why it failed.
    """

    name: str
    client: str
    work: Callable[[], Awaitable[None]] = field(repr=False)
    address: str = ""
    state: str = WAITING
    sentence: str = ""
    task: asyncio.Task[None] | None = field(default=None, repr=False)


async def _nothing() -> None:
    """The work of a job that is done."""


class FairQueue:
    """Does so many jobs at once. Clients take turns: whoever asks for ten things waits for others' first."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._waiting: OrderedDict[str, deque[Job]] = OrderedDict()  # whose turn is next stands first
        self._running: set[Job] = set()
        self._known: OrderedDict[str, Job] = OrderedDict()

    def add(self, job: Job) -> None:
        """UserError where too much waits already."""
        own = self._waiting.get(job.client, deque())
        waiting = [each.address for jobs in self._waiting.values() for each in jobs]
        here = bool(job.address) and waiting.count(job.address) >= _MOST_OF_ADDRESS
        if len(own) >= _MOST_OF_CLIENT or here or len(waiting) >= _MOST:
            raise UserError("Es warten schon zu viele Aufträge; bitte warten Sie, bis einer fertig ist.")
        self._waiting.setdefault(job.client, own).append(job)
        self._known[job.name] = job
        self._forget()
        self._begin()

    def job(self, name: str, client: str) -> Job:
        """KeyError for what is none, or another's."""
        job = self._known[name]
        if job.client != client:
            raise KeyError(name)
        return job

    def of_client(self, client: str) -> list[Job]:
        return [job for job in self._known.values() if job.client == client]

    def place(self, job: Job) -> int:
        """How many jobs come before this one; 0 once its turn has come."""
        if job.state != WAITING:
            return 0
        return self._in_turn().index(job) + (len(self._running) >= self._at_once)

    def cancel(self, job: Job) -> None:
        """It is not done, or no longer; what runs is stopped as its own work can."""
        if job.state == WAITING:
            self._waiting[job.client].remove(job)
            job.state, job.sentence = FAILED, "Abgebrochen."
        elif job.task is not None:
            job.task.cancel()

    async def end(self) -> None:
        """Stops everything."""
        self._waiting.clear()
        tasks = [job.task for job in self._running if job.task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _in_turn(self) -> list[Job]:
        queues = [list(own) for own in self._waiting.values()]
        rounds = max(map(len, queues), default=0)
        return [own[turn] for turn in range(rounds) for own in queues if turn < len(own)]

    def _begin(self) -> None:
        while len(self._running) < self._at_once and (job := self._next()) is not None:
            job.state = RUNNING
            self._running.add(job)
            job.task = asyncio.get_running_loop().create_task(self._do(job))

    def _next(self) -> Job | None:
        for client in list(self._waiting):
            own = self._waiting.pop(client)
            if own:
                job = own.popleft()
                if own:
                    self._waiting[client] = own  # at the end: its next turn comes after all others'
                return job
        return None

    async def _do(self, job: Job) -> None:
        try:
            await job.work()
            job.state = DONE
        except UserError as error:
            job.state, job.sentence = FAILED, str(error)
        except asyncio.CancelledError:
            job.state, job.sentence = FAILED, "Abgebrochen."
        except OSError as error:
            job.state, job.sentence = FAILED, f"Das ließ sich nicht ablegen: {reason(error)}."
        except Exception as error:
            job.state = FAILED
            job.sentence = (
                f"Das ist nicht gelungen ({type(error).__name__}); bitte versuchen Sie es noch einmal."
            )
        finally:
            job.task, job.work = None, _nothing  # a job is remembered, what it held is not
            self._running.discard(job)
            self._begin()

    def _forget(self) -> None:
        done = [name for name, job in self._known.items() if job.state in (DONE, FAILED)]
        for name in done[: max(0, len(done) - _REMEMBERED)]:
            del self._known[name]
