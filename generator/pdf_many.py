"""In: several documents. Out: their PDFs, made in helper processes while the next one is rendered.

A helper is a Python of its own that is told its documents through a pipe; where none can be started,
or if it dies, this process makes everything itself. The bytes are the same either way.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from generator.pdf import PdfResult, write_pdf
from generator.pdf_machine import PdfUnavailable, weasyprint

_SERVE = "from generator.pdf_many import serve; serve()"


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
        helpers = (_Helper.start() for _ in range(processes))
        self._helpers = [helper for helper in helpers if helper is not None]
        self._begun: list[tuple[PdfJob, _Helper | None]] = []

    def __enter__(self) -> Printers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the helpers."""
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


def serve() -> None:
    """A helper's life: loads WeasyPrint, reads jobs from stdin, writes each result to stdout."""
    answer_to = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with contextlib.suppress(PdfUnavailable):
        weasyprint()
    with contextlib.suppress(EOFError, BrokenPipeError), answer_to:
        while True:
            pickle.dump(_outcome(pickle.load(sys.stdin.buffer)), answer_to)
            answer_to.flush()


def _outcome(job: PdfJob) -> PdfResult | Exception:
    try:
        return job.write()
    except Exception as error:
        return error


def _good(outcome: PdfResult | Exception) -> PdfResult:
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


class _Helper:
    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._jobs: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._feeder: threading.Thread | None = None
        self.load = 0

    @classmethod
    def start(cls) -> _Helper | None:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        try:
            return cls(subprocess.Popen([sys.executable, "-c", _SERVE], env=environment, **pipes))  # type: ignore[call-overload]
        except (OSError, ValueError, TypeError):
            return None

    def tell(self, job: PdfJob) -> None:
        """Sends a job, in the background: the helper may still be loading."""
        if self._feeder is None:
            self._feeder = threading.Thread(target=self._feed, daemon=True)
            self._feeder.start()
        self.load += len(job.html)
        self._jobs.put(pickle.dumps(job))

    def end(self) -> None:
        """No further job comes."""
        if self._feeder is not None:
            self._jobs.put(None)

    def _feed(self) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError), self._process.stdin as pipe:
            while (message := self._jobs.get()) is not None:
                pipe.write(message)
                pipe.flush()

    def answer(self) -> PdfResult | Exception | None:
        """The result of the next job told; None if the helper died."""
        assert self._process.stdout is not None
        try:
            answer: PdfResult | Exception = pickle.load(self._process.stdout)
        except (EOFError, OSError, ValueError, pickle.UnpicklingError, AttributeError, ImportError):
            return None
        return answer

    def close(self) -> None:
        """Ends the process; one that still works on jobs is not waited for."""
        self.end()
        if self._process.poll() is None:
            self._process.kill()
        if self._feeder is not None:
            self._feeder.join(timeout=10)
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError, ValueError):
                pipe.close() if pipe else None
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=10)
