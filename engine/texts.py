"""Texts generated in several ways go in; the numbers of all their rounds, which any pen can write, come out.

The rounds of a way have its name before theirs: greedy.round1.logit. What leads to a round's logits is no
quantity of the sheet: a whole round is too long for a hand, so its logits are where writing begins again.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from engine.choosing import LotsSteps
from engine.forward import Forward
from engine.generation import Generation
from engine.pens import Pen
from engine.trace import Trace


@dataclass(frozen=True)
class Texts:
    """Generations by the name of their way; exact and hand: the quantities of all."""

    ways: Mapping[str, Generation]
    exact: Trace
    hand: Trace

    @property
    def places(self) -> int:
        return next(iter(self.ways.values())).start.places

    def write(self, pen: Pen, way: type[Forward] = Forward) -> Trace:
        """All rounds from their logits on. The key decides which words are kept."""
        with np.errstate(all="ignore"):
            for name, generation in self.ways.items():
                steps = LotsSteps(generation.start, pen)
                steps.choice = generation.choice
                for round_ in generation.rounds:
                    steps.at = f"{name}.round{round_.number}."
                    logit = generation.hand[f"round{round_.number}.logit"].values  # (V,)
                    probability = steps.chances(steps.write(steps.at + "logit", pen.read(logit)))
                    if generation.choice.at_random:
                        steps.lots(probability, round_.hand.order, round_.hand.n_kept)
        return pen.trace


def texts_of(ways: Mapping[str, Generation]) -> Texts:
    exact, hand = Trace(), Trace()
    for name, generation in ways.items():
        for trace, own in ((exact, generation.exact), (hand, generation.hand)):
            for quantity in own.values():
                trace.note(replace(quantity, name=f"{name}.{quantity.name}"))
    return Texts(ways, exact, hand)
