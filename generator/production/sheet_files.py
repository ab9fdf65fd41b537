"""What one command makes: the sheet and the bytes of its documents, on their way to summary and folder."""

from __future__ import annotations

from dataclasses import dataclass

from generator.calculation.build import Built
from generator.sheet.sheet import Sheet
from generator.teacher.certificate import Certificate
from generator.teacher.lesson import LessonChoice


@dataclass(frozen=True)
class SheetFiles:
    """A sheet with all its documents, not yet written.

    choice: what --zeit chose and left out. pdf_missing: the sentence on what to install. certificate: what is
    said of the numbers. printed_by: the browser that printed the PDFs, "" for WeasyPrint.
    """

    built: Built
    sheet: Sheet
    files: dict[str, bytes]
    pages: int
    choice: LessonChoice | None = None
    pdf_missing: str = ""
    certificate: Certificate | None = None
    printed_by: str = ""
