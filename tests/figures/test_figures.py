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
from generator.figures.drawing import Canvas, hatching, shortened, text_width
from generator.figures.weights import full_side, ribbons, weight_squares
from generator.options.options import Options
from generator.output.pdf import write_pdf
from generator.output.render import environment
from generator.sheet.record import Recorder
from generator.sheet.whole_sheet import withheld
from generator.stations.byte_pairs.parts import merge_tree
from generator.stations.embedding.figures import angle_fan, telling, word_bars
from generator.stations.feed_forward.station import network, relu_graph
from generator.stations.generation.sampling import pieces_with_needle
from generator.stations.make_sheet import build_sheet
from generator.stations.masked_attention.station import joined_heads
from generator.stations.model_map.station import data_flow
from generator.stations.output.figures import (
    probability_bars,
    shown_words,
    telling_components,
    word_plane,
)
from generator.stations.positions.figures import position_clocks, position_curves
from generator.stations.self_attention.figures import attention_flow
from generator.stations.self_attention.listening import Listener
from generator.stations.self_attention.mixing import own_picture, pictures

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
        "probabilities": probability_bars(desk, blank=True),
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
        "network": network(desk, "block1.ffn.", desk.example),
        "relu": relu_graph(desk, "block1.ffn.", desk.example),
        "plane": word_plane(
            desk, desk.calculation.model.vocabulary_embedding, last, desk.n - 1, [0], blank=True
        ),
        "pieces": pieces_with_needle(["a", "b"], [0.4, 1.0], 0.65, desk.format),
    }
    return {name: figure for name, figure in pictures.items() if figure is not None}


def test_every_station_of_the_example_has_its_picture():
    assert len(pictures_of_the_stations(desk_of())) == 12


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
    figure = ribbons(desk_of(), WITHOUT, 1)
    html = page(figure, medium)
    title = re.search("<title>(Gewichte.*?)</title>", html)[1]
    told = title if medium == "pdf" else re.search("<desc>(.*?)</desc>", html)[1]
    assert 'role="img"' in html
    assert "Gewichte von „Katze“" in title
    assert "„Matte“ 0,27" in told


def test_the_pdf_tells_the_whole_figure_in_our_font():
    figure = ribbons(desk_of(), WITHOUT, 1)
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
    for figure in (ribbons(desk, WITHOUT, 1, blank=True), probability_bars(desk, blank=True)):
        shown = withheld(figure)
        numbers = set(re.findall(r"0,\d+", figure.drawing.text))
        assert numbers
        legend = {"0,0", "0,5"}
        assert not (numbers - legend) & set(
            re.findall(r"0,\d+", f"{shown.drawing.shapes}{shown.drawing.text}")
        )


def test_withheld_pictures_of_two_models_look_alike():
    """The worksheet's picture does not depend on what is withheld: other weights, same picture."""
    desks = [desk_of(gewichte=style) for style in ("ganzzahlig", "dezimal")]
    one, other = (withheld(ribbons(desk, WITHOUT, 1, blank=True)) for desk in desks)
    assert one == other
    one, other = (withheld(weight_squares(desk, WITHOUT, range(desk.n))) for desk in desks)
    assert one == other


def test_all_numbers_are_the_traces():
    desk = desk_of()
    texts = [node.text for node in tree_of(ribbons(desk, WITHOUT, 1)).iter("text")]
    for j in range(desk.n):
        assert desk.number(WITHOUT, 1, j).text in texts
    bars = probability_bars(desk)
    texts = [node.text for node in tree_of(bars).iter("text")]
    for t in ("0.5", "1", "2"):
        for word in shown_words(desk, 3):
            assert desk.number(f"temperature{t}.probability", word).text in texts


def test_ink_is_the_weight():
    """A ribbon's foot is as wide as its weight, and a square's area is the weight."""
    desk = desk_of()
    weights = desk.quantity(WITHOUT).values[1]
    feet = {}
    for node in tree_of(ribbons(desk, WITHOUT, 1)).iter("path"):
        if node.get("fill") == "#000" and "C" in node.get("d"):
            start, *_, end = (float(x) for x in re.findall(r"(-?[\d.]+) [\d.-]+", node.get("d")))
            feet[round(min(start, end) * 6 / 165 - 0.5 + abs(end - start) * 3 / 165)] = abs(end - start)
    assert set(feet) == {0, 2, 3, 4, 5}
    assert all(wide == pytest.approx(12 * weights[j], abs=0.02) for j, wide in feet.items())
    black = [
        node for node in tree_of(weight_squares(desk, WITHOUT)).iter("path") if node.get("fill") == "#000"
    ]
    sides = [float(re.search(r"h([\d.]+)", node.get("d"))[1]) for node in black]
    shares = desk.quantity(WITHOUT).values.ravel()
    side = full_side(desk.n)
    assert sides == pytest.approx([side * math.sqrt(w) for w in shares if w > 0], abs=0.01)


