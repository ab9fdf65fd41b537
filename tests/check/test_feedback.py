"""What a pupil is told says the same as the teacher's page, and of everything that is missing."""

import json
import re
from decimal import Decimal

import pytest

from generator.calculation.build import build
from generator.calculation.rebuild import rebuild
from generator.check.answers import Answers
from generator.check.check import check
from generator.check.entries import Entry, follows_from
from generator.check.in_words import MarkedPaper, feedback
from generator.check.report import write_report
from generator.options.options import Options
from generator.production.marking import as_html
from generator.stations.make_sheet import make_sheet

SLIP = "unmasked.head1.scaled", (2, 0)


@pytest.fixture(scope="module")
def rebuilt():
    options = Options(satz="Die Katze schläft", stationen=("4a",), stufe=1)
    return rebuild(json.loads(make_sheet(build(options)).record_json()))


def told(rebuilt, **changed):
    """The report and what the pupil reads, of right values in every field but those."""
    hand = rebuilt.calculation.hand
    asked = dict.fromkeys(cell for exercise in rebuilt.exercises for cell in exercise.cells)
    values = {
        (n, i): str(round(float(hand[n].values[i]), hand[n].places or 0)) for n, i in asked if n in hand
    }
    values |= changed.get("written", {})
    kept = {cell: text for cell, text in values.items() if cell not in changed.get("left_out", ())}
    entries = tuple(Entry(name, index, text, Decimal(text)) for (name, index), text in kept.items())
    report = check(rebuilt, Answers(entries, 0))
    page = feedback([MarkedPaper("", "Mia", rebuilt, report)], "24.11.2026")
    html = write_report(report, rebuilt, "html")
    return kept, html, re.sub(r"<[^>]+>|\s+", " ", page.partition("</style>")[2])


def test_what_depends_on_a_slip_is_said_once_and_truly(rebuilt):
    left_out = (("unmasked.head1.exp_sum", (2,)), ("unmasked.head1.output", (2, 0)))
    kept, html, text = told(rebuilt, written={SLIP: "9"}, left_out=left_out)
    depending = len(follows_from(rebuilt.calculation, SLIP, Decimal(9)) & kept.keys())
    assert depending > 3
    assert f"{depending} deiner anderen Zahlen hängen daran und stimmen trotzdem" in text
    assert "Danach ändern sich" not in text
    assert "Noch leer: 1 Feld in Station 4a, Aufgabe 4 und 1 Feld in Station 4a, Aufgabe 5." in text
    clean = re.search("<h2>Ohne Fehler</h2>(.*?)</p>", html, re.DOTALL)[1]
    assert "Station 4a, Gewicht" in clean
    assert "Station 4a, gewichtete Summe" not in clean


def test_what_is_empty_is_no_success(rebuilt):
    html = as_html([MarkedPaper("", "Mia", rebuilt, check(rebuilt, Answers((), 0)))], ())
    asked = sum(len(exercise.cells) for exercise in rebuilt.exercises)
    assert f"Leer sind {asked} von {asked} Feldern." in html
    assert "Es gab keinen Fehler" not in html


def test_every_further_slip_is_named_and_a_sum_stands_under_no_word(rebuilt):
    _, html, text = told(rebuilt, written={SLIP: "9", ("unmasked.head1.query", (2, 1)): "9"})
    assert "Eine weitere Stelle stimmt aus einem anderen Grund nicht: Station 4a, Aufgabe 4: " in text
    sums = html.partition("Station 4a, Summe der e<sup>x</sup></h3>")[2].partition("</table>")[0]
    assert re.findall(r'<th scope="col">(.*?)</th>', sums) == ["Zahl"]
