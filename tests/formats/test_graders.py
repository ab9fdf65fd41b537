"""The one rule of grading: `pruefe`, Moodle and STACK say the same of every number, edges included."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

import pytest
from cloze import blanks, given, maxima

from engine.trace import CellAddress
from generator.basics.files import KEY
from generator.basics.numbers import counted, counting, meant, unit
from generator.calculation.rebuild import Rebuilt
from generator.check.answers import Answers
from generator.check.check import ACCEPTED, FOLLOWS, RIGHT, WRONG, check
from generator.check.entries import Entry, number_of
from generator.options.options import Options
from generator.output.formats.head_chain import INPUTS, chains, feedback_variables, variables
from generator.output.formats.moodle import cloze
from generator.output.formats.questions import Expected, Material
from generator.output.formats.read import read
from generator.output.formats.stack import judged
from generator.production.exports import asked_of
from generator.production.sheet_documents import worksheet_and_key
from generator.stations.make_sheet import make_sheet

CREDIT = ("richtig", "angenommen", "folgefehler")
SMALLEST = {"satz": "Vögel singen", "heads": 1, "dimension": 2, "gewichte": "ganzzahlig", "stationen": "4a"}
LARGER = (
    {"satz": "Vögel singen", "heads": 1, "nachkommastellen": 4, "gewichte": "auswahl"},
    {"satz": "Wer liest ein Buch", "gewichte": "ganzzahlig", "dimension": 8, "heads": 2, "skalierung": False},
    {"satz": "Die Maus schläft", "zielsatz": "The mouse", "lernen": "ausgabe", "gewichte": "ganzzahlig"},
    {"satz": "Heute regnet es", "gewichte": "ganzzahlig", "stufe": 3, "nachkommastellen": 1},
    {"satz": "Anna ruft Ben", "gewichte": "dezimal", "stufe": 1, "stationen": "4a,8,9"},
)
Try = tuple[CellAddress, str]
"""One number as it is written in one cell."""


def tries(expected: Expected) -> Iterator[str]:
    """Numbers inside, at and outside every edge of what is right, as they may be typed."""
    low, high, key = expected.low, expected.high, expected.value
    places = max(0, -int(key.as_tuple().exponent))
    one = unit(places)
    numbers = [key, key - one, key + one, key + one * Decimal("0.1234567"), key * 2 + 7, -key]
    numbers.append(key.quantize(unit(max(0, places - 1))))
    for share in map(Decimal, ("0", "0.4", "0.499", "0.5", "0.501", "1")):
        numbers += [high + share * one, low - share * one]
    for text in (f"{number:f}".replace(".", ",") for number in numbers):
        yield from (text, text.replace(",", "."))
        yield from (sign + text[1:] for sign in "\N{MINUS SIGN}\N{EN DASH}" * text.startswith("-"))
    if places == 0 and abs(key) >= 1000:
        yield f"{key:,.0f}".replace(",", ".")


def verdicts(rebuilt: Rebuilt, *entries: Try) -> list[str]:
    written = tuple(Entry(name, index, text, number_of(text)) for (name, index), text in entries)
    return [cell.verdict for cell in check(rebuilt, Answers(written, 0), named=False).cells]


def by_moodle(expected: Expected, text: str) -> bool | None:
    """None where Moodle cannot read a number."""
    if not text.isascii():
        return None
    (alternatives,) = blanks(cloze(expected))
    chosen = given(alternatives, text)
    return chosen is not None and chosen.fraction == 1


def by_stack(material: Material, some: Sequence[Try]) -> dict[int, bool]:
    """By the place in the list, for cells of heads: the two tests that give credit, in one run of Maxima."""
    script, asked = [], []
    for chain, part in [(each, part) for each in chains(material) for part in each.parts]:
        script.append(variables(chain, part))
        fields = {b.cell: (f"{INPUTS[s]}{n}", s, n) for s in part for n, b in enumerate(chain.asked[s])}
        for number, (at, text) in enumerate(some):
            if at in fields:
                field, step, place = fields[at]
                asked.append(number)
                script += [f'{name}:"{text if name == field else ""}";' for name, *_ in fields.values()]
                script += [feedback_variables(chain, part, step), *judged(material, chain, step, place)]
                script.append(f'print("@",in{place} or follows{place});')
    said = [line.split()[1] == "true" for line in maxima(script).splitlines() if line.startswith("@ ")]
    return dict(zip(asked, said, strict=True))


@pytest.mark.parametrize(
    "options", [SMALLEST, *(pytest.param(each, marks=pytest.mark.thorough) for each in LARGER)], ids=str
)
def test_no_two_graders_differ(options):
    """Each number alone, as if nothing else were written."""
    whole = make_sheet(Options.from_mapping(options))
    pages, asked = worksheet_and_key(whole), asked_of(whole)
    key = next(page for page in pages if page.name == KEY)
    material = Material(read(pages[0].page), read(key.page), replace(asked, stations=key.stations))
    own = {at for exercise in material.exercises for at in exercise.asked} & asked.expected.keys()
    every = [(at, text) for at in sorted(own) for text in tries(asked.expected[at])]
    some = random.Random(1).sample(every, min(100 if options is SMALLEST else 300, len(every)))
    stack, rebuilt = by_stack(material, some), whole.rebuilt()
    told = [
        (
            each,
            verdicts(rebuilt, each)[0] in CREDIT,
            by_moodle(asked.expected[each[0]], each[1]),
            stack.get(n),
        )
        for n, each in enumerate(some)
    ]
    assert [each for each in told if not {*each[2:]} <= {each[1], None}] == []
    assert {right for _, right, *_ in told} == {True, False}
    assert sum(said is not None for *_, said in told) > 20


def test_what_counts_as_inside_and_where_thousands_are_read():
    for low, high, inside, outside in (
        ("0.32", "0.34", ("0.315", "0.3449999"), ("0.31499", "0.345")),
        ("-0.34", "-0.32", ("-0.315", "-0.3449999"), ("-0.31499", "-0.345")),
        ("-0.01", "0.01", ("-0.0149999", "0.0149999"), ("-0.015", "0.015")),
    ):
        least, most = counting(Decimal(low), Decimal(high), 2)
        for text in (*inside, *outside):
            value, right = Decimal(text), text in inside
            assert (Decimal(low) <= counted(value, 2) <= Decimal(high), least <= value <= most) == (
                right,
                right,
            )
    for text, places, key, number in (
        ("1.023", 0, 1023.0, "1023"),
        ("-1.023", 0, -1022.0, "-1023"),
        ("1.000", 0, 1.0, "1.000"),
        ("1.023", 2, 1023.0, "1.023"),
    ):
        assert meant(text, Decimal(text), places, key) == Decimal(number)


def test_follows_is_said_only_where_an_earlier_number_differs():
    whole = make_sheet(Options.from_mapping(SMALLEST))
    hand, rebuilt = whole.built.passes.hand, whole.rebuilt()
    e, total = ("unmasked.head1.exp", (0, 0)), ("unmasked.head1.exp_sum", (0,))
    beside = hand[total[0]].values[0] + 0.01
    assert verdicts(rebuilt, (total, f"{beside:.2f}")) == [ACCEPTED]
    assert verdicts(rebuilt, (total, f"{beside + 3:.2f}")) == [WRONG]
    slip = f"{hand[e[0]].values[e[1]] + 3:.2f}"
    assert verdicts(rebuilt, (e, slip), (total, f"{beside + 3:.2f}")) == [WRONG, FOLLOWS]


def test_what_is_copied_is_right_as_it_was_written():
    """The concatenated vector is that of the heads, number by number."""
    chosen = SMALLEST | {"dimension": 4, "heads": 2, "stationen": "4b,5", "gewichte": "dezimal"}
    whole = make_sheet(Options.from_mapping(chosen))
    rebuilt = whole.rebuilt()
    at, (origin,) = next((copy, of) for copy, of in rebuilt.copies().items() if copy[0] == "block1.concat")
    hand = whole.built.passes.hand[at[0]].values[at[1]]
    key, beside, wrong = (f"{hand + by:.2f}" for by in (0, 0.01, 5))
    assert verdicts(rebuilt, (origin, beside), (at, beside)) == [ACCEPTED, ACCEPTED]
    assert verdicts(rebuilt, (origin, wrong), (at, wrong)) == [WRONG, FOLLOWS]
    assert verdicts(rebuilt, (origin, key), (at, beside)) == [RIGHT, WRONG]
