"""The README's commands, each as it stands and in order, in a copy whose path has a space and an umlaut."""

import csv
import json
import re
import shlex
import shutil

import pypdfium2
from starting import ROOT, environment, started

PROGRAM = "./papierformer"
NOT_COPIED = shutil.ignore_patterns(".*", "die-*", "tests", "docs")
COMMANDS = [
    shlex.split(line, comments=True)
    for block in re.findall(r"```sh\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    for line in block.splitlines()
    if line.startswith(PROGRAM)
]


def filled_in(folder, sheet):
    """What the README takes for granted: answers to the sheet, and a page of it as it comes from a copier."""
    quantities = json.loads((sheet / "rechnung.json").read_text(encoding="utf-8"))["quantities"]
    name, table = next((name, each["hand"]) for name, each in quantities.items() if name.endswith("weight"))
    with (folder / "antworten.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("name", "index", "wert"), (name, "0,0", table[0][0])])
    with pypdfium2.PdfDocument(sheet / "arbeitsblatt.pdf") as whole, pypdfium2.PdfDocument.new() as scan:
        scan.import_pages(whole, [2])  # it takes two seconds to read
        scan.save(folder / "scan.pdf")


def test_every_command(tmp_path, request):
    folder = tmp_path / "Mein Ordner ä"
    shutil.copytree(ROOT, folder, ignore=NOT_COPIED)
    sheet = folder / "output/die-katze-sitzt-auf-der-matte"
    assert {words[1] for words in COMMANDS} == {"blatt", "klassensatz", "pruefe", "einlesen"}
    for _, *words in COMMANDS:
        if "30" in words and not request.config.getoption("--gruendlich"):
            words[words.index("30")] = "1"
        if words[0] in ("pruefe", "einlesen"):
            filled_in(folder, sheet)
        run = started(*words, cwd=folder, env=environment(PYTHONPATH=str(folder)), text=True, timeout=600)
        assert (run.returncode, run.stderr.count("Unerwarteter")) == (0, 0), (words, run.stderr)
        if words[0] == "blatt" and "--gruppen" not in words and "--help" not in words:
            most = 4 if "--zeit" in words else 34  # a lesson, a booklet
            assert 1 <= int(re.search(r"(\d+) Seiten", run.stdout + run.stderr)[1]) <= most, words
    assert {".pdf", ".html", ".json"} <= {path.suffix for path in folder.glob("output/*/**/*")}
