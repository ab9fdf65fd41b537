"""The accepted ranges of a residual and its mean go in; those of the columns between them come out."""

from __future__ import annotations

from dataclasses import dataclass

from generator.sheet.desk import Desk


@dataclass(frozen=True)
class DeviationRanges:
    """Of r − μ and its square, component by component, and of the sums of r, r − μ and the squares.

    Empty where the sheet's key prints no ranges, or all honest work writes the same.
    """

    deviations: tuple[str, ...]
    squares: tuple[str, ...]
    sum: str
    sum_of_deviations: str
    sum_of_squares: str


def deviation_ranges(desk: Desk, residual: str, mean: str, token: int) -> DeviationRanges:
    width = desk.sizes.d_model
    if residual not in desk.ranges or mean not in desk.ranges:
        return DeviationRanges(("",) * width, ("",) * width, "", "", "")
    places = desk.quantity(residual).places or 0
    low, high = desk.ranges[residual].low[token], desk.ranges[residual].high[token]  # (d_model,)
    least, most = float(desk.ranges[mean].low[token]), float(desk.ranges[mean].high[token])
    ends = [(float(a) - most, float(b) - least) for a, b in zip(low, high, strict=True)]
    squared = [_squared(*end) for end in ends]

    def text(bounds: tuple[float, float], digits: int) -> str:
        """As it is printed below a value; a unit to either side goes without saying."""
        if bounds[1] - bounds[0] <= 2.5 * 10.0**-places:
            return ""
        return " bis ".join(desk.format.text(bound, digits) for bound in bounds)

    return DeviationRanges(
        deviations=tuple(text(end, places) for end in ends),
        squares=tuple(text(end, 2 * places) for end in squared),
        sum=text((float(low.sum()), float(high.sum())), places),
        sum_of_deviations=text(_added(ends), places),
        sum_of_squares=text(_added(squared), 2 * places),
    )


def _squared(low: float, high: float) -> tuple[float, float]:
    ends = sorted((low * low, high * high))
    return (0.0 if low <= 0 <= high else ends[0], ends[1])


def _added(ends: list[tuple[float, float]]) -> tuple[float, float]:
    return sum(low for low, _ in ends), sum(high for _, high in ends)
