"""Loads WeasyPrint, which is shown our fonts only; or says what to install for it."""

import contextlib
import ctypes.util
import io
import os
import sys
import tempfile
import warnings
import zlib
from collections.abc import Iterator
from functools import cache
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from generator.basics import fonts
from generator.basics.atomic_write import write_set
from generator.basics.errors import UserError

CORES: Final = os.cpu_count() or 1


class PdfUnavailable(UserError):  # noqa: N818
    """WeasyPrint's system libraries are missing; one German sentence says what to install."""


def install_hint(platform: str = sys.platform) -> str:
    """The sentence for a machine without Pango."""
    if folder := {"win32": "„.papierformer“ im Benutzerordner", "darwin": "„.venv“"}.get(platform):
        how = f"sie gehört zum Programm: Bitte den Ordner {folder} löschen und es noch einmal starten."
    else:
        how = (
            "bitte einmal als Verwalter installieren (oder darum bitten): unter Debian und Ubuntu mit "
            "„apt-get install libpangoft2-1.0-0 libharfbuzz-subset0“, sonst die Pakete Pango und HarfBuzz."
        )
    return f"Für PDF-Dateien fehlt auf diesem Rechner die Schriftbibliothek Pango; {how}"


@cache
def weasyprint() -> Any:
    """The module WeasyPrint, for which no fonts exist but ours. Raises PdfUnavailable."""
    os.environ["FONTCONFIG_FILE"] = str(fontconfig_file(Path(_scratch().name)))
    silence = io.StringIO()
    try:
        with (
            contextlib.redirect_stdout(silence),
            warnings.catch_warnings(),
            found(),
        ):
            warnings.simplefilter("error", DeprecationWarning)
            import weasyprint.urls
    except (OSError, ImportError, DeprecationWarning) as error:
        raise PdfUnavailable(install_hint()) from error
    return weasyprint


@cache
def font_configuration() -> Any:
    """One configuration of fonts for all documents of this process."""
    weasyprint()
    from weasyprint.text.fonts import FontConfiguration

    return FontConfiguration()


@cache
def _scratch() -> tempfile.TemporaryDirectory[str]:
    """A folder that goes when the process ends."""
    return tempfile.TemporaryDirectory(prefix="papierformer-", ignore_cleanup_errors=True)


# Where the libraries lie: Linux brings them by its package manager, Windows and macOS get them by the package
# `gstreamer_libs`. WeasyPrint 70 asks `ctypes.util.find_library` for them, which `found` answers: without it
# Windows and macOS would not find those of the package, and Linux would start `ldconfig` or `gcc` for each.


_FILES: Final = (("", ".dll"), ("lib", ".0.dylib"), ("lib", ".1.dylib"))


@contextlib.contextmanager
def found() -> Iterator[None]:
    """No program and no search path is asked for a library: Linux knows its own by their files' names.

    Those of the package are loaded by their full paths: Windows appends no ending to „gobject-2.0-0“, and
    macOS would not look there. WeasyPrint tells Windows where to look for those that they need in turn; on
    macOS they say it themselves.
    """
    find, folder = ctypes.util.find_library, folder_of("gstreamer_libs")
    if folder is not None:
        os.environ["WEASYPRINT_DLL_DIRECTORIES"] = str(folder)
    ctypes.util.find_library = lambda name: library(folder, name) if folder else None
    try:
        yield
    finally:
        ctypes.util.find_library = find


def folder_of(package: str) -> Path | None:
    """Of the libraries in a package; None where it is not installed."""
    spec = find_spec(package)
    folders = spec.submodule_search_locations if spec else None
    return Path(folders[0], "bin" if sys.platform == "win32" else "lib") if folders else None


def library(folder: Path, name: str) -> str | None:
    """The file of a library. On macOS the one with a number, which others need: the one without is a copy."""
    files = [folder / (before + name + after) for before, after in _FILES]
    return next((str(file) for file in files if file.is_file()), None)


def fontconfig_file(scratch: Path) -> Path:
    """A configuration of fontconfig in which the machine's own fonts do not occur; scratch: a folder for it.

    On Windows fontconfig and FreeType open a file by its path in one code page, which „C:\\Users\\Jörg“ does
    not survive: the sheet would be set in a font of the machine, or in none. There all lies, written once,
    where every path has plain letters.
    """
    folder = fonts.folder() / "pdf"
    file = scratch / "fonts.conf"
    if sys.platform == "win32" and not f"{folder}{file}".isascii():
        files = {font.name: font.read_bytes() for font in folder.iterdir()}
        name = zlib.crc32(b"".join(files[font] for font in sorted(files)))
        folder = Path(os.environ["PROGRAMDATA"], "Papierformer", f"{name:08x}")
        file = folder / "fonts.conf"
        try:
            if not file.exists():
                write_set(folder, files | {file.name: _configuration(folder, folder)}, ())
        except OSError:  # where another process was quicker, its files are open
            if not file.exists():
                raise
    else:
        file.write_bytes(_configuration(folder, scratch))
    return file


def _configuration(folder: Path, scratch: Path) -> bytes:
    return os.fsencode(
        '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">\n'
        f"<fontconfig><dir>{escape(folder.as_posix())}</dir>"
        f"<cachedir>{escape((scratch / 'cache').as_posix())}</cachedir></fontconfig>\n"
    )
