"""Printed check sums hold for honest pupils, within their printed tolerance, and see a slip."""

import re
from functools import cache

import numpy as np
import pytest
from choosing import crossed
from laid_out import KATZE, sheet_of, text_of

from engine.judging.acceptance import simulate
from generator.basics.numbers import parse_number
from generator.calculation.build import build
from generator.options.options import Options
from generator.sheet.desk import Desk
from generator.stations.add_norm.station import (
    changes_nothing,
    first_layer,
    mean_tolerance,
    second_layer,
    squares_tolerance,
)
from generator.stations.feed_forward.station import units_by_hand
from generator.stations.worked_lines import hidden_probe, honest_sum

each_options = pytest.mark.parametrize(
    "options",
    [
        {},
        {"gewichte": "ganzzahlig", "bloecke": 2},
        {"nachkommastellen": 1, "maske": False},
        {"gewichte": "dezimal", "nachkommastellen": 3, "dimension": 6, "heads": 3},
    ],
)


def desk_of(**options):
    return desk(Options.from_mapping({"satz": KATZE, **options}))


@cache
def desk(options):
    built = build(options)
    return Desk(built, ("5", "6", "7"), built.ranges())


def plain_number(text):
    return float(parse_number(text.strip("()"))) if text else 0.0


def allowed(text):
    return plain_number(text) + 1e-9


def said(form, sheet, desk):
    return re.findall(form, text_of(sheet, desk).replace("\N{NO-BREAK SPACE}", " "))


@each_options
def test_weights_add_up_to_1_within_what_the_sheet_says(options):
    sheet, shown = sheet_of(**{"stationen": "4a,4b"} | options)
    found = said(r"Gewichte ergeben zusammen 1,0+ \(± ([\d,]+)\)", sheet, shown)
    assert min(map(allowed, found)) > allowed("")
    for name, quantity in shown.hand.items():
        if name.endswith(".weight"):
            assert np.abs(quantity.values.sum(-1) - 1).max() <= allowed(max(found))


def summed(desk):
    """Cells that a self-check adds up: the last axis of each of these quantities, as far as it is shown."""
    endings = ("score", "scaled", "output", "attention", "residual1", "hidden", "logit")
    for name, quantity in desk.calculation.hand.items():
        if quantity.place.last in endings and not quantity.place.way:
            for row in np.ndindex(*quantity.shown.shape[:-1]):
                yield name, [(*row, int(i)) for i in np.flatnonzero(quantity.shown[row])]


@each_options
def test_sums_of_honest_pupils_stay_within(options):
    """Of 200 one may write a number that the key does not accept either."""
    desk = desk_of(**options)
    papers = next(simulate(desk.calculation, 200, seed=1))
    checks = list(summed(desk))
    for name, cells in checks:
        of_class = papers[name].values
        totals = sum(of_class[(..., *cell)] for cell in cells)
        right = sum(desk.calculation.hand[name].values[cell] for cell in cells)
        beyond = np.abs(totals - right) > honest_sum(desk, name, cells).reach + 1e-9
        assert beyond.sum() <= 1, (name, cells)
    assert len(checks) > 40


@each_options
def test_the_probe_of_hidden_numbers_holds_for_any_vector_and_sees_a_slip(options):
    desk, rng = desk_of(**options), np.random.default_rng(1)
    at, places = "block1.ffn.", desk.options.nachkommastellen
    weights = desk.calculation.model.weights
    units = units_by_hand(desk, at, desk.path)
    probe = hidden_probe(desk, at, units)
    tolerance = allowed(probe.tolerance)
    for _ in range(50):
        z = rng.uniform(-2, 2, desk.sizes.d_model).round(places)
        u = z @ weights[at + "W_1"] + weights[at + "b_1"]
        told = sum(z[i - 1] * plain_number(text) for i, text in probe.terms) + plain_number(probe.added)
        assert abs(u[units].round(places).sum() - told) <= tolerance
    assert tolerance < 0.1 or places == 1


@pytest.mark.parametrize(
    ("weights", "seed", "places"), crossed(["ganzzahlig", "auswahl", "dezimal"], range(6), [1, 2, 3])
)
def test_checks_of_a_norm_let_right_work_pass_and_see_a_wrong_spread(weights, seed, places):
    """The variance instead of its root, and the spread of a sample, are told by the sum of the squares."""
    _, desk = sheet_of(stationen="5", gewichte=weights, startwert=seed, nachkommastellen=places)
    d = desk.sizes.d_model
    for layer in (first_layer(1), second_layer(1)):
        residual, output = (desk.quantity(name).values for name in (layer.residual, layer.at + "output"))
        if not changes_nothing(desk, layer.at):  # γ and β stretch: there the check is another
            continue
        assert np.abs(output.mean(axis=1)).max() <= allowed(mean_tolerance(desk, layer))
        sums = (residual - desk.quantity(layer.at + "mean").values[:, None]).sum(axis=1)
        assert np.abs(sums).max() <= allowed(desk.tolerance(d))
        within = allowed(squares_tolerance(desk, layer))
        assert np.abs((output**2).sum(axis=1) - d).max() <= within
        own, variance = (
            (residual - residual.mean(axis=1, keepdims=True))[desk.path],
            residual[desk.path].var(),
        )
        if within < 1:  # where every spread is tiny, rounding alone is as large as these mistakes
            assert abs((own**2).sum() / (variance * d / (d - 1)) - d) > within
        if abs(variance - 1) > within:
            assert abs((own**2).sum() / variance**2 - d) > within


def test_tolerances_are_tight_and_none_is_printed_where_nothing_is_rounded():
    def off(name, count, **options):
        return honest_sum(desk_of(**options), name, [(2, i) for i in range(count)]).off

    assert mean_tolerance(desk_of(), first_layer(1)) == "0,02"
    assert off("unmasked.head1.score", 6) == hidden_probe(desk_of(), "block1.ffn.", range(3)).tolerance == ""
    assert off("unmasked.head1.score", 6, gewichte="dezimal") == "0,06"
    assert off("block1.residual1", 4, maske=False) != ""
    assert hidden_probe(desk_of(gewichte="dezimal"), "block1.ffn.", range(8)).tolerance == "0,04"
