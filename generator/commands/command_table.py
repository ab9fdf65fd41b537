"""What the program can do: each command with its arguments, its options and what it calls."""

from generator.commands import handlers
from generator.options.command_line import SENTENCE, Argument, Command, Flag
from generator.options.declaration import Option
from generator.options.option_kinds import Cells, FilePath, OneOf, Whole
from generator.options.options import TABLE
from generator.options.sentence import OneWord

OWN_NUMBER = "block1.head1.weight[2,1]=0,48"
_OWN_NUMBER_HELP = (
    "eine eigene Zahl an der Stelle [Zeile,Spalte] einer Tabelle, beide gezählt ab 0; mehrmals möglich"
)
_BLATT_EXAMPLES = (
    '"Die Katze sitzt auf der Matte" --stationen 4a,4b --stufe 1',
    '"Wo schläft der müde Hund?" --dimension 6 --heads 3 --uebung der',
    '"Die Katze sitzt auf der Matte" --zeit 45',
)
# A code holds no file: where numbers come from one, it is named again.
_OF_A_CODE = tuple(
    option for option in TABLE if option.name in ("gewichte", "embeddings", "texte", "vorlage")
)
_COMPUTERS = Option(
    "rechner",
    OneWord(200),
    "die Adresse eines laufenden Dask-Clusters",
    "Prozesse dieses Rechners",
    "tcp://192.168.1.20:8786",
)
_NUMBERS = tuple(option for option in TABLE if option.name != "format")
COMMANDS: tuple[Command, ...] = (
    Command(
        "blatt",
        "macht Arbeitsblatt, Lösung und Lehrkraftseiten zu einem Satz (PDF und HTML)",
        handlers.blatt,
        (SENTENCE,),
        TABLE,
        examples=_BLATT_EXAMPLES,
    ),
    Command(
        "rechne", "gibt nur die Rechnung zu einem Satz aus, als JSON", handlers.rechne, (SENTENCE,), _NUMBERS
    ),
    Command(
        "pruefe",
        "vergleicht Antworten mit einer Rechnung, mit Folgefehlern und typischen Fehlern",
        handlers.pruefe,
        (
            Argument(
                "RECHNUNG.json", "rechnung.json, der Code vom Blatt oder der Ordner eines Klassensatzes"
            ),
            Argument("ANTWORTEN", "die Antworten als CSV (name,index,wert) oder JSON, oder ein Ordner davon"),
        ),
        (
            Option("bericht", FilePath(), "Bericht als Datei (.html, .md, .txt)", "keiner", "bericht.html"),
            *_OF_A_CODE,
        ),
        (
            Flag("--note", "rechnet die Punkte mit dem Notenschlüssel der KMK in Notenpunkte um"),
            Flag("--json", "gibt jede Zelle mit ihrem Urteil als JSON aus"),
        ),
    ),
    Command(
        "einlesen",
        "liest ausgefüllte Blätter von Papier: bestätigt, was stimmt, und zeigt alles andere einer Person",
        handlers.einlesen,
        (
            Argument(
                "SCAN…", "PDFs oder Bilder, ein Ordner davon, oder die gespeicherte Durchsicht", False, True
            ),
        ),
        (
            Option(
                "mit",
                FilePath(placeholder="RECHNUNG.json|ORDNER"),
                "wozu die Scans gehören",
                "alle Blätter in output",
                "output/die-katze-sitzt",
            ),
            Option(
                "bericht",
                FilePath(),
                "jedes Urteil neben seinem Bild, und was offen ist (.html)",
                "eingelesen/urteile.html",
                "bericht.html",
            ),
            Option(
                "nochmal",
                OneOf(("ersetzen", "daneben")),
                "was mit Seiten geschieht, die schon da waren",
                "die frühere gilt, die neue wartet",
                "ersetzen",
            ),
        ),
        (Flag("--loeschen", "löscht alles Eingelesene zu diesen Blättern, auch die Bilder"),),
        examples=("scan.pdf --mit output/die-katze-sitzt-klasse", "durchsicht.json"),
    ),
    Command(
        "klassensatz",
        "macht für jede Person ein eigenes, gleich schweres Blatt, zum Kopieren und Korrigieren gebunden",
        handlers.klassensatz,
        (
            SENTENCE,
            Argument("NAMEN.csv", "eine Liste mit Namen, wie sie die Tabellenkalkulation speichert", False),
        ),
        (
            Option("anzahl", Whole(1, 1000), "wie viele Blätter", "so viele wie Namen", 30),
            Option("saetze", FilePath(), "eine Datei mit Sätzen, einer je Zeile", "keine", "saetze.txt"),
            _COMPUTERS,
            *(option for option in TABLE if not option.not_of_class),
        ),
        examples=(
            '"Die Katze sitzt auf der Matte" --anzahl 30 --stationen 4a,4b',
            '"Die Katze schläft" --anzahl 10 --stationen 4a --format moodle',
            '"Die Katze sitzt auf der Matte" klasse10b.csv',
            '"Die Katze sitzt auf der Matte" --anzahl 24 --gruppen heads',
            "--saetze saetze.txt klasse10b.csv",
        ),
    ),
    Command(
        "schluessel",
        "druckt die Lösung zu dem Code, der unten auf jeder Seite eines Blatts steht",
        handlers.schluessel,
        (Argument("CODE", "der Code in Anführungszeichen, oder was ein Handy aus dem QR-Code liest"),),
        (*_OF_A_CODE, *(option for option in TABLE if option.name == "ausgabe")),
    ),
    Command(
        "loesung",
        "druckt die Lösung neu, von eigenen Zahlen an weitergerechnet",
        handlers.loesung,
        (SENTENCE,),
        (Option("mit", Cells(), _OWN_NUMBER_HELP, "", OWN_NUMBER), *TABLE),
        examples=(f'"Die Katze sitzt auf der Matte" --mit "{OWN_NUMBER}"',),
    ),
    Command(
        "stresstest",
        "zieht viele Startwerte und listet, welche Zahlen sich schlecht rechnen lassen",
        handlers.stresstest,
        (SENTENCE,),
        (
            Option("startwerte", Whole(1, 1000), "wie viele Startwerte je Satz und Stil", "20", 50, 20),
            *(option for option in _NUMBERS if option.name not in ("startwert", "gewichte")),
        ),
        (Flag("--fehler", "prüft auch, welche typischen Fehler sich unterscheiden lassen"),),
    ),
    Command(
        "seite",
        "öffnet Papierformer als Seite im Browser, auf diesem Rechner; dann braucht es kein Terminal mehr",
        handlers.seite,
        (),
        (
            Option("port", Whole(1, 65535), "Nummer des Anschlusses", "8765", 8766),
            Option(
                "adresse",
                OneWord(64),
                "worauf die Seite hört; nur für einen Server",
                "127.0.0.1, also nur dieser Rechner",
                "0.0.0.0",
            ),
            Option(
                "oeffentlich",
                OneWord(200),
                "Adresse, unter der ein Server die Seite zeigt",
                "keine",
                "https://schule.example/papierformer",
            ),
            Option(
                "ablage",
                FilePath(placeholder="ORDNER"),
                "wo frühere Blätter liegen",
                "ein Ordner des Systems",
                "ablage",
            ),
            Option(
                "speicher",
                OneWord(200),
                "wo die Antworten der Stunden stehen: Datei oder PostgreSQL",
                "eine Datei bei den Blättern",
                "postgresql://schule@localhost/papierformer",
            ),
            _COMPUTERS,
        ),
        (Flag("--ohne-browser", "öffnet keinen Browser, sondern nennt nur die Adresse"),),
    ),
    Command("vorlage", "gibt eine kommentierte TOML-Datei mit allen Optionen aus", handlers.vorlage),
)
