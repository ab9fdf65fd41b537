"""Takes a laid out document apart: its pages as operators, and where in them every text and picture stands.

WeasyPrint marks each text and picture in a page's operators with a number and remembers its box; its boxes
name their elements, and those stand in the HTML in the same order. So each text of the HTML is found in the
operators. What is found is checked: `arrange` has to give back exactly the places that WeasyPrint gave.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from generator.output import pdf
from generator.output.markup import VOID, tag_name, tokens_of
from generator.output.pdf_objects import as_bytes, pdf_string
from generator.output.shared.captured import Captured
from generator.output.shared.flow_boxes import DrawnPage, Source
from generator.output.shared.metrics import face
from generator.output.shared.page_boxes import PageBoxes

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
