"""A sentence's words go in; which of them are compared by their cosine, and their vectors, come out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from generator.sheet.desk import Desk
from generator.sheet.sheet import Number

_LONG: Final = 8  # components from which a scalar product is long work


@dataclass(frozen=True)
class ComparedWords:
    """Words by their place in the vocabulary.

    example: worked through with `partner` (None where there are only two words). exercise: left to the pupil,
    with `partners`. shown: all words in the table of cosines.
    """

    example: int
    partner: int | None
    exercise: int
    partners: tuple[int, ...]
    shown: tuple[int, ...]

    def is_blank(self, i: int, j: int) -> bool:
        return self.exercise in (i, j) and (i in self.partners or j in self.partners)


def word_of(desk: Desk, token: int) -> int:
    model = desk.calculation.model
    return model.vocabulary.index(model.tokens[token])


def first_token(desk: Desk, word: int) -> int:
    """The first token that is this word; the first of all for a word that only other texts have."""
    model = desk.calculation.model
    return model.token_ids.index(word) if word in model.token_ids else 0


def word_vector(desk: Desk, word: int) -> tuple[Number, ...]:
    """A row of the table of all word vectors."""
    places = desk.quantity("embedding").places or 0
    name = "input_embedding" if desk.calculation.model.known else "vocabulary_embedding"
    return tuple(
        Number(name, (word, c), desk.format.text(float(value), places), places)
        for c, value in enumerate(desk.calculation.model.input_embedding[word])
    )


def compared_words(desk: Desk) -> ComparedWords | None:
    """Which words are compared; None where fewer than two have a direction."""
    visible = desk.quantity("similarity.cosine").visible
    words = [i for i in range(len(desk.vocabulary)) if visible is None or visible[i, i]]
    if len(words) < 2:
        return None
    wish = word_of(desk, desk.example)
    example = wish if wish in words else words[0]
    others = [word for word in words if word != example]
    wishes = [word_of(desk, token) for token in desk.exercises]
    exercise = next((word for word in wishes if word in others), others[-1])
    rest = [word for word in others if word != exercise]
    most = 2 if desk.more or desk.sizes.d_model > _LONG else 4 if desk.less else 3
    partners = tuple([example, *rest][:most])
    columns = 8 if desk.options.nachkommastellen <= 3 else 5
    cosines = desk.quantity("similarity.cosine").values - 2 * np.eye(len(desk.vocabulary))
    alike = sorted(rest, key=lambda word: -float(cosines[word, words].max()))
    shown = list(dict.fromkeys([example, exercise, *partners, *alike]))[:columns]
    return ComparedWords(example, rest[0] if rest else None, exercise, partners, tuple(sorted(shown)))
