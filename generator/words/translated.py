"""In: a sentence and its translation. Out: pairs like it, with a word and its translation exchanged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from generator.words.word_lists import fold, read_toml


@dataclass(frozen=True)
class TranslatedPair:
    """translates: target place to the source place that it translates, where that is known."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    translates: dict[int, int]


def pairs_like(source: Sequence[str], target: Sequence[str], most: int) -> list[TranslatedPair]:
    """The pair itself, then up to `most` others, one for each word whose listed translation stands there.

    Of a target language that no list holds the pair alone; words that are the same in both are known too.
    """
    found = _translations(source, target)
    own = {j: i for i, j, _ in found}
    pairs = [TranslatedPair(tuple(source), tuple(target), own)]
    for i, j, line in found:
        used = {fold(word) for word in (*source, *target)}
        for german, english in line:
            if fold(german) not in used and fold(english) not in used and len(pairs) <= most:
                pairs.append(TranslatedPair(_with(source, i, german), _with(target, j, english), own))
                break
    return pairs


def _translations(
    source: Sequence[str], target: Sequence[str]
) -> list[tuple[int, int, list[tuple[str, str]]]]:
    """Source place, target place, and the line that tells of both; each place once."""
    found: list[tuple[int, int, list[tuple[str, str]]]] = []
    for i, word in enumerate(source):
        for j, other in enumerate(target):
            if any(j == place for _, place, _ in found):
                continue
            line = next((line for line in _lines() if (word, fold(other)) in line), None)
            same = word == other and any(map(str.isalnum, word))
            if line is not None or same:
                found.append((i, j, line or []))
                break
    return found


def _with(words: Sequence[str], place: int, word: str) -> tuple[str, ...]:
    return (*words[:place], word, *words[place + 1 :])


@cache
def _lines() -> list[list[tuple[str, str]]]:
    lines: list[str] = read_toml("translations.toml")["lines"]
    return [[(pair.partition("=")[0], pair.partition("=")[2]) for pair in line.split()] for line in lines]
