"""The key's HTML goes in; station by station, every task with what is expected of it comes out.

The key is what a pupil's sheet is compared with; reading it back says the same without a second source.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from html.parser import HTMLParser
from typing import Final

from markupsafe import Markup

_VOID: Final = {"img", "br", "col", "meta", "link", "hr", "wbr", "input", "source"}


@dataclass(frozen=True)
class Written:
    """A number that the pupil writes: quantity, index, value, the range beside it and the head of its row."""

    name: str
    index: tuple[int, ...]
    text: str
    accepted: str = ""
    row: str = ""


@dataclass
class ExpectedTask:
    """A task: its number on the sheet, its wording, the numbers, answers in words and other solutions.

    solutions: what it is the solution of, and its text.
    """

    number: str = ""
    wording: Markup = field(default_factory=Markup)
    numbers: list[Written] = field(default_factory=list)
    answers: list[Markup] = field(default_factory=list)
    solutions: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class ExpectedStation:
    """A station: its heading as on the sheet, and its tasks in order."""

    badge: str = ""
    title: str = ""
    tasks: list[ExpectedTask] = field(default_factory=list)


def expectations(html: str) -> list[ExpectedStation]:
    """What the key says to each task; numbers before a station's first task or in a „Zwischenstand“ are only
    copied."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.stations


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.stations: list[ExpectedStation] = []
        self._open: list[tuple[str, ...]] = []  # the classes of every open element
        self._blank: Mapping[str, str] | None = None
        self._row_head = ""
        self._heads: list[str] = []  # of the columns of the table that is open, the first column's first
        self._column = 0
        self._ahead: list[
            tuple[str, str, str]
        ] = []  # column head, label, text: before the task they belong to
        self._over = False  # a heading has ended the last task
        self._taken: dict[str, tuple[int, list[str]]] = {}  # part -> depth and text or markup so far

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        classes = attributes.get("class", "").split()
        self._copy(_start(tag, attributes))
        if tag in _VOID:
            return
        self._open.append((tag, *classes))
        if tag == "section" and "station" in classes:
            self.stations.append(ExpectedStation())
            self._over = False
        elif self.stations:
            self._begin(tag, classes, attributes)

    def _begin(self, tag: str, classes: Sequence[str], attributes: Mapping[str, str]) -> None:
        if tag == "h1":
            self._take("title")
        elif "badge" in classes:
            self._take("badge")
        elif tag == "h2":
            self._over = True
        elif tag == "table":
            self._row_head, self._heads = "", []
        elif tag == "tr":
            self._row_head, self._column = "", 0
        elif tag == "th":
            self._take("row" if attributes.get("scope") == "row" else "head")
        elif "chosen-label" in classes:
            self._take("row")
        elif "task" in classes:
            self.stations[-1].tasks.append(ExpectedTask())
            self._over, self._row_head = False, ""
        elif "task-number" in classes:
            self._take("number")
        elif "task-text" in classes:
            self._take("wording")
        elif "expected" in classes:
            self._take("answer")
        elif tag == "td":
            self._column += 1
            if self._column == 1 and "write" not in classes:
                self._take("cell")
        if "blank" in classes:
            self._blank = attributes
        elif "value" in classes:
            self._take("value")
        elif "accepted" in classes:
            self._take("accepted")

    def handle_endtag(self, tag: str) -> None:
        if tag in _VOID or not self._open:
            return
        depth = len(self._open)
        for part, (begun, pieces) in list(self._taken.items()):
            if begun == depth:
                del self._taken[part]
                self._finish(part, "".join(pieces).strip())
        classes = self._open.pop()
        self._copy(f"</{tag}>")
        if "blank" in classes:
            self._blank = None
        elif tag == "table":
            self._row_head = ""

    def handle_data(self, data: str) -> None:
        for part, (_, pieces) in self._taken.items():
            pieces.append(escape(data, quote=False) if part in ("wording", "answer") else data)

    def _take(self, part: str) -> None:
        self._taken[part] = (len(self._open), [])

    def _copy(self, markup: str) -> None:
        for part in ("wording", "answer"):
            if part in self._taken:
                self._taken[part][1].append(markup)

    def _finish(self, part: str, text: str) -> None:
        station = self.stations[-1]
        if part == "badge":
            station.badge = text
        elif part == "title":
            station.title = text.removeprefix(station.badge).strip()
        elif part == "row":
            self._row_head = text.rstrip(":")
        elif part == "head":
            self._heads.append(_plain(text))
        elif part == "cell" and self._row_head.isdigit() and text:
            self._row_head = text
        if not station.tasks:
            return
        task = station.tasks[-1]
        if part == "number":
            task.number = text
        elif part == "wording":
            task.wording = Markup(text)
            self._claim(task, _plain(text))
        elif part == "answer":
            task.answers.append(Markup(text))
        elif self._blank is not None and any("interim" in classes for classes in self._open):
            return
        elif part == "value" and self._blank is not None:
            index = tuple(int(i) for i in self._blank["data-i"].split(",") if i)
            task.numbers.append(Written(self._blank["data-q"], index, text, row=self._row_head))
        elif part == "value" and self._over:
            self._ahead.append((self._head(), self._label(), text))
        elif part == "value":
            task.solutions.append((self._label(), text))
        elif part == "accepted" and task.numbers:
            last = task.numbers[-1]
            task.numbers[-1] = replace(last, accepted=text)

    def _claim(self, task: ExpectedTask, wording: str) -> None:
        """Solutions in a column that the task speaks of belong to it."""
        mine = [solution for solution in self._ahead if solution[0] and solution[0] in wording]
        task.solutions += [(label, text) for _, label, text in mine]
        self._ahead = [solution for solution in self._ahead if solution not in mine]

    def _head(self) -> str:
        """The head of the open column."""
        return self._heads[self._column] if 0 < self._column < len(self._heads) else ""

    def _label(self) -> str:
        """What a solution is the solution of: the row's head; with the column's where that is a number."""
        head, corner = self._head(), self._heads[0] if self._heads else ""
        if self._row_head.isdigit():
            return ", ".join(filter(None, [f"{corner} {self._row_head}".strip(), head]))
        return f"{self._row_head} {head}" if head.isdigit() else self._row_head


def _plain(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


def _start(tag: str, attributes: Mapping[str, str]) -> str:
    """A start tag again, without its id: it stands in another document now."""
    said = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items() if name != "id")
    return f"<{tag}{said}>"
