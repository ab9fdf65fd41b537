"""Loads WeasyPrint, which is shown our fonts only; or says what to install for it."""

import contextlib
import io
import os
import sys
import tempfile
import warnings
from functools import cache
from pathlib import Path
from typing import Any, Final

from generator.basics.errors import UserError
from generator.output.libraries import fontconfig_file, found

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
