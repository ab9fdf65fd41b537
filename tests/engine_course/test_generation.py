"""Generated texts: how they end, ties, chance. Their numbers are judged in tests/engine."""

from dataclasses import replace

import numpy as np
from acceptance.configurations import example

from engine.texts.choosing import WordChoice
from engine.texts.generation import EndToken, generate


def test_it_stops_at_the_end_token_and_does_not_feed_it_back():
    model = example()
    end = EndToken("<Ende>", np.array([-9.0, 9.0, -9.0, 9.0]))
    generation = generate(model, WordChoice(), 5, end)
    assert (generation.stop, generation.text[6:]) == ("end_token", ("<Ende>",))
    assert generation.rounds[-1].ends
    assert generation.words == (*model.vocabulary, "<Ende>")


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
