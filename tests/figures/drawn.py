"""All figures of a sheet, of usual and of extreme ones, and what of a drawing covers what."""

import re
from xml.etree import ElementTree

from generator.figures.drawing import text_width
from generator.figures.weights import ribbons, weight_squares
from generator.options.options import Options
from generator.stations.before_after import bypass, norm_lines
from generator.stations.byte_pairs.station import merge_tree
from generator.stations.embedding.figures import angle_fan, telling, word_bars
from generator.stations.feed_forward.station import network, relu_graph
from generator.stations.generation.strip import strip
from generator.stations.masked_attention.station import joined_heads
from generator.stations.model_map.station import data_flow
from generator.stations.output.figures import (
    probability_bars,
    word_plane,
)
from generator.stations.positions.figures import position_clocks, position_curves
from generator.stations.self_attention.listening import Listener
from generator.stations.self_attention.mixing import own_picture, pictures
from generator.stations.self_attention.station import attention_flow
from tests.laid_out import KATZE, LONG, laid_out

HOSTILE = "Der <b>\"&amp;'Hund</b> bellt </svg> laut"


WITHOUT = "unmasked.head1.weight"


MASKED = "block1.head1.weight"


LABELS = ["sin(pos : 1)", "cos(pos : 1)", "sin(pos : 100)", "cos(pos : 100)"]


def desk_of(sentence=KATZE, **options):
    return laid_out(Options(satz=sentence, stationen="4a", **options))[1]


def all_figures(desk):
    exercises = desk.exercises
    listening = pictures(Listener(desk, "unmasked.head1.", desk.n - 1))
    return {
        "curves": position_curves(desk, LABELS[: desk.sizes.d_model], exercises),
        "bars": word_bars(desk, range(desk.n), exercises),
        "ribbons": ribbons(desk, WITHOUT, desk.example),
        "two ribbons": ribbons(desk, WITHOUT, desk.n - 1, below=MASKED, notes=("ohne", "mit")),
        "squares": weight_squares(desk, MASKED, desk.exercises),
        "listening": listening[0],
        "mixing": listening[1],
        "own": own_picture(Listener(desk, "unmasked.head1.", desk.exercises[0])),
        "probabilities": probability_bars(desk),
        **pictures_of_the_stations(desk),
    }


def pictures_of_the_stations(desk):
    """One small picture for each station; None where a model is too large for it."""
    last, first = f"block{desk.sizes.n_blocks}.norm2.output", "block1.norm1."
    cosines = {word: 0.3 * k - 0.9 for k, word in enumerate(desk.vocabulary[:7])}
    letters = ("x", "a", "z")
    pictures = {
        "flow": data_flow(desk),
        "tree": merge_tree(["_", "B", "e", "t", "t"], [(1, "Be", 1), (2, "tt", 3), (1, "Bett", 7)]),
        "angles": angle_fan(desk.words[0], telling(cosines), desk.format, 2),
        "clocks": position_clocks(desk, desk.exercises),
        "head": attention_flow(desk, masked=True),
        "joined": joined_heads(desk, desk.example),
        "bypass": bypass("Feed-Forward", desk.sizes.norm.name, letters),
        "norm": norm_lines(desk, "block1.residual1", first, desk.example, letters),
        "network": network(desk, "block1.ffn.", desk.example, range(min(3, desk.sizes.d_ff))),
        "relu": relu_graph(desk, "block1.ffn.", desk.example),
        "plane": word_plane(
            desk, desk.calculation.model.vocabulary_embedding, last, desk.n - 1, [0], blank=True
        ),
        "strip": strip(["a", "b", "c"], [0.4, 0.99, 1.0], 0.65, desk.format, left="point"),
    }
    return {name: figure for name, figure in pictures.items() if figure is not None}


def tree_of(figure, drawing=None):
    return ElementTree.fromstring(f"<svg>{(drawing or figure.drawing).shapes}</svg>")


EXTREMES = [
    (KATZE, {}),
    (HOSTILE, {"dimension": 6, "heads": 3}),
    ("Ach ja", {"dimension": 2, "heads": 1}),
    (LONG, {"dimension": 16, "nachkommastellen": 6, "temperatur": "0,01 1 2 3 4 5 6 1000"}),
    ("ha ha ha", {"startwert": 3}),
]


def boxes_of(drawing):
    """Every text of a drawing and what it covers, turned ones too."""
    for node in ElementTree.fromstring(f"<svg>{drawing.shapes}</svg>").iter("text"):
        size = float(node.get("font-size"))
        width, x, y = text_width(node.text, size), float(node.get("x")), float(node.get("y"))
        back = {"start": 0.0, "middle": 0.5, "end": 1.0}[node.get("text-anchor")] * width
        if node.get("transform"):
            yield node.text, (x - 0.7 * size, y - width + back, x + 0.2 * size, y + back)
        else:
            yield node.text, (x - back, y - 0.7 * size, x - back + width, y + 0.2 * size)


def overlap_of(a, b):
    return min(a[2], b[2]) - max(a[0], b[0]) if a[1] < b[3] and b[1] < a[3] else 0.0


def points_of(tree):
    """Every end of a line, corner and text in the shapes' own commands M, L and the letters' x and y."""
    for node in tree.iter():
        if node.tag == "text" or node.tag == "circle":
            x, y = (node.get(name) or node.get("c" + name) for name in "xy")
            yield float(x), float(y)
        for x, y in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", node.get("d") or ""):
            yield float(x), float(y)
