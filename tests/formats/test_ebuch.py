"""E-Buch: all numbers in their order, Word's own styles alone, balanced tags, signs of a braille display."""

import io
import re
from functools import cache

import docx
import pytest
from docx.table import Table as WordTable
from shown import in_word
from sources import EVERY, page_in, page_with, source, squeezed

from generator.output.formats.ebuch import BLANK, latex, write
from generator.output.formats.read import read
from generator.output.formats.tree import Formula, Station
from generator.output.pdf import PdfResult
from generator.sheet.sheet import Task, walk

shown = in_word


@cache
def said(case, name):
    """All text in the order of the document."""
    return spoken(write(read(page_in(case, name))))


def spoken(data):
    document = docx.Document(io.BytesIO(data))
    lines = []
    for block in document.iter_inner_content():
        if isinstance(block, WordTable):
            lines += [cell.text for row in block.rows for cell in row.cells]
        else:
            lines.append(block.text)
    return document, "\n".join(lines)


@pytest.mark.parametrize("case", EVERY)
def test_every_formula_stands_in_latex(case):
    text = squeezed(said(case, "loesung")[1])
    for formula in walk(tuple(walk(read(page_in(case, "loesung")), Station)), Formula):
        assert squeezed(latex(formula.latex)) in text


def test_only_what_the_standard_knows():
    document, text = said("example", "arbeitsblatt")
    styles = {"Normal", "List", *(f"Heading {level}" for level in (1, 2, 3))}
    assert {p.style.name for p in document.paragraphs} <= styles
    for tag in ("Bild", "Rahmen", "Tabelle", "Anmerkung", "Lückentext"):
        assert text.count(f"<{tag}>") == text.count(f"</{tag}>") > 0
    assert {sign for sign in text if ord(sign) > 255} <= {"Ġ"}  # the sign that station 1 is about
    assert not re.search(r"\\(left|right|mathrm|!|,)", text)


def test_every_blank_stands_in_a_text_with_gaps_or_a_note():
    _, text = said("example", "arbeitsblatt")
    outside = re.sub(r"<(Lückentext|Anmerkung)>.*?</\1>", "", text, flags=re.DOTALL)
    inside = re.findall(r"<Lückentext>.*?</Lückentext>", text, re.DOTALL)
    assert BLANK not in outside
    assert len(inside) > 30
    assert all(BLANK in each for each in inside)
    assert said("example", "loesung")[1].count("<Lückentext>") < 5  # the name, a square for a number above


@pytest.mark.parametrize("case", EVERY)
def test_every_task_that_is_drawn_has_a_way_without_eyes(case):
    _, text = said(case, "arbeitsblatt")
    stations = iter(re.split(r"^Aufgabe (\d+) .*$", text, flags=re.M)[1:])
    tasks = list(zip(stations, stations, strict=True))
    exercises = [each for station in source(case).made["loesung"].stations for each in station.exercises]
    drawn = 0
    for (number, said_there), exercise in zip(tasks, exercises, strict=True):
        assert number == str(exercise.task.number)
        if exercise.figures or re.search(r"Zeichne|zeichnest|Schraffier", said_there):
            drawn += 1
            assert "<Anmerkung> Ohne Zeichnung: " in said_there, (number, said_there[:200])
    assert drawn > 1
    assert "Ohne Zeichnung" not in said(case, "loesung")[1]


def test_pages_of_the_pdf_are_said_where_they_begin():
    table = "<table><tbody><tr><td>x</td></tr></tbody></table>"
    task = '<p {0}><b as="credit"/><o><p>a</p><p>b</p></o></p>'
    page = page_with(f"<h1>Titel</h1>{task}{table}<ul><li>c</li></ul>", Task(1, 1, "I", "Berechne"))
    printed = PdfResult(b"", 5, (), starts=(0, 3, 5, 7))  # heading, task, a, b, table, row, list, entry
    lines = [line for line in spoken(write(read(page, printed)))[1].splitlines() if not line.startswith("<")]
    told = "((1))|x|((2))|Titel|Aufgabe 1 ()|a|((3))|b|((4))|x|((5))|- c"
    assert lines == told.split("|")


def test_formulas_keep_what_is_not_only_looks():
    assert latex(r"\left(\mathrm{softmax}\,x\right)") == "(softmax x)"
    matrix = r"\begin{pmatrix}1 & 0{,}5 \\ 0 & -1\end{pmatrix}"
    assert latex(matrix) == matrix.replace("{,}", ",")


def test_a_row_read_out_names_every_number_and_no_bar():
    _, text = said("example", "arbeitsblatt")
    rows = [line for line in text.splitlines() if "geteilt durch 1,41: " in line]
    empty = "q \\cdot k: _..._; Score: _..._; geteilt durch 1,41: _..._; e^x: _..._; Gewicht: _..._"
    assert f"Wort Katze. {empty}" in rows
    assert all(re.search(r"; Gewicht: (\d,\d\d|_\.\.\._)$", row) for row in rows)
    assert "Balken 4" not in text
    assert not re.search(r": : |; _\.\.\._$", text, re.M)
