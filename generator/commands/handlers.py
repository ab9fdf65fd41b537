"""What each command does; command_table.py names these functions."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from generator.basics.errors import UserError
from generator.basics.reading import path_of
from generator.commands.streams import Progress, Stopped, note, put, say
from generator.options import limits
from generator.options.command_line import Call, template
from generator.options.option_kinds import Whole
from generator.options.options import Options

if TYPE_CHECKING:
    from generator.options.numbers_file import GivenNumbers

_USUAL = "output"
_MOST_NOTES = 40
# The handlers import what they need themselves: `rechne` starts fast, without the libraries of the sheets.


def rechne(call: Call) -> None:
    options = _options(call)
    limits.for_memory(options)
    _read_given(options)
    from generator.calculation.build import build
    from generator.calculation.document import document_of, to_json

    built = build(options)
    text = to_json(document_of(built))
    if built.options.training_note:
        note(built.options.training_note)
    put(text)


def blatt(call: Call) -> None:
    options = _options(call, on_paper=True)
    limits.for_paper(options)
    from generator.output.many import Printers  # its helpers load while NumPy does

    with Progress() as progress, Printers() as printers:
        progress.step("Lade Schriften und Satzprogramm")
        limits.numbers_for_paper(_read_given(options))
        _ensure_writable(options)
        from generator.production import worksheet

        said = worksheet.make(options, progress.step, printers)
    say(said)


def pruefe(call: Call) -> None:
    from generator.commands import check_command

    text = check_command.run(
        call.arguments["RECHNUNG.json"],
        call.arguments["ANTWORTEN"],
        as_json="--json" in call.flags,
        bericht=call.options.get("bericht"),
        with_grade="--note" in call.flags,
        files=call.options,
    )
    put(text)


def einlesen(call: Call) -> None:
    """Reads scans of filled-in sheets, or takes over a saved review; what is not sure waits for a person."""
    given, report = call.options.get("mit"), call.options.get("bericht")
    from generator.basics.files import report_at, write_one

    if report is not None:
        report_at(report, ".html", ".htm")
    with Progress() as progress:
        from generator.production import scanned

        progress.step("Suche die Blätter")
        files = [file for word in call.words for file in scanned.scans_at(path_of(word))]
        reviewed = [file.suffix.lower() for file in files] == [".json"]
        if reviewed and given is None and not scanned.read_before(Path(_USUAL)):
            raise UserError(
                f"In {_USUAL} ist nichts eingelesen: Zur Durchsicht braucht es --mit und denselben Ordner "
                "wie beim Einlesen der Scans."
            )
        sheets = scanned.sheets_in(path_of(given or _USUAL))
        if "--loeschen" in call.flags:
            gone = scanned.delete(sheets)
            put(f"Gelöscht: {sheets.kept}\n" if gone else f"In {sheets.folder} war nichts eingelesen.\n")
            return
        again = call.options.get("nochmal")
        if not files and again:
            read = scanned.decide(sheets, again == "ersetzen")
        elif not files:
            raise UserError(
                "Was soll eingelesen werden? Nötig ist zum Beispiel: papierformer einlesen scan.pdf"
            )
        elif reviewed:
            read = scanned.reviewed(sheets, files[0])
        else:
            reading = partial(progress.step, "Lese die Seiten")
            reading()
            read = scanned.read_in(sheets, files, reading)
            if again and read.again:
                read = scanned.decide(sheets, again == "ersetzen")
        if report is not None:
            write_one(path_of(report), scanned.verdicts_page(sheets, read).encode())
    notes = [f"  {note}" for note in read.said[:_MOST_NOTES]]
    left = len(read.said) - len(notes)
    notes += [f"  … und {left} weitere; alle stehen in der Durchsicht."] * bool(left)
    decide = f'papierformer einlesen --mit "{sheets.folder}" --nochmal'
    notes += [f"Ersetzen: {decide} ersetzen\nDanebenlegen: {decide} daneben"] * bool(read.again)
    say(
        "\n".join([scanned.summary(read), *notes])
        + f"\nDurchsicht: {sheets.kept / scanned.REVIEW} (im Browser öffnen, am Ende speichern)\n"
        f"Ergebnis: {sheets.kept / scanned.RESULT}\n"
        f"Jedes Urteil mit Bild: {report or sheets.kept / scanned.VERDICTS}\n"
        f'Alles löschen, auch die Bilder: papierformer einlesen --loeschen --mit "{sheets.folder}"'
    )


def loesung(call: Call) -> None:
    given = call.options.pop("mit", ())
    options = _options(call, on_paper=True)
    if not given:
        raise UserError("--mit fehlt; nötig ist zum Beispiel --mit block1.head1.weight[2,1]=0,48.")
    limits.for_paper(options)
    limits.numbers_for_paper(_read_given(options))
    _ensure_writable(options)
    with Progress() as progress:
        from generator.commands import keys

        said = keys.own_key(options, given, progress)
    say(said)


def klassensatz(call: Call) -> None:
    with Progress() as progress:
        from generator.commands import class_set_command

        said = class_set_command.run(call.arguments, call.options, progress)
    say(said)


def schluessel(call: Call) -> None:
    with Progress() as progress:
        from generator.commands import keys

        said = keys.key_of_code(call.arguments["CODE"], call.options, progress)
    say(said)


def stresstest(call: Call) -> None:
    seeds = Whole(1, 1000).read("--startwerte", call.options.pop("startwerte", "20"))
    sentence = call.arguments.get("SATZ")
    with Progress() as progress:
        progress.step("Ziehe und rechne")
        from generator.commands import stress

        table = stress.run(
            [sentence] if sentence else (),
            startwerte=seeds,
            fehler="--fehler" in call.flags,
            optionen=call.options,
            step=lambda number, of: progress.step("Ziehe und rechne", number, of),
        )
    say(table)


def seite(call: Call) -> None:
    """Serves the page until Ctrl-C; says where it is. UserError where it cannot listen."""
    from generator.page.server import open_browser, serve
    from generator.page.settings import HERE, PORT, SECRET, Settings, user_data

    given, secret = call.options, os.environ.get(SECRET)
    if given.get("oeffentlich") and not secret:
        raise UserError(
            f"--oeffentlich braucht einen Schlüssel, der gleich bleibt; er steht in der Umgebung: {SECRET}=…"
        )
    if not given.get("ablage", HERE).strip():
        raise UserError("--ablage ist leer; nötig ist ein Ordner, in den dieses Programm schreiben darf.")
    settings = Settings(
        folder=Path(given["ablage"]) if "ablage" in given else user_data(),
        port=Whole(1, 65535).read("--port", given.get("port", PORT)),
        address=given.get("adresse", HERE),
        public=given.get("oeffentlich", ""),
        computers=given.get("rechner", ""),
        store=given.get("speicher", ""),
        **({"secret": secret} if secret else {}),
    )

    def ready(entrance_once: str, waiting: int) -> None:
        # A server's lines are kept in a journal, and its owner knows the key.
        say(f"Papierformer läuft: {settings.base if settings.shared else settings.entrance}\nBeenden: Strg+C")
        if waiting:
            lessons = "Eine Stunde war" if waiting == 1 else f"{waiting} Stunden waren"
            say(f"{lessons} noch offen: Auf der Seite steht unter „Stunde“, wie es weitergeht.")
        if "--ohne-browser" not in call.flags:
            open_browser(entrance_once)

    try:
        serve(settings, ready)
    except (KeyboardInterrupt, Stopped):  # the usual way to end it
        say("Papierformer ist beendet.")


def vorlage(call: Call) -> None:
    put(template())


def _options(call: Call, on_paper: bool = False) -> Options:
    sentence = {"satz": call.arguments["SATZ"]} if "SATZ" in call.arguments else {}
    options = Options.asked(sentence | call.options, on_paper)
    for mended in options.notes:
        note(mended)
    return options


def _read_given(options: Options) -> GivenNumbers:
    """The numbers of the user's files; says which of them the sentence does not need."""
    from generator.options.numbers_file import read_given, unused_words

    given = read_given(options)
    if unused := unused_words(options, given):
        note(unused)
    return given


def _ensure_writable(options: Options) -> None:
    from generator.basics.files import ensure_writable, folder_for

    ensure_writable(folder_for(options.ausgabe, options.satz))
