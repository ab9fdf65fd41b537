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


def entry(name, index, text):
    return Entry(name, index, text, Decimal(text))


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
    report = judge(calculation, Answers((entry(WEIGHT, (1, 0), text),), 0), ranges)
    assert [cell.verdict for cell in report.cells] == [verdict]
    assert report.charges() == (verdict == WRONG)
    assert slip_in_words(slip_of(report.cells[0], 2), 2) == slip


def test_what_cannot_be_read_or_calculated_stops_nothing_and_unreadable_is_never_wrong(calculation, ranges):
    unread = Entry(WEIGHT, (1, 0), "hm", None)
    impossible = {
        "block1.head1.exp_sum": "0",
        "block1.norm1.std": "1" + "0" * 15,
        "block1.norm1.variance": "-3",
    }
    own = [unread, *(entry(name, (2,), text) for name, text in impossible.items())]
    places = {(each.name, each.index): each for each in own}
    tables = {name: quantity.values for name, quantity in calculation.hand.items()}
    entries = [places.get((e.name, e.index), e) for e in answers_of(calculation, tables).entries]
    report = judge(calculation, Answers(tuple(entries), 3), ranges)
    verdicts = {(cell.entry.name, cell.index): cell.verdict for cell in report.cells}
    assert len(verdicts) == len(entries)
    assert [verdicts[place] for place in places] == [UNREADABLE, WRONG, WRONG, WRONG]
    assert (report.charges() <= 3, report.left_out) == (True, 3)


def test_a_mistake_that_the_sheet_leaves_no_room_for_is_not_named(calculation, ranges):
    """Who is given the positions cannot have worked them out in degrees."""
    degrees = next(mistake for mistake in MISTAKES if mistake.id == "degrees")
    (told,) = mistaken_numbers(calculation, degrees, {})
    written = tuple(entry(WEIGHT, (2, j), f"{told[WEIGHT][2, j]:.2f}") for j in range(3))
    answers = Answers(written, 0)
    assert [finding.ids for finding in judge(calculation, answers, ranges).findings] == [("degrees",)]
    asked = {"block1.head1.score", WEIGHT}
    assert judge(calculation, answers, ranges, asked=asked).findings == ()


def test_follow_through_begins_where_the_pupil_has_a_number_of_their_own(calculation, ranges):
    """The sum of the pupil's own exponentials is right although both differ from the key."""
    total = f"{9.79 + calculation.hand['block1.head1.exp'].values[1, 1]:.2f}"
    written = (entry("block1.head1.exp", (1, 0), "9.79"), entry("block1.head1.exp_sum", (1,), total))
    report = judge(calculation, Answers(written, 0), ranges)
    assert [cell.verdict for cell in report.cells] == [WRONG, FOLLOWS]


@pytest.mark.parametrize(("units", "charged"), [(6, True), (0, False)])
def test_a_slip_is_not_excused_by_what_rounding_could_not_give(units, charged):
    """Query and key are the key's and follow from the printed input without any rounding, so nobody's
    unrounded numbers lead six units away from the score, a sum of four products.
    """
    chosen = {"satz": "Übung macht den Meister", "gewichte": "ganzzahlig", "dimension": 8}
    passes = build(Options.from_mapping(chosen)).passes
    name, cell = "block1.head1.score", (1, 0)
    tables = {each: quantity.values for each, quantity in passes.hand.items()}
    before = {f"block1.head1.{ending}" for ending in ("query", "key")}
    entries = [each for each in answers_of(passes, tables).entries if each.name in before]
    entries.append(entry(name, cell, f"{passes.hand[name].values[cell] + units / 100:.2f}"))
    report = judge(passes, Answers(tuple(entries), 0), accepted(passes))
    assert [c.entry.name for c in report.cells if c.charged] == [name] * charged
    assert [c["name"] for c in report.as_json()["cells"] if c["charged"]] == [name] * charged


def test_the_published_sheets_agree_with_an_independent_recomputation(calculation):
    """Differences: weights with a third place (the sheet asks for two), and what honest rounding gives."""
    axes = {name: len(quantity.axes) for name, quantity in calculation.hand.items()}
    published, theirs = judge(calculation, read_answers(PUBLISHED, axes)), published_verdicts()
    ours = {(cell.entry.name, cell.index): cell for cell in published.cells}
    assert ours.keys() == theirs.keys()
    same = {"right": {RIGHT, ACCEPTED}, "follows": {FOLLOWS}, "first_error": {WRONG}}
    others = [cell for cell in ours if ours[cell].verdict not in same[theirs[cell]]]
    for name, index in others:
        cell = ours[name, index]
        third_place = name.endswith(".weight") and cell.entry.value.as_tuple().exponent == -3
        assert third_place or cell.verdict in (RIGHT, ACCEPTED), (name, index, cell)
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


def test_answers_for_another_sheet_are_noticed(rechnung, answers):
    other = configuration(3)
    tables = {n: (q.values + 3).tolist() for n, q in other.hand.items() if n.startswith("block1.head1")}
    said = run(str(rechnung), str(answers(tables, "andere.json")))
    assert "Gehört die Antwortdatei zu einem anderen Blatt?" in said
