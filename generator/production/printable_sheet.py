"""What `generator.sheet` gives to whoever makes sheets from Python, as notebooks do."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.forward.calculation import Calculation
from generator.basics.files import KEY, TEACHER, WORKSHEET
from generator.calculation.build import build
from generator.check.answers import answers_in
from generator.check.check import Report, check
from generator.options import limits
from generator.options.numbers_file import read_given
from generator.options.options import Options
from generator.output.formulas.typeset import Typesetter
from generator.output.many import Printers
from generator.output.render import Document
from generator.output.screen import for_browsers
from generator.production.press import Press
from generator.production.worksheet import documents, fitted_to_lesson
from generator.stations.make_sheet import make_sheet
from generator.teacher.review import review


@dataclass(frozen=True)
class Page:
    """One document: its page for a browser, and its PDF."""

    html: str
    pdf: Callable[[], bytes]


class PrintableSheet:
    """What `papierformer blatt` makes of these options, without files. UserError if it cannot be."""

    def __init__(self, options: Options) -> None:
        limits.for_paper(options)
        limits.numbers_for_paper(read_given(options))
        built, self._plan = fitted_to_lesson(build(options))
        self._whole = make_sheet(built)
        self._review = review(self._whole.sheet, self._whole.desk, self._whole.ranges)

    @property
    def calculation(self) -> Calculation:
        """The trace: `calculation["block1.head1.weight"].values` by hand, `calculation.exact` not rounded."""
        return self._whole.built.passes

    def accepted(self, name: str, *index: int) -> tuple[float, float]:
        """The least and the largest number that honest rounding gives for a cell."""
        allowed = self._whole.ranges[name]
        return float(allowed.low[index]), float(allowed.high[index])

    @property
    def worksheet(self) -> Page:
        return self._page(WORKSHEET)

    @property
    def key(self) -> Page:
        return self._page(KEY)

    @property
    def teacher(self) -> Page:
        return self._page(TEACHER)

    def check(self, answers: Mapping[str, Any] | bytes) -> Report:
        """Verdicts (`.cells`, `.summary()`). answers: tables by name, None for a gap, or a file's bytes."""
        content = answers if isinstance(answers, bytes) else json.dumps(answers, default=_plain).encode()
        return check(self._rebuilt, answers_in(content, "der Antworten", self._rebuilt.axes))

    @cached_property
    def _rebuilt(self) -> Any:
        return self._whole.rebuilt()

    def _page(self, name: str) -> Page:
        page = for_browsers(self._documents[name].page, Typesetter("screen"))
        return Page(page, lambda: self._pdfs[name])

    @cached_property
    def _documents(self) -> dict[str, Document]:
        return {each.name: each for each in documents(self._whole, self._review, self._plan)}

    @cached_property
    def _pdfs(self) -> dict[str, bytes]:
        with Printers(0) as printers:
            press = Press(printers)
            press.begin_pair(self._whole)
            press.begin(self._documents[TEACHER])
            return {name: result.data for name, result in press.finish().results.items()}


def _plain(value: Any) -> Any:
    """An array as lists; anything else as text, which is no number and is reported as such."""
    return value.tolist() if hasattr(value, "tolist") else str(value)
