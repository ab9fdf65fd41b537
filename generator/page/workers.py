"""Functions and their arguments go in; they are called in worker processes, each with a time limit.

Every worker is an executor of its own with one process: what takes too long, or is cancelled, ends its
process, and nobody else's; what took much memory ends it afterwards. Functions are named,
`package.module:function`, because the page itself imports none of what calculates. Anything that speaks
`concurrent.futures.Executor` can take the place of the processes here. Jobs are done in turn, one of each
client, and everybody sees their place.
"""

import asyncio
import contextlib
import pkgutil
import re
import sys
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import BrokenExecutor, Executor
from dataclasses import dataclass, field
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

from generator.basics.errors import UserError
from generator.basics.helpers import Helpers
from generator.basics.reading import reason
from generator.page.shelf import AbsentError

_LONGEST: Final = 86_400.0  # seconds; each call has a limit of its own
MOST_WAITING: Final = 20  # of one client
MOST_MEMORY: Final = 600_000_000  # of a process that is kept for the next call
_NEWER: Final = "Inzwischen wurde etwas Neues verlangt."
_Turn = tuple[Callable[[], bool], asyncio.Future[None]]


def one_process() -> Executor:
    """A helper process of the printing room, which begins to load at once."""
    return Helpers(begin="generator.output.many:load", patience=_LONGEST)


def calculating() -> Executor:
    """The same without the library that prints: it need not wait until that is loaded."""
    return Helpers(patience=_LONGEST)


class EndedError(UserError):
    """The process that did it is gone."""


class Turns:
    """So many at once, and at most so many of one client; clients take turns."""

    def __init__(self, number: int, of_one: int = 1000) -> None:
        self._number, self._of_one = number, of_one
        self._busy: Counter[str] = Counter()
        self._waiting: OrderedDict[str, deque[_Turn]] = OrderedDict()  # whose turn is next stands first

    def ask(self, client: str, wanted: Callable[[], bool] = lambda: True) -> asyncio.Future[None]:
        """Is done when it is the client's turn; with UserError where nobody wants that any more."""
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append((wanted, turn))
        self._next()
        return turn

    @contextlib.asynccontextmanager
    async def taking(self, client: str, turn: asyncio.Future[None]) -> AsyncIterator[None]:
        """Waits for the client's turn; it is over with the block."""
        try:
            await turn
            yield
        finally:
            if not turn.cancelled() and turn.exception() is None:
                self._busy[client] -= 1
                self._next()

    def waiting(self, client: str) -> int:
        """How many turns this client waits for."""
        return len(self._waiting.get(client, ()))

    def before(self, turn: asyncio.Future[None]) -> int:
        """How many jobs run before this one; 0 once it is its turn."""
        rows = zip_longest(*self._waiting.values())
        waiting = [each for row in rows for _, each in filter(None, row) if not each.done()]
        return waiting.index(turn) + (self._busy.total() >= self._number) if turn in waiting else 0

    def _next(self) -> None:
        """Gives free turns to those who wait; what nobody wants any more leaves the line."""
        for client, own in list(self._waiting.items()):
            for wanted, turn in own:
                if not turn.done() and not wanted():
                    turn.set_exception(UserError(_NEWER))
            self._waiting[client] = own = deque(each for each in own if not each[1].done())
            if own and self._busy.total() < self._number and self._busy[client] < self._of_one:
                own.popleft()[1].set_result(None)
                self._busy[client] += 1
                self._waiting.move_to_end(client)
            if not own:
                del self._waiting[client]
        self._busy = +self._busy


class Workers:
    """So many processes, at most so many of them at work for one client; clients take turns.

    make: gives a new executor with one process.
    """

    def __init__(self, number: int, of_one: int = 1000, make: Callable[[], Executor] = one_process) -> None:
        self._turns, self._make = Turns(number, of_one), make
        self._idle: list[Executor] = []
        self._all: set[Executor] = set()

    async def call(
        self,
        limit: float,
        function: str,
        *arguments: Any,
        client: str = "",
        wanted: Callable[[], bool] = lambda: True,
    ) -> Any:
        """What the function gives, in a worker. UserError where it takes longer than limit seconds.

        wanted: what nobody wants any more while it waits is not done (UserError).
        """
        if self._turns.waiting(client) >= MOST_WAITING:
            raise UserError("Es warten schon zu viele Anfragen; bitte einen Augenblick warten.")
        async with self._turns.taking(client, self._turns.ask(client, wanted)):
            worker = self._idle.pop() if self._idle else self._make()
            self._all.add(worker)
            memory = MOST_MEMORY + 1
            try:
                called = await asyncio.to_thread(worker.submit, measured, function, *arguments)
                answer = asyncio.wrap_future(called)
                result, refused, memory = await asyncio.wait_for(answer, limit)
            except TimeoutError as error:
                sentence = f"Das hat länger als {_duration(limit)} gedauert und wurde beendet."
                raise EndedError(sentence) from error
            except BrokenExecutor as error:
                sentence = "Die Rechnung ist abgebrochen; bitte versuchen Sie es noch einmal."
                raise EndedError(sentence) from error
            finally:
                if memory <= MOST_MEMORY:
                    self._idle.append(worker)
                else:
                    await asyncio.shield(self._drop(worker))  # then it writes nothing any more
            if refused is not None:
                raise refused
            return result

    def start(self) -> None:
        """Has a process ready, which loads meanwhile."""
        worker = self._make()
        self._all.add(worker)
        self._idle.append(worker)

    async def end(self) -> None:
        """Ends all processes, whatever they do."""
        await asyncio.gather(*map(self._drop, list(self._all)))

    def _drop(self, worker: Executor) -> asyncio.Future[None]:
        """Is done when its process has ended."""
        self._all.discard(worker)
        return asyncio.get_running_loop().run_in_executor(None, partial(worker.shutdown, wait=False))


def measured(function: str, *arguments: Any) -> tuple[Any, UserError | None, int]:
    """What the function gives or refuses, and the peak of memory."""
    try:
        return pkgutil.resolve_name(function)(*arguments), None, _peak()
    except UserError as error:
        return None, error, _peak()


def _peak() -> int:
    """The most bytes that this process has ever taken; 0 where the system does not say."""
    if sys.platform == "linux":  # there `resource` begins with what its parent had when it started it
        taken = re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text(encoding="utf-8"))
        return int(taken[1]) * 1024 if taken else 0
    with contextlib.suppress(ImportError):
        import resource

        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024
    return 0


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} Sekunden" if seconds < 120 else f"{seconds / 60:.0f} Minuten"


WAITING, RUNNING, DONE, FAILED = "wartet", "läuft", "fertig", "gescheitert"
MOST_OF_CLIENT: Final = 5  # that wait
MOST_OF_ADDRESS: Final = 40  # of a whole staff, or of one person with many sessions
MOST: Final = 500
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
        if own >= MOST_OF_CLIENT or here >= MOST_OF_ADDRESS or len(waiting) >= MOST:
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
