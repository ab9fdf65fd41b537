"""Station 11: what the numbers decide about its sentences and about what a pupil is asked."""

import numpy as np
import pytest
from laid_out import KATZE, laid_out, text_of

from generator.calculation.build import build
from generator.calculation.learning import vector_twins
from generator.options.options import Options

HUND = "Der Hund liegt im Garten"


def station_of(path="attention", sentence=KATZE, stations="11", **options):
    sheet, desk = laid_out(Options(satz=sentence, stationen=stations, lernen=path, **options))
    return next(s for s in sheet.stations if s.id == "11"), sheet, desk


def asked(sheet, name):
    return {number.index for number in sheet.blanks() if number.name == name}


@pytest.mark.parametrize("path", ["ausgabe", "attention", "alles"])
def test_by_default_a_word_is_right_that_the_step_can_teach(path):
    built = build(Options(satz=KATZE, lernen=path))
    learning = built.learning
    vectors, words = learning.model.vocabulary_embedding, learning.model.vocabulary
    assert [words[i] for i in vector_twins(vectors, words.index("Die"))] == ["der"]
    assert words[built.calculation.predicted()] == "Matte"
    assert words[learning.lesson.word] == "Katze"
    assert not vector_twins(vectors, learning.lesson.word)


def test_where_the_query_is_1_no_key_s_gradient_tells_a_score_s():
    _, sheet, desk = station_of()
    assert abs(desk.quantity("block1.head1.query").values[5]).tolist() == [1.0, 0.3]
    keys = asked(sheet, "gradient.block1.head1.key")
    assert {j for j, c in keys if c == 0} == {0, 2, 3, 4, 5}  # all but the example
    assert {j for j, c in keys if c == 1} == {2, 5}


@pytest.mark.parametrize("sentence", [KATZE, HUND, "Meine Oma backt süßen Kuchen"])
@pytest.mark.parametrize("path", ["attention", "alles"])
def test_components_that_the_network_leaves_alone_are_named(path, sentence):
    station, sheet, desk = station_of(path, sentence)
    after, before = (desk.numbers(f"gradient.block1.{x}", desk.n - 1) for x in ("residual2", "norm1.output"))
    same = [c for c in range(1, 5) if after[c - 1].text == before[c - 1].text]
    parts = station.parts.given if path == "attention" else station.parts.layers.ffn
    own = [] if path == "attention" else [station.parts.layers.ffn.component]
    assert parts.unchanged == [c for c in same if c not in own]
    assert ("dieselbe" in text_of(sheet, desk)) == bool(parts.unchanged)


def test_equal_normalised_numbers_are_explained_where_the_network_added_nothing():
    for sentence in (KATZE, HUND):
        station, sheet, desk = station_of("alles", sentence)
        added = np.any(desk.quantity("block1.ffn.output").values[-1])
        assert station.parts.layers.same_hats == (not added)
        assert ("vorwärts überall 0 dazugezählt" in text_of(sheet, desk)) == (not added)
    assert not station_of("alles", HUND, "6,11")[0].parts.layers.same_hats  # station 6 asks for these zeros
