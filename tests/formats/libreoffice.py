"""Opens our Word documents in LibreOffice, as a person would: too large a program for every run of tests.

    python tests/formats/libreoffice.py FOLDER [--install]

For each configuration: the document prints to PDF, every formula is an equation object, a change by hand
survives saving, and the rules of Open XML hold (where `openxml-audit` from PyPI is at hand).
Leaves the documents and their PDFs in the folder. --install: by apt, some 500 MB.
"""

# ruff: noqa: E402 (the folders of the tests come first)

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = map(str, (HERE, HERE.parent, HERE.parents[1], HERE.parent / "sheets"))

import docx
from docx.document import Document
from sources import CASES, pages, written

from generator.output.formats.read import read
from generator.output.formats.tree import Formula, walk

PACKAGES = ("libreoffice-writer", "libreoffice-math", "fonts-liberation", "poppler-utils")
ADDED = "Von Hand dazugeschrieben."


def convert(file: Path, kind: str, folder: Path) -> Path:
    """The file as LibreOffice saves it."""
    folder.mkdir(parents=True, exist_ok=True)
    alone = f"-env:UserInstallation={(folder.resolve() / 'profile').as_uri()}"
    command = ["soffice", alone, "--headless", "--convert-to", kind, "--outdir", str(folder), str(file)]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    return folder / f"{file.stem}.{kind}"


def equation_objects(odt: Path) -> int:
    with zipfile.ZipFile(odt) as package:
        inside = [name for name in package.namelist() if re.fullmatch(r"Object \d+/content\.xml", name)]
        return sum(b"http://www.w3.org/1998/Math/MathML" in package.read(name) for name in inside)


def changed_by_hand(file: Path, folder: Path) -> bool:
    """A sentence more, saved by LibreOffice as Word again: it stands there with all that was there before."""
    document = docx.Document(str(file))
    before = texts(document)
    document.paragraphs[-1].insert_paragraph_before(ADDED)
    edited = folder / file.name
    folder.mkdir(parents=True, exist_ok=True)
    document.save(str(edited))
    saved = convert(edited, "docx", folder / "saved")
    after = texts(docx.Document(str(saved)))
    return ADDED in after and before <= after and formulas_in(saved) == formulas_in(file)


def lawful(file: Path) -> bool:
    """Whether the validator finds nothing that Word would mend; True where there is no validator."""
    validator = shutil.which("openxml-audit")
    return validator is None or subprocess.run([validator, "--quiet", str(file)], check=False).returncode == 0


def texts(document: Document) -> set[str]:
    """The paragraphs; a hyphen that never breaks is an element of its own after saving."""
    return {
        paragraph.text.replace("\N{NON-BREAKING HYPHEN}", "-").strip() for paragraph in document.paragraphs
    }


def formulas_in(file: Path) -> int:
    with zipfile.ZipFile(file) as package:
        return len(re.findall(r"<m:oMath[ >]", package.read("word/document.xml").decode()))


def main(folder: Path) -> int:
    failed = 0
    for case in CASES:
        for name, html in pages(case).items():
            file = folder / f"{case}-{name}.docx"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(written("docx", html))
            wanted = len(list(walk(read(html), Formula)))
            pdf = convert(file, "pdf", folder / "pdf")
            said = subprocess.run(["pdfinfo", pdf], check=True, capture_output=True, text=True).stdout
            found = equation_objects(convert(file, "odt", folder / "odt"))
            kept = changed_by_hand(file, folder / "changed")
            good = found == wanted and kept and lawful(file)
            failed += not good
            number = re.search(r"Pages:\s+(\d+)", said)
            print(
                f"{'ok' if good else 'NOT'} {file.name}: {number[1] if number else '?'} pages, "
                f"{found} of {wanted} formulas are equations, a change by hand {'kept' if kept else 'LOST'}",
                flush=True,
            )
    return failed


if __name__ == "__main__":
    if "--install" in sys.argv:
        install = ["apt-get", "install", "--yes", "--no-install-recommends", *PACKAGES]
        subprocess.run(install, check=True)
    sys.exit(main(Path(sys.argv[1])))
