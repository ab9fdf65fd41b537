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
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NoReturn

from generator.basics import fonts
from generator.basics.errors import UserError

CORES: Final = os.cpu_count() or 1
COPIES_ITSELF: Final = sys.platform == "linux"  # elsewhere the text libraries do not bear it
_UNUSED: Final = ("fontTools.subset", "fontTools.varLib.instancer")
_INSTALL = {
    "linux": "unter Debian und Ubuntu mit „sudo apt install libpangoft2-1.0-0 libharfbuzz-subset0“",
    "darwin": "mit Homebrew: „brew install pango“",
    "win32": "mit MSYS2 (https://www.msys2.org): „pacman -S mingw-w64-ucrt-x86_64-pango“",
}


class PdfUnavailable(UserError):  # noqa: N818
    """WeasyPrint's system libraries are missing; one German sentence says what to install."""


def install_hint(platform: str = sys.platform) -> str:
    """The sentence for a machine without Pango."""
    how = _INSTALL.get(platform, _INSTALL["linux"])
    return f"Für PDF-Dateien fehlt auf diesem Rechner die Schriftbibliothek Pango; sie kommt {how}."


@cache
def weasyprint() -> Any:
    """The module WeasyPrint, for which no fonts exist but ours. Raises PdfUnavailable."""
    os.environ["FONTCONFIG_FILE"] = str(_fontconfig_file())
    silence = io.StringIO()
    try:
        with (
            contextlib.redirect_stdout(silence),
            warnings.catch_warnings(),
            _loaded_by_name(),
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
def _loaded_by_name() -> Iterator[None]:
    """Linux loads a library by its file's name; of every other name ldconfig, gcc and ld would be asked."""
    find = ctypes.util.find_library
    if sys.platform == "linux":
        ctypes.util.find_library = lambda name: None
    try:
        yield
    finally:
        ctypes.util.find_library = find


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
