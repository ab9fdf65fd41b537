"""Sheets for a class are drawn until there are enough that are equally hard, or enough is done."""

import json

import pytest

from generator.basics.errors import UserError
from generator.options.options import Options
from generator.production.drawing import (
    FURTHER,
    SECONDS,
    Drawn,
    Hardness,
    Missed,
    Pool,
    contents_of,
    draw,
    draw_all,
)

SENTENCE = "Die Katze sitzt"


def found(seed, blanks=10, row="", width=1.0, seconds=1.0):
    options = Options(satz=SENTENCE, gewichte="ganzzahlig", startwert=seed)
    rows = frozenset((row or f"row {seed}").split(","))
    return Drawn(options, Hardness(20.0, width, blanks, 10), str(seed), rows, seconds)


def drawn(number, draws, at_once=2):
    """The seeds that a pool takes from these draws, None for one that fails; how many were begun."""
    pool = Pool(Options(satz=SENTENCE, gewichte="ganzzahlig"), number)
    said = [each or Missed(f"Nichts zu {seed}.", 1.0) for seed, each in enumerate(draws)]
    (seats,) = draw_all([pool], lambda of: lambda: said[of.startwert], lambda *_: None, at_once)
    return [each.options.startwert for each in seats], pool.begun


APART = [found(seed, blanks=10 + 5 * (seed % 2)) for seed in range(60)]
BESIDE = [found(0, row="a,b,c"), found(1, row="a,d,e"), found(2, row="f,g,h")]
DEAR = [found(seed, seconds=3 * SECONDS) for seed in range(60)]


@pytest.mark.parametrize(
    ("number", "draws", "seats"),
    [
        (3, [found(0), found(1, blanks=11), found(2), found(3, width=3.0), found(4)], [0, 2, 4]),
        (2, [found(0), found(1, row="row 0"), found(2)], [0, 2]),  # half of it is the same
        (3, BESIDE, [0, 2, 1]),  # no row beside an equal one
        (2, [None, None, found(2), found(3)], [2, 3]),
        (5, [found(0), found(1)] + [found(0)] * 9, [0, 1, 0, 1, 0]),  # nothing new comes
        (2, [found(seed, width=2.0**seed) for seed in range(9)], [0, 1]),  # the more, the further apart
        (3, [found(seed, blanks=100 + seed) for seed in range(9)], [0, 1, 2]),
        (30, DEAR, [*range(10)] * 3),  # by the work of thirty sheets on an ordinary computer
        (10, [None, *DEAR[1:]], [*range(1, 11)]),
    ],
)
def test_equally_hard_sheets_are_drawn_until_there_are_enough(number, draws, seats):
    assert drawn(number, draws)[0] == seats


def test_drawing_ends_by_its_number_and_with_the_reason_where_nothing_is_found():
    seats, begun = drawn(2, [found(seed, blanks=2**seed) for seed in range(9)])
    assert len(set(seats)) == 1, "the last resort: the same numbers twice"
    assert begun <= 2 + FURTHER + 1
    assert drawn(30, APART)[1] <= 30 + FURTHER + 2
    with pytest.raises(UserError, match=r"Nichts zu 0\."):
        drawn(2, [None] * 9)


def test_what_is_drawn_elsewhere_carries_its_files(tmp_path):
    path = tmp_path / "zahlen.json"
    path.write_text(json.dumps({"block1.head1.W_Q": [[1, 0], [0, 1], [1, 0], [0, 1]]}), encoding="utf-8")
    options = Options(satz=SENTENCE, stationen=("4b",), gewichte=path)
    here, contents = draw(options, {}), contents_of(options)
    path.unlink()
    assert draw(options, contents) == here
    assert "zahlen.json" in draw(options, {}).why, "a sentence on the file that is not there"
