"""rechnung.json read back; broken and hostile ones refused in one German sentence."""

import copy
import json
import re

import numpy as np
import pytest

from engine.forward.calculation import calculate
from generator.basics.errors import UserError
from generator.calculation.build import build
from generator.calculation.rebuild import read_document, rebuild
from generator.check.entries import ensure_defined, recomputed
from generator.commands.check_command import run
from generator.options.options import Options
from tests.laid_out import document


def test_the_file_gives_the_same_calculation(contents):
    calculation = build(Options.from_mapping({"satz": "Die Katze sitzt auf der Matte"})).passes
    rebuilt = rebuild(contents)
    assert rebuilt.changed == ()
    assert list(rebuilt.calculation.hand) == list(calculation.hand)
    for name, quantity in calculation.hand.items():
        np.testing.assert_array_equal(rebuilt.calculation.hand[name].values, quantity.values)


@pytest.mark.parametrize(
    "options",
    [
        {"satz": "Der Ball rollt und rollt", "maske": False, "positionen": False, "bloecke": 2},
        {
            "satz": "Übung macht den Meister",
            "gewichte": "dezimal",
            "nachkommastellen": 3,
            "temperatur": [0.7],
        },
        {"satz": "Vögel singen", "gewichte": "ganzzahlig", "skalierung": False, "dimension": 6, "heads": 3},
    ],
)
def test_other_options_too(options):
    assert rebuild(json.loads(json.dumps(document(options)))).changed == ()


@pytest.mark.parametrize("changed", [5.0, -99, "x", None])
def test_ranges_of_the_file_are_not_trusted(contents, changed):
    document = copy.deepcopy(contents)
    document["quantities"]["block1.head1.weight"]["accepted"]["high"][0][0] = changed
    ours = rebuild(contents).ranges["block1.head1.weight"].high[0, 0]
    assert rebuild(document).ranges["block1.head1.weight"].high[0, 0] == ours < 2


@pytest.mark.parametrize("content", ["", "{", "null", "[1]", '"x"', "[" * 50_000, "NaN", "\x00"])
def test_a_file_that_is_no_calculation(tmp_path, content):
    path = tmp_path / "rechnung.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UserError):
        read_document(path)
    with pytest.raises(UserError, match="lässt sich nicht lesen"):
        run(str(tmp_path / "fehlt.json"), str(path))


def test_a_document_changed_by_hand_is_noticed(contents):
    document = copy.deepcopy(contents)
    document["quantities"]["logit"]["hand"][0] = 5
    assert rebuild(document).changed == ("logit",)


def test_own_numbers_change_only_what_depends_on_them(contents):
    calculation = rebuild(contents).calculation
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


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Unsinn", "So sieht eine eigene Zahl aus"),
        ("block1.head1.weigth[2,1]=1", "gemeint ist vielleicht"),
        ("block1.head1.weight[9,9]=1", "6 × 6 Zellen"),
        ("block1.head1.weight[1]=1", "6 × 6 Zellen"),
        ("block1.head1.weight[0,3]=1", "verdeckt die Maske"),
        ("block1.head1.weight[2,1]=viel", "keine Zahl"),
        ("block1.head1.weight[2,1]=1000000000", "keine Zahl"),
    ],
)
def test_own_numbers_that_fit_nowhere(contents, text, says):
    with pytest.raises(UserError, match=says):
        recomputed(rebuild(contents).calculation, [text])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("block1.norm1.std[0]=0", "norm1.output“ nicht rechnen, weil der Teiler 0"),
        ("block1.norm2.std[5]=0,000", "norm2.output“ nicht rechnen, weil der Teiler 0"),
        ("block1.norm2.variance[0]=0", "norm2.output“ nicht rechnen, weil der Teiler 0"),
        ("block1.norm1.variance[0]=-1", "norm1.std“ nicht rechnen, weil unter der Wurzel"),
        ("block1.head1.exp_sum[2]=0", "head1.weight“ nicht rechnen, weil der Teiler 0"),
        ("block1.head1.scaled[1,0]=1000000", "head1.exp“ nicht rechnen, weil e^x zu groß"),
        ("temperature1.exp_sum=0", "temperature1.probability“ nicht rechnen"),
    ],
)
def test_no_key_from_numbers_that_lead_to_no_number(contents, text, says):
    again = recomputed(rebuild(contents).calculation, [text])
    with pytest.raises(UserError, match=re.escape(says)):
        ensure_defined(again, [text])
