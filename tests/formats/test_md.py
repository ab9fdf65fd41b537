"""Markdown says what the page says, in the same order; no sign of it comes from what somebody typed."""

import re
from xml.etree import ElementTree

import pytest
from sources import EVERY, NAMES, page_in, page_with, source, squeezed, written, written_of

from generator.output.formats.md import escaped
from generator.output.formats.read import read
from generator.output.formats.tree import Blank, Formula, Heading, Task
from generator.production.exports import export
from generator.sheet.sheet import Number, walk


def markdown(case, name):
    return written_of("md", case, name).decode()


@pytest.mark.parametrize("case", EVERY)
def test_every_formula_every_blank_and_every_heading_stands_in_it(case):
    """A bar parts the cells of a table, so formulas write it in another way."""
    text = squeezed(markdown(case, "loesung")).replace(r"\vert", "|").replace(r"\Vert", r"\|")
    formulas = [*walk(read(page_in(case, "loesung")), Formula)]
    assert [each.latex for each in formulas if squeezed(each.latex) not in text] == []
    sheet = read(page_in(case, "arbeitsblatt"))
    blanks = [blank for blank in walk(sheet, Blank) if not blank.text]
    tasks = [*walk(sheet, Task)]  # each has a blank for its points
    assert len(re.findall("(?<!_)____(?!_)", markdown(case, "arbeitsblatt"))) >= len(blanks) + len(tasks) > 20
    marks = [len(mark) for mark in re.findall("^(#+) ", markdown(case, "arbeitsblatt"), re.M)]
    levels = [each.level for each in walk(sheet, Heading) if each.level]
    assert marks[len(marks) - len(levels) :] == levels
    assert len(marks) - len(levels) <= 1  # the title's


def test_nothing_in_it_is_html_no_formula_ends_in_a_space_and_rows_have_as_many_cells():
    """pandoc drops the first and prints the second as a dollar."""
    for name in NAMES:
        text = markdown("example", name)
        assert not re.search(r"(?<!\\)<[a-z/]", text)
        formulas = re.findall(r"(?<!\\)\$([^$]+)\$", text.replace("$$", "$"))
        assert len(formulas) > 5
        assert not [each for each in formulas if each != each.strip()]
        for table in re.findall(r"(?:^(?:> )?\|.*\|\n)+", text, re.M):
            counts = {len(re.findall(r"(?<!\\)\|", row)) for row in table.strip().splitlines()}
            assert len(counts) == 1, table


def test_pictures_lie_beside_it_as_files_of_their_own():
    files = export(["md"], source("example").made.values())
    linked = {name for name in files if name.endswith(".svg")}
    assert len(linked) > 10
    texts = "".join(data.decode() for name, data in files.items() if name.endswith(".md"))
    assert set(re.findall(r"!\[\]\(([^)]*)\)", texts)) == linked
    for name in linked:
        assert ElementTree.fromstring(files[name]).tag == "{http://www.w3.org/2000/svg}svg"


def test_what_a_user_typed_is_never_markup():
    for word in ("*", "_a_", "|", "<b>", "$x$", "[a](b)", "`c`", "\\", "&amp;", "~"):
        assert re.sub(r"\\(.)", r"\1", escaped(word)) == word
        assert not re.search(r"(?<!\\)[*_|<>$\[\]`~&]", escaped(word).replace("\\\\", ""))


NUMBER = Number("x", (0,), "−1,0", 1, blank=True)


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        (
            '<p class="x-title">Einstieg mit <b>e<sup>x</sup></b> und <i>y</i></p>',
            "**Einstieg mit** **e$^{x}$** **und** ***y***",
        ),
        # A negative number that fills a blank has brackets in a calculation.
        ("<p>□ · 0,5 + □ · □ = 1,00</p>", "(−1,0) · 0,5 + (−1,0) · (−1,0) = 1,00"),
        ("<p>alt: □, neu: □</p>", "alt: −1,0, neu: −1,0"),
        ("<p>(□ | □)</p>", "(−1,0 | −1,0)"),
    ],
)
def test_how_a_line_is_written(body, shown):
    said = written("md", page_with(body.replace("□", "<span {0}/>"), NUMBER)).decode().strip()
    if "□" in body:
        said = re.sub(r"[*\\]", "", said).replace("\xa0", " ")
    assert shown == said
