"""What formats that ask questions expect: for every choice of what learns, with one sentence and with two."""

import pytest
from choosing import crossed

from generator.calculation.build import build
from generator.options.options import Options
from generator.production.exports import expected_numbers
from generator.stations.make_sheet import make_sheet


@pytest.mark.parametrize(
    ("learns", "target"), crossed([None, "ausgabe", "attention", "alles"], [None, "The children play"])
)
def test_every_blank_is_expected_whatever_learns(learns, target):
    asked = {"satz": "Die Kinder spielen im Garten", "zielsatz": target, "lernen": learns}
    asked["stationen"] = ",".join(["10"] * bool(target) + ["11"] * bool(learns))  # else the whole booklet
    whole = make_sheet(build(Options(**asked, gewichte="auswahl")))
    expected = expected_numbers(whole)
    hand = whole.built.passes.hand
    for blank in whole.sheet.blanks():
        if blank.name in hand:
            found = expected[blank.cell]
            assert found.low <= found.value <= found.high
