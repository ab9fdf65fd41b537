"""What one station says does not clash with another, and a station printed alone says what it needs."""

import re

import pytest
from laid_out import KATZE, laid_out, text_of

from generator.options.options import Options
from generator.output.formulas.expressions import expressions


def test_the_numbers_that_move_are_the_parameters_that_are_counted():
    sheet, desk = laid_out(Options(satz=KATZE, lernen="alles", stationen="11,S"))
    learning, formulas = (station.parts for station in sheet.stations)
    counted = int(formulas.parameters.rows[-1].cells[1].text)
    in_blocks = counted - len(desk.vocabulary) * desk.sizes.d_model
    assert int(learning.changed.count) - int(learning.changed.biases) == in_blocks


def test_a_letter_means_one_thing():
    formulas = expressions()
    of_blocks = {str(symbol) for symbol in formulas["parameters"].free_symbols}
    of_the_way_back = {
        str(symbol) for name, f in formulas.items() if name.startswith("back_") for symbol in f.free_symbols
    }
    assert "L" in of_the_way_back
    assert "L" not in of_blocks
    assert "h" in {str(symbol) for symbol in formulas["d_head"].free_symbols}
    assert not {symbol for symbol in of_the_way_back if symbol.startswith("h")}


@pytest.mark.parametrize(
    ("station", "words"),
    [
        ("9", f"wie „{KATZE}“ wächst, weil es sein Wort anhängt"),
        ("10", "ist die Temperatur: Jeder Logit wird durch"),
        ("10", "Auch bekommt 2 Nachkommastellen; ist der Score"),
    ],
)
def test_a_station_alone_says_what_it_needs(station, words):
    alone = text_of(*laid_out(Options(satz=KATZE, zielsatz="The cat", stationen=station)))
    formulas_out = re.sub(r"\s*(\\\S+|e\s?x|x)\s*", " ", alone.replace("\N{NO-BREAK SPACE}", " "))
    assert words in re.sub(r"\s+", " ", formulas_out)
