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
