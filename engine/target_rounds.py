"""A translation goes in; its rounds' logits and probabilities, which any pen can write, come out.

A round is too long for a hand; its logits are where writing begins: round1.decoder.logit.
"""

import re
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.forward import Forward
from engine.output import OutputSteps
from engine.pens import Pen
from engine.trace import Trace
from engine.translation import Translation

_CHOICES: Final = re.compile(r"round\d+\.decoder\.(?:logit|temperature1\.\w+)")


@dataclass(frozen=True)
class TargetRounds:
    """The rounds of a translation; exact and hand: the quantities of their choices."""

    translation: Translation
    exact: Trace
    hand: Trace

    @property
    def places(self) -> int:
        return self.translation.start.places

    def write(self, pen: Pen, way: type[Forward] = Forward) -> Trace:
        """All rounds from their logits on."""
        with np.errstate(all="ignore"):
            for round_ in self.translation.rounds:
                at = f"round{round_.number}.decoder."
                steps = OutputSteps(round_.model, pen)
                values = self.translation.hand[at + "logit"].values  # (V,)
                steps.probabilities(at, steps.write(at + "logit", pen.read(values)), 1.0)
        return pen.trace


def target_rounds(translation: Translation) -> TargetRounds:
    return TargetRounds(translation, _choices(translation.exact), _choices(translation.hand))


def _choices(trace: Trace) -> Trace:
    chosen = Trace()
    for name, quantity in trace.items():
        if _CHOICES.fullmatch(name):
            chosen.note(quantity)
    return chosen
