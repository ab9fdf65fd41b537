"""Loads WeasyPrint, which is shown our fonts only; or says what to install for it."""

import contextlib
import ctypes.util
import io
import os
import sys
import tempfile
import warnings
from collections.abc import Iterator
from functools import cache
from html import escape
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NoReturn

from generator.basics import fonts
from generator.basics.errors import UserError

CORES: Final = os.cpu_count() or 1
COPIES_ITSELF: Final = sys.platform == "linux"  # elsewhere the text libraries do not bear it
_UNUSED: Final = ("fontTools.subset", "fontTools.varLib.instancer")
_FILES: Final = (("", ".dll"), ("lib", ".0.dylib"), ("lib", ".1.dylib"))


class PdfUnavailable(UserError):  # noqa: N818
    """WeasyPrint's system libraries are missing; one German sentence says what to install."""


def install_hint(platform: str = sys.platform) -> str:
    """The sentence for a machine without Pango."""
    if platform in ("win32", "darwin"):
        how = "sie gehört zum Programm: Bitte den Ordner „.venv“ löschen und es noch einmal starten."
    else:
        how = (
            "bitte einmal als Verwalter installieren (oder darum bitten): unter Debian und Ubuntu mit "
            "„apt-get install libpangoft2-1.0-0 libharfbuzz-subset0“, sonst die Pakete Pango und HarfBuzz."
        )
    return f"Für PDF-Dateien fehlt auf diesem Rechner die Schriftbibliothek Pango; {how}"


@cache
def weasyprint() -> Any:
    """The module WeasyPrint, for which no fonts exist but ours. Raises PdfUnavailable."""
    os.environ["FONTCONFIG_FILE"] = str(_fontconfig_file())
    silence = io.StringIO()
    try:
        with (
            contextlib.redirect_stdout(silence),
            warnings.catch_warnings(),
            _loaded_from(library_folder()),
            _without_unused(),
        ):
            warnings.simplefilter("error", DeprecationWarning)
            import weasyprint.urls
    except (OSError, ImportError, DeprecationWarning) as error:
        for name in [name for name in sys.modules if name.split(".")[0] == "weasyprint"]:
            del sys.modules[name]  # it is half imported
        raise PdfUnavailable(install_hint()) from error
    return weasyprint


@contextlib.contextmanager
def _loaded_from(folder: Path | None) -> Iterator[None]:
    """No program and no search path is asked for a library: Linux knows its own by their files' names.

    folder: holds those of Windows and macOS, which are loaded by their full paths: the one appends no ending
    to „gobject-2.0-0“, the other would not look there. WeasyPrint tells Windows to look there for those that
    they need; on macOS they name it themselves.
    """
    find = ctypes.util.find_library
    if folder is not None:
        os.environ["WEASYPRINT_DLL_DIRECTORIES"] = str(folder)
    ctypes.util.find_library = lambda name: _library(folder, name) if folder else None
    try:
        yield
    finally:
        ctypes.util.find_library = find


def library_folder() -> Path | None:
    """Of the libraries in the package `gstreamer_libs`; None where it is not installed: on Linux."""
    package = find_spec("gstreamer_libs")
    folders = package.submodule_search_locations if package else None
    return Path(folders[0], "bin" if sys.platform == "win32" else "lib") if folders else None


def _library(folder: Path, name: str) -> str | None:
    """The file of a library; those of macOS that others need have a number, and a copy without one."""
    files = [folder / (before + name + after) for before, after in _FILES]
    return next((str(file) for file in files if file.is_file()), None)


@contextlib.contextmanager
def _without_unused() -> Iterator[None]:
    """Spares WeasyPrint a hundred modules for fonts that vary or that HarfBuzz cannot cut, unlike ours."""
    unused = {name: ModuleType(name) for name in _UNUSED if name not in sys.modules}
    for module in unused.values():
        module.__dict__["instantiateVariableFont"] = None
    sys.modules.update(unused)
    try:
        yield
    finally:
        for name in unused:
            del sys.modules[name]


@cache
def font_configuration() -> Any:
    """One configuration of fonts for all documents of this process."""
    weasyprint()
    from weasyprint.text.fonts import FontConfiguration

    return FontConfiguration()


SCRATCH = "PAPIERFORMER_ARBEIT"  # names the folder that holds all of a run's own, where there is one


@cache
def _scratch() -> tempfile.TemporaryDirectory[str]:
    """A folder that goes when the process ends."""
    return tempfile.TemporaryDirectory(prefix="papierformer-", ignore_cleanup_errors=True)


def forget_scratch() -> None:
    """Deletes that folder now, for a process that ends without tidying up."""
    _scratch().cleanup()


def end_without_scratch() -> NoReturn:
    """Ends this process at once and deletes that folder, or its run's: no thread is left to make it anew."""
    delete = "import shutil, sys; shutil.rmtree(sys.argv[1], ignore_errors=True)"
    os.execv(sys.executable, [sys.executable, "-ISc", delete, os.environ.get(SCRATCH) or _scratch().name])


def _fontconfig_file() -> Path:
    """A configuration of fontconfig in which the machine's own fonts do not occur."""
    scratch = Path(_scratch().name)
    file = scratch / "fonts.conf"
    ours = escape((fonts.folder() / "pdf").as_posix())
    cache_folder = escape((scratch / "cache").as_posix())
    file.write_text(
        '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">\n'
        f"<fontconfig><dir>{ours}</dir><cachedir>{cache_folder}</cachedir></fontconfig>\n",
        encoding="utf-8",
    )
    return file
