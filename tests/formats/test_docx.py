"""Word: what the page says in the same order, every formula an equation, every blank a place for a pen."""

import io
import re
import zipfile
from collections import Counter
from functools import cache
from itertools import pairwise
from xml.etree import ElementTree

import docx
import pytest
from markupsafe import Markup
from sources import EVERY, NAMES, M, W, page_in, page_with, written, written_of

from generator.output.formats.read import read
from generator.output.formats.tree import Answer, Beside, Formula, Heading, Station, Table, Task
from generator.output.formats.word_equations import UnknownMathError, equation
from generator.sheet.sheet import Drawing, Figure, Solution, walk

DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
ACCENTS = {"ˆ": "\u0302", "¯": "\u0305", "˜": "\u0303"}
DRAWN = re.compile(r"[∑ˆ¯˜()\[\]‖|\u2061\u0302\u0303\u0305\u2009\s]")
# Styles that keep with what follows by themselves, and those that end what stands before.
KEPT = ("Aufgabe", "Caption", "Heading1", "Heading2", "Heading3", "Kastentitel", "Zwischenstand")
ENDS = ("Vergleich", "Erwartung", "Selbstprüfen", "Zusammenfassung", "Kasten")


def parts(data):
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return {name: package.read(name).decode("utf-8", "replace") for name in package.namelist()}


@cache
def files_in(case, name="arbeitsblatt"):
    return parts(written_of("docx", case, name))


@cache
def body(case, name="arbeitsblatt"):
    return ElementTree.fromstring(files_in(case, name)["word/document.xml"]).find(f"{W}body")


def with_body(body, *things, zoom=1.0):
    """The text of a document, and its styles."""
    files = parts(written("docx", page_with(body, *things, zoom=zoom)))
    return files["word/document.xml"], files["word/styles.xml"]


def text_of(element):
    return "".join(t.text or "" for t in element.iter(f"{W}t"))


def value(element, path, attribute="val"):
    found = element.find("/".join(W + step for step in path.split("/")))
    return None if found is None else found.get(f"{W}{attribute}")


@pytest.mark.parametrize("case", EVERY)
def test_every_formula_is_an_equation_with_the_same_signs_and_misses_nothing(case):
    """LibreOffice draws a red sign where a relation has one side alone, or a power stands on a bracket."""
    formulas = ["".join(f.mathml.itertext()) for f in walk(read(page_in(case, "loesung")), Formula)]
    key = body(case, "loesung")
    found = ["".join(t.text or "" for t in each.iter(f"{M}t")) for each in key.iter(f"{M}oMath")]
    assert [DRAWN.sub("", said) for said in found] == [DRAWN.sub("", said) for said in formulas]
    assert len(found) > 20
    wanted = Counter(ACCENTS[sign] for said in formulas for sign in said if sign in ACCENTS)
    assert Counter(sign.get(f"{M}val") for acc in key.iter(f"{M}accPr") for sign in acc) == wanted
    for name in NAMES:
        rows = (f"{M}{tag}" for tag in ("oMath", "e", "num", "den", "sub", "sup"))
        for row in (each for tag in rows for each in body(case, name).iter(tag)):
            runs = [each for each in row if each.tag != f"{M}ctrlPr"]
            for run in (*runs[:1], *runs[-1:]):
                said = "".join(run.itertext()).strip()
                assert said not in ("=", "≈", "<", ">", "≤", "≥") or run.find(f"{M}rPr/{M}nor") is not None
            if row.tag == f"{M}e" and len(runs) == 1:
                assert "".join(row.itertext()).strip() not in (")", "]", "}", "|"), name
    with pytest.raises(UnknownMathError, match="mglyph"):
        equation(ElementTree.fromstring("<math><mglyph/></math>"), display=False)


