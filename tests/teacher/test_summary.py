from pathlib import Path

from engine.effort import Operations
from generator.summary import Summary
from generator.workload import Workload


def test_the_closing_words():
    work = Workload(12, 30, Operations(multiplications=1, divisions=8, exponentials=6), 21.6)
    text = Summary(Path("aus"), ("b.pdf", "a.pdf"), 1, work, ("Es fehlt etwas.",)).text()
    assert text.splitlines() == [
        "Fertig: aus",
        "  a.pdf, b.pdf",
        "  1 Seite, 30 Lücken, 12 BE",
        "  1 Multiplikation, 8 Divisionen, 6 Exponentialwerte; geschätzt 22 Minuten für die Lernenden",
        "Es fehlt etwas.",
    ]


def test_without_pdf_no_pages_are_named():
    assert "Seite" not in Summary(Path("aus"), (), 0, Workload()).text()


def test_many_files_are_named_once_for_both_endings():
    names = ["arbeitsblatt", "gruppe-1", "gruppe-1-loesung", "lehrkraft", "loesung"]
    files = (*(f"{name}.{kind}" for name in names for kind in ("html", "pdf")), "rechnung.json")
    said = Summary(Path("aus"), files, 0, Workload()).text().splitlines()[1]
    assert said == f"  je .html und .pdf: {', '.join(names)}; rechnung.json"
    only_html = tuple(f"{n}.html" for n in range(10))
    assert Summary(Path("aus"), only_html, 0, Workload()).text().splitlines()[1] == "  " + ", ".join(
        only_html
    )
