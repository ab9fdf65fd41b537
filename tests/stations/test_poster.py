"""The poster: the last word's lane is empty, nothing else of the trace is wrong, too much is refused."""

from itertools import combinations

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

STEPS = ("input", "block1.attention", "block1.norm1.output", "block1.ffn.output", "block1.norm2.output")


def desk_of(**options):
    return laid_out(Options(satz=KATZE, **options))[1]


def texts(drawing):
    return [text for text, _ in boxes_of(drawing)]


@pytest.mark.parametrize("options", [{"gewichte": "dezimal"}, {"gewichte": "dezimal", "dimension": 8}])
def test_the_key_has_every_number_of_the_way_and_the_poster_lacks_the_last_words(options):
    desk = desk_of(**options)
    figure = poster(desk)
    for token in range(desk.n):
        for name in STEPS:
            row = [number.text for number in desk.numbers(name, token)]
            said = f"{desk.words[token]}“ ({' | '.join(row)})"
            assert said in figure.drawing.text
            assert (said in figure.empty.text) == (token != desk.n - 1 and not desk.asks(name, token))
    kept, whole = texts(figure.empty), texts(figure.drawing)
    lacking = sum(desk.asks(name, i) or i == desk.n - 1 for name in STEPS for i in range(desk.n))
    assert len(whole) - len(kept) == lacking * desk.sizes.d_model + 3
    best = desk.number("temperature1.probability", desk.calculation.predicted()).text
    assert any(text.endswith(best) for text in whole)
    assert not any(text.endswith(best) for text in kept if len(text) > len(best))


@pytest.mark.parametrize("options", [{}, {"dimension": 8, "gewichte": "dezimal"}, {"heads": 1}])
def test_labels_of_the_poster_stay_apart(options):
    for (one, a), (other, b) in combinations(boxes_of(poster(desk_of(**options)).drawing), 2):
        assert overlap_of(a, b) < 0.3, (one, other)


def test_the_halves_are_the_whole_and_withhold_the_same():
    desk = desk_of(gewichte="dezimal")
    figure, (left, right) = poster(desk), halves(desk)
    assert left.width - 8 + right.width == figure.width
    both = [text for half in (left, right) for text in texts(half.drawing)]
    assert sorted(both) == sorted([*texts(figure.drawing), "Klebekante: hier das rechte Blatt auflegen"])
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
