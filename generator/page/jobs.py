"""Jobs of many clients go in; they are done in turn, one of each client, and everybody sees their place."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

from generator.basics.errors import UserError
from generator.basics.reading import reason
from generator.page.shelf import AbsentError
from generator.page.workers import Turns

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
    turn: asyncio.Future[None] | None = field(default=None, repr=False)
    task: asyncio.Task[None] | None = field(default=None, repr=False)

    def cancel(self) -> None:
        """It is not done, or no longer; what runs is stopped as its own work can."""
        if self.task is not None:
            self.task.cancel()


async def _nothing() -> None:
    """The work of a job that is done."""


class FairQueue:
    """Does so many jobs at once. Clients take turns: whoever asks for ten things waits for others' first."""

    def __init__(self, at_once: int) -> None:
        self._turns = Turns(at_once)
        self._known: OrderedDict[str, Job] = OrderedDict()

    def add(self, job: Job) -> None:
        """UserError where too much waits already."""
        waiting = [each for each in self._known.values() if each.state == WAITING]
        own = sum(each.client == job.client for each in waiting)
        here = sum(each.address == job.address for each in waiting if job.address)
        if own >= _MOST_OF_CLIENT or here >= _MOST_OF_ADDRESS or len(waiting) >= _MOST:
            raise UserError("Es warten schon zu viele Aufträge; bitte warten Sie, bis einer fertig ist.")
        self._known[job.name] = job
        self._forget()
        job.turn = self._turns.ask(job.client)
        job.state = RUNNING if job.turn.done() else WAITING
        job.task = asyncio.create_task(self._do(job, job.turn))

    def job(self, name: str, client: str) -> Job:
        """AbsentError for what is none, or another's."""
        job = self._known.get(name)
        if job is None or job.client != client:
            raise AbsentError(name)
        return job

    def of_client(self, client: str) -> list[Job]:
        return [job for job in self._known.values() if job.client == client]

    def place(self, job: Job) -> int:
        """How many jobs come before this one; 0 once its turn has come."""
        return self._turns.before(job.turn) if job.turn else 0

    async def end(self) -> None:
        """Stops everything."""
        tasks = [job.task for job in self._known.values() if job.task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _do(self, job: Job, turn: asyncio.Future[None]) -> None:
        try:
            async with self._turns.taking(job.client, turn):
                job.state = RUNNING
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
            job.task, job.turn, job.work = None, None, _nothing  # a job is remembered, what it held is not

    def _forget(self) -> None:
        done = [name for name, job in self._known.items() if job.state in (DONE, FAILED)]
        for name in done[: max(0, len(done) - _REMEMBERED)]:
            del self._known[name]
