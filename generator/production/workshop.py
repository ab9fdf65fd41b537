"""Has the orders of a class set carried out, here or on a Dask cluster; no sheet is made twice."""

import contextlib
import json
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from generator.basics.atomic_write import write_file
from generator.basics.errors import UserError, quoted
from generator.basics.files import worded
from generator.basics.helpers import ThisProcess, begun, given, submitted
from generator.options.options import Options
from generator.production.drawing import Drawn, Missed, contents_of, draw
from generator.production.variant import LAYOUT, Made, Order, carry_out
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


# Of a shape, since one block or another is a line longer; in bytes, of which each takes sixty when unpacked.
_LAYOUTS: Final = 4_000_000
_AT_ONCE: Final = 12  # orders begun: the memory does not grow with the class
_AWAY_AT_ONCE: Final = 64
PROCESSES: Final = 2
Tell = Callable[[str, int, int], None]
Work = Callable[[], bytes | Path]


@dataclass
class Workshop:
    """A folder of finished sheets, and who makes them. tell: what is done, how many of how many."""

    folder: Path
    executor: Executor
    tell: Tell
    away: bool = False  # whether other machines work: orders carry the contents of their files

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
        """The entries of a sheet in the overview and the manifest."""
        note: dict[str, Any] = json.loads(self.path(order, "note.json").read_text(encoding="utf-8"))
        return note

    def keep(self, order: Order, made: Made) -> None:
        """Writes the files of an order, its note last: what has a note is complete."""
        with worded(self.folder.parent):
            for ending, content in made.files.items():
                write_file(self.path(order, ending), content)
            write_file(self.path(order, "note.json"), json.dumps(made.note, ensure_ascii=False).encode())

    def draw(self, options: Options) -> Callable[[], Drawn | Missed]:
        """Has a sheet drawn elsewhere; what waits for it."""
        return begun(self.executor, draw, options, contents_of(options) if self.away else {})

    def make(self, orders: Sequence[Order]) -> None:
        """Makes what is missing of the orders. UserError if one cannot be made."""
        layouts: defaultdict[tuple[str, int], list[bytes]] = defaultdict(list)
        begun, total, people = time.monotonic(), len(orders), Counter(order.mark for order in orders)
        done = missed = sum(self.done(order) for order in orders)
        for generation in generations(orders):
            missing = [order for order in generation if not self.done(order)]
            for order in self._finished(missing, layouts):
                done += people[order.mark]
                left = (time.monotonic() - begun) / (done - missed) * (total - done)
                self.tell(f"Drucke die Blätter, noch etwa {duration(left)}", done, total)
            for order in generation:
                kept, known = self.path(order, LAYOUT), layouts[order.shape]
                if kept.exists() and sum(map(len, known)) < _LAYOUTS:
                    known.append(kept.read_bytes())

    def _finished(
        self, orders: Sequence[Order], layouts: Mapping[tuple[str, int], Sequence[bytes]]
    ) -> Iterator[Order]:
        """Has the orders carried out; each as soon as its files are kept."""
        new, at_work = deque(orders), dict[Future[Made], Order]()
        while new or at_work:
            room = new and len(at_work) < (_AWAY_AT_ONCE if self.away else _AT_ONCE)
            ready = wait(at_work, 0 if room else None, FIRST_COMPLETED).done
            for future in ready:
                order = at_work.pop(future)
                self.keep(order, given(future, carry_out, order, layouts[order.shape]))
                yield order
            if room and not ready:
                order = new.popleft()
                known = tuple(layouts[order.shape])
                sent = order.carrying() if self.away else order
                at_work[submitted(self.executor, carry_out, sent, known)] = order

    def share(self, work: Mapping[str, Work]) -> dict[str, bytes | Path]:
        """What each part of the work gives: helpers do all but the last, this process that one."""
        *others, last = work
        executor = ThisProcess() if self.away else self.executor
        waiting = {name: begun(executor, work[name]) for name in others}
        own = {last: work[last]()}
        return own | {name: result() for name, result in waiting.items()}


def generations(orders: Iterable[Order]) -> list[list[Order]]:
    """The different orders, two of each shape, then four, eight and so on.

    A generation is written with the layouts of those before it, whoever is the first to finish: so the same
    orders give the same bytes.
    """
    found: list[list[Order]] = []
    seen: Counter[tuple[str, int]] = Counter()
    for order in {order.mark: order for order in orders}.values():
        place = (seen[order.shape] // 2 + 1).bit_length() - 1
        seen[order.shape] += 1
        found += [[] for _ in range(place + 1 - len(found))]
        found[place].append(order)
    return found


def duration(seconds: float) -> str:
    return f"{round(seconds)} s" if seconds < 90 else f"{round(seconds / 60)} min"
