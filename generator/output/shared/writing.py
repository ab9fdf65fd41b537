"""What changes in a laid out document's pages when it says what another one's HTML says."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import compress, count
from operator import ne
from typing import Any, Final

from generator.output.markup import attributes, tag_name, text_of
from generator.output.pdf_objects import pdf_string
from generator.output.shared import svg
from generator.output.shared.captured import (
    GAUGE,
    Captured,
    Edit,
    FigureSlot,
    NotShared,
    PictureSlot,
    Shift,
    TextSlot,
    aligned,
    numbers,
    of_either,
    optional,
)
from generator.output.shared.flows import Atom, Flow, Placed, Text, arrange

_EM: Final = re.compile(r"(width|height|vertical-align):(-?[\d.]+)em")
_UNSEEN: Final = re.compile(r' data-\w+="[^"]*"')
_STILL: Final = 0.02  # CSS px
_SAME: Final = 1e-6
_OF_A_PICTURE: Final = re.compile(rb"/S /(Formula|Figure)\b")


class Writing:
    """The edits that make one pupil's PDF from the layout that all share."""

    def __init__(self, found: Captured, images: Mapping[str, Any]) -> None:
        self._found, self._images = found, images
        self._edits: defaultdict[int, dict[int, bytes]] = defaultdict(dict)
        self.objects: dict[int, bytes] = {}
        self.dropped: set[int] = set()
        self.headings: dict[int, str] = {}
        self.tokens: list[str] = []
        self._widths: dict[int, float] = {}
        self._placed: dict[int, list[Placed]] = {}
        self._passed_on: set[tuple[int, float]] = set()
        self._moved: dict[int, Shift] = {}  # what flows in boxes are moved by

    def read(self, tokens: list[str]) -> None:
        """Compares the document with the one laid out, and notes what to write where."""
        base = self._found.tokens
        self.tokens, lacking = aligned(self._found, tokens)
        flows: set[int] = set()
        for place in compress(count(), map(ne, base, self.tokens)):
            flows.update(self._changed(place, base[place], self.tokens[place]))
        for flow in sorted(flows, key=self._found.depths.__getitem__, reverse=True):
            self._arrange(flow)
        while later := self._to_pass_on():
            for flow in set(later):
                self._arrange(flow)
        for flow in sorted(self._placed, key=self._found.depths.__getitem__):
            self._emit(flow)
        for tag in lacking:
            self._leave_out(tag)

    def draw_figures(self) -> None:
        """Draws the figures that were laid out empty. Raises NotShared."""
        for place in self._found.figures:
            figure = self._found.tokens[place]
            if svg.without_shapes(figure) != figure:
                self._figure(place, figure)

    def pages(self) -> Iterator[list[bytes]]:
        """The operators of each page."""
        for number, page in enumerate(self._found.pages):
            edited = page.copy()
            for place, operator in self._edits.get(number, {}).items():
                edited[place] = operator
            yield edited

    def _leave_out(self, tag: int) -> None:
        """Draws nothing where an optional part stands, and says nothing of it."""
        if optional(self._found.tokens[tag]) in ("gauge", "rule"):
            if (area := self._found.areas.get(tag)) is None:
                raise NotShared("a bar or a line without a place")
            self._edit(area.page, area.fill, b"n")
            return
        for page, place in self._found.shown.get(tag, ()):
            self._edit(page, place, b"")
        for place in range(tag, self._found.ends[tag]):
            token = self._found.tokens[place]
            if token.startswith("<svg") or (token.startswith("<img") and place not in self._found.pictures):
                raise NotShared("a picture that cannot be taken away")
            if slot := self._found.pictures.get(place):
                self._edit(slot.page, slot.outlines, b"")
                self.objects[slot.element] = (
                    _OF_A_PICTURE.sub(b"/S /NonStruct", self._found.heads[slot.element]) + b">>"
                )

    def _changed(self, place: int, old: str, new: str) -> tuple[int, ...]:
        """Notes a changed token; the flows that it stands in."""
        if place % 2 == 0:
            if tag := self._found.repeated.get(place, 0):
                if tag_name(self._found.tokens[tag]) == "title":
                    return ()
                self.headings[tag] = self._found.heading(tag, self.tokens)
            flows = self._found.flows_of.get(place, ())
            if not flows:
                raise NotShared(f"text that stands in no flow: {new[:40]!r}")
            return flows
        if old.startswith("<svg") and new.startswith("<svg"):
            return self._figure(place, new)
        if _UNSEEN.sub("", old) == _UNSEEN.sub("", new):
            return ()
        if optional(old) == "rule" or (old.startswith("<body") and of_either(old) == of_either(new)):
            return ()
        if old.startswith("<img") and new.startswith("<img") and place in self._found.pictures:
            return self._picture(place, new)
        if (bars := (GAUGE.fullmatch(old), GAUGE.fullmatch(new))) and all(bars):
            return self._gauge(place, *(float(bar[1]) for bar in bars if bar))
        raise NotShared(f"another tag: {new[:80]!r} for {old[:80]!r}")

    def _gauge(self, place: int, before: float, now: float) -> tuple[int, ...]:
        area = self._found.areas.get(place)
        if area is None or not before:
            raise NotShared("a bar without a place")
        if not now:
            self._edit(area.page, area.fill, b"n")
            return ()
        rectangle = numbers(area.x, area.y, area.width * now / before, area.height) + b" re"
        for operator in area.rectangles:
            self._edit(area.page, operator, rectangle)
        return ()

    def _figure(self, place: int, new: str) -> tuple[int, ...]:
        slot = self._found.figures.get(place)
        if slot is None or svg.frame_of(new) != svg.frame_of(self._found.tokens[place]):
            raise NotShared("another figure")
        try:
            shapes = svg.operators(new, self._found.weights, self._found.fonts)
        except svg.OtherShape as error:
            raise NotShared(f"another shape: {error}") from error
        for operator in range(slot.begin, slot.end):
            self._edit(slot.page, operator, b"")
        corner = numbers(1, 0, 0, 1, slot.x, slot.y) + b" cm\n" + numbers(slot.scale, 0, 0, slot.scale, 0, 0)
        self._edit(slot.page, slot.begin, b"q\n" + corner + b" cm\n" + shapes + b"\nQ")
        self.dropped.update(slot.parts)
        self._alternative(slot, slot.width, svg.title_of(new))
        return ()

    def _picture(self, place: int, new: str) -> tuple[int, ...]:
        slot = self._found.pictures[place]
        now = attributes(new)
        before = attributes(self._found.tokens[place])
        sizes, old = (dict(_EM.findall(tag.get("style", ""))) for tag in (now, before))
        image = self._images.get(now.get("src", ""))
        if image is None or not hasattr(image, "operators") or sizes.keys() != old.keys():
            raise NotShared("another picture")
        if sizes["height"] != old["height"] or sizes["vertical-align"] != old["vertical-align"]:
            raise NotShared("a formula of another height")
        width = float(sizes["width"]) * slot.font_size
        scale = numbers(width / image.width, 0, 0, slot.height / image.height, 0, 0)
        self._edit(slot.page, slot.scale, scale + b" cm")
        self._edit(slot.page, slot.outlines, image.operators)
        self._alternative(slot, width, now.get("alt", ""))
        if abs(width - slot.width) < _SAME:
            return ()
        if place not in self._found.widths:
            raise NotShared("a formula of another width in a block that is left as it is")
        self._widths[place] = self._found.widths[place] + width - slot.width
        return self._found.flows_of[place]

    def _alternative(self, slot: PictureSlot | FigureSlot, width: float, words: str) -> None:
        """The room of a picture, and what is said instead of it."""
        if isinstance(slot, PictureSlot):
            self._edit(slot.page, slot.clip, numbers(slot.x, slot.y, width, slot.height) + b" re")
        box = numbers(slot.x, slot.y, slot.x + width, slot.y + slot.height)
        self.objects[slot.element] = (
            self._found.heads[slot.element]
            + b"/A <</O /Layout/BBox [" + box + b"]>>/Alt " + pdf_string(words) + b">>"
        )  # fmt: skip

    def _arrange(self, number: int) -> None:
        flow = self._found.flows[number]
        if not flow.items:
            raise NotShared("a block that is left as it is")
        fits = flow.inside in self._found.shrinking and len(self._found.flows_in[flow.inside]) == 1
        fits = fits and len(flow.baselines) == 1
        arranged = arrange(
            replace(flow, wraps=False, width=0.0) if fits else flow,
            self._found.fonts,
            lambda token: text_of(self.tokens[token]),
            self._width,
        )
        if arranged is None:
            raise NotShared(f"a block with other lines, on page {flow.page + 1}")
        self._placed[number], longest = arranged
        if flow.decides and abs(longest - flow.longest) > _SAME:
            raise NotShared("a column of another width")
        if fits and flow.inside is not None and abs(longest - flow.width) > _SAME:
            if flow.inside in self._found.framed:
                raise NotShared("a frame of another width")
            if flow.inside not in self._found.widths:
                raise NotShared("a box in a block that is left as it is")
            self._widths[flow.inside] = self._found.widths[flow.inside] + longest - flow.width

    def _width(self, atom: Atom) -> float:
        return self._widths.get(atom.token, atom.width)

    def _to_pass_on(self) -> list[int]:
        """The flows of pictures and boxes whose width has changed since the flow was arranged."""
        changed = {(token, width) for token, width in self._widths.items()} - self._passed_on
        self._passed_on |= changed
        return [flow for token, _ in changed for flow in self._found.flows_of.get(token, ())]

    def _emit(self, number: int) -> None:
        flow = self._found.flows[number]
        shift = self._moved.get(number, (0.0, 0.0))
        placed = self._placed[number]
        for page, place, operator in self._texts(number, placed, shift):
            self._edits[page][place] = operator
        for piece in placed:
            item = flow.items[piece.item]
            if isinstance(item, Atom) and item.token >= 0:
                right = piece.x - self._found.atoms[number][piece.item] + shift[0]
                down = flow.baselines[piece.line] - flow.baselines[flow.lines[piece.item]] + shift[1]
                if abs(right) > _STILL or abs(down) > _STILL:
                    self._move(item.token, right, down)

    def _texts(self, number: int, placed: list[Placed], shift: Shift) -> list[Edit]:
        flow = self._found.flows[number]
        edits: list[Edit] = []
        seen: defaultdict[int, list[Placed]] = defaultdict(list)
        for piece in placed:
            if piece.text.strip(" \u200b"):
                seen[piece.item].append(piece)
        for place, item in enumerate(flow.items):
            if not isinstance(item, Text):
                continue
            pieces = seen[place]
            slots = self._found.slots.get((number, item.token), [])
            if pieces and not slots:
                raise NotShared("text where there was none")
            last = slots[-1] if slots else None
            for slot, piece in zip(slots, pieces, strict=False):
                extra = pieces[len(slots) :] if slot is last else []
                edits += self._show(flow, item, slot, [piece, *extra], shift)
            edits += [(slot.page, at, b"") for slot in slots[len(pieces) :] for at in slot.shown]
        return edits

    def _show(self, flow: Flow, item: Text, slot: TextSlot, pieces: list[Placed], shift: Shift) -> list[Edit]:
        """Shows pieces of text where there was one."""
        above = slot.y - flow.baselines[slot.line]
        operators: list[bytes] = []
        for piece in pieces:
            x, y = flow.x + shift[0] + piece.x, flow.baselines[piece.line] + above + shift[1]
            operators.append(b"1 0 0 -1 " + numbers(x, y) + b" Tm")
            operators.append(self._found.fonts.operators(item.font, item.size, piece.text))
        placed = (slot.page, slot.matrix, operators[0])
        if len(pieces) == 1 and pieces[0].text.rstrip(" \u200b") == slot.text.rstrip(" \u200b"):
            return [placed]  # a space before it has its width
        shown = (slot.page, max(slot.matrix + 1, slot.shown[0]), b"\n".join(operators[1:]))
        return [placed, *((slot.page, place, b"") for place in slot.shown), shown]

    def _move(self, token: int, right: float, down: float) -> None:
        """Moves a picture, or a box with all that stands in it."""
        if token in self._found.pictures:
            slot = self._found.pictures[token]
            before = self._found.widths[token]
            width = slot.width + self._widths.get(token, before) - before
            moved = replace(slot, x=slot.x + right, y=slot.y + down)
            self._edit(slot.page, slot.matrix, numbers(1, 0, 0, 1, moved.x, moved.y) + b" cm")
            self._alternative(moved, width, attributes(self.tokens[token]).get("alt", ""))
            return
        if token in self._found.framed:
            raise NotShared("a frame that would move")
        for flow in self._found.flows_in.get(token, ()):
            self._moved[flow] = (right, down)
            if flow not in self._placed:
                self._arrange(flow)
            self._emit(flow)

    def _edit(self, page: int, place: int, operator: bytes) -> None:
        self._edits[page][place] = operator
