"""`papierformer klassensatz`: a set of sheets for a class, one for each name."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from generator.basics.errors import UserError, how_many, in_words, quoted, shown_path
from generator.basics.files import ensure_writable
from generator.basics.reading import path_of
from generator.calculation.learnt import Tell as Learning
from generator.commands.streams import Progress, note
from generator.options.declaration import FORMATS, LEARNT
from generator.options.option_kinds import Whole
from generator.options.options import Options
from generator.options.sentence import OneWord
from generator.output.machine import weasyprint
from generator.output.many import helpers
from generator.production import class_set, exports
from generator.production.class_files import read_sentences
from generator.production.class_set import class_options, differences, pupils
from generator.production.pupil_list import read_names
from generator.production.workshop import PROCESSES, cluster


def run(arguments: Mapping[str, str], given: Mapping[str, Any], progress: Progress) -> str:
    """Make the set; what to say. UserError before anything is touched."""
    asked = dict(given)
    own = {name: asked.pop(name, None) for name in ("anzahl", "saetze", "rechner")}
    address = OneWord(200).read("--rechner", own["rechner"])
    sentence, listed = arguments.get("SATZ"), arguments.get("NAMEN.csv")
    if own["saetze"] is not None and listed is None:  # then a single argument is the list of names
        sentence, listed = None, sentence
    names = _names(listed, own["anzahl"])
    each = _each(sentence, own["saetze"], asked, lambda number, of: progress.step("Lerne", number, of))
    usual = class_set.usual_folder(each[0])
    ensure_writable(usual)
    with cluster(address) if address else helpers(PROCESSES) as executor:
        weasyprint()  # or the sentence that it is missing, before any work is done
        made = class_set.make(each, names, executor, progress.step, away=address is not None)
    manifest = json.loads((made / class_set.MANIFEST).read_text(encoding="utf-8"))
    banks = [exports.ALL + FORMATS[name].ending for name in each[0].format if FORMATS[name].whole]
    pages = [name for name in each[0].format if not FORMATS[name].whole]
    notes = dict.fromkeys(filter(None, (options.training_note for options in each)))
    beside = (
        f"Der frühere Klassensatz in {quoted(usual)} bleibt, wie er ist. Andere Zahlen als dort gibt ein "
        "anderer Startwert, zum Beispiel --startwert 1000."
    )
    styles = in_words(dict.fromkeys(LEARNT if options.learns else options.weight_style for options in each))
    return (
        f"Fertig: {shown_path(made)}\n  {', '.join([*class_set.FILES, *banks])}\n"
        f"  {class_set.CALCULATIONS}/: die Rechnung zu jedem Blatt, nach seiner Nummer\n"
        + f"  {class_set.SINGLE}/: Blatt und Lösung jeder Person ({', '.join(pages)})\n" * bool(pages)
        + f"  {len(names)} {'Blätter' if len(names) > 1 else 'Blatt'}, Gewichte {styles}"
        + f" zu {len(each)} Sätzen" * (len(each) > 1)
        + "".join(
            f"\n{each}"
            for each in (*notes, beside * (made != usual), " ".join(differences(manifest)))
            if each
        )
    )


def _names(path: str | None, number: str | None) -> tuple[str, ...]:
    """One for each sheet, "" for a sheet without a name; what was understood of a list is said."""
    wanted = None if number is None else int(Whole(1, 1000).read("--anzahl", number))
    if path is None:
        return pupils((), wanted, "")
    found = read_names(path_of(path))
    names = pupils(found.names, wanted, Path(path).name)
    counted = f"{how_many(len(found.names), 'Name', 'Namen')} aus {quoted(Path(path).name)}."
    note(" ".join([counted, *found.said, *found.doubts]))
    return names


def _each(
    sentence: str | None, listed: str | None, asked: Mapping[str, Any], tell: Learning
) -> list[Options]:
    """The options of each sentence. UserError with the line of a sentence that cannot be used."""
    if listed is None:
        return [class_options({"satz": sentence, **asked} if sentence is not None else asked, tell)]
    each = [] if sentence is None else [class_options({"satz": sentence, **asked}, tell)]
    for number, of_line in read_sentences(Path(listed)):
        try:
            each.append(class_options({**asked, "satz": of_line}, tell))
        except UserError as error:
            raise UserError(f"Zeile {number} von {quoted(Path(listed).name)}: {error}") from error
    return each
