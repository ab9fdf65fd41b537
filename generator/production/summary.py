"""What `blatt` made, and its closing words on the terminal."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from generator.basics.errors import how_many, in_words, quoted, shown_path
from generator.basics.numbers import about
from generator.calculation.build import Built
from generator.options.course import named, with_titles
from generator.sheet.sheet import Sheet
from generator.teacher.lesson import LessonPlan, shortened, without_attention
from generator.teacher.plan import GroupWork, Workload, total, worked_tokens, workloads
from generator.teacher.review import Certificate


@dataclass(frozen=True)
class SheetFiles:
    """A sheet with all its documents, not yet written.

    choice: what --zeit chose and left out. pdf_missing: the sentence on what to install. certificate: what is
    said of the numbers. groups: the sheets of a jigsaw, which are not counted with the sheet.
    """

    built: Built
    sheet: Sheet
    files: dict[str, bytes]
    pages: int
    choice: LessonPlan | None = None
    pdf_missing: str = ""
    certificate: Certificate | None = None
    groups: tuple[GroupWork, ...] = ()

    @property
    def work(self) -> Workload:
        return total(workloads(self.sheet.stations, self.built.effort))

    def said(self, folder: Path, left: Sequence[str] = ()) -> str:
        """The closing words. left: files of another sheet that still lie in the folder."""
        return closing_words(
            folder, tuple(self.files), self.pages, self.work, tuple(self.notes(left, below=True))
        )

    def notes(self, left: Sequence[str] = (), *, below: bool = False) -> Iterator[str]:
        """Whole sentences on what was chosen, is left out or missing. below: what counts the single sheet."""
        if self.built.options.training_note:
            yield self.built.options.training_note
        if self.groups:
            times = in_words([f"{each.file}.pdf {each.about}" for each in self.groups], "und")
            single = "; was darüber steht, gilt für arbeitsblatt.pdf" if below else ""
            yield f"Im Gruppenpuzzle: {times}{single}."
        if self.choice is not None:
            of_tokens = bool(worked_tokens(self.sheet, self.built.calculation))
            said = chosen_for_time(self.choice, self.built.options.tokens, of_tokens)
            yield from (
                [f"Das Arbeitsblatt für eine Person allein: {' '.join(said)}"] if self.groups else said
            )
        if self.certificate is not None:
            yield from self.certificate.unfriendly
            yield from self.certificate.confused
        if self.pdf_missing:
            yield self.pdf_missing
        if left:
            yield f"Noch von einem früheren Blatt, mit anderen Zahlen oder Aufgaben: {', '.join(left)}."


_MOST_NAMED: Final = 10


def done_without(pdf: bool) -> str:
    """How the closing words begin. pdf: whether the PDFs are missing."""
    return "Fertig, aber ohne PDF" if pdf else "Fertig"


def closing_words(
    folder: Path, files: Sequence[str], pages: int, work: Workload, notes: Sequence[str] = ()
) -> str:
    """What was made, in German. pages: of the worksheet, 0 without PDF."""
    done = work.operations
    printed = [how_many(pages, "Seite", "Seiten")] if pages else []
    counted = [
        how_many(done.multiplications, "Multiplikation", "Multiplikationen"),
        how_many(done.divisions, "Division", "Divisionen"),
        how_many(done.exponentials, "Exponentialwert", "Exponentialwerte"),
    ]
    lines = [
        f"{done_without(not pages)}: {shown_path(folder)}",
        f"  {listed_files(files)}",
        "  " + ", ".join([*printed, how_many(work.blanks, "Lücke", "Lücken"), f"{work.points} BE"]),
        f"  {', '.join(counted)}; geschätzt {about(work.minutes)} für die Lernenden",
        *notes,
    ]
    return "\n".join(lines)


def chosen_for_time(choice: LessonPlan, tokens: Sequence[str], by_token: bool) -> Iterator[str]:
    """What --zeit chose and left out, as on the teacher's pages."""
    yield from without_attention(choice)
    divided, lesson = choice.phases, choice.lesson
    words = in_words([quoted(tokens[place - 1]) for place in choice.exercises], "und")
    easier = f", mit mehr Vorgaben (--stufe {choice.level})" if choice.easier else ""
    worked = f"; selbst gerechnet {words}" if by_token else ""
    yield f"Für {choice.length} Minuten gewählt: {named(lesson.stations)}{worked}{easier}."
    if lesson.too_long:
        said = f"Zum Arbeiten bleiben {divided.work} Minuten; schon das dauert nach der Schätzung länger"
    else:
        said = f"Das sind {about(lesson.minutes)} Arbeit"
    yield f"{said}. Dazu kommen {divided.around} für Einstieg und Vergleich."
    left = with_titles(choice.rest)
    left += [quoted(tokens[place - 1]) for place in choice.without if by_token]
    if left:
        yield f"Weggelassen: {in_words(left, 'und')}."
    yield from shortened(choice)


def listed_files(files: Sequence[str]) -> str:
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
    single += [how_many(len(pictures), "Bild", "Bilder") + " (.svg)"] * bool(pictures)
    return "; ".join([*grouped, ", ".join(single)])


def _stems(endings: Mapping[str, tuple[str, ...]], wanted: tuple[str, ...]) -> list[str]:
    return [stem for stem, kind in endings.items() if kind == wanted]
