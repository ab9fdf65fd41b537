"""What a user can mend: one German sentence in, exit status 2 out; and how it quotes what was given."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

_SHOWN: Final = 48
_NAMED: Final = 12


class UserError(Exception):
    """Something the user can mend, in one German sentence: what, which value, what would be right."""


def quoted(value: object) -> str:
    """The value in German quotation marks, short and harmless for a terminal: „Die Katze sitzt …“."""
    return f"„{shortened(value)}“"


def shortened(value: object) -> str:
    """The value as text of at most 48 characters on one line; what cannot be printed becomes �.

    Of a long path the end is shown, of a long text the beginning.
    """
    text = _in_words(value)
    if len(text) > _SHOWN:
        text = "… " + text[2 - _SHOWN :] if isinstance(value, Path) else text[: _SHOWN - 2].rstrip() + " …"
    return harmless(text)


def harmless(text: str) -> str:
    """The text with � for whatever a terminal could take for a command or cannot show."""
    return "".join(sign if sign.isprintable() else "�" for sign in text)


def shown_path(path: Path) -> str:
    """A path as people read it, whatever its bytes and the locale are."""
    return harmless(os.fsencode(path).decode("utf-8", "replace"))


def listed(items: Sequence[object]) -> str:
    """ "1, 2 und 4"; of many items the first twelve, each shortened."""
    texts = [shortened(item) for item in items[:_NAMED]]
    if len(items) > _NAMED:
        return ", ".join(texts) + f" und {len(items) - _NAMED} weitere"
    return " und ".join([", ".join(texts[:-1])] * (len(texts) > 1) + texts[-1:])


def _in_words(value: object) -> str:
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
        return ", ".join(_in_words(item) for item in islice(value, _NAMED))
    return str(value)
