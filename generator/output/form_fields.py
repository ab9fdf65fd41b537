"""In: a laid out worksheet whose blanks are named (`data-field`). Out: the same PDF, with a field in each.

The layout is the worksheet's. A field is as large as its blank, comes in the order of the page, has a name
and what a screen reader says, and stands in the tag tree where its blank stands (PDF/UA-1, 7.18). Blanks of
one cell are one field. Its appearance is empty until a viewer writes into it, in a font that the file holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from generator.output.form_font import FONT_NAME, add_font

_POINTS_PER_PX: Final = 0.75
_INSIDE: Final = 1.5  # CSS px between a blank's frame and its field
_UNNUMBERED: Final = 10_000_000  # above every number of an object in a file
_NUMBER_SIZE, _WORDS_SIZE = 11, 10  # pt
_CENTRED: Final = 1
_SEVERAL_LINES: Final = 1 << 12
_PRINTED: Final = 4


@dataclass(frozen=True)
class _Widget:
    """A field's place on a page: its dictionary, and (left, bottom, right, top) in pt."""

    annotation: Any
    page: int
    rectangle: tuple[float, float, float, float]


@dataclass
class _Named:
    """A field: its name, what it is called, its places."""

    name: str
    title: str
    in_words: bool
    widgets: list[_Widget] = field(default_factory=list)


class FormFields:
    """Puts the fields into a laid out document: `FormFields(layout)` before it is written, then `finish`."""

    def __init__(self, document: Any, zoom: float) -> None:
        self._zoom = zoom
        self._named: dict[str, _Named] = {}
        count = 0
        for number, page in enumerate(document.pages):
            for box, room in _blanks(page._page_box, None, set()):
                annotation = _annotation(count)
                box.widget_annotation = annotation  # WeasyPrint puts it into the tag tree
                rectangle = _rectangle(room, page.height, zoom)
                self._of(box.element).widgets.append(_Widget(annotation, number, rectangle))
                count += 1

    def _of(self, element: Any) -> _Named:
        name = element.get("data-field")
        return self._named.setdefault(name, _Named(name, element.get("title"), element.get("data-q") is None))

    def finish(self, _: Any, pdf: Any) -> None:
        """WeasyPrint's finisher: everything is drawn and tagged, nothing is written yet."""
        import pydyf

        pages: dict[bytes, Any] = {
            entry.reference: entry for entry in pdf.objects if isinstance(entry, pydyf.Dictionary)
        }
        renumbered: dict[bytes, Any] = {}
        appearances: dict[tuple[int, int], Any] = {}
        tree = _Tree(pdf, self._zoom)
        for named in self._named.values():
            for widget in named.widgets:
                provisional = widget.annotation.reference
                pdf.add_object(widget.annotation)
                renumbered[provisional] = widget.annotation
                left, bottom, right, top = widget.rectangle
                size = round(right - left), round(top - bottom)
                if size not in appearances:
                    appearances[size] = _empty(pdf, *size)
                widget.annotation["Rect"] = pydyf.Array(widget.rectangle)
                widget.annotation["P"] = pdf.page_references[widget.page]
                widget.annotation["AP"] = pydyf.Dictionary({"N": appearances[size].reference})
                page = pages[pdf.page_references[widget.page]]
                page.setdefault("Annots", pydyf.Array()).append(widget.annotation.reference)
            tree.add(named)
        for entry in pages.values():
            if entry.get("Type") == "/OBJR" and entry["Obj"] in renumbered:
                entry["Obj"] = renumbered[entry["Obj"]].reference
        font = add_font(pdf)
        resources = pydyf.Dictionary({"Font": pydyf.Dictionary({FONT_NAME: font.reference})})
        pdf.catalog["AcroForm"] = pydyf.Dictionary(
            {"Fields": tree.roots, "DR": resources, "DA": _written_in(_NUMBER_SIZE * self._zoom)}
        )


def _blanks(source: Any, cell: Any, seen: set[Any]) -> Iterator[tuple[Any, Any]]:
    """Each blank's box with the box that is its room: the cell of a table, or itself."""
    box = getattr(source, "_box", source)  # absolutely placed boxes stand behind a placeholder
    kind, element = type(box).__name__, box.element
    if kind == "TableCellBox":
        cell = box
    if element is not None and element.get("data-field") and kind not in ("TextBox", "LineBox"):
        if element not in seen:
            seen.add(element)
            yield box, cell if kind == "InlineBox" and cell is not None else box
        return
    for child in getattr(box, "children", ()):
        yield from _blanks(child, cell, seen)


def _rectangle(room: Any, page_height: float, zoom: float) -> tuple[float, float, float, float]:
    left, top = room.padding_box_x() + _INSIDE, room.padding_box_y() + _INSIDE
    right = room.padding_box_x() + room.padding_width() - _INSIDE
    bottom = room.padding_box_y() + room.padding_height() - _INSIDE
    sides = left, page_height - bottom, right, page_height - top
    low, high, far, upper = (round(side * _POINTS_PER_PX * zoom, 2) for side in sides)
    return low, high, far, upper


def _annotation(count: int) -> Any:
    import pydyf

    annotation = pydyf.Dictionary({"Type": "/Annot", "Subtype": "/Widget", "F": _PRINTED})
    annotation.number = _UNNUMBERED + count  # until the file's own numbers are known
    return annotation


def _empty(pdf: Any, width: int, height: int) -> Any:
    import pydyf

    extra = {"Type": "/XObject", "Subtype": "/Form", "BBox": pydyf.Array([0, 0, width, height])}
    appearance = pydyf.Stream([b"/Tx BMC", b"EMC"], extra)
    pdf.add_object(appearance)
    return appearance


def _written_in(size: float) -> Any:
    import pydyf

    return pydyf.String(f"/{FONT_NAME} {size:.4g} Tf 0 g")


class _Tree:
    """The fields by the parts of their names: a part of a name holds no point (ISO 32000-1, 12.7.3.2)."""

    def __init__(self, pdf: Any, zoom: float) -> None:
        import pydyf

        self._pdf, self._array, self._zoom = pdf, pydyf.Array, zoom
        self._inner: dict[tuple[str, ...], Any] = {}
        self.roots = pydyf.Array()

    def add(self, named: _Named) -> None:
        import pydyf

        before, bracket, index = named.name.partition("[")
        *path, last = before.split(".")
        own = {"T": pydyf.String(last + bracket + index), "TU": pydyf.String(named.title), "FT": "/Tx"}
        own["DA"] = _written_in((_WORDS_SIZE if named.in_words else _NUMBER_SIZE) * self._zoom)
        own |= {"Ff": _SEVERAL_LINES} if named.in_words else {"Q": _CENTRED}
        if len(named.widgets) == 1:
            terminal = named.widgets[0].annotation
            terminal.update(own)
        else:
            terminal = pydyf.Dictionary(own)
            self._pdf.add_object(terminal)
            terminal["Kids"] = self._array(each.annotation.reference for each in named.widgets)
            for widget in named.widgets:
                widget.annotation["Parent"] = terminal.reference
                widget.annotation["DA"] = own["DA"]
        self._under(tuple(path), terminal)

    def _under(self, path: tuple[str, ...], child: Any) -> None:
        import pydyf

        if not path:
            self.roots.append(child.reference)
            return
        if path not in self._inner:
            self._inner[path] = pydyf.Dictionary({"T": pydyf.String(path[-1]), "Kids": self._array()})
            self._pdf.add_object(self._inner[path])
            self._under(path[:-1], self._inner[path])
        child["Parent"] = self._inner[path].reference
        self._inner[path]["Kids"].append(child.reference)
