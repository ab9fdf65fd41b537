"""What the work is reckoned by: operations as the sheet writes them out, wrong numbers by their mistakes."""

import re

import pytest

from engine.judging.expectation import Expectation, ExpectedMistake
from generator.basics.numbers import NumberFormat
from generator.sheet.sheet import Number, Row, Solution, Words, walk
from generator.teacher.expected_mistakes import mistake_rows, shown_mistakes
from generator.teacher.plan import operations_of
from tests.laid_out import sheet_of

# Which factors of a product are given in a table: with 0, 1 or −1 there is nothing to multiply.
GIVEN = {
    r"similarity\.(dot|norm)": (0, 1),
    r".*ffn\.(hidden|output)|.*logit": (1,),
    r"gradient\.block\d\.norm\d\.output": (1,),
    r"gradient\.block\d\.head\d\.weight": (0,),  # a column of zeros
}
OPTIONS = [
    {"bloecke": 2, "gewichte": "dezimal", "lernen": "alles", "endezeichen": "Ende"},
    {"maske": False, "skalierung": False, "lernen": "attention", "zielsatz": "The cat", "uebung": (1, 4)},
]


def counted(line, name):
    """How many products of a line have to be typed: "0,8 · 0,0 + 1,4 · (−1,1)" are one or two."""
    given = next((factors for pattern, factors in GIVEN.items() if re.fullmatch(pattern, name)), ())
    products = [re.findall(r"[\d,□]+", part) for part in re.split(r"\s\+\s", line) if "·" in part]
    spared = [any(re.sub(r",0+$", "", pair[i]) in ("0", "1") for i in given) for pair in products]
    return spared.count(False)


def lines_with_their_blank(station):
    """Lines of products and the blank beside them in a table."""
    for row in walk(station, Row):
        line = ""
        for cell in row.cells:
            if isinstance(cell, Words | Solution):
                line = cell.text if "·" in cell.text else ""
            elif isinstance(cell, Number) and line:
                if cell.blank:
                    yield line, cell
                line = ""


@pytest.mark.parametrize("options", OPTIONS)
def test_multiplications_are_those_of_the_lines_and_only_what_is_read_off_counts_as_copied(options):
    """Read off are counts and IDs; every other name has a rule of its own."""
    sheet, desk = sheet_of(**options)
    effort, checked = desk.built.effort, set()
    for station in sheet.stations:
        for line, blank in lines_with_their_blank(station):
            if blank.name.endswith(("scaled", "cosine")):  # the line led to the number before
                continue
            done = operations_of([(blank.name, blank.index)], effort)
            assert done.multiplications == counted(line, blank.name), (blank, line)
            checked.add(station.id)
        for number in (each for each in walk(station, Number) if each.blank):
            read_off = re.match(r"(bpe|sizes|paths|token_ids|vocabulary)\b", number.name) is not None
            assert (effort.of(number.name, number.index) is None) == read_off, number.name
            assert operations_of([(number.name, number.index)], effort).cells == 1
    assert checked >= {"4a", "4b", "6", "11"} | ({"10"} if "zielsatz" in options else set())


@pytest.mark.parametrize(("name", "off", "leads"), [("input", 1, 1), ("logit", 1, 0), ("logit", 2, 1)])
def test_a_number_one_unit_off_leads_to_no_mistake_where_one_rounds(calculation, name, off, leads):
    index = next(iter(calculation.hand[name].cells()))
    value = calculation.hand[name].values[index] + off * 10.0 ** -calculation.hand[name].places
    foreseen = {(name, index): (ExpectedMistake(("cut",), value, here=True),)}
    expectation = Expectation(foreseen, (), (), 1)
    assert len(mistake_rows(calculation, expectation, foreseen, NumberFormat())) == leads


def test_an_example_counts_as_wrong_and_is_made_by_one_mistake_alone_where_there_is_one(calculation):
    value = calculation.hand["logit"].values[0]
    near = ExpectedMistake(("cut",), value + 0.01, here=True)
    shared = ExpectedMistake(("cut", "first_token"), value + 0.2, here=True)
    alone = ExpectedMistake(("cut",), value + 0.3, here=True)
    cells = [("logit", (0,))]

    def sentence(*several):
        expectation = Expectation({cells[0]: several}, (), (), 1)
        shown = shown_mistakes(calculation, expectation, cells, NumberFormat())
        return next(m.sentence for m in shown if m.short == "abgeschnitten")

    for best, others in ((near, ()), (shared, (near,)), (alone, (near, shared))):
        text = NumberFormat().text(best.value, calculation.hand["logit"].places)
        assert f"Steht dort {text}," in sentence(*others, best)
        assert f"Steht dort {text}," in sentence(best, *others)
