"""The calculations of a sheet go in; one with the numbers of all of them comes out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.calculation.calculation import Calculation, SentencePass
from engine.calculation.passes import Pass
from engine.trace.trace import Trace


@dataclass(frozen=True)
class Whole(Calculation):
    """The sentence's calculation with all that later stations add; the traces hold the quantities of all.

    own: what each pass adds, under its names; a later pass may write quantities of an earlier one again on
    its way.
    """

    own: tuple[tuple[Pass, tuple[str, ...]], ...]

    def parts(self) -> Iterator[tuple[Pass, tuple[str, ...]]]:
        return iter(self.own)


def whole(sentence: SentencePass, further: Sequence[Pass] = (), unused: Sequence[str] = ()) -> Whole:
    """All passes, the sentence's first. unused: names that a pass writes and the sheet has no use for."""
    exact, hand = Trace(), Trace()
    known = set(unused)
    own = []
    for each in (sentence, *further):
        names = tuple(name for name in each.hand if name not in known)
        known.update(names)
        own.append((each, names))
        for name in names:
            exact.note(each.exact[name])
            hand.note(each.hand[name])
    return Whole(sentence.model, exact, hand, tuple(own))
