"""Each criterion is kept by a model that has learnt, and fails where that is spoilt which it asks for."""

from dataclasses import replace

import numpy as np
import pytest

from engine.model.model import Vocabulary
from engine.training import criteria
from engine.training.criteria import CRITERIA, faults, one_is_first
from engine.training.examination import by_hand, spoken
from engine.training.texts import Corpus
from engine_training.test_training import TEXTS, evidence_of, of_the_example


@pytest.fixture(scope="module")
def evidence():
    return evidence_of(of_the_example())


def changed(e, weights=(), vectors=None, output=None, **others):
    """The evidence of a model with other weights; vectors and output change their table where it is."""
    entering, leaving = e.model.input_embedding.copy(), e.model.vocabulary_embedding.copy()
    for change, table in ((vectors, entering), (output, leaving)):
        if change:
            change(table)
    known = Vocabulary(e.model.vocabulary, entering, leaving)
    own = {**e.model.weights, **dict(weights)}
    model = replace(e.model, weights=own, known=known, embedding=known.rows(e.model.tokens))
    return replace(e, model=model, _written={}, **others)


def each(e, change, *names):
    return {name: change(table) for name, table in e.model.weights.items() if name.endswith(names)}


def weights(change, *names):
    return lambda e: changed(e, each(e, change, *names))


def longer(factor):
    return lambda e: changed(e, output=lambda table: np.multiply(table, factor, out=table))


def turned(table):
    """The largest component changes places with the smallest."""
    row = np.abs(table[1])
    ends = [row.argmax(), row.argmin()]
    table[1, ends] = table[1, ends[::-1]]


def alike(places, of, factor=1.0):
    """Words get the vector of another, only longer."""

    def change(table):
        table[places] = table[of] * factor

    return change


def instead_of_the_mixs(word, factor):
    """A word has the output vector of the one that follows the mix, only longer."""

    def spoil(e):
        first = by_hand(spoken(e.model, e.corpus.mix(e.beginning)))[-1].argmax()
        return changed(e, output=alike(e.model.vocabulary.index(word), first, factor))

    return spoil


def output_alike(e):
    """The right word has nearly the vector of another."""
    right, other = (e.model.vocabulary.index(word) for word in ("Matte", "Bank"))
    return changed(e, output=alike(other, right, 1.001))


def one_head(e):
    """The second head does what the first does."""
    names = ((f"block1.head2.{W}", f"block1.head1.{W}") for W in ("W_Q", "W_K"))
    return changed(e, {second: e.model.weights[first] for second, first in names})


def right_without_the_second_head(e):
    """The right word has the output vector of the one that comes without that head, which says nothing."""
    silent, right = weights(np.zeros_like, "head2.W_V")(e), e.model.vocabulary.index("Matte")
    said = by_hand(silent.model)[-1].argmax()
    return changed(silent, output=alike([right, said], [said, right]))


def several_follow(e):
    """Two words follow the sheet's beginning, of which one is hardly probable."""
    return changed(e, corpus=Corpus((*TEXTS, (*TEXTS[0][:-1], "Wiese")), e.corpus.vocabulary))


SPOILT = {
    "every_component_works": weights(lambda w: w * [1, 0], "head2.W_V"),
    "words_differ": lambda e: changed(e, vectors=alike(slice(1, 4), 0)),
    "vectors_name_their_class": lambda e: changed(e, vectors=turned),
    "begins_wrong": lambda e: replace(e, untrained=e.model),
    "can_be_calculated": longer(3),
    "finds_every_word": longer(0.25),
    "needs_all_parts": right_without_the_second_head,
    "goes_on_as_read": several_follow,
    "each_head_looks": weights(lambda w: w / 4, "W_Q"),
    "every_row_has_a_first": weights(np.zeros_like, "head1.W_K"),
    "heads_look_apart": one_head,
    "every_unit_lives": weights(lambda b: b - 9, "b_1"),
    "exchanges_show": weights(np.zeros_like, "head2.W_Q"),
    "a_mix_goes_on_sensibly": instead_of_the_mixs("auf", 1.5),
    "rounding_leaves_the_words": output_alike,
}


def test_every_criterion_is_kept_and_can_fail(evidence):
    assert {each.__name__ for each in CRITERIA} == set(SPOILT)
    assert list(faults(evidence)) == []
    for name, spoil in SPOILT.items():
        assert not getattr(criteria, name)(spoil(evidence)), name
    # Two that fit and are as probable as each other are no answer.
    first = by_hand(spoken(evidence.model, evidence.corpus.mix(evidence.beginning)))[-1].argmax()
    other = next(word for word in ("Wiese", "Bank") if evidence.corpus.vocabulary[first] != word)
    assert not criteria.a_mix_goes_on_sensibly(instead_of_the_mixs(other, 1)(evidence))


def test_exchanges_and_their_mix_are_found_in_the_texts(evidence):
    corpus, own = evidence.corpus, evidence.beginning
    words = corpus.vocabulary
    found = [(each.place, words[each.beginning[each.place]]) for each in corpus.exchanges(own)]
    assert found == [(1, "Maus"), (2, "liegt")]
    assert corpus.places(own) == (1, 2)
    assert [words[i] for i in corpus.mix(own)] == ["Die", "Maus", "liegt", "auf", "der"]
    assert {words[i] for i in corpus.fitting(own)} == {"Matte", "Wiese", "Bank"}
    # What goes on in the same way is none; a mix that is read is none, either.
    more = Corpus((*TEXTS, ("Die", "Bank", "sitzt", "auf", "der", "Matte")), words)
    assert more.exchanges(own) == corpus.exchanges(own)
    read = Corpus((*TEXTS, ("Die", "Maus", "liegt", "auf", "der", "Bank")), words)
    assert read.mix(own) is Corpus(TEXTS[:2], words).mix(own) is None
    assert criteria.a_mix_goes_on_sensibly(replace(evidence, corpus=read))


@pytest.mark.parametrize(
    ("rows", "ids", "first"),
    [
        ([[0.2, 0.5, 0.3], [0.3, 0.4, 0.3]], (0, 1, 2), True),
        ([[0.2, 0.5, 0.3], [0.3, 0.3, 0.4]], (0, 1, 2), False),
        ([[0.2, 0.4, 0.4]], (0, 1, 2), False),
        ([[0.2, 0.4, 0.4], [0.2, 0.3, 0.5]], (0, 1, 1), True),
        ([[0.5, 0.5]], (3, 3), True),
    ],
)
def test_one_is_first(rows, ids, first):
    assert one_is_first(np.array(rows), ids) == first


def test_where_one_word_decides_the_second_head_is_asked_less_of(evidence):
    """With texts that are told apart by the animal alone."""
    spoilt = weights(lambda w: w / 4, "head2.W_Q")(evidence)
    assert not criteria.exchanges_show(spoilt)
    words = evidence.corpus.vocabulary
    assert criteria.exchanges_show(replace(spoilt, corpus=Corpus(TEXTS[:2], words), _written={}))
