"""The poster: large, without what the sheet asks for, nothing of the trace is wrong, too much is refused."""

from itertools import combinations
from xml.etree import ElementTree

import pytest
from laid_out import KATZE, laid_out

from generator.basics.errors import UserError
from generator.commands.command_table import COMMANDS
from generator.options.command_line import read
from generator.options.limits import for_poster
from generator.options.options import Options
from generator.sheet.whole_sheet import withheld
from generator.stations.poster import halves, poster
from tests.figures.drawn import boxes_of, overlap_of


def desk_of(**options):
    return laid_out(Options(satz=KATZE, **options))[1]


def texts(drawing):
    return [text for text, _ in boxes_of(drawing)]


@pytest.mark.parametrize("stations", [(), ("4a",), ("4b", "8")])
def test_what_the_sheet_asks_for_is_left_to_the_class_and_the_key_has_it(stations):
    desk = desk_of(gewichte="dezimal", stationen=stations)
    figure, last = poster(desk), desk.n - 1
    kept, whole = texts(figure.empty), texts(figure.drawing)
    for head in (1, 2):
        name = f"block1.head{head}.weight"
        weights = [number.text for number in desk.numbers(name, last)]
        assert all(whole.count(text) >= weights.count(text) for text in weights)
        said = f"Head {head}: " + ", ".join(f"„{w}“ {t}" for w, t in zip(desk.words, weights, strict=True))
        assert said in figure.drawing.text
        asked = any(desk.asks(name, last, j) for j in range(desk.n))
        assert (said in figure.empty.text) == (not asked)
    predicted = desk.calculation.predicted()
    best = desk.number("temperature1.probability", predicted).text
    assert {desk.vocabulary[predicted], best} <= {*whole}
    assert best not in kept


def test_it_is_read_from_three_metres():
    """Words and question are letters of 12 mm and more, nothing but the foot has less than 7 mm."""
    shapes = ElementTree.fromstring(f"<svg>{poster(desk_of()).drawing.shapes}</svg>")
    scale = float(shapes[0].get("transform").removeprefix("scale(").rstrip(")"))
    drawn = [(node.text, scale * float(node.get("font-size"))) for node in shapes.iter("text")]
    sizes = {text: max(size for other, size in drawn if other == text) for text, _ in drawn}
    assert min(size for _, size in drawn) >= 7
    assert min(sizes[word] for word in desk_of().words) >= 9
    assert sizes[f"Wem hört „{desk_of().words[-1]}“ zu?"] >= 12


@pytest.mark.parametrize("options", [{}, {"dimension": 8, "gewichte": "dezimal"}, {"heads": 1}])
def test_labels_of_the_poster_stay_apart(options):
    for (one, a), (other, b) in combinations(boxes_of(poster(desk_of(**options)).drawing), 2):
        assert overlap_of(a, b) < 0.3, (one, other)


def test_the_halves_are_the_whole_and_withhold_the_same():
    desk = desk_of(gewichte="dezimal")
    figure, (left, right) = poster(desk), halves(desk)
    assert left.width - 8 + right.width == figure.width
    assert {*texts(left.drawing)} - {*texts(figure.drawing)} == {"Klebekante: hier das rechte Blatt auflegen"}
    assert texts(right.drawing) == texts(figure.drawing)
    shown = [text for half in withheld((left, right)) for text in texts(half.drawing)]
    assert {*shown} == {*texts(figure.empty), "Klebekante: hier das rechte Blatt auflegen"}


@pytest.mark.parametrize(("words", "wanted"), [([], "a3"), (["a4"], "a4")])
def test_the_flag_alone_means_a3_also_before_the_sentence(words, wanted):
    (blatt,) = (command for command in COMMANDS if command.name == "blatt")
    call = read(blatt, ["--plakat", *words, KATZE])
    assert call.options["plakat"] == wanted
    assert call.arguments["SATZ"] == KATZE


@pytest.mark.parametrize("options", [{"dimension": 12}, {"bloecke": 2}, {"satz": "Der Hund " * 7}])
def test_what_nobody_could_read_is_refused_in_a_sentence(options):
    with pytest.raises(UserError, match=r"--plakat geht bis 12 Token, --dimension 8 und einen Block"):
        for_poster(Options(**{"satz": KATZE, "plakat": "a3", **options}))
    for_poster(Options(**{"satz": KATZE, **options}))
