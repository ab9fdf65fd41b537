"""A sheet or a class set and the answer files of a class go in; the result of the class comes out.

For worker processes. What `pruefe` says of a folder, said of files that were dropped on the page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from generator.calculation.rebuild import Rebuilt
from generator.page.reviewing import opened_sheet
from generator.production.marking import Source, as_csv, as_html, of_manifest, read_files

SET = "klassensatz"


def class_result(source: Mapping[str, str], files: Sequence[tuple[str, bytes]]) -> dict[str, Any]:
    """source: as of `reviewing`, or {"klassensatz": path of its manifest}.

    UserError where no paper can be read.
    """
    read = read_files(_source(source), files)
    return {
        "bericht": as_html(read.papers, read.unread),
        "tabelle": as_csv(read.papers),
        "arbeiten": len(read.papers),
        "ungelesen": list(read.unread),
    }


def _source(source: Mapping[str, str]) -> Source:
    if SET in source:
        return of_manifest(Path(source[SET]))
    same = opened_sheet(source).rebuilt

    def of_sheet(label: str) -> tuple[str, str, Rebuilt]:
        return label, "", same

    return of_sheet
