"""Markdown says what the page says, in the same order; no sign of it comes from what somebody typed."""

import re
from xml.etree import ElementTree

import pytest
from reading import numbers, tree
from sources import EVERY, NAMES, html_in, page_in, page_with, source, squeezed, written, written_of

from generator.output.formats.md import escaped
from generator.output.formats.read import read
from generator.output.formats.tree import Formula, Heading, Task
from generator.production.exports import export
from generator.sheet.sheet import Number, walk


def shown(data):
    said = re.sub(r"!\[\]\([^)]*\)", "", without_raised(data.decode()))
    return said.replace("\\", "").replace("{,}", ",")


def without_raised(text):
    """Subscripts and superscripts of words are formulas of their own."""
    return re.sub(r"\$[_^]\{(?:\\text\{)?([^{}$]*)\}{1,2}\$", r" \1", text)


def markdown(case, name):
    return written_of("md", case, name).decode()


@pytest.mark.parametrize("case", EVERY)
def test_every_formula_and_every_blank_stands_in_it(case):
    """A bar parts the cells of a table, so formulas write it in another way."""
    text = squeezed(markdown(case, "loesung")).replace(r"\vert", "|").replace(r"\Vert", r"\|")
    for formula in walk(read(page_in(case, "loesung")), Formula):
        assert squeezed(formula.latex) in text
    sheet = html_in(case, "arbeitsblatt")
    blanks = [number for number in numbers(tree(sheet)) if number.blank]
    tasks = list(walk(read(page_in(case, "arbeitsblatt")), Task))  # each has a blank for its points
    assert len(re.findall("(?<!_)____(?!_)", markdown(case, "arbeitsblatt"))) >= len(blanks) + len(tasks)


def test_headings_are_headings():
    wanted = [each.level for each in walk(read(page_in("example", "arbeitsblatt")), Heading) if each.level]
    marks = re.findall("^(#+) ", markdown("example", "arbeitsblatt"), re.M)
    assert [len(mark) for mark in marks][1:] == wanted  # the first is the title's


def test_nothing_in_it_is_html_and_no_formula_ends_in_a_space():
    """pandoc drops the one and prints the other as a dollar."""
    for name in NAMES:
        text = markdown("example", name)
        assert not re.search(r"(?<!\\)<[a-z/]", text)
        formulas = re.findall(r"(?<!\\)\$([^$]+)\$", text.replace("$$", "$"))
        assert len(formulas) > 5
        assert not [each for each in formulas if each != each.strip()]


def test_pictures_lie_beside_it_as_files_of_their_own():
    files = export(["md"], source("example").made.values())
    linked = {name for name in files if name.endswith(".svg")}
    assert len(linked) > 10
    texts = "".join(data.decode() for name, data in files.items() if name.endswith(".md"))
    assert set(re.findall(r"!\[\]\(([^)]*)\)", texts)) == linked
    for name in linked:
        assert ElementTree.fromstring(files[name]).tag == "{http://www.w3.org/2000/svg}svg"
        assert files[name].count(b"<svg") == 1


def test_every_row_of_a_table_has_as_many_cells():
    for name in NAMES:
        for table in re.findall(r"(?:^(?:> )?\|.*\|\n)+", markdown("example", name), re.M):
            counts = {len(re.findall(r"(?<!\\)\|", row)) for row in table.strip().splitlines()}
            assert len(counts) == 1, table


@pytest.mark.parametrize("word", ["*", "_a_", "|", "<b>", "$x$", "[a](b)", "`c`", "\\", "&amp;", "~"])
def test_what_a_user_typed_is_never_markup(word):
    assert re.sub(r"\\(.)", r"\1", escaped(word)) == word
    assert not re.search(r"(?<!\\)[*_|<>$\[\]`~&]", escaped(word).replace("\\\\", ""))


def test_bold_in_a_title_is_no_sign_of_its_own():
    title = '<p class="x-title">Einstieg mit <b>e<sup>x</sup></b> und <i>y</i></p>'
    said = written("md", page_with(title))
    assert said.decode().strip() == "**Einstieg mit** **e$^{x}$** **und** ***y***"


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("□ · 0,5 + □ · □ = 1,00", "(−1,0) · 0,5 + (−1,0) · (−1,0) = 1,00"),
        ("1,2 : □", "1,2 : (−1,0)"),
        ("alt: □, neu: □", "alt: −1,0, neu: −1,0"),
        ("(□ | □)", "(−1,0 | −1,0)"),
    ],
)
def test_a_negative_number_that_fills_a_blank_has_brackets_in_a_calculation(line, shown):
    number = Number("x", (0,), "−1,0", 1, blank=True)
    page = page_with(f"<p>{line.replace('□', '<span {0}/>')}</p>", number)
    said = written("md", page).decode().replace("*", "").replace("\\", "").replace("\xa0", " ")
    assert shown in said
