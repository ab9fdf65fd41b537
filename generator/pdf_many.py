"""In: several documents. Out: their PDFs, made in helper processes while the next one is rendered.

A helper is a Python of its own that is told its documents through a pipe; where none can be started,
or if it dies, this process makes everything itself. The bytes are the same either way.
Loading WeasyPrint takes as long as laying out ten pages: on Linux one process loads it and forks the others.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import IO, Any, Final

from generator.pdf import PdfResult, write_pdf
from generator.pdf_machine import PdfUnavailable, forget_scratch

_FORKS: Final = sys.platform == "linux"  # elsewhere the text libraries do not bear it
_SERVE: Final = "import sys; from generator.pdf_many import serve; serve(*map(int, sys.argv[1:]))"


@dataclass(frozen=True)
class PdfJob:
    """One document for `write_pdf`."""

    html: str
    title: str
    images: Mapping[str, Any] = field(default_factory=dict)
    pdf_variant: str = "pdf/ua-1"

    def write(self) -> PdfResult:
        """The document's PDF. Raises what `write_pdf` raises."""
        return write_pdf(self.html, title=self.title, images=self.images, pdf_variant=self.pdf_variant)


class Printers:
    """Helper processes that make PDFs. Start them early: they load WeasyPrint meanwhile.

    with Printers() as printers: printers.begin(job); …; printers.finish()

    A job goes to a helper as soon as it is begun, so that the next document can be rendered meanwhile.
    Without helpers (none could be started, or one died) this process makes the PDFs itself.
    """

    def __init__(self, processes: int = 2) -> None:
        groups = [processes] if _FORKS else [1] * processes
        self._helpers = list(chain.from_iterable(_start(count) for count in groups))
        self._begun: list[tuple[PdfJob, _Helper | None]] = []

    def __enter__(self) -> Printers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the helpers; one that still works is not waited for."""
        for helper in self._helpers:
            helper.end()
        for helper in self._helpers:
            helper.close()
        self._helpers = []

    def begin(self, job: PdfJob) -> None:
        """Hands a job to the helper with the least to do."""
        helper = min(self._helpers, key=lambda helper: helper.load, default=None)
        if helper is not None:
            helper.tell(job)
        self._begun.append((job, helper))

    def finish(self) -> list[PdfResult]:
        """The PDFs of the jobs begun, in their order. Raises the error of the first job that failed."""
        begun, self._begun = self._begun, []
        for helper in self._helpers:
            helper.end()
        outcomes = [(helper.answer() if helper else None) or _outcome(job) for job, helper in begun]
        self.close()
        return [_good(outcome) for outcome in outcomes]

    def write(self, jobs: Sequence[PdfJob]) -> list[PdfResult]:
        """The PDFs of the jobs, in their order."""
        for job in jobs:
            self.begin(job)
        return self.finish()


def write_many(jobs: Sequence[PdfJob], processes: int = 2) -> list[PdfResult]:
    """The PDFs of the jobs, in their order, made in up to this many processes."""
    with Printers(min(processes, len(jobs)) if processes > 1 else 0) as printers:
        return printers.write(jobs)


def serve(*pipes: int) -> None:
    """The life of one helper or several: loads WeasyPrint, reads jobs, writes each result.

    pipes: for every helper the pipe of its jobs and the one of its results; the process forks for the second
    helper on, each of which keeps its own two pipes only, so that a helper's end can be seen.
    """
    pairs = list(zip(pipes[::2], pipes[1::2], strict=True))
    children: list[int] = []
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        with contextlib.suppress(PdfUnavailable):
            write_pdf("<p>1</p>", title="")  # loads everything that a first page needs
        while len(pairs) > 1:
            if child := os.fork():
                children.append(child)
                _close(pairs.pop())
            else:
                _close(*pairs[:-1])
                pairs, children = pairs[-1:], [0]
        _work(*pairs[0])
    except BaseException:
        for child in filter(None, children):
            os.kill(child, signal.SIGTERM)
    finally:
        if children != [0]:
            for child in children:
                os.waitpid(child, 0)
            forget_scratch()
        os._exit(0)  # at once: taking the libraries apart would take longer than a page


def _work(jobs: int, results: int) -> None:
    """Makes each job that is told, until no more come or nobody reads the results."""
    with (
        contextlib.suppress(EOFError, OSError),
        os.fdopen(jobs, "rb") as told,
        os.fdopen(results, "wb") as out,
    ):
        while True:
            pickle.dump(_outcome(pickle.load(told)), out)
            out.flush()


def _close(*pairs: tuple[int, int]) -> None:
    for end in chain.from_iterable(pairs):
        os.close(end)


def _outcome(job: PdfJob) -> PdfResult | Exception:
    try:
        return job.write()
    except Exception as error:
        return error


def _good(outcome: PdfResult | Exception) -> PdfResult:
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


def _start(count: int) -> list[_Helper]:
    """So many helpers in one process; none where it cannot be started."""
    if not count:
        return []
    job_pipes, result_pipes = ([os.pipe() for _ in range(count)] for _ in range(2))
    theirs = [
        end for jobs, results in zip(job_pipes, result_pipes, strict=True) for end in (jobs[0], results[1])
    ]
    ours = [(os.fdopen(jobs[1], "wb"), os.fdopen(results[0], "rb"))
            for jobs, results in zip(job_pipes, result_pipes, strict=True)]  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    command = [sys.executable, "-c", _SERVE, *map(str, theirs)]
    nothing = subprocess.DEVNULL
    try:
        process = subprocess.Popen(
            command, env=environment, pass_fds=theirs, stdin=nothing, stdout=nothing, stderr=nothing
        )
    except (OSError, ValueError, TypeError):
        for pipe in chain.from_iterable(ours):
            pipe.close()
        return []
    finally:
        for end in theirs:
            os.close(end)
    return [_Helper(process, jobs, results) for jobs, results in ours]


class _Helper:
    def __init__(self, process: subprocess.Popen[bytes], told: IO[bytes], results: IO[bytes]) -> None:
        self._process = process
        self._told = told
        self._results = results
        self._jobs: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._feeder: threading.Thread | None = None
        self.load = 0  # how much it was given to do
        self._expected = 0  # results that are still to come

    def tell(self, job: PdfJob) -> None:
        """Sends a job, in the background: the helper may still be loading."""
        if self._feeder is None:
            self._feeder = threading.Thread(target=self._feed, daemon=True)
            self._feeder.start()
        self.load += len(job.html)
        self._expected += 1
        self._jobs.put(pickle.dumps(job))

    def end(self) -> None:
        """No further job comes."""
        if self._feeder is not None:
            self._jobs.put(None)
        else:
            self._told.close()

    def _feed(self) -> None:
        with contextlib.suppress(OSError, ValueError), self._told as pipe:
            while (message := self._jobs.get()) is not None:
                pipe.write(message)
                pipe.flush()

    def answer(self) -> PdfResult | Exception | None:
        """The result of the next job told; None if the helper died."""
        try:
            answer: PdfResult | Exception = pickle.load(self._results)
        except (EOFError, OSError, ValueError, pickle.UnpicklingError, AttributeError, ImportError):
            return None
        self._expected -= 1
        return answer

    def close(self) -> None:
        """Ends the process after `end`, and lets go of it."""
        if self._expected and self._process.poll() is None:
            self._process.terminate()
        if self._feeder is not None:
            self._feeder.join(timeout=10)
        for pipe in (self._told, self._results):
            with contextlib.suppress(OSError, ValueError):
                pipe.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=10)
