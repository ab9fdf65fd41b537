"""The files of a class: its sentences; what it handed in, judged.

Each paper, of a folder, of files or of one table, is judged with its own calculation.
"""

import csv
import io
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from generator.basics.errors import UserError, in_words, quoted
from generator.basics.reading import is_folder, is_there, read_bytes
from generator.calculation.contents import GROUP
from generator.calculation.rebuild import Rebuilt, read_document
from generator.check.answers import Answers, answers_in, decoded, from_csv, read_answers
from generator.check.check import check
from generator.check.entries import is_pdf
from generator.check.in_words import MarkedPaper
from generator.check.report import unread_entries
from generator.production.class_set import CALCULATIONS, MANIFEST

MOST_SENTENCES: Final = 100
_LARGEST_SENTENCES: Final = 100_000


def read_sentences(path: Path) -> tuple[tuple[int, str], ...]:
    """Number of the line and sentence, for each line that is not empty. UserError for none or too many."""
    text = decoded(read_bytes(path, "Die Satzliste", _LARGEST_SENTENCES))
    found: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if sentence := " ".join(line.split()):
            found.setdefault(sentence, number)
    if not found:
        raise UserError(f"In der Satzliste {quoted(path.name)} steht kein Satz.")
    if len(found) > MOST_SENTENCES:
        raise UserError(
            f"Die Satzliste {quoted(path.name)} hat {len(found)} Sätze; möglich sind höchstens "
            f"{MOST_SENTENCES}."
        )
    return tuple((number, sentence) for sentence, number in found.items())


_LARGEST: Final = 64_000_000
_LABELS: Final = ("code", "blatt", "blattcode", "nummer", "nr", "nr.")
_ENDINGS: Final = (".csv", ".json", ".txt", ".tsv", ".pdf")
Source = Callable[[str], tuple[str, str, Rebuilt]]
"""The label of a paper -> how to call it, the pupil's name, the calculation. LookupError if there is none."""
Handed = tuple[str, str, Callable[[Mapping[str, int]], Answers]]
"""Label of a paper, where it stands, and what reads its answers."""


@dataclass(frozen=True)
class Papers:
    """What could be judged, and a sentence for every file of which something could not."""

    papers: tuple[MarkedPaper, ...]
    unread: tuple[str, ...]


def is_manifest(path: Path) -> bool:
    """Whether this is a class set's folder or its manifest."""
    return path.name == MANIFEST or (is_folder(path) and is_there(path / MANIFEST))


def variants_of(manifest: Path) -> list[dict[str, Any]]:
    """Number, group, name, sheet and code of each pupil in a class set. UserError where the file is none."""
    try:
        contents = json.loads(read_bytes(manifest, "Der Klassensatz", _LARGEST))
        kept = ("name", "blatt", "code")
        return [
            {"nummer": int(each["nummer"]), GROUP: int(each.get(GROUP, 0))}
            | {name: str(each[name]) for name in kept}
            for each in contents["varianten"]
        ]
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise UserError(
            f"{quoted(manifest)} ist kein vollständiger Klassensatz; bitte neu machen."
        ) from error


def of_manifest(path: Path) -> Source:
    """Papers by number, name of the sheet or code, as the manifest of a class set has them.

    A team has one name and one code: a paper of one is called by its number, or ABCD-2.
    UserError where several people have what it is called by.
    """
    file = path / MANIFEST if is_folder(path) else path
    known: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for each in variants_of(file):
        for named in _labels_of(each):
            known[named.upper()].append(each)

    def source(label: str) -> tuple[str, str, Rebuilt]:
        plain = re.sub(r"[\s–-]", "", label).upper()
        first = re.split(r"[\s_–-]", label.strip())[0].upper()
        found = next((known[key] for key in (plain, first, first.lstrip("0")) if key in known), [])
        if not found:
            raise LookupError
        if len(found) > 1:
            people = in_words([f"{each['nummer']} {each['name']}".strip() for each in found], "und")
            raise UserError(f"{quoted(label)} haben mehrere: {people}; bitte die Nummer angeben.")
        number = str(found[0]["nummer"])
        return number, found[0]["name"], read_document(file.parent / CALCULATIONS / f"{number}.json")

    return source


def _labels_of(variant: Mapping[str, Any]) -> tuple[str, ...]:
    number, sheet, code = str(variant["nummer"]), variant["blatt"], variant["code"].replace("-", "")
    return (number, sheet, code, *[f"{sheet}{variant[GROUP]}"] * (variant[GROUP] > 0))


