"""Filled-in paper sheets of a class: from scans to the review and the result, all in one folder.

The folder `eingelesen` beside the sheet holds everything that came of the scans; deleting it deletes all.
"""

import json
import random
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from operator import attrgetter
from pathlib import Path
from typing import Any, Final

from markupsafe import Markup

from generator.basics.atomic_write import alone
from generator.basics.cell_names import cell_parts, cell_title
from generator.basics.errors import UserError, how_many, in_words, quoted
from generator.basics.files import write_one, write_together
from generator.basics.reading import is_folder, is_there, read_bytes, text_of
from generator.basics.templates import environment
from generator.calculation.rebuild import Rebuilt, read_document
from generator.check.check import CheckedCell
from generator.check.in_words import MarkedPaper
from generator.production import marking
from generator.production.class_files import variants_of
from generator.production.class_set import CALCULATIONS, MANIFEST
from generator.reading.blank_map import FILE, PrintedSheet, read_map
from generator.reading.collect import Collected, collect, join
from generator.reading.judge import as_csv, confirm_readings, judged, values_of, words_on_sample
from generator.reading.papers import (
    MACHINE,
    SCANS,
    STATE,
    UNREADABLE,
    Class,
    ReadBlank,
    Review,
    words_on_repeated_pages,
)

FOLDER: Final = "eingelesen"
REVIEW, VERDICTS, RESULT, TABLE = "durchsicht.html", "urteile.html", "ergebnis.html", "ergebnis.csv"
_SAID: Final = "durchsicht.json"  # on the page, not taken over yet
_FILES: Final = (STATE, REVIEW, VERDICTS, RESULT, TABLE)
_ANSWERS: Final = "antworten"
_SAMPLE: Final = 50
_LARGEST: Final = 64_000_000
_BY: Final = {MACHINE: "Rechner", "person": "Ihnen", "": "noch niemandem"}


class _Calculations(dict[str, Rebuilt]):
    """Read when they are asked for."""

    def __missing__(self, path: str) -> Rebuilt:
        self[path] = read_document(Path(path))
        return self[path]


@dataclass(frozen=True)
class Sheets:
    """The printed sheets that scans may show, and where what is read of them is kept.

    named: the mark and number of the one that is meant, where it was named; a page without its code is of it.
    """

    folder: Path
    printed: tuple[PrintedSheet, ...]
    names: Mapping[int, str]
    calculations: Mapping[str, Rebuilt] = field(default_factory=_Calculations)
    named: tuple[str, int] | None = None

    @property
    def kept(self) -> Path:
        return self.folder / FOLDER


def sheets_in(given: Path) -> Sheets:
    """The sheets of a rechnung.json, of a sheet's or class set's folder, or of all folders in it.

    UserError where there are none that can be read in.
    """
    folder = given if is_folder(given) else given.parent
    if folder.name == CALCULATIONS:
        folder = folder.parent
    files = [folder / FILE] if is_there(folder / FILE) else []
    if not files and is_folder(given):
        files = [path / FILE for path in sorted(given.iterdir()) if is_there(path / FILE)]
    if not is_there(given) and not is_folder(given):
        raise UserError(f"--mit {quoted(given)} gibt es nicht.")
    if not files:
        raise UserError(
            f"In {quoted(folder)} fehlt {FILE}: Einlesen lassen sich Blätter, die Papierformer ab dieser "
            "Fassung als PDF gedruckt hat."
        )
    printed: list[PrintedSheet] = []
    names: dict[int, str] = {}
    for file in files:
        own = read_map(file)
        printed += [replace(sheet, calculation=str(file.parent / sheet.calculation)) for sheet in own]
        if is_there(file.parent / MANIFEST):
            names |= {each["nummer"]: each["name"] for each in variants_of(file.parent / MANIFEST)}
    meant = [sheet for sheet in printed if Path(sheet.calculation) == given] or printed
    named = (meant[0].mark, meant[0].number) if len(meant) == 1 else None
    return Sheets(folder, tuple(printed), names, named=named)


def scans_at(path: Path) -> list[Path]:
    """A file, or the scans of a folder."""
    if not is_folder(path):
        return [path]
    found = [each for each in sorted(path.iterdir()) if each.suffix.lower() in SCANS]
    if not found:
        raise UserError(f"In {quoted(path)} liegt kein Scan; möglich sind {in_words(SCANS)}.")
    return found


def read_before(folder: Path) -> bool:
    """Whether something was read in here."""
    return is_there(folder / FOLDER / STATE)


def read_in(
    sheets: Sheets,
    files: Sequence[Path],
    tell: Callable[[int, int], None],
    called: Callable[[Path], str] = attrgetter("name"),
) -> Class:
    """Reads scans and adds them to what was read and reviewed before. called: what a person calls a file.

    UserError if nothing of the sheets is on them; then nothing changes.
    """
    collected = collect(files, sheets.printed, tell, called, sheets.named)
    sheets.kept.mkdir(parents=True, exist_ok=True)
    with _going_on(sheets) as read:
        before = list(read.notes)
        if not join(read, collected, sheets.printed, sheets.names):
            why = [note for note in read.notes if note not in before]
            raise UserError(" ".join(["Keine Seite ließ sich einlesen.", *why[:3]]))
        confirm_readings(read, sheets.calculations)
    return read


