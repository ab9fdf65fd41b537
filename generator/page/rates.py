"""How often someone may knock: a bucket of tries that fills again by itself."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

_MOST_REMEMBERED: Final = 10_000


@dataclass(frozen=True)
class Rate:
    """So many at once, and so many more a minute."""

    at_once: int
    a_minute: float


class Rates:
    """Counts for every client by name. clock: seconds that never go back."""

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._clock = rate, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()  # tries left, and when that was

    def allow(self, client: str) -> bool:
        """Whether there is a try left; takes it."""
        now = self._clock()
        left, since = self._left.pop(client, (float(self._rate.at_once), now))
        left = min(self._rate.at_once, left + (now - since) * self._rate.a_minute / 60)
        allowed = left >= 1
        self._left[client] = (left - 1 if allowed else left, now)
        if len(self._left) > _MOST_REMEMBERED:
            self._left.popitem(last=False)
        return allowed

    def wait(self) -> int:
        """Seconds until the next try, rounded up."""
        return -int(-60 // self._rate.a_minute)
