"""A sheet's code goes in; its options, or its whole calculation, come out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from generator.calculation.build import build
from generator.document.document import document_of, to_json
from generator.document.exercises import document_of_sheet
from generator.document.rebuild import Rebuilt, rebuild
from generator.options.limits import for_paper
from generator.options.sheet_code import Decoded, read_code
from generator.print.sheet_documents import lay_out_sheet, ranges_on_sheet

_FILES: Final = ("gewichte", "embeddings", "texte", "vorlage")


def rebuilt_from(code: str, options: Mapping[str, Any]) -> Rebuilt:
    """What rechnung.json of the sheet would say, without the file."""
    built = build(decode(code, options).options)
    ranges = ranges_on_sheet(built)
    sheet, _ = lay_out_sheet(built, ranges)
    contents = document_of(built, ranges) | document_of_sheet(sheet, built.whole.hand)
    return rebuild(json.loads(to_json(contents)))


def decode(code: str, options: Mapping[str, Any]) -> Decoded:
    """The options of a code whose sheet fits on paper."""
    decoded = read_code(code, {name: options[name] for name in _FILES if name in options})
    for_paper(decoded.options)
    return decoded