@contextmanager
def _going_on(sheets: Sheets) -> Iterator[Class]:
    """What was read so far, to go on with; then it is kept, and what comes of it is written anew."""
    with alone(sheets.kept):
        read = current(sheets)
        yield read
        read.save(sheets.kept)
        (sheets.kept / _SAID).unlink(missing_ok=True)
    write(sheets, read)


def decide(sheets: Sheets, replace: bool, key: str | None = None) -> Class:
    """Pages that came again replace the earlier ones, or lie beside them as a paper. key: of one paper."""
    with _going_on(sheets) as read:
        for paper in [each for each in read.again if key in (None, each.key)]:
            read.decide(paper, replace)
        join(read, Collected(), sheets.printed, sheets.names)
        confirm_readings(read, sheets.calculations)
    return read


def current(sheets: Sheets) -> Class:
    """What was read so far, with all that a person said of it."""
    if not (sheets.kept / STATE).exists():
        return Class()
    read = Class.load(sheets.kept)
    read.confirm(_saved_review(sheets))
    return read


def confirm(sheets: Sheets, said: Any) -> None:
    """Keeps what a person said beside what was said before, until it is taken over. UserError for none."""
    review = Review.of(said)
    with alone(sheets.kept):
        write_one(sheets.kept / _SAID, _saved_review(sheets).and_then(review).document(), "--mit")


def _saved_review(sheets: Sheets) -> Review:
    file = sheets.kept / _SAID
    return Review.of(json.loads(file.read_bytes())) if file.exists() else Review()


def reviewed(sheets: Sheets, file: Path) -> Class:
    """Takes over what a person said in a saved review. UserError if it does not fit."""
    if not read_before(sheets.folder):
        raise UserError(f"In {quoted(sheets.folder)} ist nichts eingelesen.")
    try:
        said = json.loads(read_bytes(file, "Die Durchsicht", _LARGEST))
    except (ValueError, RecursionError) as error:
        raise UserError(
            f"{quoted(file.name)} ist keine Durchsicht, die Papierformer geschrieben hat."
        ) from error
    with _going_on(sheets) as read:
        bare = isinstance(said, dict) and said and "werte" not in said  # as of earlier versions
        read.confirm(Review.of({"werte": said} if bare else said))
    return read


def written(sheets: Sheets) -> Class:
    """What was read so far, with everything that comes of it written anew."""
    with _going_on(sheets) as read:
        return read


def write(sheets: Sheets, read: Class) -> None:
    """Everything that comes of the scans: review, answers, verdicts, and the class's result."""
    folder = sheets.kept
    marked = _marked(sheets, read)
    fields = how_many(_open(read), "Feld; es zählt", "Felder; sie zählen")
    still_open = f"Noch nicht angesehen: {fields} hier als leer." if _open(read) else ""
    unread = [*read.said, *filter(None, (still_open, words_on_sample(read)))]
    answers = {f"{paper.label}.csv": as_csv(paper) for paper in read.papers}
    old = tuple(path.name for path in (folder / _ANSWERS).glob("*.csv"))
    write_together(folder / _ANSWERS, answers, old)
    files = {
        REVIEW: review_page(sheets, read).encode(),
        VERDICTS: verdicts_page(sheets, read).encode(),
        RESULT: marking.as_html(marked, unread).encode(),
        TABLE: marking.as_csv(marked).encode(),
    }
    for name, content in files.items():
        write_one(folder / name, content, "--mit")


def _marked(sheets: Sheets, read: Class) -> list[MarkedPaper]:
    """Every paper judged, as far as it is settled."""
    return [
        MarkedPaper(
            paper.label,
            paper.name,
            rebuilt := sheets.calculations[paper.calculation],
            judged(paper, rebuilt),
            sheet=paper.mark,
        )
        for paper in read.papers
    ]


def to_mark(sheets: Sheets) -> list[dict[str, Any]]:
    """What was read of each paper, as the page for checking has it: there the rest is marked by hand."""
    read = current(sheets)
    papers = []
    for paper, marked in zip(read.papers, _marked(sheets, read), strict=True):
        grade, grade_at_most = marked.grades
        papers.append(
            {
                "scan": paper.key,
                "nummer": paper.number,
                "name": paper.name or paper.called,
                "blatt": paper.mark,
                "antworten": [
                    [name, [int(i) for i in index.split(",") if i], text]
                    for cell, text in values_of(paper).items()
                    for name, index in [cell_parts(cell)]
                ],
                "punkte": {
                    "erreicht": marked.given,
                    "von": marked.marks.points,
                    "offen": marked.open,
                    "note": grade,
                    "note_bis": grade_at_most,
                },
            }
        )
    return papers


def delete(sheets: Sheets) -> bool:
    """Deletes all that came of the scans; whether there was anything."""
    there = sheets.kept.exists()
    if there:
        shutil.rmtree(sheets.kept)
    return there


