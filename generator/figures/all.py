"""The figures of the course, all by one import: the desk's trace goes in, a `Figure` of the sheet comes out.

`withheld` names the tokens whose values the pupil has yet to find (`blank`: all of them): the worksheet gets
the figure without them.
"""

from generator.figures.arcs import attention_arcs
from generator.figures.heat import heat_map
from generator.figures.output import probability_bars
from generator.figures.positions import position_curves
from generator.figures.vectors import word_bars

__all__ = ["attention_arcs", "heat_map", "position_curves", "probability_bars", "word_bars"]
