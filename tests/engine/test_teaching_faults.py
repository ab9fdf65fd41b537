"""Each named teaching fault has an example with it, and one without; the teacher is told of it."""

from dataclasses import replace
from functools import cache
from itertools import combinations

import pytest

from engine.judging.friendliness import friendliest
from engine.judging.teaching import teaching_faults
from engine.trace import Trace
from generator.calculation.build import build
from generator.options.options import Options
from generator.sheet.desk import Desk
from generator.stations.make_sheet import chosen, drawn_sheet
from generator.teacher.review import teaching_notes
from tests.laid_out import KATZE

BALL = "Der Hund jagt den Ball"
WINTER = "Im Winter schlafen kleine Füchse"
ACTIVE = "block1.ffn.activation"


@cache
def built(sentence=KATZE, **options):
    return build(Options(satz=sentence, **options))


def kinds(made, calculation=None):
    tokens = [place - 1 for place in made.options.uebung]
    classes = [str(vector.group) for vector in made.vectors]
    return {fault.kind for fault in teaching_faults(calculation or made.calculation, tokens, classes)}


def silenced(calculation, *place):
    """The calculation as if the hand had written 0 for some hidden units."""
    hand = Trace()
    for name, quantity in calculation.hand.items():
        values = quantity.values.copy()
        if name == ACTIVE:
            values[place] = 0.0
        hand.note(replace(quantity, values=values))
    return replace(calculation, hand=hand)


@pytest.mark.parametrize(
    ("kind", "having", "lacking"),
    [
        ("zero_output", BALL, KATZE),
        ("idle_norm", BALL, KATZE),
        ("twin_units", KATZE, None),
        ("even_weights", KATZE, None),
        ("same_word", KATZE, "Ein kleiner Bär tanzt im Wald"),
        ("tied_weights", WINTER, KATZE),
        ("same_logit", KATZE, "Ein kleiner Bär tanzt im Wald"),
    ],
)
def test_a_sentence_that_has_the_fault(kind, having, lacking):
    assert kind in kinds(built(having))
    assert lacking is None or kind not in kinds(built(lacking))


def test_the_most_similar_words_are_an_odd_pair_where_others_are_of_one_group():
    made = built()
    ids = made.calculation.model.token_ids
    cosine = made.calculation.hand["similarity.cosine"].values
    i, j = max(combinations(sorted(set(ids)), 2), key=lambda pair: cosine[pair])
    for alone, odd in ({i}, True), ({i, j}, False), (set(), False), (set(ids), False):
        classes = ["rest" if word not in alone else "own" for word in ids]
        faults = teaching_faults(made.calculation, [0], classes)
        assert any(fault.kind == "odd_pair" for fault in faults) == odd


def test_units_that_are_0_for_all_words_or_for_the_word_of_the_whole_way():
    made = built()
    path = made.options.uebung[-1] - 1
    found, of_path, of_another = (
        kinds(made, silenced(made.calculation, *place)) for place in ((slice(None), 2), (path,), (path - 1,))
    )
    assert "dead_unit" in found - kinds(made)
    assert "idle_network" in of_path - of_another - kinds(made)
    assert "zero_output" not in of_path
    assert "idle_network" not in kinds(built(BALL))  # whose output is 0 as well, which is said instead
    idle = replace(made, calculation=silenced(made.calculation, path))
    notes = teaching_notes(Desk(idle, chosen(idle.options)), {ACTIVE})
    (note,) = (note for note in notes if "nur b_2 bei" in note)
    assert f"„{made.options.tokens[path]}“" in note


@pytest.mark.parametrize("sentence", [KATZE, BALL])
def test_the_teacher_is_told_every_fault_that_shows(sentence):
    made = built(sentence)
    desk, found = Desk(made, chosen(made.options)), kinds(made)
    drawn_sheet(desk)
    notes = teaching_notes(desk, set(made.calculation.hand))
    assert len(notes) >= len(found)
    words = {"even_weights": "sind alle Gewichte 0,", "same_word": "noch einmal das letzte Wort"}
    words["same_logit"] = "denselben Vektor"
    for kind, said in words.items():
        assert any(said in note for note in notes) == (kind in found), kind
    assert not teaching_notes(desk, set())


def test_of_several_draws_one_with_the_fewest_faults_is_taken():
    def count(calculation):
        return len(teaching_faults(calculation))

    models = [built(gewichte="ganzzahlig", startwert=seed).calculation.model for seed in (3, 4, 5)]
    best = friendliest(models.__getitem__, 3, teaching=count)
    assert count(best) <= count(friendliest(models.__getitem__, 3))
