"""The PDFs of several documents, made by helper processes while the next one is rendered.

Everything that makes PDFs elsewhere speaks `concurrent.futures.Executor`. Helpers load the libraries while
this process calculates; where no process can be started or one is lost, this process makes the PDFs. The
bytes are the same either way.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from dataclasses import dataclass, field, replace
from typing import Any, Final

from generator.basics import fonts
from generator.basics.helpers import Helpers, ThisProcess
from generator.output.machine import CORES
from generator.output.pdf import PdfResult, PdfUnavailable, write_pdf
from generator.output.shared.metrics import face
from generator.output.shared.shared_layout import NotShared, SharedLayout

_LARGE: Final = 1_200_000  # letters of a document from which two at once would take more than 2 GB


@dataclass(frozen=True)
class PdfJob:
    """One document for `write_pdf`. form: its blanks are fields. mark: of the sheet, on each page."""

    html: str
    title: str
    images: Mapping[str, Any] = field(default_factory=dict)
    form: bool = False
    mark: str = ""

    def write(self) -> PdfResult:
        """The document's PDF. Raises what `write_pdf` raises."""
        return write_pdf(self.html, title=self.title, images=self.images, form=self.form, mark=self.mark)


@dataclass(frozen=True)
class SameLayout:
    """Documents that one layout is enough for. whole: what holds all that they show."""

    whole: PdfJob
    parts: tuple[PdfJob, ...]

    def write(self) -> list[PdfResult]:
        """The parts' PDFs. Raises what `write_pdf` raises."""
        return self.lay_out()[1]

    def lay_out(self) -> tuple[SharedLayout | None, list[PdfResult]]:
        """The layout of the whole and the parts' PDFs; None where each part has to be laid out by itself."""
        if len(self.parts) > 1:
            with contextlib.suppress(NotShared):
                layout = SharedLayout.of(self.whole.html, self.whole.images, title=self.whole.title)
                return layout, written_with(layout, self.parts)
        return None, [part.write() for part in self.parts]


def written_with(layout: SharedLayout, parts: Sequence[PdfJob]) -> list[PdfResult]:
    """The PDFs of a sheet's documents. Raises NotShared."""
    images = parts[-1].images
    return [layout.result(part.html, images, title=part.title, mark=part.mark) for part in parts]


def helpers(number: int = 2, most_jobs: int = 0) -> Executor:
    """Processes that make PDFs; they begin to load at once. For 0 this process."""
    return Helpers(number, f"{__name__}:load", most_jobs=most_jobs) if number else ThisProcess()


def load() -> None:
    """Loads all that a document needs: a helper's first act."""
    with contextlib.suppress(PdfUnavailable):
        write_pdf("<!doctype html><html><body><p>1</p></body></html>", title="")
        for file in (fonts.folder() / "pdf").glob("*.ttf"):
            face(file.read_bytes())


@dataclass(frozen=True)
class Submitted:
    """Documents that were handed over. made: None where no helper was left for them."""

    work: SameLayout
    made: Future[list[PdfResult]] | None

    def results(self) -> list[PdfResult]:
        """Their PDFs, made here if whoever should have made them died. Raises their error."""
        with contextlib.suppress(BrokenExecutor):
            if self.made is not None:
                return self.made.result()
        return self.work.write()


class Printers:
    """Makes the documents of one run.

    A job goes off as soon as it is begun, so that the next document can be rendered meanwhile. A large one
    and all that come after it are made one by one. processes: of helpers, which load the libraries while this
    process calculates; for 0 this process makes all. executor: makes all instead of them.
    """

    def __init__(self, processes: int = 2, executor: Executor | None = None) -> None:
        self._executor = executor or helpers(min(processes, CORES))
        self._may_start = executor is None and processes > 0
        self._one_by_one: Executor | None = None
        self._begun: list[Submitted] = []

    def __enter__(self) -> Printers:
        return self

    def __exit__(self, *_: object) -> None:
        for executor in (self._executor, self._one_by_one):
            if executor is not None:
                executor.shutdown(wait=False, cancel_futures=True)

    def begin(self, job: PdfJob) -> None:
        """Hands a job over, with the pictures known by now: it is read while more are made."""
        job = replace(job, images=dict(job.images))
        self.submit(SameLayout(job, (job,)))

    def submit(self, work: SameLayout) -> Submitted:
        """Hands over documents that one layout is enough for."""
        if self._one_by_one is None and self._may_start and len(work.whole.html) > _LARGE:
            self._one_by_one = helpers(1, most_jobs=1)
        executor, made = self._one_by_one or self._executor, None
        write = SameLayout.write if isinstance(executor, ThisProcess) else _write_in_helper
        with contextlib.suppress(BrokenExecutor, OSError):
            made = executor.submit(write, work)
        self._begun.append(Submitted(work, made))
        return self._begun[-1]

    def finish(self) -> list[PdfResult]:
        """The PDFs of the jobs begun, in their order. Raises the error of the first job that failed."""
        begun, self._begun = self._begun, []
        return [result for each in begun for result in each.results()]

    def write(self, jobs: Sequence[PdfJob]) -> list[PdfResult]:
        """The PDFs of the jobs, in their order."""
        for job in jobs:
            self.begin(job)
        return self.finish()


def _write_in_helper(work: SameLayout) -> list[PdfResult]:
    """The parts' PDFs. What a document leaves is collected when another comes, not before its PDF is sent."""
    if not gc.isenabled():
        gc.collect()
    gc.disable()
    return work.write()
