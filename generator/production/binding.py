"""The PDFs of a class in one file for the copier, each sheet beginning on a front page.

The file is one document: the tags of every sheet in one tree, and for each sheet one bookmark with the
sheet's own under it. What the sheets have in common (fonts, colours) stands in it once. It is written sheet
by sheet, so that a thousand need no more memory than thirty.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from html import escape
from itertools import chain
from typing import BinaryIO, Final, NamedTuple

from generator.output.page_marks import POINTS_PER_MM, PageMark, operators
from generator.output.pdf_objects import PdfFile, PdfObjects, pdf_string, read_objects, stream

_STRING: Final = rb"\((?:\\.|[^\\()])*\)"
_RENUMBERED: Final = re.compile(
    rb"(?<![\d.])(?P<reference>\d+) 0 R|(?P<names>/(?:ID|Dest|D) %s|/Headers \[(?: |%s)*\])|%s"
    rb"|(?:(?<=/StructParents )|(?<=/StructParent ))(?P<key>\d+)" % ((_STRING,) * 3),
    re.DOTALL,
)
_REFERENCE: Final = re.compile(rb"(?<![\d.])(\d+) 0 R")
_KEY: Final = re.compile(rb"(?<![\d.])(\d+) (?=\[|\d+ 0 R)")
_CONTENTS: Final = re.compile(rb"/Contents (\d+ 0 R)")
_SIZE: Final = re.compile(rb"/MediaBox \[\s*0 0 ([\d.]+) ([\d.]+)\s*\]")
_LINK: Final = re.compile(rb"/(?:Dest|D) (%s)" % _STRING)
_NAMED: Final = re.compile(rb"(%s) (\[[^\]]*\])" % _STRING)
_TITLE: Final = re.compile(rb"/Title (?:%s|<[0-9a-fA-F]*>)" % _STRING)
_TITLE_AGAIN: Final = re.compile(rb"(<(?:\w+:)?title>.*?<(\w+:li)\b[^>]*>).*?(</\2>)", re.DOTALL)
_BETWEEN: Final = b"\0\0"
_ONE_OF_EACH: Final = ("Pages", "StructTreeRoot", "Outlines", "Metadata")


class Bound(NamedTuple):
    """A sheet, what its bookmark says, and what marks its pages."""

    name: str
    content: bytes
    mark: PageMark | None = None


def bind(sheets: Iterable[Bound], title: str, out: BinaryIO, front: bool = True) -> None:
    """Writes the sheets. front: each begins on a front page.

    ValueError for a PDF that is none of ours, or without any. What a browser has printed loses its tags.
    """
    waiting = iter(sheets)
    first = next(waiting, None)
    if first is None:
        raise ValueError("no sheet")
    sheets = chain([first], waiting)
    if b"(Skia/PDF " in first.content:  # as every browser of the Chromium family signs
        _bind_pages((sheet.content for sheet in sheets), out, front)
        return
    binder = _Binder(out, title, front)
    for sheet in sheets:
        binder.add(sheet.name, read_objects(sheet.content), sheet.mark)
    binder.finish()


def _bind_pages(sheets: Iterable[bytes], out: BinaryIO, front: bool) -> None:
    """The pages alone: what a browser writes has not the shape that tags and bookmarks are kept of here."""
    import pypdfium2

    with pypdfium2.PdfDocument.new() as whole:
        for content in sheets:
            if front and len(whole) % 2:
                whole.new_page(*whole[len(whole) - 1].get_size()).close()
            with pypdfium2.PdfDocument(content) as sheet:
                whole.import_pages(sheet)
        whole.save(out)


class _Sheet:
    """A sheet, and the numbers its objects have in the file. own: what it has one of -> its old number."""

    def __init__(self, objects: PdfObjects, first: int, first_key: int, mark: bytes) -> None:
        self.objects, self.first, self.mark = objects, first, mark
        self.catalogue = objects[objects.root]
        self.own = {entry: _number(self.catalogue, entry) for entry in _ONE_OF_EACH}
        self.numbers = list(range(first, first + objects.size))
        self._first_key = first_key

    def __getitem__(self, entry: str) -> bytes:
        return self.objects[self.own[entry]]

    def moved(self, data: bytes) -> bytes:
        """A dictionary with the file's numbers, and with names that no other sheet has."""
        return self._filled(*_cut((data,)))

    def pack(self, pack: Mapping[int, bytes]) -> dict[int, bytes]:
        """Many dictionaries, by their numbers in the file."""
        cut = _cut_again if pack is self.objects.packs[0] else _cut  # the first are those that sheets share
        texts = self._filled(*cut(tuple(pack.values()))).split(_BETWEEN)
        return {self.first + number: text for number, text in zip(pack, texts, strict=True)}

    def _filled(self, parts: Sequence[bytes], fills: Sequence[int | None]) -> bytes:
        out = [b""] * (2 * len(fills) + 1)
        out[::2] = parts
        new, key = self.numbers, self._first_key
        out[1::2] = [
            self.mark if fill is None else b"%d" % (new[fill] if fill >= 0 else key + ~fill) for fill in fills
        ]
        return b"".join(out)


