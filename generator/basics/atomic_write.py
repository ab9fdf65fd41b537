"""A folder holds all files of a run, or is as it was: whatever ends the run, and when.

The files are written aside. Where the system can exchange two folders in one step (Linux), or the folder is
new, a whole one takes its place, with links to what else lies in it. Elsewhere, and where folders of the
user's own lie in it, a plan is put down, which is the switch: whoever writes next finishes it first.
Runs into one folder wait for each other.
"""

import contextlib
import ctypes
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
_PLAN: Final = f"{ASIDE}plan.json"
_OLD: Final = "old"
_PATIENCE: Final = 30.0  # seconds; to write takes less than one
_EXCHANGE: Final = 2  # RENAME_EXCHANGE of renameat2
_HERE: Final = -100  # AT_FDCWD
_NO_EXCHANGE: Final = (errno.ENOSYS, errno.EINVAL, errno.EXDEV, errno.EBUSY, errno.EPERM, errno.ENOTSUP)


def write_set(folder: Path, files: Mapping[str, Content], gone: Collection[str]) -> None:
    """All files are in the folder and the names in `gone` are not; or all is as before, and OSError."""
    folder = Path(os.path.realpath(folder))
    missing = [path for path in folder.parents if not path.exists()]
    try:
        for path in reversed(missing):
            path.mkdir(exist_ok=True)
        with alone(folder):
            mend(folder)
            if os.path.lexists(folder) and not folder.is_dir():
                raise NotADirectoryError(errno.ENOTDIR, "", str(folder))
            refuse_folders(folder, (*files, *gone))
            if not _switched(folder, files, {*files, *gone}):
                _planned(folder, files, gone)
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
        plan = json.loads((folder / _PLAN).read_text(encoding="utf-8"))
        for name in plan["new"]:
            written = folder / Path(plan["aside"]).name / Path(name).name
            if written.exists():
                written.replace(folder / written.name)
        for name in plan["gone"]:
            (folder / Path(name).name).unlink(missing_ok=True)
        (folder / _PLAN).unlink()
    if (folder / _PLAN).exists():
        return
    for left in (*folder.glob(f"{ASIDE}*"), *folder.parent.glob(f"{_prefix(folder)}*")):
        if left.is_dir() and not left.is_symlink() and not left.name.startswith(PROBE):
            shutil.rmtree(left, ignore_errors=True)


def refuse_folders(folder: Path, names: Iterable[str]) -> None:
    """IsADirectoryError where a folder of the user's has the name of a file."""
    for name in names:
        if (folder / name).is_dir() and not (folder / name).is_symlink():
            raise IsADirectoryError(errno.EISDIR, "", str(folder / name))


def _switched(folder: Path, files: Mapping[str, Content], ours: Collection[str]) -> bool:
    """Whether a whole folder, written beside this one, could take its place in one step."""
    there = os.path.lexists(folder)
    entries = list(folder.iterdir()) if there else []
    if there and (sys.platform != "linux" or not os.access(folder.parent, os.W_OK)):
        return False
    if any(entry.is_dir() and not entry.is_symlink() for entry in entries):
        return False
    aside = _aside(folder.parent, _prefix(folder))
    try:
        if there:
            shutil.copystat(folder, aside)
        _write_all(aside, files)
        if there:
            for entry in entries:
                if entry.name not in ours:
                    os.link(entry, aside / entry.name, follow_symlinks=False)
            _exchange(aside, folder)
        else:
            aside.rename(folder)
    except BaseException as error:
        shutil.rmtree(aside, ignore_errors=True)
        if there and isinstance(error, OSError) and error.errno in _NO_EXCHANGE:
            return False
        raise
    if there:
        for entry in aside.iterdir():  # what somebody saved there at the last moment
            saved = folder / entry.name
            same = os.path.lexists(saved) and os.path.samestat(entry.lstat(), saved.lstat())
            if entry.name not in ours and not same:
                entry.replace(saved)
        shutil.rmtree(aside, ignore_errors=True)
    return True


def _exchange(one: Path, other: Path) -> None:
    call = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if call is None:
        raise OSError(errno.ENOSYS, "no renameat2")
    if call(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE):
        raise OSError(ctypes.get_errno(), "renameat2", str(other))


def _planned(folder: Path, files: Mapping[str, Content], gone: Collection[str]) -> None:
    """The same where folders cannot be exchanged: the plan decides, and is worked through or taken back."""
    aside = _aside(folder, ASIDE)
    moves: list[tuple[Path, Path]] = []
    try:
        (aside / _OLD).mkdir()
        _write_all(aside, files)
        plan = {"aside": aside.name, "new": list(files), "gone": list(gone)}
        write_flushed(aside / _PLAN, json.dumps(plan).encode())
        replaced = [name for name in (*files, *gone) if os.path.lexists(folder / name)]
        moves += [(folder / name, aside / _OLD / name) for name in replaced]
        moves += [(aside / name, folder / name) for name in files]
        (aside / _PLAN).replace(folder / _PLAN)
        for source, target in moves:
            source.replace(target)
        (folder / _PLAN).unlink()
    except BaseException:
        for source, target in reversed(moves):
            if os.path.lexists(target) and not os.path.lexists(source):
                target.replace(source)
        (folder / _PLAN).unlink(missing_ok=True)
        shutil.rmtree(aside, ignore_errors=True)
        raise
    shutil.rmtree(aside, ignore_errors=True)


def _write_all(aside: Path, files: Mapping[str, Content]) -> None:
    for name, content in files.items():
        write_flushed(aside / name, content)


def _aside(parent: Path, prefix: str) -> Path:
    """A new folder; not by tempfile, whose folders nobody else may read on Windows, even once renamed."""
    made = parent / f"{prefix}{secrets.token_hex(6)}"
    made.mkdir()
    return made


def _prefix(folder: Path) -> str:
    """Of everything that runs into this folder lay beside it."""
    return f"{ASIDE}{hashlib.sha256(os.fsencode(folder.name)).hexdigest()[:12]}-"


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Waits until no other run writes into the folder. BlockingIOError after half a minute."""
    place = folder.parent if os.access(folder.parent, os.W_OK) or not folder.exists() else folder
    path = place / f"{_prefix(folder)}lock"
    until = time.monotonic() + _PATIENCE
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
