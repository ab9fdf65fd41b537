"""One key goes in, for paper and for the screen; its two files come out, and what is said of the printing."""

from __future__ import annotations

from generator.print.browser_pdf import printed_note
from generator.print.machine import PdfUnavailable
from generator.print.many import Printers
from generator.print.pdf import PdfResult
from generator.print.screen import for_browsers


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
