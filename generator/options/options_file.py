"""A TOML file of options in, the options by name out; names that nobody knows are refused."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from generator.basics.errors import UserError, quoted
from generator.basics.reading import read_toml
from generator.options.declaration import NUMBER_KEYS, is_number_key, nearest
from generator.options.option_kinds import FilePath
from generator.options.weight_styles import LEARNT, WEIGHT_STYLES


def options_of_file(path: Path, known: Sequence[str]) -> dict[str, Any]:
    """The options of a TOML file; files that it names are looked for beside it first."""
    options = {key: value for key, value in read_toml(path, "Die Vorlage").items() if not is_number_key(key)}
    refuse_unknown(f"In der Vorlage {quoted(path.name)}: Den Schlüssel", options, known, without="vorlage")
    for name in ("gewichte", "embeddings", "texte"):
        value = options.get(name)
        if isinstance(value, str) and value not in (*WEIGHT_STYLES, LEARNT) and "\0" not in value:
            beside = path.parent / Path(str(FilePath().read(f"--{name}", value)))
            if os.path.isfile(beside):  # noqa: PTH113 (the path's own method raises for names too long)
                options[name] = beside
    return options


def refuse_unknown(what: str, given: Mapping[str, Any], names: Sequence[str], without: str = "") -> None:
    """Raises UserError for the first name that is none of `names`, or is the one that may not stand there."""
    names = [name for name in names if name != without]
    for name in given:
        if name not in names:
            known = [*names, *NUMBER_KEYS] if without else names
            raise UserError(f"{what} {quoted(name)} gibt es nicht; {nearest(name, known)}")
