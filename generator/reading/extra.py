"""What reading needs beyond the program, asked for before anything is sent or read."""

from importlib.util import find_spec

from generator.basics.errors import UserError


def needs_packages() -> None:
    """UserError where the extra is not installed."""
    if not (find_spec("PIL") and find_spec("zxingcpp")):
        raise UserError(
            "Zum Einlesen fehlen Pakete; sie kommen mit „pip install 'papierformer[einlesen]'“, im Ordner "
            "des Projekts mit „.venv/bin/python -m pip install zxing-cpp pillow“."
        )
