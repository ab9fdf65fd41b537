"""Verdicts: right, accepted, following, wrong; charged once; the published sheets judged."""

import json
from collections import Counter
from decimal import Decimal
from pathlib import Path

import pytest
from acceptance.configurations import configuration
from judging import answers_of, judge
from reference.published import published_verdicts

from engine.judging.acceptance import accepted
from engine.judging.mistakes import MISTAKES, mistaken_numbers
from generator.basics.errors import UserError
from generator.calculation.build import build
from generator.check.answers import Answers, read_answers
from generator.check.check import ACCEPTED, FOLLOWS, RIGHT, UNREADABLE, VERDICTS, WRONG
from generator.check.entries import Entry
from generator.check.in_words import slip_in_words, slip_of
from generator.commands.check_command import run
from generator.options.options import Options

PUBLISHED = Path(__file__).parents[1] / "data" / "katze-published.json"
WEIGHT = "block1.head1.weight"


@pytest.fixture(scope="module")
def published(calculation):
    axes = {name: len(quantity.axes) for name, quantity in calculation.hand.items()}
    return judge(calculation, read_answers(PUBLISHED, axes))


def tables_of(calculation):
    return {name: quantity.values.copy() for name, quantity in calculation.hand.items()}


def one(name, index, text, value):
    return Entry(name, index, text, None if value is None else Decimal(value))


@pytest.mark.parametrize(
    ("text", "verdict", "slip"),
    [
        ("0.46", RIGHT, ""),
        ("0.462", RIGHT, ""),
        ("0.45", ACCEPTED, ""),
        ("0.47", ACCEPTED, ""),
        ("0.64", WRONG, "Ziffern vertauscht?"),
        ("4.06", WRONG, "Ziffern vertauscht?"),
        ("-0.46", WRONG, "Vorzeichen?"),
        ("4.6", WRONG, "Komma verrutscht?"),
        ("0.046", WRONG, "Komma verrutscht?"),
        ("0.5", WRONG, "Gemeint sind 2 Nachkommastellen."),
        ("0.66", WRONG, ""),
        ("-0.64", WRONG, ""),
    ],
)
def test_one_cell(calculation, ranges, text, verdict, slip):
    """A slip of the pen is named and costs what any wrong number does."""
    report = judge(calculation, Answers((one(WEIGHT, (1, 0), text, text),), 0), ranges)
    assert [cell.verdict for cell in report.cells] == [verdict]
    assert report.charges() == (verdict == WRONG)
    assert slip_in_words(slip_of(report.cells[0], 2), 2) == slip


def test_unreadable_is_never_wrong(calculation, ranges):
    report = judge(calculation, Answers((one(WEIGHT, (1, 0), "hm", None),), 3), ranges)
    assert [cell.verdict for cell in report.cells] == [UNREADABLE]
    assert report.charges() == 0
    assert report.left_out == 3


def test_a_mistake_that_the_sheet_leaves_no_room_for_is_not_named(calculation, ranges):
    """Who is given the positions cannot have worked them out in degrees."""
    degrees = next(mistake for mistake in MISTAKES if mistake.id == "degrees")
    (told,) = mistaken_numbers(calculation, degrees, {})
    texts = {(2, j): f"{told[WEIGHT][2, j]:.2f}" for j in range(3)}
    answers = Answers(tuple(one(WEIGHT, index, text, text) for index, text in texts.items()), 0)
    named = judge(calculation, answers, ranges).findings
    assert [finding.ids for finding in named] == [("degrees",)]
    asked = {"block1.head1.score", WEIGHT}
    assert judge(calculation, answers, ranges, asked=asked).findings == ()


def test_follow_through_begins_where_the_pupil_has_a_number_of_their_own(calculation, ranges):
    """The sum of the pupil's own exponentials is right although both differ from the key."""
    e = calculation.hand["block1.head1.exp"].values
    entries = [one("block1.head1.exp", (1, 0), "9.79", "9.79")]
    total = f"{9.79 + e[1, 1]:.2f}"
    report = judge(
        calculation, Answers((*entries, one("block1.head1.exp_sum", (1,), total, total)), 0), ranges
    )
    assert [cell.verdict for cell in report.cells] == [WRONG, FOLLOWS]


@pytest.fixture(scope="module")
def wide_heads():
    """Sums of four products; the queries and keys follow from the printed input without any rounding."""
    chosen = {"satz": "Übung macht den Meister", "gewichte": "ganzzahlig", "dimension": 8}
    return build(Options.from_mapping(chosen)).passes


