"""How a model reads and calculates, beside its sizes and numbers: tokens with their IDs, and its switches."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Rules:
    """causal_mask: no token looks at a later one (with two sentences: in the decoder's own attention).

    scaling: scores are divided by √d_k. positions: their encoding is added to the embedding. temperatures: of
    the next word's softmax. places: N of the hand arithmetic.
    """

    causal_mask: bool = True
    scaling: bool = True
    positions: bool = True
    temperatures: tuple[float, ...] = (0.5, 1.0, 2.0)
    places: int = 2


DEFAULT_RULES: Final = Rules()


JOINER: Final = "\u200d"

# A word is a run of letters, digits and marks, joined inside by apostrophes, hyphens, or digits' points and
# commas ("geht's", "E-Mail", "3,5"); every other visible character is a token of its own.
_TOKEN = re.compile(
    r"\d+(?:[.,]\d+)+|\w[\w\u0300-\u036f]*(?:[-'’\u2010\u2011]\w[\w\u0300-\u036f]*)*|[^\w\s]", re.UNICODE
)


def tokenize(sentence: str) -> list[str]:
    """Words and punctuation marks in order; umlauts and ß stay whole, case is kept.

    A sign that is built from several characters (an emoji with a modifier, a letter with combining marks)
    stays one token.
    """
    tokens: list[str] = []
    glue = False
    for match in _TOKEN.finditer(unicodedata.normalize("NFC", sentence)):
        text = match.group()
        adjacent = bool(tokens) and match.start() > 0 and not match.string[match.start() - 1].isspace()
        if adjacent and (glue or extends(text[0])):
            tokens[-1] += text
        else:
            tokens.append(text)
        glue = text == JOINER
    return tokens


def extends(sign: str) -> bool:
    """Whether it belongs to the sign before it: marks, joiners and skin tones do."""
    special = sign in (JOINER, "\u200c", "\ufe0e", "\ufe0f") or 0x1F3FB <= ord(sign) <= 0x1F3FF
    return special or unicodedata.category(sign) in ("Mn", "Me", "Mc")


def vocabulary_of(tokens: Sequence[str]) -> list[str]:
    """The distinct tokens in order of appearance."""
    return list(dict.fromkeys(tokens))


def token_ids(tokens: Sequence[str], vocabulary: Sequence[str]) -> list[int]:
    """Each token's place in the vocabulary, counted from 0; KeyError for a token that is not in it."""
    place = {word: i for i, word in enumerate(vocabulary)}
    return [place[token] for token in tokens]
