"""The judge judged: the reference against faults put in; check/test_check.py has numbers from outside."""

import ast
import sys
from pathlib import Path

from reference import differences, recompute
from reference.published import katze
from reference.task import Task
from reference.transformer import forms


def as_floats(values):
    if isinstance(values, list):
        return [as_floats(value) for value in values]
    return None if values is None else float(values)


def test_every_kind_of_fault_is_found():
    document = katze()
    for name, result in recompute(document).items():
        form = forms(Task(document))[name]
        values = {arithmetic: as_floats(values) for arithmetic, values in result.items()}
        document["quantities"][name] = {"axes": list(form.axes), "places": form.allowed[0], **values}
    assert differences(document) == []
    quantities = document["quantities"]
    quantities["input"]["hand"][3][1] += 0.01
    quantities["block1.norm1.std"]["exact"][3] += 1e-6
    quantities.pop("block1.attention")
    quantities["logit"].update(axes=["token"], places=3)
    quantities["block1.ffn.activation"]["hand"][0][2] = -0.0
    quantities["block1.head1.weight"]["hand"][0][5] = 0  # which the mask hides
    quantities["block1.head2.weight"]["hand"][0].pop()
    quantities["block1.head1.key"]["accepted"] = {"low": [[9] * 2] * 6, "high": [[9] * 2] * 6}
    quantities["score"] = quantities.pop("block1.head1.score")
    quantities["embedding"] = quantities.pop("embedding")
    document["token_ids"][5] = 4
    found = {(d.name, d.arithmetic) for d in differences(document)}
    assert found >= {
        ("input", "hand"), ("block1.norm1.std", "exact"), ("block1.attention", "missing"), ("logit", "axes"),
        ("logit", "places"), ("block1.ffn.activation", "hand"), ("block1.head1.weight", "hand"),
        ("block1.head2.weight", "hand shape"), ("block1.head1.key", "accepted"), ("score", "unknown"),
        ("block1.head1.score", "missing"), ("positional_encoding", "order"),
        ("token_ids", "order of appearance"),
    }  # fmt: skip


def test_the_reference_reads_nothing_but_the_standard_library():
    for path in (Path(__file__).parent / "reference").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module]
            tops = {name.split(".")[0] for name in names} - {"reference"}
            allowed = {"generator"} if path.name == "compare.py" else set()
            assert tops <= sys.stdlib_module_names | allowed, path.name
