"""The judge of the pages judged: pages with one fault put in, and what it says of them."""

from faults import CHECKS, all_faults, crossings
from paper import paper

from generator.basics.fonts import font_css

STYLE = (
    "@page{size:A4;margin:15mm 20mm 20mm 25mm}body{margin:0;font-size:11pt;line-height:1.35}"
    "h1,h2{margin:0 0 3mm}p{margin:0 0 2mm}table{border-collapse:collapse}td{border:1px solid}"
    ".blank{display:inline-block;border:1px solid}.answer{border:1px solid}.keep{break-inside:avoid}"
)
FILLED = "<p style='padding-top:90mm'>Gut gefüllt</p>"
NEXT_PAGE = "style='break-before:page'"


def faults(body, checks=CHECKS):
    html = f"<!doctype html><title>t</title><style>{font_css('pdf')}{STYLE}</style><body>{body}"
    return all_faults(paper(html, {}), checks)


def column_of(*numbers):
    cells = "".join(f"<tr><td style='height:9mm'>{number}</td></tr>" for number in numbers)
    return f"<table style='width:30mm'>{cells}</table>"


def test_a_good_page_has_none():
    """A table that moves to the next page as a whole leaves no hole that could be filled."""
    good = f"<section class=station>{FILLED}<h2>Titel</h2><p>Text</p>" + column_of("\u20070,43", "−0,51")
    good += "<p>a <span class=blank style='width:17mm;height:9mm'></span></p>"
    assert faults(f"{good}<div class=keep>{column_of(*range(24))}</div></section>") == []


# Below what fills a page.
BELOW = {
    "margins": [
        "<p style='width:170mm'>zu breit</p>",
        "<p style='margin-left:-4mm'>zu weit links</p>",
        "<table style='table-layout:fixed;width:170mm'><tr><td>x</table>",
    ],
    "commas": ["<table style='width:30mm;text-align:center'><tr><td><span class=n>0,43</span>"
               "<tr><td><span class=n>−0,51</span></table>"],
    "broken_sums": ["<p>0,4 · 0,3 +<br>0,5 · 0,1</p>", "<p>0,4 · 0,3 + 0,5 · 0,1<br>≈ 0,17</p>",
                    "<p>Der Vektor: y =<br>(0,4 | 0,3)</p>"],
    "overlaps": ["<p>eins</p><p style='margin-top:-6mm'>zwei</p>"],
    "spills": [
        "<table style='table-layout:fixed;width:20mm'><tr><td>Donaudampfschiff</table>",
        "<div class=answer style='height:9mm'>" + "sehr lange Antwort " * 20 + "</div>",
        "<p><span class=blank style='width:17mm;height:9mm'>−123,456789</span>",
    ],
    "narrow_blanks": [
        "<p><span class=blank style='width:18mm;height:5mm'></span>",
        "<table><tr><td class=write style='width:20mm'>x</table>",
    ],
    "lone_headings": ["<div class=task>Rechne!</div>"],
    "parted_checks": [f"<div class=check {NEXT_PAGE}>Prüfe!</div>{FILLED}"],
    "empty_pages": [f"<p {NEXT_PAGE}>allein</p>"],
    "torn": ["<p style='height:110mm'>x</p>" + column_of(*range(12)),
             "<p style='height:140mm'>x</p><div class=task>" + "<p>eine Zeile</p>" * 30],
    "holes": [f"<section class=station><p>x</p><div {NEXT_PAGE}>{FILLED}</div></section>"],
    "long_lines": ["<p style='font-size:9pt'>" + "In einem Satz hängen die Wörter zusammen. " * 6],
}  # fmt: skip


def test_a_fault_is_found():
    for fault, bodies in BELOW.items():
        for body in bodies:
            found = faults(FILLED + body)
            assert fault in {text.partition(":")[0] for text in found}, (fault, found)


def test_signs_that_stand_on_each_other_in_a_picture_are_found():
    for place, crossed in ((9, True), (30, False)):
        words = f"<text x='2' y='9'>Query</text><text x='{place}' y='6'>Key</text>"
        picture = f"<svg viewBox='0 0 60 12' style='width:60mm;height:12mm;font-size:6px'>{words}</svg>"
        assert bool(faults(FILLED + picture, checks=[crossings])) == crossed
