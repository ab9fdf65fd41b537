"""rechnung.json read back; broken and hostile ones refused in one German sentence."""

import copy

import numpy as np
import pytest

from engine.forward.calculation import calculate
from engine.judging.ranges import Range, joined, places
from generator.basics.errors import UserError
from generator.calculation.rebuild import read_document, rebuild
from generator.check.entries import ensure_defined, recomputed


@pytest.fixture(scope="module")
def calculation(contents):
    return rebuild(contents).calculation


def test_ranges_of_the_file_are_not_trusted_and_a_number_changed_by_hand_is_noticed(contents):
    ours = rebuild(contents).ranges["block1.head1.weight"].high[0, 0]
    for changed in (5.0, "x"):
        document = copy.deepcopy(contents)
        document["quantities"]["block1.head1.weight"]["accepted"]["high"][0][0] = changed
        document["quantities"]["logit"]["hand"][0] = 5
        again = rebuild(document)
        assert again.ranges["block1.head1.weight"].high[0, 0] == ours < 2
        assert again.changed == ("logit",)


def test_a_file_that_is_no_calculation(tmp_path):
    path = tmp_path / "rechnung.json"
    for content in ("", "{", "null", "[1]", '"x"', "[" * 50_000, "NaN", "\x00"):
        path.write_text(content, encoding="utf-8")
        with pytest.raises(UserError):
            read_document(path)


def test_own_numbers_change_only_what_depends_on_them(calculation):
    again = recomputed(calculation, ["block1.head1.weight[2,1]=0,48", "block1.head2.weight[1,0]=0.5"])
    assert again.own <= again.changed
    names = {name for name, _ in again.changed}
    assert "block1.head1.output" in names
    assert "block1.head1.scaled" not in names
    tokens = {index[0] for name, index in again.changed if name == "block1.norm2.output"}
    assert tokens <= {1, 2}
    assert recomputed(calculation, ["block1.head1.weight[1,0]=0,46"]).changed == frozenset()
    by_hand = calculate(calculation.model)
    assert all(np.array_equal(by_hand.hand[n].values, calculation.hand[n].values) for n in by_hand.hand)


FITS_NOWHERE = {
    "Unsinn": "So sieht eine eigene Zahl aus",
    "block1.head1.weigth[2,1]=1": "gemeint ist vielleicht",
    "block1.head1.weight[9,9]=1": "6 × 6 Zellen",
    "block1.head1.weight[0,3]=1": "verdeckt die Maske",
    "block1.head1.weight[2,1]=viel": "keine Zahl",
    "block1.norm1.std[0]=0": "norm1.output“ nicht rechnen, weil der Teiler 0",
    "block1.norm1.variance[0]=-1": "norm1.std“ nicht rechnen, weil unter der Wurzel",
    "block1.head1.exp_sum[2]=0": "head1.weight“ nicht rechnen, weil der Teiler 0",
    "block1.head1.scaled[1,0]=1000000": "head1.exp“ nicht rechnen, weil e^x zu groß",
}


def test_own_numbers_that_fit_nowhere_or_lead_to_no_number(calculation):
    for text, says in FITS_NOWHERE.items():
        with pytest.raises(UserError) as said:
            ensure_defined(recomputed(calculation, [text]), [text])
        assert says in str(said.value)


def test_of_an_order_in_an_earlier_sheet_honest_rounding_says_who_may_stand_where():
    low, high = np.array([0.3, 0.08, 0.05, 0.07, 0.05]), np.array([0.4, 0.1, 0.06, 0.09, 0.06])
    allowed, exact = Range(low, high), np.array([0.35, 0.09, 0.055, 0.08, 0.055])
    possible = places(allowed, exact, [0, 1, 3, 2])
    assert possible == [(0,), (1, 3), (3, 1), (2,)]  # 2 and 4 are one vector: the smaller ID stands first
    wider = joined(allowed, possible)
    np.testing.assert_allclose(wider.low, [0.3, 0.07, 0.05, 0.07, 0.05])
    np.testing.assert_allclose(wider.high, [0.4, 0.1, 0.06, 0.1, 0.06])
    assert places(allowed, exact, [0, 1, 3, 2, 4])[-1] == (4,)
