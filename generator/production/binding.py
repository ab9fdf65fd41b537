"""The PDFs of a class go in; one file for the copier comes out, each sheet beginning on a front page.

The file is one document: the tags of every sheet in one tree, and for each sheet one bookmark with the
sheet's own under it. What the sheets have in common (fonts, colours) stands in it once. It is written sheet
by sheet, so that a thousand need no more memory than thirty.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Iterable
from html import escape
from itertools import chain
from typing import BinaryIO, Final

from generator.output.assembly import pdf_string
from generator.output.pdf_file import PdfFile
from generator.output.pdf_objects import PdfObjects, padded, read_objects

# --- The PDFs of a class as a browser printed them go in; one file for the copier comes out, without tags.
#
# What a browser writes has not the shape that `binding` keeps tags and bookmarks of: the pages alone are
# taken.


def printed_by_browser(content: bytes) -> bool:
    """Whether a browser of the Chromium family has printed this PDF."""
    return b"(Skia/PDF " in content


def bind_plainly(sheets: Iterable[bytes], out: BinaryIO, front: bool) -> None:
    """Writes the sheets' pages. front: each sheet begins on a front page."""
    import pypdfium2

    with pypdfium2.PdfDocument.new() as whole:
        for content in sheets:
            if front and len(whole) % 2:
                whole.new_page(*whole[len(whole) - 1].get_size()).close()
            with pypdfium2.PdfDocument(content) as sheet:
                whole.import_pages(sheet)
        whole.save(out)


_REFERENCE: Final = re.compile(rb"(?<![\d.])(\d+) 0 R")
_KEY: Final = re.compile(rb"(?<![\d.])(\d+) (?=\[|\d+ 0 R)")
_LINK: Final = re.compile(rb"/(?:Dest|D) \(((?:\\.|[^\\()])*)\)")
_NAMED: Final = re.compile(rb"\(((?:\\.|[^\\()])*)\) (\[[^\]]*\])")
_TITLE: Final = re.compile(rb"/Title (?:\((?:\\.|[^\\()])*\)|<[0-9a-fA-F]*>)")
_TITLE_AGAIN: Final = re.compile(rb"(<(?:\w+:)?title>.*?<(\w+:li)\b[^>]*>).*?(</\2>)", re.DOTALL)
_WHOLE: Final = ("Pages", "StructTreeRoot", "Outlines", "Metadata")


def bind(sheets: Iterable[tuple[str, bytes]], title: str, out: BinaryIO, front: bool = True) -> None:
    """Writes the sheets, each with what its bookmark says. front: each begins on a front page.

    ValueError for a PDF that is none of ours, or without any. What a browser has printed loses its tags.
    """
    waiting = iter(sheets)
    first = next(waiting, None)
    if first is not None:
        sheets = chain([first], waiting)
        if printed_by_browser(first[1]):
            bind_plainly((content for _, content in sheets), out, front)
            return
    binder = _Binder(out, title, front)
    for name, content in sheets:
        binder.add(name, read_objects(content))
    binder.finish()


class _Sheet:
    """A sheet, and the numbers its objects have in the file. whole: what it has one of -> its old number."""

    def __init__(self, objects: PdfObjects, base: int) -> None:
        self.objects, self.base = objects, base
        self.catalogue = objects.dictionary(objects.root)
        self.whole = {entry: _number(self.catalogue, entry) for entry in _WHOLE}
        self.numbers = list(range(base, base + objects.size))

    def __getitem__(self, entry: str) -> bytes:
        return self.objects.dictionary(self.whole[entry])

    def renumbered(self, data: bytes) -> bytes:
        """A dictionary with the numbers of the file."""
        return _REFERENCE.sub(lambda found: b"%d 0 R" % self.numbers[int(found[1])], data)


