"""What `blatt` made, and its closing words on the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from generator.basics.errors import in_words, quoted, shown_path
from generator.basics.numbers import about
from generator.calculation.build import Built
from generator.options.course import named
from generator.output.browser_pdf import printed_note
from generator.sheet.sheet import Sheet
from generator.teacher.lesson import LessonPlan, phases, shortened, without_attention
from generator.teacher.plan import Workload, total, workloads
from generator.teacher.review import Certificate


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
    choice: LessonPlan | None = None
    pdf_missing: str = ""
    certificate: Certificate | None = None
    printed_by: str = ""


_MOST_NAMED: Final = 10


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
            f"Fertig: {shown_path(self.folder)}",
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
            + f"; geschätzt {about(self.work.minutes)} für die Lernenden",
            *self.notes,
        ]
        return "\n".join(lines)


def summary_of(files: SheetFiles, folder: Path, left: Sequence[str] = ()) -> Summary:
    """left: files of another sheet that still lie in the folder."""
    return Summary(
        folder=folder,
        files=tuple(files.files),
        pages=files.pages,
        work=total(workloads(files.sheet.stations, files.built.effort)),
        notes=tuple(_notes(files, left)),
    )


def _notes(files: SheetFiles, left: Sequence[str]) -> Iterator[str]:
    if files.built.options.training_note:
        yield files.built.options.training_note
    if files.choice is not None:
        yield from _chosen(files.choice, files.built.options.tokens, asks_for_tokens(files))
    if files.certificate is not None:
        yield from files.certificate.unfriendly
        yield from files.certificate.confused
    if files.pdf_missing:
        yield files.pdf_missing
    if files.printed_by:
        yield printed_note(files.printed_by)
    if left:
        yield f"Noch von einem früheren Blatt, mit anderen Zahlen oder Aufgaben: {', '.join(left)}."


def asks_for_tokens(files: SheetFiles) -> bool:
    """Whether any station leaves something to do that belongs to a token; the map and the formulas do not."""
    return not {station.id for station in files.sheet.stations} <= {"0", "S"}


def _chosen(choice: LessonPlan, tokens: Sequence[str], by_token: bool) -> Iterator[str]:
    """What --zeit chose and left out, as on the teacher's pages."""
    yield from without_attention(choice)
    divided, lesson = phases(choice.length), choice.lesson
    words = in_words([quoted(tokens[place - 1]) for place in choice.exercises], "und")
    easier = f", mit mehr Vorgaben (--stufe {choice.level})" if choice.easier else ""
    worked = f"; selbst gerechnet {words}" if by_token else ""
    yield f"Für {choice.length} Minuten gewählt: {named(lesson.stations)}{worked}{easier}."
    if lesson.too_long:
        said = f"Zum Arbeiten bleiben {divided.work} Minuten; schon das dauert nach der Schätzung länger"
    else:
        said = f"Das sind {about(lesson.minutes)} Arbeit"
    yield f"{said}. Dazu kommen {divided.around} für Einstieg und Vergleich."
    left = [named(choice.rest)] if choice.rest else []
    left += [quoted(tokens[place - 1]) for place in choice.without if by_token]
    if left:
        yield f"Weggelassen: {in_words(left, 'und')}."
    yield from shortened(choice)


def _listed(files: Sequence[str]) -> str:
    """The names in order; where there are many, what comes with the same endings is named once."""
    if len(files) <= _MOST_NAMED:
        return ", ".join(sorted(files))
    endings: dict[str, tuple[str, ...]] = {}
    for stem, _, ending in sorted(name.partition(".") for name in files):
        endings[stem] = (*endings.get(stem, ()), f".{ending}")
    kinds = [kind for kind in dict.fromkeys(endings.values()) if len(kind) > 1]
    grouped = [f"je {in_words(kind, 'und')}: {', '.join(_stems(endings, kind))}" for kind in kinds]
    pictures = _stems(endings, (".svg",))
    single = [stem + kind[0] for stem, kind in endings.items() if len(kind) == 1 and stem not in pictures]
    single += [_count(len(pictures), "Bild", "Bilder") + " (.svg)"] * bool(pictures)
    return "; ".join([*grouped, ", ".join(single)])


def _stems(endings: Mapping[str, tuple[str, ...]], wanted: tuple[str, ...]) -> list[str]:
    return [stem for stem, kind in endings.items() if kind == wanted]


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
