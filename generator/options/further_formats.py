"""Every further format in one list: its name, the ending of its files, what it is, what packages it needs.

A new format is one line here, one file of the same name in `generator/output/formats/` and its test.
"""

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Final

from generator.basics.errors import UserError


@dataclass(frozen=True)
class Format:
    """ending: of its files. says: what it is, for the help and the page.

    needs: package by the module that it brings.
    whole: there is one file for the sheet, made from its pages and what is expected in its blanks, not one
    for each page.
    """

    ending: str
    says: str
    needs: Mapping[str, str] = field(default_factory=dict)
    whole: bool = False


FORMATS: Final[Mapping[str, Format]] = {
    "docx": Format(".docx", "Word", {"docx": "python-docx", "pypdfium2": "pypdfium2"}),
    "ebuch": Format("-ebuch.docx", "Word für blinde Lernende", {"docx": "python-docx"}),
    "md": Format(".md", "Markdown mit LaTeX"),
    "moodle": Format("-moodle.xml", "Fragen für Moodle", {"pypdfium2": "pypdfium2"}, whole=True),
    "stack": Format("-stack.xml", "STACK-Fragen mit Folgefehlern", {"pypdfium2": "pypdfium2"}, whole=True),
}


def ensure_of_pages(names: Sequence[str], command: str) -> None:
    """UserError for a format that asks questions of a sheet, or a package that is missing for one."""
    possible = [name for name, each in FORMATS.items() if not each.whole]
    for name in names:
        if name not in possible:
            raise UserError(
                f"--format {name} gibt es bei {command} nicht; möglich sind {', '.join(possible)}."
            )
    ensure_available(names)


def files_of_pages(pages: Iterable[str]) -> tuple[str, ...]:
    """Every file that formats can make of these pages."""
    return tuple(page + each.ending for page in pages for each in FORMATS.values())


def format_of(file: str) -> Format | None:
    """The format that a file is in by its ending: of two endings that fit the longer one."""
    fitting = (each for each in FORMATS.values() if file.endswith(each.ending))
    return max(fitting, key=lambda each: len(each.ending), default=None)


def ensure_available(names: Iterable[str]) -> None:
    """UserError if a package is missing that one of the formats needs; nothing is loaded."""
    for name in names:
        missing = [package for module, package in FORMATS[name].needs.items() if find_spec(module) is None]
        if missing:
            raise UserError(
                f"--format {name} braucht noch {' und '.join(missing)} (das Extra „{name}“); "
                f"bitte einmal ausführen: {sys.executable} -m pip install {' '.join(missing)}"
            )
