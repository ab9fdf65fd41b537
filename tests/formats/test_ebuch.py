"""E-Buch: all numbers in their order, Word's own styles alone, balanced tags, signs of a braille display."""

import io
import re
from functools import cache

import docx
import pytest
from docx.table import Table as WordTable
from sources import EVERY, page_in, page_with, source, squeezed

from generator.output.formats.ebuch import BLANK, latex, write
from generator.output.formats.read import read
from generator.output.formats.tree import Formula, Station
from generator.output.pdf import PdfResult
from generator.sheet.sheet import Task, walk


@cache
def said(case, name):
    return spoken(write(read(page_in(case, name))))


def spoken(data):
    """The document, and all text in its order."""
    document = docx.Document(io.BytesIO(data))
    lines = []
    for block in document.iter_inner_content():
        if isinstance(block, WordTable):
            lines += [cell.text for row in block.rows for cell in row.cells]
        else:
            lines.append(block.text)
    return document, "\n".join(lines)


@pytest.mark.parametrize("case", EVERY)
def test_every_formula_stands_in_latex_and_every_drawn_task_has_a_way_without_eyes(case):
    key, text = said(case, "loesung")[1], said(case, "arbeitsblatt")[1]
    stations = tuple(walk(read(page_in(case, "loesung")), Station))
    squeezed_key = squeezed(key)
    assert [f.latex for f in walk(stations, Formula) if squeezed(latex(f.latex)) not in squeezed_key] == []
    parts = iter(re.split(r"^Aufgabe (\d+) .*$", text, flags=re.M)[1:])
    exercises = [each for station in source(case).made["loesung"].stations for each in station.exercises]
    drawn = 0
    for (number, there), exercise in zip(zip(parts, parts, strict=True), exercises, strict=True):
        assert number == str(exercise.task.number)
        if exercise.figures or re.search(r"Zeichne|zeichnest|Schraffier", there):
            drawn += 1
            assert "<Anmerkung> Ohne Zeichnung: " in there, (number, there[:200])
    assert drawn > 1
    assert "Ohne Zeichnung" not in key


def test_only_what_the_standard_knows():
    document, text = said("example", "arbeitsblatt")
    styles = {"Normal", "List", *(f"Heading {level}" for level in (1, 2, 3))}
    assert {p.style.name for p in document.paragraphs} <= styles
    for tag in ("Bild", "Rahmen", "Tabelle", "Anmerkung", "Lückentext"):
        assert text.count(f"<{tag}>") == text.count(f"</{tag}>") > 0
    assert {sign for sign in text if ord(sign) > 255} <= {"Ġ"}  # the sign that station 1 is about
    assert not re.search(r"\\(left|right|mathrm|!|,)", text)
    assert latex(r"\left(\mathrm{softmax}\,x\right)") == "(softmax x)"
    matrix = r"\begin{pmatrix}1 & 0{,}5 \\ 0 & -1\end{pmatrix}"
    assert latex(matrix) == matrix.replace("{,}", ",")


def test_every_blank_stands_in_a_text_with_gaps_or_a_note_and_a_row_names_every_number():
    _, text = said("example", "arbeitsblatt")
    assert BLANK not in re.sub(r"<(Lückentext|Anmerkung)>.*?</\1>", "", text, flags=re.DOTALL)
    inside = re.findall(r"<Lückentext>.*?</Lückentext>", text, re.DOTALL)
    assert len(inside) > 30
    assert all(BLANK in each for each in inside)
    assert said("example", "loesung")[1].count("<Lückentext>") < 5  # the name, a square for a number above
    rows = [line for line in text.splitlines() if "geteilt durch 1,41: " in line]
    empty = "q \\cdot k: _..._; Score: _..._; geteilt durch 1,41: _..._; e^x: _..._; Gewicht: _..._"
    assert f"Wort Katze. {empty}" in rows
    assert all(re.search(r"; Gewicht: (\d,\d\d|_\.\.\._)$", row) for row in rows)
    assert "Balken 4" not in text
    assert not re.search(r": : |; _\.\.\._$", text, re.M)


def test_pages_of_the_pdf_are_said_where_they_begin():
    table = "<table><tbody><tr><td>x</td></tr></tbody></table>"
    task = '<p {0}><b as="credit"/><o><p>a</p><p>b</p></o></p>'
    page = page_with(f"<h1>Titel</h1>{task}{table}<ul><li>c</li></ul>", Task(1, 1, "I", "Berechne"))
    printed = PdfResult(b"", 5, (), starts=(0, 3, 5, 7))  # heading, task, a, b, table, row, list, entry
    lines = [line for line in spoken(write(read(page, printed)))[1].splitlines() if not line.startswith("<")]
    told = "((1))|x|((2))|Titel|Aufgabe 1 ()|a|((3))|b|((4))|x|((5))|- c"
    assert lines == told.split("|")
