"""A file of sentences, one a line, goes in; the sentences of a class set come out, in its order."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from generator.basics.errors import UserError, quoted
from generator.basics.reading import read_bytes
from generator.check.answers import decoded

MOST: Final = 100
_LARGEST: Final = 100_000


def read_sentences(path: Path) -> tuple[tuple[int, str], ...]:
    """Number of the line and sentence, for each line that is not empty. UserError for none or too many."""
    text = decoded(read_bytes(path, "Die Satzliste", _LARGEST))
    found: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if sentence := " ".join(line.split()):
            found.setdefault(sentence, number)
    if not found:
        raise UserError(f"In der Satzliste {quoted(path.name)} steht kein Satz.")
    if len(found) > MOST:
        raise UserError(
            f"Die Satzliste {quoted(path.name)} hat {len(found)} Sätze; möglich sind höchstens {MOST}."
        )
    return tuple((number, sentence) for sentence, number in found.items())
