"""Figures: from the trace, inside their frame, black and white, escaped, told in words, nothing leaked."""

import io
import math
import re
from itertools import combinations
from xml.etree import ElementTree

import numpy as np
import pdfplumber
import pytest

from generator.basics import fonts
from generator.calculation.build import build
from generator.figures.add_norm import bypass, norm_lines
from generator.figures.arcs import attention_arcs, sentence_arcs
from generator.figures.drawing import Canvas, hatching, shortened, text_width
from generator.options.options import Options
from generator.output.pdf import write_pdf
from generator.output.render import environment
from generator.sheet.record import Recorder
from generator.sheet.whole_sheet import withheld
from generator.stations.embedding.figures import angle_fan, telling, word_bars
from generator.stations.feed_forward.figures import network, relu_graph
from generator.stations.generation.figures import pieces_with_needle
from generator.stations.make_sheet import build_sheet
from generator.stations.masked_attention.figures import joined_heads
from generator.stations.model_map.figures import data_flow
from generator.stations.output.figures import (
    LABEL,
    placed_labels,
    probability_bars,
    telling_components,
    word_plane,
)
from generator.stations.positions.figures import position_clocks, position_curves
from generator.stations.self_attention.figures import attention_flow, notice_board
from generator.stations.tokenizer.figures import merge_tree

KATZE = "Die Katze sitzt auf der Matte"
HOSTILE = "Der <b>\"&amp;'Hund</b> bellt </svg> laut"
LONG = (
    "Ein alter Mann und eine junge Frau gehen heute mit ihrem Donaudampfschifffahrtskapitän langsam über "
    "die lange Brücke nach Hause , weil es bald regnet"
)
WITHOUT = "unmasked.head1.weight"
MASKED = "block1.head1.weight"
LABELS = ["sin(pos : 1)", "cos(pos : 1)", "sin(pos : 100)", "cos(pos : 100)"]


def desk_of(sentence=KATZE, **options):
    return build_sheet(build(Options(satz=sentence, stationen="4a", **options)))[1]


def all_figures(desk):
    exercises = desk.exercises
    return {
        "curves": position_curves(desk, LABELS[: desk.sizes.d_model], exercises),
        "bars": word_bars(desk, range(desk.n), exercises),
        "arcs": attention_arcs(desk, WITHOUT, desk.example),
        "two arcs": attention_arcs(desk, WITHOUT, desk.n - 1, below=MASKED, notes=("ohne", "mit")),
        "probabilities": probability_bars(desk, blank=True),
        **pictures_of_the_stations(desk),
    }


def pictures_of_the_stations(desk):
    """One small picture for each station; None where a model is too large for it."""
    last, first = f"block{desk.sizes.n_blocks}.norm2.output", "block1.norm1."
    cosines = {word: 0.3 * k - 0.9 for k, word in enumerate(desk.vocabulary[:7])}
    letters = ("x", "a", "z")
    pictures = {
        "sentence": sentence_arcs(desk, WITHOUT, desk.exercises),
        "flow": data_flow(desk),
        "tree": merge_tree(["_", "B", "e", "t", "t"], [(1, "Be", 1), (2, "tt", 3), (1, "Bett", 7)]),
        "angles": angle_fan(desk.words[0], telling(cosines), desk.format, 2),
        "clocks": position_clocks(desk, desk.exercises),
        "head": attention_flow(desk, masked=True),
        "board": notice_board(desk, "unmasked.head1.", desk.example),
        "joined": joined_heads(desk, desk.example),
        "bypass": bypass("Feed-Forward", letters),
        "norm": norm_lines(desk, "block1.residual1", first, desk.example, letters),
        "network": network(desk, "block1.ffn.", desk.example),
        "relu": relu_graph(desk, "block1.ffn.", desk.example),
        "plane": word_plane(
            desk, desk.calculation.model.vocabulary_embedding, last, desk.n - 1, [0], blank=True
        ),
        "pieces": pieces_with_needle(["a", "b"], [0.4, 1.0], 0.65, desk.format, blank=True),
    }
    return {name: figure for name, figure in pictures.items() if figure is not None}


def test_every_station_of_the_example_has_its_picture():
    assert len(pictures_of_the_stations(desk_of())) == 14


