"""What pdflatex and Typst take for the same contents: our pages, written once more in their languages.

Both get finished source files. pdflatex (`apt-get install texlive-latex-base texlive-lang-german
texlive-fonts-recommended texlive-pictures`) runs twice a file, as „Seite 1 von 10“ needs it, each in a
process of its own; Typst (`pip install typst`) compiles one file after the other in one process.

The same: words and numbers in their order, formulas as math where they stand, tables in our widths, blanks,
lines to write on, bars, frames, a new page for each station, the pictures in their places: TikZ draws the
shapes of our SVG, Typst reads the SVG. Not the same: LaTeX sets Helvetica, Typst our text font, both a math
font of their own; what stands side by side with us stands below each other there, so there are more pages.
There are no marks for scans, squared paper, bookmarks, tags or page numbers inside sentences; titles of
frames, heads of tables and numbers of tasks are plain. LaTeX breaks neither tables nor frames; a sign that it
is not told here is a „?“ (none in stations 4a and 4b).
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element, fromstring

from generator.basics.fonts import folder as fonts_folder
from generator.output.formats import tree
from generator.output.formats.read import read

TEXT_WIDTH: Final = 170.0  # mm
PEERS: Final = ("pdflatex", "Typst")
_RUNS_OF_LATEX: Final = """cd "$1"; for file in *.tex; do for turn in 1 2; do
pdflatex -interaction=nonstopmode -halt-on-error "$file" || exit 1; done; done"""
_RUN_OF_TYPST: Final = """import pathlib, sys, typst
for file in sorted(pathlib.Path(sys.argv[1]).glob("*.typ")):
    typst.compile(str(file), output=str(file.with_suffix(".pdf")), font_paths=sys.argv[2:])"""


def peer(name: str, htmls: Sequence[str], folder: Path) -> list[str] | None:
    """Writes the documents into the folder; the command that makes PDFs of them, None if it is not there.

    htmls: made for the screen, with the source of every formula in them.
    """
    of_latex = name == "pdflatex"
    if not (shutil.which(name) if of_latex else find_spec("typst")):
        return None
    for number, html in enumerate(htmls):
        file = folder / (f"{number}.tex" if of_latex else f"{number}.typ")
        file.write_text(written(read(html), _LATEX if of_latex else _TYPST), encoding="utf-8")
    if of_latex:
        return ["sh", "-c", _RUNS_OF_LATEX, "sh", str(folder)]
    return [sys.executable, "-c", _RUN_OF_TYPST, str(folder), str(fonts_folder() / "pdf")]


class Language(NamedTuple):
    """place: its column in FORMS. table: from the widths in mm and the rows."""

    place: int
    escaped: Callable[[str], str]
    formula: Callable[[tree.Formula], str]
    table: Callable[[Sequence[float], Sequence[Sequence[str]]], str]
    picture: Callable[[tree.Figure], str]

    def form(self, name: str, inside: str = "") -> str:
        return FORMS[name][self.place].replace("…", inside)


def written(page: tree.Page, language: Language) -> str:
    """The whole page as a source file of the language."""
    foot, *last = map(language.escaped, page.foot)
    body = _blocks(page.blocks, language).replace(language.form("page"), "", 1)
    return "\n\n".join([language.form("head", foot), body, *last, language.form("end")])


def _blocks(blocks: Iterable[tree.Block], language: Language) -> str:
    return "\n\n".join(_block(block, language) for block in blocks)


def _block(block: tree.Block, language: Language) -> str:
    form = language.form
    match block:
        case tree.Heading(level, runs):
            return form("heading" if level < 2 else "subheading", _runs(runs, language))
        case tree.Paragraph(runs):
            return _runs(runs, language)
        case tree.Station(_, blocks):
            return form("page") + _blocks(blocks, language)
        case tree.Box(_, blocks):
            return form("frame", _blocks(blocks, language))
        case tree.Task(number, points, blocks):
            said = language.escaped(f"{number}. (   / {points})")
            return f"{said}\n\n{_blocks(blocks, language)}"
        case tree.Answer(lines, blocks):
            return _blocks(blocks, language) or form("rule") * lines
        case tree.Items(entries):
            return "\n\n".join("• " + _blocks(entry, language) for entry in entries)
        case tree.Table(head, rows, widths):
            widths = (*widths, *[0.0] * (block.columns - len(widths)))
            share = (TEXT_WIDTH - sum(widths)) / (widths.count(0) or 1)
            cells = [
                [_blocks(cell.blocks, language) for cell in row] for row in (head, *(r.cells for r in rows))
            ]
            table = language.table([width or share for width in widths], list(filter(None, cells)))
            return f"{_runs(block.caption, language)}\n\n{table}"
        case tree.Figure():
            return language.picture(block)
        case tree.PageStart():
            return ""


def _runs(runs: tree.Runs, language: Language) -> str:
    return "".join(_run(run, language) for run in runs)


def _run(run: tree.Run, language: Language) -> str:
    escaped, form = language.escaped, language.form
    match run:
        case tree.Words(text, bold, italic, level):
            said = form(level, escaped(text))
            said = form("italic", said) if italic else said
            return form("bold", said) if bold else said
        case tree.Printed(_, _, text, bold):
            return form("bold" if bold else "line", escaped(text))
        case tree.Blank(_, _, _, text, accepted):
            return form("blank", escaped(text)) + form("small", escaped(accepted))
        case tree.Formula():
            return form("display" if run.display else "inline", language.formula(run))
        case tree.Field(label, _, text):
            return escaped(label) + form("field", escaped(text))
        case tree.Bar(share):
            return form("bar", f"{14 * (share or 0):.1f}mm")
        case tree.Break():
            return form("break")


_LATEX_HEAD: Final = r"""\documentclass[a4paper,11pt]{article}
\usepackage[T1]{fontenc}\usepackage[ngerman]{babel}\usepackage{helvet,amsmath,amssymb,tikz}
\usepackage[margin=20mm]{geometry}\renewcommand\familydefault{\sfdefault}
\setlength\parindent{0mm}\setlength\parskip{2mm}\setlength\tabcolsep{1mm}\setlength\fboxsep{2mm}
\makeatletter\def\@oddfoot{\scriptsize …\hfill Seite \thepage\ von \pageref{end}}\makeatother
\begin{document}\shorthandoff{"}"""
_TYPST_HEAD: Final = """#set page(paper: "a4", margin: 20mm, footer: text(8pt)[… #h(1fr)
  Seite #context counter(page).display() von #context counter(page).final().first()])
#set text(size: 11pt, font: "Papierformer Sans", lang: "de")
#set table(inset: 1.5mm, stroke: .4pt)"""
_LATEX_FRAME: Final = r"\fbox{\begin{minipage}{\dimexpr\linewidth-2\fboxsep-2\fboxrule}…\end{minipage}}"
FORMS: Final = {
    "head": (_LATEX_HEAD, _TYPST_HEAD),
    "end": ("\\label{end}\\end{document}\n", ""),
    "page": ("\\clearpage\n", "#pagebreak()\n"),
    "heading": (r"\section*{…}", "#heading(level: 1)[…]"),
    "subheading": (r"\subsection*{…}", "#heading(level: 2)[…]"),
    "frame": (_LATEX_FRAME, "#block(stroke: .4pt, inset: 2mm, width: 100%)[…]"),
    "rule": ("\\par\\vspace{9mm}\\hrule\n", "#v(9mm)#line(length: 100%)\n"),
    "line": ("…", "…"),
    "sub": (r"\textsubscript{…}", "#sub[…]"),
    "sup": (r"\textsuperscript{…}", "#super[…]"),
    "bold": (r"\textbf{…}", "#strong[…]"),
    "italic": (r"\textit{…}", "#emph[…]"),
    "small": (r" {\scriptsize …}", " #text(7pt)[…]"),
    "blank": (
        r"{\fboxsep1mm\fbox{\makebox[9mm]{\strut …}}}",
        "#box(stroke: .4pt, width: 11mm, height: 5mm, inset: 1mm, baseline: 1mm)[…]",
    ),
    "field": (r" \underline{\makebox[30mm][l]{…}} ", " #box(width: 28mm, stroke: (bottom: .4pt))[~…] "),
    "bar": (r"\rule{…}{3mm}", "#box(width: …, height: 3mm, fill: black)"),
    "inline": ("$…$", "$…$"),
    "display": (r"\[…\]", "$ … $"),
    "break": (r"\newline ", "#linebreak()"),
}
_SIGNS_OF_LATEX: Final = {
    **{sign: "\\" + sign for sign in "_&%$#{}"},
    **{"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "′": "$'$"},
    **{"−": "$-$", "≈": r"$\approx$", "→": r"$\to$", "✓": r"$\checkmark$", "Σ": r"$\Sigma$"},
    **{"␣": r"\textvisiblespace{}", "□": r"$\square$", "\u202f": r"\,", "\u2011": "-"},
    **{"√": r"$\surd$", "∞": r"$\infty$", "μ": r"$\mu$", "σ": r"$\sigma$", "γ": r"$\gamma$", "β": r"$\beta$"},
    **{chr(0x2080 + digit): f"$_{digit}$" for digit in range(10)},
}


def _latex_text(text: str) -> str:
    return "".join(_SIGNS_OF_LATEX.get(s, s if ord(s) < 0x180 or s in "„“–…" else "?") for s in text)


def _latex_table(widths: Sequence[float], rows: Sequence[Sequence[str]]) -> str:
    columns = "".join(f"p{{{width - 2:g}mm}}|" for width in widths)
    lines = "\n".join(rf"\rule{{0mm}}{{5mm}}{' & '.join(row)} \\ \hline" for row in rows)
    return rf"\begin{{tabular}}{{|{columns}}}\hline {lines}\end{{tabular}}"


_TIKZ: Final = {"#000": "black", "#fff": "white", "middle": "base", "end": "base east", "start": "base west"}
_STEPS: Final = {
    **{"M": "({},{})", "m": "++({},{})", "L": "--({},{})", "h": "--++({},0)", "v": "--++(0,{})"},
    **{"C": "..controls({},{})and({},{})..({},{})", "z": "--cycle", "Z": "--cycle"},
}


def _tikz(figure: tree.Figure) -> str:
    shapes = "\n".join(map(_shape, fromstring(figure.svg)))
    bounds = rf"\useasboundingbox (0,0) rectangle ({figure.width:g},{figure.height:g});"
    return f"\\begin{{tikzpicture}}[x=1mm,y=-1mm]{bounds}\n{shapes}\\end{{tikzpicture}}"


def _shape(element: Element) -> str:
    has = {"fill": "#000", "stroke": "none", "stroke-width": "1", **element.attrib}
    fill, stroke = (_TIKZ.get(has[name], has[name]) for name in ("fill", "stroke"))
    look = f"fill={fill}," * (fill != "none")
    look += f"draw={stroke},line width={has['stroke-width']}mm" * (stroke != "none")
    look += re.sub(r"(\S+) (\S+)", r",dash pattern=on \1mm off \2mm", has.get("stroke-dasharray", ""))
    if "d" in has:
        rectangles = re.sub(r"M(\S+) (\S+?)H(\S+?)V(\S+?)H[^Z]*Z", r"(\1,\2)rectangle(\3,\4)", has["d"])
        step = re.sub("([MmLhvCzZ])([^A-Za-z(]*)", lambda m: _STEPS[m[1]].format(*m[2].split()), rectangles)
        return rf"\path[{look}] {step};"
    if "r" in has:
        return rf"\path[{look}] ({has['cx']},{has['cy']}) circle[radius={has['r']}mm];"
    if "font-size" not in has or not element.text:
        return ""
    font = rf"\fontsize{{{has['font-size']}mm}}{{0mm}}\selectfont" + r"\bfseries" * ("font-weight" in has)
    turn = re.sub(r".*\(-(\d+).*", r",rotate=\1", has.get("transform", ""))
    node = f"anchor={_TIKZ[has['text-anchor']]},inner sep=0,text={fill},font={font}{turn}"
    return rf"\node[{node}] at ({has['x']},{has['y']}) {{{_latex_text(element.text)}}};"


def _typst_text(text: str) -> str:
    return re.sub(r"[!-/:-@\[-`{-~]", r"\\\g<0>", text)


def _typst_table(widths: Sequence[float], rows: Sequence[Sequence[str]]) -> str:
    cells = "\n".join(f"[{cell}]," for row in rows for cell in row)
    return f"#table(columns: ({''.join(f'{width:g}mm, ' for width in widths)}),\n{cells})"


def _typst_picture(figure: tree.Figure) -> str:
    svg = json.dumps(figure.svg, ensure_ascii=False)
    return f'#image(bytes({svg}), format: "svg", width: {figure.width:g}mm)'


_MATHS: Final = {
    **{"mfrac": "frac({}, {})", "msub": "attach({}, b: {})", "msup": "attach({}, t: {})"},
    **dict.fromkeys(("msubsup", "munderover"), "attach({}, b: {}, t: {})"),
}


def _typst_math(element: Element) -> str:
    """MathML in Typst's words."""
    said, parts = element.text or "", [_typst_math(part) for part in element]
    match element.tag:
        case "mi" if len(said) > 1 or "mathvariant" in element.attrib:
            return f'op("{said}")'
        case "mi" | "mn":
            return said
        case "mtext":
            return json.dumps(said, ensure_ascii=False)
        case "mo":
            return '","' if (said, element.get("rspace")) == (",", "0") else _typst_text(said.strip("\u2061"))
        case "mspace":
            return {"0": "thin", "2": "wide"}.get(element.get("width", " ")[0], "")
        case "mtable":
            return f"display(mat(delim: #none, {'; '.join(parts)}))"
        case "mtr":
            return ", ".join(parts)
        case "msqrt":
            return f"sqrt({' '.join(parts)})"
        case "mrow" if element[0].text in ("(", "[", "‖"):
            return f"lr({' '.join(parts)})"
        case "math" | "mrow" | "mtd" | "mpadded":
            return " ".join(parts).replace(' "," ', '","')  # spaces beside words are printed
        case tag:
            return _MATHS[tag].format(*parts)


_LATEX: Final = Language(0, _latex_text, lambda formula: formula.latex, _latex_table, _tikz)
_TYPST: Final = Language(
    1, _typst_text, lambda formula: _typst_math(formula.mathml), _typst_table, _typst_picture
)
