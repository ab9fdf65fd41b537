"""Names that a file may use for numbers, and what a misspelt name may have meant."""

from __future__ import annotations

import re
from collections.abc import Sequence

from generator.basics.errors import listed

NUMBER_KEYS = ("embedding", "wortvektoren", "zielvektoren", "weights", "vocabulary_embedding")


def is_number_key(key: str) -> bool:
    """Whether a key of a file gives numbers (a weight, vectors), not an option."""
    weight = re.match(r"((encoder|decoder)(\.|$))?(block[0-9]+(\.|$))?", key)
    return bool(weight and weight.group()) or key in NUMBER_KEYS


def nearest(name: object, names: Sequence[str]) -> str:
    """What is right instead: the name that looks most alike, or all there are."""
    from difflib import get_close_matches  # only wanted after a mistake

    near = get_close_matches(str(name)[:80].replace("-", "_"), names, 1, 0.5)
    return f"gemeint ist vielleicht „{near[0]}“." if near else f"möglich sind {listed(names)}."
