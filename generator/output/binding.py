"""The PDFs of a class in one file for the copier, each sheet beginning on a front page.

The file is one document: the tags of every sheet in one tree, and for each sheet one bookmark with the
sheet's own under it. What the sheets have in common (fonts, colours) stands in it once. It is written sheet
by sheet, so that a thousand need no more memory than thirty.
"""

import hashlib
import re
import zlib
from collections.abc import Iterable, Mapping
from html import escape
from itertools import chain
from typing import BinaryIO, Final, NamedTuple

from generator.output.page_marks import POINTS_PER_MM, PageMark, operators
from generator.output.pdf_objects import (
    STRING,
    Cut,
    PdfFile,
    PdfObjects,
    joined,
    pdf_string,
    read_objects,
    stream,
)

_REFERENCE: Final = re.compile(rb"(?<![\d.])(\d+) 0 R")
_CONTENTS: Final = re.compile(rb"/Contents (\d+ 0 R)")
_SIZE: Final = re.compile(rb"/MediaBox \[\s*0 0 ([\d.]+) ([\d.]+)\s*\]")
_NAMED: Final = re.compile(rb"(%s) (\[[^\]]*\])" % STRING)
_TITLE: Final = re.compile(rb"/Title (?:%s|<[0-9a-fA-F]*>)" % STRING)
_TITLE_AGAIN: Final = re.compile(rb"(<(?:\w+:)?title>.*?<(\w+:li)\b[^>]*>).*?(</\2>)", re.DOTALL)
_ONE_OF_EACH: Final = ("Pages", "StructTreeRoot", "Outlines", "Metadata")


class Bound(NamedTuple):
    """A sheet, what its bookmark says, and what marks its pages."""

    name: str
    content: bytes
    mark: PageMark | None = None


def bind(sheets: Iterable[Bound], title: str, out: BinaryIO, front: bool = True) -> None:
    """Writes the sheets. front: each begins on a front page.

    ValueError for a PDF that is none of ours, or without any.
    """
    waiting = iter(sheets)
    first = next(waiting, None)
    if first is None:
        raise ValueError("no sheet")
    binder = _Binder(out, title, front)
    for sheet in chain([first], waiting):
        binder.add(sheet.name, read_objects(sheet.content), sheet.mark)
    binder.finish()


class _Sheet:
    """A sheet, and the numbers its objects have in the file. own: what it has one of -> its old number.

    keys: of its pages and links among the tags' parents. links: the names that links in it go to.
    """

    def __init__(self, objects: PdfObjects, first: int, first_key: int, mark: bytes) -> None:
        self.objects, self.first, self.mark = objects, first, mark
        self.catalogue = objects[objects.root]
        self.own = {entry: _number(self.catalogue, entry) for entry in _ONE_OF_EACH}
        self._parents = Cut.again((objects[_number(self["StructTreeRoot"], "ParentTree")],), of_tree=True)
        self.keys = [first_key + key for key in self._parents.keys]
        self.names = dict(_NAMED.findall(self.catalogue))
        self.links: set[bytes] = set()
        keys = range(max(self.keys), first_key - 1, -1)
        self._fills = [b"%d" % number for number in chain(range(first, first + objects.size), keys)] + [mark]

    def __getitem__(self, entry: str) -> bytes:
        return self.objects[self.own[entry]]

    def __setitem__(self, old: int, number: int) -> None:
        """Gives an object another number in the file."""
        self._fills[old] = b"%d" % number

    def number(self, old: int) -> int:
        """The number that an object has in the file."""
        return int(self._fills[old])

    @property
    def parents(self) -> bytes:
        """The tags' parents, with the file's numbers and keys."""
        return self._parents.filled(self._fills)[0]

    def moved(self, data: bytes) -> bytes:
        """A dictionary with the file's numbers, and with names that no other sheet has."""
        return Cut.of((data,)).filled(self._fills)[0]

    def pack(self, pack: Mapping[int, bytes]) -> dict[int, bytes]:
        """Many dictionaries, by their numbers in the file."""
        cut = Cut.again if pack is self.objects.packs[0] else Cut.of  # the first are those that sheets share
        found = cut(tuple(pack.values()))
        self.links |= found.links
        return dict(zip(map(self.first.__add__, pack), found.filled(self._fills), strict=True))


