"""The kinds of options: how a text of the command line or a value of a TOML file becomes a checked value."""

from __future__ import annotations

import json
import os
import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from generator.basics.errors import UserError, in_words, shortened, shown_path
from generator.basics.numbers import decimal_of, parse_number


class Kind(ABC):
    """How one kind of option value is read, shown in help and TOML, and noted in the JSON."""

    placeholder = ""
    many = False  # may be given several times on the command line

    @abstractmethod
    def read(self, flag: str, value: Any) -> Any:
        """The checked value; reading it again changes nothing. UserError names the flag and what is right."""

    def plain(self, value: Any) -> Any:
        """The value for JSON and TOML: numbers, text, booleans, lists; a file only by its own name."""
        return value

    def shown(self, value: Any) -> str:
        """The value as one types it after the flag."""
        return str(value)


def flag_of(name: str) -> str:
    """The option's name in a message: „--startwert“, „Der Satz“."""
    return "Der Satz" if name == "satz" else "--" + name.replace("_", "-")


def refused(flag: str, value: Any, right: str) -> UserError:
    """The sentence "--stufe 4 passt nicht: …"."""
    shown = shortened(value)
    if isinstance(value, str | list | tuple) and not re.fullmatch(r"[\w.,+−/-]+", shown):
        shown = f"„{shown}“"
    return UserError(f"{flag} {shown} passt nicht: {right}")


@dataclass(frozen=True)
class Whole(Kind):
    """Whole numbers from `low` to `high`."""

    low: int
    high: int
    on_paper: tuple[int, int] | None = None  # the limits of what is printed, where they are narrower
    placeholder = "N"

    def for_paper(self) -> Whole:
        return Whole(*self.on_paper) if self.on_paper else self

    def read(self, flag: str, value: Any) -> int:
        number = value
        if isinstance(value, str) and re.fullmatch(r"[+\-−]?[0-9]{1,20}", value.strip()):
            number = int(value.strip().replace("−", "-"))
        if not isinstance(number, int) or isinstance(number, bool) or not self.low <= number <= self.high:
            raise refused(flag, value, f"Möglich ist eine ganze Zahl von {self.low} bis {self.high}.")
        return number


@dataclass(frozen=True)
class OneNumberOf(Kind):
    """One of a few whole numbers."""

    values: tuple[int, ...]

    @property
    def placeholder(self) -> str:  # type: ignore[override]
        return "|".join(map(str, self.values))

    def read(self, flag: str, value: Any) -> int:
        number = int(value) if isinstance(value, str) and value.strip().isdecimal() else value
        if isinstance(number, bool) or number not in self.values:
            raise refused(flag, value, f"Möglich ist {in_words(self.values, 'oder')}.")
        return int(number)


@dataclass(frozen=True)
class Switch(Kind):
    """On or off; the second flag begins with --ohne-."""

    def read(self, flag: str, value: Any) -> bool:
        if not isinstance(value, bool):
            raise refused(flag, value, "Möglich ist in der Vorlage true oder false.")
        return value

    def shown(self, value: Any) -> str:
        return "an" if value else "aus"


@dataclass(frozen=True)
class OneOf(Kind):
    """One of a few words; alone: what the flag means without one, "" where it needs one."""

    values: tuple[str, ...]
    alone: str = ""

    @property
    def placeholder(self) -> str:  # type: ignore[override]
        words = "|".join(self.values)
        return f"[{words}]" if self.alone else words

    def read(self, flag: str, value: Any) -> str:
        if not isinstance(value, str) or value not in self.values:
            raise refused(flag, value, f"Möglich ist {in_words(self.values, 'oder')}.")
        return value


@dataclass(frozen=True)
class FilePath(Kind):
    """A file or folder, or one of the words in `instead`, which then stay text."""

    instead: tuple[str, ...] = ()
    placeholder: str = "DATEI"

    def read(self, flag: str, value: Any) -> str | Path | None:
        if value is None or (isinstance(value, str) and value in self.instead):
            return value
        if not isinstance(value, str | Path) or not str(value).strip() or "\0" in str(value):
            words = f"{in_words(self.instead, ',')} oder " if self.instead else ""
            raise refused(flag, value, f"Nötig ist {words}der Name einer Datei oder eines Ordners.")
        if isinstance(value, Path):
            return value
        try:  # the bytes are those that were typed, also where the locale knows no umlauts
            return Path(os.fsdecode(value.encode("utf-8", "surrogateescape")))
        except UnicodeEncodeError as error:
            raise refused(flag, value, "Nötig ist der Name einer Datei oder eines Ordners.") from error

    def plain(self, value: Any) -> str | None:
        return shown_path(Path(value.name)) if isinstance(value, Path) else value


