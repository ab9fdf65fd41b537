"""One option, said once as a field of `Options`: what parser, help, TOML template and README read of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final

from generator.basics.errors import listed
from generator.options.option_kinds import Kind, Switch, refused
from generator.options.sentence import cleaned, one_spelling

# --- Names that a file may use for numbers, and what a misspelt name may have meant.

NUMBER_KEYS = ("embedding", "wortvektoren", "zielvektoren", "weights", "vocabulary_embedding")


def is_number_key(key: str) -> bool:
    """Whether a key of a file gives numbers (a weight, vectors), not an option."""
    weight = re.match(r"((encoder|decoder)(\.|$))?(block[0-9]+(\.|$))?", key)
    return bool(weight and weight.group()) or key in NUMBER_KEYS


def nearest(name: object, names: Sequence[str]) -> str:
    """What is right instead: the name that looks most alike, or all there are."""
    from difflib import get_close_matches  # only wanted after a mistake

    near = get_close_matches(str(name)[:80].replace("-", "_"), names, 1, 0.5)
    return f"gemeint ist vielleicht „{near[0]}“." if near else f"möglich sind {listed(names)}."


# --- Kinds of options that hold what somebody wrote: a sentence, a second one, a word.


@dataclass(frozen=True)
class Sentence(Kind):
    placeholder = "SATZ"

    def read(self, flag: str, value: Any) -> str:
        if not isinstance(value, str):
            raise refused(flag, value, "Nötig ist ein Satz in Anführungszeichen.")
        return cleaned(value)


@dataclass(frozen=True)
class TargetSentence(Kind):
    """A second sentence, of one word at least, or none."""

    placeholder = "SATZ"

    def read(self, flag: str, value: Any) -> str | None:
        if value is None:
            return None
        if not isinstance(value, str):
            raise refused(flag, value, "Nötig ist ein Satz in Anführungszeichen.")
        return cleaned(value, f"Der Zielsatz ({flag})", "mindestens ein Wort, zum Beispiel The cat")


@dataclass(frozen=True)
class OneWord(Kind):
    """A short text without spaces."""

    longest: int = 20
    placeholder = "TEXT"

    def read(self, flag: str, value: Any) -> str | None:
        if value is None:
            return None
        word = one_spelling(value).strip() if isinstance(value, str) else ""
        if not 0 < len(word) <= self.longest or not word.isprintable() or " " in word:
            raise refused(
                flag, value, f"Nötig ist ein Text ohne Leerzeichen mit höchstens {self.longest} Zeichen."
            )
        return word


NOT_OF_A_CLASS: Final = ("gruppen", "ausfuellbar")  # options that a class set does not have


@dataclass(frozen=True)
class Option:
    """What parser, help, TOML template and README need to know of one option."""

    name: str
    kind: Kind
    default: Any
    help: str
    default_text: str
    example: Any

    @property
    def flag(self) -> str:
        return "--" + self.name.replace("_", "-")

    @property
    def off_flag(self) -> str | None:
        return "--ohne-" + self.name.replace("_", "-") if isinstance(self.kind, Switch) else None


def option(default: Any, kind: Kind, help: str, default_text: str = "", example: Any = None) -> Any:
    """A field of a class of options; a default of None depends on other options, `default_text` says how."""
    metadata = {"kind": kind, "help": help, "default_text": default_text, "example": example}
    return field(default=default, metadata=metadata)


def declared(options: type) -> tuple[Option, ...]:
    """The options that the fields of a class declare, in their order."""
    return tuple(
        Option(
            each.name,
            each.metadata["kind"],
            each.default,
            each.metadata["help"],
            each.metadata["default_text"] or each.metadata["kind"].shown(each.default),
            each.metadata["example"],
        )
        for each in fields(options)
        if "help" in each.metadata
    )
