"""In: the name of a shape. Out: its layout if one was kept on disk; and the other way round.

The store only saves time: without a folder it can write to, with a damaged entry or with entries of
another version, everything is laid out anew. Entries hold outlines, never the formula's source.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from importlib import metadata
from pathlib import Path

from generator import typeset_shapes
from generator.typeset_shapes import Shape


class Store:
    """Layouts of shapes in a folder; `Store(None)` keeps nothing."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def get(self, name: str) -> Shape | None:
        """The kept layout; None if there is none or it was damaged."""
        payload = self.get_text(name)
        try:
            return None if payload is None else _shape(json.loads(payload))
        except (ValueError, KeyError, TypeError):
            return None

    def put(self, name: str, shape: Shape) -> None:
        """Keeps the layout if it can."""
        self.put_text(name, json.dumps(asdict(shape), separators=(",", ":")))

    def get_text(self, name: str) -> str | None:
        """The kept text; None if there is none or it was damaged."""
        if self._folder is None:
            return None
        try:
            checksum, _, payload = self._path(name).read_text(encoding="ascii").partition("\n")
        except (OSError, ValueError):
            return None
        return payload if checksum == _checksum(name, payload) else None

    def put_text(self, name: str, payload: str) -> None:
        """Keeps ASCII text if it can; written aside, then renamed, so that no reader sees half of it."""
        if self._folder is None:
            return
        path = self._path(name)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, aside = tempfile.mkstemp(dir=path.parent, prefix="aside-")
        except OSError:
            self._folder = None
            return
        try:
            with os.fdopen(handle, "w", encoding="ascii") as file:
                file.write(f"{_checksum(name, payload)}\n{payload}")
            Path(aside).replace(path)
        except OSError:
            self._folder = None
            with contextlib.suppress(OSError):
                Path(aside).unlink()

    def _path(self, name: str) -> Path:
        assert self._folder is not None
        digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
        return self._folder / f"{digest[:40]}.shape"


def user_store(environment: Mapping[str, str] = os.environ) -> Store:
    """The store in the user's cache folder; PAPIERFORMER_CACHE names another, empty switches it off."""
    named = environment.get("PAPIERFORMER_CACHE")
    if named is not None:
        return Store(Path(named) / _edition() if named else None)
    try:
        return Store(_cache_folder(environment) / "papierformer" / _edition())
    except RuntimeError:
        return Store(None)


def _cache_folder(environment: Mapping[str, str]) -> Path:
    if sys.platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(environment.get("XDG_CACHE_HOME") or Path.home() / ".cache")


@cache
def _edition() -> str:
    """Changes with everything a layout depends on."""
    made_by = [f"{name} {metadata.version(name)}" for name in ("ziamath", "ziafont", "latex2mathml")]
    ours = Path(typeset_shapes.__file__).read_bytes()
    return "formeln-" + hashlib.sha256(" ".join(made_by).encode() + ours).hexdigest()[:12]


def _checksum(name: str, payload: str) -> str:
    return hashlib.sha256(f"{name}\n{payload}".encode("utf-8", "surrogatepass")).hexdigest()


def _shape(entry: dict[str, list[list[str]]]) -> Shape:
    lists = {
        "pieces": tuple(entry["pieces"]),
        "gaps": tuple(tuple(gap) for gap in entry["gaps"]),
        "alphabets": tuple(tuple(outlines) for outlines in entry["alphabets"]),
    }
    return Shape(**{**entry, **lists})  # type: ignore[arg-type]
