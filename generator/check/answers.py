"""Reads what pupils hand in (JSON, CSV, a filled-in PDF) as entries for check.py."""

import csv
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from itertools import islice
from pathlib import Path
from typing import Any, Final

from generator.basics.cell_names import cell_parts
from generator.basics.errors import UserError, quoted, shortened
from generator.basics.reading import confined, read_bytes
from generator.check.entries import (
    LARGEST_NUMBER,
    LARGEST_PDF,
    Entry,
    Index,
    fields_of,
    index_of,
    is_pdf,
    number_of,
)
from generator.sheet.fields import IN_WORDS

_LARGEST_FILE: Final = 8_000_000
_LARGEST_HERE: Final = 500_000  # a larger file is read in a process of its own
_DEEPEST: Final = 8
_MOST_ENTRIES: Final = 250_000
_IN_ORDER: Final = {0: 0, 1: 1, 2: 2}
_HEADS: Final = {"name": 0, "größe": 0, "groesse": 0, "index": 1, "zelle": 1, "wert": 2, "value": 2}


@dataclass(frozen=True)
class Answers:
    """All entries of a file in its order; left_out counts the cells that are there but empty.

    in_words: what is not judged, by the name of its field.
    """

    entries: tuple[Entry, ...]
    left_out: int
    in_words: Mapping[str, str] = field(default_factory=dict)


def read_answers(path: Path, axes: Mapping[str, int]) -> Answers:
    """Read a file; axes: how many indices each quantity's cells have. UserError if it is no answers file."""
    return answers_in(read_bytes(path, "Die Antwortdatei", LARGEST_PDF), quoted(path.name), axes)


def answers_in(content: bytes, title: str, axes: Mapping[str, int]) -> Answers:
    """The same for what stands in a file; title: its name in quotation marks."""
    answers = _read(content, title, axes)
    known = any(entry.name in axes and entry.index is not None for entry in answers.entries)
    if not known and not answers.left_out and not answers.in_words:
        raise UserError(
            f"In {title} steht keine einzige Zelle dieses Blatts; erwartet werden Zeilen „name;index;wert“ "
            "oder das ausgefüllte PDF."
        )
    return answers


def _read(content: bytes, title: str, axes: Mapping[str, int]) -> Answers:
    if is_pdf(content):
        return from_form(confined(fields_of, f"Die Antwortdatei {title}", content, title))
    if len(content) > _LARGEST_FILE:
        raise UserError(f"Die Antwortdatei {title} ist zu groß für die Antworten eines Blatts.")
    if len(content) > _LARGEST_HERE:
        entries, *rest = confined(_plain, f"Die Antwortdatei {title}", content, title, dict(axes))
        return Answers(tuple(map(_entry, entries)), *rest)
    return _of_text(content, title, axes)


def _of_text(content: bytes, title: str, axes: Mapping[str, int]) -> Answers:
    text = decoded(content)
    if text.lstrip()[:1] in ("{", "["):
        return from_json(text, title)
    return from_csv(text, axes, title)


def _plain(content: bytes, title: str, axes: Mapping[str, int]) -> list[Any]:
    """Answers as plain lists, for a process of their own to hand back as JSON."""
    answers = _of_text(content, title, axes)
    entries = [
        [e.name, e.index, e.text, None if e.value is None else str(e.value), e.where, e.index_text]
        for e in answers.entries
    ]
    return [entries, answers.left_out, answers.in_words]


def _entry(each: list[Any]) -> Entry:
    name, index, text, value, where, index_text = each
    index = None if index is None else tuple(index)
    return Entry(name, index, text, value and Decimal(value), where, index_text)


def from_form(fields: Mapping[str, str]) -> Answers:
    """The fields of a worksheet that was filled in on the screen, by their names."""
    entries, in_words = [], {}
    for name, text in fields.items():
        if not text.strip():
            continue
        if name.startswith(IN_WORDS):
            in_words[name] = text
            continue
        quantity, index = cell_parts(name)
        entries.append(Entry(quantity, index_of(index), text, number_of(text), index_text=index))
    numbers = sum(not name.startswith(IN_WORDS) for name in fields)
    return Answers(tuple(entries), numbers - len(entries), in_words)


