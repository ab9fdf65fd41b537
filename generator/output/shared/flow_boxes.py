"""The boxes of one block's lines, read as a flow that is checked against `arrange`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from generator.output.markup import tag_name, text_of
from generator.output.shared.captured import Captured, Operators, PictureSlot, TextSlot
from generator.output.shared.flows import Atom, Break, Flow, Item, Placed, Text, arrange
from generator.output.shared.metrics import INVISIBLE
from generator.output.shared.pango import line_of


@dataclass
class Source:
    """The HTML of a document.

    starts: element -> its tag; ends: tag -> the tag that ends it; texts: tag -> the texts directly in it.
    styles: style of text -> font and size.
    """

    found: Captured
    starts: dict[Any, int]
    ends: dict[int, int]
    texts: dict[int, list[int]]
    styles: dict[tuple[Any, ...], tuple[str, float]] = field(default_factory=dict)


class Unclear(Exception):  # noqa: N818
    """This block is left as it is."""


@dataclass
class DrawnPage:
    """One page. marks: box -> where its operators begin and end; elements: picture -> number of its tag."""

    source: Source
    number: int
    operators: Operators
    marks: dict[Any, tuple[int, int]]
    elements: dict[Any, int]
    _rest: dict[int, list[tuple[int, str]]] = field(default_factory=dict)

    def start(self, box: Any) -> int | None:
        return self.source.starts.get(box.element) if "::" not in (box.element_tag or "") else None

    def consume(self, element: int, text: str) -> int:
        """The token that a drawn text belongs to."""
        tokens = self.source.found.tokens
        if element not in self._rest:
            self._rest[element] = [
                (token, bare(text_of(tokens[token]))) for token in self.source.texts.get(element, [])
            ]
        rest = self._rest[element]
        wanted = bare(text)
        while rest and not rest[0][1]:
            rest.pop(0)
        if not rest or not rest[0][1].startswith(wanted):
            raise Unclear
        token, left = rest[0]
        rest[0] = (token, left[len(wanted) :])
        return token


def bare(text: str) -> str:
    return "".join(text.translate(INVISIBLE).split())


def style_key(style: Any) -> tuple[Any, ...]:
    return style["font_weight"], style["font_style"], style["font_size"]


SAME: Final = 0.06  # CSS px


class FlowBoxes:
    """Reads one flow."""

    def __init__(self, page: DrawnPage, flow: Flow, style: Any) -> None:
        self._page, self._flow, self._style = page, flow, style
        self.slots: dict[int, list[TextSlot]] = {}
        self._plain: list[bool] = []
        self._inline: dict[int, Any] = {}  # tag -> style
        self._edges: dict[int, list[float]] = {}
        self._atoms: dict[int, tuple[int, Any]] = {}  # tag -> line and box
        self._fonts: dict[int, tuple[str, float]] = {}  # text -> font
        self._shifts: dict[int, float] = {}

    def measure(self, line: Any) -> None:
        """Whether a line is higher than its text makes it: then what stands on it has to stay there."""
        height, baseline = line_of(line.style)
        self._plain.append(abs(line.height - height) < SAME and abs(line.baseline - baseline) < SAME)

    def line(self, number: int, box: Any) -> None:
        for child in box.children:
            child = getattr(child, "_box", child)
            kind = type(child).__name__
            tag = child.element_tag or ""
            if kind == "TextBox":
                if child.text.strip(" \n\u200b\u00ad") and tag != "br::before":
                    self._text(number, child)
            elif kind in ("InlineBox", "LineBox"):
                if tag == "br::before":
                    continue
                if "::" in tag:
                    raise Unclear
                start = self._page.start(child)
                if start is None or framed(child):
                    raise Unclear
                edges = self._edges.setdefault(start, [0.0, 0.0])
                edges[0] += child.margin_left + child.border_left_width + child.padding_left
                edges[1] += child.margin_right + child.border_right_width + child.padding_right
                self._inline[start] = child.style
                self.line(number, child)
            elif kind in ("InlineReplacedBox", "InlineBlockBox"):
                start = self._page.start(child)
                if start is None:
                    raise Unclear
                self._atoms[start] = (number, child)
                found = self._page.source.found
                if kind == "InlineReplacedBox":
                    self._picture(start, child)
                    continue
                if child.style["width"] == "auto":
                    found.shrinking.add(start)
                if any(map(framed, (child, *child.descendants()))):
                    found.framed.add(start)
            elif child.style["position"] != "absolute":
                raise Unclear

    def _text(self, line: int, box: Any) -> None:
        page, style = self._page, box.style
        start = page.source.starts.get(box.element)
        if start is None or "::" in box.element_tag or style["text_transform"] != "none":
            raise Unclear
        if style["letter_spacing"] not in (0, "normal"):
            raise Unclear
        token = page.consume(start, box.text)
        begin, end = page.marks[box]
        operators = page.operators[begin:end]
        matrices = [i for i, entry in enumerate(operators) if entry.endswith(b" Tm")]
        shown = [i for i, entry in enumerate(operators) if entry.endswith((b" TJ", b" Tf"))]
        fonts = [entry for entry in operators if entry.endswith(b" Tf")]
        if len(matrices) != 1 or not shown or not fonts or any(e.endswith(b" Ts") for e in operators):
            raise Unclear
        name, size, _ = fonts[0].decode().split()
        font = (name[1:], float(size))
        if font[0] in page.source.found.fonts.others:
            font = page.source.styles.get(style_key(style), font)
        self._fonts[token] = font
        baseline = self._flow.baselines[line]
        y = box.position_y + box.baseline
        self._shifts[token] = y - baseline
        slot = TextSlot(
            page.number,
            begin + matrices[0],
            tuple(begin + place for place in shown),
            line,
            box.position_x,
            y,
            box.text,
        )
        self.slots.setdefault(token, []).append(slot)

    def _picture(self, start: int, box: Any) -> None:
        page = self._page
        if box not in page.marks:
            raise Unclear
        begin, end = page.marks[box]
        operators = page.operators[begin:end]
        matrices = [i for i, entry in enumerate(operators) if entry.endswith(b" cm")]
        if len(matrices) < 2:
            raise Unclear
        clip = begin - 6  # before the section: its rectangle, W, n, tag, properties, BDC
        if page.operators[clip + 1] != b"W" or not page.operators[clip].endswith(b" re"):
            raise Unclear
        page.source.found.pictures[start] = PictureSlot(
            page.number,
            clip,
            begin + matrices[0],
            begin + matrices[1],
            begin + matrices[1] + 1,
            box.content_box_x(),
            box.content_box_y(),
            box.width,
            box.height,
            box.style["font_size"],
            page.elements[box],
        )

    def items(self) -> None:
        """The flow's items, from the HTML: the boxes have said which of its tags and texts belong to it."""
        of = self._page.source
        places = [*self.slots, *self._atoms, *self._inline]
        if not places:
            raise Unclear
        closed = [*self._atoms, *filter(self._whole, self._inline)]
        if not closed and not self.slots:
            raise Unclear
        i, last = min(places), max([*self.slots, *(of.ends[tag] for tag in closed)])
        main = of.styles.get(style_key(self._style)) or next(iter(self._fonts.values()), None)
        if main is None:
            raise Unclear
        while i <= last:
            token = of.found.tokens[i]
            if i % 2 == 0:
                self._text_item(i, main)
            elif i in self._atoms:
                line, box = self._atoms[i]
                self._add(Atom(i, box.margin_width(), tall=not self._plain[line]), line)
                i = of.ends[i]
            elif token.startswith("</"):
                opened = next(tag for tag in self._inline if of.ends[tag] == i)
                self._edge(opened, 1)
            elif tag_name(token) == "br":
                self._add(Break(), 0)
            elif i in self._inline:
                self._edge(i, 0)
            else:
                raise Unclear
            i += 1

    def _whole(self, tag: int) -> bool:
        """Whether all in a tag stands in this flow: a block in it parts what is before from what is after."""
        of, i = self._page.source, tag + 2
        while i < of.ends[tag]:
            token = of.found.tokens[i]
            if i in self._atoms:
                i = of.ends[i]
            elif not (token.startswith("</") or i in self._inline or tag_name(token) == "br"):
                return False
            i += 2
        return True

    def _add(self, item: Item, line: int) -> None:
        self._flow.items.append(item)
        self._flow.lines.append(line)

    def _edge(self, tag: int, side: int) -> None:
        if self._edges[tag][side]:
            self._add(Atom(-1, self._edges[tag][side], tall=False), 0)

    def _text_item(self, token: int, main: tuple[str, float]) -> None:
        of = self._page.source
        if not of.found.tokens[token]:
            return
        if token in self._fonts:
            font = self._fonts[token]
        else:
            parent = self._inline.get(of.found.parents[token])
            font = main if parent is None else of.styles.get(style_key(parent), main)
        line = self.slots[token][0].line if token in self.slots else 0
        tall = font[1] > main[1] or abs(self._shifts.get(token, 0.0)) > 0.01
        self._add(Text(token, *font, tall=tall and not self._plain[line]), line)

    def agreed(self) -> list[Placed]:
        """What `arrange` gives, if those are the places that WeasyPrint gave; else nothing."""
        of = self._page.source
        arranged = arrange(
            self._flow,
            of.found.fonts,
            lambda token: text_of(of.found.tokens[token]),
            lambda atom: atom.width,
        )
        if arranged is None or not all(self._as_drawn(arranged[0])):
            return []
        self._flow.longest = arranged[1]
        return arranged[0]

    def _as_drawn(self, placed: list[Placed]) -> Iterator[bool]:
        flow = self._flow
        at = {number: [p for p in placed if p.item == number] for number in range(len(flow.items))}
        for number, item in enumerate(flow.items):
            if isinstance(item, Text):
                pieces = [piece for piece in at[number] if piece.text.strip(" \u200b")]
                slots = self.slots.get(item.token, [])
                yield len(pieces) == len(slots)
                for piece, slot in zip(pieces, slots, strict=False):
                    yield piece.line == slot.line and abs(flow.x + piece.x - slot.x) < SAME
                    yield bare(piece.text) == bare(slot.text)
            elif isinstance(item, Atom) and item.token >= 0:
                line, box = self._atoms[item.token]
                yield all(p.line == line and abs(flow.x + p.x - box.position_x) < SAME for p in at[number])


def framed(box: Any) -> bool:
    """Whether a box has a frame or a background of its own."""
    background = getattr(box, "background", None)
    painted = background is not None and (background.layers or background.color.alpha > 0)
    sides = ("border_top_width", "border_right_width", "border_bottom_width", "border_left_width")
    return painted or any(getattr(box, side, 0) for side in sides)
