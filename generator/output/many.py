"""The PDFs of several documents, made by helper processes while the next one is rendered.

Everything that makes PDFs elsewhere speaks `concurrent.futures.Executor`. Helpers load the libraries while
this process calculates; where no process can be started or one is lost, this process makes the PDFs. The
bytes are the same either way.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any, Final

from generator.basics import fonts
from generator.basics.helpers import Helpers, ThisProcess, begun
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


Waiting = Callable[[], list[PdfResult]]
"""Waits for PDFs. Raises their error."""


class Printers:
    """Makes the documents of one run.

    A job goes off as soon as it is begun, so that the next document can be rendered meanwhile. A large one
    and all that come after it are made one by one. processes: of helpers, which load the libraries while this
    process calculates; for 0 this process makes all.
    """

    def __init__(self, processes: int = 2) -> None:
        self._executors = [helpers(min(processes, CORES))]
        self._may_start = processes > 0

    def __enter__(self) -> Printers:
        return self

    def __exit__(self, *_: object) -> None:
        for executor in self._executors:
            executor.shutdown(wait=False, cancel_futures=True)

    def begin(self, work: PdfJob | SameLayout) -> Waiting:
        work = SameLayout(work, (work,)) if isinstance(work, PdfJob) else work
        if self._may_start and len(work.whole.html) > _LARGE:
            self._executors.append(helpers(1, most_jobs=1))
            self._may_start = False
        return begun(self._executors[-1], work.write)
