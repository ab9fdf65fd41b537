"""The judge judged: the reference against numbers from outside, and against faults put in."""

import ast
import copy
import math
import sys
from pathlib import Path

import pytest
from reference import differences, recompute
from reference.arithmetics import NotPlayableError, decimal_sine_cosine
from reference.published import far_from, katze, printed_cells, truth
from reference.task import Task
from reference.transformer import forms


def nested_floats(values):
    if isinstance(values, list):
        return [nested_floats(value) for value in values]
    return None if values is None else float(values)


def completed(document: dict) -> dict:
    """The document with all quantities filled in by the reference."""
    document = copy.deepcopy(document)
    by_rule = forms(Task(document))
    results = recompute(document)
    for name, result in results.items():
        form = by_rule[name]
        document["quantities"][name] = {
            "axes": list(form.axes),
            "places": form.places,
            "exact": nested_floats(result["exact"]),
            "hand": nested_floats(result["hand"]),
        }
    return document


@pytest.mark.parametrize(
    ("by", "masked_weight_places", "count"),
    [("cell", 2, 144), ("cell", 3, 140), ("table", 2, 150), ("table", 3, 146)],
)
def test_count_of_wrong_published_cells(by, masked_weight_places, count):
    assert len(printed_cells()) == 370
    assert len(far_from(truth(masked_weight_places), by)) == count


def test_the_decimal_series_agrees_with_the_library():
    for position, pair, dimension in ((0, 0, 4), (1, 1, 4), (23, 0, 2), (7, 2, 5), (100, 0, 8)):
        angle = position / 10_000 ** (2 * pair / dimension)
        found = [float(each) for each in decimal_sine_cosine(position, pair, dimension)]
        assert found == pytest.approx([math.sin(angle), math.cos(angle)], abs=1e-14)


@pytest.mark.parametrize(("arithmetic", "shift"), [("hand", 0.01), ("exact", 1e-6)])
def test_one_wrong_cell_is_found(arithmetic, shift):
    document, wrong = completed(katze()), set()
    for name in ("input", "block1.head2.weight", "block1.norm1.std", "block1.ffn.output", "logit"):
        values = document["quantities"][name][arithmetic]
        row, index = (values[3], (3, 1)) if isinstance(values[3], list) else (values, (3,))
        row[index[-1]] += shift
        wrong.add((name, index, arithmetic))
    assert {d[:3] for d in differences(document)} == wrong


def test_other_faults_are_found():
    def faults(change) -> list[tuple]:
        document = completed(katze())
        change(document, document["quantities"])
        return [(d.name, d.arithmetic) for d in differences(document)]

    def negative_zero(_, quantities):
        quantities["block1.ffn.activation"]["hand"][0][2] = -0.0

    assert faults(lambda _, q: q.pop("block1.attention")) == [("block1.attention", "missing")]
    assert faults(lambda _, q: q["logit"].update(axes=["token"])) == [("logit", "axes")]
    assert ("logit", "places") in faults(lambda _, q: q["logit"].update(places=3))
    assert faults(negative_zero) == [("block1.ffn.activation", "hand")]
    weights = "block1.head1.weight"
    assert faults(lambda _, q: q[weights]["hand"][0].__setitem__(5, 0)) == [(weights, "hand")]
    assert faults(lambda _, q: q[weights]["hand"][0].pop()) == [(weights, "hand shape")]
    assert faults(lambda d, _: d["token_ids"].__setitem__(1, 5))[0][0] == "token_ids"


def test_division_by_zero_is_named():
    document = katze(nachkommastellen=1, positionen=False)
    flat = [[0.5] * 4 for _ in range(6)]
    document["quantities"]["embedding"].update(exact=flat, hand=flat)
    with pytest.raises(NotPlayableError) as caught:
        recompute(document)
    assert (caught.value.name, caught.value.index) == ("block1.norm1.output", (0, 0))


def test_the_reference_reads_nothing_but_the_standard_library():
    for path in (Path(__file__).parent / "reference").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module]
            tops = {name.split(".")[0] for name in names} - {"reference"}
            allowed = {"generator"} if path.name == "compare.py" else set()
            assert tops <= sys.stdlib_module_names | allowed, path.name
