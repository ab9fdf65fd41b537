"""Tokens by word or by place, for --beispiel and --uebung: read first, found in the sentence later."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from generator.basics.errors import listed, shortened
from generator.options.option_kinds import Kind, in_words, items_of, refused
from generator.options.sentence import one_spelling


@dataclass(frozen=True)
class TokenPlaces(Kind):
    """Tokens by word or by place from 1: one, or several. Which place a word has is decided later."""

    many: bool = False
    placeholder = "WORT"

    def read(self, flag: str, value: Any) -> Any:
        if value is None:
            return None
        items = [one_spelling(i).strip() if isinstance(i, str) else i for i in items_of(value, r",")]
        wrong = any(isinstance(item, bool) or not isinstance(item, str | int) or item == "" for item in items)
        nothing = not items and not (self.many and value in ((), []))
        if wrong or nothing or (not self.many and len(items) > 1):
            count = "sind Wörter oder Stellen" if self.many else "ist ein Wort oder seine Stelle"
            raise refused(flag, value, f"Nötig {count}, gezählt ab 1.")
        return tuple(items) if self.many else items[0]

    def plain(self, value: Any) -> Any:
        return list(value) if self.many else value


def place_of(flag: str, token: str | int, tokens: Sequence[str]) -> int:
    """The place of a word, or a place as it is; digits are always a place."""
    last = len(tokens)
    if isinstance(token, str) and not (token.isascii() and token.isdigit()):
        token = one_spelling(token)
        same = [place for place, word in enumerate(tokens, 1) if word == token]
        alike = [place for place, word in enumerate(tokens, 1) if word.casefold() == token.casefold()]
        places = same or alike
        if len(places) > 1:
            raise refused(
                flag,
                token,
                f"Das Wort steht an den Stellen {in_words(places, 'und')}; bitte eine Stelle angeben.",
            )
        if not places:
            raise refused(flag, token, f"Der Satz hat die Token {_listed(tokens)}.")
        return places[0]
    place = int(token) if isinstance(token, int) or len(token) < 10 else 0
    if not 1 <= place <= last:
        raise refused(flag, token, f"Der Satz hat {last} Token; möglich ist eine Stelle von 1 bis {last}.")
    return place


def _listed(tokens: Sequence[str]) -> str:
    return listed([f"{place}: {shortened(token)}" for place, token in enumerate(tokens, 1)])
