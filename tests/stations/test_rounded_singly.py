"""„Produkte einer Summe nicht einzeln runden“: its example is one whose result depends on it."""

from decimal import ROUND_HALF_UP, Decimal

import pytest

from generator.basics.numbers import parse_number
from generator.calculation.build import build
from generator.options.options import Options
from generator.sheet.desk import Desk
from generator.stations.course import chosen, stations_of

SENTENCES = ("Die Katze sitzt auf der Matte", "Der Hund jagt den Ball", "Im Winter schlafen kleine Füchse")


@pytest.mark.parametrize("sentence", SENTENCES)
def test_the_result_depends_on_it(sentence):
    made = build(Options(satz=sentence, stationen="4a"))
    stations, _ = stations_of(Desk(made, chosen(made.options)))
    singly = stations[0].parts.picture.singly
    if singly is None:
        return
    whole = apart = Decimal(0)
    for product in singly.line.replace("\N{NO-BREAK SPACE}", "").split(" + "):
        a, b = (parse_number(factor.strip("()")) for factor in product.split("·"))
        whole += a * b
        apart += (a * b).quantize(Decimal("0.01"), ROUND_HALF_UP)
    assert whole.quantize(Decimal("0.01"), ROUND_HALF_UP) == parse_number(singly.right)
    assert apart == parse_number(singly.wrong) != parse_number(singly.right)


def test_some_sheet_has_such_an_example():
    for sentence in SENTENCES:
        made = build(Options(satz=sentence, stationen="4a"))
        stations, _ = stations_of(Desk(made, chosen(made.options)))
        if stations[0].parts.picture.singly:
            return
    pytest.fail("no sentence has an example")
