"""Puts a field into each named blank (`data-field`) of a laid out worksheet.

The layout is the worksheet's. A field is as large as its blank, comes in the order of the page, has a name
and what a screen reader says, and stands in the tag tree where its blank stands (PDF/UA-1, 7.18). Blanks of
one cell are one field. Its appearance is empty until a viewer writes into it, in a font that the file holds.
WeasyPrint's own forms leave the appearance to viewers (`NeedAppearances`), which PDF/A forbids.
"""

import io
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import pydyf

from generator.basics import fonts
from generator.output.page_marks import boxes_with

FONT_NAME: Final = "Blatt"
_FILE: Final = "papierformer-sans-regular.ttf"
_FIRST, _LAST = 32, 255
_MINUS_AT: Final = 129  # a code that Windows' Latin alphabet leaves free
_NONSYMBOLIC: Final = 32
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


class FormFields:
    """Puts the fields into a laid out document: `FormFields(layout)` before it is written, then `finish`."""

    def __init__(self, document: Any, zoom: float) -> None:
        self._zoom = zoom
        self._widgets: dict[str, list[_Widget]] = {}  # by the field's name
        self._elements: dict[str, Any] = {}
        blanks = [
            (number, *blank)
            for number, page in enumerate(document.pages)
            for blank in boxes_with(page._page_box, lambda element: element.get("data-field"))
        ]
        for count, (number, box, room) in enumerate(blanks):
            annotation = pydyf.Dictionary({"Type": "/Annot", "Subtype": "/Widget", "F": _PRINTED})
            annotation.number = _UNNUMBERED + count  # until the file's own numbers are known
            box.widget_annotation = annotation  # WeasyPrint puts it into the tag tree
            rectangle = _rectangle(room, document.pages[number].height, zoom)
            name = box.element.get("data-field")
            self._elements.setdefault(name, box.element)
            self._widgets.setdefault(name, []).append(_Widget(annotation, number, rectangle))

    def finish(self, _: Any, pdf: Any) -> None:
        """WeasyPrint's finisher: everything is drawn and tagged, nothing is written yet."""
        pages = {entry.reference: entry for entry in pdf.objects if isinstance(entry, pydyf.Dictionary)}
        renumbered: dict[bytes, Any] = {}
        appearances: dict[tuple[int, int], Any] = {}
        tree = _Tree(pdf)
        for name, widgets in self._widgets.items():
            for widget in widgets:
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
            tree.add(name, self._entries(name), [widget.annotation for widget in widgets])
        for entry in pages.values():
            if entry.get("Type") == "/OBJR" and entry["Obj"] in renumbered:
                entry["Obj"] = renumbered[entry["Obj"]].reference
        font = _add_font(pdf)
        resources = pydyf.Dictionary({"Font": pydyf.Dictionary({FONT_NAME: font.reference})})
        pdf.catalog["AcroForm"] = pydyf.Dictionary(
            {"Fields": tree.roots, "DR": resources, "DA": self._written_in(_NUMBER_SIZE)}
        )

    def _entries(self, name: str) -> dict[str, Any]:
        """The entries of a field's dictionary, without its name."""
        element = self._elements[name]
        in_words = element.get("data-q") is None
        size = _WORDS_SIZE if in_words else _NUMBER_SIZE
        said = {"TU": pydyf.String(element.get("title")), "FT": "/Tx", "DA": self._written_in(size)}
        return said | ({"Ff": _SEVERAL_LINES} if in_words else {"Q": _CENTRED})

    def _written_in(self, size: float) -> Any:
        return pydyf.String(f"/{FONT_NAME} {size * self._zoom:.4g} Tf 0 g")


def _rectangle(room: Any, page_height: float, zoom: float) -> tuple[float, float, float, float]:
    left, top = room.padding_box_x() + _INSIDE, room.padding_box_y() + _INSIDE
    right = room.padding_box_x() + room.padding_width() - _INSIDE
    bottom = room.padding_box_y() + room.padding_height() - _INSIDE
    sides = left, page_height - bottom, right, page_height - top
    low, high, far, upper = (round(side * _POINTS_PER_PX * zoom, 2) for side in sides)
    return low, high, far, upper


def _empty(pdf: Any, width: int, height: int) -> Any:
    extra = {"Type": "/XObject", "Subtype": "/Form", "BBox": pydyf.Array([0, 0, width, height])}
    appearance = pydyf.Stream([b"/Tx BMC", b"EMC"], extra)
    pdf.add_object(appearance)
    return appearance