def test_an_arrow_points_where_its_cosine_says():
    fan = angle_fan("Hund", {"Katze": 0.5}, desk_of().format, 2)
    assert "60°" in fan.drawing.text
    assert telling({str(k): k / 10 for k in range(9)}) == {"8": 0.8, "5": 0.5, "3": 0.3, "0": 0.0}


CROWDS = [
    {"heute": 91, "Wetter": 102, "das": 61, ".": 56},
    {"Der": 81, "segelt": 70, "nach": 60, "Hause": 49},
    {"Kraftfahrzeug": 90, "Universität": 90, "Rindfleisch": 90, "Straßenbahn": 90},
    {"Hund": 0, "Katze": 0, "Maus": 1, "Tier": 2},
    {"Hund": 180, "Katze": 180, "Maus": 179, "Kraftfahrzeug": 178},
]


@pytest.mark.parametrize("angles", CROWDS)
def test_every_label_of_the_fan_is_joined_to_its_own_arrow_and_covers_no_other(angles):
    cosines = {word: math.cos(math.radians(angle)) for word, angle in angles.items()}
    tree = tree_of(angle_fan("Lehrerin", cosines, desk_of().format, 2))
    lines = [points_of(node) for node in tree.iter("path") if node.get("stroke-width") == "0.15"]
    labels = [node for node in tree.iter("text") if node.text.endswith("°")]
    boxes = [label_box(node) for node in labels]
    assert len(lines) == len(labels) == len(angles)
    for (start, end), node, (left, right, top, foot) in zip(map(tuple, lines), labels, boxes, strict=True):
        across, up = start[0] - 52, 38 - start[1]
        assert f"{abs(math.degrees(math.atan2(up, across))):.0f}°" == node.text.split(" ")[-1]
        assert left - 1.0 <= end[0] <= right + 1.0
        assert top - 1.0 <= end[1] <= foot + 1.0
        assert 0 <= left < right <= 104
    for one, other in combinations(boxes, 2):
        assert one[1] <= other[0] or other[1] <= one[0] or one[3] <= other[2] or other[3] <= one[2]


def label_box(node):
    """Left, right, top and foot of a short text, rather too wide."""
    x, y, width = float(node.get("x")), float(node.get("y")), text_width(node.text, 2.6)
    left = x - {"start": 0.0, "middle": 0.5, "end": 1.0}[node.get("text-anchor")] * width
    return left, left + width, y - 2.0, y + 0.6


def test_a_punctuation_mark_alone_is_quoted_in_the_fan():
    labels = {node.text for node in tree_of(angle_fan("!", {".": 0.5}, desk_of().format, 2)).iter("text")}
    assert {"„!“", "„.“ 60°"} <= labels


def test_the_drawn_components_put_the_predicted_word_ahead():
    vectors = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.9, 0.0, 2.0]])
    assert telling_components(vectors, np.array([1.0, 0.2, 1.0])) in ((0, 2), (1, 2))


def page(figure, medium="pdf"):
    source = (
        '{% import "blocks.html.j2" as b with context %}<!doctype html><html lang="de"><title>x</title>'
        "<style>{{ css|safe }}</style><body>{{ b.figure(figure) }}"
    )
    return environment().from_string(source).render(
        figure=figure, medium=medium, view="key", d={}, f={}, font_stack=fonts.TEXT_STACK, text_width=165,
        css=fonts.font_css("pdf"), record=Recorder(),
    )  # fmt: skip


def tree_of(figure, drawing=None):
    return ElementTree.fromstring(f"<svg>{(drawing or figure.drawing).shapes}</svg>")


def points_of(tree):
    """Every end of a line, corner and text in the shapes' own commands M, L and the letters' x and y."""
    for node in tree.iter():
        if node.tag == "text" or node.tag == "circle":
            x, y = (node.get(name) or node.get("c" + name) for name in "xy")
            yield float(x), float(y)
        for x, y in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", node.get("d") or ""):
            yield float(x), float(y)


