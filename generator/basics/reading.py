"""Files of the user: their bytes, text or tables, or one German sentence why not."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import stat
import subprocess
import sys
import tomllib
from collections.abc import Callable
from decimal import Decimal
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from generator.basics.errors import UserError, quoted

_LARGEST_TOML = 1_000_000
_LARGEST_JSON = 20_000_000
_REASONS = {
    errno.ENOSPC: "der Datenträger ist voll",
    errno.EDQUOT: "der zugeteilte Speicherplatz ist voll",
    errno.EROFS: "der Datenträger ist schreibgeschützt",
    errno.EACCES: "das ist nicht erlaubt (vielleicht ist eine Datei noch in einem anderen Programm geöffnet)",
    errno.EPERM: "das ist nicht erlaubt",
    errno.ENOTDIR: "ein Teil des Pfades ist eine Datei und kein Ordner",
    errno.EEXIST: "dort liegt schon eine Datei dieses Namens",
    errno.EISDIR: "das ist ein Ordner",
    errno.ENOENT: "unter diesem Namen ist dort nichts zu finden",
    errno.ENAMETOOLONG: "der Name ist zu lang",
    errno.ELOOP: "der Pfad führt im Kreis",
    errno.EAGAIN: "ein anderer Lauf schreibt gerade dorthin",
    errno.EFBIG: "die Datei wäre zu groß",
}


def path_of(typed: str | Path) -> Path:
    """The file whose name was typed: by its bytes, also where the locale knows no umlauts."""
    name = str(typed)
    try:
        return Path(os.fsdecode(name.encode("utf-8", "surrogateescape")))
    except UnicodeEncodeError:
        return Path(name)  # which no file can have


def is_there(path: Path) -> bool:
    """Whether anything has this name, be it a link that leads nowhere."""
    return os.path.lexists(path)


def is_folder(path: Path) -> bool:
    """Whether it is a folder; what cannot be looked at, such as a name that is too long, is none."""
    return os.path.isdir(path)  # noqa: PTH112 (the path's own method raises for names too long)


def read_bytes(path: Path, what: str, largest: int) -> bytes:
    """The bytes of a file of at most `largest`; `what` begins the sentence of a UserError.

    Only what is an ordinary file is opened: a pipe or a device could keep us waiting, or never end.
    """
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            cause = "das ist ein Ordner" if stat.S_ISDIR(mode) else "das ist keine gewöhnliche Datei"
            raise UserError(f"{what} {quoted(path)} lässt sich nicht lesen: {cause}.")
        with path.open("rb") as file:
            content = file.read(largest + 1)
    except (OSError, ValueError) as error:
        cause = reason(error) if isinstance(error, OSError) else "so kann keine Datei heißen"
        raise UserError(f"{what} {quoted(path)} lässt sich nicht lesen: {cause}.") from error
    if len(content) > largest:
        raise UserError(f"{what} {quoted(path)} ist zu groß; erlaubt sind höchstens {largest // 1000} kB.")
    return content


def read_text(path: Path, what: str, largest: int) -> str:
    """The text of a UTF-8 file of at most `largest` bytes; `what` begins the sentence of a UserError."""
    try:
        return read_bytes(path, what, largest).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError(f"{what} {quoted(path)} ist keine Textdatei in UTF-8.") from error


def read_toml(path: Path, what: str) -> dict[str, Any]:
    """The tables of a TOML file, numbers with a point as `Decimal`, exactly as written."""
    return _toml(read_text(path, what, _LARGEST_TOML), path, what)


def read_json_or_toml(path: Path, what: str) -> dict[str, Any]:
    """The names of a JSON object or a TOML file, numbers exactly as written.

    JSON is what begins with a brace, or what its name says.
    """
    kind = path.suffix.lower()
    text = read_text(path, what, _LARGEST_TOML if kind == ".toml" else _LARGEST_JSON)
    begins = text.lstrip()[:1]
    if kind == ".json" and begins not in ("", "{"):
        raise UserError(
            f"{what} {quoted(path)} ist kein gültiges JSON dieser Art: Am Anfang muss „{{“ stehen."
        )
    if begins != "{":
        if len(text) > _LARGEST_TOML:
            raise UserError(f"{what} {quoted(path)} ist zu groß für eine TOML-Datei.")
        return _toml(text, path, what)
    try:
        exact: dict[str, Any] = {"parse_float": Decimal, "parse_int": Decimal, "parse_constant": Decimal}
        return dict(json.loads(text, object_pairs_hook=_each_name_once, **exact))
    except json.JSONDecodeError as error:
        where = f" (Zeile {error.lineno}, Spalte {error.colno})"
        raise UserError(f"{what} {quoted(path)} ist kein gültiges JSON{where}.") from error
    except (ArithmeticError, RecursionError) as error:
        raise UserError(f"{what} {quoted(path)} ist kein gültiges JSON.") from error
    except LookupError as error:
        raise UserError(f"{what} {quoted(path)} nennt {quoted(error.args[0])} zweimal.") from error


def _each_name_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content: dict[str, Any] = {}
    for name, value in pairs:
        if name in content:
            raise LookupError(name)
        content[name] = value
    return content


def _toml(text: str, path: Path, what: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except (ValueError, ArithmeticError, RecursionError) as error:
        place = re.search(r"line (\d+), column (\d+)", str(error))
        where = f" (Zeile {place[1]}, Spalte {place[2]})" if place else ""
        where = " (das Ende fehlt)" if "at end of document" in str(error) else where
        raise UserError(f"{what} {quoted(path)} ist kein gültiges TOML{where}.") from error


def reason(error: OSError) -> str:
    """Why the system refused, in German."""
    return _REASONS.get(error.errno or 0, f"das System meldet Fehler {error.errno}")


# --- A file from outside and the function that reads it go in; what it read, or one sentence, comes out.
#
# It is read in a process of its own, with at most 1 GB of memory (where the system can limit it, which
# Windows cannot) and 30 seconds of a processor: a small file can ask for a thousand times its size, or for
# ever. The clock on the wall allows more, since others may be at work beside it.


MEMORY, SECONDS, PATIENCE = 1_000_000_000, 30, 180  # bytes; seconds of a processor; seconds that pass
_LARGEST_RESULT: Final = 50_000_000
_CHILD: Final = "from generator.basics.reading import answer; answer()"


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


# --- The German texts (`templates/`): where they stand.


@cache
def templates_folder() -> Path:
    """In the repository or in the installed wheel."""
    package = Path(__file__).parents[1]
    places = (package / "templates", package.parent / "templates")
    return next(place for place in places if (place / "fonts").is_dir())


def text_of(name: str) -> str:
    """The text of a file in `templates`."""
    return (templates_folder() / name).read_text(encoding="utf-8")
