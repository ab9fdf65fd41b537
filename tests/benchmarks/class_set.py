"""A class set beside other typesetters: `python tests/benchmarks/class_set.py [--anzahl 30]`.

Ours: `klassensatz` as a process, with nothing kept and with all layouts kept, everything included (choosing
equally hard numbers, ranges, overview, binding). Theirs: the headings, paragraphs, tables and formulas of the
same worksheets and keys, ready as source files, one after the other in one process (Typst, from `pip install
typst`) or each twice in a process of its own (pdflatex, where it is installed). Then a layout and one more
document written with it.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

from latex import Marks, article, plain, seconds
from sheets import KATZE, Cold, milliseconds, run_cold, table

from generator.calculation.build import build
from generator.options.options import Options
from generator.output.formulas.formulas import formulas
from generator.output.formulas.typeset import Typesetter
from generator.output.shared import SharedLayout
from generator.output.sheet_documents import both_in_one, lay_out_sheet, ranges_on_sheet, worksheet_and_key

STATIONS = ("4a", "4b")
HEAD = '#set page(paper: "a4", margin: 20mm)\n#set text(size: 11pt)\n#outline()\n'
FORMULA = '$ "softmax"((Q K^T) / sqrt(d_k)) V = sum_(i=1)^n e^(x_i) / (sum_j e^(x_j)) dot v_i $'


def typst_article(html: str) -> str:
    """A plain Typst document, with as many formulas as the sheet explains."""
    marks = Marks(
        lambda columns, rows: (
            f"#table(columns: {columns}, {', '.join(cell for row in rows for cell in row)})"
        ),
        lambda said: f"#heading(level: 1, {said})",
        lambda said: f"#heading(level: 2, {said})",
        lambda said: json.dumps(" ".join(said.split()), ensure_ascii=False),
    )
    body = "\n\n".join(
        part if part.startswith("#") else f"#{part}" for part in plain(html, marks).split("\n\n")
    )
    return HEAD + body + "\n" + "\n".join([FORMULA] * len(formulas()))


def documents(seeds: int) -> list[str]:
    """Worksheet and key of so many seeds, as HTML."""
    made = []
    for seed in range(seeds):
        built = build(Options(satz=KATZE, stationen=STATIONS, gewichte="dezimal", startwert=seed))
        sheet, desk = lay_out_sheet(built, ranges_on_sheet(built))
        made += [each.html for each in worksheet_and_key(sheet, desk, Typesetter("pdf"), "pdf")]
    return made


def typst_seconds(sources: list[str]) -> float:
    import typst

    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{number}.typ" for number in range(len(sources))]
        for file, source in zip(files, sources, strict=True):
            file.write_text(source, encoding="utf-8")
        begun = time.perf_counter()
        for file in files:
            typst.compile(str(file), output=str(file.with_suffix(".pdf")))
        return time.perf_counter() - begun


def class_set(pupils: int, cache: Path) -> Cold:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PAPIERFORMER_CACHE"] = str(cache)
        command = [sys.executable, "-m", "generator", "klassensatz", KATZE, "--gewichte", "dezimal"]
        command += ["--anzahl", str(pupils), "--stationen", ",".join(STATIONS), "--ausgabe", folder]
        return run_cold(command, Path(folder))


def layout_and_one_more() -> tuple[float, float]:
    """Milliseconds of a layout, and of one more document written with it."""
    built = build(Options(satz=KATZE, stationen=STATIONS))
    sheet, desk = lay_out_sheet(built, ranges_on_sheet(built))
    typesetter = Typesetter("pdf")
    worksheet, _ = worksheet_and_key(sheet, desk, typesetter, "pdf")
    whole, images = both_in_one(sheet, desk, typesetter), typesetter.images
    layout = SharedLayout.of(whole.html, images, title=whole.title)
    layout.write(worksheet.html, images, title=worksheet.title)
    laid_out = milliseconds(lambda: SharedLayout.of(whole.html, images, title=whole.title), 3)
    return laid_out, milliseconds(lambda: layout.write(worksheet.html, images, title=worksheet.title))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--anzahl", type=int, default=30)
    pupils = parser.parse_args().anzahl
    made = documents(pupils)
    rows: list[list[str]] = []
    with tempfile.TemporaryDirectory() as cache:
        for kept in ("nothing kept", "layouts kept"):
            run = class_set(pupils, Path(cache))
            rows.append(
                [f"`klassensatz`, {kept}", f"{run.seconds:.1f}", str(run.pages), f"{run.megabytes:.0f}"]
            )
    rows.append([f"Typst, {len(made)} files", f"{typst_seconds([*map(typst_article, made)]):.1f}", "–", "–"])
    if shutil.which("pdflatex"):
        few = [seconds(article(html, list(formulas().values())))[0] for html in made[:6]]
        rows.append(
            [f"pdflatex, {len(made)} files (from six)", f"{statistics.mean(few) * len(made):.1f}", "–", "–"]
        )
    print(table([f"{pupils} worksheets and {pupils} keys", "s", "pages", "peak MB"], rows))
    laid_out, more = layout_and_one_more()
    times = laid_out / more
    print(f"A layout {laid_out:.0f} ms, one more document {more:.1f} ms: {times:.0f} times as fast.")


if __name__ == "__main__":
    main()
