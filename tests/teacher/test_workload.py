"""The multiplications that are counted against those that the sheet writes out beside the blanks."""

import re
from collections import Counter

import pytest
from markupsafe import Markup

from engine.judging.expectation import Expectation, ExpectedMistake
from generator.basics.numbers import NumberFormat
from generator.calculation.build import build
from generator.options.options import Options
from generator.output.formulas.typeset import Typesetter
from generator.output.html import Html
from generator.output.render import environment
from generator.sheet.fields import page_format
from generator.sheet.page import Objects, Page
from generator.sheet.record import stations_of
from generator.sheet.sheet import Number, Row, Solution, Station, Task, Words, walk
from generator.stations.make_sheet import build_sheet
from generator.teacher.expected_mistakes import mistake_rows, shown_mistakes
from generator.teacher.plan import operations_of
from teacher.sheets import KATZE

# Which factors of a product are given in a table: with 0, 1 or −1 there is nothing to multiply.
GIVEN = {
    r"similarity\.(dot|norm)": (0, 1),
    r".*ffn\.(hidden|output)|.*logit": (1,),
    r"gradient\.block\d\.norm\d\.output": (1,),
    r"gradient\.block\d\.head\d\.weight": (0,),  # a column of zeros
}
OPTIONS = [
    {},
    {"bloecke": 2, "gewichte": "dezimal", "lernen": "alles", "endezeichen": "Ende"},
    {"dimension": 6, "heads": 3, "gewichte": "ganzzahlig", "lernen": "alles", "zielsatz": "The cat sits"},
    {"maske": False, "skalierung": False, "lernen": "attention", "uebung": (1, 4)},
]


def counted(line, name):
    """How many products of a line have to be typed: "0,8 · 0,0 + 1,4 · (−1,1)" are one or two."""
    given = next((factors for pattern, factors in GIVEN.items() if re.fullmatch(pattern, name)), ())
    products = [re.findall(r"−?[\d,□]+", part) for part in re.split(r"\s\+\s", line) if "·" in part]
    spared = [any(abs_value(pair[i]) in ("0", "1") for i in given) for pair in products]
    return spared.count(False)


def abs_value(text):
    return re.sub(r",0+$", "", text.lstrip("−"))


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
def test_multiplications_are_those_of_the_lines_on_the_sheet(options):
    built = build(Options(satz=KATZE, **options))
    sheet, _ = build_sheet(built)
    checked = Counter()
    for station in sheet.stations:
        for line, blank in lines_with_their_blank(station):
            if blank.name.endswith(("scaled", "cosine")):  # the line led to the number before
                continue
            cell = (blank.name, blank.index)
            done = operations_of([cell], built.effort)
            assert done.multiplications == counted(line, blank.name), (cell, line)
            checked[station.id] += 1
    with_lines = {"4a", "4b", "6"}
    with_lines |= {"11"} if "lernen" in options else set()
    with_lines |= {"10"} if "zielsatz" in options else set()
    assert with_lines <= set(checked)
    assert sum(checked.values()) > 15


@pytest.mark.parametrize("options", OPTIONS)
def test_only_what_is_read_off_counts_as_copied(options):
    """Counts and IDs; every other name has a rule of its own."""
    built = build(Options(satz=KATZE, **options))
    sheet, _ = build_sheet(built)
    for number in (n for station in sheet.stations for n in walk(station, Number) if n.blank):
        done = operations_of([(number.name, number.index)], built.effort)
        counted = built.effort.of(number.name, number.index)
        read_off = re.match(r"(bpe|sizes|paths|token_ids|vocabulary)\b", number.name) is not None
        assert (counted is None) == read_off, number.name
        assert done.cells == 1


# Numbers that are only carried over belong to no task, and neither do the ranges beside them.

SOURCE = """{% import "blocks.html.j2" as b with context %}
{% call b.task(t) %}Berechne{% endcall %}{{ b.number(loss) }}
{% call b.interim("8") %}{{ b.number(weight) }}{% endcall %}{{ b.open(weight) }}{{ b.part(weight) }}"""


def test_numbers_in_a_box_of_copied_ones_belong_to_no_exercise():
    page = Page(Objects(), page_format())
    loss = Number("loss", (0,), "3,10", 2, blank=True, accepted="3,0 bis 3,2")
    weight = Number("weight", (0,), "0,09", 2, blank=True, accepted="0,08 bis 0,11")
    named = {"page": page, "d": {}, "t": Task(1, 1, "I", "Berechne"), "loss": loss, "weight": weight}
    part = page.station(Station("11", "learning", None), environment().from_string(SOURCE).render(named))
    assert Html(page.objects, Typesetter("screen")).written(part.root).count("0,08…0,11") == 3
    (station,) = stations_of(page)
    (exercise,) = station.exercises
    assert exercise.numbers == [loss]
    assert exercise.wording == Markup("Berechne")


# The teacher's list of wrong numbers: what stands in it, and by what a mistake is shown.


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
