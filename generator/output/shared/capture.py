"""Takes a laid out document apart: its pages as operators, and where in them every text and picture stands.

WeasyPrint marks each text and picture in a page's operators with a number and remembers its box; its boxes
name their elements, and those stand in the HTML in the same order. So each text of the HTML is found in the
operators. What is found is checked: `arrange` has to give back exactly the places that WeasyPrint gave.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any, Final

from generator.output import pdf
from generator.output.markup import VOID, tag_name, tokens_of
from generator.output.pdf_objects import as_bytes, pdf_string
from generator.output.shared.captured import AreaSlot, Captured, FigureSlot, numbers, optional
from generator.output.shared.flow_boxes import DrawnPage, FlowBoxes, Source, Unclear, style_key
from generator.output.shared.flows import Atom, Flow, Text
from generator.output.shared.metrics import face

_NOTHING: Final = 0.01  # CSS px
_LINES_OF_A_RANGE: Final = 2
_PAINTED: Final = frozenset({"gauge", "rule"})


class PageBoxes:
    """Reads the boxes of one page."""

    def __init__(self, page: DrawnPage) -> None:
        self._page = page

    @cached_property
    def _rectangles(self) -> dict[bytes, list[int]]:
        """Rectangle -> places of its operators; 54.00000000000001 is written as „54.“."""
        found: dict[bytes, list[int]] = {}
        for place, entry in enumerate(self._page.operators):
            if entry.endswith(b" re"):
                sides = b" ".join(side.rstrip(b".") for side in entry.split()[:-1])
                found.setdefault(sides, []).append(place)
        return found

    def styles(self) -> dict[tuple[Any, ...], tuple[str, float]]:
        """The font of each style of text on the page."""
        found = {}
        for box, (begin, end) in self._page.marks.items():
            fonts = [entry for entry in self._page.operators[begin:end] if entry.endswith(b" Tf")]
            for entry in fonts if type(box).__name__ == "TextBox" else ():
                name, size, _ = entry.decode().split()
                if name[1:] not in self._page.source.found.fonts.others:
                    found[style_key(box.style)] = (name[1:], float(size))
        return found

    def read(self, box: Any, inside: int | None = None, decides: bool = False) -> None:
        """A box and all in it. inside: a box in a line that it stands in. decides: as columns need it."""
        box = getattr(box, "_box", box)
        children = getattr(box, "children", ())
        if children and type(children[0]).__name__ == "LineBox":
            self._flow(box, inside, decides)
        painted = "::" not in (box.element_tag or "") and not _PAINTED.isdisjoint(_classes(box))
        if painted and hasattr(box, "background"):
            self._area(box)
        if type(box).__name__ in ("TableBox", "InlineTableBox"):
            decides = box.style["width"] == "auto" or box.style["table_layout"] != "fixed"
        for child in children:
            within = inside
            if type(child).__name__.startswith("Inline") and type(child).__name__ != "InlineBox":
                within = self._page.start(child)
            self.read(child, within, decides)

    def shown(self) -> None:
        """Where the texts of optional tags are shown."""
        found, tokens = self._page.source.found, self._page.source.found.tokens
        for box, (begin, end) in self._page.marks.items():
            tag = self._page.source.starts.get(box.element, -1)
            while tag >= 0 and not optional(tokens[tag]):
                tag = found.parents[tag]
            if tag >= 0:
                operators = self._page.operators
                places = (i for i in range(begin, end) if operators[i].endswith((b" TJ", b" Tf")))
                found.shown.setdefault(tag, []).extend((self._page.number, place) for place in places)

    def figures(self, forms: dict[bytes, int]) -> None:
        """The figures on this page."""
        for box, (begin, end) in self._page.marks.items():
            start = self._page.source.starts.get(box.element)
            if start is None or not str(box.element.tag).endswith("}svg") or box not in self._page.elements:
                continue
            operators = self._page.operators[begin:end]
            matrices = [entry.split() for entry in operators if entry.endswith(b" cm")]
            if len(matrices) < 3 or type(box).__name__ != "BlockReplacedBox":
                continue
            self._page.source.found.figures[start] = FigureSlot(
                self._page.number, begin, end,
                float(matrices[0][4]), float(matrices[0][5]), float(matrices[2][0]),
                box.width, box.height, self._page.elements[box],
                tuple(forms[entry] for entry in operators if entry in forms),
            )  # fmt: skip

    def _area(self, box: Any) -> None:
        """A box whose background says a value."""
        start = self._page.start(box)
        if start is None or box.background is None or not box.background.layers:
            return
        area = box.background.layers[-1].painting_area
        if not isinstance(area, tuple):
            return
        places = self._rectangles.get(numbers(*area), [])
        colours = (
            [i for i, e in enumerate(self._page.operators[places[0] : places[-1]]) if e.endswith(b" rg")]
            if places
            else []
        )
        if len(colours) <= 1 and places and self._page.operators[places[-1] + 1] == b"f":
            self._page.source.found.areas[start] = AreaSlot(
                self._page.number, tuple(places), places[-1] + 1, *area
            )

    def _flow(self, block: Any, inside: int | None, decides: bool) -> None:
        style = block.style
        flow = Flow(
            page=self._page.number,
            x=block.content_box_x(),
            width=block.width,
            align=style["text_align_all"],
            wraps=style["white_space"] == "normal",
            baselines=_baselines(block),
            room=_has_room(block),
            items=[],
            inside=inside,
            decides=decides,
        )
        reading = FlowBoxes(self._page, flow, style)
        found = self._page.source.found
        number = len(found.flows)
        found.flows.append(flow)
        if inside is not None:
            found.flows_in[inside] = (*found.flows_in.get(inside, ()), number)
        try:
            for place, line in enumerate(block.children):
                reading.measure(line)
                reading.line(place, line)
            reading.items()
            if not (placed := reading.agreed()):
                raise Unclear
        except Unclear:
            flow.items = []
            self._leave(block, number)
            return
        found.slots.update({(number, token): slots for token, slots in reading.slots.items()})
        found.atoms[number] = {p.item: p.x for p in placed if isinstance(flow.items[p.item], Atom)}
        for item in flow.items:
            if isinstance(item, Text):
                found.register(item.token, number)
            elif isinstance(item, Atom) and item.token >= 0:
                found.register(item.token, number)
                found.widths[item.token] = item.width

    def _leave(self, block: Any, number: int) -> None:
        """Whatever stands in this block has to stay as it is."""
        for box in (block, *block.descendants()):
            start = self._page.start(box)  # what CSS adds, as a list's dots, never changes
            for token in () if start is None else (start, *self._page.source.texts.get(start, ())):
                self._page.source.found.register(token, number)


def _has_room(block: Any) -> bool:
    """Whether a block keeps its height with fewer lines."""
    if _hangs(block):
        return True
    if type(block).__name__ != "BlockBox":
        return False
    least = block.min_height if block.style["height"] == "auto" else block.height
    return bool(sum(line.height for line in block.children) <= least + _NOTHING)


def _classes(block: Any) -> list[str]:
    element = getattr(block, "element", None)
    return [] if element is None else (element.get("class") or "").split()


def _baselines(block: Any) -> list[float]:
    """The baselines of a block's lines, and of further lines for which it has room."""
    lines = block.children
    found = [line.position_y + line.baseline for line in lines]
    first, last = lines[0], lines[-1]
    if first.height and _has_room(block):
        below = last.position_y + last.height  # a formula may have made it higher than its text
        left = int((block.content_box_y() + block.height - below) / first.height + 0.01)
        left = _LINES_OF_A_RANGE - len(lines) if _hangs(block) else left
        found += [below + first.baseline + n * first.height for n in range(left)]
    return found


