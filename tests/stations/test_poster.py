"""The poster: large, without what the sheet asks for, nothing of the trace is wrong, too much is refused."""

from itertools import combinations

import pytest
from laid_out import KATZE, sheet_of

from generator.basics.errors import UserError
from generator.options.limits import for_poster
from generator.options.options import Options
from generator.sheet.whole_sheet import withheld
from generator.stations.poster import halves, poster
from tests.figures.drawn import boxes_of, overlap_of, tree_of

GLUE = "Klebekante: hier das rechte Blatt auflegen"


def texts(drawing):
    return [text for text, _ in boxes_of(drawing)]


@pytest.mark.parametrize("stations", [(), ("4a",), ("4b", "8")])
def test_what_the_sheet_asks_for_is_left_to_the_class_and_the_key_has_it(stations):
    _, desk = sheet_of(gewichte="dezimal", stationen=stations)
    figure, last = poster(desk), desk.n - 1
    kept, whole, left = texts(figure.empty), texts(figure.drawing), 0
    for head in (1, 2):
        name = f"block1.head{head}.weight"
        weights = [number.text for number in desk.numbers(name, last)]
        assert all(whole.count(text) >= weights.count(text) for text in weights)
        said = f"Head {head}: " + ", ".join(f"„{w}“ {t}" for w, t in zip(desk.words, weights, strict=True))
        assert said in figure.drawing.text
        asked = any(desk.asks(name, last, j) for j in range(desk.n))
        assert (said in figure.empty.text) == (not asked)
        left += asked
    assert sum("Bögen" in text for text in kept) == left  # how wide they are to be drawn
    predicted = desk.calculation.predicted()
    best = desk.number("temperature1.probability", predicted).text
    assert {desk.vocabulary[predicted], best} <= {*whole}
    assert best not in kept


@pytest.mark.parametrize("options", [{}, {"dimension": 8, "gewichte": "dezimal"}, {"heads": 1}])
def test_it_is_read_from_three_metres_and_its_labels_stay_apart(options):
    """Words and question are letters of 12 mm and more, nothing but the foot has less than 7 mm."""
    _, desk = sheet_of(**options)
    drawing = poster(desk).drawing
    shapes = tree_of(drawing)
    scale = float(shapes[0].get("transform").removeprefix("scale(").rstrip(")"))
    drawn = sorted((scale * float(node.get("font-size")), node.text) for node in shapes.iter("text"))
    sizes = {text: size for size, text in drawn}
    assert drawn[0][0] >= 7
    assert min(sizes[word] for word in desk.words) >= 9
    assert sizes[f"Wem hört „{desk.words[-1]}“ zu?"] >= 12
    for (one, a), (other, b) in combinations(boxes_of(drawing), 2):
        assert overlap_of(a, b) < 0.3, (one, other)


def test_the_halves_are_the_whole_and_withhold_the_same():
    _, desk = sheet_of(gewichte="dezimal")
    figure, (left, right) = poster(desk), halves(desk)
    assert left.width - 8 + right.width == figure.width
    assert {*texts(left.drawing)} - {*texts(figure.drawing)} == {GLUE}
    assert texts(right.drawing) == texts(figure.drawing)
    shown = [text for half in withheld((left, right)) for text in texts(half.drawing)]
    assert {*shown} == {*texts(figure.empty), GLUE}


@pytest.mark.parametrize("options", [{"dimension": 12}, {"bloecke": 2}, {"satz": "Der Hund " * 7}])
def test_what_nobody_could_read_is_refused_in_a_sentence(options):
    with pytest.raises(UserError, match=r"--plakat geht bis 12 Token, --dimension 8 und einen Block"):
        for_poster(Options(**{"satz": KATZE, "plakat": "a3", **options}))
