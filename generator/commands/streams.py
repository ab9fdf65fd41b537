"""Text in, on stdout or stderr out, whatever these are: closed, full, unbuffered, a terminal; and signals."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

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
    """The result on stdout, to the last byte."""
    put_all((text,))


def put_all(pieces: Iterable[str]) -> None:
    """The pieces of the result, one after the other; an unbuffered stream may take less than it is given."""
    if sys.stdout is None:
        raise UserError("Die Standardausgabe ist geschlossen; nötig ist ein Terminal oder eine Datei.")
    sys.stdout.flush()
    raw = getattr(sys.stdout, "buffer", None)
    for text in pieces:
        if not isinstance(raw, io.RawIOBase):
            sys.stdout.write(text)
            continue
        rest = memoryview(text.encode("utf-8", "backslashreplace"))
        while rest:
            rest = rest[raw.write(rest) or 0 :]


def say(text: str) -> None:
    """What was done, for people; where nobody listens, nothing."""
    if sys.stdout is not None:
        put(text.rstrip("\n") + "\n")


def note(text: str) -> None:
    """A sentence beside the result."""
    print(text, file=sys.stderr, flush=True)