def decoded(content: bytes) -> str:
    """UTF-8 with or without mark, UTF-16 with mark, otherwise what German Windows writes."""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return content.decode("utf-16", errors="replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def from_json(text: str, title: str) -> Answers:
    """{"<name>": nested lists}; null stands for what is not there. `title` names the file in a UserError."""
    try:
        tables = json.loads(text, parse_float=_written, parse_int=_written, parse_constant=str)
    except RecursionError as error:
        raise UserError(f"Die Antwortdatei {title} ist zu tief verschachtelt.") from error
    except ValueError as error:
        line = getattr(error, "lineno", None)
        where = f" (Zeile {line}, Spalte {getattr(error, 'colno', 0)})" if line else ""
        raise UserError(f"Die Antwortdatei {title} ist kein gültiges JSON{where}.") from error
    if not isinstance(tables, dict):
        raise UserError(f'Die Antwortdatei {title} muss so aussehen: {{"<Name>": [[…], …]}}.')
    if "quantities" in tables:
        raise UserError(f"Die Antwortdatei {title} ist selbst eine Rechnung und enthält keine Antworten.")
    in_words = {
        name: text if isinstance(text, str) else shortened(text)
        for name, text in tables.items()
        if name.startswith(IN_WORDS)
    }
    numbers = {name: table for name, table in tables.items() if name not in in_words}
    each = (entry for name, table in numbers.items() for entry in _nested(name, table, ()))
    entries = tuple(islice(each, _MOST_ENTRIES + 1))
    if len(entries) > _MOST_ENTRIES:
        raise _too_many(title)
    return Answers(entries, 0, in_words)


def _too_many(title: str) -> UserError:
    return UserError(
        f"Die Antwortdatei {title} hat mehr als {_MOST_ENTRIES} Einträge; so viele Zellen hat kein Blatt."
    )


def _nested(name: str, table: Any, index: Index) -> Iterator[Entry]:
    if isinstance(table, list) and len(index) < _DEEPEST:
        for place, inner in enumerate(table):
            yield from _nested(name, inner, (*index, place))
    elif isinstance(table, Decimal):
        yield Entry(name, index, f"{table:f}", table)
    elif isinstance(table, str) and table.strip():
        yield Entry(name, index, table, number_of(table))
    elif table is not None and not isinstance(table, str):
        yield Entry(name, index, shortened(table), None)


def from_csv(text: str, axes: Mapping[str, int], title: str) -> Answers:
    """Lines `name,index,wert`, separated by comma, semicolon or tab; the index as "2,1", counted from 0."""
    lines = text.splitlines()
    usual = _separator(lines)
    columns = _IN_ORDER
    as_named = {name.casefold(): name for name in axes}
    entries: list[Entry] = []
    in_words: dict[str, str] = {}
    left_out = empty = 0
    for number, line in enumerate(lines, 1):
        if not line.strip(f"{usual} \t"):
            continue
        separator = usual if usual in line else next((sign for sign in "\t;," if sign in line), usual)
        fields = fields_in(line, separator)
        if not entries and (header := _header(fields)):
            columns = header
            continue
        fields[0] = as_named.get(fields[0].strip().casefold(), fields[0])
        name, index_text, written = _three(fields, axes, columns, separator)
        name = as_named.get(name.casefold(), name)
        if not written.strip():
            empty += 1
            left_out += name in axes or name.startswith(IN_WORDS)
            continue
        if name.startswith(IN_WORDS):
            in_words[name] = written
            continue
        if len(entries) == _MOST_ENTRIES:
            raise _too_many(title)
        entries.append(
            Entry(name, index_of(index_text), written, number_of(written), f"Zeile {number}", index_text)
        )
    if not entries and not in_words and not empty:
        raise UserError(f"Die Antwortdatei {title} ist leer; erwartet werden Zeilen „name;index;wert“.")
    return Answers(tuple(entries), left_out, in_words)


def _separator(lines: list[str]) -> str:
    first = next((line for line in lines if line.strip()), "")
    if first.lower().startswith("sep=") and len(first.strip()) == 5:
        return first.strip()[-1]
    return ";" if ";" in first else "\t" if "\t" in first else ","


def fields_in(line: str, separator: str) -> list[str]:
    """The fields of one line; a quotation mark that is never closed spoils no other line."""
    if '"' not in line:
        return line.split(separator)
    try:
        return next(csv.reader([line], delimiter=separator))
    except (csv.Error, StopIteration):
        return line.split(separator)


def _header(fields: list[str]) -> dict[int, int] | None:
    """Which column holds name, index and value, if the line says so."""
    if fields and fields[0].lower().startswith("sep="):
        return dict(_IN_ORDER)
    names = [field.strip().lower() for field in fields]
    places = {_HEADS[name]: place for place, name in enumerate(names) if name in _HEADS}
    return places if 0 in places and 2 in places else None


def _three(
    fields: list[str], axes: Mapping[str, int], columns: Mapping[int, int], separator: str
) -> tuple[str, str, str]:
    """Name, index and value; an index or a decimal comma that the separator tore apart is joined again."""
    if columns != _IN_ORDER:
        cells = [fields[columns[k]] if k in columns and columns[k] < len(fields) else "" for k in range(3)]
        return cells[0].strip(), cells[1], cells[2]
    while len(fields) > 3 and not fields[-1].strip():
        fields = fields[:-1]
    name, rest = fields[0].strip(), fields[1:]
    if rest and rest[0].lstrip()[:1] in ("[", "("):  # [2,1] torn apart
        end = next((k for k, field in enumerate(rest, 1) if field.rstrip()[-1:] in ("]", ")")), 1)
        return name, ",".join(rest[:end]), _value(rest[end:], separator)
    if len(fields) <= 3:
        index, value, *_ = *rest, "", ""
        return name, index, value
    count = axes.get(name, len(rest) - 1)
    if count == 0 and not rest[0].strip():
        return name, "", _value(rest[1:], separator)
    if count != 1 and not re.search(r"\D", rest[0].strip()):
        return name, ",".join(rest[:count]), _value(rest[count:], separator)
    return name, rest[0], _value(rest[1:], separator)


def _value(fields: list[str], separator: str) -> str:
    """The value, put together where a comma tore it apart; a remark in a column of its own says no number."""
    if len(fields) > 1 and not re.search(r"[0-9]", fields[-1]):
        fields = fields[:-1]
    return (separator if separator != "\t" else " ").join(fields)


def _written(text: str) -> Decimal | str:
    """A number of a JSON file with all its digits; a monstrous one stays text."""
    try:
        value = Decimal(text)
    except InvalidOperation:
        return text
    fits = len(text) < 60 and value.is_finite() and abs(value.adjusted()) < LARGEST_NUMBER + 20
    return value if fits and (value == 0 or value.adjusted() < LARGEST_NUMBER) else text
