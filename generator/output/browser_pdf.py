"""Prints documents by a browser of the Chromium family that this machine brings, where Pango is missing.

The browser gets a folder of its own, which is deleted, and no network; it prints what stands in the page.
"""

import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from generator.output.machine import PdfUnavailable, install_hint, weasyprint
from generator.output.pdf import PdfResult
from generator.output.screen import numbered_contents, page_for_browser

OLDEST: Final = 131  # the first version that prints the margins of @page
_TIME: Final = 180.0  # seconds, for one document on a busy machine
_LATE: Final = 10.0  # seconds; on Windows the process that was started may end before the one that prints
_PREFIX: Final = "papierformer-browser-"
_FORGOTTEN: Final = 3600.0  # seconds, after which a folder belongs to a run that was killed
_NAMED: Final = "PAPIERFORMER_BROWSER"
_COMMANDS: Final = {
    "chromium": "Chromium",
    "chromium-browser": "Chromium",
    "google-chrome": "Google Chrome",
    "google-chrome-stable": "Google Chrome",
    "chrome": "Google Chrome",
    "msedge": "Microsoft Edge",
    "microsoft-edge": "Microsoft Edge",
    "microsoft-edge-stable": "Microsoft Edge",
}
_WINDOWS_FOLDERS: Final = ("ProgramFiles(x86)", "ProgramFiles", "ProgramW6432", "LOCALAPPDATA")
_WINDOWS: Final = {
    "Microsoft/Edge/Application/msedge.exe": "Microsoft Edge",
    "Google/Chrome/Application/chrome.exe": "Google Chrome",
    "Chromium/Application/chrome.exe": "Chromium",
}
_MAC: Final = {
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome": "Google Chrome",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge": "Microsoft Edge",
    "/Applications/Chromium.app/Contents/MacOS/Chromium": "Chromium",
}
_FLAGS: Final = (
    "--headless",
    "--disable-gpu",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-extensions",
    "--disable-sync",
    "--disable-component-update",
    "--disable-background-networking",
    "--disable-breakpad",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=127.0.0.1:9",  # the port where nobody answers
    "--proxy-bypass-list=<-loopback>",
    "--no-pdf-header-footer",
    "--generate-pdf-document-outline",
    "--export-tagged-pdf",
)


@dataclass(frozen=True)
class Browser:
    """A program that prints pages."""

    name: str
    path: Path

    def print(self, html: str) -> bytes | None:
        """The page's PDF; None if this browser cannot make it, or is older than `OLDEST`."""
        with _scratch() as folder:
            page, pdf = folder / "seite.html", folder / "seite.pdf"
            page.write_text(html, encoding="utf-8")
            profile = f"--user-data-dir={folder / 'profil'}"
            started = _run(
                [str(self.path), *_FLAGS, *_as_root(), profile, f"--print-to-pdf={pdf}", page.as_uri()]
            )
            data = _read_whole(pdf, _LATE if started else 0.0)
        return data if data is not None and _version(data) >= OLDEST else None


def browsers(
    environment: Mapping[str, str] = os.environ, platform: str = sys.platform
) -> tuple[Browser, ...]:
    """Those of this machine. PAPIERFORMER_BROWSER names another one by its path; empty means none."""
    named = environment.get(_NAMED)
    if named is not None:
        return (Browser(Path(named).stem, Path(named)),) if named else ()
    found = {path: Browser(name, path) for path, name in _places(environment, platform) if path.is_file()}
    return tuple(found.values())


def _places(environment: Mapping[str, str], platform: str) -> Iterator[tuple[Path, str]]:
    if platform == "win32":
        for place, name in _WINDOWS.items():
            for folder in filter(None, map(environment.get, _WINDOWS_FOLDERS)):
                yield Path(folder, *place.split("/")), name
    elif platform == "darwin":
        for place, name in _MAC.items():
            yield Path(place), name
    for command, name in _COMMANDS.items():
        if path := shutil.which(command, path=environment.get("PATH", "")):
            yield Path(path), name


def _run(command: list[str]) -> bool:
    """Whether the program ran and ended well."""
    quiet = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # Windows alone has it
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_TIME,
            check=False,
            creationflags=quiet,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _as_root() -> list[str]:
    """A browser that the root user starts (in a container, say) refuses its sandbox."""
    user = getattr(os, "geteuid", None)
    return ["--no-sandbox"] if user is not None and user() == 0 else []