def _cut(texts: tuple[bytes, ...]) -> tuple[Sequence[bytes], Sequence[int | None]]:
    """Dictionaries, cut where something is filled in: for an object's number n stands n, for the key k of a
    page or link among the tags' parents ~k, for what names begin with None."""
    whole, last = _BETWEEN.join(texts), 0
    parts: list[bytes] = []
    fills: list[int | None] = []

    def fill(start: int, end: int, with_: int | None) -> None:
        nonlocal last
        parts.append(whole[last:start])
        fills.append(with_)
        last = end

    for found in _RENUMBERED.finditer(whole):
        match found.lastgroup:
            case "reference":
                fill(*found.span("reference"), int(found["reference"]))
            case "key":
                fill(*found.span(), ~int(found["key"]))
            case "names":
                for name in re.finditer(_STRING, found["names"]):
                    place = found.start() + name.start() + 1
                    fill(place, place, None)
    return [*parts, whole[last:]], fills


_cut_again: Final = lru_cache(maxsize=16)(_cut)


class _Binder:
    """One file, sheet after sheet."""

    def __init__(self, out: BinaryIO, title: str, front: bool) -> None:
        self._file, self._title, self._front = PdfFile(out), title, front
        self._own = {name: self._file.new() for name in (*_ONE_OF_EACH, "Parents", "Catalog", "Info")}
        self._known: dict[bytes, int] = {}  # streams that name no other object
        self._kids: list[bytes] = []
        self._documents: list[bytes] = []
        self._parents: list[bytes] = []
        self._names: list[bytes] = []
        self._bookmarks: list[tuple[int, bytes]] = []
        self._pages = self._keys = 0
        self._common: tuple[bytes, bytes] = (b"", b"")

    def add(self, name: str, objects: PdfObjects, page_mark: PageMark | None) -> None:
        """The next sheet."""
        mark = b"s%06d-" % (len(self._bookmarks) + 1)
        sheet = _Sheet(objects, self._file.new(objects.size), self._keys, mark)
        for entry in ("Pages", "Outlines"):
            sheet.numbers[sheet.own[entry]] = self._file.new()
        sheet.numbers[sheet.own["StructTreeRoot"]] = self._own["StructTreeRoot"]
        self._streams(sheet)
        marks = self._marks(sheet, page_mark) if page_mark else {}
        for pack in objects.packs:
            moved = sheet.pack(pack)
            for number in moved.keys() & marks.keys():
                moved[number] = _CONTENTS.sub(rb"/Contents [\1 %d 0 R]" % marks[number], moved[number])
            self._file.together(moved)
        self._links(sheet)
        self._bookmark(name, sheet)
        self._page_tree(sheet)
        self._tags(sheet)
        if len(self._bookmarks) == 1:
            self._keep(sheet)

    def _streams(self, sheet: _Sheet) -> None:
        later = []
        for number, (head, content) in sheet.objects.streams.items():
            key = hashlib.md5(head + content, usedforsecurity=False).digest()
            if number == sheet.own["Metadata"]:
                continue
            if _REFERENCE.search(head):
                later.append((number, head, content))
            elif key in self._known:
                sheet.numbers[number] = self._known[key]
            else:
                self._known[key] = sheet.numbers[number]
                self._file.add(sheet.numbers[number], _joined(head, content))
        for number, head, content in later:
            self._file.add(sheet.numbers[number], _joined(sheet.moved(head), content))

    def _marks(self, sheet: _Sheet, mark: PageMark) -> dict[int, int]:
        """Page -> what is drawn on it beside its contents, which the sheets of a class may share."""
        found = {}
        for number, reference in enumerate(_references(sheet["Pages"]), 1):
            page = int(reference.split()[0])
            size = _SIZE.search(sheet.objects[page])
            if size is None:
                raise ValueError("a page without a size")
            width, height = (float(side) / POINTS_PER_MM for side in size.groups())
            drawn = operators(mark._replace(page=number), width, height)
            found[sheet.numbers[page]] = self._file.new()
            self._file.add(found[sheet.numbers[page]], stream(drawn))
        return found

    def _links(self, sheet: _Sheet) -> None:
        """The names that links within the sheet go to."""
        linked = {
            label for pack in sheet.objects.packs for text in pack.values() for label in _LINK.findall(text)
        }
        for label, place in _NAMED.findall(sheet.catalogue):
            if label in linked:
                self._names.append(b"(%s%s %s" % (sheet.mark, label[1:], sheet.moved(place)))

    def _bookmark(self, name: str, sheet: _Sheet) -> None:
        """The sheet's table of contents becomes a closed entry."""
        inner = re.sub(rb"/Count (\d+)", rb"/Count -\1", sheet.moved(sheet["Outlines"]))
        first = _references(sheet.moved(sheet["Pages"]))[0]
        said = b"/Title %s/Dest [%s /Fit]/Parent %d 0 R" % (pdf_string(name), first, self._own["Outlines"])
        self._bookmarks.append((sheet.numbers[sheet.own["Outlines"]], _with(inner, said)))

    def _page_tree(self, sheet: _Sheet) -> None:
        parent = b"/Parent %d 0 R" % self._own["Pages"]
        number, pages = sheet.numbers[sheet.own["Pages"]], sheet.moved(sheet["Pages"])
        self._file.add(number, _with(pages, parent))
        count = len(_references(pages))
        self._kids.append(b"%d 0 R" % number)
        self._pages += count
        if self._front and count % 2:
            page = sheet.objects[int(_references(sheet["Pages"])[0].split()[0])]
            box = re.search(rb"/MediaBox \[[^\]]*\]", page)
            size = box[0] if box else b"/MediaBox [0 0 595.275591 841.889764]"
            empty = self._file.new()
            self._file.add(empty, b"<</Type /Page%s%s/Resources <<>>>>" % (parent, size))
            self._kids.append(b"%d 0 R" % empty)
            self._pages += 1

    def _tags(self, sheet: _Sheet) -> None:
        root = sheet["StructTreeRoot"]
        old = sheet.objects[_number(root, "ParentTree")]
        keys = [self._keys + int(key) for key in _KEY.findall(old)]
        moved = sheet.moved(_KEY.sub(lambda found: b"%d " % (self._keys + int(found[1])), old))
        number = self._file.new()
        self._file.add(number, _with(moved, b"/Limits [%d %d]" % (min(keys), max(keys))))
        self._parents.append(b"%d 0 R" % number)
        kids = root[root.index(b"/K") :]
        self._documents += _references(sheet.moved(kids[: kids.index(b"]")]))
        self._keys = max(keys) + 1

    def _keep(self, sheet: _Sheet) -> None:
        """What the file says of itself as its first sheet does."""
        catalogue = re.sub(rb"/Names <<.*?>>>>", b"", sheet.catalogue, flags=re.DOTALL)
        info = sheet.objects[sheet.objects.info]
        self._common = (
            sheet.moved(catalogue),
            _TITLE.sub(lambda _: b"/Title " + pdf_string(self._title), info),
        )
        _, content = sheet.objects.streams[sheet.own["Metadata"]]
        again = escape(self._title, quote=False).encode()
        text = _TITLE_AGAIN.sub(lambda found: found[1] + again + found[3], zlib.decompress(content))
        packed = zlib.compress(text)
        head = b"<</Type /Metadata/Subtype /XML/Filter /FlateDecode/Length %d>>" % len(packed)
        self._file.add(self._own["Metadata"], _joined(head, packed))

    def finish(self) -> None:
        """What the sheets have in common, at the end."""
        own, numbers = self._own, [number for number, _ in self._bookmarks]
        for place, (number, text) in enumerate(self._bookmarks):
            before = b"/Prev %d 0 R" % numbers[place - 1] if place else b""
            after = b"/Next %d 0 R" % numbers[place + 1] if number != numbers[-1] else b""
            self._file.add(number, _with(text, before + after))
        kids = b" ".join(self._kids)
        self._file.add(own["Pages"], b"<</Type /Pages/Kids [%s]/Count %d>>" % (kids, self._pages))
        tags = b"<</Type /StructTreeRoot/K [%s]/ParentTree %d 0 R/ParentTreeNextKey %d>>"
        documents = b" ".join(self._documents)
        self._file.add(own["StructTreeRoot"], tags % (documents, own["Parents"], self._keys))
        self._file.add(own["Parents"], b"<</Kids [%s]>>" % b" ".join(self._parents))
        outlines = b"<</Type /Outlines/Count %d/First %d 0 R/Last %d 0 R>>"
        self._file.add(own["Outlines"], outlines % (len(numbers), numbers[0], numbers[-1]))
        catalogue, info = self._common
        for entry in _ONE_OF_EACH:
            old = b"/%s \\d+ 0 R" % entry.encode()
            catalogue = re.sub(old, b"/%s %d 0 R" % (entry.encode(), own[entry]), catalogue)
        names = b"/Names <</Dests <</Names [%s]>>>>" % b" ".join(sorted(self._names)) if self._names else b""
        self._file.add(own["Catalog"], _with(catalogue, names))
        self._file.add(own["Info"], info)
        self._file.finish(own["Catalog"], own["Info"])


def _number(dictionary: bytes, entry: str) -> int:
    """The object that an entry of a dictionary names. ValueError if it names none."""
    found = re.search(b"/%s (\\d+) 0 R" % entry.encode(), dictionary)
    if found is None:
        raise ValueError(f"no {entry}")
    return int(found[1])


def _references(dictionary: bytes) -> list[bytes]:
    return [found[0] for found in _REFERENCE.finditer(dictionary)]


def _with(dictionary: bytes, entries: bytes) -> bytes:
    """A dictionary that says more."""
    return dictionary.rstrip()[:-2] + entries + b">>"


def _joined(head: bytes, content: bytes) -> bytes:
    return b"%s\nstream\n%s\nendstream" % (head, content)
