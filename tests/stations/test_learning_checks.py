"""Station 11: self-checks of the way back; the state it starts from; what is said of rounding."""

import re
from fractions import Fraction

import numpy as np
import pytest
from laid_out import KATZE, html_of, laid_out

from generator.options.options import Options

CASES = [("alles", "auswahl"), ("alles", "gelernt"), ("attention", "gelernt"), ("ausgabe", "gelernt")]


def sheet_of(path, style, satz=KATZE):
    return laid_out(Options(satz=satz, stationen="8,11", lernen=path, gewichte=style))


def number(text):
    return Fraction(text.replace("−", "-").replace(",", "."))


@pytest.mark.parametrize(("path", "style"), CASES)
def test_each_sum_is_that_of_the_printed_numbers(path, style):
    sheet, desk = sheet_of(path, style)
    text = re.sub("<[^>]+>|\xa0", "", html_of(sheet, desk, "worksheet"))
    said = sheet.stations[-1].parts
    own = said.vectors.exercises if said.vectors else ()
    found = [("step.vocabulary_embedding", each.check) for each in own]
    if said.attention:
        found.append((f"gradient.{head(desk)}weight", said.attention.weights.check))
    for name, check in found:
        rows = [row for row in desk.quantity(name).values if np.any(row)]
        places = desk.quantity(name).places
        own = [row[: getattr(check, "count", 0) or None] for row in rows]
        sums = {sum(number(desk.format.text(float(x), places)) for x in row) for row in own}
        assert number(check.sum) in sums
        assert f"{check.sum} (±" in text.replace("\N{NO-BREAK SPACE}", " ")
        assert number(check.off) < Fraction(1, 10)


def head(desk):
    return f"block{desk.sizes.n_blocks}.head{desk.built.learning.lesson.head}."


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
