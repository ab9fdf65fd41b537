"""What pdflatex and Typst take for the same pages: the headings, paragraphs, tables and formulas of our HTML.

Both get finished source files. pdflatex (`apt-get install texlive-latex-base texlive-lang-german
texlive-fonts-recommended`) runs twice a file, as a table of contents needs it, each in a process of its own;
Typst (`pip install typst`) compiles one file after the other in one process. Neither draws our pictures.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from generator.output.formulas.typeset import formulas
from generator.output.markup import parse

LATEX_HEAD: Final = r"""\documentclass[a4paper,11pt]{article}
\usepackage[T1]{fontenc}\usepackage[ngerman]{babel}\usepackage{amsmath}\usepackage{graphicx}
\begin{document}\tableofcontents
"""
TYPST_HEAD: Final = '#set page(paper: "a4", margin: 20mm)\n#set text(size: 11pt)\n#outline()\n'
TYPST_FORMULA: Final = '$ "softmax"((Q K^T) / sqrt(d_k)) V = sum_(i=1)^n e^(x_i) / (sum_j e^(x_j)) dot v_i $'
_ESCAPES: Final = {"\\": "/", "_": r"\_", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "^": " ", "~": " "}
_BEYOND: Final = re.compile(r"[^\x20-\x7eÄÖÜäöüß]")


class Marks(NamedTuple):
    """How a language writes a table (of so many columns), a heading of a level, and text."""

    table: Callable[[int, list[list[str]]], str]
    heading: Callable[[int, str], str]
    text: Callable[[str], str]


def latex(html: str) -> str:
    """A plain article of a document, then the course's formulas."""
    displayed = "\n".join(rf"\[ {formula} \]" for formula in formulas().values())
    return LATEX_HEAD + "\n\n".join(_parts(html, _LATEX)) + f"\n{displayed}\n\\end{{document}}\n"


def typst(html: str) -> str:
    """The same for Typst, with as many formulas."""
    body = "\n\n".join(part if part.startswith("#") else f"#{part}" for part in _parts(html, _TYPST))
    return TYPST_HEAD + body + "\n" + "\n".join([TYPST_FORMULA] * len(formulas()))


_RUNS_OF_LATEX: Final = """cd "$1"; for file in *.tex; do for turn in 1 2; do
pdflatex -interaction=nonstopmode -halt-on-error "$file" || exit 1; done; done"""
_RUN_OF_TYPST: Final = """import pathlib, sys, typst
for file in sorted(pathlib.Path(sys.argv[1]).glob("*.typ")):
    typst.compile(str(file), output=str(file.with_suffix(".pdf")))"""
PEERS: Final = ("pdflatex", "Typst")


def peer(name: str, htmls: Sequence[str], folder: Path) -> list[str] | None:
    """Writes the documents into the folder; the command that makes PDFs of them, None if it is not there."""
    of_latex = name == "pdflatex"
    if not (shutil.which(name) if of_latex else find_spec("typst")):
        return None
    for number, html in enumerate(htmls):
        file = folder / (f"{number}.tex" if of_latex else f"{number}.typ")
        file.write_text(latex(html) if of_latex else typst(html), encoding="utf-8")
    if of_latex:
        return ["sh", "-c", _RUNS_OF_LATEX, "sh", str(folder)]
    return [sys.executable, "-c", _RUN_OF_TYPST, str(folder)]


def _parts(html: str, marks: Marks) -> list[str]:
    tree = parse(html)
    assert tree is not None
    return [part for element in tree.iter() if (part := _part(element, marks))]


def _part(element: Element, marks: Marks) -> str:
    if element.tag == "table":
        rows = [
            [_said(cell, marks) for cell in row if cell.tag in ("th", "td")] for row in element.iter("tr")
        ]
        return marks.table(max(map(len, rows)), rows)
    if element.tag in ("h1", "h2", "h3"):
        return marks.heading(min(int(element.tag[1]), 2), _said(element, marks))
    return _said(element, marks) if element.tag in ("p", "li") else ""


def _said(element: Element, marks: Marks) -> str:
    return marks.text(" ".join(_BEYOND.sub(" ", "".join(element.itertext())).split()))


def _tabular(columns: int, rows: list[list[str]]) -> str:
    lines = " \\\\ \\hline\n".join(" & ".join(row) for row in rows)
    tabular = rf"\begin{{tabular}}{{*{{{columns}}}{{|l}}|}} \hline {lines} \\ \hline\end{{tabular}}"
    return rf"\noindent\resizebox{{\textwidth}}{{!}}{{{tabular}}}"


def _escaped(text: str) -> str:
    return "".join(_ESCAPES.get(sign, sign) for sign in text).replace("{", "(").replace("}", ")")


_LATEX: Final = Marks(_tabular, lambda level, said: rf"\{'sub' * (level - 1)}section{{{said}}}", _escaped)
_TYPST: Final = Marks(
    lambda columns, rows: f"#table(columns: {columns}, {', '.join(cell for row in rows for cell in row)})",
    lambda level, said: f"#heading(level: {level}, {said})",
    lambda said: json.dumps(said, ensure_ascii=False),
)
