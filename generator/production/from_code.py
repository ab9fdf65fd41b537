"""What a sheet's code stands for: its options, or its whole calculation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from generator.calculation.rebuild import Rebuilt
from generator.options.limits import for_paper
from generator.options.sheet_code import Decoded, read_code
from generator.stations.make_sheet import make_sheet

_FILES: Final = ("gewichte", "embeddings", "texte", "vorlage")


def rebuilt_from(code: str, options: Mapping[str, Any]) -> Rebuilt:
    """What rechnung.json of the sheet would say, without the file."""
    return make_sheet(decode(code, options).options).rebuilt()


def decode(code: str, options: Mapping[str, Any]) -> Decoded:
    """The options of a code whose sheet fits on paper."""
    decoded = read_code(code, {name: options[name] for name in _FILES if name in options})
    for_paper(decoded.options)
    return decoded
