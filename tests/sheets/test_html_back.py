"""The key read back from its HTML: every number is that of rechnung.json, every blank is filled."""

from decimal import Decimal

import pytest
from cases import FEW, READ_BACK, made
from reading import cell, numbers, tree

from generator.basics.numbers import parse_number

COUNTED = ("sizes", "paths", "token_ids", "vocabulary", "bpe")


def wrong_numbers(sheet, found):
    """Numbers of a key that are not those of rechnung.json, and how many were looked at."""
    given, weights = sheet.document["quantities"], sheet.document["weights"]
    begun = {name.removeprefix("before."): its for name, its in weights.items() if name.startswith("before.")}
    weights = weights | begun  # a lesson on a model that has learnt starts before the end of its training
    wrong, checked = [], 0
    for number in found:
        if number.name in given:
            quantity = given[number.name]
            value, places = cell(quantity["hand"], number.index), quantity["places"]
        elif number.name in weights:
            value = cell(weights[number.name], number.index)
            places = len(number.text.replace(".", ",").partition(",")[2])
        else:  # whole numbers that are counted, not calculated, in stations 0 and 1
            assert number.name.partition(".")[0] in COUNTED, number.name
            continue
        checked += 1
        written = None if value is None else sheet.desk.format.text(value, places)
        if number.text != written or parse_number(number.text) != Decimal(repr(value)):
            wrong.append((number.name, number.index, number.text, value))
    return wrong, checked


@pytest.mark.parametrize("case", READ_BACK)
def test_every_number_on_the_key_is_that_of_the_calculation(case):
    sheet = made(case)
    found = numbers(tree(sheet.html("key")))
    wrong, checked = wrong_numbers(sheet, found)
    assert wrong[:5] == []
    assert checked > 100
    blanks = [number for number in found if number.blank]
    asked = sorted((number.name, number.index) for number in sheet.sheet.blanks())
    read = sorted((number.name, number.index) for number in blanks)
    assert set(read) == set(asked)
    assert 0 <= len(read) - len(asked) <= 1  # with two words one length stands in two tables
    assert len(blanks) > 10


@pytest.mark.parametrize("case", FEW)
def test_worksheet_and_key_have_the_same_numbers_at_the_same_places(case):
    """In the HTML as on paper: the same given numbers, the same blanks."""
    worksheet, key = (numbers(tree(made(case).html(view))) for view in ("worksheet", "key"))
    assert [(n.address, n.blank) for n in worksheet] == [(n.address, n.blank) for n in key]
    given = [(n.address, n.text) for n in worksheet if not n.blank]
    assert given == [(n.address, n.text) for n in key if not n.blank]
    assert all(text for _, text in given)


@pytest.mark.parametrize("case", ["example", "two_blocks"])
def test_screen_and_paper_show_the_same_numbers(case):
    screen, paper = (numbers(tree(made(case).html("key", medium))) for medium in ("screen", "pdf"))
    assert screen == paper
