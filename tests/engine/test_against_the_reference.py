"""The engine against the second calculation, cell by cell, in both arithmetics, without a difference."""

import pytest
from reference import recompute
from reference.compare import judge
from reference.configurations import TEXTS_EVERY
from reference.published import far_from, printed_cells, truth
from reference.recomputation import differences

from tests.laid_out import document

USUAL, CHUNKS, EACH = 1, 16, 15


def without_a_difference(seeds):
    outcomes = [judge(seed) for seed in seeds]
    assert [(o.seed, o.error) for o in outcomes if o.error] == []
    assert [(o.seed, *o.differences[:3]) for o in outcomes if o.differences] == []
    assert [(o.seed, *o.too_large[:3]) for o in outcomes if o.too_large] == []
    assert min(outcome.cells for outcome in outcomes) > 100


@pytest.mark.parametrize(
    "chunk",
    [*range(USUAL), *(pytest.param(chunk, marks=pytest.mark.thorough) for chunk in range(USUAL, CHUNKS))],
)
def test_random_configurations_have_no_differing_cell(chunk):
    without_a_difference(range(chunk * EACH, (chunk + 1) * EACH))


def test_the_texts_of_random_configurations_have_none():
    """Chosen by all ways, with an end token and without one."""
    without_a_difference(TEXTS_EVERY * number for number in range(2, 4))


def test_names_axes_places_and_order_are_those_of_the_reference(example):
    """They are what other programs rely on; and what the reference does not compute would go unjudged."""
    assert example["quantities"].keys() == recompute(example).keys()
    assert differences(example) == []
    table = example["quantities"]

    def said(quantities):
        return [(d.name, d.arithmetic) for d in differences(example | {"quantities": quantities})]

    assert said(table | {"score": table["logit"]}) == [("score", "unknown")]
    assert said({"logit": table["logit"]} | table) == [("logit", "order")]
    assert said(table | {"logit": table["logit"] | {"axes": ["dim"]}}) == [("logit", "axes")]


@pytest.fixture(scope="module")
def example():
    return document({"satz": "Die Katze sitzt auf der Matte"})


def value_at(values, index):
    for place in index:
        values = values[place]
    return values


def cell(contents, name, index):
    return value_at(contents["quantities"][name]["hand"], index)


def test_every_published_cell_comes_out_or_is_wrong_on_the_published_sheet(example):
    """The second calculation says what is right of the 370 printed cells; the engine agrees on each."""
    expected, printed = truth(2), printed_cells()
    for name, index in printed:
        assert cell(example, name, index) == float(value_at(expected[name], index)), (name, index)
    right = printed.keys() - far_from(expected, "table")
    assert (len(printed), len(right)) == (370, 220)
