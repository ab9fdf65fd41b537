"""Reads files of scans and joins their pages to papers; says what it made of every page."""

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

from generator.basics.errors import UserError, in_words, quoted
from generator.basics.reading import confined
from generator.reading import scan
from generator.reading.blank_map import PrintedSheet
from generator.reading.papers import Class, Field, Paper
from generator.reading.scan import LARGEST_FILE, may_have_pages

_AT_ONCE: Final = 5  # pages of one process, which has 30 seconds for them
_FAULTS: Final = {
    "unmarked": "hat keine Marke, die sich lesen lässt: ein fremdes Blatt, oder oben rechts verdeckt.",
    "coarse": "ist zu grob aufgenommen; nötig sind mindestens 150 Punkte je Zoll (dpi).",
    "dark": "ist zu dunkel oder zu blass.",
    "cropped": "ist abgeschnitten: Von den vier Quadraten in den Ecken sind weniger als drei zu sehen.",
}
_TOO_MUCH: Final = "lässt sich nicht lesen: Dazu wäre mehr Speicher oder Zeit nötig, als ein Scan braucht"
_MOST_TOO_MUCH: Final = 3  # pages of one file; then it is left
_LEFT: Final = "und die folgenden bleiben ungelesen: Zu viele brauchen zu viel Speicher oder Zeit"
_FEW: Final = 3
Tell = Callable[[int, int], None]


def collect(
    files: Sequence[Path], sheets: Sequence[PrintedSheet], names: Mapping[int, str], tell: Tell
) -> Class:
    """All papers in the files. names: of a class set's pupils by number. tell: pages done, of how many.

    Files that cannot be read are noted and the others read.
    """
    known, by_mark = _known(sheets), {(sheet.mark, sheet.number): sheet for sheet in sheets}
    read = Class()
    wanted: list[tuple[Path, int]] = []
    for path in files:
        try:
            wanted += [(path, number) for number in range(_counted(path))]
        except UserError as error:
            read.notes.append(f"{quoted(path.name)} {error}.")
    jobs = [wanted[first : first + _AT_ONCE] for first in range(0, len(wanted), _AT_ONCE)]
    several = {path for path, number in wanted if number}
    joined, tried, done = _Joined(read, by_mark, names), Counter[Path](), 0
    with ThreadPoolExecutor(max(1, min(4, os.cpu_count() or 1))) as threads:
        results = threads.map(lambda job: _read(job, known, tried), jobs)
        for job, pages in zip(jobs, results, strict=True):
            for (path, number), found in zip(job, pages, strict=True):
                where = f"{quoted(path.name)}, Seite {number + 1}" if path in several else quoted(path.name)
                joined.add(path, where, found)
            done += len(job)
            tell(done, len(wanted))
    joined.finish()
    return read


def _known(sheets: Sequence[PrintedSheet]) -> dict[str, Any]:
    maps: list[dict[str, Any]] = []
    places: dict[int, int] = {}
    for sheet in sheets:
        if id(sheet.blanks) not in places:
            places[id(sheet.blanks)] = len(maps)
            maps.append({"format": sheet.size, "felder": [list(blank) for blank in sheet.blanks]})
    listed = {f"{sheet.mark}{sheet.number:04}": places[id(sheet.blanks)] for sheet in sheets}
    return {"karten": maps, "blaetter": listed}


def _counted(path: Path) -> int:
    if not path.is_file():
        raise UserError("gibt es nicht")
    if path.stat().st_size > LARGEST_FILE:
        raise UserError(f"hat mehr als {LARGEST_FILE // 1_000_000} MB")
    if not may_have_pages(path):
        return 1
    try:
        return int(confined(scan.count, "Die Datei", str(path.resolve()).encode()))
    except UserError as error:
        too_much = str(error).startswith("Die Datei")  # the words of `confined`
        raise UserError(_TOO_MUCH if too_much else str(error)) from error


def _read(wanted: Sequence[tuple[Path, int]], known: Mapping[str, Any], tried: Counter[Path]) -> list[Any]:
    """What is on some pages; one by one where they do not go together. A list, or why not, for each.

    tried: how many pages of a file were too much.
    """
    if all(tried[path] >= _MOST_TOO_MUCH for path, _ in wanted):
        return [_LEFT] * len(wanted)
    try:
        pages = [(str(path.resolve()), number) for path, number in wanted]
        return list(confined(scan.read_pages, "Die Datei", b"", pages, known))
    except UserError:  # too much; what else may be wrong is said of each page
        if len(wanted) == 1:
            tried[wanted[0][0]] += 1
            return [_TOO_MUCH]
    return [said for each in wanted for said in _read([each], known, tried)]