def test_headings_tables_lines_to_write_on_and_cells_for_a_pen():
    page = read(page_in("example", "arbeitsblatt"))
    word = docx.Document(io.BytesIO(written_of("docx", "example", "arbeitsblatt")))
    everything = body("example")
    named = [each.get(f"{W}val") for each in everything.iter(f"{W}pStyle")]
    levels = [int(name[-1]) for name in named if name.startswith("Heading")]
    assert levels == [heading.level for heading in walk(page, Heading) if heading.level]
    assert len([*everything.iter(f"{W}tblStyle")]) == len(list(walk(page, Table)))
    assert named.count("Schreiblinie") == sum(answer.lines for answer in walk(page, Answer))
    foot = word.sections[0].footer.paragraphs[0].text
    assert all(said in foot for said in ("Seite ", "CC BY 4.0"))
    assert "Name" in word.sections[0].header.paragraphs[0].text
    framed = f"{W}tcPr/{W}tcBorders/{W}left"
    rows = [row for row in everything.iter(f"{W}tr") if row.find(f"{W}tc/{framed}") is not None]
    assert len(rows) > 50
    for row in rows:
        assert int(value(row, "trPr/trHeight")) >= 464  # twips: 8.2 mm
        cells = [text_of(cell) for cell in row.iter(f"{W}tc") if cell.find(framed) is not None]
        assert not [text for text in cells if text.strip("( |)\u00a0")]


def test_properties_stand_in_the_order_that_word_asks_for():
    order = "pStyle keepNext keepLines pageBreakBefore numPr pBdr shd tabs spacing ind jc outlineLvl"
    files = [
        ElementTree.fromstring(files_in("example")[f"word/{name}.xml"]) for name in ("document", "styles")
    ]
    ours = list(files[0].iter(f"{W}pPr"))
    ours += [pPr for style in files[1] if style.get(f"{W}customStyle") for pPr in style.findall(f"{W}pPr")]
    for properties in ours:
        names = [child.tag.removeprefix(W) for child in properties]
        assert names == sorted(names, key=order.split().index)


def test_the_numbers_of_tasks_are_a_list_of_word_s_that_begins_anew_in_each_station():
    page = read(page_in("example", "arbeitsblatt"))
    wanted = [[int(task.number) for task in walk(station, Task)] for station in walk(page.blocks, Station)]
    lists = ElementTree.fromstring(files_in("example")["word/numbering.xml"])
    kinds = [each.tag.removeprefix(W) for each in lists]
    assert kinds == sorted(kinds)  # Word asks for abstractNum before num
    starts = {
        each.get(f"{W}numId"): int(start.get(f"{W}val"))
        for each in lists.iter(f"{W}num")
        for start in each.iter(f"{W}startOverride")
    }
    tasks = [p for p in body("example").iter(f"{W}p") if value(p, "pPr/pStyle") == "Aufgabe"]
    counted = Counter(value(paragraph, "pPr/numPr/numId") for paragraph in tasks)
    shown = [[starts[number] + n for n in range(count)] for number, count in counted.items()]
    assert shown == [numbers for numbers in wanted if numbers]
    items = "<ol><li><p>a</p><p>weiter</p></li><li>b</li></ol>"
    text = with_body(items + items)[0]
    used = re.findall(r'<w:numId w:val="(\d+)"', text)
    assert (text.count("weiter"), len(used), len(set(used))) == (2, 4, 2)


def test_the_contents_are_a_field_that_leads_to_every_station_and_pictures_have_ids():
    files = files_in("example")
    text = files["word/document.xml"]
    assert text.count("TOC ") == 1
    assert [text.count(f'w:fldCharType="{kind}"') for kind in ("begin", "separate", "end")] == [1, 1, 1]
    links = {link.get(f"{W}anchor"): text_of(link) for link in body("example").iter(f"{W}hyperlink")}
    assert len(links) > 8
    assert links == {
        start.get(f"{W}name"): text_of(paragraph)
        for paragraph in body("example").iter(f"{W}p")
        for start in paragraph.iter(f"{W}bookmarkStart")
    }
    assert "NUMPAGES" in "".join(content for name, content in files.items() if "footer" in name)
    ids = re.findall(r'<wp:docPr id="(\d+)"', text)
    assert len(ids) == len(set(ids)) > 5
    left = re.compile("thumbnail|stylesWithEffects|customXml|Macintosh")  # of the library
    assert not [name for name, text in files.items() if left.search(name + text)]
    assert "2013" not in files["docProps/core.xml"]


