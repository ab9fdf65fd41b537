"""Reads the names of a class, as German spreadsheets write them, and lists of sentences."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from generator.basics.errors import UserError, quoted
from generator.basics.reading import read_bytes
from generator.check.answers import decoded

MOST: Final = 1000
_LARGEST: Final = 1_000_000
_LONGEST: Final = 100
_WHOLE: Final = ("name", "schüler", "schülerin", "schüler/in", "schüler:in", "lernende", "person")
_FIRST: Final = ("vorname", "vornamen", "rufname")
_LAST: Final = ("nachname", "familienname")


def read_names(path: Path) -> tuple[str, ...]:
    """One name for each line that is not empty. UserError with the number of the line that is no name.

    Semicolon, tab or comma; Windows-1252 or UTF-8; with a heading („Name“, „Vorname“, „Nachname“) or without,
    then the first column that is no number. Equal names stay: the numbers of the sheets tell them apart.
    """
    text = decoded(read_bytes(path, "Die Namensliste", _LARGEST))
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    first = next((line for line in lines if line.strip()), "")
    separator = next((sign for sign in ";\t," if sign in first), ";")
    heading: Mapping[str, int] | None = None
    names: list[str] = []
    for number, line in enumerate(lines, 1):
        fields = _fields(line, separator)
        if not any(fields):
            continue
        if not names and heading is None and (heading := _heading(fields)):
            continue
        names.append(_checked(_name(fields, heading or {}), number, path))
    if not names:
        raise UserError(f"In der Namensliste {quoted(path.name)} steht kein Name.")
    if len(names) > MOST:
        raise UserError(
            f"Die Namensliste {quoted(path.name)} hat {len(names)} Namen; möglich sind höchstens {MOST}."
        )
    return tuple(names)


def _fields(line: str, separator: str) -> list[str]:
    try:
        fields = next(csv.reader([line], delimiter=separator), [])
    except csv.Error:
        fields = line.split(separator)
    return [" ".join(field.split()) for field in fields]


def _heading(fields: Sequence[str]) -> dict[str, int]:
    """Which column holds what, {} where the line is none."""
    found: dict[str, int] = {}
    for place, field in enumerate(fields):
        for kind, words in (("whole", _WHOLE), ("first", _FIRST), ("last", _LAST)):
            if field.lower() in words:
                found.setdefault(kind, place)
    return found


def _name(fields: Sequence[str], heading: Mapping[str, int]) -> str:
    def column(kind: str) -> str:
        return fields[heading[kind]] if kind in heading and heading[kind] < len(fields) else ""

    if heading:
        both = f"{column('first')} {column('last') or column('whole')}".strip()
        return both if "first" in heading else column("whole") or column("last")
    return next((field for field in fields if field and not re.fullmatch(r"[\d.,]+", field)), "")


def _checked(name: str, number: int, path: Path) -> str:
    where = f"Zeile {number} der Namensliste {quoted(path.name)}"
    if not name:
        raise UserError(f"In {where} steht kein Name.")
    if len(name) > _LONGEST:
        raise UserError(f"{where}: Der Name hat {len(name)} Zeichen; möglich sind höchstens {_LONGEST}.")
    if name[0] in "=+@" or re.match(r"-\S*\(", name):
        raise UserError(f"{where}: {quoted(name)} sieht nach einer Formel aus und nicht nach einem Namen.")
    if not name.isprintable():
        raise UserError(f"{where}: {quoted(name)} enthält ein Zeichen, das sich nicht drucken lässt.")
    return name


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
