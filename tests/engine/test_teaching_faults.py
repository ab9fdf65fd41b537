"""Each named teaching fault has an example with it, and one without."""

from dataclasses import replace
from functools import cache
from itertools import combinations

import pytest

from engine.judging.friendliness import friendliest
from engine.judging.teaching import KINDS, teaching_faults
from engine.trace import Trace
from generator.calculation.build import build
from generator.options.options import Options
from generator.sheet.desk import Desk
from generator.stations.make_sheet import chosen, drawn_sheet
from generator.teacher.review import teaching_notes

KATZE = "Die Katze sitzt auf der Matte"
BALL = "Der Hund jagt den Ball"
WINTER = "Im Winter schlafen kleine Füchse"


@cache
def built(sentence=KATZE, **options):
    return build(Options(satz=sentence, **options))


def kinds(made, calculation=None):
    tokens = [place - 1 for place in made.options.uebung]
    classes = [str(vector.group) for vector in made.vectors]
    return {fault.kind for fault in teaching_faults(calculation or made.calculation, tokens, classes)}


def notes_of(made, shown):
    return teaching_notes(Desk(made, chosen(made.options)), shown)


def changed(calculation, name, change):
    """The calculation as if the hand had written other numbers in one quantity."""
    hand = Trace()
    for each, quantity in calculation.hand.items():
        values = quantity.values.copy()
        if each == name:
            change(values)
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
    ],
)
def test_a_sentence_that_has_the_fault(kind, having, lacking):
    assert kind in KINDS
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
    made, name = built(), "block1.ffn.activation"
    path = made.options.uebung[-1] - 1

    def silent(*place):
        return changed(made.calculation, name, lambda values: values.__setitem__(place, 0.0))

    assert not kinds(made) & {"dead_unit", "idle_network"}
    assert "dead_unit" in kinds(made, silent(slice(None), 2))
    assert "idle_network" not in kinds(made, silent(path - 1))
    idle = replace(made, calculation=silent(path))
    assert "idle_network" in kinds(idle)
    assert "zero_output" not in kinds(idle)
    assert "idle_network" not in kinds(built(BALL))  # whose output is 0 as well, which is said instead
    (note,) = (note for note in notes_of(idle, {name}) if "nur b_2 bei" in note)
    assert f"„{made.options.tokens[path]}“" in note


def test_words_with_one_vector_in_the_output_always_have_one_probability():
    made = built()
    table = made.calculation.model.vocabulary_embedding
    alike = [(i, j) for i in range(len(table)) for j in range(i) if (table[i] == table[j]).all()]
    assert (("same_logit" in kinds(made)), len(alike)) == (True, 1)
    assert "same_logit" not in kinds(built("Vögel singen", dimension=2, heads=1))
    (note,) = (note for note in notes_of(made, {"logit"}) if "denselben Vektor" in note)
    assert all(f"„{made.calculation.model.vocabulary[place]}“" in note for place in alike[0])


@pytest.mark.parametrize("sentence", [KATZE, BALL, WINTER])
def test_the_teacher_is_told_every_fault_that_shows(sentence):
    made = built(sentence)
    desk = Desk(made, chosen(made.options))
    drawn_sheet(desk)
    notes = teaching_notes(desk, set(made.calculation.hand))
    found = kinds(made)
    assert len(notes) >= len(found)
    assert any("sind alle Gewichte 0," in note for note in notes) == ("even_weights" in found)
    assert any("noch einmal das letzte Wort" in note for note in notes) == ("same_word" in found)
    assert not teaching_notes(desk, set())


def test_of_several_draws_one_with_the_fewest_faults_is_taken():
    def count(calculation):
        return len(teaching_faults(calculation))

    models = [built(gewichte="ganzzahlig", startwert=seed).calculation.model for seed in (3, 4, 5)]
    best = friendliest(models.__getitem__, 3, teaching=count)
    assert count(best) <= count(friendliest(models.__getitem__, 3))
