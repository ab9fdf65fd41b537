"""What is to be known of a quantity beside its numbers, said where it is written: N.over(TOKEN, DIM)."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

TOKEN, DIM, HEAD_DIM, HIDDEN, WORD, ROUND = "token", "dim", "head_dim", "hidden", "word", "round"
SOURCE: Final = "source"  # the tokens that attention looks at: its own, or in cross-attention the other's
SOURCE_TOKEN, TARGET_TOKEN = (
    "source_token",
    "target_token",
)  # in place of the two where there are two sentences


class Printed(Enum):
    """Whether the sheet gives a quantity to all, so that everyone reads the same numbers on."""

    NO = "each works it out"
    ALSO = "printed for all who go on; who works it out too may be a unit beside it"
    GIVEN = "printed, and nothing to be worked out"


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

    def over(
        self, *axes: str, printed: Printed = Printed.NO, divisor: bool = False, ranked: bool = False
    ) -> "Kind":
        """A quantity with these places and axes."""
        return Kind(axes, self, printed, divisor, ranked=ranked)

    def inside(self, *axes: str, divisor: bool = False, ranked: bool = False) -> "Kind":
        """The same for a number on the way to a result (of a head, a LayerNorm) that the next step reads."""
        return Kind(axes, self, divisor=divisor, inside=True, ranked=ranked)


@dataclass(frozen=True)
class Kind:
    """divisor: something is divided by it, or its logarithm taken; who would write 0 takes more places.

    ranked: someone is asked for the largest of a row.
    """

    axes: tuple[str, ...]
    places: Places
    printed: Printed = Printed.NO
    divisor: bool = False
    inside: bool = False
    ranked: bool = False


AS_GIVEN, NATURAL, NATURAL_PLUS_1 = Places.AS_GIVEN, Places.NATURAL, Places.NATURAL_PLUS_1
N, N_PLUS_1, N_PLUS_2, ONE, THREE = Places.N, Places.N_PLUS_1, Places.N_PLUS_2, Places.ONE, Places.THREE