def _hangs(block: Any) -> bool:
    """Whether its lines hang below it, as ranges do below their values."""
    return bool(block.children) and block.style["height"] == (0, "px")


_OWN: Final = b"Papierformer-Sans"


class Capture:
    """Takes a laid out document apart while it is written."""

    def __init__(self, html: str, laid_out: pdf.Layout) -> None:
        tokens = tokens_of(pdf.breakable(html))
        parents, ends = _nesting(tokens)
        self.found = Captured(tokens, parents, ends=ends)
        texts: dict[int, list[int]] = {}
        for token in range(0, len(tokens), 2):
            if tokens[token].strip():
                texts.setdefault(parents[token], []).append(token)
        self._source = Source(self.found, _starts(laid_out.root, tokens), ends, texts)
        self.contents: list[int] = []  # numbers of the pages' streams
        self._marks: list[dict[Any, int]] = []
        self._document = laid_out.document
        for page in laid_out.document.pages:
            page.paint = self._painting(page.paint)

    def place(self, element: Any) -> int:
        """Where an element's tag stands in the HTML."""
        return self._source.starts[element]

    def _painting(self, paint: Any) -> Any:
        def painting(stream: Any, scale: float) -> None:
            paint(stream, scale)
            self._marks.append({box: mark["mcid"] for box, mark in stream._tags.items()})
            if len(self._marks) == len(self._document.pages):
                self._complete_fonts()

        return painting

    def _complete_fonts(self) -> None:
        """Puts the whole alphabet into every font that the document uses."""
        for font in self._document.fonts.values():
            known = self.found.fonts.faces.setdefault(font.hash, face(bytes(font.file_content)))
            if _OWN not in font.name and font.hash not in self.found.fonts.others:
                self.found.fonts.others.append(font.hash)
            for sign, glyph in known.glyphs.items():
                font.to_unicode.setdefault(glyph, sign)
                font.widths.setdefault(glyph, known.advances[sign])

    def finish(self, _: Any, written: Any) -> None:
        """WeasyPrint's finisher: everything is drawn, nothing is written yet."""
        by_number = {f"{entry.number} 0 R".encode(): entry for entry in written.objects}
        pages = [by_number[reference] for reference in written.page_references]
        streams = [by_number[page["Contents"]] for page in pages]
        self.contents = [stream.number for stream in streams]
        figures = _figures(written, written.page_references)
        self.found.heads = dict(figures.values())
        self.found.bookmarks = self._bookmarks(written)
        read = []
        for number, (stream, marks) in enumerate(zip(streams, self._marks, strict=True)):
            self.found.pages.append([as_bytes(entry) for entry in stream.stream])
            sections = _sections(stream.stream)
            drawn = {box: sections[mcid] for box, mcid in marks.items()}
            places = {box: (number, mcid) for box, mcid in marks.items()}
            elements = {box: figures[place][0] for box, place in places.items() if place in figures}
            page = DrawnPage(self._source, number, self.found.pages[-1], drawn, elements)
            read.append(PageBoxes(page))
            self._source.styles |= read[-1].styles()
        usual = {
            weight == 700: font
            for (weight, how, _), (font, _) in self._source.styles.items()
            if how == "normal"
        }
        self.found.weights = usual.get(False, ""), usual.get(True, "")
        forms = _forms(by_number, pages[0]) if pages else {}
        for laid_out, its in zip(self._document.pages, read, strict=True):
            its.read(laid_out._page_box)
            its.figures(forms)
            its.shown()

    @property
    def changing(self) -> list[int]:
        """The numbers of the dictionaries that differ between documents that share a layout."""
        return [*self.found.heads, *self.found.bookmarks.values()]

    def _bookmarks(self, written: Any) -> dict[int, int]:
        """Heading -> number of its entry in the table of contents; none if they are not the same."""
        tokens = self.found.tokens
        headings = [i for i in range(1, len(tokens), 2) if re.match("<h[1-6]", tokens[i])]
        entries: list[Any] = [entry for entry in written.objects if _is_bookmark(entry)]
        titles = [pdf_string(self.found.heading(tag, tokens)) for tag in headings]
        if len(entries) != len(titles):
            return {}
        if not all(title in entry.data for title, entry in zip(titles, entries, strict=True)):
            return {}
        return {tag: entry.number for tag, entry in zip(headings, entries, strict=True)}


