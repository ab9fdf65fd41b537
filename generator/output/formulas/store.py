"""In: the name of a shape. Out: its layout if one was kept on disk; and the other way round.

A damaged entry or one of another version is laid out anew. Entries hold outlines, never the formula's source.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from importlib import metadata
from pathlib import Path

from generator.basics.user_cache import Kept, user_cache
from generator.output.formulas import shapes
from generator.output.formulas.shapes import Shape


class Store:
    """Layouts of shapes in a folder; `Store(None)` keeps nothing."""

    def __init__(self, folder: Path | None) -> None:
        self._kept = Kept(folder, ".shape")

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
        """The kept text; None if there is none or it is not ASCII."""
        try:
            kept = self._kept.get(name)
            return None if kept is None else kept.decode("ascii")
        except ValueError:
            return None

    def put_text(self, name: str, payload: str) -> None:
        """Keeps ASCII text if it can."""
        self._kept.put(name, payload.encode("ascii"))


def user_store(environment: Mapping[str, str] = os.environ) -> Store:
    """The store in the user's cache folder."""
    folder = user_cache(environment)
    return Store(folder and folder / _edition())


@cache
def _edition() -> str:
    """Changes with everything a layout depends on."""
    made_by = [f"{name} {metadata.version(name)}" for name in ("ziamath", "ziafont", "latex2mathml")]
    ours = Path(shapes.__file__).read_bytes()
    return "formeln-" + hashlib.sha256(" ".join(made_by).encode() + ours).hexdigest()[:12]


def _shape(entry: dict[str, list[list[str]]]) -> Shape:
    lists = {
        "pieces": tuple(entry["pieces"]),
        "gaps": tuple(tuple(gap) for gap in entry["gaps"]),
        "alphabets": tuple(tuple(outlines) for outlines in entry["alphabets"]),
    }
    return Shape(**{**entry, **lists})  # type: ignore[arg-type]
