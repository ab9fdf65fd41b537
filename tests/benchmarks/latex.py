"""What LaTeX takes for a comparable sheet: `python tests/benchmarks/latex.py` (pdflatex must be installed).

Tables, paragraphs and formulas of the three stations go through pdflatex as a plain article, worksheet and
key, each twice, as a table of contents needs it; beside them stands `blatt` with the same stations.
"""

from __future__ import annotations

import re
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from sheets import KATZE, REPEATS, THREE, cold, shown, table

from generator.calculation.build import build
from generator.options.options import Options
from generator.output.formulas.formulas import formulas
from generator.output.formulas.typeset import Typesetter
from generator.output.parse import parse
from generator.output.render import render
from generator.production.worksheet import VIEWS, lay_out_sheet
from generator.stations.page_values import page_values

HEAD: Final = r"""\documentclass[a4paper,11pt]{article}
\usepackage[T1]{fontenc}\usepackage[ngerman]{babel}\usepackage{amsmath}\usepackage{graphicx}
\begin{document}\tableofcontents
"""
_ESCAPES: Final = {"\\": "/", "_": r"\_", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "^": " ", "~": " "}
_BEYOND: Final = re.compile(r"[^\x20-\x7eÄÖÜäöüß]")


class Marks(NamedTuple):
    """How a language writes a table (of so many columns), two headings, and text."""

    table: Callable[[int, list[list[str]]], str]
    section: Callable[[str], str]
    subsection: Callable[[str], str]
    text: Callable[[str], str]


def plain(html: str, marks: Marks) -> str:
    """The headings, paragraphs and tables of a document."""
    tree = parse(html)
    assert tree is not None
    return "\n\n".join(part for element in tree.iter() if (part := _part(element, marks)))


def article(html: str, math: list[str]) -> str:
    """A plain LaTeX article of a document, then the formulas."""
    displayed = "\n".join(rf"\[ {formula} \]" for formula in math)
    return HEAD + plain(html, LATEX) + "\n" + displayed + "\n\\end{document}\n"


def _part(element: Element, marks: Marks) -> str:
    said = marks.text(_BEYOND.sub(" ", "".join(element.itertext())))
    if element.tag == "table":
        cells = [[cell for cell in row if cell.tag in ("th", "td")] for row in element.iter("tr")]
        rows = [[marks.text(_BEYOND.sub(" ", "".join(cell.itertext()))) for cell in row] for row in cells]
        return marks.table(max(map(len, rows)), rows)
    if element.tag == "h1":
        return marks.section(said)
    if element.tag in ("h2", "h3"):
        return marks.subsection(said)
    return said if element.tag in ("p", "li") else ""


def _tabular(columns: int, rows: list[list[str]]) -> str:
    lines = " \\\\ \\hline\n".join(" & ".join(row) for row in rows)
    tabular = rf"\begin{{tabular}}{{*{{{columns}}}{{|l}}|}} \hline {lines} \\ \hline\end{{tabular}}"
    return rf"\noindent\resizebox{{\textwidth}}{{!}}{{{tabular}}}"


def _escaped(text: str) -> str:
    return "".join(_ESCAPES.get(sign, sign) for sign in text).replace("{", "(").replace("}", ")")


LATEX: Final = Marks(
    _tabular, lambda said: rf"\section{{{said}}}", lambda said: rf"\subsection{{{said}}}", _escaped
)


def seconds(source: str) -> tuple[float, int]:
    """Of two runs of pdflatex, and the number of pages."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "sheet.tex"
        file.write_text(source, encoding="utf-8")
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", file.name]
        start = time.perf_counter()
        for _ in range(2):
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace")
            if done.returncode:
                raise SystemExit(done.stdout[-2000:])
        taken = time.perf_counter() - start
    pages = re.search(r"\((\d+) pages?", done.stdout)
    return taken, int(pages[1]) if pages else 0


def documents() -> list[str]:
    """Worksheet and key of the three stations, as HTML."""
    sheet, desk = lay_out_sheet(build(Options(satz=KATZE, stationen=("4a", "4b", "S"))))
    typesetter, values = Typesetter("pdf"), page_values(desk, sheet)
    return [render(sheet, view, typesetter, "pdf", values).html for view in VIEWS]


def main() -> None:
    if shutil.which("pdflatex") is None:
        raise SystemExit("pdflatex ist nicht installiert.")
    sources = [article(html, list(formulas().values())) for html in documents()]
    runs = [[seconds(source) for source in sources] for _ in range(REPEATS)]
    latex = statistics.median(sum(taken for taken, _ in run) for run in runs)
    pages = sum(count for _, count in runs[0])
    ours = cold("blatt", KATZE, *THREE, repeats=REPEATS)
    rows = [
        ["pdflatex, two documents", f"{latex:.2f}", str(pages), f"{1000 * latex / pages:.0f}", "–"],
        ["`blatt`, three documents", *shown(ours)],
    ]
    print(table(["cold processes", "s", "pages", "ms a page", "peak MB"], rows))
    ratio = (ours.seconds / ours.pages) / (latex / pages)
    print(f"A page of ours takes {ratio:.1f} times as long as one of pdflatex.")


if __name__ == "__main__":
    main()
