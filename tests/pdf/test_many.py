"""Several documents at once: the same bytes in any number of processes. Nothing is left: test_helpers."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from generator.output import many
from generator.output.many import PdfJob, PdfResult, Printers
from generator.output.pdf import PdfError
from tests.pdf.documents import page, with_formulas


@pytest.fixture(autouse=True)
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many, "CORES", 2)


def write_many(jobs: Sequence[PdfJob], processes: int = 2) -> list[PdfResult]:
    with Printers(processes) as printers:
        waiting = [printers.begin(job) for job in jobs]
        return [result for made in waiting for result in made()]


def test_two_processes_at_the_same_time_make_the_same_bytes() -> None:
    html, typesetter = with_formulas()
    jobs = [PdfJob(html, title, typesetter.images) for title in "ABC"]
    alone = write_many(jobs, processes=0)
    assert write_many(jobs) == alone
    assert len({result.data for result in alone}) == 3


@pytest.mark.parametrize("bad", [0, 1])
def test_errors_come_back_from_either_process(bad: int) -> None:
    bodies = ["<p>gut</p>", "<p>gut</p>"]
    bodies[bad] = "<img src=file:///x>"
    with pytest.raises(PdfError, match="file:///x"):
        write_many([PdfJob(page(body), "t") for body in bodies])