EXTREMES = [
    (KATZE, {}),
    (HOSTILE, {"dimension": 6, "heads": 3}),
    ("Ach ja", {"dimension": 2, "heads": 1}),
    (LONG, {"dimension": 16, "nachkommastellen": 6, "temperatur": "0,01 1 2 3 4 5 6 1000"}),
    ("ha ha ha", {"startwert": 3}),
]


@pytest.mark.parametrize(("sentence", "options"), EXTREMES)
def test_figures_are_well_formed_inside_their_frame_and_fit_a_page(sentence, options):
    for name, figure in all_figures(desk_of(sentence, **options)).items():
        assert figure.width <= 165, name
        assert figure.height <= 235, name
        for drawing in filter(None, (figure.drawing, figure.empty)):
            for x, y in points_of(tree_of(figure, drawing)):
                assert -0.01 <= x <= figure.width + 0.01, name
                assert -0.01 <= y <= figure.height + 0.01, name


def test_only_black_and_white():
    for figure in all_figures(desk_of()).values():
        shapes = str(figure.drawing.shapes)
        assert set(re.findall(r"#\w+", shapes)) <= {"#000", "#fff"}
        assert "opacity" not in shapes


def test_words_of_the_user_stay_words():
    html = page(word_bars(desk_of(HOSTILE), range(desk_of(HOSTILE).n)), "screen")
    labels = {
        node.text for node in tree_of(word_bars(desk_of(HOSTILE), range(desk_of(HOSTILE).n))).iter("text")
    }
    assert any("<" in label for label in labels)
    assert any("&" in label for label in labels)
    assert html.count("</svg>") == 1
    assert "&lt;" in html
    assert ">&<" not in html


@pytest.mark.parametrize("medium", ["pdf", "screen"])
def test_title_and_description(medium):
    figure = attention_arcs(desk_of(), WITHOUT, 1)
    html = page(figure, medium)
    title = re.search("<title>(Gewichte.*?)</title>", html)[1]
    told = title if medium == "pdf" else re.search("<desc>(.*?)</desc>", html)[1]
    assert 'role="img"' in html
    assert "Gewichte von „Katze“" in title
    assert "„Matte“ 0,27" in told


def test_the_pdf_tells_the_whole_figure_in_our_font():
    figure = attention_arcs(desk_of(), WITHOUT, 1)
    with pdfplumber.open(io.BytesIO(write_pdf(page(figure), title="x").data)) as pdf:
        assert f"{figure.title}: {figure.drawing.text}" in str(pdf.structure_tree)
        assert all("Papierformer" in char["fontname"] for char in pdf.pages[0].chars)


@pytest.mark.parametrize(("sentence", "options"), EXTREMES)
def test_the_worksheet_shows_the_empty_figure_of_the_same_size(sentence, options):
    for name, figure in all_figures(desk_of(sentence, **options)).items():
        shown = withheld(figure)
        assert (shown.width, shown.height, shown.title) == (figure.width, figure.height, figure.title)
        assert shown.blank is False
        if figure.blank:
            assert shown.drawing == figure.empty, name
            assert len(shown.drawing.shapes) != len(figure.drawing.shapes), name


def test_withheld_weights_and_probabilities_are_nowhere():
    desk = desk_of()
    for figure in (sentence_arcs(desk, WITHOUT, range(desk.n)), probability_bars(desk, blank=True)):
        shown = withheld(figure)
        numbers = set(re.findall(r"0,\d+", figure.drawing.text))
        assert numbers
        legend = {"0,05", "0,15", "0,25", "0,40", "0,60", "0,80", "0,0", "0,5"}
        assert not (numbers - legend) & set(
            re.findall(r"0,\d+", f"{shown.drawing.shapes}{shown.drawing.text}")
        )


def test_withheld_arcs_of_two_sentences_look_alike():
    """The worksheet's figure does not depend on what is withheld: other weights, same picture."""
    pictures = []
    for style in ("ganzzahlig", "dezimal"):
        desk = desk_of(gewichte=style)
        figure = withheld(sentence_arcs(desk, WITHOUT, range(desk.n)))
        pictures.append(figure)
    assert pictures[0] == pictures[1]


