"""Prints the documents of a sheet: each begins to be printed as soon as it is rendered."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from generator.basics.files import CARDS, WORKSHEET
from generator.output.formulas.typeset import Typesetter
from generator.output.many import PdfJob, Printers, Waiting
from generator.output.pdf import PdfResult
from generator.output.render import VIEWS, Document, on_paper
from generator.production.sheet_documents import begin_pair
from generator.sheet.page import Sides
from generator.sheet.whole_sheet import WholeSheet
from generator.teacher.card import in_words


@dataclass(frozen=True)
class Prints:
    """The PDFs by name of the document. missing: the sentence on why there are none."""

    results: Mapping[str, PdfResult]
    missing: str = ""

    @property
    def sheet(self) -> PdfResult | None:
        """The worksheet."""
        return self.results.get(WORKSHEET)

    @property
    def pages(self) -> int:
        return self.sheet.pages if self.sheet else 0

    @property
    def sides(self) -> Callable[[Sides], str]:
        """How a card names pages of the worksheet."""
        return in_words(self.sheet.places if self.sheet else {}, self.pages)


class Press:
    """Worksheet and key first, which take longest; the cards last, since they name the worksheet's pages."""

    def __init__(self, printers: Printers) -> None:
        self.typesetter: Final = Typesetter("pdf")
        self._printers = printers
        self._begun: dict[str, Waiting] = {}  # by the name of the document
        self._cards: list[Document] = []

    def begin_pair(self, whole: WholeSheet) -> list[Document]:
        """Worksheet and key, being printed."""
        pair, self._both = begin_pair(self._printers, whole, self.typesetter, mark=whole.sheet.code)
        return pair

    def begin(self, document: Document) -> None:
        if document.name == CARDS:
            self._cards.append(document)
        else:
            self._print(document)

    def finish(self) -> Prints:
        """Waits for all, once. Raises the error of the first that failed, PdfUnavailable among them."""
        both = Prints(dict(zip(VIEWS.values(), self._both(), strict=True)))
        for cards in self._cards:
            self._print(cards, sides=both.sides)
        return Prints({**both.results, **{name: made()[0] for name, made in self._begun.items()}})

    def _print(self, document: Document, **how: Any) -> None:
        fields = document.form.fields("pdf") if document.form else None
        html = on_paper(document.page, self.typesetter, fields=fields, **how)
        job = PdfJob(html, document.title, self.typesetter.images, form=fields is not None)
        self._begun[document.name] = self._printers.begin(job)
