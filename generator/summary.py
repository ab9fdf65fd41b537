"""What was made goes in; the closing words on the terminal come out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from generator.worksheet import Made


@dataclass(frozen=True)
class Summary:
    folder: Path
    files: tuple[str, ...]
    pages: int
    blanks: int
    points: int
    effort: str
    pdf_missing: str

    def text(self) -> str:
        """The closing summary in German."""
        lines = [f"Fertig: {self.folder}", "  " + ", ".join(sorted(self.files))]
        pages = f"{self.pages} {'Seite' if self.pages == 1 else 'Seiten'}, " if self.pages else ""
        lines.append(f"  {pages}{self.blanks} Lücken, {self.points} BE")
        if self.effort:
            lines.append(f"  {self.effort}")
        if self.pdf_missing:
            lines.append(self.pdf_missing)
        return "\n".join(lines)


def summary_of(made: Made, folder: Path) -> Summary:
    return Summary(
        folder=folder,
        files=tuple(made.files),
        pages=made.pages,
        blanks=len(made.sheet.blanks()),
        points=made.sheet.points,
        effort="",
        pdf_missing=made.pdf_missing,
    )
