"""Numbers of configurations and pupils go in; the share of honest cells accepted and the widths come out.

Run as `python tests/acceptance/validation.py [configurations] [pupils] [further]`; its pupils come from seeds
that the ranges were not made with. further: texts, two sentences and lessons instead of one sentence. Every
second class has habits that the ranges do not know: it goes on with one or two more places than it writes.
"""

import sys
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

from acceptance.configurations import configuration
from acceptance.further import further_configuration
from engine.judging.acceptance import accepted, classes
from engine.judging.ranges import normalised, working, written
from engine.model.norms import NORM, NORMS
from engine.numbers.arrays import half_up
from engine.pens.pens import CarelessPen
from engine.trace import beside

FRESH = 50_000_017


class MorePlacesPen(CarelessPen):
    """Goes on with one or two places more than stand on the paper; which, is drawn table by table."""

    def carried(self, on_paper, full, axes):
        places = round(-np.log10(self.unit)) + int(self.rng.integers(1, 3))
        return np.where(self.rounds(full.shape, axes), half_up(full, places), full)

    def write(self, name, value, kind, visible=None):
        self.unit = 10.0 ** -(self.printed[name].places or 0)
        return super().write(name, value, kind, visible)


@dataclass
class Count:
    cells: int = 0
    refused: int = 0
    widths: list = field(default_factory=list)

    def add(self, values, allowed, quantity) -> None:
        written = np.isfinite(values) & shown(quantity)
        self.cells += int(written.sum())
        self.refused += int((written & ~allowed.contains(values)).sum())


def shown(quantity):
    """True in the cells that the mask does not hide."""
    return np.broadcast_to(True if quantity.visible is None else quantity.visible, quantity.values.shape)


def papers(calculation, pupils, seed):
    """Traces of classes of pupils, by turns with the two kinds of pens; calculation: one pass."""
    rng = np.random.default_rng([FRESH, seed])
    for number, members in enumerate(classes(calculation, pupils)):
        pen = (CarelessPen, MorePlacesPen)[number % 2](calculation.hand, len(members), rng, members.start)
        yield calculation.write(pen)


def between(trace):
    """What pupils write between the steps of a norm who work it out with the numbers on their papers."""
    for residual, mean in normalised(trace):
        r, m = (each.values for each in (residual, mean))
        m = m[None] if m.ndim < 2 else m
        for ending, values in written(NORMS[mean.kind.of], r[None] if r.ndim < 3 else r, m, mean.places):
            squared = 2 if "square" in ending else 1
            places = residual.places if ending == "sum" else mean.places * squared
            yield beside(mean.name, ending), half_up(values, places)


def judge(seed: int, pupils: int, by_kind: dict[str, Count], make=configuration) -> Count:
    """One configuration: its count of honest cells that are refused; also added up by kind of quantity.

    What stands between the steps of a LayerNorm is in the kinds alone: squares have places of their own.
    """
    calculation = make(seed)
    ranges = accepted(calculation)
    whole = Count()
    for each, names in calculation.parts():
        steps = working(each.hand)
        for trace in papers(each, pupils, seed):
            for name in names:
                quantity = trace[name]
                values = quantity.values
                if values.ndim == len(quantity.axes):
                    values = values[None]
                for count in (whole, by_kind[kind(name)]):
                    count.add(values, ranges[name], each.hand[name])
            for name, values in between(trace):
                if beside(name, NORM.first) in names:
                    by_kind[kind(name)].add(values, ranges[name], steps[name])
    for name, quantity in {**calculation.hand, **working(calculation.hand)}.items():
        widths = (ranges[name].high - ranges[name].low) * 10.0 ** (quantity.places or 0)
        for count in (whole, by_kind[kind(name)]) if name in calculation.hand else (by_kind[kind(name)],):
            count.widths += np.atleast_1d(widths)[np.atleast_1d(shown(quantity))].tolist()
    return whole


def kind(name: str) -> str:
    """temperature0.5.exp -> temperature.exp, block2.head1.weight -> head.weight, gradient.input as it is."""
    parts = name.split(".")
    learnt = parts[0] + "." if parts[0] in ("gradient", "step", "after") else ""
    if "temperature" in name:
        return f"{learnt}temperature.{parts[-1]}"
    end = [part.rstrip("0123456789") for part in parts[-2:] if not part.startswith("block")]
    return learnt + ".".join(part for part in end if part + "." != learnt)


def row(title: str, count: Count) -> str:
    share, widths = 100 * (1 - count.refused / max(1, count.cells)), np.array(count.widths)
    told = f"{title:24} {count.cells:12,d} {count.refused:8,d} {share:9.4f} %"
    return f"{told} {widths.mean():8.2f} {np.median(widths):7.1f} {widths.max():9.0f}"


def main(configurations: int = 50, pupils: int = 10_000, further: bool = False) -> None:
    """Widths are told in units of the last place."""
    print(f"{'':24} {'cells':>12} {'refused':>8} {'accepted':>11} {'mean':>8} {'median':>7} {'largest':>9}\n")
    by_kind: dict[str, Count] = defaultdict(Count)
    make = further_configuration if further else configuration
    counts = [judge(seed, pupils, by_kind, make) for seed in range(1000, 1000 + configurations)]
    for name in sorted(by_kind):
        print(row(name, by_kind[name]))
    cells, refused = sum(each.cells for each in counts), sum(each.refused for each in counts)
    print(row("all", Count(cells, refused, [width for each in counts for width in each.widths])))


if __name__ == "__main__":
    main(*map(int, filter(str.isdigit, sys.argv[1:])), further="further" in sys.argv)
