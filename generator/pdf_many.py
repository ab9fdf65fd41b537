"""In: several documents. Out: their PDFs, made in two processes at once (half the time on two cores).

The helper is a Python of its own that is told its documents through a pipe; where none can be started,
or if it dies, this process makes everything itself. The bytes are the same either way.
"""

from __future__ import annotations

import contextlib
import io
import os
import pickle
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
    """This process and its helpers. Start it early: the helpers load WeasyPrint meanwhile.

    with Printers() as printers: …; printers.write(jobs)
    """

    def __init__(self, processes: int = 2) -> None:
        helpers = (_Helper.start() for _ in range(processes - 1))
        self._helpers = [helper for helper in helpers if helper is not None]

    def __enter__(self) -> Printers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the helpers that have not ended by themselves."""
        for helper in self._helpers:
            helper.close()
        self._helpers = []

    def write(self, jobs: Sequence[PdfJob]) -> list[PdfResult]:
        """The PDFs of the jobs, in their order. Helpers serve one call; later calls do without.

        Raises the error of the first job that failed.
        """
        shares = _shares([len(job.html) for job in jobs], len(self._helpers) + 1)
        helpers, self._helpers = self._helpers, []
        results: dict[int, PdfResult | Exception] = {}
        try:
            for helper, share in zip(helpers, shares[1:], strict=True):
                helper.tell([jobs[i] for i in share])
            results.update(zip(shares[0], _outcomes([jobs[i] for i in shares[0]]), strict=True))
            for helper, share in zip(helpers, shares[1:], strict=True):
                answers = helper.answers() or _outcomes([jobs[i] for i in share])
                results.update(zip(share, answers, strict=True))
        finally:
            for helper in helpers:
                helper.close()
        return [_good(results[i]) for i in range(len(jobs))]


def write_many(jobs: Sequence[PdfJob], processes: int = 2) -> list[PdfResult]:
    """The PDFs of the jobs, in their order, made in up to this many processes."""
    with Printers(max(1, min(processes, len(jobs)))) as printers:
        return printers.write(jobs)


def serve() -> None:
    """A helper's life: loads WeasyPrint, reads its jobs from stdin, writes their results to stdout."""
    answer_to = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with contextlib.suppress(PdfUnavailable):
        weasyprint()
    with contextlib.suppress(EOFError), answer_to:
        pickle.dump(_outcomes(pickle.load(sys.stdin.buffer)), answer_to)


def _outcomes(jobs: Sequence[PdfJob]) -> list[PdfResult | Exception]:
    return [_outcome(job) for job in jobs]


def _outcome(job: PdfJob) -> PdfResult | Exception:
    try:
        return job.write()
    except Exception as error:
        return error


def _good(outcome: PdfResult | Exception) -> PdfResult:
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


def _shares(sizes: Sequence[int], processes: int) -> list[list[int]]:
    """The jobs' places, dealt out so that the shares are about as long; the longest job first."""
    shares: list[list[int]] = [[] for _ in range(processes)]
    for i in sorted(range(len(sizes)), key=lambda i: -sizes[i]):
        min(shares, key=lambda share: sum(sizes[j] for j in share)).append(i)
    return shares


class _Helper:
    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._told: threading.Thread | None = None

    @classmethod
    def start(cls) -> _Helper | None:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        try:
            return cls(subprocess.Popen([sys.executable, "-c", _SERVE], env=environment, **pipes))  # type: ignore[call-overload]
        except (OSError, ValueError, TypeError):
            return None

    def tell(self, jobs: Sequence[PdfJob]) -> None:
        """Sends the jobs, in the background: the helper may still be loading."""
        self._told = threading.Thread(target=self._feed, args=(pickle.dumps(list(jobs)),), daemon=True)
        self._told.start()

    def _feed(self, message: bytes) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            self._process.stdin.write(message)
            self._process.stdin.close()

    def answers(self) -> list[PdfResult | Exception] | None:
        """The results of the jobs told; None if the helper died."""
        assert self._process.stdout is not None
        message = self._process.stdout.read()
        try:
            answers: list[PdfResult | Exception] = pickle.load(io.BytesIO(message))
        except (EOFError, pickle.UnpicklingError, AttributeError, ImportError):
            return None
        return answers

    def close(self) -> None:
        if self._process.poll() is None and self._told is None:
            self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError, ValueError):
                pipe.close() if pipe else None
        if self._told is not None:
            self._told.join(timeout=10)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=10)
