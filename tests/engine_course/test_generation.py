"""Generated texts: how they end, ties, chance, what is refused. Their numbers are judged in tests/engine."""

from dataclasses import replace

import numpy as np
import pytest
from acceptance.configurations import example

from engine.numbers.arrays import CalculationError
from engine.texts.choosing import WordChoice
from engine.texts.generation import EndToken, generate


def test_it_stops_at_the_end_token_and_does_not_feed_it_back():
    model = example()
    end = EndToken("<Ende>", np.array([-9.0, 9.0, -9.0, 9.0]))
    generation = generate(model, WordChoice(), 5, end)
    assert (generation.stop, generation.text[6:]) == ("end_token", ("<Ende>",))
    assert generation.rounds[-1].ends
    assert generation.words == (*model.vocabulary, "<Ende>")


def test_the_same_seed_gives_the_same_text_and_another_seed_another():
    texts = [generate(example(), WordChoice("temperature", 2.0, seed=seed), 8).text for seed in (4, 4, 5, 6)]
    assert texts[0] == texts[1]
    assert len(set(texts)) > 1


def test_a_random_number_on_a_boundary_is_drawn_again():
    """Two words alike share half and half: 0.50 is a boundary, so no seed ever gives it in a second round.

    The first round misses the best word, and 0 comes in none.
    """
    model = replace(example(), tokens=("a", "b"), embedding=np.array([[0.9, 0.1, 0.0, 0.1]] * 2))
    rows = [generate(model, WordChoice("temperature", seed=seed), 2) for seed in range(120)]
    assert {g.hand["round1.cumulative"].values[g.rounds[0].hand.order[0]] for g in rows} == {0.5}
    first, second = ({g.random_row[place] for g in rows} for place in (0, 1))
    assert min(first) == 0.51
    assert min(second) == 0.01
    for generation in rows:
        for round_, number in zip(generation.rounds, generation.random_row, strict=True):
            assert number not in generation.hand[f"round{round_.number}.cumulative"].values
        assert generation.rounds[0].hand.chosen == 1


def test_equal_words_are_told_and_the_older_one_wins():
    model = replace(example(), tokens=("a", "b"), embedding=np.array([[0.9, 0.1, 0.0, 0.1]] * 2))
    (round_,) = generate(model, WordChoice(), 1).rounds
    assert round_.tied_at_cut
    assert round_.chosen.word == "a"
    assert not generate(example(), WordChoice(), 1).rounds[0].tied_at_cut


def test_what_cannot_be_chosen_is_refused():
    for wrong in ({"temperature": 0.0}, {"k": 0}, {"p": 0.0}, {"p": 1.5}, {"seed": -1}):
        with pytest.raises(ValueError, match="chosen"):
            WordChoice("top_k", **wrong)
    with pytest.raises(ValueError, match="end token"):
        generate(example(), WordChoice(), 1, EndToken("Katze", np.zeros(4)))
    with pytest.raises(CalculationError):
        generate(example(), WordChoice(), 1, EndToken("<Ende>", np.zeros(3)))
