"""The one rule of grading: `pruefe`, Moodle and STACK say the same of every number, edges included."""

from __future__ import annotations

from decimal import Decimal

import pytest
from graders import compared

from generator.basics.numbers import counted, counting, meant
from generator.check.answers import Answers
from generator.check.check import ACCEPTED, FOLLOWS, RIGHT, WRONG, check
from generator.check.entries import Entry, number_of
from generator.options.options import Options
from generator.stations.make_sheet import make_sheet

SMALLEST = {"satz": "Vögel singen", "heads": 1, "dimension": 2, "gewichte": "ganzzahlig", "stationen": "4a"}


SHEETS = (
    SMALLEST,
    {"satz": "Die Katze sitzt auf der Matte", "gewichte": "ganzzahlig"},
    {"satz": "Vögel singen", "heads": 1, "nachkommastellen": 4, "gewichte": "auswahl"},
    {"satz": "Wer liest ein Buch", "gewichte": "ganzzahlig", "dimension": 8, "heads": 2, "skalierung": False},
    {"satz": "Die Maus schläft", "zielsatz": "The mouse", "lernen": "ausgabe", "gewichte": "ganzzahlig"},
    {"satz": "Heute regnet es", "gewichte": "ganzzahlig", "stufe": 3, "nachkommastellen": 1},
    {"satz": "Anna ruft Ben", "gewichte": "dezimal", "stufe": 1, "stationen": "4a,8,9"},
)
LARGER = [pytest.param(options, marks=pytest.mark.thorough) for options in SHEETS[1:]]


@pytest.mark.parametrize("options", [SMALLEST, *LARGER], ids=str)
def test_no_two_graders_differ(options):
    """Numbers around the edges of what is accepted."""
    compare = list(compared(options, 150 if options is SMALLEST else 300, 1))
    known = [(each, [said for said in told if said is not None]) for each, told in compare]
    assert [told for told in known if len(set(told[1])) > 1] == []
    assert {told[0] for _, told in known} == {True, False}
    assert sum(told[2] is not None for _, told in compare) > 20


def test_what_counts_as_inside_and_where_thousands_are_read():
    for low, high, inside, outside in (
        ("0.32", "0.34", ("0.315", "0.3449999"), ("0.31499", "0.345")),
        ("-0.34", "-0.32", ("-0.315", "-0.3449999"), ("-0.31499", "-0.345")),
        ("-0.01", "0.01", ("-0.0149999", "0.0149999"), ("-0.015", "0.015")),
    ):
        least, most = counting(Decimal(low), Decimal(high), 2)
        for text in (*inside, *outside):
            value, right = Decimal(text), text in inside
            assert (Decimal(low) <= counted(value, 2) <= Decimal(high), least <= value <= most) == (
                right,
                right,
            )
    for text, places, key, number in (
        ("1.023", 0, 1023.0, "1023"),
        ("-1.023", 0, -1022.0, "-1023"),
        ("1.000", 0, 1.0, "1.000"),
        ("1.023", 2, 1023.0, "1.023"),
    ):
        assert meant(text, Decimal(text), places, key) == Decimal(number)


def verdicts(sheet, *written):
    entries = [Entry(name, index, text, number_of(text)) for name, index, text in written]
    return [cell.verdict for cell in check(sheet.rebuilt(), Answers(tuple(entries), 0)).cells]


def test_follows_is_said_only_where_an_earlier_number_differs():
    sheet = make_sheet(Options.from_mapping(SMALLEST))
    whole = sheet.built.passes
    name = "unmasked.head1."
    row = 0  # the other one is worked out for the pupil
    e = whole.hand[name + "exp"].values[row]
    beside = whole.hand[name + "exp_sum"].values[row] + 0.01
    assert verdicts(sheet, (name + "exp_sum", (row,), f"{beside:.2f}")) == [ACCEPTED]
    assert verdicts(sheet, (name + "exp_sum", (row,), f"{beside + 3:.2f}")) == [WRONG]
    slip = f"{e[0] + 3:.2f}"
    told = verdicts(sheet, (name + "exp", (row, 0), slip), (name + "exp_sum", (row,), f"{beside + 3:.2f}"))
    assert told == [WRONG, FOLLOWS]


def test_what_is_copied_is_right_as_it_was_written():
    """The concatenated vector is that of the heads, number by number."""
    chosen = SMALLEST | {"dimension": 4, "heads": 2, "stationen": "4b,5", "gewichte": "dezimal"}
    sheet = make_sheet(Options.from_mapping(chosen))
    copies = sheet.rebuilt().copies()
    at, origins = next((copy, found) for copy, found in copies.items() if copy[0] == "block1.concat")
    (origin,) = origins
    hand = sheet.built.passes.hand[at[0]].values[at[1]]
    key, beside, wrong = (f"{hand + by:.2f}" for by in (0, 0.01, 5))
    assert verdicts(sheet, (*origin, beside), (*at, beside)) == [ACCEPTED, ACCEPTED]
    assert verdicts(sheet, (*origin, wrong), (*at, wrong)) == [WRONG, FOLLOWS]
    assert verdicts(sheet, (*origin, key), (*at, beside)) == [RIGHT, WRONG]
