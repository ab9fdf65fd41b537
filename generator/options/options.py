"""The options of a sheet, checked. Each is declared once: as a field here."""

# ruff: noqa: RUF009 (`option` is `field` with the columns of the table as arguments)
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from engine.model.rules import tokenize
from generator.basics.errors import UserError, listed, quoted
from generator.basics.numbers import DecimalSign, NumberFormat
from generator.options import sentence
from generator.options.course import STATIONS
from generator.options.declaration import (
    FORMATS,
    LEARNT,
    SELECTION,
    WEIGHT_STYLES,
    Option,
    declared,
    gives_numbers,
    option,
    options_of_file,
    refuse_unknown,
)
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
    flag_of,
    refused,
)
from generator.options.sentence import OneWord, Sentence, TokenPlaces

if TYPE_CHECKING:  # it brings NumPy, and help and messages come without
    from engine.model.weights import Style

# Where it is written, and in what further formats:
NOT_OF_THE_SHEET = ("ausgabe", "format", "ausfuellbar", "plakat")
# In the JSON only where they are given:
_WHERE_GIVEN = ("zielsatz", "lernen", "richtig", "lernrate", "texte", "weiter", "schrift", "rand")
Side = Literal["links", "rechts"]


@dataclass(frozen=True, kw_only=True)
class Options:
    """Everything that decides what is printed, checked on creation; field names are the TOML keys.

    beispiel and uebung are places of tokens counted from 1; ffn is a number; stationen is empty for all.
    notes: sentences on what was mended in what was typed. gewichte None is open: the calculation trains a
    model and settles the style; untrained: why it has not, "" where nobody need be told.
    UserError if a value is not possible.
    """

    satz: str = field(metadata={"kind": Sentence()})
    tokens: tuple[str, ...] = field(init=False, repr=False, compare=False)
    notes: tuple[str, ...] = field(init=False, repr=False, compare=False)
    untrained: str = field(default="", repr=False, compare=False)

    dimension: int = option(
        4, Whole(1, 100_000, (2, 16)), "Länge der Wortvektoren (d_model); zum Drucken 2 bis 16"
    )
    heads: int = option(2, Whole(1, 100_000, (1, 16)), "Anzahl der Attention-Heads; muss --dimension teilen")
    bloecke: int = option(1, Whole(1, 1000, (1, 4)), "Anzahl der Transformer-Blöcke")
    ffn: int = option(
        None,
        Whole(1, 400_000, (1, 64)),
        "innere Breite des Feed-Forward-Netzes",
        "das Doppelte von --dimension",
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
    bild: bool = option(True, Switch(), "Kästen mit dem Bild vom Schwarzen Brett drucken")
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
        False, Switch(), "dazu ein PDF mit Feldern und HTML zum Ausfüllen am Bildschirm"
    )
    plakat: str | None = option(
        None,
        OneOf(("a3", "a4"), "a3"),
        "dazu ein Plakat der ganzen Rechnung mit Lösung; a4: zwei Blätter mit Klebekante",
        "keines; --plakat allein heißt a3",
        "a3",
    )
    format: tuple[str, ...] = option(
        (),
        Names(tuple(FORMATS), "keine"),
        "weitere Dateien: " + ", ".join(f"{name} ({each.says})" for name, each in FORMATS.items()),
        "nur PDF und HTML",
        ["md"],
    )
    vorlage: Path | None = option(None, FilePath(), "TOML-Datei mit Optionen und eigenen Zahlen", "keine")
    ausgabe: Path = option(
        Path("output"), FilePath(placeholder="ORDNER"), "Zielordner; jeder Satz bekommt darin einen Ordner"
    )

    def __post_init__(self) -> None:
        typed = {"Der Satz": self.satz, "Der Zielsatz (--zielsatz)": self.zielsatz}
        notes = (sentence.taken_out(text, what) for what, text in typed.items() if isinstance(text, str))
        self._set("notes", tuple(filter(None, notes)))
        for each in fields(self):
            if "kind" in each.metadata:
                value = getattr(self, each.name)
                if value is not None or each.default is not None:
                    self._set(each.name, each.metadata["kind"].read(flag_of(each.name), value))
        self._settle_what_is_certain()
        self._set("tokens", tuple((sentence.words_before_the_last if self.learns else tokenize)(self.satz)))
        for name in ("texte", "weiter"):
            if getattr(self, name) is not None and not self.learns:
                raise UserError(f"--{name} gehört zu --gewichte {LEARNT}; ohne das liest das Modell nichts.")
        if self.fortlaufend and self.vorderseiten:
            both = "--fortlaufend und --vorderseiten"
            raise UserError(f"{both} schließen einander aus; möglich ist eines davon.")
        if self.ffn is None:
            self._set("ffn", 2 * self.dimension)
        if self.endezeichen in self.tokens:
            raise refused("--endezeichen", self.endezeichen, "Das Wort steht schon im Satz.")
        if self.dimension % self.heads:
            possible = listed([h for h in range(1, self.dimension + 1) if self.dimension % h == 0])
            are = "sind" if self.dimension > 1 else "ist"
            raise UserError(
                f"--heads {self.heads} teilt --dimension {self.dimension} nicht; möglich {are} {possible}."
            )
        self._set_places()

    @classmethod
    def asked(cls, mapping: Mapping[str, Any], on_paper: bool = False) -> Options:
        """What a person asks for, as from_mapping; the style is open where nobody names it."""
        return cls.from_mapping(mapping, on_paper, gewichte=None)

    @classmethod
    def from_mapping(cls, mapping: Mapping[str, Any], on_paper: bool = False, **unsaid: Any) -> Options:
        """Options by name; what `vorlage` names is read beneath them. UserError for unknown names.

        on_paper: the sizes are limited to those that can be printed. unsaid: what is beneath them all.
        """
        given = dict(mapping)
        refuse_unknown("Die Option", given, NAMES)
        if given.get("vorlage") is not None:
            path = FilePath().read("--vorlage", given["vorlage"])
            given = options_of_file(Path(str(path)), NAMES) | given
        if "satz" not in given:
            raise UserError('Der Satz fehlt; nötig ist zum Beispiel "Die Katze sitzt auf der Matte".')
        for each in TABLE if on_paper else ():
            if each.name in given and isinstance(each.kind, Whole):
                each.kind.for_paper().read(each.flag, given[each.name])
        return cls(**unsaid | given)

    def settled(self, style: str, untrained: str = "") -> Options:
        """The same with the style that was open; exercise words that nobody chose follow it."""
        if self.gewichte is not None:
            return self
        open_words = replace(self, uebung=None).uebung == self.uebung  # type: ignore[arg-type]
        words = {"uebung": None} if open_words else {}
        return replace(self, gewichte=style, untrained=untrained, **words)  # type: ignore[arg-type]

    def resolved(self) -> dict[str, Any]:
        """The options for the JSON: nothing of the sentence, no folder or format, of files only the name.

        The target sentence stands there only if there is one.
        """
        return {
            each.name: each.kind.plain(getattr(self, each.name))
            for each in TABLE
            if each.name not in NOT_OF_THE_SHEET
            and not (each.name in _WHERE_GIVEN and getattr(self, each.name) is None)
        }

    @property
    def target_tokens(self) -> tuple[str, ...]:
        """The words of the target sentence, without start token; empty where there is none."""
        return tuple(tokenize(self.zielsatz or ""))

    @property
    def source_tokens(self) -> tuple[str, ...]:
        """What an encoder reads: the whole sentence, even where one model is to find its end."""
        return (*self.tokens, self.next_word) if self.learns else self.tokens

    @property
    def number_format(self) -> NumberFormat:
        return NumberFormat(self.dezimalzeichen)

    @property
    def weight_style(self) -> Style:
        """The style of the weights that no file gives and no training finds."""
        return self.gewichte if self.gewichte in WEIGHT_STYLES else "auswahl"

    @property
    def learns(self) -> bool:
        """Whether the weights are trained, or are to be if they can; the tokens then lack the last word."""
        return self.gewichte in (LEARNT, None)

    @property
    def training_note(self) -> str:
        """The sentence on why no model was trained where one might expect it; "" for none."""
        style = f"seine Zahlen sind im Stil „{self.weight_style}“"
        return f"Das Modell hat nicht gelernt, {style}: {self.untrained}" if self.untrained else ""

    @property
    def remarks(self) -> tuple[str, ...]:
        """All that there is to say of what was asked for."""
        return tuple(filter(None, (*self.notes, self.training_note)))

    @property
    def next_word(self) -> str:
        """The word that a trained model finds: --weiter, or the sentence's last word."""
        return self.weiter or sentence.words_of(self.satz)[-1]

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    def _settle_what_is_certain(self) -> None:
        """An open style where other options exclude the one or the other."""
        if self.gewichte is not None:
            return
        if self.texte is not None or self.weiter is not None:
            self._set("gewichte", LEARNT)
        elif self.embeddings is not None or (self.vorlage is not None and gives_numbers(self.vorlage)):
            self._set("gewichte", SELECTION)
        else:
            why = sentence.not_learnt(self.satz, self.beispiel, self.uebung)
            if why:
                self._set("gewichte", SELECTION)
                self._set("untrained", why)

    def _set_places(self) -> None:
        """Words and places of beispiel and uebung become places that exist; the defaults avoid each other."""
        last, given = len(self.tokens), self.beispiel
        example = min(2, last) if given is None else sentence.place_of("--beispiel", given, self.tokens)
        if self.uebung is None:
            others = [place for place in range(1, last + 1) if place != example]
            exercises = [place for place in (3, last) if place in others] or others[-1:]
        else:
            exercises = [sentence.place_of("--uebung", token, self.tokens) for token in self.uebung]
            if example in exercises:
                word = quoted(self.tokens[example - 1])
                raise UserError(f"--uebung {word} (Stelle {example}) wird schon als Beispiel vorgerechnet.")
        self._set("beispiel", example)
        self._set("uebung", tuple(sorted(set(exercises))))


TABLE: tuple[Option, ...] = declared(Options)
NAMES: tuple[str, ...] = ("satz", *(each.name for each in TABLE))