@pytest.mark.parametrize(("units", "charged"), [(6, True), (0, False)])
def test_a_slip_is_not_excused_by_what_rounding_could_not_give(wide_heads, units, charged):
    """Query and key are the key's, so nobody's unrounded numbers lead six units away from the score."""
    name, cell = "block1.head1.score", (1, 0)
    ranges = accepted(wide_heads)
    written = f"{wide_heads.hand[name].values[cell] + units / 100:.2f}"
    tables = tables_of(wide_heads)
    before = {f"block1.head1.{ending}": tables[f"block1.head1.{ending}"] for ending in ("query", "key")}
    answers = answers_of(wide_heads, tables).entries
    entries = [entry for entry in answers if entry.name in before] + [one(name, cell, written, written)]
    report = judge(wide_heads, Answers(tuple(entries), 0), ranges)
    assert [c.entry.name for c in report.cells if c.charged] == [name] * charged
    plain = report.as_json()["cells"]
    assert [c["name"] for c in plain if c["charged"]] == [name] * charged


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("block1.head1.exp_sum", "0"),
        ("block1.norm1.std", "1000000000000000"),
        ("block1.norm1.variance", "-3"),
    ],
)
def test_impossible_numbers_stop_nothing(calculation, ranges, name, value):
    tables = tables_of(calculation)
    answers = answers_of(calculation, tables)
    entries = [
        e if (e.name, e.index) != (name, (2,)) else one(name, (2,), value, value) for e in answers.entries
    ]
    report = judge(calculation, Answers(tuple(entries), 0), ranges)
    assert report.summary()[WRONG] >= 1
    assert len(report.cells) == len(answers.entries)


def test_the_published_sheets_agree_with_an_independent_recomputation(published):
    """Differences: weights with a third place (the sheet asks for two), and what honest rounding gives."""
    theirs = published_verdicts()
    ours = {(cell.entry.name, cell.index): cell for cell in published.cells}
    assert ours.keys() == theirs.keys()
    same = {"right": {RIGHT, ACCEPTED}, "follows": {FOLLOWS}, "first_error": {WRONG}}
    others = [cell for cell in ours if ours[cell].verdict not in same[theirs[cell]]]
    for name, index in others:
        cell = ours[name, index]
        third_place = name.endswith(".weight") and cell.entry.value.as_tuple().exponent == -3
        assert third_place or cell.verdict in (RIGHT, ACCEPTED), (name, index, cell)
    assert len(others) == 15
    assert Counter(theirs[cell] for cell in others) == {"first_error": 11, "follows": 4}
    first = published.first_wrong()
    assert (first.entry.name, first.index, first.expected) == (WEIGHT, (2, 0), 0.26)
    assert published.findings == ()
    assert published.summary() == {RIGHT: 212, ACCEPTED: 25, FOLLOWS: 62, WRONG: 71, UNREADABLE: 0}


def test_the_audit_reads_as_a_colleague_would_write_it(rechnung, tmp_path):
    target = tmp_path / "bericht.md"
    printed = run(str(rechnung), str(PUBLISHED), bericht=str(target))
    report = target.read_text("utf-8")
    for text in (printed, report):
        assert "Head 1, Gewicht „sitzt“ zu „Die“: Dort steht 0,276, richtig ist 0,26" in text
        assert "„Katze“ mit 37,9 %; richtig ist „Matte“ mit 36,7 %" in text
    table = report.partition("nicht lesbar")[2]
    assert (table.count("✗"), table.count("FF"), table.count("(✓)"), table.count("✓")) == (71, 62, 25, 237)
    assert "0,276 ✗ (richtig 0,26)" in table


def test_reports_in_html_are_whole_documents(rechnung, tmp_path):
    target = tmp_path / "bericht.html"
    run(str(rechnung), str(PUBLISHED), bericht=str(target))
    text = target.read_text("utf-8")
    assert text.startswith("<!doctype html>")
    assert text.count("<tr") == text.count("</tr>")
    assert 'lang="de"' in text
    with pytest.raises(UserError, match="möglich sind"):
        run(str(rechnung), str(PUBLISHED), bericht=str(tmp_path / "bericht.docx"))


def test_json_has_the_shape_of_the_contract(rechnung):
    report = json.loads(run(str(rechnung), str(PUBLISHED), as_json=True))
    assert set(report) == {"cells", "summary"}
    assert set(report["summary"]) == set(VERDICTS)
    assert sum(report["summary"].values()) == len(report["cells"]) == 370
    keys = ["name", "index", "answer", "expected", "accepted", "verdict", "mistake", "charged"]
    assert all(list(cell) == keys for cell in report["cells"])
    cell = next(c for c in report["cells"] if c["name"] == WEIGHT and c["index"] == [2, 0])
    assert list(cell.values()) == [WEIGHT, [2, 0], 0.276, 0.26, [0.25, 0.27], "falsch", None, True]


def test_answers_for_another_sheet_are_noticed(rechnung, tmp_path):
    other = configuration(3)
    tables = {n: (q.values + 3).tolist() for n, q in other.hand.items() if n.startswith("block1.head1")}
    path = tmp_path / "andere.json"
    path.write_text(json.dumps(tables), encoding="utf-8")
    assert "Gehört die Antwortdatei zu einem anderen Blatt?" in run(str(rechnung), str(path))
