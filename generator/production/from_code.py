"""A sheet's code goes in; its options, or its whole calculation, come out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from generator.calculation.build import build
from generator.calculation.document import document_of, to_json
from generator.options.limits import for_paper
from generator.options.sheet_code import Decoded, read_code
from generator.output.browser_pdf import printed_note
from generator.output.machine import PdfUnavailable
from generator.output.many import Printers
from generator.output.pdf import PdfResult
from generator.output.screen import for_browsers
from generator.output.sheet_documents import lay_out_sheet, ranges_on_sheet
from generator.sheet.exercises import document_of_sheet
from generator.sheet.rebuild import Rebuilt, rebuild

# --- One key goes in, for paper and for the screen; its two files come out, and what is said of the printing.


def key_files(printers: Printers, name: str, screen: str) -> tuple[dict[str, bytes], str]:
    """Files by name. printers: at work on its PDF; where none can be made, the screen's page stands alone."""
    printed: PdfResult | None = None
    try:
        printed = printers.finish()[-1]
        said = printed_note(printed.printed_by)
    except PdfUnavailable as error:
        said = str(error)
    paper = {} if printed is None else {f"{name}.pdf": printed.data}
    return {**paper, f"{name}.html": for_browsers(screen, printed).encode()}, said


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
