"""Finished files in; a folder that holds all of them, or is as it was, out: whatever ends the run, and when.

A new folder is written aside and renamed. A folder that exists is written aside whole, with links to what
else lies in it, and exchanged with the old one in one step (Linux). Where a system or a disk has no such
step, or folders of the user's own lie in it, the files are written aside and a plan is put down, which is
the switch: whoever writes next finishes it first.
Runs into one folder wait for each other.
"""

from __future__ import annotations

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
from collections.abc import Collection, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final

ASIDE: Final = ".papierformer-"
PROBE: Final = f"{ASIDE}probe-"
Content = bytes | Path
"""What a file is to hold, or a finished file on the same disk that is to stand under its name as well."""
_PLAN: Final = f"{ASIDE}plan.json"
_PATIENCE: Final = 30.0  # seconds; to write takes less than one
_EXCHANGE: Final = 2  # RENAME_EXCHANGE of renameat2
_HERE: Final = -100  # AT_FDCWD
_NO_EXCHANGE: Final = (errno.ENOSYS, errno.EINVAL, errno.EXDEV, errno.EBUSY, errno.EPERM, errno.ENOTSUP)


def write_set(folder: Path, files: Mapping[str, Content], gone: Collection[str]) -> None:
    """All files are in the folder and the names in `gone` are not; or all is as before, and OSError."""
    folder = Path(os.path.realpath(folder))
    made = _make_folders(folder.parent)
    try:
        with _alone(folder):
            mend(folder)
            if os.path.lexists(folder):
                _write_over(folder, files, gone)
            else:
                _write_new(folder, files)
    except BaseException:
        for path in reversed(made):
            with contextlib.suppress(OSError):
                path.rmdir()
        raise


