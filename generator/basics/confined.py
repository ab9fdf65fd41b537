"""A file from outside and the function that reads it go in; what it read, or one sentence, comes out.

It is read in a process of its own, with at most 1 GB of memory (where the system can limit it, which Windows
cannot) and 30 seconds of a processor: a small file can ask for a thousand times its size, or for ever. The
clock on the wall allows more, since others may be at work beside it.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from generator.basics.errors import UserError

MEMORY, SECONDS, PATIENCE = 1_000_000_000, 30, 180  # bytes; seconds of a processor; seconds that pass
_LARGEST_RESULT: Final = 50_000_000
_CHILD: Final = "from generator.basics.confined import answer; answer()"


def confined(read: Callable[..., Any], title: str, content: bytes, *arguments: Any) -> Any:
    """What read(content, *arguments) returns, which is JSON as the arguments are.

    title: what the file is called, as in „Die Antwortdatei x.pdf“. UserError as `read`, or for too much.
    """
    head = json.dumps([read.__module__, read.__qualname__, arguments]).encode()
    paths = [str(Path(__file__).resolve().parents[2]), *filter(None, sys.path)]
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-c", _CHILD],
            input=head + b"\n" + content,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=PATIENCE,
            check=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        )
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as error:
        raise UserError(
            f"{title} lässt sich nicht lesen: Dazu wären mehr als {MEMORY // 10**9} GB Speicher oder "
            f"{SECONDS} Sekunden Rechenzeit nötig; so groß ist kein Blatt."
        ) from error
    said = json.loads(done.stdout)
    if "error" in said:
        raise UserError(said["error"])
    return said["read"]


def answer() -> None:
    """The process's own part."""
    with contextlib.suppress(ImportError):
        _limit()
    module, name, arguments = json.loads(sys.stdin.buffer.readline())
    try:
        said = {"read": getattr(import_module(module), name)(sys.stdin.buffer.read(), *arguments)}
    except UserError as error:
        said = {"error": str(error)}
    text = json.dumps(said)
    if len(text) > _LARGEST_RESULT:
        raise MemoryError
    sys.stdout.write(text)


def _limit() -> None:
    import resource

    for kind, most in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_CPU, SECONDS),
        (resource.RLIMIT_CORE, 0),
    ):
        with contextlib.suppress(ValueError, OSError):  # a system may know a limit and not keep it
            resource.setrlimit(kind, (most, most))