@pytest.mark.parametrize("columns", [4, 16])
def test_a_column_is_as_wide_as_its_longest_number(columns):
    """Digits of Arial are 0.556 of the letters' size wide; a cell has 60 twips at either side, or 5."""
    sides = "".join("<col style='width:8mm'/>" for _ in range(columns))
    row = "".join("<td>\N{MINUS SIGN}0,0124</td>" for _ in range(columns))
    text, _ = with_body(f"<table><colgroup>{sides}</colgroup><tbody><tr>{row}</tr></tbody></table>")
    widths = [int(width) for width in re.findall(r'<w:gridCol w:w="(\d+)"', text)]
    size, side = (7, 5) if columns > 10 else (9.5, 60)
    assert len(widths) == columns
    assert min(widths) >= 20 * size * (0.584 + 5 * 0.556 + 0.278) + 2 * side
    assert sum(widths) <= 166 * 56.7


def test_where_pages_begin_and_how_large_print_lies():
    code = Figure("Code", 9, 9, Drawing(Markup(), ""))
    stations = "".join(f'<section as="station"><h1>{n}</h1></section>' for n in ("4a", "4b"))
    text, _ = with_body(f'<div class="sheet-qr"><div {{0}}/></div>{stations}', code)
    assert text.count("pageBreakBefore") == 1  # a sheet without a cover begins on its first page
    assert text.index("4a") < text.index("pageBreakBefore") < text.index("4b")
    (usual, styles), (large, larger) = (with_body("<p>Text</p>", zoom=zoom) for zoom in (1.0, 1.5))
    normal = r'w:styleId="Normal".*?<w:sz w:val="(\d+)"'
    sizes = [int(re.search(normal, each, re.S)[1]) for each in (styles, larger)]
    assert sizes[1] == round(1.5 * sizes[0])
    assert ['w:orient="landscape"' in each for each in (usual, large)] == [False, True]

    def kept(rows):
        made = f"<table><tbody>{'<tr><td {0}/><td {0}/><td {0}/></tr>' * rows}</tbody></table>"
        return with_body(made, Solution(""))[0].count("keepNext") // 3

    assert [kept(rows) for rows in (5, 15, 16, 40)] == [4, 14, 3, 3]  # a long table may go on


@pytest.mark.parametrize("case", EVERY)
def test_what_leads_to_a_table_stays_with_it_and_bars_have_room(case):
    led = 0
    for name in NAMES[:2]:
        columns = (body(case, name), *body(case, name).iter(f"{W}tc"))
        for before, table in (pair for column in columns for pair in pairwise(column)):
            if table.tag == f"{W}tbl" and before.tag == f"{W}p" and "".join(before.itertext()).strip():
                style = value(before, "pPr/pStyle")
                assert before.find(f"{W}pPr/{W}keepNext") is not None or style in (*KEPT, *ENDS), (
                    name,
                    style,
                )
                led += 1
            for cell in table.iter(f"{W}tc"):
                assert "█" not in text_of(cell) or int(value(cell, "tcPr/tcW", "w")) >= 14 * 56
    assert led > 3


@pytest.mark.parametrize("case", EVERY)
def test_what_the_page_sets_side_by_side_stands_so_and_keeps_to_its_column(case):
    """LibreOffice cuts off a picture that is wider than its cell, and adds 3 mm where no distance is said."""
    found = body(case)
    tables = [table for table in found.iter(f"{W}tbl") if table.find(f"{W}tblPr/{W}tblStyle") is None]
    columns = [cell for table in tables for cell in table.findall(f"{W}tr/{W}tc")]
    wanted = list(walk(read(page_in(case, "arbeitsblatt")), Beside))
    assert len(columns) == sum(len(each.counts) for each in wanted) > 4
    for cell in columns:
        room = int(value(cell, "tcPr/tcW", "w")) - int(value(cell, "tcPr/tcMar/right", "w"))
        for size in cell.iter(f"{DRAWING}extent"):
            assert int(size.get("cx")) / 635 <= room + 2  # EMU in a twip
        for grid in cell.iter(f"{W}tblGrid"):
            assert sum(int(each.get(f"{W}w")) for each in grid) <= room + 6  # each column is rounded
        assert cell[-1].tag == f"{W}p"  # Word opens no cell that ends with a table
    for picture in found.iter(f"{DRAWING}inline"):
        assert {picture.get(f"dist{side}") for side in "TBLR"} == {"0"}
