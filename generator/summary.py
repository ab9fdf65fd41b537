"""What was made goes in; the closing words on the terminal come out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from generator.errors import quoted
from generator.option_kinds import in_words
from generator.workload import Workload, total, workloads

if TYPE_CHECKING:
    from generator.worksheet import Made


@dataclass(frozen=True)
class Summary:
    """pages: of the worksheet, 0 without PDF. notes: whole sentences on what was left out or is missing."""

    folder: Path
    files: tuple[str, ...]
    pages: int
    work: Workload
    notes: tuple[str, ...] = field(default=())

    def text(self) -> str:
        """The closing summary in German."""
        done = self.work.operations
        pages = [_count(self.pages, "Seite", "Seiten")] if self.pages else []
        lines = [
            f"Fertig: {self.folder}",
            "  " + ", ".join(sorted(self.files)),
            "  " + ", ".join([*pages, _count(self.work.blanks, "Lücke", "Lücken"), f"{self.work.points} BE"]),
            "  "
            + ", ".join(
                [
                    _count(done.multiplications, "Multiplikation", "Multiplikationen"),
                    _count(done.divisions, "Division", "Divisionen"),
                    _count(done.exponentials, "Exponentialwert", "Exponentialwerte"),
                ]
            )
            + f"; geschätzt {round(self.work.minutes)} Minuten für die Lernenden",
            *self.notes,
        ]
        return "\n".join(lines)


def summary_of(made: Made, folder: Path) -> Summary:
    model = made.built.calculation.model
    return Summary(
        folder=folder,
        files=tuple(made.files),
        pages=made.pages,
        work=total(workloads(made.sheet.stations, model, made.built.two_model)),
        notes=tuple(_notes(made)),
    )


def _notes(made: Made) -> Iterator[str]:
    choice = made.choice
    if choice is not None:
        tokens = made.built.options.tokens
        said = f"Für {choice.length} Minuten gewählt: Station {', '.join(choice.lesson.stations)}"
        if choice.lesson.too_long:
            said += "; schon das dauert nach der Schätzung länger"
        left = [f"Station {', '.join(name for lesson in choice.later for name in lesson.stations)}"]
        left = left if choice.later else []
        left += [quoted(tokens[place - 1]) for place in choice.without]
        yield f"{said}. Weggelassen: {in_words(left, 'und')}." if left else f"{said}."
    if made.pdf_missing:
        yield made.pdf_missing


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
