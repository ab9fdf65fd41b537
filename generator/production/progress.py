"""What is being done, on one line of the terminal: from the first second on, overwritten, then gone."""

from __future__ import annotations

import sys
import threading
from typing import TextIO

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

    def __exit__(self, *error: object) -> None:
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
