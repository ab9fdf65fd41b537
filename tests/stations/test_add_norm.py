"""Stations 5, 7 and B2, B3, …: blanks, working space, tolerances, further blocks, extremes."""

import numpy as np
import pytest
from choosing import crossed
from laid_out import KATZE, laid_out

from generator.basics.numbers import parse_number
from generator.options.options import Options
from generator.stations.add_norm.station import (
    changes_nothing,
    first_layer,
    mean_tolerance,
    second_layer,
    squares_tolerance,
)


def sheet_of(sentence=KATZE, stations="5", **options):
    return laid_out(Options(satz=sentence, stationen=stations, **options))


def station(sheet, name):
    return next(station for station in sheet.stations if station.id == name)


@pytest.mark.parametrize(("seed", "places"), crossed(range(6), [1, 2, 3]))
def test_right_work_passes_the_self_check(seed, places):
    _, desk = sheet_of(gewichte="ganzzahlig", startwert=seed, nachkommastellen=places, dimension=6)
    for layer in (first_layer(1), second_layer(1)):
        means = desk.quantity(layer.at + "output").values.mean(axis=1)
        assert np.abs(means).max() <= float(parse_number(mean_tolerance(desk, layer))) + 1e-9
        residual = desk.quantity(layer.residual).values
        sums = (residual - desk.quantity(layer.at + "mean").values[:, None]).sum(axis=1)
        assert np.abs(sums).max() <= float(parse_number(desk.tolerance(6))) + 1e-9


def test_the_tolerance_is_tight_where_the_spread_is_large():
    _, desk = sheet_of()
    assert mean_tolerance(desk, first_layer(1)) == "0,02"


@pytest.mark.parametrize(("seed", "weights"), crossed(range(6), ["auswahl", "ganzzahlig", "dezimal"]))
def test_the_squares_catch_a_wrong_spread_and_let_honest_work_pass(seed, weights):
    """The variance instead of its root, and the spread of a sample, are told by their sum."""
    _, desk = sheet_of(gewichte=weights, startwert=seed)
    d = desk.sizes.d_model
    for layer in (first_layer(1), second_layer(1)):
        if not changes_nothing(desk, layer.at):  # γ and β stretch: there the check is another
            continue
        allowed = float(parse_number(squares_tolerance(desk, layer)))
        honest = (desk.quantity(layer.at + "output").values ** 2).sum(axis=1)
        assert np.abs(honest - d).max() <= allowed + 1e-9
        residual = desk.quantity(layer.residual).values
        deviations, variances = residual - residual.mean(axis=1, keepdims=True), residual.var(axis=1)
        own, variance = deviations[desk.path], variances[desk.path]
        if allowed < 1:  # where every spread is tiny, rounding alone is as large as these mistakes
            assert abs((own**2).sum() / (variance * d / (d - 1)) - d) > allowed
        if abs(variance - 1) > allowed:
            assert abs((own**2).sum() / variance**2 - d) > allowed


def test_a_further_block_asks_for_every_step_from_a_head_to_its_output():
    tasks = station(sheet_of(stations="7", bloecke=2)[0], "B2").tasks.values()
    asked = {name for task in tasks for name, index in task.cells if index[0] == 5}
    norms = [f"norm{k}.{step}" for k in (1, 2) for step in ("mean", "variance", "std", "output")]
    head = [f"head1.{step}" for step in ("score", "scaled", "exp", "exp_sum", "weight", "output")]
    sums = ["residual1", "residual2", *(f"ffn.{step}" for step in ("hidden", "activation", "output"))]
    assert asked == {f"block2.{step}" for step in (*norms, *head, *sums)}
