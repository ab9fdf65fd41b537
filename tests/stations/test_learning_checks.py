"""Station 11: self-checks of the way back; the state it starts from; what is said of rounding."""

import re
from fractions import Fraction

import pytest
from laid_out import KATZE, html_of, laid_out

from generator.options.options import Options

CASES = [("alles", "auswahl"), ("alles", "gelernt"), ("attention", "gelernt"), ("ausgabe", "gelernt")]


def sheet_of(path, style, satz=KATZE):
    return laid_out(Options(satz=satz, stationen="8,11", lernen=path, gewichte=style))


def number(text):
    return Fraction(text.replace("−", "-").replace(",", "."))


@pytest.mark.parametrize(("path", "style"), CASES)
def test_the_sheet_says_how_many_signs_rounding_turns(path, style):
    sheet, desk = sheet_of(path, style)
    lesson = desk.built.learning
    turned = [
        max(abs(a), abs(b))
        for name in lesson.names
        if name.startswith("gradient.")
        for a, b in zip(lesson.hand[name].values.flat, lesson.exact[name].values.flat, strict=True)
        if (a < 0 < b) or (b < 0 < a)
    ]
    plain = re.sub("<[^>]+>", "", html_of(sheet, desk, "worksheet"))
    text = re.sub(r"\s+", " ", plain.replace("&nbsp;", " "))
    said = re.search(r"Bei (\d+) von (\d+) Gradienten .* höchstens ([\d,]+) von 0", text)
    assert (said is not None) == bool(turned)
    assert ("alle dieselben wie ohne Runden" in text) == (not turned)
    if said:
        assert int(said[1]) == len(turned)
        assert abs(float(number(said[3])) - max(turned)) < 1e-4
