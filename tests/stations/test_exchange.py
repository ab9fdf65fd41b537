"""„Tausche ein Wort“: every run is the model's own, nothing of the sheet's sentence leaks."""

import re
from functools import cache
from itertools import combinations

import pytest
from findings.reckoned import weights_of
from findings.seen import Seen

from generator.calculation.build import build
from generator.options.options import Options
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


@pytest.mark.parametrize("options", [{}, {"heads": 1, "dimension": 4}])
def test_labels_of_the_sentences_stay_apart(options):
    station, _ = parts(**options)
    m = station.parts.exchanged
    for figure in filter(None, (m.own, *m.others, m.mix)):
        for (one, a), (other, b) in combinations(boxes_of(figure.drawing), 2):
            assert overlap_of(a, b) < 0.05, (figure.title, one, other)
