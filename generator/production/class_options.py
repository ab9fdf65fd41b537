"""What is asked of a class set goes in; its pupils, and the options that all its sheets share, come out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from generator.basics.errors import UserError, quoted
from generator.calculation.build import build
from generator.options import limits
from generator.options.further_formats import ensure_written
from generator.options.numbers_file import read_given
from generator.options.options import Options
from generator.production.worksheet import fitted_to_lesson

_STYLE: Final = "ganzzahlig"  # in the style auswahl every seed gives the same matrices


def pupils(names: Sequence[str], number: int | None, source: str) -> tuple[str, ...]:
    """One name for each sheet, "" where it has none. source: what holds the names, for a UserError."""
    if number is not None:
        if names and number < len(names):
            raise UserError(f"--anzahl {number} reicht nicht für {len(names)} Namen in {quoted(source)}.")
        return (*names, *[""] * (number - len(names)))
    if not names:
        raise UserError("Für wie viele? Nötig ist eine Liste mit Namen oder zum Beispiel --anzahl 30.")
    return tuple(names)


def class_options(asked: Mapping[str, Any]) -> Options:
    """Of all sheets: without a lesson's length, which is chosen once, and with numbers that seeds change.

    asked: options by name. UserError where they do not go together or on no paper.
    """
    options = Options.from_mapping(asked)
    if options.gewichte == "auswahl":
        if "gewichte" in asked:
            raise UserError(
                "--gewichte auswahl gibt bei jedem Startwert dieselben Matrizen; für einen Klassensatz bitte "
                "ganzzahlig oder dezimal."
            )
        options = replace(options, gewichte=_STYLE)
    ensure_written(options.format, "klassensatz", whole=True)
    limits.for_paper(options)
    limits.numbers_for_paper(read_given(options))
    if options.zeit is not None:
        options = replace(fitted_to_lesson(build(options))[0].options, zeit=None)
    return options