def summary(read: Class) -> str:
    """What was read and how far its review is, in a sentence."""
    seen = sum(each.by not in ("", MACHINE) for paper in read.papers for each in paper.fields)
    by_you = f", {seen} haben Sie angesehen" if seen else ""
    return f"{confirmed(read)}{by_you}, {how_many(_open(read), 'ist', 'sind')} offen."


def confirmed(read: Class) -> str:
    """What was read and confirmed before anybody looked."""
    fields = [each for paper in read.papers for each in paper.fields]
    pages = sum(len(paper.pages) for paper in read.papers)
    by_machine, empty = sum(each.by == MACHINE and bool(each.value) for each in fields), _empty(read)
    papers = how_many(len(read.papers), "Arbeit", "Arbeiten")
    parts = f"{how_many(pages, 'Seite', 'Seiten')} und {how_many(len(fields), 'Feld', 'Feldern')}"
    without = f", {how_many(empty, 'ist', 'sind')} leer" if empty else ""
    return f"{papers} mit {parts}: {by_machine} hat der Rechner bestätigt{without}"


def _empty(read: Class) -> int:
    return sum(each.by == MACHINE and not each.value for paper in read.papers for each in paper.fields)


def _open(read: Class) -> int:
    return sum(len(paper.unread()) for paper in read.papers)


def review_page(sheets: Sheets, read: Class) -> str:
    """The page on which a person looks at what is open; what is said there is saved by hand."""
    shown = review_data(sheets, read) | {"post": "", "headers": {}, "folder": str(sheets.folder)}
    data = Markup(json.dumps(shown, ensure_ascii=False).replace("<", "\\u003c"))  # in a script, not in text
    return _page("review.html.j2", read, data=data, js=_text("review.js"), heading=f"{confirmed(read)}.")


def review_data(sheets: Sheets, read: Class) -> dict[str, Any]:
    """What the review needs: the fields that are open, and a sample of those that the machine confirmed."""
    keyed = list(read.keyed())
    alone = [key for key, _, each in keyed if each.by == MACHINE and each.reading]
    sample = set(random.Random(len(alone)).sample(alone, min(_SAMPLE, len(alone)))) | set(read.sampled)
    fields = []
    for key, paper, each in keyed:
        kind = "sample" if key in sample else "range" if each.doubt == "range" else "unsure"
        if each.by and key not in sample and each.by == MACHINE:
            continue
        fields.append(
            {
                "key": key,
                "label": paper.called,
                "title": _title(sheets.calculations[paper.calculation], each.cell),
                "crop": each.crop,
                "guesses": [guess[0] for guess in each.guesses],
                "reading": each.reading,
                "kind": kind,
            }
        )
    said = {key: each.value for key, _, each in keyed if each.by and each.by != MACHINE}
    marks = sorted({paper.mark for _, paper, _ in keyed})  # what is added changes nothing of what was said
    return {
        "id": "-".join(marks),
        "again": [{"key": each.key, "said": words_on_repeated_pages(each)} for each in read.again],
        "fields": fields,
        "said": {"werte": said, "geprueft": read.sampled, "falsch": read.mistaken},
        "empty": _empty(read),
    }


def _title(rebuilt: Rebuilt, cell: str) -> str:
    name, index = cell_parts(cell)
    quantity = rebuilt.calculation.hand.get(name)
    if quantity is None:
        return cell
    places = tuple(int(part) for part in index.split(",") if part)
    return cell_title(quantity, places, rebuilt.words)


def verdicts_page(sheets: Sheets, read: Class) -> str:
    """Every verdict beside its crop, and what is open; who said what was read."""
    papers = []
    for paper in read.papers:
        rebuilt = sheets.calculations[paper.calculation]
        cells = {f"{cell.entry.name}[{cell.entry.index_text}]": cell for cell in judged(paper, rebuilt).cells}
        rows = [_row(rebuilt, each, cells.get(each.cell)) for each in paper.fields]
        still = f"{how_many(len(paper.unread()), 'Feld ist', 'Felder sind')} offen."
        said = still if paper.unread() else "Alles ist angesehen oder bestätigt."
        papers.append(
            {"label": paper.label, "name": paper.name, "head": paper.head, "rows": rows, "said": said}
        )
    return _page("verdicts.html.j2", read, papers=papers, sample=words_on_sample(read))


def _row(rebuilt: Rebuilt, each: ReadBlank, cell: CheckedCell | None) -> dict[str, str]:
    verdict = "offen" if not each.by else "leer" if cell is None else cell.verdict
    value = each.value if each.by else each.reading
    shown = "unlesbar" if value == UNREADABLE else value.replace("-", "\N{MINUS SIGN}")
    return {
        "title": _title(rebuilt, each.cell),
        "crop": each.crop,
        "value": shown,
        "verdict": verdict,
        "by": _BY[each.by],
    }


def _page(name: str, read: Class, **values: Any) -> str:
    usual = {"css": _text("review.css"), "notes": read.said, "heading": summary(read)}
    return environment("reading").get_template(name).render(usual | values)


def _text(name: str) -> Markup:
    """A style or script, which the page has too."""
    return Markup(text_of(f"page/static/{name}"))
