"""Reads filled-in paper sheets: scans and photos go in, out come answers with pictures.

Uses the marks and blanks of the layout (`output`), cells of the calculation, answers of `check`. It never
sees a right value while it reads. Writes only into the folder it is given. What it needs beyond the program
is the extra `einlesen`, imported only here and only when a scan is read.
"""

from importlib.util import find_spec
from typing import Final

from generator.basics.errors import UserError

SCANS: Final = (".pdf", ".jpg", ".jpeg", ".png", ".tif", ".tiff", ".webp", ".bmp")  # endings of their files


def can_read() -> bool:
    """Whether the extra is installed."""
    return bool(find_spec("PIL") and find_spec("zxingcpp"))


def needs_packages() -> None:
    """UserError where the extra is not installed."""
    if not can_read():
        raise UserError(
            "Zum Einlesen fehlen Pakete; sie kommen mit „pip install 'papierformer[einlesen]'“, im Ordner "
            "des Projekts mit „.venv/bin/python -m pip install zxing-cpp pillow“."
        )
