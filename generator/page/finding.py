"""What a teacher types or chooses, a mark, a name, a code or a place on the shelf, becomes a sheet."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from starlette.requests import Request

from generator.basics.errors import UserError, quoted
from generator.page.office import office_of, owner_of
from generator.page.shelf import AbsentError

_LONGEST_CODE: Final = 2000
_MARK: Final = re.compile("[A-Z2-7]{4}")  # as `short_mark` writes it


def found(request: Request, typed: str) -> list[dict[str, Any]]:
    """Where sheets of this mark, or of this pupil, lie, the newest first, each with what it is.

    Of single sheets the newest: one mark means the same numbers.
    """
    name = typed.strip().casefold()
    entries = office_of(request).shelf.entries(owner_of(request)) if name else []
    sheets: list[dict[str, Any]] = []
    for entry in entries:
        if entry.get("blatt") == name.upper() and not any("blatt" in each for each in sheets):
            sheets.append({"blatt": entry["name"], "titel": f"Einzelnes Blatt vom {entry['am']}"})
        for each in entry.get("blaetter", ()):
            if each["blatt"] == name.upper() or name in (
                each["name"].casefold(),
                *each["name"].casefold().split(),
            ):
                of = f"{each['name']}, Blatt {each['blatt']}" if each["name"] else f"Nummer {each['nummer']}"
                titel = f"Klassensatz vom {entry['am']}: {of}"
                sheets.append({"klasse": entry["name"], "zuerst": each["nummer"], "titel": titel})
    return sheets


def source_of(request: Request, asked: Mapping[str, Any]) -> dict[str, str]:
    """What a worker opens: the sheet of a code, or one of the shelf, by its place there or its short name.

    UserError where none is named.
    """
    code = str(asked.get("code", "")).strip()
    if earlier := str(asked.get("blatt", "")):
        return _calculation(on_shelf(request, earlier, "rechnung.json"))
    if of_class := str(asked.get("klasse", "")):
        manifest, number = on_shelf(request, of_class, "klassensatz.json"), str(asked.get("nummer"))
        path = manifest.parent / "rechnungen" / f"{number}.json"
        if not number.isascii() or not number.isdigit() or not path.is_file():
            raise AbsentError(number)
        return _calculation(path)
    if not code or len(code) > _LONGEST_CODE:
        raise UserError("Bitte geben Sie den Kurznamen oder den Code ein, der unten auf dem Blatt steht.")
    for each in found(request, code):
        return source_of(request, {**each, "nummer": each.get("zuerst")})
    if _MARK.fullmatch(code.upper()):
        raise UserError(
            f"Ein Blatt {quoted(code.upper())} ist unter den früheren Blättern nicht dabei; dann hilft der "
            "lange Code oder die Datei rechnung.json."
        )
    from generator.options.sheet_code import SHORTEST  # it brings NumPy

    if len(code) < SHORTEST or not any(map(str.isdigit, code)):
        raise UserError(
            f"{quoted(code)} ist kein Kurzname (vier Zeichen) und kein Code; beide stehen unten auf dem "
            "Blatt. In Ihren Klassensätzen heißt auch niemand so."
        )
    return {"code": code}


def class_of(request: Request, asked: Mapping[str, Any]) -> dict[str, tuple[dict[str, str], str]]:
    """Source and mark of every sheet of a class set, by its place or one of its sheets; {} for none."""
    name = str(asked.get("klasse", ""))
    if not name and "blatt" not in asked:
        name = next((each.get("klasse", "") for each in found(request, str(asked.get("code", "")))), "")
    if not name:
        return {}
    known = json.loads(on_shelf(request, name, "klassensatz.json").read_text(encoding="utf-8"))["varianten"]
    return {
        str(each["nummer"]): (source_of(request, {"klasse": name, "nummer": each["nummer"]}), each["blatt"])
        for each in known
    }


def on_shelf(request: Request, name: str, file: str) -> Path:
    """A file of a sheet of this teacher."""
    return office_of(request).shelf.file(name, file, owner_of(request))


def _calculation(path: Path) -> dict[str, str]:
    return {"rechnung": path.read_text(encoding="utf-8")}
