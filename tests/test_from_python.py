"""`import generator`: the example of the docstring runs, and what it gives is what `blatt` writes."""

import doctest
import subprocess
import sys

import pytest

import generator

SATZ = "Die Katze sitzt auf der Matte"
WEIGHT = "unmasked.head1.weight"


@pytest.fixture(scope="module")
def blatt():
    return generator.sheet(SATZ, stationen="4a", gewichte="auswahl")


def test_the_example():
    result = doctest.testmod(generator)
    assert (result.attempted, result.failed) == (5, 0)


def test_pages_and_verdicts(blatt):
    right = blatt.calculation[WEIGHT].values
    assert blatt.check({WEIGHT: right}).summary()["richtig"] == right.size
    wrong = right.copy()
    wrong[1, 0] += 0.5
    assert blatt.check({WEIGHT: wrong.tolist()}).summary()["falsch"] == 1
    table = f'name,index,wert\n{WEIGHT},"1,0","0,12"\n'
    assert [cell.verdict for cell in blatt.check(table.encode()).cells] == ["richtig"]
    assert "Lehrkraft" in blatt.teacher.html
    assert blatt.teacher.pdf().startswith(b"%PDF-")
    assert blatt.key.pdf() != blatt.worksheet.pdf()


def test_numbers_are_those_of_the_file_that_is_read_back(blatt):
    """A sheet's answers are checked as those of its rechnung.json are."""
    import json

    from generator.calculation.rebuild import rebuild
    from generator.check.answers import answers_in
    from generator.check.check import check

    read = rebuild(json.loads(blatt._whole.record_json()))
    answers = {WEIGHT: (blatt.calculation[WEIGHT].values + 0.03).tolist()}
    from_file = check(read, answers_in(json.dumps(answers).encode(), "", read.axes))
    assert read.changed == ()
    assert from_file.as_json() == blatt.check(answers).as_json()


@pytest.mark.parametrize(
    "options", [{"dimensionen": 3}, {"dimension": 3}, {"gewichte": 5}, {"stationen": "99"}]
)
def test_errors_are_one_class_with_a_german_sentence(options):
    with pytest.raises(generator.UserError, match=r"[a-zäöü]"):
        generator.sheet(SATZ, **options)


@pytest.mark.parametrize("answers", [{WEIGHT: 3}, b"\x00", {"nichts": [1]}, {WEIGHT: [[object()]]}])
def test_answers_of_another_kind(blatt, answers):
    try:
        report = blatt.check(answers)
    except generator.UserError:
        return
    assert {cell.verdict for cell in report.cells} <= {"unlesbar"}


def test_importing_it_loads_no_numbers():
    said = (
        "import sys, generator; print(sorted({'numpy', 'weasyprint', 'sympy', 'jinja2'} & set(sys.modules)))"
    )
    assert subprocess.check_output([sys.executable, "-c", said], text=True).strip() == "[]"
