"""Answers that name the largest number: all that honest rounding allows."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from engine.judging.teaching import largest
from generator.calculation.build import build
from generator.options.options import Options
from generator.sheet.sheet import Number
from generator.stations.attention import strongest_look
from generator.stations.make_sheet import build_sheet


@pytest.mark.parametrize(
    ("written", "unrounded", "among", "places"),
    [
        ([0.2, 0.5, 0.3], [0.21, 0.49, 0.3], None, (1,)),
        ([0.23, 0.23, 0.2], [0.226, 0.231, 0.2], None, (0, 1)),
        ([0.23, 0.22, 0.2], [0.226, 0.2261, 0.2], None, (0, 1)),
        ([0.5, 0.23, 0.2], [0.5, 0.2, 0.23], (1, 2), (1, 2)),
    ],
)
def test_written_and_unrounded_numbers_both_count(written, unrounded, among, places):
    assert largest(np.array(written), np.array(unrounded), among) == places


def look_at(weights, words=("Die", "Katze", "sitzt")):
    """What is said of one row of weights, that of the second word."""
    built = build(Options.from_mapping({"satz": " ".join(words), "stationen": "4a", "positionen": False}))
    _, desk = build_sheet(built)
    hand = dict(built.calculation.hand)
    name = "unmasked.head1.weight"
    table = np.full((3, 3), 0.33)
    table[1] = weights
    shown = SimpleNamespace(
        quantity=lambda _: replace(hand[name], values=table),
        number=lambda *at: Number(name, at[1:], f"{table[at[1:]]:.2f}", 2),
        largest=lambda _, token: largest(table[token], table[token]),
        words=desk.words,
        words_of=desk.words_of,
    )
    return strongest_look(shown, name, 1)


def test_a_row_that_hardly_differs_is_said_to_be_even():
    even = look_at([0.3, 0.36, 0.34])
    assert (even.word, even.best, even.itself, even.even) == ("Katze", ["Katze"], True, True)
    assert (even.low, even.high) == ("0.30", "0.36")
    assert not look_at([0.11, 0.21, 0.2]).even
    assert look_at([0.2, 0.5, 0.3]).itself
    two = look_at([0.4, 0.2, 0.4])
    assert (two.best, two.high, two.itself) == (["Die", "sitzt"], "0.40", False)
