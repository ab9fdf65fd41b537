"""The texts that a trained model reads, where a file gives them, and how texts are written and counted."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from engine.model.tokenizer import tokenize
from generator.basics.errors import UserError, quoted
from generator.basics.fonts import unprintable
from generator.basics.reading import read_text
from generator.options.options import Options
from generator.options.sentence import cleaned

Text = tuple[str, ...]
MOST_WORDS: Final = 24
FEWEST_TEXTS, MOST_TEXTS = 2, 12
LEAST_TOKENS, MOST_TOKENS = 2, 24
_LARGEST_FILE: Final = 20_000
FULL_STOP: Final = "."
SENTENCE_ENDS: Final = frozenset(".!?…")


def sentence_of(options: Options) -> Text:
    """The sentence as the model reads it: with the word that it is to find, and a full stop."""
    return ended((*options.tokens, options.next_word))


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
    line = ""
    for word in text:
        line += word if not any(map(str.isalnum, word)) else f" {word}"
    return line.strip()


def _text(at: str, number: int, line: str) -> Text:
    text = tokenize(cleaned(line, f"{at}, Zeile {number},", "ein kurzer Text"))
    strange = unprintable("".join(text))
    if strange:
        raise UserError(
            f"{at}, Zeile {number}, enthält Zeichen, die unsere Schriften nicht haben: "
            f"{' '.join(strange[:5])}; möglich sind lateinische, griechische und kyrillische Buchstaben."
        )
    if not any(map(str.isalnum, line)):
        raise UserError(f"{at}, Zeile {number}, enthält kein Wort.")
    if not LEAST_TOKENS <= len(text) <= MOST_TOKENS:
        found = "nur ein Wort" if len(text) == 1 else f"{len(text)} Wörter"
        raise UserError(f"{at}, Zeile {number}, hat {found}; möglich sind {LEAST_TOKENS} bis {MOST_TOKENS}.")
    return ended(text)
