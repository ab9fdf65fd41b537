"""The boxes of one page, as WeasyPrint laid them out, read as flows, pictures, figures and bars."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final

from generator.output.shared.captured import AreaSlot, FigureSlot, numbers, optional
from generator.output.shared.flow_boxes import DrawnPage, FlowBoxes, Unclear, style_key
from generator.output.shared.flows import Atom, Flow, Text

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