def test_all_numbers_are_the_traces():
    desk = desk_of()
    arcs = attention_arcs(desk, WITHOUT, 1)
    texts = [node.text for node in tree_of(arcs).iter("text")]
    for j in range(desk.n):
        assert desk.number(WITHOUT, 1, j).text in texts
    bars = probability_bars(desk)
    texts = [node.text for node in tree_of(bars).iter("text")]
    for t in ("0.5", "1", "2"):
        for word in range(6):
            assert desk.number(f"temperature{t}.probability", word).text in texts


def test_a_larger_weight_has_a_thicker_arc():
    desk = desk_of()
    arcs = {
        float(node.get("d").split()[-2]): float(node.get("stroke-width"))
        for node in tree_of(attention_arcs(desk, WITHOUT, 1)).iter("path")
        if "A" in node.get("d")
    }
    weights = desk.quantity(WITHOUT).values[1]
    pitch = 165 / 6
    widths = [next(w for x, w in arcs.items() if abs(x - (j + 0.5) * pitch) < 2) for j in range(6)]
    for a in range(6):
        for b in range(6):
            assert weights[a] >= weights[b] or widths[a] <= widths[b]
    assert len(set(widths)) > 1


def test_the_mask_hides_later_words():
    desk = desk_of()
    shapes = tree_of(attention_arcs(desk, MASKED, 1))
    assert [node.text for node in shapes.iter("text")].count("–") == 4


def test_hatching_stays_inside_and_black_and_white_need_none():
    for pattern in "/\\x-|+":
        path = hatching((10, 20), (7, 3), pattern, 0.9)
        ends = [tuple(map(float, end)) for end in re.findall(r"(-?[\d.]+) (-?[\d.]+)", path)]
        assert ends
        assert all(9.99 <= x <= 17.01 and 19.99 <= y <= 23.01 for x, y in ends)
    canvas = Canvas()
    canvas.rectangle((0, 0), (5, 5), "black")
    assert canvas.shapes.count("<path") == 1


def test_long_words_are_cut_to_their_room():
    assert shortened("Matte", 20) == "Matte"
    cut = shortened("Donaudampfschifffahrtskapitän", 20)
    assert cut.endswith("…")
    assert text_width(cut) <= 20


def test_of_two_equal_weights_each_has_its_arc():
    desk = desk_of("die Maus und die Maus", positionen=False, maske=False)
    said = sentence_arcs(desk, MASKED, []).drawing.text.replace("\N{NO-BREAK SPACE}", " ")
    assert "„und“ auf „Maus (2)“ 0,20, „und“ auf „Maus (5)“ 0,20" in said


def test_a_name_in_the_plane_stands_off_the_axes_and_on_the_side_of_its_point():
    """Points at and beside the origin, where names have little room."""
    left, top, side = 8.0, 3.0, 50.0
    middle = (left + side / 2, top + side / 2)
    points = [(middle[0] + 1.25, middle[1]), middle, (middle[0], middle[1] - 3.75), (middle[0] + 6.25, 25.5)]
    arrow = (middle, (middle[0] + 10.75, middle[1] + 5.75))
    words = ("Der", "Hause", "nach", "alte")
    placed = {text: corner for corner, text in placed_labels(points, words, arrow)}
    assert sorted(placed) == sorted(words)
    for word, (x, base) in placed.items():
        right = x + text_width(word, LABEL)
        assert not x < middle[0] < right, word
        assert not base - LABEL * 0.8 < middle[1] < base, word
    assert placed["Der"][0] > middle[0]
    assert placed["alte"][1] < middle[1]


def test_a_number_beside_a_bar_is_not_crossed_by_the_line_at_1():
    desk = build_sheet(build(Options(satz=KATZE, stationen="8", temperatur=(0.03, 0.04, 1))))[1]
    figure = probability_bars(desk)
    shapes = ElementTree.fromstring(f"<svg>{figure.drawing.shapes}</svg>")
    texts = [text for text in shapes.iter("text") if re.fullmatch(r"[01],\d{3}", "".join(text.itertext()))]
    ends = {float(text.get("x")) for text in shapes.iter("text") if "".join(text.itertext()) == "1,0"}
    assert texts
    assert ends
    for text in texts:
        start = float(text.get("x"))
        assert not [end for end in ends if start < end < start + text_width("".join(text.itertext()), 2.6)]
