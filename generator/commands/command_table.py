"""What the program can do: each command with its arguments, its options and what it calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.basics.errors import UserError
from generator.commands.streams import note, put, put_all, say
from generator.options.command_line import (
    SENTENCE,
    Argument,
    Call,
    Command,
    Flag,
)
from generator.options.declaration import NOT_OF_A_CLASS, Option
from generator.options.option_kinds import Cells, FilePath, Whole
from generator.options.options import TABLE, Options
from generator.options.text_kinds import OneWord

if TYPE_CHECKING:
    from generator.options.numbers_file import GivenNumbers

OWN_NUMBER = "block1.head1.weight[2,1]=0,48"
_OWN_NUMBER_HELP = (
    "eine eigene Zahl an der Stelle [Zeile,Spalte] einer Tabelle, beide gezählt ab 0; mehrmals möglich"
)
_BLATT_EXAMPLES = (
    '"Die Katze sitzt auf der Matte" --stationen 4a,4b --stufe 1',
    '"Wo schläft der müde Hund?" --dimension 6 --heads 3 --uebung der',
    '"Die Katze sitzt auf der Matte" --zeit 45',
)

# The handlers import what they need themselves: `rechne` starts fast, without the libraries of the sheets.


def _rechne(call: Call) -> None:
    from generator.options import limits

    options = _options(call)
    limits.for_memory(options)
    _read_given(options)
    from generator.document import document as calculation_document

    put_all(calculation_document.streamed(options))


def _blatt(call: Call) -> None:
    from generator.basics.progress import Progress
    from generator.options import limits

    options = _options(call, on_paper=True)
    limits.for_paper(options)
    from generator.options.further_formats import ensure_available
    from generator.print.many import Printers

    limits.numbers_for_paper(_read_given(options))
    ensure_available(options.format)
    _ensure_writable(options)
    with Progress() as progress, Printers(kind=_kind(options)) as printers:
        progress.step("Lade Schriften und Satzprogramm")
        from generator.production import worksheet

        summary = worksheet.make(options, progress, printers)
    say(summary.text())


def _kind(options: Options) -> str:
    """What sheets that can share their layouts have in common."""
    return repr(sorted((name, value) for name, value in options.resolved().items() if name != "startwert"))


def _pruefe(call: Call) -> None:
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


def _loesung(call: Call) -> None:
    from generator.basics.progress import Progress
    from generator.options import limits

    given = call.options.pop("mit", ())
    options = _options(call, on_paper=True)
    if not given:
        raise UserError("--mit fehlt; nötig ist zum Beispiel --mit block1.head1.weight[2,1]=0,48.")
    limits.for_paper(options)
    limits.numbers_for_paper(_read_given(options))
    _ensure_writable(options)
    with Progress() as progress:
        from generator.commands import own_key

        said = own_key.make(options, given, progress)
    say(said)


def _klassensatz(call: Call) -> None:
    from generator.basics.progress import Progress

    with Progress() as progress:
        from generator.commands import class_set_command

        said = class_set_command.run(call.arguments, call.options, progress)
    say(said)


def _schluessel(call: Call) -> None:
    from generator.basics.progress import Progress

    with Progress() as progress:
        from generator.commands import key_of_code

        said = key_of_code.make(call.arguments["CODE"], call.options, progress)
    say(said)


def _stresstest(call: Call) -> None:
    from generator.basics.progress import Progress

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


def _seite(call: Call) -> None:
    from generator.commands import page_command

    page_command.run(call.options, with_browser="--ohne-browser" not in call.flags)


def _vorlage(call: Call) -> None:
    from generator.options.template_file import template

    put(template())


# A code holds no file: where numbers come from one, it is named again.
_OF_A_CODE = tuple(
    option for option in TABLE if option.name in ("gewichte", "embeddings", "texte", "vorlage")
)
_COMPUTERS = Option(
    "rechner",
    OneWord(200),
    None,
    "die Adresse eines laufenden Dask-Clusters",
    "Prozesse dieses Rechners",
    "tcp://192.168.1.20:8786",
)
_NUMBERS = tuple(option for option in TABLE if option.name != "format")
COMMANDS: tuple[Command, ...] = (
    Command(
        "blatt",
        "macht Arbeitsblatt, Lösung und Lehrkraftseiten zu einem Satz (PDF und HTML)",
        _blatt,
        (SENTENCE,),
        TABLE,
        examples=_BLATT_EXAMPLES,
    ),
    Command("rechne", "gibt nur die Rechnung zu einem Satz aus, als JSON", _rechne, (SENTENCE,), _NUMBERS),
    Command(
        "pruefe",
        "vergleicht Antworten mit einer Rechnung, mit Folgefehlern und typischen Fehlern",
        _pruefe,
        (
            Argument(
                "RECHNUNG.json",
                "rechnung.json, der Code vom Blatt oder der Ordner eines Klassensatzes",
            ),
            Argument("ANTWORTEN", "die Antworten als CSV (name,index,wert) oder JSON, oder ein Ordner davon"),
        ),
        (
            Option(
                "bericht", FilePath(), None, "Bericht als Datei (.html, .md, .txt)", "keiner", "bericht.html"
            ),
            *_OF_A_CODE,
        ),
        (
            Flag("--note", "rechnet die Punkte mit dem Notenschlüssel der KMK in Notenpunkte um"),
            Flag("--json", "gibt jede Zelle mit ihrem Urteil als JSON aus"),
        ),
    ),
    Command(
        "klassensatz",
        "macht für jede Person ein eigenes, gleich schweres Blatt, zum Kopieren und Korrigieren gebunden",
        _klassensatz,
        (
            SENTENCE,
            Argument("NAMEN.csv", "eine Liste mit Namen, wie sie die Tabellenkalkulation speichert", False),
        ),
        (
            Option("anzahl", Whole(1, 1000), None, "wie viele Blätter", "so viele wie Namen", 30),
            Option(
                "saetze", FilePath(), None, "eine Datei mit Sätzen, einer je Zeile", "keine", "saetze.txt"
            ),
            _COMPUTERS,
            *(option for option in TABLE if option.name not in NOT_OF_A_CLASS),
        ),
        examples=(
            '"Die Katze sitzt auf der Matte" --anzahl 30 --stationen 4a,4b',
            '"Die Katze sitzt auf der Matte" --anzahl 10 --stationen 4a --format moodle',
            '"Die Katze sitzt auf der Matte" klasse10b.csv',
            "--saetze saetze.txt klasse10b.csv",
        ),
    ),
    Command(
        "schluessel",
        "druckt die Lösung zu dem Code, der unten auf jeder Seite eines Blatts steht",
        _schluessel,
        (Argument("CODE", "der Code in Anführungszeichen, oder was ein Handy aus dem QR-Code liest"),),
        (*_OF_A_CODE, *(option for option in TABLE if option.name == "ausgabe")),
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
            *(option for option in _NUMBERS if option.name not in ("startwert", "gewichte")),
        ),
        (Flag("--fehler", "prüft auch, welche typischen Fehler sich unterscheiden lassen"),),
    ),
    Command(
        "seite",
        "öffnet Papierformer als Seite im Browser, auf diesem Rechner; dann braucht es kein Terminal mehr",
        _seite,
        (),
        (
            Option("port", Whole(1, 65535), None, "Nummer des Anschlusses", "8765", 8766),
            Option(
                "adresse",
                OneWord(64),
                None,
                "worauf die Seite hört; nur für einen Server",
                "127.0.0.1, also nur dieser Rechner",
                "0.0.0.0",
            ),
            Option(
                "oeffentlich",
                OneWord(200),
                None,
                "Adresse, unter der ein Server die Seite zeigt",
                "keine",
                "https://schule.example/papierformer",
            ),
            Option(
                "ablage",
                FilePath(placeholder="ORDNER"),
                None,
                "wo frühere Blätter liegen",
                "ein Ordner des Systems",
                "ablage",
            ),
            Option(
                "speicher",
                OneWord(200),
                None,
                "wo die Antworten der Stunden stehen: Datei oder PostgreSQL",
                "eine Datei bei den Blättern",
                "postgresql://schule@localhost/papierformer",
            ),
            _COMPUTERS,
        ),
        (Flag("--ohne-browser", "öffnet keinen Browser, sondern nennt nur die Adresse"),),
    ),
    Command("vorlage", "gibt eine kommentierte TOML-Datei mit allen Optionen aus", _vorlage),
)


def _options(call: Call, on_paper: bool = False) -> Options:
    sentence = {"satz": call.arguments["SATZ"]} if "SATZ" in call.arguments else {}
    options = Options.from_mapping(sentence | call.options, on_paper)
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