@dataclass(frozen=True)
class Temperatures(Kind):
    """Positive numbers, each once."""

    placeholder = "T"
    many = True

    def read(self, flag: str, value: Any) -> tuple[float, ...]:
        one = Amount("0.01", "1000", 4, f"; mehrere Temperaturen je mit eigenem {flag}")
        numbers = [one.number(flag, item) for item in items_of(value, r"[;\s]+")]
        shown = "; ".join(f"{number:f}".replace(".", ",") for number in numbers)
        if not 1 <= len(numbers) <= _MOST_TEMPERATURES:
            raise refused(flag, shown, f"Möglich sind 1 bis {_MOST_TEMPERATURES} Temperaturen.")
        if len(set(numbers)) < len(numbers):
            raise refused(flag, shown, "Jede Temperatur darf nur einmal vorkommen.")
        return tuple(float(number) for number in numbers)

    def plain(self, value: Any) -> list[float | int]:
        return [int(t) if t == int(t) else t for t in value]

    def shown(self, value: Any) -> str:
        return "; ".join(f"{t:g}".replace(".", ",") for t in value)


@dataclass(frozen=True)
class Amount(Kind):
    """One number above 0, within limits and with few places."""

    low: str = "0.01"
    high: str = "1"
    places: int = 2
    advice: str = ""
    placeholder = "P"

    def read(self, flag: str, value: Any) -> float:
        return float(self.number(flag, value))

    def number(self, flag: str, value: Any) -> Decimal:
        try:
            number = parse_number(value) if isinstance(value, str) else _decimal(value)
        except (ValueError, TypeError):
            number = Decimal(0)
        if not Decimal(self.low) <= number <= Decimal(self.high) or round(number, self.places) != number:
            low, high = self.low.replace(".", ","), self.high.replace(".", ",")
            most = f"mit höchstens {self.places} Nachkommastellen{self.advice}"
            raise refused(flag, value, f"Möglich ist eine Zahl von {low} bis {high} {most}.")
        return number

    def shown(self, value: Any) -> str:
        return f"{value:g}".replace(".", ",")


@dataclass(frozen=True)
class Cells(Kind):
    """Cells with a number each, as text; what they name is checked with the calculation."""

    placeholder = "ZELLE=ZAHL"
    many = True

    def read(self, flag: str, value: Any) -> tuple[str, ...]:
        return tuple(str(item) for item in value or ())


@dataclass(frozen=True)
class Names(Kind):
    """Some of a known list, put into the list's order; `all_word` stands for no choice, an empty tuple."""

    known: tuple[str, ...]
    all_word: str
    placeholder = "LISTE"
    many = True

    def read(self, flag: str, value: Any) -> tuple[str, ...]:
        items = [str(item).strip() for item in items_of(value, r"[,;\s]+")]
        if items in ([], [self.all_word]):
            return ()
        by_typed = {name.casefold(): name for name in self.known}
        for item in items:
            if item.casefold() not in by_typed:
                known = in_words(self.known, "und")
                raise refused(flag, item, f"Es gibt {known}, getrennt durch Kommas, oder {self.all_word}.")
        chosen = {by_typed[item.casefold()] for item in items}
        return tuple(name for name in self.known if name in chosen)

    def plain(self, value: Any) -> list[str] | str:
        return list(value) or self.all_word

    def shown(self, value: Any) -> str:
        return ",".join(value) or self.all_word


_MOST_TEMPERATURES: Final = 8
HEADS: Final = "heads"
TOKENS: Final = "token"
MOST_GROUPS: Final = 24


@dataclass(frozen=True)
class Groups(Kind):
    """A head for each group, a token for each group, or so many groups that share the tokens."""

    placeholder = "heads|token|N"

    def read(self, flag: str, value: Any) -> str | int | None:
        if value is None or value in (HEADS, TOKENS):
            return str(value) if value else None
        try:
            return Whole(2, MOST_GROUPS).read(flag, value)
        except UserError as error:
            right = f"Möglich ist {HEADS}, {TOKENS} oder eine Zahl von Gruppen von 2 bis {MOST_GROUPS}."
            raise refused(flag, value, right) from error


def toml_value(value: Any) -> str:
    """Plain numbers, booleans, texts and lists as TOML writes them, which is as JSON writes them."""
    return json.dumps(value, ensure_ascii=False)


def items_of(value: Any, separator: str) -> list[Any]:
    """A list's items, the parts of a text, or the single value."""
    values = value if isinstance(value, list | tuple) else [value]
    parts = (re.split(separator, item.strip()) if isinstance(item, str) else [item] for item in values)
    return [part for several in parts for part in several if part != ""]


def _decimal(item: Any) -> Decimal:
    if isinstance(item, bool) or not isinstance(item, int | float | Decimal):
        raise TypeError("not a number")
    number = Decimal(item) if isinstance(item, int) else decimal_of(item)
    if not number.is_finite():
        raise ValueError("not a finite number")
    return number
