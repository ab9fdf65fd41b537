"""A translation goes in; its rounds' logits and probabilities, which any pen can write, come out.

A round is too long for a hand; its logits are where writing begins: round1.decoder.logit.
"""

import re
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from engine.layers.forward import Forward
from engine.layers.output import OutputSteps
from engine.numbers.arrays import Array
from engine.pens.pens import Pen, Visible
from engine.texts.translation import Translation
from engine.trace.quantities import WORD, Kind, N, Printed
from engine.trace.trace import Trace

_CHOICES: Final = re.compile(r"round\d+\.decoder\.(?:logit|temperature1\.\w+)")


class PrintedSteps(OutputSteps):
    """The sheet prints every round for all who choose from it."""

    def write(self, name: str, value: Array, kind: Kind, visible: Visible = None) -> Array:
        return super().write(name, value, replace(kind, printed=Printed.ALSO), visible)


@dataclass(frozen=True)
class TargetRounds:
    """The rounds of a translation; exact and hand: the quantities of their choices."""

    translation: Translation
    exact: Trace
    hand: Trace

    @property
    def places(self) -> int:
        return self.translation.start.rules.places

    def write(self, pen: Pen, way: type[Forward] = Forward) -> Trace:
        """All rounds from their logits on."""
        with np.errstate(all="ignore"):
            for round_ in self.translation.rounds:
                at = f"round{round_.number}.decoder."
                steps = PrintedSteps(round_.model, pen)
                values = self.translation.hand[at + "logit"].values  # (V,)
                logit = steps.write(at + "logit", pen.read(values), N.over(WORD))  # (V,)
                steps.probabilities(at, logit, 1.0)
        return pen.trace


def target_rounds(translation: Translation) -> TargetRounds:
    return TargetRounds(translation, _choices(translation.exact), _choices(translation.hand))


def _choices(trace: Trace) -> Trace:
    chosen = Trace()
    for name, quantity in trace.items():
        if _CHOICES.fullmatch(name):
            chosen.note(replace(quantity, printed=Printed.ALSO))
    return chosen
