"""What reading needs beyond the program, asked for before anything is sent or read."""

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