def _read_whole(pdf: Path, patience: float) -> bytes | None:
    until = time.monotonic() + patience
    while True:
        with contextlib.suppress(OSError):
            data = pdf.read_bytes()
            if data.rstrip().endswith(b"%%EOF"):
                return data
        if time.monotonic() >= until:
            return None
        time.sleep(0.1)


def _version(pdf: bytes) -> int:
    """The version of the browser that printed, as it says itself."""
    found = re.search(rb"Skia/PDF m(\d+)", pdf)
    return int(found[1]) if found else 0


@contextlib.contextmanager
def _scratch() -> Iterator[Path]:
    """A folder that is deleted; those of runs that were killed go as well."""
    for left in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError):
            if time.time() - left.stat().st_mtime > _FORGOTTEN:
                shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=_PREFIX, ignore_cleanup_errors=True) as folder:
        yield Path(folder)


_TOLD: Final = re.compile(rb"/(?:CreationDate|ModDate) \((D:[^)]*)\)")
_DATE: Final = b"D:20000101000000+00'00'"
_NODE: Final = re.compile(rb"node\d{8}")
_MAKER: Final = re.compile(rb"/Creator \(((?:\\.|[^\\)])*)\)")


def ensure_can_print() -> str:
    """Asked before any work is done: the sentence that a browser will print, "" with WeasyPrint.

    Raises PdfUnavailable if there is neither.
    """
    try:
        weasyprint()
    except PdfUnavailable:
        if not browsers():
            raise PdfUnavailable(_neither()) from None
        return printed_note(browsers()[0].name)
    return ""


def print_by_browser(html: str, images: Mapping[str, Any], *, title: str) -> PdfResult:
    """The document's PDF by the first browser that can. Raises PdfUnavailable, which says what to install.

    A table of contents costs a second printing: the first tells where things stand.
    """
    page = page_for_browser(html, images, title)
    for browser in browsers():
        data = browser.print(page)
        if data is not None and '<ul class="contents">' in html:  # which needs to know the pages
            data = browser.print(numbered_contents(page, _targets(data)))
        if data is not None:
            return _result(data, browser)
    raise PdfUnavailable(_neither())


def printed_note(browser: str) -> str:
    """The sentence that says that this way was taken; "" where WeasyPrint has printed."""
    if not browser:
        return ""
    return f"Die PDF-Dateien hat der Browser {browser} gedruckt, weil die Schriftbibliothek Pango fehlt."


def _neither() -> str:
    return (
        f"{install_hint()} Auch ein Browser, der statt ihrer druckt, war nicht zu finden "
        f"(Edge, Chrome oder Chromium ab Version {OLDEST})."
    )


def _result(data: bytes, browser: Browser) -> PdfResult:
    import pypdfium2

    with pypdfium2.PdfDocument(data) as document:
        pages = len(document)
    return PdfResult(_impersonal(data), pages, ({},) * pages, browser.name)


def _impersonal(data: bytes) -> bytes:
    """The PDF without the moment and the system that it was printed on; every byte stays in its place.

    Nor does it tell how many nodes the browser had made before: elements are numbered anew, in their order.
    """
    numbers = {old: b"node%08d" % new for new, old in enumerate(sorted(set(_NODE.findall(data))), 1)}
    data = _NODE.sub(lambda found: numbers[found[0]], data)
    data = _TOLD.sub(lambda told: told[0].replace(told[1], _DATE[: len(told[1])].ljust(len(told[1]))), data)
    return _MAKER.sub(lambda found: found[0].replace(found[1], b"Papierformer".ljust(len(found[1]))), data)


def _targets(data: bytes) -> dict[str, int]:
    """Id of each place that is linked to -> its page."""
    import ctypes

    import pypdfium2
    from pypdfium2 import raw

    found: dict[str, int] = {}
    with pypdfium2.PdfDocument(data) as document:
        for number in range(raw.FPDF_CountNamedDests(document)):
            size = ctypes.c_long(0)
            raw.FPDF_GetNamedDest(document, number, None, size)
            name = ctypes.create_string_buffer(size.value)
            target = raw.FPDF_GetNamedDest(document, number, name, size)
            text = name.raw[: size.value].decode("utf-16-le").rstrip("\0")
            found[text] = raw.FPDFDest_GetDestPageIndex(document, target) + 1
    return found
