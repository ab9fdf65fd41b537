"""The engine against the second calculation, cell by cell, in both arithmetics, without a difference."""

import json

import pytest
from reference import recompute
from reference.compare import judge
from reference.examples import DATA, load
from reference.published import far_from, printed_cells, truth
from reference.recomputation import differences
from starting import started

from tests.laid_out import document

USUAL, CHUNKS, EACH = 1, 16, 15
FORCE_HEAD_1 = ["0.068118", "0.181340", "0.071635", "0.027055", "0.456570", "0.195282"]
FORCE_PLAIN = ["0.3388", "0.0651", "0.1020", "0.1955", "0.1128", "0.1859"]


@pytest.mark.parametrize(
    "chunk",
    [*range(USUAL), *(pytest.param(chunk, marks=pytest.mark.thorough) for chunk in range(USUAL, CHUNKS))],
)
def test_random_configurations_have_no_differing_cell(chunk):
    outcomes = [judge(seed) for seed in range(chunk * EACH, (chunk + 1) * EACH)]
    assert [(o.seed, o.error) for o in outcomes if o.error] == []
    assert [(o.seed, *o.differences[:3]) for o in outcomes if o.differences] == []
    assert [(o.seed, *o.too_large[:3]) for o in outcomes if o.too_large] == []
    assert min(outcome.cells for outcome in outcomes) > 100


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


@pytest.mark.parametrize(
    "name",
    [
        "embedding",
        "positional_encoding",
        "input",
        *(f"unmasked.head1.{part}" for part in ("score", "scaled", "exp", "exp_sum", "weight", "output")),
        "block1.head1.score",
        "block1.head1.scaled",
    ],
)
def test_tables_that_are_right_throughout_come_out_to_the_printed_digit(example, name):
    for row, printed in enumerate(load("katze-published.json")[name]):
        if printed is not None:
            assert example["quantities"][name]["hand"][row] == printed


def test_the_worked_row_of_the_published_sheet(example):
    hand = {part: q["hand"] for part, q in example["quantities"].items()}
    assert hand["block1.head1.scaled"][1][:2] == [1.09, 1.25]
    assert hand["block1.head1.exp"][1][:2] == [2.97, 3.49]
    assert hand["block1.head1.exp_sum"][1] == 6.46
    assert hand["block1.head1.weight"][1] == [0.46, 0.54, None, None, None, None]
    probability = hand["temperature1.probability"]
    assert example["vocabulary"][probability.index(max(probability))] == "Matte"
    assert max(probability) == 0.367


def from_the_command_line(*words):
    run = started("rechne", *words)
    assert (run.returncode, run.stderr) == (0, b"")
    return json.loads(run.stdout)["quantities"]


def test_the_rows_of_the_force_example_from_the_command_line(tmp_path):
    file = str(DATA / "force-weights.json")
    shape = ["--dimension", "10", "--heads", "2", "--ohne-positionen"]
    sentence = load("force-weights.json")["satz"]
    found = from_the_command_line(sentence, *shape, "--gewichte", file, "--embeddings", file)
    row = found["unmasked.head1.weight"]["exact"][0]
    assert [f"{w:.6f}" for w in row] == FORCE_HEAD_1
    assert found == from_the_command_line(sentence, *shape, "--gewichte", file)  # it holds the vectors too

    # Q = K = V = the word vectors, no scaling: one head with the identity for its three matrices.
    identity = [[int(i == j) for j in range(10)] for i in range(10)]
    weights, vectors = tmp_path / "einheit.json", tmp_path / "vektoren.json"
    weights.write_text(json.dumps({f"block1.head1.W_{W}": identity for W in "QKV"}), encoding="utf-8")
    vectors.write_text(json.dumps({"embedding": load("force-weights.json")["embedding"]}), encoding="utf-8")
    shape = ["--dimension", "10", "--heads", "1", "--ohne-positionen", "--ohne-skalierung"]
    files = ["--gewichte", str(weights), "--embeddings", str(vectors)]
    found = from_the_command_line(sentence, *shape, *files)
    for name in ("unmasked.head1.weight", "entry.weight"):
        assert [f"{w:.4f}" for w in found[name]["exact"][0]] == FORCE_PLAIN
