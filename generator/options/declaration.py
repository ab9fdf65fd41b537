"""One option, said once as a field of `OptionTable`: what parser, help, template and README read of it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from generator.basics.errors import UserError, listed, quoted
from generator.basics.files import WORKSHEET
from generator.basics.reading import read_toml
from generator.options.option_kinds import FilePath, Kind, Switch

if TYPE_CHECKING:  # it brings NumPy, and help and messages come without
    from engine.model.weights import Style

WEIGHT_STYLES: tuple[Style, ...] = ("auswahl", "ganzzahlig", "dezimal")
SELECTION: Final = WEIGHT_STYLES[0]
LEARNT: Final = "gelernt"  # weights that are neither chosen nor drawn
# What a code says instead. A code makes its sheet by learning again: where that gives other numbers than
# before, the number here becomes the next one, and earlier codes are refused.
LEARNT_IN_CODES: Final = "gelernt12"
NUMBER_KEYS = ("embedding", "wortvektoren", "zielvektoren", "weights", "vocabulary_embedding")


def is_number_key(key: str) -> bool:
    """Whether a key of a file gives numbers (a weight, vectors), not an option."""
    weight = re.match(r"((encoder|decoder)(\.|$))?(block[0-9]+(\.|$))?", key)
    return bool(weight and weight.group()) or key in NUMBER_KEYS


def nearest(name: object, names: Sequence[str]) -> str:
    """What is right instead: the name that looks most alike, or all there are."""
    from difflib import get_close_matches  # only wanted after a mistake

    near = get_close_matches(str(name)[:80].replace("-", "_"), names, 1, 0.5)
    return f"gemeint ist vielleicht „{near[0]}“." if near else f"möglich sind {listed(names)}."


@dataclass(frozen=True)
class Option:
    """What parser, help, TOML template and page need to know of one option.

    of_sheet: whether it changes the sheet, and not only where or as what else it is written. not_of_class:
    a class set does not have it, and what helps instead.
    """

    name: str
    kind: Kind
    help: str
    default_text: str
    example: Any
    default: Any = None
    of_sheet: bool = True
    not_of_class: str = ""

    @property
    def flag(self) -> str:
        return "--" + self.name.replace("_", "-")

    @property
    def off_flag(self) -> str | None:
        return "--ohne-" + self.name.replace("_", "-") if isinstance(self.kind, Switch) else None


def option(
    default: Any, kind: Kind, help: str, default_text: str = "", example: Any = None, **facts: Any
) -> Any:
    """A field of a class of options; a default of None depends on other options, `default_text` says how.

    facts: further ones of `Option`, and `unsaid`, what it is instead in older files and codes without it.
    """
    unsaid = facts.pop("unsaid", default)
    facts |= {"kind": kind, "help": help, "example": example, "default": default}
    facts["default_text"] = default_text or kind.shown(default)
    return field(default=unsaid, metadata={"kind": kind, "option": facts})


def options_of_file(path: Path, known: Sequence[str]) -> dict[str, Any]:
    """The options of a TOML file; files that it names are looked for beside it first."""
    options = {key: value for key, value in read_toml(path, "Die Vorlage").items() if not is_number_key(key)}
    refuse_unknown(f"In der Vorlage {quoted(path.name)}: Den Schlüssel", options, known, without="vorlage")
    for name in ("gewichte", "embeddings", "texte"):
        value = options.get(name)
        if isinstance(value, str) and value not in (*WEIGHT_STYLES, LEARNT) and "\0" not in value:
            beside = path.parent / Path(str(FilePath().read(f"--{name}", value)))
            if os.path.isfile(beside):  # noqa: PTH113 (the path's own method raises for names too long)
                options[name] = beside
    return options


def refuse_unknown(what: str, given: Mapping[str, Any], names: Sequence[str], without: str = "") -> None:
    """Raises UserError for the first name that is none of `names`, or is the one that may not stand there."""
    names = [name for name in names if name != without]
    for name in given:
        if name not in names:
            known = [*names, *NUMBER_KEYS] if without else names
            raise UserError(f"{what} {quoted(name)} gibt es nicht; {nearest(name, known)}")


# --- Every further format in one list: its name, the ending of its files, what it is.
#
# A new format is one line here, one file of the same name in `generator/output/formats/` and its test.


@dataclass(frozen=True)
class Format:
    """ending: of its files. says: what it is, for the help and the page.

    whole: what the one file for the sheet is called, made from its pages and what is expected in its blanks;
    "" where there is one for each page, of its name.
    """

    ending: str
    says: str
    whole: str = ""

    @property
    def file(self) -> str:
        return self.whole + self.ending


GROUP: Final = "gruppe-"  # begins the name of a group's sheet in a jigsaw
KEY_ENDING: Final = "-loesung"  # ends the name of a key where there are several

FORMATS: Final[Mapping[str, Format]] = {
    "docx": Format(".docx", "Word"),
    "ebuch": Format("-ebuch.docx", "Word für blinde Lernende"),
    "md": Format(".md", "Markdown mit LaTeX"),
    "moodle": Format("-moodle.xml", "Fragen für Moodle", whole=WORKSHEET),
    "stack": Format("-stack.xml", "STACK-Fragen mit Folgefehlern", whole=WORKSHEET),
}


def ensure_of_pages(names: Sequence[str], command: str) -> None:
    """UserError for a format that asks questions of a sheet."""
    possible = [name for name, each in FORMATS.items() if not each.whole]
    for name in names:
        if name not in possible:
            raise UserError(
                f"--format {name} gibt es bei {command} nicht; möglich sind {', '.join(possible)}."
            )


def files_of_pages(pages: Iterable[str]) -> tuple[str, ...]:
    """Every file that formats can make of these pages."""
    names = (
        [each.file] if each.whole else [page + each.ending for page in pages] for each in FORMATS.values()
    )
    return tuple(chain.from_iterable(names))
