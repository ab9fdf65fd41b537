"""What a helper process has loaded before its first document: imported by the fork server, once for all."""

import atexit
import contextlib
import multiprocessing
import os

from generator.basics import fonts
from generator.basics.garbage import collect_rarely
from generator.output.machine import PdfUnavailable, forget_scratch
from generator.output.pdf import write_pdf
from generator.output.shared.metrics import face


def _leave() -> None:
    """Ends at once: taking the libraries apart would take longer than a page."""
    forget_scratch()
    os._exit(0)


if multiprocessing.parent_process() is None:  # the fork server itself: nobody waits for its output
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    atexit.register(_leave)
collect_rarely()
with contextlib.suppress(PdfUnavailable):
    write_pdf("<!doctype html><html><body><p>1</p></body></html>", title="")
    for file in (fonts.folder() / "pdf").glob("*.ttf"):
        face(file.read_bytes())
