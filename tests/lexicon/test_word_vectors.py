"""In: sentences and sizes. Out: vectors that follow their class, stay different and come back the same."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.words.noun_kinds import NounKind, Origin, WordClass
from generator.words.word_vectors import class_tenths, dimension_meanings, word_vectors

EXAMPLE = ["Die", "Katze", "sitzt", "auf", "der", "Matte"]
ANIMALS = ["Hund", "Katze", "Maus", "Pferd", "Kuh", "Hase"]
ARTICLE = (0.9, 0.1, 0.0, 0.1)
CLASSES = [
    (word_class, kind)
    for word_class in WordClass
    for kind in (list(NounKind) if word_class.has_kind else [None])
]


def values(tokens, d_model=4, **options):
    return {word.token: word.values for word in word_vectors(tokens, d_model, **options)}


@pytest.mark.parametrize(("seed", "attempt"), [(0, 0), (-5, 3), (2**70, 3)])
def test_the_example_has_exactly_the_vectors_of_its_classes(seed, attempt):
    found = [word.values for word in word_vectors(EXAMPLE, 4, seed, {}, attempt=attempt)]
    assert found == [
        ARTICLE,
        (0.0, 0.9, 0.1, 0.2),
        (0.0, 0.1, 0.9, 0.0),
        (0.5, 0.0, 0.3, 0.4),
        ARTICLE,
        (0.0, 0.0, 0.0, 0.9),
    ]


@pytest.mark.parametrize("d_model", [1, 2, 3, 4, 5, 6, 8, 16, 768])
def test_every_size_has_as_many_different_meanings_as_values_and_classes_differ(d_model):
    meanings = dimension_meanings(d_model)
    assert len({meaning.name for meaning in meanings}) == len(meanings) == d_model
    assert all(meaning.text.endswith(".") for meaning in meanings)
    assert {len(word.values) for word in word_vectors(EXAMPLE, d_model)} == {d_model}
    if d_model > 1:
        vectors = [class_tenths(*each, d_model) for each in CLASSES]
        assert len(set(map(tuple, vectors))) == len(CLASSES)
        assert all(map(any, vectors))


def test_further_words_of_a_class_differ_by_a_tenth_in_one_or_two_components():
    bare = tuple(tenths / 10 for tenths in class_tenths(WordClass.NOUN, NounKind.LIVING, 4))
    first, *others = values(ANIMALS).values()
    assert first == bare
    for vector in others:
        steps = [round(abs(a - b), 6) for a, b in zip(vector, bare, strict=True) if a != b]
        assert steps in ([0.1], [0.1, 0.1])


def test_articles_share_by_form_and_a_word_keeps_its_vector_where_its_class_changes():
    found = values(["Der", "Hund", "und", "die", "Katze", "sehen", "ein", "Huhn", "und", "einen", "Hasen"])
    assert found["Der"] == found["die"] == ARTICLE
    assert found["ein"] == found["einen"] != ARTICLE
    twice = word_vectors(["die", "Maus", ",", "die", "lacht"], 4)
    assert twice[0] == twice[3]


many_words = st.lists(
    st.sampled_from([*ANIMALS, "Tisch", "Bett", "rennt", "sitzt", "auf", "rot", "Anna", "Paul", "3", "!"]),
    min_size=1,
    max_size=24,
)


@given(tokens=many_words, d_model=st.sampled_from([2, 3, 4, 5, 8, 16, 40]), seed=st.integers(0, 50))
@settings(max_examples=60, deadline=None)
def test_different_words_stay_different_and_in_range(tokens, d_model, seed):
    found = values(tokens, d_model, seed=seed)
    assert len(set(found.values())) == len(found)
    for vector in found.values():
        assert all(-0.9 <= value <= 0.9 and value == round(value, 1) for value in vector)
        assert "-0.0" not in map(str, vector)


def test_same_seed_same_vectors_other_seed_or_attempt_other_ones():
    """As they were printed; late attempts let every word leave the vector of its class."""
    assert list(values(ANIMALS[:3], seed=1).values()) == [
        (0.0, 0.9, 0.1, 0.2),
        (0.1, 0.9, 0.0, 0.2),
        (0.0, 0.9, 0.0, 0.3),
    ]
    for drawn in ("seed", "attempt"):
        assert len({tuple(values(ANIMALS, **{drawn: number}).values()) for number in range(8)}) > 4
    bare, late = ([word.values for word in word_vectors(EXAMPLE, 4, attempt=n)] for n in (19, 20))
    assert bare == [word.values for word in word_vectors(EXAMPLE, 4)]
    assert all(one != other for one, other in zip(bare, late, strict=True))
    assert late[0] == late[4]  # Die and der
    assert len(set(values([f"Wort{number}" for number in range(60)], 1).values())) == 19  # no room for more


def test_overrides_win_and_no_other_word_takes_their_vector_and_each_says_where_it_is_from():
    given_vector = (0.0, 0.9, 0.1, 0.2)
    found = word_vectors(["Bank", "Hund"], 4, 0, {"Bank": given_vector})
    assert (found[0].values, found[0].origin) == (given_vector, Origin.GIVEN)
    assert found[1].values != given_vector
    assert values(EXAMPLE, given={"Die": ARTICLE})["der"] == ARTICLE
    origins = [word.origin for word in word_vectors(["Die", "Bank", "zwinkert", "dem", "Gartenzwerg"], 4)]
    listed, guessed, rule = Origin.LISTED, Origin.GUESSED, Origin.RULE
    assert origins == [listed, guessed, rule, listed, rule]
