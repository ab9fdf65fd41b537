"""What every layer's steps stand on: the model's numbers and the pen that writes."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

from engine.model.model import AnyModel, Sizes
from engine.numbers.arrays import Array
from engine.pens.pens import Pen, Visible
from engine.trace import SOURCE, TOKEN, Kind


class Steps:
    """A model and a pen; the layers add their formulas."""

    def __init__(self, model: AnyModel, pen: Pen) -> None:
        self.model = model
        self.pen = pen
        self._read: dict[str, Array] = {}

    @cached_property
    def sizes(self) -> Sizes:
        return self.model.sizes

    def weight(self, name: str) -> Array:
        """A given table by its contract name, as the pen reads it."""
        if name not in self._read:
            self._read[name] = self.pen.read(self.model.weights[name])
        return self._read[name]

    def write(self, name: str, value: Array, kind: Kind, visible: Visible = None) -> Array:
        tokens = self.tokens_of(name)
        axes = tuple(tokens.get(axis, axis) for axis in kind.axes)
        return self.pen.write(name, value, kind if axes == kind.axes else replace(kind, axes=axes), visible)

    def tokens_of(self, name: str) -> Mapping[str, str]:
        """Which tokens a quantity has: in one sentence those that are looked at are its own."""
        return {SOURCE: TOKEN}
