"""Reads files of scans and joins their pages to the papers of a class; says what it made of every page.

Reading takes minutes and knows no class; joining takes a moment, to whatever was read and reviewed by then.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from typing import Any, Final

from generator.basics.errors import UserError, in_words, quoted
from generator.basics.reading import confined
from generator.reading import scan
from generator.reading.blank_map import PrintedSheet
from generator.reading.papers import Class, ReadBlank, ReadPaper
from generator.reading.scan import LARGEST_FILE, may_have_pages

_AT_ONCE: Final = 5  # pages of one process, which has 30 seconds for them
_FAULTS: Final = {
    "unmarked": "hat keine Marke, die sich lesen lässt: ein fremdes Blatt, oder oben rechts verdeckt. "
    "Nennen Sie mit --mit allein Ihr Blatt, dann wird die Seite an ihren Kästen erkannt.",
    "coarse": "ist zu grob aufgenommen; nötig sind mindestens 150 Punkte je Zoll (dpi).",
    "dark": "ist zu dunkel oder zu blass.",
    "cropped": "ist abgeschnitten: Von den vier Quadraten in den Ecken sind weniger als drei zu sehen.",
}
_TOO_MUCH: Final = "lässt sich nicht lesen: Dazu wäre mehr Speicher oder Zeit nötig, als ein Scan braucht"
_MOST_TOO_MUCH: Final = 3  # pages of one file; then it is left
_LEFT: Final = "und die folgenden bleiben ungelesen: Zu viele brauchen zu viel Speicher oder Zeit"
_FEW: Final = 3
_EMPTY: Final = "ist eine leere Datei"
Tell = Callable[[int, int], None]


@dataclass
class Collected:
    """What is on the pages of some files: file, what a person calls the page, sheets on it or why it is none.

    notes: sentences on files that cannot be read.
    """

    pages: list[tuple[Path, str, list[dict[str, Any]] | str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def collect(
    files: Sequence[Path],
    sheets: Sequence[PrintedSheet],
    tell: Tell,
    called: Callable[[Path], str] = attrgetter("name"),
    named: tuple[str, int] | None = None,
) -> Collected:
    """All pages in the files. tell: pages done, of how many. called: what a person calls a file.
    named: the sheet that pages without a code are of.

    Files that cannot be read are noted and the others read.
    """
    known, collected = _known(sheets, named), Collected()
    wanted: list[tuple[Path, int]] = []
    for path in files:
        try:
            wanted += [(path, number) for number in range(_counted(path))]
        except UserError as error:
            collected.notes.append(f"{quoted(called(path))} {error}.")
    jobs = [wanted[first : first + _AT_ONCE] for first in range(0, len(wanted), _AT_ONCE)]
    several = {path for path, number in wanted if number}
    tried, done = Counter[Path](), 0
    with ThreadPoolExecutor(max(1, min(4, os.cpu_count() or 1))) as threads:
        results = threads.map(lambda job: _read(job, known, tried), jobs)
        for job, pages in zip(jobs, results, strict=True):
            for (path, number), found in zip(job, pages, strict=True):
                name = quoted(called(path))
                where = f"{name}, Seite {number + 1}" if path in several else name
                collected.pages.append((path, where, found))
            done += len(job)
            tell(done, len(wanted))
    return collected


def join(read: Class, collected: Collected, sheets: Sequence[PrintedSheet], names: Mapping[int, str]) -> int:
    """Adds the pages to the papers of a class; nothing that is there changes. How many are of the sheets.

    names: of a class set's pupils by number.
    """
    joined = _Joined(read, {(sheet.mark, sheet.number): sheet for sheet in sheets}, names)
    joined.notes += collected.notes
    for page in collected.pages:
        joined.add(*page)
    joined.finish()
    return joined.found


def _known(sheets: Sequence[PrintedSheet], named: tuple[str, int] | None) -> dict[str, Any]:
    maps: list[dict[str, Any]] = []
    places: dict[int, int] = {}
    for sheet in sheets:
        if id(sheet.blanks) not in places:
            places[id(sheet.blanks)] = len(maps)
            blanks = [list(blank) for blank in sheet.blanks]
            maps.append({"format": sheet.size, "marken": list(sheet.marks), "felder": blanks})
    listed = {f"{sheet.mark}{sheet.number:04}": places[id(sheet.blanks)] for sheet in sheets}
    return {"karten": maps, "blaetter": listed, "genannt": named and f"{named[0]}{named[1]:04}"}


def _counted(path: Path) -> int:
    if not path.is_file():
        raise UserError("gibt es nicht")
    if not path.stat().st_size:
        raise UserError(_EMPTY)
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
        self._before = list(read.papers)
        self._of_set = {(each.mark, each.number): each for each in reversed(read.papers) if each.number}
        self._now: dict[str, tuple[ReadPaper, Path]] = {}  # the copy of a sheet that pages are added to
        self._count = max((int(each.label.split()[0]) for each in read.papers if not each.number), default=0)
        self._blank: list[str] = []
        self._left: set[Path] = set()
        self.found = 0
        self.notes: list[str] = []

    def add(self, path: Path, where: str, found: list[dict[str, Any]] | str) -> None:
        """What is on one page of a file: pages of sheets, or why it could not be read."""
        if isinstance(found, str):
            if found != _LEFT or path not in self._left:
                self.notes.append(f"{where} {found}.")
            self._left |= {path} if found == _LEFT else set()
            return
        for page in found:
            if page["fault"] == "foreign":
                said = (
                    f"gehört zu Blatt {page['mark'][0]}, aber nicht zu dem, was gewählt ist: Bitte das "
                    "Blatt oder den Klassensatz wählen, aus dem die Seite ist."
                )
                self.notes.append(f"{where} {said}")
            elif page["fault"] == "blank":
                self._blank.append(where)
            elif page["fault"]:
                self.notes.append(f"{where} {_FAULTS[page['fault']]}")
            else:
                self.found += 1
                self._page(path, where, page)

    def _page(self, path: Path, where: str, page: dict[str, Any]) -> None:
        mark, number, place = page["mark"]
        fields = [
            ReadBlank(box["cell"], place, box["guesses"], box["crop"], box["settled"], box["ink"])
            for box in page["boxes"]
        ]
        if same := self._same(mark, number, place, [each.crop for each in fields]):
            self.notes.append(f"{where} ist doppelt: Seite {place} von {same.called} war schon da.")
            return
        paper = self._paper(path, mark, number, place)
        if place in paper.pages:
            paper = self._again(paper)
            paper.fields = [each for each in paper.fields if each.page != place]
        paper.pages = [*{*paper.pages, place}]
        if not paper.head or place == 1:
            paper.head = page.get("head", paper.head)
        paper.fields += fields

    def _same(self, mark: str, number: int, place: int, crops: list[str]) -> ReadPaper | None:
        """Whose page this very scan is, where it was read before; two copies of one sheet may be alike."""
        known = [*self._read.papers, *self._read.again] if number else self._before
        for paper in known if crops else ():
            if (paper.mark, paper.number) == (mark, number) and paper.crops(place) == crops:
                return paper
        return None

    def _again(self, paper: ReadPaper) -> ReadPaper:
        """The pages of a paper that came once more."""
        for each in self._read.again:
            if each.key == paper.key:
                return each
        self._read.again.append(
            ReadPaper(paper.label, paper.name, paper.mark, paper.number, paper.calculation)
        )
        return self._read.again[-1]

    def _paper(self, path: Path, mark: str, number: int, place: int) -> ReadPaper:
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

    def _new(self, sheet: PrintedSheet, label: str, name: str) -> ReadPaper:
        paper = ReadPaper(label, name, sheet.mark, sheet.number, sheet.calculation)
        self._read.papers.append(paper)
        return paper

    def finish(self) -> None:
        """Sorts, and says which pages and which papers lack."""
        if len(self._blank) > _FEW:  # the backs of a class set
            self.notes.append(f"{len(self._blank)} Seiten sind leer, als erste {self._blank[0]}.")
        else:
            self.notes += [f"{where} ist leer." for where in self._blank]
        self._read.notes = list(dict.fromkeys([*self._read.notes, *self.notes]))
        self._read.papers.sort(key=lambda paper: (int(paper.label.split()[0]), paper.label))
        for paper in (*self._read.papers, *self._read.again):
            paper.sort()
        self._read.missing = list(missing(self._read, self._sheets, self._names))


def missing(
    read: Class, sheets: Mapping[tuple[str, int], PrintedSheet], names: Mapping[int, str]
) -> Iterator[str]:
    """Which pages and which papers lack."""
    for paper in read.papers:
        asking = sheets[paper.mark, paper.number].asking if (paper.mark, paper.number) in sheets else ()
        if lacking := [page for page in asking if page not in paper.pages]:
            which = "die Seite" if len(lacking) == 1 else "die Seiten"
            verb = "fehlt" if len(lacking) == 1 else "fehlen"
            yield f"Bei {paper.called} {verb} {which} {in_words(lacking)}; ihre Felder zählen als leer."
    of_set = sorted(number for _, number in sheets if number)
    there = {paper.number for paper in read.papers}
    absent = [number for number in of_set if number not in there]
    if 0 < len(absent) < len(of_set):
        who = [f"Blatt {number}" + (f" ({names[number]})" if names.get(number) else "") for number in absent]
        yield f"Noch nicht dabei: {in_words(who)}."
