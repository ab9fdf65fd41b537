from pathlib import Path

from engine.judging.teaching import Operations
from generator.calculation.document import ranges_of
from generator.production.summary import Summary, summary_of
from generator.production.worksheet import SheetFiles
from generator.teacher.plan import Workload
from generator.teacher.review import review
from teacher.sheets import made


def test_the_closing_words():
    work = Workload(12, 30, Operations(multiplications=1, divisions=8, exponentials=6), 21.6)
    text = Summary(Path("aus"), ("b.pdf", "a.pdf"), 1, work, ("Es fehlt etwas.",)).text()
    assert text.splitlines() == [
        "Fertig: aus",
        "  a.pdf, b.pdf",
        "  1 Seite, 30 Lücken, 12 BE",
        "  1 Multiplikation, 8 Divisionen, 6 Exponentialwerte; "
        "geschätzt etwa 18 bis 22\N{NO-BREAK SPACE}Minuten für die Lernenden",
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


def test_mistakes_that_these_numbers_hide_are_named_on_the_terminal():
    """The only token to work out is the last one, from which the mask hides nothing."""
    sheet, desk, html = made(satz="Der Hund schläft", stationen="4b")
    certificate = review(sheet, desk, ranges_of(desk.built.whole)).certificate
    summary = summary_of(SheetFiles(desk.built, sheet, {}, 0, certificate=certificate), Path("aus"))
    said = "Mit diesen Zahlen nicht zu sehen: „Maske vergessen“, „0 statt −∞ in der Maske“."
    assert said in summary.notes
    assert "Mit diesen Zahlen nicht zu sehen" in html["lehrkraft"]


def test_what_is_hard_about_given_numbers_is_named_on_the_terminal():
    sheet, desk, _ = made(satz="May the force", stationen="4b", gewichte="ganzzahlig", skalierung=False)
    certificate = review(sheet, desk, ranges_of(desk.built.whole)).certificate
    noted = summary_of(SheetFiles(desk.built, sheet, {}, 0, certificate=certificate), Path("aus")).notes
    assert [*certificate.unfriendly, *certificate.confused] == list(noted)