def mend(folder: Path) -> None:
    """Finish what an interrupted run had switched to, and clear away what others left."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        plan = json.loads((folder / _PLAN).read_text(encoding="utf-8"))
        aside = folder / Path(plan["aside"]).name
        for number, name in plan["new"].items():
            if (aside / Path(number).name).exists():
                (aside / Path(number).name).replace(folder / Path(name).name)
        for name in plan["gone"]:
            (folder / Path(name).name).unlink(missing_ok=True)
        (folder / _PLAN).unlink()
    if (folder / _PLAN).exists():
        return
    for left in (*folder.glob(f"{ASIDE}*"), *folder.parent.glob(f"{_prefix(folder)}*")):
        if left.is_dir() and not left.is_symlink() and not left.name.startswith(PROBE):
            shutil.rmtree(left, ignore_errors=True)


def _write_new(folder: Path, files: Mapping[str, Content]) -> None:
    aside = _aside(folder.parent, _prefix(folder))
    try:
        aside.chmod(0o777 & ~umask())
        _write_all(aside, files)
        aside.rename(folder)
    except BaseException:
        shutil.rmtree(aside, ignore_errors=True)
        raise


def _write_over(folder: Path, files: Mapping[str, Content], gone: Collection[str]) -> None:
    if not folder.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, "", str(folder))
    for name in (*files, *gone):
        if (folder / name).is_dir() and not (folder / name).is_symlink():
            raise IsADirectoryError(errno.EISDIR, "", str(folder / name))
    if not _exchanged(folder, files, {*files, *gone}):
        _planned(folder, files, [name for name in gone if os.path.lexists(folder / name)])


def _exchanged(folder: Path, files: Mapping[str, Content], ours: Collection[str]) -> bool:
    """Whether the whole folder could be exchanged in one step."""
    if sys.platform != "linux" or not os.access(folder.parent, os.W_OK) or folder == folder.parent:
        return False
    if any(entry.is_dir() and not entry.is_symlink() for entry in folder.iterdir()):
        return False
    aside = _aside(folder.parent, _prefix(folder))
    try:
        shutil.copystat(folder, aside)
        _write_all(aside, files)
        for entry in folder.iterdir():
            if entry.name not in ours:
                os.link(entry, aside / entry.name, follow_symlinks=False)
        _exchange(aside, folder)
    except OSError as error:
        shutil.rmtree(aside, ignore_errors=True)
        if error.errno in _NO_EXCHANGE:
            return False
        raise
    except BaseException:
        shutil.rmtree(aside, ignore_errors=True)
        raise
    for entry in aside.iterdir():  # what somebody saved there at the last moment
        saved = folder / entry.name
        if entry.name not in ours and not (os.path.lexists(saved) and _same_file(entry, saved)):
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
    """The same where folders cannot be exchanged: the plan decides, and is worked through."""
    aside = _aside(folder, ASIDE)
    numbers = {str(number): name for number, name in enumerate(files)}
    done: list[tuple[Path, Path]] = []
    try:
        _write_all(aside, {number: files[name] for number, name in numbers.items()})
        plan = {"aside": aside.name, "new": numbers, "gone": list(gone)}
        _write_flushed(aside / "plan", json.dumps(plan).encode())
        (aside / "plan").replace(folder / _PLAN)
        for number, name in numbers.items():
            _move(folder / name, aside / f"old-{number}", done)
            _move(aside / number, folder / name, done)
        for place, name in enumerate(gone):
            _move(folder / name, aside / f"gone-{place}", done)
        (folder / _PLAN).unlink()
    except BaseException:
        for source, target in reversed(done):
            target.replace(source)
        (folder / _PLAN).unlink(missing_ok=True)
        raise
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _move(source: Path, target: Path, done: list[tuple[Path, Path]]) -> None:
    if os.path.lexists(source):
        source.replace(target)
        done.append((source, target))


def _same_file(one: Path, other: Path) -> bool:
    return os.path.samestat(one.lstat(), other.lstat())


def _write_all(aside: Path, files: Mapping[str, Content]) -> None:
    for name, content in files.items():
        _write_flushed(aside / name, content)


def _write_flushed(path: Path, content: Content) -> None:
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


def _aside(parent: Path, prefix: str) -> Path:
    """A new folder; not by tempfile, whose folders nobody else may read on Windows, even once renamed."""
    made = parent / f"{prefix}{secrets.token_hex(6)}"
    made.mkdir()
    return made


def _prefix(folder: Path) -> str:
    """Of everything that runs into this folder lay beside it."""
    return f"{ASIDE}{hashlib.sha256(os.fsencode(folder.name)).hexdigest()[:12]}-"


def _make_folders(folder: Path) -> list[Path]:
    """The folders that had to be made, outermost first."""
    made: list[Path] = []
    try:
        for path in reversed([path for path in (folder, *folder.parents) if not path.exists()]):
            path.mkdir()
            made.append(path)
    except OSError:
        for path in reversed(made):
            path.rmdir()
        raise
    return made


def umask() -> int:
    """The rights that new files of this process do not get."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Waits until no other run writes into the folder. BlockingIOError after half a minute."""
    place = folder.parent if os.access(folder.parent, os.W_OK) or not folder.exists() else folder
    path = place / f"{_prefix(folder)}lock"
    until = time.monotonic() + _PATIENCE
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        if _locked(handle) and _still_there(path, handle):
            break
        os.close(handle)
        if time.monotonic() > until:
            raise BlockingIOError(errno.EAGAIN, "another run", str(path))
        time.sleep(0.02)
    try:
        yield
    finally:
        deleted = _deleted(path)
        os.close(handle)
        if not deleted:  # Windows keeps a file that is open
            _deleted(path)


def _deleted(path: Path) -> bool:
    try:
        path.unlink()
    except OSError:
        return False
    return True


def _locked(handle: int) -> bool:
    """Whether the lock is ours now; it ends with the process."""
    try:
        fcntl: Any = import_module("fcntl")
    except ImportError:
        return _locked_on_windows(handle)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _locked_on_windows(handle: int) -> bool:
    msvcrt: Any = import_module("msvcrt")
    try:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
    except OSError:
        return False
    return True


def _still_there(path: Path, handle: int) -> bool:
    """Whether the file locked is the one of this name; the run before has deleted its own."""
    if sys.platform == "win32":  # there nobody deletes what is open, and the two numbers of a disk may differ
        return True
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except OSError:
        return False
