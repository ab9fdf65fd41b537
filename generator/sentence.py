"""What a teacher typed or pasted in, the sentence for the sheet out: one line, NFC, nothing invisible."""

from __future__ import annotations

import unicodedata

from generator.errors import UserError, quoted

_LONGEST = 200_000
_WHITESPACE_CONTROLS = "\t\n\v\f\r"
# Soft hyphen, zero-width space, word joiner, byte order mark: they come with pasted text and show nothing.
_UNSEEN = dict.fromkeys((0x00AD, 0x200B, 0x2060, 0xFEFF))
_TURNS_TEXT_AROUND = {*range(0x202A, 0x202F), *range(0x2066, 0x206A)}


def cleaned(
    sentence: str, what: str = "Der Satz", needed: str = "ein Satz aus mindestens zwei Wörtern"
) -> str:
    """The sentence in NFC with single spaces; UserError if it is empty or holds what cannot be printed."""
    if len(sentence) > _LONGEST:
        raise UserError(f"{what} ist zu lang: {len(sentence)} Zeichen, höchstens {_LONGEST} sind möglich.")
    for place, sign in enumerate(sentence, 1):
        if _unprintable(sign):
            raise UserError(
                f"{what} enthält an Stelle {place} ein Zeichen, das sich nicht drucken lässt "
                f"({_named(sign)}); bitte tippen Sie den Satz neu."
            )
    text = " ".join(unicodedata.normalize("NFC", sentence.translate(_UNSEEN)).split())
    if not text:
        raise UserError(f"{what} {quoted(sentence)} ist leer; nötig ist {needed}.")
    return text


def _unprintable(sign: str) -> bool:
    code = ord(sign)
    return (
        (unicodedata.category(sign) == "Cc" and sign not in _WHITESPACE_CONTROLS)
        or 0xD800 <= code <= 0xDFFF
        or code in _TURNS_TEXT_AROUND
        or code & 0xFFFE == 0xFFFE
        or 0xFDD0 <= code <= 0xFDEF
    )


def _named(sign: str) -> str:
    if "\ud800" <= sign <= "\udfff":
        return "kein gültiges UTF-8"
    kind = "Steuerzeichen" if unicodedata.category(sign) in ("Cc", "Cf") else "Zeichen"
    return f"{kind} U+{ord(sign):04X}"
