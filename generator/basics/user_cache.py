"""What took time to make, kept for the next run by a name that says all that the bytes depend on.

It only saves time: without a folder that can be written, everything is made anew. Entries are written aside
and renamed, so that no reader sees half of one. What the set-up has made of the course's own formulas and
pages (see setup.sh) is read where the user's folder has nothing yet; it is never written.
"""

import contextlib
import hashlib
import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

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
