"""Worksheets on which a class computes a small Transformer by hand, with keys that are right.

>>> import generator
>>> blatt = generator.sheet("Die Katze sitzt auf der Matte", stationen="4a", gewichte="auswahl")
>>> float(blatt.calculation["unmasked.head1.weight"].values[1, 0])
0.12
>>> "Lösung" in blatt.key.html, blatt.worksheet.pdf()[:5]
(True, b'%PDF-')
>>> blatt.check({"unmasked.head1.weight": [[None], [0.99]]}).cells[0].verdict
'falsch'
"""

from __future__ import annotations

import generator.sheet  # noqa: F401 (the room, before the function: imported later it would take its place)

TYPE_CHECKING = False  # nothing else is imported here: a command answers Ctrl-C from its first moment
if TYPE_CHECKING:
    from typing import Any

    from generator.basics.errors import UserError
    from generator.production.printable_sheet import PrintableSheet

__all__ = ["UserError", "sheet"]


def sheet(satz: str, **optionen: Any) -> PrintableSheet:
    """The sheet of this sentence: worksheet, key, teacher (`.html`, `.pdf()`), calculation, check(answers).

    optionen: named as in the TOML file. UserError, with one German sentence, where they cannot be.
    """
    from generator.options.options import Options
    from generator.production.printable_sheet import PrintableSheet

    return PrintableSheet(Options.asked({**optionen, "satz": satz}, on_paper=True))


def __getattr__(name: str) -> Any:
    if name != "UserError":
        raise AttributeError(f"module 'generator' has no attribute {name!r}")
    from generator.basics.errors import UserError

    return UserError
