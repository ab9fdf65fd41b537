"""The Markdown of 20 sheets through pandoc to HTML and XeLaTeX to PDF; no test, for it takes minutes.

python tests/formats/in_pandoc.py [SHEETS]; needs pandoc, xelatex and rsvg-convert (for the pictures).
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[1] / "sheets")]

from generator.options.options import Options
from generator.output.formulas.typeset import Typesetter
from generator.production.exports import export
from generator.production.sheet_documents import worksheet_and_key
from generator.stations.make_sheet import make_sheet

SENTENCES = (
    "Die Katze sitzt auf der Matte",
    "Vögel singen",
    "Der Hund bellt im Garten laut",
    "Wer liest ein Buch",
)
CHOICES = (
    {"stationen": "0,1,2,3"},
    {"stationen": "4a,4b", "gewichte": "dezimal"},
    {"stationen": "5,6,7", "nachkommastellen": 3, "dezimalzeichen": "punkt"},
    {"stationen": "8,9,S", "gewichte": "ganzzahlig", "stufe": 1},
    {"zielsatz": "The mouse sleeps", "lernen": "ausgabe", "stationen": "10,11"},
)


def faults(folder: Path, name: str) -> list[str]:
    """What went wrong with one Markdown file."""
    found = []
    page = _run(folder, name, "-t", "html", "--mathml")
    found += [f"HTML: {line}" for line in page.stderr.splitlines()]
    found += ["HTML: a formula was not read"] * bool(
        re.search(r"class=\"math (in|dis)|\$[_^\\]", page.stdout)
    )
    made = _run(folder, name, "-o", f"{name}.pdf", "--pdf-engine=xelatex", "-V", "mainfont=DejaVu Sans")
    found += [f"PDF: {line}" for line in made.stderr.splitlines()]
    return found + ["PDF: none"] * (not (folder / f"{name}.pdf").exists())


def _run(folder: Path, name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = ["pandoc", f"{name}.md", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def main(sheets: int = 20) -> int:
    """Print a line for each sheet; the exit status says whether anything went wrong."""
    wrong = 0
    pairs = [(sentence, choice) for sentence in SENTENCES for choice in CHOICES][:sheets]
    for number, (sentence, choice) in enumerate(pairs, 1):
        whole = make_sheet(Options.from_mapping({"satz": sentence, "gewichte": "auswahl", **choice}))
        pages = worksheet_and_key(whole, Typesetter("screen", with_source=True), "screen")
        with tempfile.TemporaryDirectory() as made:
            folder = Path(made)
            for file, data in export(["md"], pages).items():
                (folder / file).write_bytes(data)
            found = [f"{n}: {fault}" for n in ("arbeitsblatt", "loesung") for fault in faults(folder, n)]
        wrong += bool(found)
        print(
            f"{number:3} {sentence}, {choice}: {'; '.join(dict.fromkeys(found)) or 'in Ordnung'}", flush=True
        )
    print(f"{len(pairs)} Blätter, {wrong} mit Fehlern")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