class _Tree:
    """The fields by the parts of their names: a part of a name holds no point (ISO 32000-1, 12.7.3.2)."""

    def __init__(self, pdf: Any) -> None:
        self._pdf = pdf
        self._inner: dict[tuple[str, ...], Any] = {}
        self.roots = pydyf.Array()

    def add(self, name: str, said: dict[str, Any], annotations: list[Any]) -> None:
        before, bracket, index = name.partition("[")
        *path, last = before.split(".")
        own = {"T": pydyf.String(last + bracket + index)} | said
        if len(annotations) == 1:
            annotations[0].update(own)
            self._under(tuple(path), annotations[0])
            return
        field = pydyf.Dictionary(own)
        self._pdf.add_object(field)
        field["Kids"] = pydyf.Array(annotation.reference for annotation in annotations)
        for annotation in annotations:
            annotation["Parent"] = field.reference
            annotation["DA"] = own["DA"]
        self._under(tuple(path), field)

    def _under(self, path: tuple[str, ...], child: Any) -> None:
        if not path:
            self.roots.append(child.reference)
            return
        if path not in self._inner:
            self._inner[path] = pydyf.Dictionary({"T": pydyf.String(path[-1]), "Kids": pydyf.Array()})
            self._pdf.add_object(self._inner[path])
            self._under(path[:-1], self._inner[path])
        child["Parent"] = self._inner[path].reference
        self._inner[path]["Kids"].append(child.reference)


@cache
def _signs() -> dict[int, str]:
    """Code -> sign."""
    signs = {}
    for code in range(_FIRST, _LAST + 1):
        sign = bytes([code]).decode("cp1252", errors="ignore")
        if sign and sign.isprintable():
            signs[code] = sign
    return signs | {_MINUS_AT: "\N{MINUS SIGN}", 160: "\N{NO-BREAK SPACE}"}


@cache
def _font() -> tuple[bytes, tuple[int, ...], dict[str, Any]]:
    """The font's file, its widths by code, and what its descriptor says."""
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont

    font = TTFont(fonts.folder() / "pdf" / _FILE, recalcTimestamp=False)
    options = Options(layout_features=[], hinting=False, notdef_outline=True, glyph_names=False)
    options.recalc_timestamp = False
    subsetter = Subsetter(options)
    subsetter.populate(text="".join(_signs().values()))
    subsetter.subset(font)
    units = 1000 / font["head"].unitsPerEm
    names, advances = font.getBestCmap(), font["hmtx"].metrics
    glyphs = {code: names.get(ord(sign), ".notdef") for code, sign in _signs().items()}
    widths = tuple(
        round(advances[glyphs.get(code, ".notdef")][0] * units) for code in range(_FIRST, _LAST + 1)
    )
    head, line = font["head"], font["hhea"]
    box = [round(side * units) for side in (head.xMin, head.yMin, head.xMax, head.yMax)]
    capital = round(getattr(font["OS/2"], "sCapHeight", line.ascent) * units)
    said = {"FontBBox": box, "Ascent": round(line.ascent * units), "Descent": round(line.descent * units)}
    file = io.BytesIO()
    font.save(file)
    return file.getvalue(), widths, said | {"CapHeight": capital, "ItalicAngle": 0, "StemV": 80}


def _add_font(pdf: Any) -> Any:
    """Puts the font into the file; its dictionary.

    A simple font with every sign of Windows' Latin alphabet and a true minus: viewers and libraries can write
    in it, which few can in the composite fonts that WeasyPrint's own forms use.
    """
    content, widths, said = _font()
    name = "/AAAAAA+Papierformer-Sans-Regular"
    file = pydyf.Stream([content], pydyf.Dictionary({"Length1": len(content)}), compress=True)
    pdf.add_object(file)
    descriptor = pydyf.Dictionary({"Type": "/FontDescriptor", "FontName": name, "Flags": _NONSYMBOLIC})
    descriptor |= {**said, "FontBBox": pydyf.Array(said["FontBBox"]), "FontFile2": file.reference}
    pdf.add_object(descriptor)
    encoding = {"Type": "/Encoding", "BaseEncoding": "/WinAnsiEncoding"}
    encoding["Differences"] = pydyf.Array([_MINUS_AT, "/minus"])
    font = pydyf.Dictionary({"Type": "/Font", "Subtype": "/TrueType", "BaseFont": name})
    font |= {"FirstChar": _FIRST, "LastChar": _LAST, "Widths": pydyf.Array(widths)}
    font |= {"FontDescriptor": descriptor.reference, "Encoding": pydyf.Dictionary(encoding)}
    pdf.add_object(font)
    return font
