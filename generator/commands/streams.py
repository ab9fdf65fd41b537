"""What a terminal is told, on stdout or stderr, whatever these are: closed, full, a file; and signals."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Any, Final, TextIO

from generator.basics.errors import UserError

_ENDING: Final = ("SIGTERM", "SIGHUP")


class Stopped(BaseException):
    """Somebody ended the program: everything half done is put away on the way out."""


def prepare() -> None:
    """UTF-8 on both streams; where one was closed, nothing that is opened later takes its place. A home."""
    with contextlib.suppress(OSError):  # a system that cannot open even this has said so by itself
        while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
            os.set_inheritable(number, True)
        os.close(number)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    if sys.stderr is None:
        sys.stderr = io.StringIO()
    try:
        Path.home()
    except RuntimeError:  # a user whom the system does not know: libraries ask for the folder while they load
        os.environ["HOME"] = os.devnull  # where nothing can be kept


def stop_on_signals() -> None:
    """SIGTERM and SIGHUP end the work as Ctrl-C does, unless whoever started us has them ignored."""
    if threading.current_thread() is not threading.main_thread():
        return
    for name in _ENDING:
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _stop)


def _stop(number: int, _: Any) -> None:
    raise Stopped(signal.Signals(number).name)


def put(text: str) -> None:
    """The result on stdout, to the last byte; an unbuffered stream may take less than it is given."""
    if sys.stdout is None:
        raise UserError("Die Standardausgabe ist geschlossen; nötig ist ein Terminal oder eine Datei.")
    sys.stdout.flush()
    raw = getattr(sys.stdout, "buffer", None)
    if not isinstance(raw, io.RawIOBase):
        sys.stdout.write(text)
        return
    rest = memoryview(text.encode("utf-8", "backslashreplace"))
    while rest:
        rest = rest[raw.write(rest) or 0 :]


def say(text: str) -> None:
    """What was done, for people; where nobody listens, nothing."""
    if sys.stdout is not None:
        put(text.rstrip("\n") + "\n")
        sys.stdout.flush()  # whoever started the page waits for its address


def note(text: str) -> None:
    """A sentence beside the result."""
    print(text, file=sys.stderr, flush=True)


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
