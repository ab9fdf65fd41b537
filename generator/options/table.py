"""The table of the options: each is declared once, as a field here, with its kind, default and help."""

# ruff: noqa: RUF009 (`option` is `field` with the columns of the table as arguments)
from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from generator.basics.numbers import DecimalSign
from generator.options.course import STATIONS
from generator.options.declaration import FORMATS, LEARNT, SELECTION, WEIGHT_STYLES, option
from generator.options.option_kinds import (
    Amount,
    FilePath,
    Groups,
    Names,
    OneNumberOf,
    OneOf,
    Switch,
    Temperatures,
    Whole,
)
from generator.options.sentence import OneWord, Sentence, TokenPlaces

Side = Literal["links", "rechts"]
_ONCE: Final = "papierformer blatt mit demselben Satz und"


@dataclass(frozen=True, kw_only=True)
class OptionTable:
    """What `Options` holds; field names are the TOML keys.

    beispiel and uebung are places of tokens counted from 1; stationen is empty for all.
    notes: sentences on what was mended in what was typed. gewichte None is open: the calculation trains a
    model and settles the style; untrained: why it has not, "" where nobody need be told. living:
    how many hidden units of a trained model say something; ffn None is as many, or twice the dimension.
    """

    satz: str = field(metadata={"kind": Sentence()})
    tokens: tuple[str, ...] = field(init=False, repr=False, compare=False)
    notes: tuple[str, ...] = field(init=False, repr=False, compare=False)
    untrained: str = field(default="", repr=False, compare=False)
    living: int | None = field(default=None, repr=False, compare=False)

    dimension: int = option(
        4, Whole(1, 512, (2, 16)), "Länge der Wortvektoren (d_model); zum Drucken 2 bis 16"
    )
    heads: int = option(2, Whole(1, 512, (1, 16)), "Anzahl der Attention-Heads; muss --dimension teilen")
    bloecke: int = option(1, Whole(1, 48, (1, 4)), "Anzahl der Transformer-Blöcke")
    ffn: int | None = option(
        None,
        Whole(1, 4096, (1, 64)),
        "innere Breite des Feed-Forward-Netzes",
        "das Doppelte von --dimension; mit „gelernt“ so viele, wie etwas beitragen",
        8,
    )
    maske: bool = option(True, Switch(), "kausale Maske: kein Token sieht ein späteres")
    skalierung: bool = option(True, Switch(), "Scores durch √d_k teilen")
    positionen: bool = option(True, Switch(), "Positional Encoding addieren")
    gewichte: str | Path | None = option(
        None,
        FilePath((*WEIGHT_STYLES, LEARNT), "STIL|DATEI"),
        "Stil der Matrizen: gelernt, auswahl, ganzzahlig, dezimal; oder Zahlendatei",
        "gelernt, wo ein Modell gefunden wird, sonst auswahl",
        SELECTION,
        unsaid=SELECTION,
    )
    texte: Path | None = option(
        None,
        FilePath(),
        "zu „gelernt“: Datei mit 2 bis 12 kurzen Texten, einem je Zeile, die das Modell liest",
        "aus dem Satz gebildet",
        "texte.txt",
    )
    weiter: str | None = option(
        None, OneWord(40), "zu „gelernt“: das Wort, das herauskommen soll", "das letzte Wort", "Matte"
    )
    embeddings: Path | None = option(
        None, FilePath(), "Zahlendatei mit Wortvektoren", "aus den Wörtern", "vektoren.toml"
    )
    startwert: int = option(
        0, Whole(0, 2**32 - 1), "Startwert der gezogenen Zahlen; gleicher Wert, gleiche Zahlen"
    )
    temperatur: tuple[float, ...] = option(
        (0.5, 1.0, 2.0), Temperatures(), "Temperatur der Ausgabe; mehrmals möglich"
    )
    laenge: int = option(3, Whole(1, 6), "Station 9: wie viele Wörter das Modell anhängt")
    endezeichen: str | None = option(
        None, OneWord(), "Station 9: ein weiteres Wort, mit dem der Text endet", "keines", "<Ende>"
    )
    topk: int = option(3, Whole(1, 24), "Station 9: Top-k wählt aus den k besten Wörtern")
    topp: float = option(0.9, Amount(), "Station 9: Top-p wählt aus den besten Wörtern mit Summe p")
    zielsatz: str | None = option(
        None,
        Sentence(target=True),
        "Station 10: der Anfang des Zielsatzes, in den das Modell den Satz überträgt, in beliebiger Sprache",
        "keiner; Station 10 entfällt",
        "The cat",
    )
    lernen: str | None = option(
        None,
        OneOf(("ausgabe", "attention", "alles")),
        "Station 11, der Weg zurück: nur die Ausgabeschicht, ein Attention-Head oder alles",
        "Station 11 entfällt",
        "ausgabe",
    )
    richtig: str | None = option(
        None,
        OneWord(40),
        "Station 11: das richtige nächste Wort aus dem Satz",
        "das erste Wort mit eigenem Wortvektor, das nicht schon vorhergesagt wird",
        "Matte",
    )
    lernrate: float | None = option(
        None, Amount("0.001", "10", 3), "Station 11: wie weit ein Schritt geht", "0,5; bei „alles“ 0,1", 0.5
    )
    stationen: tuple[str, ...] = option(
        (), Names(STATIONS, "alle"), "Stationen, durch Kommas getrennt: " + " ".join(STATIONS)
    )
    beispiel: int = option(
        None, TokenPlaces(), "vorgerechnetes Token: Wort oder Stelle ab 1", "das zweite Token", "Katze"
    )
    uebung: tuple[int, ...] = option(
        None,
        TokenPlaces(many=True),
        "Token zum Selbstrechnen: Wörter oder Stellen ab 1, durch Kommas getrennt",
        "das dritte und das letzte Token",
        ["sitzt", 5],
    )
    zeit: int | None = option(
        None,
        Whole(10, 600),
        "Minuten einer Stunde; wählt Stationen, Token, notfalls Stufe 1, mit Zeit für Einstieg und Vergleich",
        "keine; alles Gewünschte wird gedruckt",
        45,
    )
    gruppen: str | int | None = option(
        None,
        Groups(),
        "Gruppenpuzzle: je Gruppe ein Head oder ein Token, oder Zahl der Gruppen; dazu ein Sammelblatt",
        "keine Gruppen",
        "heads",
    )
    bild: bool = option(True, Switch(), "Kästen mit dem Bild vom Zuhören drucken")
    stufe: int = option(2, Whole(1, 3), "wie viel vorgegeben ist: 1 viel, 2 normal, 3 wenig")
    nachkommastellen: int = option(2, Whole(1, 6), "Nachkommastellen der Zwischenergebnisse")
    dezimalzeichen: DecimalSign = option(
        "komma", OneOf(("komma", "punkt")), "Dezimalzeichen auf den Blättern"
    )
    schrift: int | None = option(
        None, OneNumberOf((14, 16, 18)), "Großdruck in pt, alles wächst mit (A4 quer)", "normal: 11 pt", 16
    )
    rand: Side | None = option(
        None, OneOf(("links", "rechts")), "ein breiterer Rand", "zum Lochen, 25 mm links", "rechts"
    )
    fortlaufend: bool = option(
        False, Switch(), "Stationen folgen aufeinander, statt jede auf einer neuen Seite zu beginnen"
    )
    vorderseiten: bool = option(
        False, Switch(), "jede Station beginnt auf einer Vorderseite, für doppelseitiges Kopieren"
    )
    ausfuellbar: bool = option(
        False,
        Switch(),
        "dazu ein PDF mit Feldern und HTML zum Ausfüllen am Bildschirm",
        of_sheet=False,
        not_of_class=f"{_ONCE} --ausfuellbar macht ein Blatt, das sich am Bildschirm ausfüllen lässt",
    )
    plakat: str | None = option(
        None,
        OneOf(("a3", "a4"), "a3"),
        "dazu ein Plakat: der Satz und seine Bögen, mit Lösung; a4: zwei Blätter mit Klebekante",
        "keines; --plakat allein heißt a3",
        "a3",
        of_sheet=False,
        not_of_class=f"{_ONCE} --plakat druckt ein Plakat für alle",
    )
    format: tuple[str, ...] = option(
        (),
        Names(tuple(FORMATS), "keine"),
        "weitere Dateien: " + ", ".join(f"{name} ({each.says})" for name, each in FORMATS.items()),
        "nur PDF und HTML",
        ["md"],
        of_sheet=False,
    )
    vorlage: Path | None = option(
        None, FilePath(), "TOML-Datei mit Optionen und eigenen Zahlen", "keine", "stunde.toml"
    )
    ausgabe: Path = option(
        Path("output"),
        FilePath(placeholder="ORDNER"),
        "Zielordner; jeder Satz bekommt darin einen Ordner",
        of_sheet=False,
    )
