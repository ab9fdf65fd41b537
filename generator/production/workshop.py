"""Has the orders of a class set carried out, here or on a Dask cluster; no sheet is made twice."""

import contextlib
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from generator.basics.errors import UserError, quoted
from generator.basics.files import write_one
from generator.basics.helpers import ThisProcess
from generator.options.options import Options
from generator.production.drawing import Drawn, contents_of, draw
from generator.production.variant import Made, Order, Waiting, carry_out
from generator.version import VERSION

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


def versions() -> tuple[str, ...]:
    """What has to be the same wherever orders of one set are carried out."""
    return (f"papierformer {VERSION}", f"numpy {version('numpy')}", f"weasyprint {version('weasyprint')}")


def _check(found: dict[str, tuple[str, ...]]) -> None:
    if not found:
        raise UserError(
            "--rechner: Der Scheduler hat keinen Worker; starten Sie einen mit „dask worker ADRESSE“."
        )
    for worker, its in found.items():
        if its != versions():
            raise UserError(
                f"--rechner: Der Worker {worker} hat {', '.join(its)} statt {', '.join(versions())}; "
                "alle brauchen dieselbe Version."
            )


_AT_ONCE: Final = 12  # orders begun: the memory does not grow with the class
_AWAY_AT_ONCE: Final = 64
PROCESSES: Final = 2
Tell = Callable[[str, int, int], None]
Work = Callable[[], bytes | Path]


@dataclass
class Workshop:
    """A folder of finished sheets, and who makes them. tell: what is done, how many of how many.

    Sheets of a kind wait until the first of it is laid out: meanwhile the next ones are calculated.
    """

    folder: Path
    executor: Executor
    tell: Tell
    away: bool = False  # whether other machines work: orders carry the contents of their files
    _at_work: dict[Future[Made | Waiting], Order] = field(default_factory=dict)
    _waiting: dict[str, tuple[Order, Waiting]] = field(default_factory=dict)  # by the order's mark
    _laid_out: dict[str, Order] = field(default_factory=dict)  # the first of each kind

    @property
    def at_once(self) -> int:
        """How many draws are under way."""
        return _AWAY_AT_ONCE if self.away else PROCESSES

    def path(self, order: Order, ending: str) -> Path:
        """A file of an order: arbeitsblatt.pdf, loesung.pdf, rechnung.json, or its note.json."""
        return self.folder / f"{order.mark}-{ending}"

    def done(self, order: Order) -> bool:
        return self.path(order, "note.json").exists()

    def note(self, order: Order) -> Mapping[str, Any]:
        """What overview and manifest say of a sheet."""
        note: dict[str, Any] = json.loads(self.path(order, "note.json").read_text(encoding="utf-8"))
        return note

    def keep(self, order: Order, made: Made) -> None:
        """Writes the files of an order, its note last: what has a note is complete."""
        for ending, content in made.files.items():
            write_one(self.path(order, ending), content)
        note = json.dumps(made.note, ensure_ascii=False).encode()
        write_one(self.path(order, "note.json"), note)

    def draw(self, options: Options) -> Callable[[], Drawn | str]:
        """Has a sheet drawn elsewhere; what waits for it."""
        work = partial(draw, options, contents_of(options) if self.away else {})
        try:
            future = self.executor.submit(work)
        except (BrokenExecutor, OSError):
            return work

        def result() -> Drawn | str:
            try:
                return future.result()
            except Exception:  # a helper that died, a network that failed: what is wrong itself fails again
                return work()

        return result

    def make(self, orders: Sequence[Order]) -> None:
        """Makes what is missing of the orders. UserError if one cannot be made."""
        missing = {order.mark: order for order in orders if not self.done(order)}
        begun, missed, total = time.monotonic(), len(missing), len(orders)
        new = list(missing.values())
        while missing:
            room = len(self._at_work) + len(self._waiting) < (_AWAY_AT_ONCE if self.away else _AT_ONCE)
            ready = wait(self._at_work, 0 if new and room else None, FIRST_COMPLETED).done
            if not ready:
                self._begin(new.pop(0))
            for future in ready:
                order = self._collect(future)
                if order.mark in missing and self.done(order):
                    del missing[order.mark]
                    left = (time.monotonic() - begun) / (missed - len(missing)) * len(missing)
                    self.tell(f"Drucke die Blätter, noch etwa {duration(left)}", total - len(missing), total)

    def _begin(self, order: Order) -> None:
        if self.away:
            self._submit(order, carry_out, order.carrying())
        else:
            self._submit(order, carry_out, order, True)

    def _submit(self, order: Order, work: Callable[..., Made | Waiting], *of: Any) -> None:
        try:
            future = self.executor.submit(work, *of)
        except (BrokenExecutor, OSError) as error:
            future = Future()
            future.set_exception(error)
        self._at_work[future] = order

    def _collect(self, future: Future[Made | Waiting]) -> Order:
        """Keeps what was made; has printed what waits, or for what there is a layout now."""
        order = self._at_work.pop(future)
        made = self._result(order, future)
        if isinstance(made, Waiting):
            self._waiting[order.mark] = order, made
            if made.kind not in self._laid_out or self.done(self._laid_out[made.kind]):
                self._laid_out.setdefault(made.kind, order)
                self._submit(order, made.print)
            return order
        self.keep(order, made)
        _, waited = self._waiting.pop(order.mark, (order, None))
        if waited is not None and self._laid_out[waited.kind].mark == order.mark:
            for other, waiting in self._waiting.values():
                if waiting.kind == waited.kind:
                    self._submit(other, waiting.print)
        return order

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

    def _result(self, order: Order, future: Future[Made | Waiting]) -> Made | Waiting:
        """What a helper made; what one did not live to finish is made here."""
        try:
            return future.result()
        except UserError:
            raise
        except Exception:  # a helper that died, a network that failed: what is wrong itself fails again
            return carry_out(order)


def duration(seconds: float) -> str:
    return f"{round(seconds)} s" if seconds < 90 else f"{round(seconds / 60)} min"
