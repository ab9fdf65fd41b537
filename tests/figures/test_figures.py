"""Figures: from the trace, inside their frame, black and white, escaped, told in words, nothing leaked."""

import io
import math
import re

import numpy as np
import pdfplumber
import pytest

from generator.basics import fonts
from generator.figures.drawing import hatching
from generator.figures.weights import full_side, ribbons, weight_squares
from generator.options.course import COURSE
from generator.output.html import svg_of
from generator.output.pdf import write_pdf
from generator.sheet.whole_sheet import withheld
from generator.stations.embedding.figures import angle_fan, telling, word_bars
from generator.stations.generation.sampling import strip
from generator.stations.output.figures import (
    probability_bars,
    shown_words,
    telling_components,
)
from generator.stations.self_attention.attention_row import AttentionRow
from tests.figures.drawn import (
    EXTREMES,
    HOSTILE,
    WITHOUT,
    boxes_of,
    desk_of,
    figures_of,
    points_of,
    tree_of,
)
from tests.laid_out import KATZE


def test_every_station_of_the_example_has_its_picture():
    found = {station for station, _ in figures_of()}
    assert found >= {stop.id for stop in COURSE if not (stop.needs or stop.extra or stop.id == "S")}


def test_an_arrow_points_where_its_cosine_says():
    fan = angle_fan("Hund", {"Katze": 0.5}, desk_of().format, 2)
    assert "60°" in fan.drawing.text
    assert telling({str(k): k / 10 for k in range(9)}) == {"8": 0.8, "5": 0.5, "3": 0.3, "0": 0.0}


def test_the_drawn_components_put_the_predicted_word_ahead():
    vectors = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.9, 0.0, 2.0]])
    assert telling_components(vectors, np.array([1.0, 0.2, 1.0])) in ((0, 2), (1, 2))


def page(figure, medium="pdf"):
    css = f"<style>{fonts.font_css('pdf')}</style>"
    head = f'<!doctype html><html lang="de"><head><title>x</title>{css}</head>'
    return f"{head}<body>{svg_of(figure, medium)}</body></html>"


SHEETS = [
    *EXTREMES,
    (KATZE, {"gewichte": "gelernt", "heads": 1}),
    (KATZE, {"gewichte": "gelernt", "stationen": ("4a",), "zeit": 45}),
    (KATZE, {"gewichte": "gelernt", "zielsatz": "The cat sits on the mat", "lernen": "alles"}),
    (KATZE, {"gewichte": "dezimal", "dimension": 6, "heads": 3, "bloecke": 2, "maske": False}),
]


@pytest.mark.parametrize(("sentence", "options"), SHEETS)
def test_figures_are_well_formed_inside_their_frame_and_fit_a_page(sentence, options):
    """What stands beyond it is cut off on paper, unseen by whoever reads the words alone."""
    for station, figure in figures_of(sentence, **options):
        assert figure.width <= 165, (station, figure.title)
        assert figure.height <= 235, (station, figure.title)
        for drawing in filter(None, (figure.drawing, figure.empty)):
            assert set(re.findall(r"(?<!&)#\w+", str(drawing.shapes))) <= {"#000", "#fff"}
            assert "opacity" not in drawing.shapes
            for x, y in points_of(tree_of(figure, drawing)):
                assert -0.01 <= x <= figure.width + 0.01, (station, figure.title)
                assert -0.01 <= y <= figure.height + 0.01, (station, figure.title)


def test_words_of_the_user_stay_words():
    html = page(word_bars(desk_of(HOSTILE), range(desk_of(HOSTILE).n)), "screen")
    assert html.count("</svg>") == 1
    assert "&lt;" in html
    assert ">&<" not in html


def test_a_screen_and_a_pdf_tell_the_whole_figure_in_our_font():
    figure = ribbons(desk_of(), WITHOUT, 1)
    assert "Gewichte von „Katze“" in figure.title
    assert "„Matte“ 0,27" in figure.drawing.text
    seen = page(figure, "screen")
    assert 'role="img"' in seen
    assert f"<title>{figure.title}</title><desc>{figure.drawing.text}</desc>" in seen
    with pdfplumber.open(io.BytesIO(write_pdf(page(figure), title="x").data)) as pdf:
        assert f"{figure.title}: {figure.drawing.text}" in str(pdf.structure_tree)
        assert all("Papierformer" in char["fontname"] for char in pdf.pages[0].chars)


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
    of = AttentionRow(desk, "unmasked.head1.", desk.n - 1)
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


def test_hatching_stays_inside():
    for pattern in "/\\x-|+":
        path = hatching((10, 20), (7, 3), pattern, 0.9)
        ends = [tuple(map(float, end)) for end in re.findall(r"(-?[\d.]+) (-?[\d.]+)", path)]
        assert ends
        assert all(9.99 <= x <= 17.01 and 19.99 <= y <= 23.01 for x, y in ends)


def test_a_grid_and_perpendiculars_are_thick_enough_to_be_copied_twice():
    grid = [
        node
        for node in tree_of(weight_squares(desk_of(), WITHOUT)).iter("path")
        if node.get("fill") == "none"
    ]
    (steps,) = (figure for _, figure in figures_of(stationen="4a") if "Suchen" in str(figure.drawing.shapes))
    dashed = [node for node in tree_of(steps).iter("path") if node.get("stroke-dasharray")]
    for strokes in (grid, dashed):
        assert strokes
        assert all(float(node.get("stroke-width")) >= 0.35 for node in strokes)


def test_a_point_on_the_line_from_0_to_1_crosses_no_word():
    """A word stands beside the point's line where its piece has room there, else in its middle."""
    numbers = desk_of().format
    for random, ends in ((0.3, (0.6, 1.0)), (0.75, (0.6, 0.9, 1.0)), (0.5, (0.5, 1.0))):
        figure = strip(("Ball", "im", "auf")[: len(ends)], ends, random, numbers)
        x = 3.0 + (figure.width - 6.0) * random
        boxes = {word: box for word, box in boxes_of(figure.drawing) if word in ("Ball", "im", "auf")}
        assert len(boxes) == len(ends)
        assert not [word for word, (left, _, right, _) in boxes.items() if left < x < right]