class _Binder:
    """One file, sheet after sheet."""

    def __init__(self, out: BinaryIO, title: str, front: bool) -> None:
        self._file, self._title, self._front = PdfFile(out), title, front
        self._own = {name: self._file.new() for name in (*_WHOLE, "Parents", "Catalog", "Info")}
        self._known: dict[bytes, int] = {}  # streams that name no other object
        self._kids: list[bytes] = []
        self._documents: list[bytes] = []
        self._parents: list[bytes] = []
        self._names: list[bytes] = []
        self._pages = self._keys = self._sheets = self._first = 0
        self._before: tuple[int, bytes] | None = None  # the bookmark of the sheet before, without its end
        self._common: tuple[bytes, bytes] = (b"", b"")

    def add(self, name: str, objects: PdfObjects) -> None:
        """The next sheet."""
        self._sheets += 1
        mark = b"s%06d-" % self._sheets
        sheet = _Sheet(objects, self._file.new(objects.size))
        for entry in ("Pages", "Outlines"):
            sheet.numbers[sheet.whole[entry]] = self._file.new()
        sheet.numbers[sheet.whole["StructTreeRoot"]] = self._own["StructTreeRoot"]
        self._streams(sheet)
        numbers = [padded(number) for number in sheet.numbers]
        for pack in objects.packs:
            text = pack.text(numbers, self._keys, mark)
            self._file.together([sheet.base + number for number in pack.spans], pack.starts, text)
        self._links(sheet, mark)
        self._bookmark(name, sheet)
        self._page_tree(sheet)
        self._tags(sheet)
        if self._sheets == 1:
            self._keep(sheet)

    def _streams(self, sheet: _Sheet) -> None:
        later = []
        for number, (head, content) in sheet.objects.streams.items():
            key = hashlib.md5(head + content, usedforsecurity=False).digest()
            if number == sheet.whole["Metadata"]:
                continue
            if _REFERENCE.search(head):
                later.append((number, head, content))
            elif key in self._known:
                sheet.numbers[number] = self._known[key]
            else:
                self._known[key] = sheet.numbers[number]
                self._file.stream(sheet.numbers[number], head, content)
        for number, head, content in later:
            self._file.stream(sheet.numbers[number], sheet.renumbered(head), content)

    def _links(self, sheet: _Sheet, mark: bytes) -> None:
        """The names that links within the sheet go to."""
        linked = {label for pack in sheet.objects.packs for label in _LINK.findall(pack.source)}
        for label, place in _NAMED.findall(sheet.catalogue):
            if label in linked:
                self._names.append(b"(%s%s) %s" % (mark, label, sheet.renumbered(place)))

    def _bookmark(self, name: str, sheet: _Sheet) -> None:
        """The sheet's table of contents becomes a closed entry; written when the next one is known."""
        number = sheet.numbers[sheet.whole["Outlines"]]
        inner = re.sub(rb"/Count (\d+)", rb"/Count -\1", sheet.renumbered(sheet["Outlines"]))
        first = _references(sheet.renumbered(sheet["Pages"]))[0]
        entry = inner.rstrip()[:-2] + b"/Title %s/Dest [%s /Fit]" % (pdf_string(name), first)
        entry += b"/Parent %d 0 R" % self._own["Outlines"]
        if self._before is None:
            self._first = number
        else:
            before, text = self._before
            self._file.dictionary(before, text + b"/Next %d 0 R>>" % number)
            entry += b"/Prev %d 0 R" % before
        self._before = number, entry

    def _page_tree(self, sheet: _Sheet) -> None:
        parent = b"/Parent %d 0 R" % self._own["Pages"]
        number, own = sheet.numbers[sheet.whole["Pages"]], sheet.renumbered(sheet["Pages"])
        self._file.dictionary(number, own.rstrip()[:-2] + parent + b">>")
        pages = len(_references(own))
        self._kids.append(b"%d 0 R" % number)
        self._pages += pages
        if self._front and pages % 2:
            page = sheet.objects.dictionary(int(_references(sheet["Pages"])[0].split()[0]))
            box = re.search(rb"/MediaBox \[[^\]]*\]", page)
            empty = self._file.new()
            size = box[0] if box else b"/MediaBox [0 0 595.275591 841.889764]"
            self._file.dictionary(empty, b"<</Type /Page%s%s/Resources <<>>>>" % (parent, size))
            self._kids.append(b"%d 0 R" % empty)
            self._pages += 1

    def _tags(self, sheet: _Sheet) -> None:
        root = sheet["StructTreeRoot"]
        old = sheet.objects.dictionary(_number(root, "ParentTree"))
        keys = [int(key) for key in _KEY.findall(old)]
        moved = sheet.renumbered(_KEY.sub(lambda found: b"%d " % (self._keys + int(found[1])), old))
        limits = b"/Limits [%d %d]" % (self._keys + min(keys), self._keys + max(keys))
        number = self._file.new()
        self._file.dictionary(number, moved.rstrip()[:-2] + limits + b">>")
        self._parents.append(b"%d 0 R" % number)
        kids = root[root.index(b"/K") :]
        self._documents += _references(sheet.renumbered(kids[: kids.index(b"]")]))
        self._keys += max(keys) + 1

    def _keep(self, sheet: _Sheet) -> None:
        """What the file says of itself as its first sheet does."""
        catalogue = re.sub(rb"/Names <<.*?>>>>", b"", sheet.catalogue, flags=re.DOTALL)
        info = _TITLE.sub(
            lambda _: b"/Title " + pdf_string(self._title), sheet.objects.dictionary(sheet.objects.info)
        )
        self._common = sheet.renumbered(catalogue), info
        _, content = sheet.objects.streams[sheet.whole["Metadata"]]
        again = escape(self._title, quote=False).encode()
        text = _TITLE_AGAIN.sub(lambda found: found[1] + again + found[3], zlib.decompress(content))
        packed = zlib.compress(text)
        head = b"<</Type /Metadata/Subtype /XML/Filter /FlateDecode/Length %d>>" % len(packed)
        self._file.stream(self._own["Metadata"], head, packed)

    def finish(self) -> None:
        """What the sheets have in common, at the end. ValueError without any sheet."""
        if self._before is None:
            raise ValueError("no sheet")
        own = self._own
        self._file.dictionary(self._before[0], self._before[1] + b">>")
        kids = b" ".join(self._kids)
        self._file.dictionary(own["Pages"], b"<</Type /Pages/Kids [%s]/Count %d>>" % (kids, self._pages))
        documents, tree = b" ".join(self._documents), (own["Parents"], self._keys)
        tags = b"<</Type /StructTreeRoot/K [%s]/ParentTree %d 0 R/ParentTreeNextKey %d>>"
        self._file.dictionary(own["StructTreeRoot"], tags % (documents, *tree))
        self._file.dictionary(own["Parents"], b"<</Kids [%s]>>" % b" ".join(self._parents))
        ends = (self._sheets, self._first, self._before[0])
        outlines = b"<</Type /Outlines/Count %d/First %d 0 R/Last %d 0 R>>" % ends
        self._file.dictionary(own["Outlines"], outlines)
        catalogue, info = self._common
        for entry in _WHOLE:
            catalogue = re.sub(
                b"/%s \\d+ 0 R" % entry.encode(), b"/%s %d 0 R" % (entry.encode(), own[entry]), catalogue
            )
        names = b"/Names <</Dests <</Names [%s]>>>>" % b" ".join(sorted(self._names)) if self._names else b""
        self._file.dictionary(own["Catalog"], catalogue.rstrip()[:-2] + names + b">>")
        self._file.dictionary(own["Info"], info)
        self._file.finish(own["Catalog"], own["Info"])


def _number(dictionary: bytes, entry: str) -> int:
    """The object that an entry of a dictionary names. ValueError if it names none."""
    found = re.search(b"/%s (\\d+) 0 R" % entry.encode(), dictionary)
    if found is None:
        raise ValueError(f"no {entry}")
    return int(found[1])


def _references(dictionary: bytes) -> list[bytes]:
    return [found[0] for found in _REFERENCE.finditer(dictionary)]
