"""In: a formula's picture as PDF operators. Out: the same picture as SVG, for a browser that prints."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from generator.output.formulas.typeset import FormulaImage

_UNSEEN: Final = re.compile(r"\bBT\b.*?\bET\b", re.DOTALL)  # text to be copied; a picture in HTML holds none
_STEPS: Final = {"m": "M", "l": "L", "c": "C", "h": "Z"}


def svg_of(image: FormulaImage) -> str:
    """The picture, drawn in black; a unit is a thousandth of an em."""
    paths = "".join(_paths(_UNSEEN.sub("", image.operators.decode("ascii")).split()))
    box = f'width="{image.width}" height="{image.height}" viewBox="0 0 {image.width} {image.height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box}>{paths}</svg>'


def _paths(tokens: list[str]) -> Iterator[str]:
    """A path for every outline filled or drawn. Raises ValueError for an operator that no formula has."""
    numbers: list[str] = []
    steps, place, line = "", "", ""
    for token in tokens:
        match token:
            case "q":
                steps, place, line = "", "", ""
            case "cm":
                place = f' transform="matrix({" ".join(numbers)})"'
            case "w":
                line = f' fill="none" stroke="#000" stroke-width="{numbers[0]}"'
            case "m" | "l" | "c" | "h":
                steps += _STEPS[token] + " ".join(numbers)
            case "re":
                x, y, width, height = numbers
                steps += f"M{x} {y}h{width}v{height}H{x}Z"
            case "f" | "S":
                yield f'<path{place}{line} d="{steps}"/>'
            case "Q":
                pass
            case _:
                float(token)
                numbers.append(token)
                continue
        numbers = []
