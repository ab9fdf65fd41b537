"""Two sentences, trained: the target comes out word by word, attention looks at the word it translates."""

import json
from dataclasses import replace

import numpy as np
import pytest

from engine.judging.parts import begun_pair, cross_heads_of, pair_probabilities_without
from generator.basics.errors import UserError
from generator.calculation import learnt_pair
from generator.calculation.build import build
from generator.calculation.document import document_of
from generator.calculation.rebuild import rebuild
from generator.options.options import Options
from generator.words.target_vectors import pairs_like
from generator.words.word_vectors import word_vectors

SOURCE, TARGET = "Die Katze sitzt auf der Matte", "The cat sits on the mat"
GIVEN = {"satz": SOURCE, "zielsatz": TARGET, "gewichte": "gelernt"}


@pytest.fixture(scope="module")
def built(cache):
    return build(Options(**GIVEN))


def test_the_target_is_written_to_its_end_with_attention_at_what_is_translated(built):
    one, two = built.calculation.model, built.two.calculation
    assert built.two.rounds.translation.text == ("⟨Start⟩", *TARGET.split(), "⟨Ende⟩")
    weight = two.hand["decoder.block1.cross.head1.weight"].values
    for place in (1, 2, 5):  # before „cat“ at „Katze“, before „sits“ at „sitzt“, before „mat“ at „Matte“
        assert weight[place].argmax() == place
    assert two.model.source_tokens == tuple(SOURCE.split())  # the whole sentence
    assert one.tokens == two.model.source_tokens[:-1]
    assert np.array_equal(two.model.source_embedding, one.known.rows(two.model.source_tokens))


def test_a_second_run_does_not_train_nor_does_reading_back(built, monkeypatch):
    monkeypatch.setattr(learnt_pair, "train_pair", None)
    again = build(Options(**GIVEN))
    assert np.array_equal(again.two_model.vocabulary_embedding, built.two_model.vocabulary_embedding)
    contents = json.loads(json.dumps(document_of(built, {})))
    assert contents["zieltokens"] == ["⟨Start⟩", *TARGET.split()]
    assert contents["quelltokens"] == SOURCE.split()
    monkeypatch.setattr("generator.calculation.build.learn_pair", None)
    assert not rebuild(contents).changed


def test_pairs():
    pairs = pairs_like(["Die", "Katze", "sitzt", "auf", "der"], ["The", "cat", "sits", "on", "the"], 2)
    assert [pair.target[1:3] for pair in pairs] == [("cat", "sits"), ("mouse", "sits"), ("cat", "lies")]
    assert pairs[0].translates == {1: 1, 2: 2}
    (alone,) = pairs_like(["Die", "Katze"], ["Mačka", "spi"], 2)
    assert alone.translates == {}
    # German sentences without a word in common exchange what they have
    pairs = pairs_like(["Ein", "Auto", "wartet", "oft"], ["Die", "gelbe"], 2)
    assert [pair.source[0] for pair in pairs] == ["Ein", "Dieses", "Das"]
    assert [pair.target[1] for pair in pairs] == ["gelbe", "grüne", "rote"]


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("Der Fischer flickt sein Netz", "The fisherman mends"),
        ("Der Bäcker backt jeden Morgen frisches Brot", "Mit Geduld backt man gutes Brot"),
        ("Anna liest ein Buch", "Anna lit un livre"),
    ],
)
def test_a_word_and_its_translation_are_exchanged_together(source, target):
    own, *others = pairs_like(source.split(), target.split(), 2)
    assert (own.source, own.target) == (tuple(source.split()), tuple(target.split()))
    assert len(others) == 2
    for other in others:
        for one, words in ((own.source, other.source), (own.target, other.target)):
            assert sum(a != b for a, b in zip(one, words, strict=True)) == 1


def test_what_is_written_depends_on_the_source(built):
    """With another animal the model writes another word; without its cross heads it does not know one."""
    model = built.two.calculation.model
    heads, begun = cross_heads_of(model.sizes), begun_pair(model, 2)
    pairs = pairs_like(SOURCE.split(), TARGET.split(), 2)
    spoken = word_vectors([word for pair in pairs for word in pair.source], 4)
    source, cat, mouse = model.source_embedding.copy(), *map(model.vocabulary.index, ("cat", "mouse"))
    source[1] = next(each.values for each in spoken if each.token == "Maus")
    assert pair_probabilities_without(begun, ())[0].argmax() == cat
    assert pair_probabilities_without(replace(begun, source_embedding=source), ())[0].argmax() == mouse
    assert pair_probabilities_without(begun, heads)[0].argmax() != cat


def test_a_pair_that_nobody_can_translate_is_refused():
    with pytest.raises(UserError, match="kein zweites Satzpaar"):
        build(Options(**GIVEN | {"zielsatz": "Mačka spi"}))
