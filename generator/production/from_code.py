"""What a sheet's code stands for: its options, its calculation, the files of its key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from generator.calculation.rebuild import Rebuilt
from generator.options.limits import for_paper
from generator.options.sheet_code import Decoded, read_code
from generator.output.browser_pdf import printed_note
from generator.output.machine import PdfUnavailable
from generator.output.many import Printers
from generator.output.pdf import PdfResult
from generator.output.screen import for_browsers
from generator.stations.make_sheet import make_sheet


def key_files(printers: Printers, name: str, screen: str) -> tuple[dict[str, bytes], str]:
    """The files of one key by name, and what is said of the printing.

    printers: at work on its PDF;
    where none can be made, the screen's page stands alone.
    """
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
    return make_sheet(decode(code, options).options).rebuilt()


def decode(code: str, options: Mapping[str, Any]) -> Decoded:
    """The options of a code whose sheet fits on paper."""
    decoded = read_code(code, {name: options[name] for name in _FILES if name in options})
    for_paper(decoded.options)
    return decoded
