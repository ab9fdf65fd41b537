"""Writes finished documents in the formats that are asked for.

The file of a format's name here is its writer. It is loaded only when the format is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from types import ModuleType
from typing import Any, Final

from generator.options.further_formats import FORMATS
from generator.output.formats.questions import Asked, Material
from generator.output.formats.read import read
from generator.output.markup import with_page_starts
from generator.output.render import VIEWS, Document

SHEET: Final = VIEWS["worksheet"]
KEY: Final = VIEWS["key"]


def export(
    names: Iterable[str],
    documents: Iterable[Document],
    asked: Asked | None = None,
    starts: Mapping[str, Sequence[int]] | None = None,
) -> dict[str, bytes]:
    """File name -> bytes. documents: made for the screen, with the source of their formulas.

    asked: what is right in the blanks, for formats that ask questions; the record comes from the key.
    starts: by the document's name, the blocks that begin a page of its PDF.
    """
    made = {document.name: document for document in documents}
    pages = {name: with_page_starts(each.html, (starts or {}).get(name, ())) for name, each in made.items()}
    trees = {name: read(html) for name, html in pages.items()}
    files: dict[str, bytes] = {}
    for name in names:
        if FORMATS[name].whole:
            of_sheet = replace(asked or Asked(), stations=made[KEY].stations)
            files[SHEET + FORMATS[name].ending] = _writer(name)(Material(trees[SHEET], trees[KEY], of_sheet))
        else:
            files |= {page + FORMATS[name].ending: _writer(name)(tree) for page, tree in trees.items()}
            for tree in trees.values():
                files |= _beside(name)(tree)
    return files


def merged(name: str, files: Iterable[bytes]) -> bytes:
    """One file of what a format has made of several sheets; how, says its writer."""
    merge: Callable[[Iterable[bytes]], bytes] = _module(name).merged
    return merge(files)


def _module(name: str) -> ModuleType:
    return import_module(f"generator.output.formats.{name}")


def _beside(name: str) -> Callable[[Any], dict[str, bytes]]:
    """What writes the pictures that lie beside the pages of a format."""
    beside: Callable[[Any], dict[str, bytes]] = getattr(_module(name), "beside", lambda _: {})
    return beside


def _writer(name: str) -> Callable[[Any], bytes]:
    """What writes a page, or for some formats the material of a whole sheet."""
    write: Callable[[Any], bytes] = _module(name).write
    return write