class _Joined:
    """Papers, page by page as they come."""

    def __init__(
        self, read: Class, sheets: Mapping[tuple[str, int], PrintedSheet], names: Mapping[int, str]
    ) -> None:
        self._read, self._sheets, self._names = read, sheets, names
        self._of_set: dict[tuple[str, int], Paper] = {}
        self._now: dict[str, tuple[Paper, Path]] = {}  # the copy of a sheet that pages are added to
        self._count = 0
        self._blank: list[str] = []
        self._left: set[Path] = set()

    def add(self, path: Path, where: str, found: list[dict[str, Any]] | str) -> None:
        """What is on one page of a file: pages of sheets, or why it could not be read."""
        if isinstance(found, str):
            if found != _LEFT or path not in self._left:
                self._read.notes.append(f"{where} {found}.")
            self._left |= {path} if found == _LEFT else set()
            return
        for page in found:
            if page["fault"] == "foreign":
                said = f"gehört zu Blatt {page['mark'][0]}, das hier nicht dabei ist."
                self._read.notes.append(f"{where} {said}")
            elif page["fault"] == "blank":
                self._blank.append(where)
            elif page["fault"]:
                self._read.notes.append(f"{where} {_FAULTS[page['fault']]}")
            else:
                self._page(path, where, page)

    def _page(self, path: Path, where: str, page: dict[str, Any]) -> None:
        mark, number, place = page["mark"]
        paper = self._paper(path, mark, number, place)
        if place in paper.pages:
            self._read.notes.append(f"{where} ist doppelt: Seite {place} von {_called(paper)} war schon da.")
            return
        paper.pages.append(place)
        if not paper.head or place == 1:
            paper.head = page.get("head", paper.head)
        paper.fields += [
            Field(box["cell"], place, box["guesses"], box["crop"], box["settled"], box["ink"])
            for box in page["boxes"]
        ]

    def _paper(self, path: Path, mark: str, number: int, place: int) -> Paper:
        sheet = self._sheets[mark, number]
        if number:
            if (mark, number) not in self._of_set:
                made = self._new(sheet, str(number), self._names.get(number, ""))
                self._of_set[mark, number] = made
            return self._of_set[mark, number]
        paper, of = self._now.get(mark, (None, path))
        another = path != of and path.suffix.lower() == ".pdf"  # a photo is one page, a PDF more
        if paper is None or another or place in paper.pages:
            self._count += 1
            paper = self._new(sheet, str(self._count), "")
        self._now[mark] = (paper, path)
        return paper

    def _new(self, sheet: PrintedSheet, label: str, name: str) -> Paper:
        paper = Paper(label, name, sheet.mark, sheet.number, sheet.calculation)
        self._read.papers.append(paper)
        return paper

    def finish(self) -> None:
        """Sorts, and says which pages and which papers lack."""
        if len(self._blank) > _FEW:  # the backs of a class set
            self._read.notes.append(f"{len(self._blank)} Seiten sind leer, als erste {self._blank[0]}.")
        else:
            self._read.notes += [f"{where} ist leer." for where in self._blank]
        self._read.papers.sort(key=lambda paper: int(paper.label))
        for paper in self._read.papers:
            asking = self._sheets[paper.mark, paper.number].asking
            if lacking := [page for page in asking if page not in paper.pages]:
                which = "die Seite" if len(lacking) == 1 else "die Seiten"
                verb = "fehlt" if len(lacking) == 1 else "fehlen"
                lost = f"Bei {_called(paper)} {verb} {which} {in_words(lacking)}"
                self._read.notes.append(f"{lost}; ihre Felder zählen als leer.")
            paper.fields.sort(key=lambda each: each.page)
            paper.pages.sort()
        of_set = sorted(number for _, number in self._sheets if number)
        there = {paper.number for paper in self._read.papers}
        absent = [number for number in of_set if number not in there]
        if 0 < len(absent) < len(of_set):
            self._read.notes.append(f"Ganz fehlen die Blätter {in_words(absent)}.")


def _called(paper: Paper) -> str:
    return f"Blatt {paper.label}" + (f" ({paper.name})" if paper.name else "")