class _Binder:
    """Writes the PDFs of a class's sheets into one file, one after the other."""

    def __init__(self, out: BinaryIO, title: str, front: bool) -> None:
        self._file, self._title, self._front = PdfFile(out), title, front
        self.own = {name: self._file.new() for name in (*_ONE_OF_EACH, "Parents", "Catalog", "Info")}
        self._known: dict[bytes, int] = {}  # streams that name no other object
        self._kids: list[bytes] = []
        self._documents: list[bytes] = []
        self._parents: list[bytes] = []
        self._names: list[bytes] = []
        self._bookmarks: list[tuple[int, bytes]] = []
        self._sheets = self._pages = self._keys = 0
        self._common: tuple[bytes, bytes] = (b"", b"")

    def add(self, name: str, objects: PdfObjects, page_mark: PageMark | None) -> None:
        """The next sheet of a class."""
        self._sheets += 1
        sheet = _Sheet(objects, self._file.new(objects.size), self._keys, b"s%06d-" % self._sheets)
        self._keys = max(sheet.keys) + 1
        sheet[sheet.own["Pages"]] = self._file.new()
        sheet[sheet.own["StructTreeRoot"]] = self.own["StructTreeRoot"]
        sheet[sheet.own["Outlines"]] = self._file.new()
        marks = self._marks(sheet, page_mark) if page_mark else {}
        self._streams(sheet)
        for pack in sheet.objects.packs:
            moved = sheet.pack(pack)
            for number in moved.keys() & marks.keys():
                moved[number] = _CONTENTS.sub(rb"/Contents [\1 %d 0 R]" % marks[number], moved[number])
            self._file.together(moved)
        self._page_tree(sheet)
        self._tags(sheet)
        if not self._common[0]:
            self._keep(sheet)
        for label in sheet.links & sheet.names.keys():
            self._names.append(b"(%s%s %s" % (sheet.mark, label[1:], sheet.moved(sheet.names[label])))
        self._bookmark(name, sheet)

    def _streams(self, sheet: _Sheet) -> None:
        later = []
        for number, (head, content) in sheet.objects.streams.items():
            key = hashlib.md5(head + content, usedforsecurity=False).digest()
            if number == sheet.own["Metadata"]:
                continue
            if _REFERENCE.search(head):
                later.append((number, head, content))
            elif key in self._known:
                sheet[number] = self._known[key]
            else:
                self._known[key] = sheet.number(number)
                self._file.add(sheet.number(number), joined(head, content))
        for number, head, content in later:
            self._file.add(sheet.number(number), joined(sheet.moved(head), content))

    def _marks(self, sheet: _Sheet, mark: PageMark) -> dict[int, int]:
        """Page -> what is drawn on it beside its contents, which the sheets of a class may share."""
        found = {}
        for number, reference in enumerate(_references(sheet["Pages"]), 1):
            page = _first_of(reference)
            sides = _found(_SIZE, sheet.objects[page], "size").groups()
            width, height = (float(side) / POINTS_PER_MM for side in sides)
            drawn = operators(mark._replace(page=number), width, height)
            found[sheet.number(page)] = self._file.new()
            self._file.add(found[sheet.number(page)], stream(drawn))
        return found

    def _bookmark(self, name: str, sheet: _Sheet) -> None:
        """The sheet's table of contents becomes a closed entry."""
        inner = re.sub(rb"/Count (\d+)", rb"/Count -\1", sheet.moved(sheet["Outlines"]))
        first = _references(sheet.moved(sheet["Pages"]))[0]
        said = b"/Title %s/Dest [%s /Fit]/Parent %d 0 R" % (pdf_string(name), first, self.own["Outlines"])
        self._bookmarks.append((sheet.number(sheet.own["Outlines"]), _with(inner, said)))

    def _page_tree(self, sheet: _Sheet) -> None:
        parent = b"/Parent %d 0 R" % self.own["Pages"]
        number, pages = sheet.number(sheet.own["Pages"]), sheet.moved(sheet["Pages"])
        self._file.add(number, _with(pages, parent))
        count = len(_references(pages))
        self._kids.append(b"%d 0 R" % number)
        self._pages += count
        if self._front and count % 2:
            page = sheet.objects[_first_of(_references(sheet["Pages"])[0])]
            empty = self._file.new()
            self._file.add(
                empty, b"<</Type /Page%s%s/Resources <<>>>>" % (parent, _found(_SIZE, page, "size")[0])
            )
            self._kids.append(b"%d 0 R" % empty)
            self._pages += 1

    def _tags(self, sheet: _Sheet) -> None:
        root, keys = sheet["StructTreeRoot"], sheet.keys
        number = self._file.new()
        self._file.add(number, _with(sheet.parents, b"/Limits [%d %d]" % (min(keys), max(keys))))
        self._parents.append(b"%d 0 R" % number)
        kids = root[root.index(b"/K") :]
        self._documents += _references(sheet.moved(kids[: kids.index(b"]")]))

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
        self._file.add(self.own["Metadata"], joined(head, packed))

    def _write_bookmarks(self) -> None:
        numbers = [number for number, _ in self._bookmarks]
        for place, (number, text) in enumerate(self._bookmarks):
            before = b"/Prev %d 0 R" % numbers[place - 1] if place else b""
            after = b"/Next %d 0 R" % numbers[place + 1] if number != numbers[-1] else b""
            self._file.add(number, _with(text, before + after))
        outlines = b"<</Type /Outlines/Count %d/First %d 0 R/Last %d 0 R>>"
        self._file.add(self.own["Outlines"], outlines % (len(numbers), numbers[0], numbers[-1]))

    def finish(self) -> None:
        """Writes what all sheets share and only the end knows: bookmarks, page tree, tags."""
        own = self.own
        self._write_bookmarks()
        kids = b" ".join(self._kids)
        self._file.add(own["Pages"], b"<</Type /Pages/Kids [%s]/Count %d>>" % (kids, self._pages))
        tags = b"<</Type /StructTreeRoot/K [%s]/ParentTree %d 0 R/ParentTreeNextKey %d>>"
        documents = b" ".join(self._documents)
        self._file.add(own["StructTreeRoot"], tags % (documents, own["Parents"], self._keys))
        self._file.add(own["Parents"], b"<</Kids [%s]>>" % b" ".join(self._parents))
        catalogue, info = self._common
        for entry in _ONE_OF_EACH:
            old = b"/%s \\d+ 0 R" % entry.encode()
            catalogue = re.sub(old, b"/%s %d 0 R" % (entry.encode(), own[entry]), catalogue)
        names = b"/Names <</Dests <</Names [%s]>>>>" % b" ".join(sorted(self._names)) if self._names else b""
        self._file.add(own["Catalog"], _with(catalogue, names))
        self._file.add(own["Info"], info)
        self._file.finish(own["Catalog"], own["Info"])


def _first_of(reference: bytes) -> int:
    """The object that a reference names."""
    return int(reference.split()[0])


def _number(dictionary: bytes, entry: str) -> int:
    """The object that an entry of a dictionary names."""
    return int(_found(b"/%s (\\d+) 0 R" % entry.encode(), dictionary, entry)[1])


def _found(pattern: bytes | re.Pattern[bytes], text: bytes, what: str) -> re.Match[bytes]:
    """ValueError where there is none."""
    if found := re.search(pattern, text):
        return found
    raise ValueError(f"no {what}")


def _references(dictionary: bytes) -> list[bytes]:
    return [found[0] for found in _REFERENCE.finditer(dictionary)]


def _with(dictionary: bytes, entries: bytes) -> bytes:
    """A dictionary that says more."""
    return dictionary.rstrip()[:-2] + entries + b">>"
