"""The figures of the course, all by one import: the desk's trace goes in, a `Figure` of the sheet comes out.

`withheld` names the tokens whose values the pupil has yet to find (`blank`: all of them): the worksheet gets
the figure without them.
"""

from generator.figures.add_norm import bypass, norm_lines
from generator.figures.angles import angle_fan, telling
from generator.figures.arcs import attention_arcs
from generator.figures.attention_flow import attention_flow
from generator.figures.clocks import position_clocks
from generator.figures.data_flow import data_flow
from generator.figures.heat import heat_map
from generator.figures.joined_heads import joined_heads
from generator.figures.merge_tree import merge_tree
from generator.figures.network import network, relu_graph
from generator.figures.notice_board import notice_board
from generator.figures.output import probability_bars, shown_words
from generator.figures.parts import share_step, share_steps
from generator.figures.pieces import pieces_with_needle
from generator.figures.positions import position_curves
from generator.figures.sentence_arcs import sentence_arcs
from generator.figures.vectors import word_bars
from generator.figures.word_plane import word_plane

__all__ = [
    "angle_fan",
    "attention_arcs",
    "attention_flow",
    "bypass",
    "data_flow",
    "heat_map",
    "joined_heads",
    "merge_tree",
    "network",
    "norm_lines",
    "notice_board",
    "pieces_with_needle",
    "position_clocks",
    "position_curves",
    "probability_bars",
    "relu_graph",
    "sentence_arcs",
    "share_step",
    "share_steps",
    "shown_words",
    "telling",
    "word_bars",
    "word_plane",
]
