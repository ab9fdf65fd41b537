"""Has the orders of a class set carried out, here or on a Dask cluster; no sheet is made twice."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from generator.basics.errors import UserError, quoted
from generator.basics.files import write_one
from generator.output.many import ThisProcess
from generator.production.variant import Made, Order, carry_out, versions

# A Dask cluster is for many sets at once. Its workers need this program at the same version; they get the
# contents of files and give back the finished sheets. Dask gives the work of a worker that dies to another.

_PATIENCE: Final = 10  # seconds to wait for an answer
_RETRIES: Final = 3


@contextlib.contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """The executor of a cluster. UserError where there is none, or its workers are of another version."""
    try:
        from distributed import Client
    except ImportError as error:
        raise UserError(
            "--rechner braucht das Paket distributed; es kommt mit „pip install 'papierformer[rechner]'“."
        ) from error
    try:
        client = Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise UserError(
            f"--rechner {quoted(address)}: Dort antwortet kein Dask-Scheduler; nötig ist seine Adresse, zum "
            "Beispiel tcp://192.168.1.20:8786."
        ) from error
    with client:
        _check(client.run(versions))
        yield client.get_executor(retries=_RETRIES, pure=False)


def _check(found: dict[str, tuple[str, ...]]) -> None:
    if not found:
        raise UserError(
            "--rechner: Der Scheduler hat keinen Worker; starten Sie einen mit „dask worker ADRESSE“."
        )
    for worker, version in found.items():
        if version != versions():
            raise UserError(
                f"--rechner: Der Worker {worker} hat {', '.join(version)} statt {', '.join(versions())}; "
                "alle brauchen dieselbe Version."
            )


_WAITING: Final = 64  # orders given away at once: the memory does not grow with the class
Tell = Callable[[str, int, int], None]
Work = Callable[[], bytes | Path]


@dataclass
class Workshop:
    """A folder of finished sheets, and who makes them. tell: what is done, how many of how many."""

    folder: Path
    executor: Executor
    tell: Tell
    away: bool = False  # whether other machines work: orders carry the contents of their files

    def path(self, order: Order, ending: str) -> Path:
        """A file of an order: arbeitsblatt.pdf, loesung.pdf, rechnung.json, or its note.json."""
        return self.folder / f"{order.mark}-{ending}"

    def done(self, order: Order) -> bool:
        return self.path(order, "note.json").exists()

    def note(self, order: Order) -> dict[str, Any]:
        """What overview and manifest say of a finished sheet."""
        note: dict[str, Any] = json.loads(self.path(order, "note.json").read_text(encoding="utf-8"))
        return note

    def keep(self, order: Order, made: Made) -> None:
        """Writes the files of an order, its note last: what has a note is complete."""
        for ending, content in made.files.items():
            write_one(self.path(order, ending), content)
        note = json.dumps(made.note, ensure_ascii=False).encode()
        write_one(self.path(order, "note.json"), note)

    def make(self, orders: Sequence[Order], step: str = "Drucke die Blätter") -> None:
        """Makes what is missing of the orders. step: as it is told. UserError if one cannot be made."""
        missing = {order.mark: order for order in orders if not self.done(order)}
        begun, started, total = time.monotonic(), len(orders) - len(missing), len(orders)
        finished = started
        waiting: dict[Future[Made], Order] = {}

        def collect(futures: Iterable[Future[Made]]) -> None:
            nonlocal finished
            for future in futures:
                order = waiting.pop(future)
                self.keep(order, self._result(order, future))
                finished += 1
                left = (time.monotonic() - begun) / (finished - started) * (total - finished)
                self.tell(f"{step}, noch etwa {duration(left)}", finished, total)

        for order in missing.values():
            waiting[self._submit(order)] = order
            ready = wait(waiting, timeout=0).done
            if len(waiting) >= _WAITING and not ready:
                ready = wait(waiting, return_when=FIRST_COMPLETED).done
            collect(ready)
        while waiting:
            collect(wait(waiting, return_when=FIRST_COMPLETED).done)

    def share(self, work: Mapping[str, Work]) -> dict[str, bytes | Path]:
        """What each part of the work gives: helpers do all but the last, this process that one."""
        begun: dict[str, Future[bytes | Path]] = {}
        for name, part in list(work.items())[:-1]:
            with contextlib.suppress(BrokenExecutor, OSError):
                begun[name] = (ThisProcess() if self.away else self.executor).submit(part)
        given = {name: part() for name, part in work.items() if name not in begun}
        for name, future in begun.items():
            try:
                given[name] = future.result()
            except (BrokenExecutor, EOFError):  # a helper that died
                given[name] = work[name]()
        return given

    def handed(self, order: Order) -> Order:
        """The order as it is given away."""
        return order.carrying() if self.away else order

    def _submit(self, order: Order) -> Future[Made]:
        try:
            return self.executor.submit(carry_out, self.handed(order))
        except (BrokenExecutor, OSError) as error:
            failed: Future[Made] = Future()
            failed.set_exception(error)
            return failed

    def _result(self, order: Order, future: Future[Made]) -> Made:
        """What a helper made; what one did not live to finish is made here."""
        try:
            return future.result()
        except UserError:
            raise
        except Exception:  # a helper that died, a network that failed: what is wrong itself fails again
            return carry_out(order)


def duration(seconds: float) -> str:
    return f"{round(seconds)} s" if seconds < 90 else f"{round(seconds / 60)} min"
