"""Every kind of quantity: its name's ending goes in, its axes and its rule for the places come out."""

import re
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Final


class Places(Enum):
    """How many places the hand arithmetic writes; N is the sheet's number of places."""

    AS_GIVEN = "as given"
    NATURAL = "natural, at most N"
    NATURAL_PLUS_1 = "natural, at most N + 1"
    N = "N"
    N_PLUS_1 = "N + 1"
    ONE = "1"
    THREE = "3"


@dataclass(frozen=True)
class Kind:
    axes: tuple[str, ...]
    places: Places


_TOKEN, _DIM, _HEAD_DIM, _HIDDEN, _WORD = "token", "dim", "head_dim", "hidden", "word"

# Keys are endings of the names with the counting numbers taken out; the longest that fits is meant.
KINDS: Final[dict[str, Kind]] = {
    "embedding": Kind((_TOKEN, _DIM), Places.AS_GIVEN),
    "positional_encoding": Kind((_TOKEN, _DIM), Places.THREE),
    "input": Kind((_TOKEN, _DIM), Places.ONE),
    "query": Kind((_TOKEN, _HEAD_DIM), Places.NATURAL),
    "key": Kind((_TOKEN, _HEAD_DIM), Places.NATURAL),
    "value": Kind((_TOKEN, _HEAD_DIM), Places.NATURAL),
    "score": Kind((_TOKEN, _TOKEN), Places.NATURAL),
    "scaled": Kind((_TOKEN, _TOKEN), Places.N),
    "exp": Kind((_TOKEN, _TOKEN), Places.N),
    "exp_sum": Kind((_TOKEN,), Places.N),
    "weight": Kind((_TOKEN, _TOKEN), Places.N),
    "head.output": Kind((_TOKEN, _HEAD_DIM), Places.N),
    "entry.output": Kind((_TOKEN, _DIM), Places.N),
    "entry.norm": Kind((_TOKEN,), Places.N_PLUS_1),
    "entry.dot": Kind((_TOKEN, _TOKEN), Places.NATURAL_PLUS_1),
    "entry.cosine": Kind((_TOKEN, _TOKEN), Places.N),
    "concat": Kind((_TOKEN, _DIM), Places.NATURAL),
    "attention": Kind((_TOKEN, _DIM), Places.NATURAL),
    "residual": Kind((_TOKEN, _DIM), Places.NATURAL),
    "norm.mean": Kind((_TOKEN,), Places.N),
    "norm.variance": Kind((_TOKEN,), Places.N_PLUS_1),
    "norm.std": Kind((_TOKEN,), Places.N),
    "norm.output": Kind((_TOKEN, _DIM), Places.N),
    "ffn.hidden": Kind((_TOKEN, _HIDDEN), Places.NATURAL),
    "ffn.activation": Kind((_TOKEN, _HIDDEN), Places.NATURAL),
    "ffn.output": Kind((_TOKEN, _DIM), Places.NATURAL),
    "logit": Kind((_WORD,), Places.N),
    "scaled_logit": Kind((_WORD,), Places.N),
    "temperature.exp": Kind((_WORD,), Places.THREE),
    "temperature.exp_sum": Kind((), Places.THREE),
    "temperature.probability": Kind((_WORD,), Places.THREE),
    "similarity.norm": Kind((_WORD,), Places.N_PLUS_1),
    "similarity.dot": Kind((_WORD, _WORD), Places.NATURAL_PLUS_1),
    "similarity.cosine": Kind((_WORD, _WORD), Places.N),
    "context.norm": Kind((_TOKEN,), Places.N_PLUS_1),
    "context.dot": Kind((_TOKEN, _TOKEN), Places.NATURAL_PLUS_1),
    "context.cosine": Kind((_TOKEN, _TOKEN), Places.N),
    "round.exp": Kind((_WORD,), Places.THREE),
    "round.exp_sum": Kind((), Places.THREE),
    "round.probability": Kind((_WORD,), Places.THREE),
    "round.kept_sum": Kind((), Places.THREE),
    "round.share": Kind((_WORD,), Places.THREE),
    "round.cumulative": Kind((_WORD,), Places.THREE),
}

_COUNTS = re.compile(r"(?<=temperature)[\d.]*\d|(?<=[a-z])\d+(?=\.|$)")


@cache
def kind_of(name: str) -> Kind:
    """The kind of a quantity, by the longest ending of its name that the table knows.

    Raises KeyError for a name that no ending fits.
    """
    parts = _COUNTS.sub("", name).split(".")
    for start in range(len(parts)):
        kind = KINDS.get(".".join(parts[start:]))
        if kind is not None:
            return kind
    raise KeyError(name)
