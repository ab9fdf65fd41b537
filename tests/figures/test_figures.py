"""Figures are the trace's, legible, told in words, and leak nothing; frames: sheets/test_every_station."""

import math
import re
from itertools import combinations, pairwise

import pytest

from generator.figures.weights import full_side, ribbons, weight_squares
from generator.output.html import svg_of
from generator.sheet.sheet import Figure, walk
from generator.sheet.whole_sheet import withheld
from generator.stations.embedding.figures import angle_fan
from generator.stations.output.figures import probability_bars, shown_words
from generator.stations.self_attention.attention_row import AttentionRow
from generator.stations.self_attention.mixing import own_picture, pictures
from tests.figures.drawn import boxes_of, overlap_of, tree_of
from tests.laid_out import KATZE, LONG, sheet_of

WITHOUT, MASKED = "unmasked.head1.weight", "block1.head1.weight"


def desk_of(sentence=KATZE, **options):
    return sheet_of(sentence, stationen="4a", **options)[1]


def texts_of(figure):
    return [text for text, _ in boxes_of(figure.drawing)]


def paths_of(figure, **attributes):
    """The paths with these attributes."""
    wanted = {name.replace("_", "-"): value for name, value in attributes.items()}.items()
    return [node for node in tree_of(figure.drawing).iter("path") if wanted <= node.attrib.items()]


def test_a_screen_shows_the_whole_figure_in_words_too():
    figure = ribbons(desk_of(), WITHOUT, 1)
    assert "Gewichte von „Katze“" in figure.title
    assert "„Matte“ 0,27" in figure.drawing.text
    seen = svg_of(figure, "screen")
    assert 'role="img"' in seen
    assert f"<title>{figure.title}</title><desc>{figure.drawing.text}</desc>" in seen


def test_withheld_pictures_of_two_models_look_alike():
    """The worksheet's picture does not depend on what is withheld: other weights, same picture."""
    desks = [desk_of(gewichte=style) for style in ("ganzzahlig", "dezimal")]
    one, other = (withheld(ribbons(desk, WITHOUT, 1, blank=True)) for desk in desks)
    assert one == other
    one, other = (withheld(weight_squares(desk, WITHOUT, range(desk.n))) for desk in desks)
    assert one == other


def test_all_numbers_are_the_traces():
    desk = desk_of()
    assert {desk.number(WITHOUT, 1, j).text for j in range(desk.n)} <= {*texts_of(ribbons(desk, WITHOUT, 1))}
    bars = {desk.number(f"temperature{t}.probability", w).text
            for t in ("0.5", "1", "2") for w in shown_words(desk, 3)}  # fmt: skip
    assert bars <= {*texts_of(probability_bars(desk))}


def test_ink_is_the_weight():
    """A ribbon's foot is as wide as its weight, and a square's area is the weight."""
    desk = desk_of()
    weights = desk.quantity(WITHOUT).values
    feet, lands = {}, []
    for node in paths_of(ribbons(desk, WITHOUT, 1), fill="#000"):
        if "C" in node.get("d"):
            start, *inside, end = (float(x) for x in re.findall(r"(-?[\d.]+) [\d.-]+", node.get("d")))
            lands.append(sorted(inside[2:4]))
            feet[round(min(start, end) * 6 / 165 - 0.5 + abs(end - start) * 3 / 165)] = abs(end - start)
    assert set(feet) == {0, 2, 3, 4, 5}
    assert all(before <= after + 0.02 for (_, before), (after, _) in pairwise(sorted(lands)))  # side by side
    assert all(wide == pytest.approx(12 * weights[1, j], abs=0.02) for j, wide in feet.items())
    black = paths_of(weight_squares(desk, WITHOUT), fill="#000")
    sides = [float(re.search(r"h([\d.]+)", node.get("d"))[1]) for node in black]
    side = full_side(desk.n, desk.n)
    assert sides == pytest.approx([side * math.sqrt(w) for w in weights.ravel() if w > 0], abs=0.01)


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
    for side, o in enumerate(of.output()):
        values = [point[side] for point in of.points().values()]
        assert min(values) <= o <= max(values)


