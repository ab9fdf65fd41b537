"""E-Buch: all numbers in their order, Word's own styles alone, balanced tags, signs of a braille display."""

import io
import re
from functools import cache

import docx
import pytest
from docx.table import Table as WordTable
from reading import numbers, tree
from shown import in_word
from sources import EVERY, PAGES, pages, squeezed

from generator.output.formats.ebuch import BLANK, latex, plain, write
from generator.output.formats.read import read
from generator.output.formats.tree import Formula, Station, walk

shown = in_word


@cache
def said(case, name):
    """All text in the order of the document."""
    document = docx.Document(io.BytesIO(write(read(pages(case)[name]))))
    lines = []
    for block in document.iter_inner_content():
        if isinstance(block, WordTable):
            lines += [cell.text for row in block.rows for cell in row.cells]
        else:
            lines.append(block.text)
    return document, "\n".join(lines)


@pytest.mark.parametrize(
    ("case", "name"), [each for each in PAGES if each.values[1] in ("arbeitsblatt", "loesung")]
)
def test_every_number_stands_in_order_and_every_blank_is_marked(case, name):
    _, text = said(case, name)
    place = 0
    for number in numbers(tree(pages(case)[name])):
        wanted = plain(number.text) or BLANK
        at = text.find(wanted, place, place + 8000)
        assert at >= 0, (number, text[place : place + 200])
        place = at + len(wanted)


@pytest.mark.parametrize("case", EVERY)
def test_every_formula_stands_in_latex(case):
    text = squeezed(said(case, "loesung")[1])
    for formula in walk(tuple(walk(read(pages(case)["loesung"]), Station)), Formula):
        assert squeezed(latex(formula.latex)) in text


def test_only_what_the_standard_knows():
    document, text = said("example", "arbeitsblatt")
    assert {p.style.name for p in document.paragraphs} <= {
        "Normal",
        "List",
        "Heading 1",
        "Heading 2",
        "Heading 3",
    }
    for tag in ("Bild", "Rahmen", "Tabelle", "Anmerkung"):
        assert text.count(f"<{tag}>") == text.count(f"</{tag}>") > 0
    assert {sign for sign in text if ord(sign) > 255} <= {"Ġ"}  # the sign that station 1 is about
    assert not re.search(r"\\(left|right|mathrm|!|,)", text)


def test_formulas_keep_what_is_not_only_looks():
    assert latex(r"\left(\mathrm{softmax}\,x\right)") == "(softmax x)"
    assert (
        latex(r"\begin{pmatrix}1 & 0{,}5 \\ 0 & -1\end{pmatrix}")
        == r"\begin{pmatrix}1 & 0,5 \\ 0 & -1\end{pmatrix}"
    )


def test_a_row_read_out_names_every_number_and_no_bar():
    _, text = said("example", "arbeitsblatt")
    rows = [line for line in text.splitlines() if "geteilt durch 1,41: " in line]
    assert rows[0].startswith(
        "Wort Die. q \\cdot k: _..._; Score: _..._; geteilt durch 1,41: _..._; e^x: _..._; Gewicht: _..._"
    )
    assert all(re.search(r"; Gewicht: (\d,\d\d|_\.\.\._)$", row) for row in rows)
    assert "Balken 4" not in text
    assert not re.search(r": : |; _\.\.\._$", text, re.M)
