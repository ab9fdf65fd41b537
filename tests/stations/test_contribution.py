"""What a word brings (weight times value) and queries that find a word, evaluated another way."""

import math
import re
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from laid_out import KATZE, laid_out

from generator.options.options import Options
from generator.stations.masked_attention.query import queries

LEARNT = {"gewichte": "gelernt"}
BAECKER = "Der Bäcker backt jeden Morgen frisches Brot"


def number(text):
    return Fraction(text.replace("−", "-").replace(",", ".").strip("()"))


def parts_of(satz, stations, **options):
    sheet, desk = laid_out(Options.from_mapping({"satz": satz, "stationen": stations, **options}))
    return {each.id: each.parts for each in sheet.stations}, desk


def summands(desk, at, token, component):
    """From the numbers as they are printed."""
    return {
        desk.words[j]: number(desk.number(at + "weight", token, j).text)
        * number(desk.number(at + "value", j, component).text)
        for j in range(desk.n)
        if desk.quantity(at + "weight").shown[token, j]
    }


def check_greatest(lead, every):
    word = lead.word
    line, right = re.match(r"(.+?) [=≈] ([−\d,]+)", lead.summand).groups()
    assert abs(every[word]) == max(map(abs, every.values()))
    factors = [number(each) for each in line.replace("\N{NO-BREAK SPACE}", " ").split(" · ")]
    assert factors[0] * factors[1] == every[word]
    assert abs(number(right) - every[word]) <= Fraction(1, 200)


@pytest.mark.parametrize(
    ("satz", "options"), [(KATZE, {}), (KATZE, {"gewichte": "dezimal"}), (BAECKER, {"gewichte": "gelernt"})]
)
def test_what_a_head_brings_most_is_the_summand_furthest_from_0(satz, options):
    stations, desk = parts_of(satz, "4a,4b", **options)
    picture = stations["4a"].picture
    if not picture.even:
        check_greatest(picture.greatest, summands(desk, "unmasked.head1.", desk.n - 1, 0))
    for k, look in enumerate(stations["4b"].looks, 1):
        check_greatest(look.lead, summands(desk, f"block1.head{k}.", desk.path, 0))


def test_a_query_of_the_key_leads_clearly_and_is_the_best_of_small_integers():
    keys = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0], [0.1, 0.1]])
    found = queries(keys)
    assert set(found) == {0, 1, 2}
    for word, q in found.items():
        leads = {
            p: (keys @ p)[word] - np.delete(keys @ p, word).max()
            for p in product(range(-2, 3), repeat=2)
            if any(p)
        }
        best = max(lead / math.hypot(*p) for p, lead in leads.items())
        assert leads[q] / math.hypot(*q) == pytest.approx(best)
