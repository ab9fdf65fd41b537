"""The names of formats and finished pages go in; file name -> bytes comes out.

The file of a format's name here is its writer. It is loaded only when the format is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any, Final

from generator.formats.material import Address, Expected, Material
from generator.formats.read import read
from generator.options.further_formats import FORMATS

SHEET: Final = "arbeitsblatt"
KEY: Final = "loesung"


def export(
    names: Iterable[str], pages: Mapping[str, str], expected: Mapping[Address, Expected] | None = None
) -> dict[str, bytes]:
    """File name -> bytes. pages: name -> HTML for the screen, with the source of its formulas.

    expected: what is right in the blanks, for formats that ask questions.
    """
    wanted = tuple(names)
    trees = {name: read(html) for name, html in pages.items()} if wanted else {}
    files: dict[str, bytes] = {}
    for name in wanted:
        if FORMATS[name].whole:
            material = Material(trees[SHEET], trees[KEY], expected or {})
            files[SHEET + FORMATS[name].ending] = _writer(name)(material)
        else:
            files |= {page + FORMATS[name].ending: _writer(name)(tree) for page, tree in trees.items()}
    return files


def _writer(name: str) -> Callable[[Any], bytes]:
    """What writes a page, or for some formats the material of a whole sheet."""
    write: Callable[[Any], bytes] = import_module(f"generator.formats.{name}").write
    return write
