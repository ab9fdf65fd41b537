"""What every layer's steps stand on: the model's numbers and the pen that writes."""

from functools import cached_property

from engine.model import AnyModel, Sizes
from engine.numbers import Array
from engine.pens import Pen, Visible
from engine.quantities import Places


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

    def write(self, name: str, value: Array, visible: Visible = None, places: Places | None = None) -> Array:
        return self.pen.write(name, value, visible, places)
