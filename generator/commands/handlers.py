"""What each command does; command_table.py names these functions."""

from __future__ import annotations

import gc
import os
from pathlib import Path
from typing import TYPE_CHECKING

from generator.basics.errors import UserError
from generator.commands.streams import Stopped, note, put, put_all, say
from generator.options.command_line import Call
from generator.options.option_kinds import Whole
from generator.options.options import Options

if TYPE_CHECKING:
    from generator.options.numbers_file import GivenNumbers

# The handlers import what they need themselves: `rechne` starts fast, without the libraries of the sheets.


def rechne(call: Call) -> None:
    from generator.options import limits

    options = _options(call)
    limits.for_memory(options)
    _read_given(options)
    from generator.calculation.build import build
    from generator.calculation.document import streamed

    built = build(options)
    pieces = streamed(built)
    if built.options.training_note:
        note(built.options.training_note)
    put_all(pieces)


def blatt(call: Call) -> None:
    from generator.options import limits
    from generator.production.progress import Progress

    options = _options(call, on_paper=True)
    limits.for_paper(options)
    from generator.options.further_formats import ensure_available
    from generator.options.sheet_code import short_mark
    from generator.output.many import Printers

    limits.numbers_for_paper(_read_given(options))
    ensure_available(options.format)
    _ensure_writable(options)
    gc.set_threshold(20_000, 50, 50)  # much is made and little of it goes before the end: a tenth less to do
    with Progress() as progress, Printers(run=short_mark(options)) as printers:
        progress.step("Lade Schriften und Satzprogramm")
        from generator.production import worksheet

        summary = worksheet.make(options, progress, printers)
    say(summary.text())


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
    from generator.production.progress import Progress

    with Progress() as progress:
        from generator.commands import reading_command

        said = reading_command.run(
            call.words,
            call.options.get("mit"),
            call.options.get("bericht"),
            "--loeschen" in call.flags,
            progress,
        )
    put(said)


def loesung(call: Call) -> None:
    from generator.options import limits
    from generator.production.progress import Progress

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
    from generator.production.progress import Progress

    with Progress() as progress:
        from generator.commands import class_set_command

        said = class_set_command.run(call.arguments, call.options, progress)
    say(said)


def schluessel(call: Call) -> None:
    from generator.production.progress import Progress

    with Progress() as progress:
        from generator.commands import keys

        said = keys.key_of_code(call.arguments["CODE"], call.options, progress)
    say(said)


def stresstest(call: Call) -> None:
    from generator.production.progress import Progress

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
    from generator.options.command_line import template

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