def test_a_grid_and_perpendiculars_are_thick_enough_to_be_copied_twice():
    sheet, desk = sheet_of(stationen="4a")
    (steps,) = (each for each in walk(sheet, Figure) if "Suchen" in str(each.drawing.shapes))
    dashed = [node for node in paths_of(steps) if node.get("stroke-dasharray")]
    for strokes in (paths_of(weight_squares(desk, WITHOUT), fill="none"), dashed):
        assert strokes
        assert all(float(node.get("stroke-width")) >= 0.35 for node in strokes)


@pytest.mark.parametrize(
    ("sentence", "options"),
    [
        (LONG, {"gewichte": "dezimal"}),
        ("Die Maus und die Maus und die Maus", {"positionen": False, "dimension": 6, "heads": 3}),
        ("Wo schläft der müde Hund?", {"gewichte": "dezimal", "dimension": 2, "heads": 2}),
        ("Der alte Hund jagt heute den roten Ball im Garten", {"gewichte": "ganzzahlig", "startwert": 2}),
    ],
)
def test_labels_of_attention_are_large_and_cover_neither_each_other_nor_a_dot(sentence, options):
    desk = desk_of(sentence, **options)
    for token in range(0, desk.n, max(1, desk.n // 4)):
        of = AttentionRow(desk, "unmasked.head1.", token)
        named = (*pictures(of), own_picture(of))
        two = ribbons(desk, WITHOUT, token, below=MASKED, notes=("ohne", "mit"))
        for figure in (*named, weight_squares(desk, MASKED, [token]), two):
            drawing = figure.drawing
            for (one, a), (other, b) in combinations(boxes_of(drawing), 2):
                assert overlap_of(a, b) < 0.05, (figure.title, one, other)
            tree = tree_of(drawing)
            dots = [[float(node.get(name)) for name in ("cx", "cy", "r")]
                    for node in tree.iter("circle") if node.get("fill") == "#000"]  # fmt: skip
            for text, (left, top, right, bottom) in (
                boxes_of(drawing) if figure in named and of.across else ()
            ):
                for x, y, radius in dots:
                    away = math.hypot(max(left - x, 0, x - right), max(top - y, 0, y - bottom))
                    assert away > radius + 0.1 or text.isdigit(), (figure.title, text)
            sizes = [float(node.get("font-size")) for node in tree.iter("text")]
            assert min(sizes) >= 2.6 or figure not in named


STROKE = re.compile(r'<path d="M(\S+) (\S+?)L(\S+) (\S+?)"')


def test_words_in_the_plane_stand_on_no_line():
    sheet, _ = sheet_of(stationen="8", gewichte="gelernt")
    drawing = withheld(sheet.stations[0].parts.plane).drawing
    assert "Matte" in [word for word, _ in boxes_of(drawing)]
    for x, y, u, v in ([float(side) for side in line] for line in STROKE.findall(str(drawing.shapes))):
        points = [(x + (u - x) * k / 100, y + (v - y) * k / 100) for k in range(101)]
        for word, (left, top, right, bottom) in boxes_of(drawing):
            assert not [1 for a, b in points if left < a < right and top < b < bottom], word


@pytest.mark.parametrize(
    "angles",
    [{"heute": 91, "Wetter": 102, "das": 61, "Ball": 56}, {"Hund": 0, "Katze": 0, "Maus": 1, "Tier": 2}],
)
def test_every_arrow_of_the_fan_stands_at_its_angle_and_is_joined_to_its_label(angles):
    cosines = {word: math.cos(math.radians(angle)) for word, angle in angles.items()}
    figure = angle_fan("Lehrerin", cosines, desk_of().format, 2)
    nodes = paths_of(figure, stroke_width="0.22")
    lines = [[float(x) for x in re.findall(r"-?[\d.]+", node.get("d"))] for node in nodes]
    labels = [(text, box) for text, box in boxes_of(figure.drawing) if text.endswith("°")]
    assert len(lines) == len(labels) == len(angles)
    for (x, y, u, v), (text, (left, top, right, foot)) in zip(lines, labels, strict=True):
        word, said = text.rsplit(" ", 1)
        assert said == f"{abs(math.degrees(math.atan2(38 - y, x - 52))):.0f}°" == f"{angles[word]}°"
        assert (left - 1 <= u <= right + 1, top - 1 <= v <= foot + 1) == (True, True), text
