"""A folder holds all files of a run, or is as it was: whatever ends the run, and when.

The files are written aside, then a plan is put down, which is the switch: whoever writes next finishes it
first. Runs into one folder wait for each other.
"""

import contextlib
import errno
import hashlib
import json
import os
import secrets
import shutil
import sys
import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final

ASIDE: Final = ".papierformer-"
PROBE: Final = f"{ASIDE}probe-"
Content = bytes | Path
"""What a file is to hold, or a finished file on the same disk that is to stand under its name as well."""
PLAN: Final = f"{ASIDE}plan.json"
_OLD: Final = "old"
PATIENCE: Final = 30.0  # seconds; to write takes less than one


def write_set(folder: Path, files: Mapping[str, Content], gone: Collection[str]) -> None:
    """All files are in the folder and the names in `gone` are not; or all is as before, and OSError."""
    folder = Path(os.path.realpath(folder))
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        for path in reversed(missing):
            path.mkdir(exist_ok=True)
        with alone(folder):
            if not folder.is_dir():
                raise NotADirectoryError(errno.ENOTDIR, "", str(folder))
            mend(folder)
            refuse_folders(folder, (*files, *gone))
            _replaced(folder, files, gone)
    except BaseException:
        for path in missing:
            with contextlib.suppress(OSError):
                path.rmdir()
        raise


def write_file(target: Path, content: bytes) -> None:
    """The file holds the content, or is as before, and OSError."""
    aside = target.parent / f"{ASIDE}{secrets.token_hex(6)}"
    try:
        write_flushed(aside, content)
        if target.exists():
            shutil.copymode(target, aside)
        aside.replace(target)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise


def write_flushed(path: Path, content: Content) -> None:
    """A new file of this content, on the disk before this ends."""
    if isinstance(content, Path):
        try:
            os.link(content, path)
        except OSError:
            shutil.copyfile(content, path)
        return
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def mend(folder: Path) -> None:
    """Finish what an interrupted run had switched to, and clear away what others left."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        plan = json.loads((folder / PLAN).read_text(encoding="utf-8"))
        for name in plan["new"]:
            written = folder / Path(plan["aside"]).name / Path(name).name
            if written.exists():
                written.replace(folder / written.name)
        for name in plan["gone"]:
            (folder / Path(name).name).unlink(missing_ok=True)
        (folder / PLAN).unlink()
    if (folder / PLAN).exists():
        return
    for left in (*folder.glob(f"{ASIDE}*"), *folder.parent.glob(f"{_prefix(folder)}*")):
        if left.is_dir() and not left.is_symlink() and not left.name.startswith(PROBE):
            shutil.rmtree(left, ignore_errors=True)


def refuse_folders(folder: Path, names: Iterable[str]) -> None:
    """IsADirectoryError where a folder of the user's has the name of a file."""
    for name in names:
        if (folder / name).is_dir() and not (folder / name).is_symlink():
            raise IsADirectoryError(errno.EISDIR, "", str(folder / name))


def _replaced(folder: Path, files: Mapping[str, Content], gone: Collection[str]) -> None:
    """The plan decides, and is worked through or taken back."""
    aside = folder / f"{ASIDE}{secrets.token_hex(6)}"  # not by tempfile: its folders are closed on Windows
    aside.mkdir()
    moves: list[tuple[Path, Path]] = []
    try:
        (aside / _OLD).mkdir()
        for name, content in files.items():
            write_flushed(aside / name, content)
        plan = {"aside": aside.name, "new": list(files), "gone": list(gone)}
        write_flushed(aside / PLAN, json.dumps(plan).encode())
        replaced = [name for name in (*files, *gone) if os.path.lexists(folder / name)]
        moves += [(folder / name, aside / _OLD / name) for name in replaced]
        moves += [(aside / name, folder / name) for name in files]
        (aside / PLAN).replace(folder / PLAN)
        for source, target in moves:
            source.replace(target)
        (folder / PLAN).unlink()
    except BaseException:
        for source, target in reversed(moves):
            if os.path.lexists(target) and not os.path.lexists(source):
                target.replace(source)
        (folder / PLAN).unlink(missing_ok=True)
        shutil.rmtree(aside, ignore_errors=True)
        raise
    shutil.rmtree(aside, ignore_errors=True)


def _prefix(folder: Path) -> str:
    """Of everything that runs into this folder lay beside it."""
    return f"{ASIDE}{hashlib.sha256(os.fsencode(folder.name)).hexdigest()[:12]}-"


@contextlib.contextmanager
def alone(folder: Path, patience: float = PATIENCE) -> Iterator[None]:
    """Waits until no other run writes into the folder. BlockingIOError after so many seconds."""
    place = folder.parent if os.access(folder.parent, os.W_OK) or not folder.exists() else folder
    path = place / f"{_prefix(folder)}lock"
    until = time.monotonic() + patience
    while not locked(path, handle := os.open(path, os.O_RDWR | os.O_CREAT, 0o666)):
        os.close(handle)
        if time.monotonic() > until:
            raise BlockingIOError(errno.EAGAIN, "another run", str(path))
        time.sleep(0.02)
    try:
        yield
    finally:
        if sys.platform == "win32":  # there nobody deletes what is open
            os.close(handle)
        with contextlib.suppress(OSError):
            path.unlink()
        if sys.platform != "win32":
            os.close(handle)


def locked(path: Path, handle: int) -> bool:
    """Whether the lock is ours now; it ends with the process."""
    try:
        try:
            fcntl: Any = import_module("fcntl")
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:
            msvcrt: Any = import_module("msvcrt")
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
            return True
        # The run before has deleted its own file: ours is the one that has this name.
        return os.path.samestat(path.stat(), os.fstat(handle))
    except OSError:
        return False
