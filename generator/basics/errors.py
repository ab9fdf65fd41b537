"""What a user can mend is a UserError; and how messages quote and list what was given."""

import os
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

_SHOWN: Final = 48
_NAMED: Final = 12


class UserError(Exception):
    """Something the user can mend, in one German sentence: what, which value, what would be right."""


class Unfinished(UserError):  # noqa: N818
    """All was made and written that this machine can make; what is said names the rest and how to get it."""


class UnknownNameError(KeyError):
    """A name that the calculation does not have; in a template its writer can mend it."""


def quoted(value: object) -> str:
    """The value in German quotation marks, short and harmless for a terminal: „Die Katze sitzt …“."""
    return f"„{shortened(value)}“"


def shortened(value: object) -> str:
    """The value as text of at most 48 characters on one line; what cannot be printed becomes �.

    Of a long path the end is shown, of a long text the beginning.
    """
    text = _as_typed(value)
    if len(text) > _SHOWN:
        text = "… " + text[2 - _SHOWN :] if isinstance(value, Path) else text[: _SHOWN - 2].rstrip() + " …"
    return harmless(text)


def harmless(text: str) -> str:
    """The text with � for whatever a terminal could take for a command or cannot show."""
    return "".join(sign if sign.isprintable() else "�" for sign in text)


def shown_path(path: Path) -> str:
    """A path as people read it, whatever its bytes and the locale are."""
    return harmless(os.fsencode(path).decode("utf-8", "replace"))


def in_words(items: Iterable[object], joint: str = "und") -> str:
    """ "1, 2 und 4"; a joint of "," gives "1, 2, 4"."""
    texts = [str(item) for item in items]
    last = ", " if joint == "," else f" {joint} "
    return last.join([", ".join(texts[:-1])] * (len(texts) > 1) + texts[-1:])


def how_many(number: int, one: str, many: str) -> str:
    """1 Bild; 3 Bilder."""
    return f"{number} {one if number == 1 else many}"


def listed(items: Sequence[object]) -> str:
    """What was given, in words: each item shortened, of many the first twelve."""
    more = len(items) - _NAMED
    return in_words([*map(shortened, items[:_NAMED]), *([f"{more} weitere"] if more > 0 else [])])


def _as_typed(value: object) -> str:
    """A value of a command line, a TOML or a JSON file as one would say it."""
    if value is None:
        return "nichts"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float) and abs(value) >= 10**_SHOWN:
        return "eine Zahl mit sehr vielen Ziffern"  # Python itself refuses to write more than 4300
    if isinstance(value, Path):
        return str(value).encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    if isinstance(value, Mapping):
        return "eine Tabelle"
    if isinstance(value, list | tuple):
        return ", ".join(_as_typed(item) for item in islice(value, _NAMED))
    return str(value)
