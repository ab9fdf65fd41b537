"""„Tausche ein Wort“: every run is the model's own, nothing of the sheet's sentence leaks."""

import re
from functools import cache
from itertools import combinations, pairwise

import pytest
from findings.reckoned import weights_of
from findings.seen import Seen

from generator.calculation.build import build
from generator.options.options import Options
from generator.sheet.whole_sheet import withheld
from generator.stations.make_sheet import build_sheet
from tests.figures.drawn import boxes_of, overlap_of

KATZE = "Die Katze sitzt auf der Matte"


@cache
def parts(**options):
    sheet, desk = build_sheet(build(Options.from_mapping({"satz": KATZE, "gewichte": "gelernt", **options})))
    (station,) = (station for station in sheet.stations if station.id == "8")
    return station, desk


def numbers(text):
    return [float(n.replace(",", ".")) for n in re.findall(r"\d,\d+", text)]


def test_every_ribbon_is_as_wide_as_an_independent_calculation_says():
    station, desk = parts()
    m = station.parts.exchanged
    for figure in (m.own, *m.others, m.mix):
        words = figure.title.split("„")[1].split(" …")[0].split()
        told = figure.drawing.text.split("; ")[: m.heads]
        for said, weights in zip(told, weights_of(Seen(desk, ()), words), strict=True):
            assert numbers(said) == pytest.approx(list(weights)), words


def test_the_sheets_own_sentence_is_the_sheets_own_row_and_its_results_are_left_to_the_pupil():
    station, desk = parts()
    m = station.parts.exchanged
    last = desk.n - 1
    row = [desk.number("block1.head2.weight", last, j).text for j in range(desk.n)]
    assert re.findall(r"\d,\d+", m.own.drawing.text.split("; ")[1]) == row
    best = desk.number("temperature1.probability", desk.calculation.predicted()).text
    assert best in m.own.drawing.text
    shown = withheld(m.own).drawing
    assert best not in f"{shown.text}{shown.shapes}"
    assert not set(row) & set(re.findall(r">(\d,\d+)<", str(shown.shapes).split("Head 2")[-1])) - {
        desk.number("block1.head1.weight", last, j).text for j in range(desk.n)
    }


def test_the_mix_was_never_read_and_differs_in_both_words():
    station, desk = parts()
    m, corpus = station.parts.exchanged, desk.built.learnt.corpus
    words = m.beginning.split()
    assert not any(text[: len(words)] == tuple(words) for text in corpus.texts)
    assert sum(a != b for a, b in zip(words, desk.words, strict=True)) == 2
    assert m.said.text == m.found.saying.word
    assert [max(numbers(" ".join(row.cells[1].text for row in m.guess.rows)))] == numbers(
        m.found.saying.share
    )


@pytest.mark.parametrize("options", [{}, {"heads": 1, "dimension": 4}])
def test_labels_of_the_sentences_stay_apart(options):
    station, _ = parts(**options)
    m = station.parts.exchanged
    for figure in filter(None, (m.own, *m.others, m.mix)):
        for (one, a), (other, b) in combinations(boxes_of(figure.drawing), 2):
            assert overlap_of(a, b) < 0.05, (figure.title, one, other)


def test_lines_to_write_on_beside_a_sentence_are_as_far_apart_as_on_the_page():
    station, _ = parts()
    for figure in (station.parts.exchanged.own, station.parts.exchanged.mix):
        ends = re.findall(r"M[\d.]+ ([\d.]+)L([\d.]+) \1", str(withheld(figure).drawing.shapes))
        heights = sorted(float(y) for y, right in ends if float(right) > figure.width - 2)
        assert len(heights) == 3
        assert all(below - above >= 8.0 for above, below in pairwise(heights))
