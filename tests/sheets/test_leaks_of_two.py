"""What one station asks for stands in no other under another name: encoder and decoder, the way back."""

from collections import defaultdict

import pytest
from cases import KATZE, made_from
from reading import numbers, tree

from generator.options.options import Options

STATIONS = "4a,4b,5,7,8,10,11"
SHEETS = {
    "one_head": {"heads": 1, "lernen": "alles"},
    "no_mask": {"heads": 1, "maske": False, "bloecke": 2, "lernen": "alles", "stufe": 3},
    "two_heads": {"maske": False, "lernen": "attention", "stufe": 1},
}


def plain(name):
    """The same for quantities that would be the same number if two models were alike."""
    name = name.removeprefix("encoder.").replace("unmasked.", "block1.")
    return name.replace(".normalised", ".output") if ".norm" in name else name


def place_of(name, index, sizes):
    """Where the gradient of a head's output stands in that of all heads side by side."""
    at, _, head = name.partition(".head")
    if name.startswith("gradient.block") and head.endswith(".output"):
        start = (int(head.partition(".")[0]) - 1) * sizes.d_head
        return f"{at}.residual1", (index[0], start + index[1])
    return plain(name), index


def exact_values(built):
    found = {}
    calculations = (built.calculation, built.two.calculation, built.learning, built.learning_of_two)
    for calculation in calculations:
        for name, quantity in calculation.exact.items():
            found.setdefault(name, quantity.values)
    return found


@pytest.mark.parametrize("case", SHEETS)
def test_no_number_to_find_is_given_under_another_name(case):
    options = {"satz": KATZE, "zielsatz": "The cat sits", "stationen": STATIONS} | SHEETS[case]
    sheet = made_from(Options.from_mapping(options))
    exact, sizes = exact_values(sheet.built), sheet.desk.sizes
    places = defaultdict(set)
    for number in numbers(tree(sheet.html("worksheet"))):
        if number.name in exact:
            place = place_of(number.name, number.index, sizes)
            value = round(float(exact[number.name][number.index]), 11)
            places[(*place, value)].add((number.name, number.index, number.blank))
    of_two = ("encoder.", "decoder.", "gradient.", "step.", "after.", "loss")
    told = []
    for found in places.values():
        blanks = {(name, index) for name, index, blank in found if blank}
        givens = {(name, index) for name, index, blank in found if not blank}
        if blanks and any(name.startswith(of_two) for name, _ in blanks | givens):
            told += [(blank, given) for blank in blanks for given in givens]
    assert told[:5] == []
    assert sum(len(found) > 1 for found in places.values()) > 1  # there is something to compare
