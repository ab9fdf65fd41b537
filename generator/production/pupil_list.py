"""Reads lists of pupils as school programs, learning platforms and spreadsheets write them.

What a line means is told from what it says and from all others: the heading, titles above it, columns that
hold no names. What was understood and left out comes with the names, in sentences, before anything is made.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final

from generator.basics.errors import UserError, in_words, quoted
from generator.basics.fonts import REPLACEMENT, printable
from generator.basics.reading import read_bytes, templates_folder
from generator.check.answers import decoded, fields_in

MOST: Final = 1000
_LARGEST: Final = 1_000_000
_LONGEST: Final = 100
_SEPARATORS: Final = (";", "\t", "|", ",")
_MOST_NAMED: Final = 3  # lines or names that a sentence names
_TOP: Final = 6  # lines among which the heading is
_ABOUT: Final = "Namensliste"
_KINDS: Final = ("first", "last", "class", "other", "whole")  # what a column holds, the narrower word first

_SURE: Final = frozenset(
    ["name", "vorname", "nachname", "familienname", "langname", "firstname", "lastname", "surname"]
)
_MARKED: Final = re.compile(r"(?:\d{1,3}[.)]|[-–•*·])\s+(?=\S)")  # an item of a list in running text
_OF_CLASS: Final = re.compile(r"\d{1,2}\s?[.\-/]?\s?[a-zA-Z]{0,3}\d?|[EQKJ]\d?")
_EXCEL: Final = ((b"PK\x03\x04", "eine Tabelle"), (b"\xd0\xcf\x11\xe0", "eine Tabelle"), (b"%PDF", "ein PDF"))


@cache
def _words() -> Mapping[str, frozenset[str]]:
    """Words of headings, by what their column holds."""
    text = (templates_folder() / "classes/headings.toml").read_text(encoding="utf-8")
    return {kind: frozenset(words.split()) for kind, words in tomllib.loads(text).items()}


def _words_in(field: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", field.casefold())


@dataclass(frozen=True)
class PupilList:
    """said: what was understood, in whole sentences. doubts: what may be otherwise, and what helps then."""

    names: tuple[str, ...]
    said: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Line:
    number: int
    fields: tuple[str, ...]

    @property
    def filled(self) -> list[int]:
        return [place for place, field in enumerate(self.fields) if field]

    def __str__(self) -> str:
        return f"Zeile {self.number} ({quoted(' '.join(filter(None, self.fields))[:40])})"


def read_names(path: Path) -> PupilList:
    """The list in a file. UserError where there is none in it."""
    return names_in(read_bytes(path, f"Die {_ABOUT}", _LARGEST), path.name)


def names_in(content: bytes | str, title: str) -> PupilList:
    """The list that was typed, or stands in a file of that title. UserError with the line that is wrong."""
    lines = _unmarked(list(_lines(content if isinstance(content, str) else _text(content, title), title)))
    heading, above = _heading(lines)
    body = [line for line in lines if line not in above and line is not heading]
    left_out = [line for line in body if not any(map(_spoken, line.fields)) or _is_title(line)]
    body = [line for line in body if line not in left_out]
    if not body:
        raise UserError(f"In der {_ABOUT} {quoted(title)} steht kein Name.")
    if len(body) > MOST:
        raise UserError(f"Die {_ABOUT} {quoted(title)} hat {len(body)} Namen; möglich sind höchstens {MOST}.")
    said, doubts = list[str](), list[str]()
    in_one = body[0].fields if len(body) == 1 and heading is None and _several(body[0]) else ()
    if in_one and all(map(_spoken, filter(None, in_one))):  # a number would be one pupil's, of a list
        body = [_Line(body[0].number, (field,)) for field in filter(None, in_one)]
        said.append(f"Zeile {body[0].number} enthält {len(body)} Namen.")
    columns = _headed(heading) if heading is not None else _unheaded(body, doubts)
    pupils = [(line, *_name(line, columns)) for line in body]
    left_out += [line for line, name, _ in pupils if not name]
    pupils = [each for each in pupils if each[1]]
    if not pupils:
        raise UserError(f"In der {_ABOUT} {quoted(title)} steht kein Name.")
    if turned := next((line for line, name, _ in pupils if "," in name), None):
        pupils = [(line, _turned(name), of_class) for line, name, of_class in pupils]
        said.append(f"Nachname, Vorname: {turned} wird {quoted(_turned(_name(turned, columns)[0]))}.")
    names = [_checked(name, line, title, said) for line, name, _ in pupils]
    names = list(_told_apart(names, [of_class for *_, of_class in pupils], said))
    if heading is not None:
        used = in_words([quoted(heading.fields[place]) for place in sorted(columns.values())], "und")
        said.insert(0, f"Überschrift in Zeile {heading.number}; gelesen: {used}.")
    if gone := [*above, *left_out]:
        more = f" und {len(gone) - _MOST_NAMED} weitere" if len(gone) > _MOST_NAMED else ""
        said.append(f"Weggelassen: {', '.join(map(str, gone[:_MOST_NAMED]))}{more}.")
    if above and heading is None:
        doubts.append(f"Ist {above[-1]} doch ein Name, schreiben Sie „Name“ in eine Zeile darüber.")
    return PupilList(tuple(names), tuple(said), tuple(doubts))


def _text(content: bytes, title: str) -> str:
    for start, kind in _EXCEL:
        if content.startswith(start):
            raise UserError(
                f"Die {_ABOUT} {quoted(title)} ist {kind}; bitte speichern Sie sie als CSV (in Excel: "
                "„Speichern unter“, „CSV UTF-8“) oder kopieren Sie die Namen in eine Textdatei."
            )
    if content[:2] not in (b"\xff\xfe", b"\xfe\xff") and content[1::2].count(0) > len(content) // 4:
        content = b"\xff\xfe" + content  # without a mark, as some programs write it
    text = decoded(content)
    if "\ufffd" in text or "\0" in text:
        raise UserError(
            f"Die {_ABOUT} {quoted(title)} enthält Zeichen, die sich nicht lesen lassen; bitte speichern Sie "
            "sie als CSV UTF-8."
        )
    return text


def _lines(text: str, title: str) -> Iterator[_Line]:
    """The lines that are not empty, their fields without needless spaces."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff").split("\n")
    said = lines[0].strip().strip('"').lower()
    separator = said[4:] if said[:4] == "sep=" and len(said) == 5 else _separator(lines)
    for number, line in enumerate(lines, 1):
        if number == 1 and said[:4] == "sep=":
            continue
        if line.count('"') % 2 and re.search(rf'(^|{re.escape(separator)})\s*"', line):
            raise UserError(f"Zeile {number} der {_ABOUT} {quoted(title)}: Ein Anführungszeichen ist offen.")
        fields = [" ".join(field.split()) for field in fields_in(line, separator)]
        if any(fields):
            yield _Line(number, tuple(fields))


