"""The judge judged: the reference against numbers from outside, and against faults put in."""

import ast
import copy
import sys
from pathlib import Path

import pytest
from reference import differences, recompute
from reference.published import katze
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
    document, weights = completed(katze()), "block1.head1.weight"
    quantities = document["quantities"]
    quantities.pop("block1.attention")
    quantities["logit"].update(axes=["token"], places=3)
    quantities["block1.ffn.activation"]["hand"][0][2] = -0.0
    quantities[weights]["hand"][0][5] = 0
    quantities["block1.head2.weight"]["hand"][0].pop()
    found = {(d.name, d.arithmetic) for d in differences(document)}
    expected = {("block1.attention", "missing"), ("logit", "axes"), ("logit", "places"), (weights, "hand")}
    assert expected | {("block1.ffn.activation", "hand"), ("block1.head2.weight", "hand shape")} <= found


def test_the_reference_reads_nothing_but_the_standard_library():
    for path in (Path(__file__).parent / "reference").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module]
            tops = {name.split(".")[0] for name in names} - {"reference"}
            allowed = {"generator"} if path.name == "compare.py" else set()
            assert tops <= sys.stdlib_module_names | allowed, path.name
