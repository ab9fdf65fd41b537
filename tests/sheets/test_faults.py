"""The judge of the pages judged: pages with one fault put in, and what it says of them."""

import pytest
from faults import CHECKS, all_faults, crossings, long_lines
from paper import paper

from generator.basics.fonts import font_css

STYLE = (
    "@page{size:A4;margin:15mm 20mm 20mm 25mm}body{margin:0;font-size:11pt;line-height:1.35}"
    "h1,h2{margin:0 0 3mm}p{margin:0 0 2mm}table{border-collapse:collapse}td{border:1px solid}"
    ".blank{display:inline-block;border:1px solid}.answer{border:1px solid}"
)
FILLED = "<p style='padding-top:90mm'>Gut gefüllt</p>"


def faults(body, css="", checks=CHECKS):
    html = f"<!doctype html><title>t</title><style>{font_css('pdf')}{STYLE}{css}</style><body>{body}"
    return all_faults(paper(html, {}), checks)


def table(rows, css="height:9mm"):
    cells = "".join(f"<tr><td style='{css}'>{i}</td></tr>" for i in range(rows))
    return f"<table style='width:100mm'>{cells}</table>"


def column_of(*numbers):
    cells = "".join(f"<tr><td><span class=n>{number}</span></td></tr>" for number in numbers)
    return f"<table style='width:30mm;text-align:center'>{cells}</table>"


def test_a_good_page_has_none():
    good = f"<section class=station>{FILLED}<h2>Titel</h2><p>Text</p>{table(3)}"
    good += column_of("\u20070,43", "−0,51", "\u20077,00")
    assert faults(good + "<p>a <span class=blank style='width:17mm;height:9mm'></span></p>") == []


# Below what fills a page.
BELOW = {
    "margins": [
        "<p style='width:170mm'>zu breit</p>",
        "<p style='white-space:nowrap'>" + "lang " * 60,
        "<p style='margin-left:-4mm'>zu weit links</p>",
        "<table style='table-layout:fixed;width:170mm'><tr><td>x</table>",
    ],
    "overlaps": [
        "<p>eins</p><p style='margin-top:-6mm'>zwei</p>",
        "<p style='line-height:0.4'>eins<br>zwei</p>",
    ],
    "spills": [
        "<table style='table-layout:fixed;width:20mm'><tr><td>Donaudampfschiff</table>",
        "<div class=answer style='height:9mm'>" + "sehr lange Antwort " * 20 + "</div>",
        "<p><span class=blank style='width:17mm;height:9mm'>−123,456789</span>",
    ],
    "narrow_blanks": [
        "<p><span class=blank style='width:8mm;height:8mm'></span>",
        "<p><span class=blank style='width:18mm;height:5mm'></span>",
        "<table><tr><td class=write style='width:20mm'>x</table>",
    ],
    "lone_headings": ["<div class=task>Rechne!</div>"],
    "parted_checks": [f"<div class=check style='break-before:page'>Prüfe!</div>{FILLED}"],
    "empty_pages": ["<p style='break-before:page'>allein</p>", "<div style='break-before:page'></div>"],
    "commas": [column_of("0,43", "−0,51")],
    "broken_sums": ["<p>0,4 · 0,3 +<br>0,5 · 0,1</p>", "<p>0,4 · 0,3 + 0,5 · 0,1<br>≈ 0,17</p>"],
    "parted_names": ["<p>Der Vektor des Wortes: y =<br>(0,4 | 0,3)</p>"],
}
HALF_EMPTY = f"<section class=station><p>x</p>{FILLED}<div style='break-before:page'>{FILLED}</div></section>"


@pytest.mark.parametrize(
    ("fault", "body", "css"),
    [
        *((fault, FILLED + body, "") for fault, bodies in BELOW.items() for body in bodies),
        ("size", FILLED, "@page{size:A5}"),
        ("torn", "<p style='height:200mm'>x</p>" + table(12), "tr{break-inside:avoid}"),
        ("torn", "<p style='height:250mm'>x</p><div class=task>" + "<p>eine Zeile</p>" * 30, ""),
        ("lone_headings", "<p style='height:245mm'>x</p><h2>Titel</h2>" + FILLED, "h2{break-after:page}"),
        ("holes", HALF_EMPTY, ""),
    ],
)
def test_a_fault_is_found(fault, body, css):
    found = faults(body, css)
    assert fault in {text.partition(":")[0] for text in found}, found


def test_a_table_that_moves_to_the_next_page_leaves_no_hole_that_could_be_filled():
    body = f"<section class=station>{FILLED}<div class=keep>{table(24)}</div></section>"
    assert faults(body, "div.keep{break-inside:avoid}") == []


def test_long_lines_are_counted_by_their_signs():
    html = f"<!doctype html><title>t</title><style>{font_css('pdf')}{STYLE}</style><p>"
    sizes = {9: True, 12: False}
    for points, too_long in sizes.items():
        body = f"<span style='font-size:{points}pt'>" + "In einem Satz hängen die Wörter zusammen. " * 6
        assert bool(list(long_lines(paper(html + body, {})))) is too_long


@pytest.mark.parametrize(("place", "crossed"), [(9, True), (30, False)])
def test_signs_that_stand_on_each_other_in_a_picture_are_found(place, crossed):
    words = f"<text x='2' y='9'>Query</text><text x='{place}' y='6'>Key</text>"
    picture = f"<svg viewBox='0 0 60 12' style='width:60mm;height:12mm;font-size:6px'>{words}</svg>"
    assert bool(faults(FILLED + picture, checks=[crossings])) == crossed