def _is_bookmark(entry: Any) -> bool:
    return isinstance(entry, dict) and "Title" in entry and "Dest" in entry


def _starts(root: Any, tokens: list[str]) -> dict[Any, int]:
    """Element -> the place of its tag in the HTML."""
    tags = [i for i in range(1, len(tokens), 2) if tokens[i][1] not in "/!"]
    elements = list(_elements(root))
    if len(tags) != len(elements):
        raise ValueError(f"{len(tags)} tags, {len(elements)} elements")
    return dict(zip(elements, tags, strict=True))


def _elements(root: Any) -> Iterator[Any]:
    yield root
    if not str(root.tag).endswith("}svg"):
        for child in root:
            yield from _elements(child)


def _nesting(tokens: list[str]) -> tuple[dict[int, int], dict[int, int]]:
    """Token -> the tag it stands in; tag -> the tag that ends it."""
    parents, ends = {}, {}
    stack = [-1]
    for i, token in enumerate(tokens):
        parents[i] = stack[-1]
        if i % 2 == 0 or token[1] == "!":
            continue
        if token[1] == "/":
            ends[stack.pop()] = i
        elif tag_name(token) in VOID or token.startswith("<svg"):
            ends[i] = i
        else:
            stack.append(i)
    return parents, ends


def _sections(stream: list[Any]) -> dict[int, tuple[int, int]]:
    """Number of a marked section -> where its operators begin and end."""
    found: dict[int, tuple[int, int]] = {}
    for i, entry in enumerate(stream):
        if isinstance(entry, dict) and "MCID" in entry:
            end, depth = i + 2, 1
            while depth:
                depth += {b"BDC": 1, b"BMC": 1, b"EMC": -1}.get(stream[end], 0) if stream[end] else 0
                end += 1
            found[entry["MCID"]] = (i + 2, end - 1)
    return found


def _figures(written: Any, pages: tuple[bytes, ...]) -> dict[tuple[int, int], tuple[int, bytes]]:
    """Page and number of a picture's section -> number and beginning of its structure element."""
    found = {}
    for entry in filter(_is_figure, written.objects):
        page, section = entry["Pg"], entry["K"][0]
        kind = str(entry["S"]).encode()
        head = b"<</Type /StructElem/S %s/K [%d]/Pg %s/P %s" % (kind, section, page, entry["P"])
        found[(pages.index(page), section)] = (entry.number, head)
    return found


def _is_figure(entry: Any) -> bool:
    return isinstance(entry, dict) and entry.get("S") in ("/Figure", "/Formula") and len(entry["K"]) == 1


def _forms(by_number: dict[bytes, Any], page: Any) -> dict[bytes, int]:
    """The operator that draws a form -> the form's number."""
    forms = by_number[page["Resources"]]["XObject"]
    return {f"/{name} Do".encode(): int(bytes(place).split()[0]) for name, place in forms.items() if place}
