"""Reads our own screen HTML as the tree that all further formats are written from.

The text of a sheet lives in templates, so the finished page is its one source: the sheet's tree knows tables,
numbers and tasks, but not the sentences between them. What the reader does not know it looks through: its
content is never lost.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from html import unescape
from typing import Final
from xml.etree.ElementTree import Element, tostring

from generator.output.formats import tree
from generator.output.formats.runs import (
    BOLD,
    PLAIN,
    UnreadableHtmlError,
    bracketed,
    classes_of,
    face_in,
    has,
    inner,
    is_left_out,
    plain,
    runs_of,
    tidy,
    words_of,
)
from generator.output.markup import parse

_SVG: Final = "{http://www.w3.org/2000/svg}"
_BOXES: Final = ("board", "interim", "check", "summary", "formula-box", "bpe-rule")
_HEADINGS: Final = ("h1", "h2", "h3", "h4")
_IN_LISTS: Final = ("ul", "ol", "li", "dl", "dt", "dd")
_PARTS: Final = ("section", "details", "main", "header", "footer", "article")
_BLOCKS: Final = ("p", "div", "table", *_HEADINGS, *_IN_LISTS, *_PARTS, f"{_SVG}svg")
_ENTITY: Final = re.compile(r"&([A-Za-z]+);")
_XML_ENTITIES: Final = ("amp", "lt", "gt", "quot", "apos")
_SLOTS_A_ROW: Final = 8
_LINE: Final = 8.0  # mm from one ruled line to the next


def read(html: str) -> tree.Page:
    """The tree of one of our pages, made for the screen with the source of every formula in it."""
    whole = parse(_ENTITY.sub(_sign, html).replace(" open>", ">"))
    if whole is None:
        raise UnreadableHtmlError("this page is not well-formed")
    body = whole.find("body")
    title = whole.findtext("head/title", "").strip()
    if body is None:
        raise UnreadableHtmlError("this page has no body")
    subjects = [element for element in body.iter() if has(element, "subject", "cover-subject")]
    subject = plain(subjects[0]) if subjects else ""
    foot = [element for element in body if has(element, "foot-left")][-1:]  # that of the last page says most
    lines = tuple(line for element in foot for line in _lines(element))
    pupil = next((plain(element) for element in body.iter() if has(element, "pupil")), "")
    return tree.Page(title, subject, lines, tuple(_blocks(body)), float(whole.get("data-zoom", "1")), pupil)


def _sign(entity: re.Match[str]) -> str:
    """The sign that a name of HTML or MathML stands for, where XML does not know the name."""
    return entity[0] if entity[1] in _XML_ENTITIES else unescape(entity[0])


def _blocks(element: Element, role: str = "", face: tree.Words = PLAIN) -> Iterator[tree.Block]:
    """What stands in an element; text between its blocks becomes paragraphs of this role."""
    pending: list[tree.Run] = [*words_of(element.text, face)]
    for child in element:
        if is_left_out(child):
            pass
        elif any(part.tag in _BLOCKS for part in child.iter()):
            yield from _paragraph(pending, role)
            pending = []
            yield from _block(child) if child.tag in _BLOCKS else _blocks(child, role, face_in(child, face))
        else:
            pending += runs_of(child, face)
        pending += words_of(child.tail, face)
    yield from _paragraph(pending, role)


def _paragraph(runs: Iterable[tree.Run], role: str = "") -> Iterator[tree.Paragraph]:
    """One paragraph, or none where nothing is said."""
    tidied = bracketed(tidy(runs))
    if tidied:
        yield tree.Paragraph(tidied, role)


def _block(element: Element) -> Iterator[tree.Block]:
    yield from _pages(element.iter() if element.tag in ("table", "ul", "ol") else [element])
    classes = classes_of(element)
    if element.tag in _HEADINGS:
        level = 0 if "cover-title" in classes else int(element.tag[1])
        yield tree.Heading(level, tidy(inner(element)))
    elif element.tag == "table":
        yield _table(element)
    elif element.tag in ("ul", "ol"):
        entries = tuple(tuple(_blocks(item)) for item in element)
        yield tree.Items(entries, element.tag == "ol", " ".join(classes))
    elif element.tag == "section" and "station" in classes:
        yield tree.Station(element.get("id", "").removeprefix("station-"), tuple(_blocks(element)))
    elif "sheet-head" in classes:
        yield tree.Paragraph(tidy(inner(element)), "sheet-head")
    elif "task" in classes:
        yield _task(element)
    elif "answer" in classes or "line" in classes:
        yield _answer(element)
    elif "with-picture" in classes or "halves" in classes:
        yield from _columns(element)
    elif "symbols" in classes:
        yield from (replace(b, role="symbols") if isinstance(b, tree.Items) else b for b in _columns(element))
    elif "slots" in classes:
        yield from _slots(element)
    elif "formulas" in classes:
        yield _formulas(element)
    elif "figure" in classes or element.tag == f"{_SVG}svg":
        yield from _figures(element)
    elif "strip" in classes:
        yield from (replace(figure, role="strip") for figure in _figures(element))
    elif kinds := [kind for kind in _BOXES if kind in classes]:
        yield tree.Box(kinds[0], tuple(_blocks(element)))
    elif element.tag == "dt":
        yield from _blocks(element, "term", BOLD)
    else:
        role = " ".join([*classes, *["described"] * (element.tag == "dd")])
        yield from _blocks(element, role if element.tag in ("p", "dd") else "")


def _columns(element: Element) -> Iterator[tree.Block]:
    """What stands side by side: first how, then all of it."""
    said = [re.search(r"width:\s*([\d.]+)mm", part.get("style", "")) for part in element]
    columns = [tuple(_blocks(part) if part.tag == "div" else _block(part)) for part in element]
    widths = tuple(float(width[1]) if width else 0.0 for width in said)
    yield tree.Beside(tuple(map(len, columns)), widths)
    yield from (block for column in columns for block in column)


def _pages(elements: Iterable[Element]) -> Iterator[tree.PageStart]:
    """Every page of the PDF that begins with one of these."""
    for element in elements:
        if page := element.get("data-page"):
            yield tree.PageStart(int(page))


def _table(element: Element) -> tree.Table:
    caption = element.find("caption")
    head = element.find("thead/tr")
    rows = [row for row in element.iter("tr") if row is not head]
    widths = [re.search(r"width:\s*([\d.]+)mm", column.get("style", "")) for column in element.iter("col")]
    return tree.Table(
        _cells(head) if head is not None else (),
        tuple(
            tree.Row(_cells(row), next((k for k in ("example", "sum") if has(row, k)), "plain"))
            for row in rows
        ),
        tuple(float(width[1]) if width else 0.0 for width in widths),
        tidy(inner(caption, BOLD)) if caption is not None else (),
    )


def _cells(row: Element) -> tuple[tree.TableCell, ...]:
    """One for each column: what reaches over several stands in the first of them."""
    cells: list[tree.TableCell] = []
    for element in row:
        cells += [_cell(element), *[tree.TableCell(())] * (int(element.get("colspan", "1")) - 1)]
    return tuple(cells)


def _cell(element: Element) -> tree.TableCell:
    classes = classes_of(element)
    blocks = tuple(_blocks(element))
    if "barcell" in classes and not blocks:
        blocks = (tree.Paragraph((tree.Bar(None),)),)
    return tree.TableCell(blocks, element.tag == "th", "write" in classes, "hidden-cell" in classes)


def _task(element: Element) -> tree.Task:
    number, points = "", ""
    blocks: list[tree.Block] = []
    for part in element:
        if has(part, "task-number"):
            number = plain(part)
        elif has(part, "task-points"):
            points = plain(part).removeprefix("/").strip()
        else:
            blocks += [*_pages([part]), *_blocks(part)]
    return tree.Task(number, points, tuple(blocks))


def _answer(element: Element) -> tree.Answer:
    rules = sum(1 for part in element.iter() if has(part, "rule"))
    height = re.search(r"height:\s*([\d.]+)mm", element.get("style", ""))
    lines = rules or (round(float(height[1]) / _LINE) if height else 1)
    return tree.Answer(lines, () if rules else tuple(_blocks(element)))


def _slots(element: Element) -> Iterator[tree.Table]:
    """A row to fill that stands in boxes: as tables of a few columns, each box under its name."""
    label = tuple(_paragraph(inner(element[0], BOLD)))
    slots = [part for part in element.iter() if has(part, "slot")]
    for start in range(0, len(slots), _SLOTS_A_ROW):
        some = slots[start : start + _SLOTS_A_ROW]
        names = (tree.TableCell(tuple(_paragraph(inner(name))), True) for each in some for name in each[:1])
        rooms = (tuple(run for part in slot[1:] for run in runs_of(part)) for slot in some)
        cells = (tree.TableCell((tree.Paragraph(room),), write=True) for room in rooms)
        row = tree.Row((tree.TableCell(label, True), *cells))
        yield tree.Table((tree.TableCell((), True), *names), (row,))


def _formulas(element: Element) -> tree.Table:
    """The collection of formulas: name, formula, shape."""
    order = ("formula-name", "formula-text", "formula-shape")
    rows = []
    for row in element:
        parts = {name: tuple(_blocks(part)) for name in order for part in row if has(part, name)}
        rows.append(tree.Row(tuple(tree.TableCell(parts.get(name, ()), name == order[0]) for name in order)))
    return tree.Table((), tuple(rows), (42.0, 79.0, 44.0))


def _figures(element: Element) -> Iterator[tree.Figure]:
    for svg in element.iter(f"{_SVG}svg"):
        parts = (svg.find(f"{_SVG}{tag}") for tag in ("title", "desc"))
        title, text = ("" if part is None else plain(part) for part in parts)
        width, height = (float(re.sub(r"[a-z]+$", "", svg.get(name, "0"))) for name in ("width", "height"))
        picture = tostring(svg, encoding="unicode").replace("xmlns:ns0=", "xmlns=")
        picture = picture.replace("<ns0:", "<").replace("</ns0:", "</")  # as a file of its own has it
        yield tree.Figure(title, text, picture, width, height)


def _lines(element: Element) -> list[str]:
    """The text of an element, cut where it breaks."""
    parts = [element.text or ""]
    for child in element:
        if child.tag == "br":
            parts.append("")
        else:
            parts[-1] += "".join(child.itertext())
        parts[-1] += child.tail or ""
    return [re.sub(r"\s+", " ", part).strip(" ") for part in parts]