def test_the_perpendicular_of_every_key_meets_the_axis_at_its_score():
    """Of the drawn points, in the measures of the picture: right of q as far as the score, beside it as far
    as the key stands off q; and o inside the polygon of the values.
    """
    desk = desk_of(gewichte="dezimal")
    of = Listener(desk, "unmasked.head1.", desk.n - 1)
    keys, q = (desk.quantity(f"unmasked.head1.{name}").values for name in ("key", "query"))
    q = q[desk.n - 1]
    assert of.across is not None
    for j, score in of.scores().items():
        along, beside = score * math.sqrt(2), of.across[j] * math.sqrt(2)
        assert along == pytest.approx(float(keys[j] @ q), abs=0.05)
        assert math.hypot(along, beside) == pytest.approx(math.hypot(*keys[j]) * math.hypot(*q), abs=0.05)
    points, (x, y) = of.points(), of.output()
    assert min(p[0] for p in points.values()) <= x <= max(p[0] for p in points.values())
    assert min(p[1] for p in points.values()) <= y <= max(p[1] for p in points.values())


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


CROWDED = [
    *((sentence, options) for sentence, options in EXTREMES if sentence != HOSTILE),
    (LONG, {"gewichte": "dezimal"}),
    ("Die Maus und die Maus und die Maus", {"positionen": False, "dimension": 6, "heads": 3}),
    ("Der Hund sieht den Hund", {"gewichte": "dezimal", "heads": 1}),
    ("Wo schläft der müde Hund?", {"gewichte": "dezimal", "dimension": 2, "heads": 2}),
    *((("Der alte Hund jagt heute den roten Ball im Garten"), {"gewichte": style, "startwert": seed})
      for style in ("dezimal", "ganzzahlig") for seed in (1, 2, 3)),
    ("Der Donaudampfschifffahrtskapitän liebt die Kraftfahrzeughaftpflichtversicherung", {}),
    *((KATZE, {"gewichte": "dezimal", "startwert": seed, "skalierung": False}) for seed in (1, 2, 3)),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "options"), CROWDED)
def test_no_two_labels_of_attention_overlap(sentence, options):
    desk = desk_of(sentence, **options)
    for token in range(0, desk.n, max(1, desk.n // 5)):
        of = Listener(desk, "unmasked.head1.", token)
        figures = (*pictures(of), own_picture(of), weight_squares(desk, MASKED, [token]),
                   ribbons(desk, WITHOUT, token, below=MASKED, notes=("ohne", "mit")))  # fmt: skip
        for figure in figures:
            for drawing in filter(None, (figure.drawing, figure.empty)):
                for (one, a), (other, b) in combinations(boxes_of(drawing), 2):
                    apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
                    assert apart or overlap_of(a, b) < 0.05, (figure.title, one, other)


def overlap_of(a, b):
    return min(a[2], b[2]) - max(a[0], b[0]) if a[1] < b[3] and b[1] < a[3] else 0.0


def test_the_mask_hides_later_words():
    desk = desk_of()
    shapes = tree_of(ribbons(desk, WITHOUT, 1, below=MASKED))
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


@pytest.mark.parametrize("style", ["gelernt", "dezimal", "auswahl"])
def test_names_in_the_plane_stay_apart_and_are_those_of_the_likeliest_words(style):
    desk = build_sheet(build(Options(satz=KATZE, stationen="8", gewichte=style)))[1]
    last, vectors = f"block{desk.sizes.n_blocks}.norm2.output", desk.calculation.model.vocabulary_embedding
    figure = word_plane(desk, vectors, last, desk.n - 1, [0], blank=True)
    boxes = [box for text, box in boxes_of(figure.drawing) if text in {*desk.vocabulary}]
    assert len(boxes) <= 7
    assert all(overlap_of(a, b) < 0.05 for a, b in combinations(boxes, 2))


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
