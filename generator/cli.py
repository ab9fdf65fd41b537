"""The command line in, an exit status out: 0 done, 2 something the user can mend, 1 anything else."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Sequence
from difflib import get_close_matches

from generator.command_line import (
    HELP_FLAGS,
    SENTENCE,
    Argument,
    Call,
    Command,
    Flag,
    command_help,
    program_help,
    read,
)
from generator.errors import UserError, quoted
from generator.option_kinds import Cells, FilePath, Whole
from generator.options import TABLE, Option, Options
from generator.reading import reason
from generator.version import VERSION

DONE, FAILED, MENDABLE = 0, 1, 2
OWN_NUMBER = "block1.head1.weight[2,1]=0,48"
_OWN_NUMBER_HELP = (
    "eine eigene Zahl an der Stelle [Zeile,Spalte] einer Tabelle, beide gezählt ab 0; mehrmals möglich"
)
_BLATT_EXAMPLES = (
    '"Die Katze sitzt auf der Matte" --stationen 4a,4b --stufe 1',
    '"Wo schläft der müde Hund?" --dimension 6 --heads 3 --uebung der',
    '"Die Katze sitzt auf der Matte" --zeit 45',
)
_DEBUG = "PAPIERFORMER_DEBUG"

# The handlers import what they need themselves: `rechne` starts fast, without the libraries of the sheets.


def _rechne(call: Call) -> None:
    from generator import limits

    options = _options(call)
    limits.for_memory(options)
    from generator import calculation_document

    sys.stdout.write(calculation_document.to_json(calculation_document.document(options)))


def _blatt(call: Call) -> None:
    from generator import limits
    from generator.progress import Progress

    options = _options(call)
    limits.for_paper(options)
    from generator.numbers_file import read_given
    from generator.pdf_many import Printers

    limits.numbers_for_paper(read_given(options))
    _ensure_writable(options)
    with Progress() as progress, Printers() as printers:  # they begin to load before anything else does
        progress.step("Lade Schriften und Satzprogramm")
        from generator import worksheet

        summary = worksheet.make(options, progress, printers)
    _say(summary.text())


def _pruefe(call: Call) -> None:
    from generator import check_command

    text = check_command.run(
        call.arguments["RECHNUNG.json"],
        call.arguments["ANTWORTEN"],
        as_json="--json" in call.flags,
        bericht=call.options.get("bericht"),
        with_grade="--note" in call.flags,
    )
    sys.stdout.write(text)


def _loesung(call: Call) -> None:
    from generator import limits
    from generator.progress import Progress

    given = call.options.pop("mit", ())
    options = _options(call)
    if not given:
        raise UserError("--mit fehlt; nötig ist zum Beispiel --mit block1.head1.weight[2,1]=0,48.")
    limits.for_paper(options)
    _ensure_writable(options)
    with Progress() as progress:
        from generator import own_key

        said = own_key.make(options, given, progress)
    _say(said)


def _stresstest(call: Call) -> None:
    from generator.progress import Progress

    seeds = Whole(1, 1000).read("--startwerte", call.options.pop("startwerte", "20"))
    sentence = call.arguments.get("SATZ")
    with Progress() as progress:
        progress.step("Ziehe und rechne")
        from generator import stress

        table = stress.run(
            [sentence] if sentence else (),
            startwerte=seeds,
            fehler="--fehler" in call.flags,
            optionen=call.options,
            step=lambda number, of: progress.step("Ziehe und rechne", number, of),
        )
    _say(table)


def _vorlage(call: Call) -> None:
    from generator.template_file import template

    sys.stdout.write(template())


COMMANDS: tuple[Command, ...] = (
    Command(
        "blatt",
        "macht Arbeitsblatt, Lösung und Lehrkraftseiten zu einem Satz (PDF und HTML)",
        _blatt,
        (SENTENCE,),
        TABLE,
        examples=_BLATT_EXAMPLES,
    ),
    Command("rechne", "gibt nur die Rechnung zu einem Satz aus, als JSON", _rechne, (SENTENCE,), TABLE),
    Command(
        "pruefe",
        "vergleicht Antworten mit einer Rechnung, mit Folgefehlern und typischen Fehlern",
        _pruefe,
        (
            Argument("RECHNUNG.json", "die Datei rechnung.json zum Blatt"),
            Argument("ANTWORTEN", "die Antworten als CSV (name,index,wert) oder JSON"),
        ),
        (
            Option(
                "bericht", FilePath(), None, "Bericht als Datei (.html, .md, .txt)", "keiner", "bericht.html"
            ),
        ),
        (
            Flag("--note", "rechnet die Punkte mit dem Notenschlüssel der KMK in Notenpunkte um"),
            Flag("--json", "gibt jede Zelle mit ihrem Urteil als JSON aus"),
        ),
    ),
    Command(
        "loesung",
        "druckt die Lösung neu, von eigenen Zahlen an weitergerechnet",
        _loesung,
        (SENTENCE,),
        (Option("mit", Cells(), None, _OWN_NUMBER_HELP, "", OWN_NUMBER), *TABLE),
        examples=(f'"Die Katze sitzt auf der Matte" --mit "{OWN_NUMBER}"',),
    ),
    Command(
        "stresstest",
        "zieht viele Startwerte und listet, welche Zahlen sich schlecht rechnen lassen",
        _stresstest,
        (SENTENCE,),
        (
            Option("startwerte", Whole(1, 1000), 20, "wie viele Startwerte je Satz und Stil", "20", 50),
            *(option for option in TABLE if option.name not in ("startwert", "gewichte")),
        ),
        (Flag("--fehler", "prüft auch, welche typischen Fehler sich unterscheiden lassen"),),
    ),
    Command("vorlage", "gibt eine kommentierte TOML-Datei mit allen Optionen aus", _vorlage),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that the arguments name; never raises, never shows a traceback unasked."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    words = [_decoded(word) for word in (sys.argv[1:] if arguments is None else arguments)]
    return _guarded(lambda: _run(words))


def _run(words: Sequence[str]) -> None:
    if not words or words[0] in HELP_FLAGS:
        sys.stdout.write(program_help(COMMANDS))
    elif words[0] == "--version":
        _say(f"papierformer {VERSION}")
    else:
        command = _command(words[0])
        call = read(command, words[1:])
        if call.wants_help:
            sys.stdout.write(command_help(command))
        else:
            command.run(call)
    sys.stdout.flush()


def _guarded(work: Callable[[], None]) -> int:
    """Do the work; every kind of failure becomes one German sentence and a status."""
    try:
        work()
        return DONE
    except UserError as error:
        return _failed(str(error), MENDABLE, error)
    except BrokenPipeError:
        _discard_output()
        return FAILED
    except KeyboardInterrupt as error:
        return _failed("Abgebrochen.", FAILED, error)
    except MemoryError as error:
        sentence = "Der Arbeitsspeicher reicht nicht; kürzen Sie den Satz oder wählen Sie kleinere Größen."
        return _failed(sentence, MENDABLE, error)
    except OSError as error:
        _discard_output()
        status = MENDABLE if error.errno in (errno.ENOSPC, errno.EDQUOT) else FAILED
        return _failed(f"Die Ausgabe ist misslungen: {reason(error)}.", status, error)
    except Exception as error:
        sentence = f"Unerwarteter Fehler ({type(error).__name__}); mit {_DEBUG}=1 zeigt das Programm, wo."
        return _failed(sentence, FAILED, error)


def _failed(sentence: str, status: int, error: BaseException) -> int:
    if os.environ.get(_DEBUG) == "1":
        import traceback

        traceback.print_exception(error)
    try:
        print(sentence, file=sys.stderr, flush=True)
    except OSError:
        _discard_output()
    return status


def _discard_output() -> None:
    """Send what is still buffered nowhere, so that the interpreter's last flush does not fail again."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(nowhere, stream.fileno())


def _options(call: Call) -> Options:
    sentence = {"satz": call.arguments["SATZ"]} if "SATZ" in call.arguments else {}
    return Options.from_mapping(sentence | call.options)


def _ensure_writable(options: Options) -> None:
    from generator.files import ensure_writable, folder_for

    ensure_writable(folder_for(options.ausgabe, options.satz))


def _command(name: str) -> Command:
    for command in COMMANDS:
        if command.name == name:
            return command
    names = [command.name for command in COMMANDS]
    near = get_close_matches(name, names, 1, 0.5)
    hint = f"gemeint ist vielleicht {near[0]}" if near else f"es gibt {', '.join(names)}"
    raise UserError(f"Den Befehl {quoted(name)} gibt es nicht; {hint}.")


def _decoded(word: str) -> str:
    """An argument whose bytes are UTF-8, whatever the locale says; other bytes stay surrogates."""
    try:
        return os.fsencode(word).decode("utf-8") if not word.isascii() else word
    except UnicodeError:
        return word


def _say(text: str) -> None:
    sys.stdout.write(text.rstrip("\n") + "\n")


if __name__ == "__main__":
    sys.exit(main())
