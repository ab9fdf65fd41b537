"""What the page asks of its workers, by name: they import `work` and NumPy, the page itself does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


def warm_up_worker() -> None:
    from generator.page import work

    work.warm_up()


def preview_in_worker(order: Mapping[str, Any]) -> dict[str, Any]:
    from generator.page import work

    return work.preview(order)


def sheet_in_worker(order: Mapping[str, Any], folder: Path) -> None:
    from generator.page import work

    work.make_sheet(order, folder)


def class_set_in_worker(order: Mapping[str, Any], folder: Path, computers: str) -> None:
    from generator.page import work

    work.make_class_set(order, folder, computers)


def open_in_worker(source: Mapping[str, str]) -> dict[str, Any]:
    from generator.page import reviewing

    return reviewing.opened(source)


def check_in_worker(source: Mapping[str, str], written: Any) -> dict[str, Any]:
    from generator.page import reviewing

    return reviewing.checked(source, written)


def read_in_worker(source: Mapping[str, str], name: str, content: bytes) -> list[list[Any]]:
    from generator.page import reviewing

    return reviewing.read_file(source, name, content)


def class_files_in_worker(source: Mapping[str, str], files: Sequence[tuple[str, bytes]]) -> dict[str, Any]:
    from generator.page import class_papers

    return class_papers.class_result(source, files)


def lesson_in_worker(source: Mapping[str, str]) -> dict[str, Any]:
    from generator.page.lesson import judging

    return judging.exercises(source)


def judge_in_worker(source: Mapping[str, str], papers: Mapping[str, Any], named: bool) -> dict[str, Any]:
    from generator.page.lesson import judging

    return judging.judged(source, papers, named)


def class_in_worker(source: Mapping[str, str], papers: Mapping[str, Any]) -> dict[str, str]:
    from generator.page.lesson import judging

    return judging.class_result(source, papers)
