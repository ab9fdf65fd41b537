"""Station 8: the last vector among the word vectors, and which words lie farthest in its direction."""

from __future__ import annotations

from typing import Final

from generator.figures.all import word_plane
from generator.figures.word_plane import telling_components
from generator.sheet.desk import Desk
from generator.sheet.sheet import Figure, Solution
from generator.sheet.wording import either

_NEAR: Final = 0.1  # of a logit; what a drawing cannot tell apart


def word_directions(desk: Desk, blank: bool) -> tuple[Figure, Solution, list[int]]:
    """The plane of two components, the words with the largest logit in these two alone, and which they are.

    blank: the pupil draws the vector; it is given on the sheet otherwise.
    """
    vectors = desk.calculation.model.vocabulary_embedding  # (V, d_model)
    name = f"block{desk.sizes.n_blocks}.norm2.output"
    last = desk.quantity(name).values[-1]
    pair = list(telling_components(vectors, last))
    parts = vectors[:, pair] @ last[pair]
    near = [word for word, part in enumerate(parts) if part >= parts.max() - _NEAR]
    figure = word_plane(desk, vectors, name, desk.n - 1, near, blank=blank)
    return figure, Solution(either([desk.vocabulary[word] for word in near])), [c + 1 for c in pair]
