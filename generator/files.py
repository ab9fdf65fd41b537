"""A sentence in, the name of its folder out; finished files in, all of them or none in that folder out."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import re
import shutil
import tempfile
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path

from generator.errors import UserError, quoted
from generator.reading import reason

# What `blatt` writes. A run that does not make one of them (no PDF without its libraries) takes the old one
# away, so that a folder never mixes two runs.
SHEET_FILES = (
    "arbeitsblatt.pdf",
    "arbeitsblatt.html",
    "loesung.pdf",
    "loesung.html",
    "lehrkraft.pdf",
    "lehrkraft.html",
    "rechnung.json",
)
_LONGEST_SLUG = 60
_ASIDE = ".papierformer-"
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "œ": "oe", "ø": "oe"})
_RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))}


def slug(sentence: str) -> str:
    """A folder name for a sentence: "Die Müller grüßt." -> "die-mueller-gruesst"; [a-z0-9-], 1 to 60 signs.

    Where letters are lost (other scripts, emoji, too long) or the name is none that every system takes, a
    short hash of the sentence keeps different sentences apart.
    """
    text = unicodedata.normalize("NFC", sentence).lower().translate(_UMLAUTS)
    plain = "".join(s for s in unicodedata.normalize("NFKD", text) if not unicodedata.combining(s))
    name = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    lost = re.search(r"[^a-z0-9\s\-.,;:!?()„“‚‘’'\"–—…]", plain) is not None
    if name and len(name) <= _LONGEST_SLUG and name not in _RESERVED and not lost:
        return name
    return _with_hash(name or "satz", sentence)


def folder_for(target: Path, sentence: str) -> Path:
    """The sentence's folder in the target folder, beside that of another sentence with the same slug."""
    folder = target / slug(sentence)
    try:
        other = json.loads((folder / "rechnung.json").read_text(encoding="utf-8"))["satz"]
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return folder
    return folder if other == sentence else target / _with_hash(slug(sentence), sentence)


def _with_hash(name: str, sentence: str) -> str:
    mark = hashlib.sha256(sentence.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{name[: _LONGEST_SLUG - 9].rstrip('-')}-{mark}"


def ensure_writable(folder: Path) -> None:
    """UserError if the folder cannot be made or written, before the work is done; leaves no trace.

    Tried out in a folder of its own beside it, so that two runs at once do not disturb each other.
    """
    with _worded(folder):
        standing = next(path for path in (folder, *folder.parents) if path.exists())
        if not standing.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, "", str(standing))
        with tempfile.TemporaryDirectory(prefix=_ASIDE, dir=standing) as aside:
            tried = Path(aside) / folder.relative_to(standing)
            tried.mkdir(parents=True, exist_ok=True)
            _write_flushed(tried / "probe", b"probe")
        for name in SHEET_FILES:
            _refuse_folder(folder / name)


def write_together(
    folder: Path, files: Mapping[str, bytes], belonging: tuple[str, ...] = SHEET_FILES
) -> None:
    """Write all files into the folder, or leave everything as it was and raise UserError.

    The files are written aside first (same disk, flushed), then renamed into place; what they replace is kept
    aside until the last one is in place. Of the names in `belonging`, those not in `files` are removed.
    """
    made: list[Path] = []
    aside: Path | None = None
    done: list[tuple[Path, Path | None]] = []
    with _worded(folder):
        try:
            try:
                made = _make_folder(folder)
                aside = Path(tempfile.mkdtemp(prefix=_ASIDE, dir=folder))
                for number, content in enumerate(files.values()):
                    _write_flushed(aside / f"new-{number}", content)
                for number, name in enumerate(files):
                    _put(aside / f"new-{number}", folder / name, aside / f"old-{number}", done)
                for number, name in enumerate(set(belonging) - set(files), len(files)):
                    _put(None, folder / name, aside / f"old-{number}", done)
            except BaseException:
                for target, kept in reversed(done):
                    target.unlink(missing_ok=True)
                    if kept is not None:
                        kept.replace(target)
                raise
            finally:
                if aside is not None:
                    shutil.rmtree(aside, ignore_errors=True)
        except BaseException:
            _remove(made)
            raise


@contextlib.contextmanager
def _worded(folder: Path) -> Iterator[None]:
    """What the system refuses becomes one German sentence."""
    try:
        yield
    except OSError as error:
        raise UserError(
            f"--ausgabe {quoted(folder)} lässt sich nicht beschreiben: {reason(error)}."
        ) from error


def _make_folder(folder: Path) -> list[Path]:
    """The folders that had to be made, outermost first."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    made: list[Path] = []
    try:
        for path in reversed(missing):
            path.mkdir()
            made.append(path)
    except OSError:
        _remove(made)
        raise
    if not folder.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, "", str(folder))
    return made


def _remove(made: list[Path]) -> None:
    for path in reversed(made):
        with contextlib.suppress(OSError):
            path.rmdir()


def _put(new: Path | None, target: Path, kept: Path, done: list[tuple[Path, Path | None]]) -> None:
    """Rename the old file aside and the new one into its place; `done` knows how to undo it."""
    _refuse_folder(target)
    if os.path.lexists(target):
        target.replace(kept)
        done.append((target, kept))
    elif new is not None:
        done.append((target, None))
    if new is not None:
        new.replace(target)


def _refuse_folder(target: Path) -> None:
    if target.is_dir() and not target.is_symlink():
        raise IsADirectoryError(errno.EISDIR, "", str(target))


def _write_flushed(path: Path, content: bytes) -> None:
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