def has_several(answers: Path) -> bool:
    """Whether a file of answers is a table of several people."""
    content = read_bytes(answers, "Die Antwortdatei", _LARGEST)
    text = "" if is_pdf(content) else decoded(content)
    column = _label_column(text)
    return column is not None and len({row[column] for row in _rows(text)[1:] if column < len(row)}) > 1


def read_papers(source: Source, answers: Path) -> Papers:
    """Judges every file of a folder, or one file."""
    if is_folder(answers):
        return _judged(source, _in_folder(answers), quoted(answers))
    return read_files(source, [(answers.name, read_bytes(answers, "Die Antwortdatei", _LARGEST))])


def read_files(source: Source, files: Sequence[tuple[str, bytes]]) -> Papers:
    """The same for files that came without a folder: (name, content) of each; a single one may be a table of
    all papers.
    """
    for name, content in files if len(files) == 1 else ():
        text = "" if is_pdf(content) else decoded(content)
        if (column := _label_column(text)) is not None:
            return _judged(source, _in_table(text, quoted(name), column), "der Datei")
    handed = [
        (Path(name).stem, quoted(name), partial(answers_in, content, quoted(name)))
        for name, content in sorted(files)
        if Path(name).suffix.lower() in _ENDINGS
    ]
    return _judged(source, handed, "diesen Dateien")


def _judged(source: Source, handed: Iterable[Handed], title: str) -> Papers:
    papers: list[MarkedPaper] = []
    unread: list[str] = []
    for label, where, read in handed:
        try:
            number, name, rebuilt = source(label)
            report = check(rebuilt, read(rebuilt.axes))
        except LookupError:
            unread.append(
                f"{where}: Zu {quoted(label)} gibt es in diesem Klassensatz kein Blatt; eine Datei heißt "
                "nach Nummer oder Kurznamen, und eine Tabelle für alle hat eine Spalte „Nummer“ oder „Code“."
            )
        except UserError as error:
            unread.append(str(error) if where in str(error) else f"{where}: {error}")
        else:
            if any(number == paper.label for paper in papers):
                unread.append(f"{where}: Zu Nummer {number} gibt es noch eine Arbeit; beide sind geprüft.")
            papers.append(MarkedPaper(number, name, rebuilt, report))
            if report.other_sheet:
                unread.append(
                    f"{where}: Bei {quoted(label)} passt fast nichts: Gehören die Antworten zu einem anderen "
                    "Blatt?"
                )
            if told := unread_entries(report, rebuilt):
                unread.append(f"{where}: {' '.join(told)}")
    if not papers:
        raise UserError(f"In {title} ließ sich keine Arbeit prüfen. {' '.join(unread[:1])}".rstrip())
    return Papers(tuple(sorted(papers, key=_order)), tuple(unread))


def _order(paper: MarkedPaper) -> tuple[int, str]:
    return (int(paper.label), "") if paper.label.isdigit() else (0, paper.label)


def _in_folder(path: Path) -> Iterator[Handed]:
    for file in sorted(path.iterdir()):
        if file.suffix.lower() in _ENDINGS and not file.name.startswith("."):
            yield file.stem, quoted(file.name), partial(read_answers, file)


def _in_table(text: str, title: str, column: int) -> Iterator[Handed]:
    """One table for a whole class: lines of one label belong together. column: of the labels."""
    rows = _rows(text)
    lines: dict[str, list[list[str]]] = {}
    for row in rows[1:]:
        label = row[column].strip() if column < len(row) else ""
        lines.setdefault(label, []).append(row[:column] + row[column + 1 :])
    head = rows[0][:column] + rows[0][column + 1 :]
    for label, own in lines.items():
        said = io.StringIO()
        csv.writer(said, delimiter=";").writerows([head, *own])
        yield label, title, partial(from_csv, said.getvalue(), title="der Klasse")


def _label_column(text: str) -> int | None:
    rows = _rows(text.partition("\n")[0])
    heads = [head.strip().lower() for head in rows[0]] if rows else []
    return next((heads.index(label) for label in _LABELS if label in heads), None)


def _rows(text: str) -> list[list[str]]:
    separator = next((sign for sign in ";\t," if sign in text.partition("\n")[0]), ";")
    rows = csv.reader(io.StringIO(text), delimiter=separator)
    return [row for row in rows if any(map(str.strip, row))]
