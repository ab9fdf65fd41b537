"""A document laid out as two halves is the one that laying it out as a whole gives."""

from __future__ import annotations

import io
import multiprocessing
import re
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from generator.basics.fonts import font_css
from generator.output import pdf
from generator.output.pdf import PdfError, put_pages
from generator.output.shared import halves
from generator.output.shared.halves import Halves, write_in_halves
from generator.output.shared.shared_layout import NotShared, Part, SharedLayout
from tests.pdf.compare import differences
from tests.pdf.verapdf import assert_nothing_found, needs_verapdf

STYLE = """@page { size: A5; margin: 20mm;
  @bottom-left { content: element(foot, last) }
  @bottom-right { content: "Seite " counter(page) " von " counter(pages) } }
footer { position: running(foot) }
.station { break-before: page }
.contents a::after { content: leader(".") target-counter(attr(href), page) }
.on-page::after { content: " (Seite " target-counter(attr(href), page) ")" }"""


def sheet(value: str = "0,12", stations: int = 14, body: str = "pdf key both", more: str = "") -> str:
    names = range(1, stations + 1)
    contents = "".join(f'<li><a href="#station-{name}">Station {name}</a></li>' for name in names)
    parts = "".join(
        f'<section class="station" id="station-{name}"><h1>Station {name}</h1><p>Es sind {value}.</p>'
        f'<p><a class="{"on-page" * (name > 5)}" href="#here-{name}">Hier</a> und '
        '<a href="#station-1">vorn</a></p>'
        '<table><tbody><tr><th scope="col">Ein Wort</th></tr><tr><td>'
        f'<span class="blank" data-q="x.sum" data-i="1"><span class="value">{value}</span></span></td></tr>'
        "</tbody></table>"
        f'<h2 id="here-{name}">Hier</h2><p>{"Ein Satz mit ein paar Wörtern. " * 60}</p></section>'
        for name in names
    )
    return (
        f'<!doctype html><html lang="de"><head><title>t</title><style>{font_css("pdf")}{STYLE}</style></head>'
        f'<body class="{body}">\n<footer>Fuß</footer>\n<main>\n<h1>Heft</h1>'
        f'<ul class="contents">{contents}</ul>'
        f"{more}{parts}</main>\n<footer>Ende</footer></body></html>"
    )


@pytest.fixture(autouse=True)
def long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(halves, "_LONG", range(20_000, 10**6))
    monkeypatch.setattr(halves, "CORES", 2)
    monkeypatch.setattr(pdf, "_LENGTHS", {pdf.LATER: 10**6})


def halved(html: str) -> Halves | None:
    return Halves.of(html, {}, title="t")


def targets(data: bytes) -> list[tuple[int, int | None]]:
    """Of each link the pages that it stands on and goes to."""
    reader = PdfReader(io.BytesIO(data))
    found = []
    for number, page in enumerate(reader.pages):
        for each in page.get("/Annots", []):
            name = each.get_object()["/Dest"]
            found.append((number, reader.get_destination_page_number(reader.named_destinations[name])))
    return found


@pytest.mark.skipif(not halves.COPIES_ITSELF, reason="no copies of a process")
def test_halves_joined_are_the_sheet() -> None:
    both = halved(sheet())
    assert both is not None
    assert both.last.places.pages > 5
    one = SharedLayout.of(sheet(), {}, title="t")
    other = Part(sheet("0,34"), "u", "ABCD")
    for part in (Part(sheet(), "t"), other):
        (ours,), (theirs,) = both.results([part], {}), one.results([part], {})
        assert list(differences(ours.data, theirs.data)) == []
        assert targets(ours.data) == targets(theirs.data)
        for field in ("pages", "anchors", "starts", "blanks", "size"):
            assert getattr(ours, field) == getattr(theirs, field), field
    with pytest.raises(NotShared):
        both.results([Part(sheet(stations=7), "t")], {})


@pytest.mark.skipif(not halves.COPIES_ITSELF, reason="no copies of a process")
def test_a_document_of_some_pages_is_written_in_halves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(halves, "_SHORT", range(5_000, 10**6))
    monkeypatch.setattr(pdf, "_LENGTHS", {"0": 10**6})
    html = sheet(stations=3)
    ours, again = (write_in_halves(html, {}, title="t") for _ in range(2))
    theirs = pdf.write_pdf(html, title="t")
    assert ours is not None
    assert ours == again
    assert list(differences(ours.data, theirs.data)) == []
    assert targets(ours.data) == targets(theirs.data)
    assert (ours.pages, ours.anchors, ours.starts) == (theirs.pages, theirs.anchors, theirs.starts)
    assert write_in_halves(sheet(stations=12), {}, title="t") is None  # of ten pages or more
    monkeypatch.setitem(multiprocessing.current_process()._config, "daemon", True)
    assert write_in_halves(html, {}, title="t") is None  # whoever may not start processes does without


@pytest.mark.skipif(not halves.COPIES_ITSELF, reason="no copies of a process")
@needs_verapdf
def test_it_keeps_both_standards(tmp_path: Path) -> None:
    both = halved(sheet())
    assert both is not None
    file = tmp_path / "sheet.pdf"
    file.write_bytes(both.results([Part(sheet(), "t")], {})[0].data)
    assert_nothing_found([file])


@pytest.mark.parametrize(
    "html",
    [
        sheet(stations=7, more="<p>Ein Satz.</p>" * 200),
        sheet(body="pdf key both fronts"),
        sheet(body="pdf key both flowing"),
        sheet(stations=0, more="<p>Ein Satz.</p>" * 2_000),
    ],
    ids=["second begins before page 10", "fronts", "flowing", "no stations"],
)
def test_what_cannot_be_halved_is_laid_out_as_a_whole(html: str) -> None:
    assert halved(html) is None


@pytest.mark.parametrize("digits", [1, 2, 3])
def test_pages_of_targets_are_put_in_without_another_layout(
    digits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    fits = []

    def put(*of: Any) -> bool:
        fits.append(put_pages(*of))
        return fits[-1]

    monkeypatch.setattr(pdf, "_LENGTHS", {"0" * digits: 10**6} if digits < 3 else {})
    monkeypatch.setattr(pdf, "put_pages", put)
    few, many = (pdf.write_pdf(sheet(stations=stations), title="t") for stations in (3, 14))
    assert fits == [True, digits == 2]  # „(Seite 12)“ has no room to spare
    for result in (few, many):
        text = PdfReader(io.BytesIO(result.data)).pages[0].extract_text()
        told = re.findall(r"\.\.+\s*(\d+)", text)
        assert told == [str(result.places[f"station-{each}"]) for each in range(1, len(told) + 1)] != []


def test_nothing_but_letters_makes_a_document_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that is told within a sentence leaves no gap, however many shapes are drawn."""
    monkeypatch.undo()
    drawn = f'<svg><path d="{"M1 1h1" * 20_000}"/></svg>'
    html = sheet(stations=1, more=f'{drawn}<p><a class="on-page" href="#station-1">Dort</a>.</p>')
    data = pdf.write_pdf(html, title="t").data
    assert "Dort (Seite 2)." in PdfReader(io.BytesIO(data)).pages[0].extract_text()


@pytest.mark.skipif(not halves.COPIES_ITSELF, reason="no copies of a process")
def test_a_link_to_nowhere_is_an_error_in_either_half() -> None:
    with pytest.raises(PdfError):
        halved(sheet(more='<p><a href="#nowhere">x</a></p>'))
    assert halved(sheet().replace("</main>", '<p><a href="#nowhere">x</a></p></main>')) is None