def _unmarked(lines: Sequence[_Line]) -> list[_Line]:
    """Without „1.“ or „•“ before the names, where most lines have it."""
    if sum(_MARKED.match(line.fields[0]) is not None for line in lines) * 2 <= len(lines):
        return list(lines)
    return [_Line(line.number, (_MARKED.sub("", line.fields[0], 1), *line.fields[1:])) for line in lines]


def _separator(lines: Sequence[str]) -> str:
    """The sign that most lines have; one that no list has if it is not more than half of them."""
    counts = {sign: sum(sign in line for line in lines) for sign in _SEPARATORS}
    most = max(_SEPARATORS, key=lambda sign: counts[sign])
    return most if counts[most] * 2 > sum(map(bool, map(str.strip, lines))) else "\x1f"


def _several(line: _Line) -> bool:
    """Whether a line alone names several people: more than two fields, or two of two words each."""
    filled = [line.fields[place] for place in line.filled]
    return len(filled) > 2 or (len(filled) == 2 and all(" " in field for field in filled))


def _spoken(field: str) -> bool:
    return re.search(r"[^\W\d_]", field) is not None


def _kind(field: str) -> str:
    """What a heading says that its column holds; "" where it is none."""
    words = [word for word in _words_in(field) if word not in _words()["links"]]
    kinds = [next((kind for kind in _KINDS if word in _words()[kind]), "") for word in words]
    if not all(kinds) or re.search(r"\d", field):
        return ""
    if {"first", "last"} <= set(kinds) or set(words) == {"name", "vorname"}:
        return "whole"
    return next((kind for kind in _KINDS if kind in kinds), "")


def _heading(lines: Sequence[_Line]) -> tuple[_Line | None, list[_Line]]:
    """The heading, and titles above it; without one, what is no line like the others."""
    for place, line in enumerate(lines[:_TOP]):
        kinds = [_kind(field) for field in line.fields if field]
        names = {"first", "last", "whole"} & set(kinds)
        if any(map(_surely, line.fields)) or (names and sum(map(bool, kinds)) * 2 > len(kinds)):
            return line, list(lines[:place])
    signs = [any(re.search(r"[\d/:]", field) for field in line.fields) for line in lines]
    above = []
    for (line, after), unlike in zip(pairwise(lines[: _TOP + 1]), signs, strict=False):
        alone = len(line.filled) == 1 < len(after.filled)
        if not (alone or _is_title(line) or (unlike and sum(signs) == 1 and len(lines) > 2)):
            break
        above.append(line)
    return None, above


def _surely(field: str) -> bool:
    """Whether it is a heading, whatever stands beside it: nobody is called that."""
    words = {*_words_in(field)} - _words()["links"]
    return bool(words) and words <= _SURE


