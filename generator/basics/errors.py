"""What a user can mend: one German sentence in, exit status 2 out; and how it quotes what was given."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Final, TextIO

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


# --- What is being done in, one line on the terminal out: from the first second on, overwritten, then gone.

_FROM = 1.0
_WIDTH = 72


class Progress:
    """Says on stderr what is being done, once it has taken a second; silent where stderr is no terminal.

    Use it as a context manager; `step("Setze die Lösung", 2, 3)` shows "Setze die Lösung … (2 von 3)".
    """

    def __init__(self, stream: TextIO | None = None, after: float = _FROM) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._after = after
        self._line = ""
        self._visible = False
        self._closed = False
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    def __enter__(self) -> Progress:
        if self._stream.isatty():
            self._timer = threading.Timer(self._after, self._appear)
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._closed = True
            if self._timer is not None:
                self._timer.cancel()
            if self._visible:
                self._write("")

    def step(self, what: str, number: int | None = None, of: int | None = None) -> None:
        """What is being done from now on, and the how manieth of how many steps it is."""
        count = "" if number is None else f" ({number} von {of})" if of is not None else f" ({number})"
        with self._lock:
            self._line = f"{what} …{count}"
            if self._visible and not self._closed:
                self._write(self._line)

    def _appear(self) -> None:
        with self._lock:
            if not self._closed:
                self._visible = True
                self._write(self._line)

    def _write(self, line: str) -> None:
        self._stream.write("\r" + line[:_WIDTH].ljust(_WIDTH) + "\r" + line[:_WIDTH])
        self._stream.flush()
