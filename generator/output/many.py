"""The PDFs of several documents, made by helper processes while the next one is rendered.

Everything that makes PDFs elsewhere speaks `concurrent.futures.Executor`. A helper of one run is a copy of
this process, which has loaded everything and makes PDFs too; long-lived ones come from a fork server that
has loaded WeasyPrint once for all; where that cannot be, each loads it for itself, and where no process
can be started or one dies, this process makes the PDFs. The bytes are the same either way.
"""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field, replace
from typing import Any, Final, ParamSpec, TypeVar

from generator.basics.garbage import collect_rarely
from generator.output.machine import COPIES_ITSELF, CORES, end_without_scratch, weasyprint
from generator.output.pdf import PdfResult, PdfUnavailable, write_pdf
from generator.output.shared.layouts import Layouts, Part, kind_of

_PRELOADED: Final = "generator.output.preloaded"
_LARGE: Final = 1_200_000  # letters of a document from which two at once would take more than 2 GB
P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True)
class PdfJob:
    """One document for `write_pdf`.

    form: its blanks are fields. mark: of the sheet, on each page. shared: others are written with its layout.
    """

    html: str
    title: str
    images: Mapping[str, Any] = field(default_factory=dict)
    form: bool = False
    mark: str = ""
    shared: bool = False

    @property
    def document(self) -> Part:
        return Part(self.html, self.title, self.mark)

    @property
    def said(self) -> str:
        """All that its PDF depends on: the address of a picture tells what it shows."""
        return repr((self.html, self.title, self.form, self.mark))

    def write(self) -> PdfResult:
        """The document's PDF. Raises what `write_pdf` raises."""
        return write_pdf(self.html, title=self.title, images=self.images, form=self.form, mark=self.mark)


@dataclass(frozen=True)
class Together:
    """A document, or several that one layout is enough for. whole: what holds all that they show."""

    whole: PdfJob
    parts: tuple[PdfJob, ...]

    @property
    def kind(self) -> str:
        """What it shares a layout with."""
        return kind_of([part.document for part in self.parts])

    @classmethod
    def kept(cls, parts: Sequence[PdfJob]) -> list[PdfResult] | None:
        """The parts' PDFs from a layout that was kept, a single one's as it is; None if there is none."""
        if parts[0].shared:
            return Layouts.of_user().write([part.document for part in parts], parts[-1].images)
        return Layouts.of_user().finished(parts[0].said)

    def paginate(self) -> list[PdfResult] | None:
        """Lays out the whole, keeps that, and gives the parts' PDFs; None where that cannot be."""
        with contextlib.suppress(PdfUnavailable):
            documents = [part.document for part in self.parts]
            return Layouts.of_user().paginate(self.whole.document, documents, self.whole.images)
        return None

    def write(self) -> list[PdfResult]:
        """The parts' PDFs. Raises what `write_pdf` raises."""
        if self.parts[0].shared:
            return self.paginate() or [part.write() for part in self.parts]
        result = self.parts[0].write()
        Layouts.of_user().finish(self.parts[0].said, result)
        return [result]


class ThisProcess(Executor):
    """Does what it is told at once, here."""

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """A future that is done."""
        done: Future[R] = Future()
        try:
            done.set_result(fn(*args, **kwargs))
        except Exception as error:
            done.set_exception(error)
        return done


def helpers(processes: int = 2, most_jobs: int | None = None, *, prints: bool = True) -> Executor:
    """Processes that make PDFs; they begin to load at once. Without any, or for 0, this process.

    most_jobs: after so many a process ends, and gives its memory back. prints: otherwise each begins with
    nothing loaded, and does not wait for the PDF library.
    """
    if processes:
        with contextlib.suppress(ImportError, NotImplementedError, OSError):
            forks = COPIES_ITSELF and prints
            context = multiprocessing.get_context("forkserver" if forks else "spawn")
            if forks:
                _start_fork_server()
            return ProcessPoolExecutor(
                processes, context, _begin_helping, (prints,), max_tasks_per_child=most_jobs
            )
    return ThisProcess()


def copies(processes: int, *, load: bool = True) -> Executor:
    """Helpers that begin as copies of this process, so that nothing is loaded twice; else as `helpers`.

    load: the PDF library, too; otherwise each loads it when it needs it.
    """
    if processes and COPIES_ITSELF:
        with contextlib.suppress(ImportError, NotImplementedError, OSError):
            context = multiprocessing.get_context("fork")
            if load:
                with contextlib.suppress(PdfUnavailable):
                    weasyprint()
            return ProcessPoolExecutor(processes, context, _begin_helping, (False,))
    return helpers(processes)


@dataclass
class Begun:
    """What was handed over: documents, and who makes them; nobody as long as all are busy."""

    work: Together
    made: Future[list[PdfResult]] | None = None

    def results(self) -> list[PdfResult]:
        """Their PDFs, made here if whoever should have made them died."""
        try:
            if self.made is not None:
                return self.made.result()
        except (BrokenExecutor, EOFError):
            pass
        return self.work.write()


