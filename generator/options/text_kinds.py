"""Kinds of options that hold what somebody wrote: a sentence, a second one, a word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from generator.options.option_kinds import Kind, refused
from generator.options.sentence import cleaned, one_spelling


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
