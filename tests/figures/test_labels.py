"""Words in figures stand beside what they name, and none covers another."""

import math
import re
from itertools import combinations

import pytest

from generator.figures.drawing import shortened, text_width
from generator.figures.weights import ribbons, weight_squares
from generator.sheet.whole_sheet import withheld
from generator.stations.embedding.figures import angle_fan
from generator.stations.output.figures import (
    probability_bars,
    word_plane,
)
from generator.stations.self_attention.attention_row import AttentionRow
from generator.stations.self_attention.mixing import own_picture, pictures
from tests.figures.drawn import (
    EXTREMES,
    HOSTILE,
    MASKED,
    WITHOUT,
    boxes_of,
    desk_of,
    overlap_of,
    points_of,
    tree_of,
)
from tests.laid_out import KATZE, LONG, sheet_of

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
    figure = angle_fan("Lehrerin", cosines, desk_of().format, 2)
    tree = tree_of(figure)
    lines = [points_of(node) for node in tree.iter("path") if node.get("stroke-width") == "0.22"]
    labels = [node for node in tree.iter("text") if node.text.endswith("°")]
    boxes = [box for text, box in boxes_of(figure.drawing) if text.endswith("°")]
    assert len(lines) == len(labels) == len(angles)
    for (start, end), node, (left, top, right, foot) in zip(map(tuple, lines), labels, boxes, strict=True):
        across, up = start[0] - 52, 38 - start[1]
        assert f"{abs(math.degrees(math.atan2(up, across))):.0f}°" == node.text.split(" ")[-1]
        assert left - 1.0 <= end[0] <= right + 1.0
        assert top - 1.0 <= end[1] <= foot + 1.0
        assert 0 <= left < right <= 104
    for one, other in combinations(boxes, 2):
        assert overlap_of(one, other) <= 0


def test_a_punctuation_mark_alone_is_quoted_in_the_fan():
    labels = {node.text for node in tree_of(angle_fan("!", {".": 0.5}, desk_of().format, 2)).iter("text")}
    assert {"„!“", "„.“ 60°"} <= labels


CROWDED = [
    *((sentence, options) for sentence, options in EXTREMES if sentence != HOSTILE),
    (LONG, {"gewichte": "dezimal"}),
    ("Die Maus und die Maus und die Maus", {"positionen": False, "dimension": 6, "heads": 3}),
    ("Der Hund sieht den Hund", {"gewichte": "dezimal", "heads": 1}),
    ("Wo schläft der müde Hund?", {"gewichte": "dezimal", "dimension": 2, "heads": 2}),
    *((("Der alte Hund jagt heute den roten Ball im Garten"), {"gewichte": style, "startwert": seed})
      for seed, style in enumerate(("dezimal", "ganzzahlig"), 1)),
    ("Der Donaudampfschifffahrtskapitän liebt die Kraftfahrzeughaftpflichtversicherung", {}),
    (KATZE, {"gewichte": "dezimal", "skalierung": False}),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "options"), CROWDED)
def test_no_two_labels_of_attention_overlap(sentence, options):
    desk = desk_of(sentence, **options)
    for token in range(0, desk.n, max(1, desk.n // 5)):
        of = AttentionRow(desk, "unmasked.head1.", token)
        labels_stay_apart(*pictures(of), own_picture(of), weight_squares(desk, MASKED, [token]),
                          ribbons(desk, WITHOUT, token, below=MASKED, notes=("ohne", "mit")))  # fmt: skip


@pytest.mark.parametrize("options", [{}, {"heads": 1, "dimension": 4}])
def test_labels_of_exchanged_sentences_stay_apart(options):
    sheet, _ = sheet_of(gewichte="gelernt", stationen="8", **options)
    m = sheet.stations[0].parts.exchanged
    labels_stay_apart(*filter(None, (m.own, *m.others, m.mix)))


def labels_stay_apart(*figures):
    for figure in figures:
        for drawing in filter(None, (figure.drawing, figure.empty)):
            for (one, a), (other, b) in combinations(boxes_of(drawing), 2):
                apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
                assert apart or overlap_of(a, b) < 0.05, (figure.title, one, other)


def test_long_words_are_cut_to_their_room():
    assert shortened("Matte", 20) == "Matte"
    cut = shortened("Donaudampfschifffahrtskapitän", 20)
    assert cut.endswith("…")
    assert text_width(cut) <= 20


@pytest.mark.parametrize("style", ["gelernt", "dezimal", "auswahl"])
def test_names_in_the_plane_stay_apart_and_are_those_of_the_likeliest_words(style):
    _, desk = sheet_of(stationen="8", gewichte=style)
    last, vectors = f"block{desk.sizes.n_blocks}.norm2.output", desk.calculation.model.vocabulary_embedding
    figure = word_plane(desk, vectors, last, desk.n - 1, [0], blank=True)
    boxes = [box for text, box in boxes_of(figure.drawing) if text in {*desk.vocabulary}]
    assert len(boxes) <= 7
    assert all(overlap_of(a, b) < 0.05 for a, b in combinations(boxes, 2))


STROKE = re.compile(r'<path d="M(\S+) (\S+?)L(\S+) (\S+?)"')


@pytest.mark.parametrize(
    "sentence",
    [pytest.param("Im Winter füttert mein Opa die Vögel im Park", marks=pytest.mark.thorough), KATZE],
)
def test_words_in_the_plane_stand_on_no_line(sentence):
    sheet, _ = sheet_of(sentence, stationen="8", gewichte="gelernt")
    drawing = withheld(sheet.stations[0].parts.plane).drawing
    for x, y, u, v in ([float(side) for side in line] for line in STROKE.findall(str(drawing.shapes))):
        for word, (left, top, right, bottom) in boxes_of(drawing):
            on = [k for k in range(101) if left < x + (u - x) * k / 100 < right
                  and top < y + (v - y) * k / 100 < bottom]  # fmt: skip
            assert on == [], word
    assert "." not in [word for word, _ in boxes_of(drawing)]


def test_a_number_beside_a_bar_is_not_crossed_by_the_line_at_1():
    _, desk = sheet_of(stationen="8", temperatur=(0.03, 0.04, 1))
    figure = probability_bars(desk)
    shapes = tree_of(figure)
    texts = [text for text in shapes.iter("text") if re.fullmatch(r"[01],\d{3}", "".join(text.itertext()))]
    ends = {float(text.get("x")) for text in shapes.iter("text") if "".join(text.itertext()) == "1,0"}
    assert texts
    assert ends
    for text in texts:
        start = float(text.get("x"))
        assert not [end for end in ends if start < end < start + text_width("".join(text.itertext()), 2.6)]


@pytest.mark.parametrize(("sentence", "options"), CROWDED[:3])
def test_letters_are_large_enough_and_end_before_the_dot_that_they_name(sentence, options):
    desk = desk_of(sentence, **options)
    of = AttentionRow(desk, "unmasked.head1.", desk.n - 1)
    for figure in (*pictures(of), own_picture(of)):
        tree = tree_of(figure)
        assert min(float(node.get("font-size")) for node in tree.iter("text")) >= 2.6
        black = [node for node in tree.iter("circle") if node.get("fill") == "#000"]
        dots = [tuple(float(node.get(name)) for name in ("cx", "cy", "r")) for node in black]
        for text, (left, top, right, bottom) in boxes_of(figure.drawing):
            for x, y, radius in dots:
                away = math.hypot(max(left - x, 0, x - right), max(top - y, 0, y - bottom))
                assert away > radius + 0.1 or text.isdigit(), (figure.title, text)
