"""The folder of a sentence, and writing finished files into it, or a German sentence why not; the cache."""

import contextlib
import errno
import hashlib
import json
import os
import re
import sys
import tempfile
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from generator.basics.atomic_write import PROBE, Content, refuse_folders, write_file, write_flushed, write_set
from generator.basics.errors import UserError, in_words, quoted
from generator.basics.reading import path_of, read_text, reason

# What `blatt` writes. A run that does not make one of them (no PDF without its libraries) takes the old one
# away, so that a folder never mixes two runs.
WORKSHEET, KEY, TEACHER, CARDS = _DOCUMENTS = "arbeitsblatt", "loesung", "lehrkraft", "stundenkarte"
POSTER = "plakat"
SHEET_FILES = (
    *(f"{name}.{kind}" for name in _DOCUMENTS for kind in ("pdf", "html")),
    "rechnung.json",
    f"{WORKSHEET}-ausfuellbar.pdf",
    f"{WORKSHEET}-ausfuellbar.html",
    "felder.json",
    f"{POSTER}.pdf",
    f"{POSTER}-loesung.pdf",
)
OWN_KEY = f"{KEY}-mit"
OWN_KEY_FILES = (f"{OWN_KEY}.pdf", f"{OWN_KEY}.html")
_LONGEST_SLUG = 60
_LARGEST = 200_000_000
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


def _with_hash(name: str, sentence: str) -> str:
    mark = hashlib.sha256(sentence.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{name[: _LONGEST_SLUG - 9].rstrip('-')}-{mark}"


def folder_for(target: Path, sentence: str) -> Path:
    """The sentence's folder in the target folder, beside that of another sentence with the same slug."""
    folder = target / slug(sentence)
    try:
        other = json.loads(read_text(folder / "rechnung.json", "Die Rechnung", _LARGEST))["satz"]
    except (UserError, ValueError, LookupError, TypeError, RecursionError):
        return folder
    return folder if other == sentence else target / _with_hash(slug(sentence), sentence)


def ensure_writable(folder: Path) -> None:
    """UserError if the folder cannot be made or written, before the work is done; leaves no trace.

    Tried out in a folder of its own beside it, so that two runs at once do not disturb each other.
    """
    with worded(folder):
        for path in (folder, *folder.parents):
            if path.is_symlink():
                _refuse_circle(path)
        standing = next(path for path in (folder, *folder.parents) if path.exists())
        if not standing.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, "", str(standing))
        with tempfile.TemporaryDirectory(prefix=PROBE, dir=standing) as aside:
            tried = Path(aside) / folder.relative_to(standing)
            tried.mkdir(parents=True, exist_ok=True)
            write_flushed(tried / "probe", b"probe")
        refuse_folders(folder, SHEET_FILES)


def write_together(
    folder: Path, files: Mapping[str, Content], belonging: tuple[str, ...] = SHEET_FILES
) -> None:
    """Write all files into the folder, or leave everything as it was and raise UserError.

    Of the names in `belonging`, those not in `files` are removed; what else lies there stays.
    """
    with worded(folder):
        write_set(folder, files, [name for name in belonging if name not in files])


def _refuse_circle(link: Path) -> None:
    """OSError for links that lead to each other; one that leads nowhere yet is none."""
    with contextlib.suppress(FileNotFoundError):
        link.stat()


def report_at(typed: str | Path, *endings: str) -> Path:
    """The file of a report, by what was typed. UserError unless it has one of the endings."""
    path, name = path_of(typed), str(typed)
    if path.suffix.lower() not in endings or name.endswith(("/", os.sep)):
        said = in_words(endings, "oder")
        raise UserError(f"--bericht {quoted(typed)}: möglich sind Dateien mit {said}.")
    if any(unicodedata.category(sign) == "Cc" for sign in name):
        raise UserError(f"--bericht {quoted(typed)}: So kann keine Datei heißen.")
    return path


def write_one(target: Path, content: bytes, flag: str = "--bericht") -> None:
    """Write one file over what may be there, in one step. UserError, that begins with the option, if that
    cannot be.
    """
    with worded(target, flag):
        if target.is_symlink():
            _refuse_circle(target)
        if os.path.lexists(target) and not target.is_file():
            raise FileExistsError(errno.EEXIST, "", str(target))
        write_file(target, content)


@contextlib.contextmanager
def worded(folder: Path, flag: str = "--ausgabe") -> Iterator[None]:
    """What the system refuses becomes one German sentence."""
    try:
        yield
    except OSError as error:
        raise UserError(f"{flag} {quoted(folder)} lässt sich nicht beschreiben: {reason(error)}.") from error


# --- What took time to make, kept for the next run by a name that says all that the bytes depend on.
#
# It only saves time: without a folder that can be written, everything is made anew. Entries are written aside
# and renamed, so that no reader sees half of one. What the set-up has made of the course's own formulas and
# pages (see setup.sh) is read where the user's folder has nothing yet; it is never written.


PREPARED: Final = Path(sys.prefix) / "share" / "papierformer"
_OF_SYSTEM: Final = {"win32": ("LOCALAPPDATA", "AppData/Local"), "darwin": ("", "Library/Caches")}


class Kept:
    """Bytes by name in a folder; `Kept(None)` keeps nothing. ending: of the files' names."""

    def __init__(self, folder: Path | None, ending: str = "") -> None:
        self._folder = folder
        self._ending = ending
        cache = user_cache()
        prepared = folder and cache and folder.is_relative_to(cache) and PREPARED / folder.relative_to(cache)
        self._read = [each for each in (folder, prepared) if each]

    def get(self, name: str) -> bytes | None:
        """What was kept under the name; None if there is nothing."""
        for folder in self._read:
            with contextlib.suppress(OSError):
                return self._path(folder, name).read_bytes()
        return None

    def put(self, name: str, content: bytes) -> None:
        """Keeps the bytes if it can."""
        if self._folder is None:
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            handle, aside = tempfile.mkstemp(dir=self._folder, prefix="aside-")
        except OSError:
            self._folder = None
            return
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            Path(aside).replace(self._path(self._folder, name))
        except OSError:
            self._folder = None
            with contextlib.suppress(OSError):
                Path(aside).unlink()

    def leave(self, most: int) -> None:
        """Deletes all but the newest."""
        with contextlib.suppress(OSError):
            files = list(self._folder.glob(f"*{self._ending}")) if self._folder else []
            for file in sorted(files, key=lambda file: file.stat().st_mtime)[: max(0, len(files) - most)]:
                file.unlink(missing_ok=True)

    def _path(self, folder: Path, name: str) -> Path:
        digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
        return folder / f"{digest[:40]}{self._ending}"


def user_cache(environment: Mapping[str, str] = os.environ) -> Path | None:
    """The user's cache folder for this program; PAPIERFORMER_CACHE names another, empty means none."""
    named = environment.get("PAPIERFORMER_CACHE")
    if named is not None:
        return Path(named) if named else None
    variable, below_home = _OF_SYSTEM.get(sys.platform, ("XDG_CACHE_HOME", ".cache"))
    try:
        return Path(environment.get(variable) or Path.home() / below_home) / "papierformer"
    except RuntimeError:  # nobody's home
        return None
