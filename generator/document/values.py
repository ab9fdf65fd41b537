"""Values of rechnung.json go in; checked numbers, tables and switches, or a UserError, come out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.numbers.arrays import Floats
from generator.basics.errors import UserError, quoted


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def table(values: Any, shape: tuple[int, ...], name: str) -> Floats:
    """Nested lists of finite numbers of exactly this shape."""
    if values is None:
        raise broken(name, "fehlt")
    rows = [values] if len(shape) == 1 else values
    fits = isinstance(rows, list) and (len(shape) == 1 or len(rows) == shape[0])
    if not fits or not all(isinstance(row, list) and len(row) == shape[-1] for row in rows):
        raise broken(name, f"nicht {' × '.join(map(str, shape))} Zahlen")
    if not all(is_number(cell) and abs(cell) < 1e12 for row in rows for cell in row):
        raise broken(name, "enthält etwas anderes als Zahlen")
    return np.array(values, dtype=np.float64)


def mapping(value: Any, name: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise broken(name, "nicht da oder keine Sammlung von Namen")
    return value


def broken(name: str, why: str) -> UserError:
    """What to raise where a part of the file is missing or is not what it should be."""
    where = name if re.fullmatch(r"[\w. ]{1,60}", name) else quoted(name)
    return UserError(
        f"Das ist keine vollständige rechnung.json: {where}: {why}; bitte die Datei nehmen, "
        "die „papierformer blatt“ geschrieben hat."
    )
