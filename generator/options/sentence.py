"""Sentences, words and texts that somebody typed: one line, NFC, nothing invisible; places of tokens."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from engine.model.rules import tokenize
from generator.basics.errors import UserError, harmless, in_words, listed, quoted, shortened
from generator.basics.fonts import unprintable
from generator.basics.reading import read_text
from generator.options.declaration import LEARNT
from generator.options.option_kinds import Kind, items_of, refused

LEAST_WORDS: Final = 3
_MOST_UNASKED: Final = 10  # words; longer sentences take long, and often no model is found
_LONGEST = 200_000
_WHITESPACE_CONTROLS = "\t\n\v\f\r"
_TURNS_TEXT_AROUND = {*range(0x202A, 0x202F), *range(0x2066, 0x206A)}
# What shows nothing but is no format character: fillers, a joiner of graphemes, an empty Braille cell.
_EMPTY: Final = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0}
_JOINERS: Final = "\u200c\u200d"
_KEYCAP: Final = "\u20e3"
_QUOTED: Final = {
    "„": '“”"',
    "“": "”“",
    "”": "”",
    '"': '"',
    "»": "«",
    "«": "»",
    "‚": "‘’",
    "‘": "’",
    "'": "'",
}
UNQUOTED: Final = "Die Anführungszeichen um den Satz sind weggelassen."


def cleaned(
    sentence: str, what: str = "Der Satz", needed: str = "ein Satz aus mindestens zwei Wörtern"
) -> str:
    """The sentence in NFC with single spaces; UserError if it is empty or holds what cannot be printed."""
    if len(sentence) > _LONGEST:
        raise UserError(f"{what} ist zu lang: {len(sentence)} Zeichen, höchstens {_LONGEST} sind möglich.")
    for place, sign in enumerate(sentence, 1):
        if unprintable_sign(sign):
            is_control = unicodedata.category(sign) in ("Cc", "Cf")
            named = f"{'Steuerzeichen' if is_control else 'Zeichen'} U+{ord(sign):04X}"
            named = "kein gültiges UTF-8" if "\ud800" <= sign <= "\udfff" else named
            raise UserError(
                f"{what} enthält an Stelle {place} ein Zeichen, das sich nicht drucken lässt "
                f"({named}); bitte tippen Sie den Satz neu."
            )
    text = " ".join(one_spelling(sentence).split())
    if not text:
        raise UserError(f"{what} {quoted(sentence)} ist leer; nötig ist {needed}.")
    return text


def one_spelling(text: str) -> str:
    """The same word has the same characters: NFC (a Mac's "u\u0308" is "ü"), and nothing invisible."""
    return unicodedata.normalize("NFC", text if text.isascii() else _split(text)[0])


def taken_out(sentence: str, what: str = "Der Satz") -> str:
    """What `cleaned` takes out of a sentence, in a German sentence; empty if nothing."""
    removed = [] if sentence.isascii() else _split(sentence)[1]
    if not removed:
        return ""
    kinds = list(dict.fromkeys(f"U+{ord(sign):04X}" for sign in removed))
    named = ", ".join(kinds[:5]) + (" …" if len(kinds) > 5 else "")
    one = len(removed) == 1
    signs, them = ("ein unsichtbares", "es") if one else (f"{len(removed)} unsichtbare", "sie")
    return f"{what} enthielt {signs} Zeichen ({named}); das Programm hat {them} weggelassen."


def _split(text: str) -> tuple[str, list[str]]:
    """The text without invisible signs, and those signs."""
    kept: list[str] = []
    removed: list[str] = []
    for place, sign in enumerate(text):
        follower = text[place + 1 : place + 2]
        (removed if _invisible(sign, kept, follower) else kept).append(sign)
    return "".join(kept), removed


def _invisible(sign: str, before: Sequence[str], follower: str) -> bool:
    """Whether the sign shows nothing where it stands; joiners and selectors do within emoji and scripts."""
    category = unicodedata.category(sign)
    last = unicodedata.category(before[-1]) if before else "Zs"
    if sign in _JOINERS:
        following = unicodedata.category(follower or " ")
        return last not in ("So", "Sk", "Lo", "Mn") or following not in ("So", "Sk", "Lo")
    if "\ufe00" <= sign <= "\ufe0f" or "\U000e0100" <= sign <= "\U000e01ef":
        return last not in ("So", "Sm", "Lo") and follower != _KEYCAP
    if category in ("Mn", "Me"):
        return last.startswith("Z") or before[-1] in _WHITESPACE_CONTROLS or ord(sign) in _EMPTY
    return category == "Cf" or ord(sign) in _EMPTY


def unprintable_sign(sign: str) -> bool:
    """Control characters, half characters, what turns text around, what is no character at all."""
    code = ord(sign)
    return (
        (unicodedata.category(sign) == "Cc" and sign not in _WHITESPACE_CONTROLS)
        or 0xD800 <= code <= 0xDFFF
        or code in _TURNS_TEXT_AROUND
        or code & 0xFFFE == 0xFFFE
        or 0xFDD0 <= code <= 0xFDEF
    )


def ensure_printable(what: str, text: str) -> None:
    """Refuse what our fonts cannot print: it would be one and the same box for every word."""
    strange = unprintable(text)
    if strange:
        shown = harmless(" ".join(strange[:5])) + (" …" if len(strange) > 5 else "")
        raise UserError(
            f"{what} enthält Zeichen, die unsere Schriften nicht haben: {shown}; möglich sind lateinische, "
            "griechische und kyrillische Buchstaben."
        )


def unquoted(sentence: str) -> str:
    """Without quotation marks around all of it, as text is pasted; others stay."""
    text = sentence.strip()
    inner = text[1:-1].strip()
    around = len(text) > 1 and text[-1] in _QUOTED.get(text[0], "")
    return inner if inner and around and not {text[0], text[-1]} & {*inner} else sentence


def without_end_marks(sentence: str) -> str:
    text = sentence.rstrip()
    while text and not is_word(text[-1]):
        text = text[:-1].rstrip()
    return text


def is_word(token: str) -> bool:
    """Whether it is one that somebody would follow through a model, not a punctuation mark."""
    return not all(unicodedata.category(sign).startswith("P") for sign in token)


def words_of(sentence: str) -> tuple[str, ...]:
    """The sentence without the marks at its end."""
    words = tokenize(sentence)
    while words and not any(map(str.isalnum, words[-1])):
        words.pop()
    return tuple(words)


def words_before_the_last(sentence: str) -> tuple[str, ...]:
    """What a trained model reads of the sentence. UserError where that is too little."""
    words = words_of(sentence)
    if len(words) < LEAST_WORDS:
        raise UserError(
            f"Der Satz {quoted(sentence)} ist für --gewichte {LEARNT} zu kurz: Das Modell findet sein "
            f"letztes Wort aus den anderen; nötig sind {LEAST_WORDS} Wörter, besser vier bis zehn."
        )
    return words[:-1]


def not_learnt(sentence: str, example: str | int | None, exercises: Sequence[str | int] | None) -> str:
    """Why no model can learn the sentence, or not with these words to work on; "" where it can."""
    count = len(words_of(sentence))
    if count > _MOST_UNASKED:
        return (
            f"Der Satz hat {count} Wörter und Satzzeichen; von selbst wird nur bis {_MOST_UNASKED} "
            f"trainiert, und „--gewichte {LEARNT}“ versucht es auch mit mehr."
        )
    try:
        words = words_before_the_last(sentence)
    except UserError as error:
        return str(error)
    named = ([] if example is None else [("--beispiel", example)]) + [
        ("--uebung", each) for each in exercises or ()
    ]
    for flag, token in named:
        try:
            place_of(flag, token, words)
        except UserError:
            return (
                f"{flag} {quoted(str(token))} nennt keines der Wörter vor dem letzten, und das letzte soll "
                "ein gelerntes Modell erst finden."
            )
    return ""


@dataclass(frozen=True)
class Sentence(Kind):
    """The sentence; or a second one, of one word at least, or none."""

    target: bool = False
    placeholder = "SATZ"

    def read(self, flag: str, value: Any) -> str | None:
        if value is None and self.target:
            return None
        if not isinstance(value, str):
            raise refused(flag, value, "Nötig ist ein Satz in Anführungszeichen.")
        if self.target:
            return cleaned(value, f"Der Zielsatz ({flag})", "mindestens ein Wort, zum Beispiel The cat")
        return cleaned(value)


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
            right = f"Das Wort steht an den Stellen {in_words(places)}; bitte eine Stelle angeben."
            raise refused(flag, token, right)
        if not places:
            counted = listed([f"{place}: {shortened(token)}" for place, token in enumerate(tokens, 1)])
            raise refused(flag, token, f"Der Satz hat die Token {counted}.")
        return places[0]
    place = int(token) if isinstance(token, int) or len(token) < 10 else 0
    if not 1 <= place <= last:
        raise refused(flag, token, f"Der Satz hat {last} Token; möglich ist eine Stelle von 1 bis {last}.")
    return place


# --- The texts that a trained model reads, where a file gives them, and how texts are written and counted.

Text = tuple[str, ...]
MOST_WORDS: Final = 24
FEWEST_TEXTS, MOST_TEXTS = 2, 12
LEAST_TOKENS, MOST_TOKENS = 2, 24
_LARGEST_FILE: Final = 20_000
FULL_STOP: Final = "."
SENTENCE_ENDS: Final = frozenset(".!?…")


def texts_in_file(path: Path, own: Text) -> tuple[Text, ...]:
    """The texts of --texte, the sentence `own` first. UserError where they cannot be learnt from."""
    at = f"--texte {quoted(path.name)}"
    content = read_text(path, "--texte", _LARGEST_FILE)
    lines = [line for line in content.splitlines() if line.strip()]
    if not FEWEST_TEXTS <= len(lines) <= MOST_TEXTS:
        found = {0: "keinen Text", 1: "nur einen Text"}.get(len(lines), f"{len(lines)} Texte")
        raise UserError(f"{at} hat {found}; möglich sind {FEWEST_TEXTS} bis {MOST_TEXTS}, einer je Zeile.")
    texts = tuple(_text(at, number, line) for number, line in enumerate(lines, 1))
    if own not in texts:
        missing = quoted(shown(own))
        raise UserError(
            f"{at} enthält den Satz {missing} nicht, so kann das Modell ihn nicht lernen; nötig ist eine "
            "Zeile mit genau diesem Satz (oder ein anderes Wort mit --weiter)."
        )
    texts = (own, *(text for text in texts if text != own), *[own] * (texts.count(own) - 1))
    words = vocabulary_of_texts(texts)
    if len(words) > MOST_WORDS:
        raise UserError(
            f"{at} hat mit den Satzzeichen {len(words)} verschiedene Wörter; möglich sind {MOST_WORDS}."
        )
    return texts


def vocabulary_of_texts(texts: Sequence[Text]) -> tuple[str, ...]:
    """The distinct words of all texts, those of the sentence first."""
    return tuple(dict.fromkeys(word for text in texts for word in text))


def ended(text: Sequence[str]) -> Text:
    """The text with a full stop, if no other mark ends it."""
    return tuple(text) if text[-1] in SENTENCE_ENDS else (*text, FULL_STOP)


def shown(text: Sequence[str]) -> str:
    """The text as one writes it, no space before a mark."""
    return re.sub(r" (?=[.,;:!?])", "", " ".join(text))


def _text(at: str, number: int, line: str) -> Text:
    text = tokenize(cleaned(line, f"{at}, Zeile {number},", "ein kurzer Text"))
    ensure_printable(f"{at}, Zeile {number},", "".join(text))
    if not any(map(str.isalnum, line)):
        raise UserError(f"{at}, Zeile {number}, enthält kein Wort.")
    if not LEAST_TOKENS <= len(text) <= MOST_TOKENS:
        found = "nur ein Wort" if len(text) == 1 else f"{len(text)} Wörter"
        raise UserError(f"{at}, Zeile {number}, hat {found}; möglich sind {LEAST_TOKENS} bis {MOST_TOKENS}.")
    return ended(text)
