"""Several documents at once: the same bytes in any number of processes, and nothing left of them."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from generator.basics.helpers import Helpers
from generator.output import many
from generator.output.many import PdfJob, PdfResult, Printers
from generator.output.pdf import PdfError
from tests.pdf.documents import page, with_formulas


def write_many(jobs: Sequence[PdfJob], processes: int = 2) -> list[PdfResult]:
    with Printers(processes) as printers:
        return printers.write(jobs)


def test_two_processes_make_the_same_bytes() -> None:
    html, typesetter = with_formulas()
    jobs = [PdfJob(html, title, typesetter.images) for title in "ABC"]
    alone, together = write_many(jobs, processes=0), write_many(jobs, processes=2)
    assert alone == together
    assert len({result.data for result in alone}) == 3


def test_two_helpers_work_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many, "CORES", 2)
    with Printers(2) as printers:
        for title in "ABCD":
            printers.begin(PdfJob(page(f"<p>{title}</p>"), title))
        executor = printers._executor
        assert isinstance(executor, Helpers)
        assert len(executor._threads) == 2
        assert [result.pages for result in printers.finish()] == [1, 1, 1, 1]


PROGRAM = """
import os, signal, sys
from generator.output.many import PdfJob, Printers
if __name__ == "__main__":
    with Printers() as printers:
        {what}
"""


@pytest.mark.parametrize(
    ("what", "status"),
    [
        ('print(len(printers.write([PdfJob("<!doctype html><html><p>1</p></html>", "t")])))', 0),
        ("pass", 0),
        ('printers.begin(PdfJob("<p>1", "t")); os.kill(os.getpid(), signal.SIGKILL)', -signal.SIGKILL),
    ],
)
def test_helpers_leave_nothing(what: str, status: int, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(PROGRAM.format(what=what))
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    environment = {**os.environ, "TMPDIR": str(scratch), "PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.run([sys.executable, tmp_path / "own.py"], env=environment, check=False, timeout=60)
    assert run.returncode == status
    for _ in range(600):  # they end on their own once nobody wants anything of them and they have loaded
        if not (left := [*scratch.iterdir(), *processes_with(str(scratch))]):
            return
        time.sleep(0.1)
    pytest.fail(f"left: {left}")


def processes_with(variable: str) -> list[str]:
    """The processes in whose environment this stands."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if variable.encode() in (folder / "environ").read_bytes():
                found.append(folder.name)
    return found


@pytest.mark.parametrize("program", ["/nowhere", "/bin/false"])
def test_helpers_that_cannot_start_or_die_are_no_hindrance(
    program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs = [PdfJob(page(f"<p>{name}</p>"), name) for name in "AB"]
    expected = write_many(jobs, processes=0)
    monkeypatch.setattr(sys, "executable", program)
    assert write_many(jobs) == expected


def test_any_executor_will_do() -> None:
    jobs = [PdfJob(page(f"<p>{name}</p>"), name) for name in "AB"]
    with ThreadPoolExecutor(1) as threads, Printers(executor=threads) as printers:
        assert printers.write(jobs) == write_many(jobs, processes=0)


@pytest.mark.parametrize("bad", [0, 1])
def test_errors_come_back_from_either_process(bad: int) -> None:
    bodies = ["<p>gut</p>", "<p>gut</p>"]
    bodies[bad] = "<img src=file:///x>"
    with pytest.raises(PdfError, match="file:///x"):
        write_many([PdfJob(page(body), "t") for body in bodies])


def test_large_documents_are_made_one_by_one_each_in_a_fresh_process(monkeypatch):
    monkeypatch.setattr(many, "_LARGE", 50)
    with Printers(processes=2) as printers:
        for text in ("kurz", "lang" * 20, "auch kurz"):
            printers.begin(PdfJob(page(f"<p>{text}"), "t"))
        alone = printers._one_by_one
        assert isinstance(alone, Helpers)
        assert (len(alone._threads), alone._most_jobs) == (1, 1)
        assert [result.pages for result in printers.finish()] == [1, 1, 1]


def test_large_documents_stay_with_the_executor_that_was_given(monkeypatch):
    monkeypatch.setattr(many, "_LARGE", 50)
    with ThreadPoolExecutor(1) as given, Printers(executor=given) as printers:
        printers.begin(PdfJob(page("<p>" + "lang" * 20), "t"))
        assert printers._one_by_one is None
        assert [result.pages for result in printers.finish()] == [1]
