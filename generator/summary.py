"""What was made goes in; the closing words on the terminal come out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from generator.errors import quoted
from generator.lesson import Choice, phases
from generator.made import Made
from generator.option_kinds import in_words
from generator.station_names import named
from generator.workload import Workload, total, workloads

_MOST_NAMED: Final = 8


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
            "  " + _listed(self.files),
            "  " + ", ".join([*pages, _count(self.work.blanks, "Lücke", "Lücken"), f"{self.work.points} BE"]),
            "  "
            + ", ".join(
                [
                    _count(done.multiplications, "Multiplikation", "Multiplikationen"),
                    _count(done.divisions, "Division", "Divisionen"),
                    _count(done.exponentials, "Exponentialwert", "Exponentialwerte"),
                ]
            )
            + f"; geschätzt {_count(round(self.work.minutes), 'Minute', 'Minuten')} für die Lernenden",
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
    if made.choice is not None:
        yield from _chosen(made.choice, made.built.options.tokens)
    if made.certificate is not None:
        yield from made.certificate.unfriendly
        yield from made.certificate.confused
    if made.pdf_missing:
        yield made.pdf_missing


def _chosen(choice: Choice, tokens: Sequence[str]) -> Iterator[str]:
    """What --zeit chose and left out, as on the teacher's pages."""
    divided, lesson = phases(choice.length), choice.lesson
    words = in_words([quoted(tokens[place - 1]) for place in choice.exercises], "und")
    easier = f", mit mehr Vorgaben (--stufe {choice.level})" if choice.easier else ""
    yield f"Für {choice.length} Minuten gewählt: {named(lesson.stations)}; selbst gerechnet {words}{easier}."
    if lesson.too_long:
        said = f"Zum Arbeiten bleiben {divided.work} Minuten; schon das dauert nach der Schätzung länger"
    else:
        said = f"Das sind etwa {round(lesson.minutes)} Minuten Arbeit"
    yield f"{said}. Dazu kommen {divided.around} für Einstieg und Vergleich."
    left = [named(name for later in choice.later for name in later.stations)] if choice.later else []
    left += [quoted(tokens[place - 1]) for place in choice.without]
    if left:
        yield f"Weggelassen: {in_words(left, 'und')}."


def _listed(files: Sequence[str]) -> str:
    """The names in order; where there are many, what comes as HTML and PDF is named once."""
    if len(files) <= _MOST_NAMED:
        return ", ".join(sorted(files))
    stems = [name.removesuffix(".pdf") for name in files if name.endswith(".pdf")]
    both = sorted(stem for stem in stems if f"{stem}.html" in files)
    others = sorted(name for name in files if name.rpartition(".")[0] not in both)
    return "; ".join([f"je .html und .pdf: {', '.join(both)}"] * bool(both) + [", ".join(others)])


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