class Printers:
    """The documents of one run, made by helpers and, where a core is left, by this process.

    A job goes off as soon as it is begun, so that the next document can be rendered meanwhile, if a helper is
    free; one whose layout is kept is written here. A large document and all that come after it are made one
    by one. processes: of helpers. executor: makes all of them. run: a name of what is made; if it was made
    before, no helper is started before one is needed. Otherwise they load the libraries while this process
    calculates: more work in all, and a shorter wait.
    """

    def __init__(self, processes: int = 2, executor: Executor | None = None, run: str = "") -> None:
        self._processes, self._run = processes, run
        loaded = COPIES_ITSELF and ("weasyprint" in sys.modules or CORES == 1)
        later = loaded or executor is not None or Layouts.of_user().knows(run)
        self._executor = executor if later else helpers(processes)
        self._may_start = executor is None and processes > 0
        self._one_by_one: Executor | None = None
        self._begun: list[Begun] = []
        self._prepared: Future[Any] | None = None

    def __enter__(self) -> Printers:
        return self

    def __exit__(self, *_: object) -> None:
        for executor in (self._executor, self._one_by_one):
            if executor is not None:
                executor.shutdown(cancel_futures=True)

    def begin(self, job: PdfJob) -> None:
        """Hands a job over, with the pictures known by now: it is read while more are made."""
        self.begin_together([job], lambda: job)

    def prepare(self, job: PdfJob) -> None:
        """Has a layout made and kept that the next job is written with, if it has the same tags."""
        job = replace(job, images=dict(job.images))
        if Layouts.of_user().folder and Together.kept((job,)) is None:
            with contextlib.suppress(BrokenExecutor, OSError):
                work = Together(job, (job,))
                self._prepared = self._executor_for(job).submit(Together.paginate, work)

    def begin_together(self, jobs: Sequence[PdfJob], whole: Callable[[], PdfJob]) -> Begun:
        """Hands over jobs that one layout is enough for. whole: makes it, where none is kept."""
        images = dict(jobs[-1].images)
        parts = tuple(replace(job, images=images) for job in jobs)
        if self._prepared is not None:
            wait([self._prepared])
            self._prepared = None
        if (results := Together.kept(parts)) is not None:
            begun = Begun(Together(parts[0], parts), ThisProcess().submit(lambda: results))
        else:
            begun = Begun(Together(whole(), parts))
            executor = self._executor_for(begun.work.whole)
            if self._is_free(executor):
                _submit(begun, executor)
        self._begun.append(begun)
        return begun

    def _executor_for(self, job: PdfJob) -> Executor:
        if self._one_by_one is None and self._may_start and len(job.html) > _LARGE:
            self._one_by_one = helpers(1, most_jobs=1)
        if self._one_by_one is not None:
            return self._one_by_one
        if self._executor is None:
            self._executor = copies(self._processes)
        return self._executor

    def _is_free(self, executor: Executor) -> bool:
        busy = sum(each.made is not None and not each.made.done() for each in self._begun)
        alone = not self._may_start or self._processes >= CORES or executor is self._one_by_one
        return alone or busy < self._processes

    def results_of(self, begun: Begun) -> list[PdfResult]:
        """Its PDFs, as soon as they are there; other jobs stay begun. Raises its error."""
        self._make_waiting(lambda: begun.made is not None and begun.made.done())
        return begun.results()

    def finish(self) -> list[PdfResult]:
        """The PDFs of the jobs begun, in their order. Raises the error of the first job that failed."""
        self._make_waiting(lambda: False)
        begun, self._begun = self._begun, []
        results = [result for each in begun for result in each.results()]
        Layouts.of_user().know(self._run)
        return results

    def _make_waiting(self, is_enough: Callable[[], bool]) -> None:
        """What no helper was free for, by helpers and by this process."""
        waiting = [each for each in self._begun if each.made is None]
        while waiting and not is_enough():
            executor = self._executor_for(waiting[0].work.whole)
            if self._is_free(executor):
                _submit(waiting.pop(0), executor)
            else:
                _submit(waiting.pop(), ThisProcess())

    def write(self, jobs: Sequence[PdfJob]) -> list[PdfResult]:
        """The PDFs of the jobs, in their order."""
        for job in jobs:
            self.begin(job)
        return self.finish()


def _submit(begun: Begun, executor: Executor) -> None:
    write = Together.write if isinstance(executor, ThisProcess) else _write_in_helper
    with contextlib.suppress(BrokenExecutor, OSError):
        begun.made = executor.submit(write, begun.work)


def _write_in_helper(work: Together) -> list[PdfResult]:
    """The parts' PDFs. What a document leaves is collected when another comes, not before its PDF is sent."""
    if not gc.isenabled():
        gc.collect()
    gc.disable()
    return work.write()


def _start_fork_server() -> None:
    """Python 3.11 does not tell it where our modules are."""
    from multiprocessing import forkserver

    forkserver.set_forkserver_preload([_PRELOADED])
    before = os.environ.get("PYTHONPATH", "")
    os.environ["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    try:
        forkserver.ensure_running()
    finally:
        os.environ["PYTHONPATH"] = before


def _begin_helping(load: bool = True) -> None:
    """A helper's first act: whoever started it may interrupt or leave it, and it goes without a word."""
    for number in filter(None, (getattr(signal, name, None) for name in ("SIGINT", "SIGTERM", "SIGHUP"))):
        if signal.getsignal(number) is not signal.SIG_IGN:  # as a copy it has its parent's
            signal.signal(number, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    collect_rarely()
    if load and "weasyprint" not in sys.modules:
        __import__(_PRELOADED)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
    end_without_scratch()