def _is_title(line: _Line) -> bool:
    """Whether a line says something of the list: „Klassenliste 10a“, „Anzahl: 25“."""
    said = line.fields[line.filled[0]]
    return bool({*_words_in(said)[:1]} & _words()["titles"]) and len(line.filled) <= 2


def _headed(heading: _Line) -> dict[str, int]:
    """What stands in which column."""
    found: dict[str, int] = {}
    for place, field in enumerate(heading.fields):
        if kind := _kind(field):
            found.setdefault(kind, place)
    if {"first", "whole"} <= found.keys() and "last" not in found:  # „Name;Vorname“
        found["last"] = found.pop("whole")
    if {"last", "whole"} <= found.keys() and "first" not in found:  # „Name,Surname“
        found["first"] = found.pop("whole")
    if {"first", "last"} <= found.keys():
        found.pop("whole", None)
    found.pop("other", None)
    return found


def _unheaded(body: Sequence[_Line], doubts: list[str]) -> dict[str, int]:
    """The same without a heading: the first columns, one or two, whose words differ from line to line."""
    width = max(len(line.fields) for line in body)
    columns = [[line.fields[place] for line in body if place < len(line.fields)] for place in range(width)]
    classes = [p for p, column in enumerate(columns) if all(map(_OF_CLASS.fullmatch, filter(None, column)))]
    spoken = [
        place
        for place, column in enumerate(columns)
        if place not in classes and sum(map(_named, column)) * 2 > len(body)
    ]
    various = [place for place in spoken if len(set(columns[place])) * 3 > len(body)] or spoken
    found: dict[str, int] = {}
    if len(various) > 1:
        found = {"last": various[0], "first": various[1]}
        line = next(each for each in body if len(each.fields) > various[1])
        doubts.append(
            f"Nachname, dann Vorname: {line} wird {quoted(_name(line, found)[0])}. Ist es umgekehrt, "
            "schreiben Sie „Vorname;Nachname“ in eine Zeile darüber."
        )
    elif various:
        found = {"whole": various[0]}
    of_class = [place for place in classes if any(map(_spoken, columns[place]))]
    return found | ({"class": of_class[0]} if of_class else {})


def _named(field: str) -> bool:
    return _spoken(field) and "@" not in field and len(field) > 1


def _name(line: _Line, columns: Mapping[str, int]) -> tuple[str, str]:
    """A pupil's name, and the class."""

    def column(kind: str) -> str:
        place = columns.get(kind, len(line.fields))
        return line.fields[place] if place < len(line.fields) else ""

    both = f"{column('first')} {column('last')}".strip()
    return both or column("whole"), column("class")


def _turned(name: str) -> str:
    """„Müller, Jörg“ as one says it."""
    last, comma, first = name.partition(",")
    return f"{first.strip()} {last.strip()}" if comma and first.strip() else last.strip()


def _checked(name: str, line: _Line, title: str, said: list[str]) -> str:
    where = f"Zeile {line.number} der {_ABOUT} {quoted(title)}"
    if len(name) > _LONGEST:
        raise UserError(f"{where}: Der Name hat {len(name)} Zeichen; möglich sind höchstens {_LONGEST}.")
    if name[0] in "=+@" or re.match(r"-\S*\(", name):
        raise UserError(f"{where}: {quoted(name)} sieht nach einer Formel aus und nicht nach einem Namen.")
    if re.search(r"[\x00-\x1f\x7f-\x9f]", name):
        raise UserError(f"{where}: {quoted(name)} enthält ein Zeichen, das sich nicht drucken lässt.")
    printed = " ".join(printable(name).replace(REPLACEMENT, "").split())
    if not _spoken(printed):
        raise UserError(
            f"{where}: {quoted(name)} lässt sich mit unseren Schriften nicht drucken; bitte "
            "in lateinischen Buchstaben schreiben."
        )
    if printed != " ".join(printable(name).split()):
        said.append(f"{quoted(name)} wird ohne Zeichen, die sich nicht drucken lassen, {quoted(printed)}.")
    return printed


def _told_apart(names: Sequence[str], classes: Sequence[str], said: list[str]) -> Iterator[str]:
    """Those of several classes with their class; of those that are still the same each with a number."""
    several = len({each for each in classes if each}) > 1
    full = [
        f"{name} ({of_class})" if several and of_class else name
        for name, of_class in zip(names, classes, strict=True)
    ]
    counts, seen = Counter(full), Counter[str]()
    if twice := [name for name, count in counts.items() if count > 1]:
        more = " …" if len(twice) > _MOST_NAMED else ""
        shown = in_words([quoted(name) for name in twice[:_MOST_NAMED]], "und")
        said.append(f"Mehrfach steht da {shown}{more}: Auf den Blättern steht eine Nummer dahinter.")
    for name in full:
        seen[name] += 1
        yield f"{name} ({seen[name]})" if counts[name] > 1 else name
