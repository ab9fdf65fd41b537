"""`papierformer klassensatz`: a sentence and names go in; a set of sheets for the class comes out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from generator.basics.errors import UserError, quoted
from generator.basics.files import ensure_writable, folder_for
from generator.basics.progress import Progress
from generator.classes import class_set
from generator.classes.names import read_names
from generator.options.option_kinds import Whole
from generator.print.machine import weasyprint
from generator.print.many import helpers
from generator.production.class_options import class_options


def run(arguments: Mapping[str, str], given: Mapping[str, Any], progress: Progress) -> str:
    """Make the set; what to say. UserError before anything is touched."""
    asked = dict(given)
    number = asked.pop("anzahl", None)
    path = arguments.get("NAMEN.csv")
    names = read_names(Path(path)) if path is not None else ()
    if number is not None:
        wanted = int(Whole(1, 1000).read("--anzahl", number))
        if names and wanted < len(names):
            raise UserError(
                f"--anzahl {wanted} reicht nicht für {len(names)} Namen in {quoted(Path(str(path)).name)}."
            )
        names = (*names, *[""] * (wanted - len(names)))
    if not names:
        raise UserError("Für wie viele? Nötig ist eine Liste mit Namen oder zum Beispiel --anzahl 30.")
    sentence = {"satz": arguments["SATZ"]} if "SATZ" in arguments else {}
    options = class_options({**sentence, **asked})
    folder = folder_for(options.ausgabe, options.satz)
    ensure_writable(folder.with_name(f"{folder.name}-klasse"))
    weasyprint()  # says what to install before any work is done
    with helpers() as executor:
        made = class_set.make(options, names, executor, progress.step)
    return (
        f"Fertig: {made}\n  {', '.join(class_set.FILES)}\n"
        f"  {class_set.CALCULATIONS}/1.json bis {len(names)}.json\n"
        f"  {len(names)} Blätter, Gewichte {options.weight_style}"
    )
