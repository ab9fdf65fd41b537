"""What the page sends for a sheet goes in; checked options, with numbers of one's own in a file, come out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from generator.basics.errors import UserError
from generator.options import limits
from generator.options.declaration import LEARNT, is_number_key
from generator.options.numbers_file import read_given
from generator.options.option_kinds import toml_value
from generator.options.options import Options
from generator.page.form import TEXTS, options_of

TEMPLATE: Final = "vorlage.toml"
TEXT_FILE: Final = "texte.txt"
_MOST_NUMBERS: Final = 20_000


def given_options(order: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The options by name; numbers and texts typed into the page become files in the folder."""
    wanted = options_of(order.get("optionen"))
    numbers = order.get("zahlen") or {}
    if numbers:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / TEMPLATE).write_text(template_of(numbers), encoding="utf-8")
        wanted["vorlage"] = folder / TEMPLATE
    lines = order["optionen"].get(TEXTS)
    if isinstance(lines, str) and lines.strip() and wanted.get("gewichte") == LEARNT:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / TEXT_FILE).write_text(lines, encoding="utf-8")
        wanted[TEXTS] = folder / TEXT_FILE
    return wanted


def on_paper(wanted: Mapping[str, Any]) -> Options:
    """The options of one sheet, checked as `blatt` does. UserError with one sentence."""
    options = Options.from_mapping(wanted, on_paper=True)
    limits.for_paper(options)
    limits.numbers_for_paper(read_given(options))
    return options


def template_of(numbers: Any) -> str:
    """TOML with vectors and matrices. UserError for anything that is none."""
    if not isinstance(numbers, Mapping) or sum(map(_count, numbers.values())) > _MOST_NUMBERS:
        raise UserError("Die eigenen Zahlen sind keine der Seite; bitte laden Sie sie neu.")
    lines = []
    for name, value in numbers.items():
        if not isinstance(name, str) or not is_number_key(name):
            raise UserError("Die eigenen Zahlen haben einen Namen, den es nicht gibt.")
        lines.append(f"{toml_value(name)} = {_toml(value)}")
    return "# Eigene Zahlen, auf der Seite eingegeben\n" + "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        pairs = (f"{toml_value(str(key))} = {_toml(inner)}" for key, inner in value.items())
        return "{ " + ", ".join(pairs) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise UserError("Unter den eigenen Zahlen ist etwas, das keine Zahl ist.")
    return toml_value(value)


def _count(value: Any) -> int:
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return 1 + sum(map(_count, inner))
