"""Values of several kinds go in; their combinations come out, few of them for every day."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest


def crossed(*kinds: Sequence[Any]) -> list[Any]:
    """All combinations; without --gruendlich as few as name every value of every kind."""
    most = max(map(len, kinds))
    usual = {tuple(place % len(kind) for kind in kinds) for place in range(most)}
    return [
        pytest.param(
            *(kind[place] for kind, place in zip(kinds, places, strict=True)),
            marks=() if places in usual else pytest.mark.thorough,
        )
        for places in product(*(range(len(kind)) for kind in kinds))
    ]
