"""Every kind of quantity: its name's ending goes in, its axes and its rule for the places come out."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Final, TypeVar


class Places(Enum):
    """How many places the hand arithmetic writes; N is the sheet's number of places."""

    AS_GIVEN = "as given"
    NATURAL = "natural, at most N"
    NATURAL_PLUS_1 = "natural, at most N + 1"
    N = "N"
    N_PLUS_1 = "N + 1"
    N_PLUS_2 = "N + 2"
    ONE = "1"
    THREE = "3"


@dataclass(frozen=True)
class Kind:
    axes: tuple[str, ...]
    places: Places


_TOKEN, _DIM, _HEAD_DIM, _HIDDEN, _WORD = "token", "dim", "head_dim", "hidden", "word"
SOURCE_TOKEN, TARGET_TOKEN, ROUND = "source_token", "target_token", "round"
_Entry = TypeVar("_Entry")

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
    "random": Kind((ROUND,), Places.AS_GIVEN),
    "end.embedding": Kind((_DIM,), Places.AS_GIVEN),
    "norm.normalised": Kind((_TOKEN, _DIM), Places.N),
    "loss": Kind((), Places.N_PLUS_2),
}

# Of what has a gradient or is changed by a step: the weights, and values that only the way back needs.
# All of them, and the gradients of the quantities above, are written with N + 2 places.
LEARNING_AXES: Final[dict[str, tuple[str, ...]]] = {
    "W_Q": (_DIM, _HEAD_DIM),
    "W_K": (_DIM, _HEAD_DIM),
    "W_V": (_DIM, _HEAD_DIM),
    "W_O": (_DIM, _DIM),
    "W_1": (_DIM, _HIDDEN),
    "b_1": (_HIDDEN,),
    "W_2": (_HIDDEN, _DIM),
    "b_2": (_DIM,),
    "gamma": (_DIM,),
    "beta": (_DIM,),
    "vocabulary_embedding": (_WORD, _DIM),
    "average": (_TOKEN,),
    "overlap": (_TOKEN,),
    "jacobian": (_TOKEN, _TOKEN),
    "head.input": (_TOKEN, _DIM),
    "source": (_TOKEN, _DIM),
}

_COUNTS = re.compile(r"(?<=temperature)[\d.]*\d|(?<=[a-z])\d+(?=\.|$)")
_LEARNT: Final = ("gradient", "step")
_AGAIN: Final = re.compile(r"(?:after|round\d+)\.(?=(?:encoder|decoder)\.)|after\.")


@cache
def kind_of(name: str) -> Kind:
    """The kind of a quantity, by the longest ending of its name that the table knows.

    Names that begin with encoder or decoder have the axes source_token and target_token in place of token;
    gradient.<name> and step.<name> have the axes of <name>, after.<name> is of the kind of <name>.
    Raises KeyError for a name that no ending fits.
    """
    first, _, rest = name.partition(".")
    if first in _LEARNT:
        axes = _longest(LEARNING_AXES, rest) or _known(rest).axes
        return Kind(_on_its_side(axes, rest), Places.N_PLUS_2)
    plain = _AGAIN.sub("", name, count=1) if _AGAIN.match(name) else name
    kind = _known(plain)
    return Kind(_on_its_side(kind.axes, plain), kind.places)


def _known(name: str) -> Kind:
    kind = _longest(KINDS, name)
    if kind is None:
        raise KeyError(name)
    return kind


def _longest(table: Mapping[str, _Entry], name: str) -> _Entry | None:
    parts = _COUNTS.sub("", name).split(".")
    endings = (".".join(parts[start:]) for start in range(len(parts)))
    return next((table[ending] for ending in endings if ending in table), None)


def _on_its_side(axes: tuple[str, ...], name: str) -> tuple[str, ...]:
    """The axes with `token` told apart where there are two sentences."""
    side = {"encoder": SOURCE_TOKEN, "decoder": TARGET_TOKEN}.get(name.partition(".")[0])
    if side is None:
        return axes
    *_, end = name.split(".")
    if ".cross." in name:
        if end in ("key", "value", "source", "jacobian"):
            side = SOURCE_TOKEN
        elif axes == (_TOKEN, _TOKEN):
            return TARGET_TOKEN, SOURCE_TOKEN
    return tuple(side if axis == _TOKEN else axis for axis in axes)
