"""Layouts kept on disk: the same sheet again needs no WeasyPrint; what is damaged is laid out anew."""

from __future__ import annotations

import os
import pickle
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from starting import environment, started

from generator.basics.fonts import folder, font_css
from generator.options.options import Options
from generator.output.many import PdfJob, Printers, ThisProcess
from generator.output.pdf import PdfResult
from generator.output.shared.layouts import Layouts, Part
from generator.output.shared.metrics import _read, face
from generator.production.worksheet import make_files
from tests.pdf.compare import differences
from tests.pdf.test_shared import SENTENCE


def page(body: str) -> str:
    style = f"{font_css('pdf')}@page{{size:A4;margin:20mm}}body{{margin:0}}"
    head = f"<head><title>t</title><style>{style}</style></head>"
    return f'<!doctype html><html lang="de">{head}<body>{body}</body></html>'


def numbers(value: str) -> str:
    return page(f'<h1>Zahlen</h1><p>Es sind <span class="n">{value}</span> Stück.</p>')


def written(layouts: Layouts, html: str, title: str) -> PdfResult | None:
    return next(iter(layouts.write([Part(html, title)], {}) or ()), None)


def paginated(layouts: Layouts, html: str, title: str) -> PdfResult | None:
    part = Part(html, title)
    return next(iter(layouts.paginate(part, [part], {}) or ()), None)


def test_another_number_is_written_with_the_kept_layout(tmp_path: Path) -> None:
    layouts = Layouts(tmp_path)
    assert written(layouts, numbers("0,12"), "a") is None
    first = paginated(layouts, numbers("0,12"), "a")
    again = written(layouts, numbers("0,12"), "a")
    assert first is not None
    assert again == first
    other = written(layouts, numbers("−3,45"), "b")
    plain = paginated(Layouts(tmp_path / "other"), numbers("−3,45"), "b")
    assert other is not None
    assert plain is not None
    assert list(differences(other.data, plain.data)) == []
    assert written(layouts, numbers("0,12" * 60), "a") is None
    assert written(layouts, numbers("0,12").replace("margin:0", "margin:1mm"), "a") is None


class Evil:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, ("touch evil",)


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"\xff",
        zlib.compress(b"half"),
        zlib.compress(pickle.dumps([1])),
        zlib.compress(pickle.dumps(Evil())),
    ],
)
def test_a_damaged_layout_is_laid_out_anew(tmp_path: Path, damage: bytes) -> None:
    layouts = Layouts(tmp_path)
    first = paginated(layouts, numbers("0,12"), "a")
    (file,) = (tmp_path / "layouts").iterdir()
    file.write_bytes(damage)
    assert written(layouts, numbers("0,12"), "a") is None
    assert paginated(layouts, numbers("0,12"), "a") == first
    assert not Path("evil").exists()


def test_the_folder_does_not_grow_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.output.shared.layouts._MOST", 3)
    layouts = Layouts(tmp_path)
    for margin in range(5):
        html = numbers("1").replace("margin:0", f"margin:{margin}px")
        paginated(layouts, html, "a")
    assert len(list((tmp_path / "layouts").iterdir())) == 3
    assert written(layouts, html, "a") is not None


def test_printers_use_what_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAPIERFORMER_CACHE", str(tmp_path))
    jobs = [PdfJob(numbers("0,12"), "a"), PdfJob(page("<table><tr><td>1</td></tr></table>"), "b")]
    with Printers(0, run="two") as printers:
        first = printers.write(jobs)
    monkeypatch.setattr("generator.output.many.helpers", None)
    with Printers(1, run="two") as printers:
        assert printers.write(jobs) == first


def test_the_same_sheet_again_loads_no_library_of_pages(tmp_path: Path) -> None:
    program = (
        "import sys; from generator.commands.cli import main; status = main(sys.argv[1:]);"
        "print(status, *({'weasyprint', 'sympy', 'ziamath', 'fontTools'} & set(sys.modules)))"
    )
    sheet = ("blatt", SENTENCE, "--stationen", "S", "--ausgabe", tmp_path / "out")
    where = environment(PAPIERFORMER_CACHE=str(tmp_path / "cache"))
    pdfs = []
    for _ in range(2):
        run = started(*sheet, code=program, env=where, text=True, check=True)
        pdfs.append({file.name: file.read_bytes() for file in (tmp_path / "out").glob("*/*.pdf")})
    assert run.stdout.splitlines()[-1] == "0"
    assert len(pdfs[0]) == 4
    assert pdfs[0] == pdfs[1]


def test_fonts_are_read_once(tmp_path: Path, monkeypatch) -> None:
    """And read anew where what was kept is damaged."""
    monkeypatch.setenv("PAPIERFORMER_CACHE", str(tmp_path))
    monkeypatch.setattr("generator.basics.files.PREPARED", tmp_path / "nothing")
    font = next(folder().glob("pdf/*.ttf")).read_bytes()
    made = face.__wrapped__(font)
    (kept,) = tmp_path.glob("*.face")
    content = kept.read_bytes()
    assert made == _read(font)
    monkeypatch.setattr("generator.output.shared.metrics._read", lambda _: pytest.fail("read again"))
    assert face.__wrapped__(font) == made
    monkeypatch.setattr("generator.output.shared.metrics._read", lambda _: made)
    for damaged in (content[:-9], b"[]", b'{"glyphs": {}}'):
        kept.write_bytes(damaged)
        assert face.__wrapped__(font) == made
        assert kept.read_bytes() == content


def test_cards_are_written_with_the_layout_prepared_for_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAPIERFORMER_CACHE", str(tmp_path))
    laid_out = []
    paginate = Layouts.paginate
    monkeypatch.setattr(
        Layouts,
        "paginate",
        lambda self, whole, *of: laid_out.append(whole.title) or paginate(self, whole, *of),
    )
    options = Options(satz=SENTENCE, stationen=("2", "4a"), gewichte="auswahl")
    with Printers(executor=ThisProcess()) as printers:
        for seed in range(2):
            make_files(replace(options, startwert=seed), lambda *_, **__: None, printers)
    assert [title[-12:] for title in laid_out if title.endswith("Stundenkarte")] == ["Stundenkarte"]
