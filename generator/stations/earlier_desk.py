"""The desk of station 11 where the lesson begins from an earlier state of a trained model."""

from __future__ import annotations

from dataclasses import fields, replace

from engine.forward.calculation import SentencePass
from engine.model.model import Model
from engine.numbers.arrays import Floats
from engine.trace import Quantity
from generator.sheet.desk import Desk
from generator.sheet.sheet import Given, Number
from generator.stations.learning_tables import learning_of


class EarlierDesk(Desk):
    """Gives the numbers of the way forward, and the weights, as the earlier state has them.

    None of them is asked for elsewhere on the sheet: all are printed.
    """

    @property
    def calculation(self) -> SentencePass:
        learning = learning_of(self)
        assert isinstance(learning.model, Model)
        return SentencePass(learning.model, learning.exact, learning.hand)

    def named(self, name: str) -> str:
        """The name under which the earlier state's number stands."""
        before = learning_of(self).lesson.before + name
        return before if before in self.hand else name

    def asks(self, name: str, *index: int) -> bool:
        return super().asks(self.named(name), *index)

    def quantity(self, name: str) -> Quantity:
        return super().quantity(self.named(name))

    def number(
        self, name: str, *index: int, blank: bool = False, wide: bool = False, given: Given | None = None
    ) -> Number:
        return super().number(self.named(name), *index, blank=blank, wide=wide, given=given)

    def weight(self, name: str, *index: int) -> Number:
        number = super().weight(name, *index)
        return replace(number, name=learning_of(self).lesson.before + name)

    def given(self, name: str) -> Floats:
        weights = learning_of(self).model.weights
        return weights[name] if name in weights else super().given(name)


def lesson_desk(desk: Desk) -> Desk:
    """The desk of the model that the lesson is taken with."""
    if not learning_of(desk).lesson.before:
        return desk
    return EarlierDesk(**{field.name: getattr(desk, field.name) for field in fields(desk)})
