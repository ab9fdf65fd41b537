"""The options of a sheet, checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.model.rules import tokenize
from generator.basics.errors import UserError, listed, quoted
from generator.basics.numbers import NumberFormat
from generator.basics.reading import read_toml
from generator.options import sentence
from generator.options.declaration import (
    LEARNT,
    SELECTION,
    WEIGHT_STYLES,
    Option,
    is_number_key,
    options_of_file,
    refuse_unknown,
)
from generator.options.option_kinds import FilePath, Whole, flag_of, refused
from generator.options.table import OptionTable

if TYPE_CHECKING:  # it brings NumPy, and help and messages come without
    from engine.model.weights import Style

# In the JSON only where they are given:
_WHERE_GIVEN = ("zielsatz", "lernen", "richtig", "lernrate", "texte", "weiter", "schrift", "rand")


@dataclass(frozen=True, kw_only=True)
class Options(OptionTable):
    """Everything that decides what is printed, checked on creation. UserError if a value is not possible."""

    def __post_init__(self) -> None:
        typed = {"Der Satz": self.satz, "Der Zielsatz (--zielsatz)": self.zielsatz}
        notes = (sentence.taken_out(text, what) for what, text in typed.items() if isinstance(text, str))
        self._set("notes", tuple(filter(None, notes)))
        for each in fields(self):
            if "kind" in each.metadata:
                value = getattr(self, each.name)
                if value is not None or each.default is not None:
                    self._set(each.name, each.metadata["kind"].read(flag_of(each.name), value))
        self._choose_certain_style()
        self._set("tokens", tuple((sentence.words_before_the_last if self.learns else tokenize)(self.satz)))
        for name in ("texte", "weiter"):
            if getattr(self, name) is not None and not self.learns:
                raise UserError(f"--{name} gehört zu --gewichte {LEARNT}; ohne das liest das Modell nichts.")
        if self.fortlaufend and self.vorderseiten:
            both = "--fortlaufend und --vorderseiten"
            raise UserError(f"{both} schließen einander aus; möglich ist eines davon.")
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
        satz = mapping.get("satz")
        bare = sentence.unquoted(satz) if isinstance(satz, str) else satz
        given = dict(mapping) if bare == satz else {**mapping, "satz": bare}
        options = cls.from_mapping(given, on_paper, gewichte=None)
        if bare != satz:
            options._set("notes", (sentence.UNQUOTED, *options.notes))
        return options

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
        """The options for the JSON: nothing of the sentence, no folder or format, of files only the name."""
        return {
            each.name: each.kind.plain(self.value(each.name))
            for each in TABLE
            if each.of_sheet and not (each.name in _WHERE_GIVEN and getattr(self, each.name) is None)
        }

    def value(self, name: str) -> Any:
        """Of an option; of a width that nobody named what it is."""
        return self.width if name == "ffn" else getattr(self, name)

    @property
    def target_tokens(self) -> tuple[str, ...]:
        """The words of the target sentence, without start token; empty where there is none."""
        return tuple(tokenize(self.zielsatz or ""))

    @property
    def source_tokens(self) -> tuple[str, ...]:
        """What an encoder reads: the whole sentence, even where one model is to find its end."""
        return (*self.tokens, self.next_word) if self.learns else self.tokens

    @property
    def width(self) -> int:
        """The hidden units of the feed-forward network."""
        return self.ffn or self.living or 2 * self.dimension

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
        """What was mended in what was typed, and why no model was trained."""
        return tuple(filter(None, (*self.notes, self.training_note)))

    @property
    def next_word(self) -> str:
        """The word that a trained model finds: --weiter, or the sentence's last word."""
        return self.weiter or sentence.words_of(self.satz)[-1]

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    def _choose_certain_style(self) -> None:
        """An open style where other options exclude the one or the other."""
        if self.gewichte is not None:
            return
        if self.texte is not None or self.weiter is not None:
            self._set("gewichte", LEARNT)
        elif self.embeddings or (
            self.vorlage and any(map(is_number_key, read_toml(self.vorlage, "Die Vorlage")))
        ):
            self._set("gewichte", SELECTION)
        else:
            why = sentence.not_learnt(self.satz, self.beispiel, self.uebung)
            if why:
                self._set("gewichte", SELECTION)
                self._set("untrained", why)

    def _set_places(self) -> None:
        """Words and places of beispiel and uebung become places that exist; the defaults avoid each other."""
        given, places = self.beispiel, range(1, len(self.tokens) + 1)
        words = [place for place in places if sentence.is_word(self.tokens[place - 1])]
        words = words if len(words) > 1 else [*places]
        example = words[:2][-1] if given is None else sentence.place_of("--beispiel", given, self.tokens)
        if self.uebung is None:
            others = [place for place in words if place != example]
            exercises = [place for place in (*words[2:3], words[-1]) if place in others] or others[-1:]
        else:
            exercises = [sentence.place_of("--uebung", token, self.tokens) for token in self.uebung]
            if example in exercises:
                word = quoted(self.tokens[example - 1])
                raise UserError(f"--uebung {word} (Stelle {example}) wird schon als Beispiel vorgerechnet.")
        self._set("beispiel", example)
        self._set("uebung", tuple(sorted(set(exercises))))


_COLUMNS = {each.name: each.metadata.get("option") for each in fields(Options)}
TABLE: tuple[Option, ...] = tuple(Option(name, **columns) for name, columns in _COLUMNS.items() if columns)
NAMES: tuple[str, ...] = ("satz", *(each.name for each in TABLE))
