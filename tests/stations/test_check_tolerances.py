"""Printed check sums hold for a pupil who carries full precision, within their printed tolerance."""

import json
import re
from functools import cache

import numpy as np
import pytest
from laid_out import KATZE, laid_out, text_of

from generator.basics.numbers import parse_number
from generator.calculation.build import build
from generator.options.options import Options
from generator.sheet.desk import Desk
from generator.stations.attention import score_tolerance
from generator.stations.feed_forward.station import units_by_hand
from generator.stations.make_sheet import make_sheet
from generator.stations.worked_lines import (
    hidden_probe,
    hidden_tolerance,
    logit_tolerance,
    mixed_tolerance,
    output_tolerance,
)

OPTIONS = [
    {},
    {"gewichte": "dezimal"},
    {"gewichte": "ganzzahlig", "bloecke": 2},
    {"nachkommastellen": 1},
    {"gewichte": "dezimal", "nachkommastellen": 3, "dimension": 6, "heads": 3},
    {"maske": False, "satz": "Wo schläft der müde Hund?"},
]


def desk_of(**options):
    return desk(Options.from_mapping({"satz": KATZE, **options}))


@cache
def desk(options):
    return Desk(build(options), ("5", "6", "7"))


def allowed(text):
    return float(parse_number(text)) + 1e-9 if text else 1e-9


def nearly(rng, values, desk):
    """Numbers of a pupil whose earlier work was rounded otherwise: up to two units off."""
    units = 2 / 10**desk.options.nachkommastellen
    return values + rng.uniform(-units, units, np.shape(values))


@pytest.mark.parametrize("options", OPTIONS)
def test_weights_add_up_to_1_within_what_the_sheet_says(options):
    sheet, shown = laid_out(Options.from_mapping({"satz": KATZE, "stationen": "4a,4b"} | options))
    text = text_of(sheet, shown).replace("\N{NO-BREAK SPACE}", " ")
    said = re.findall(r"Gewichte ergeben zusammen 1,0+ \(± ([\d,]+)\)", text)
    assert min(map(allowed, said)) > allowed("")
    for name, quantity in shown.hand.items():
        if name.endswith(".weight"):
            assert np.abs(quantity.values.sum(-1) - 1).max() <= allowed(max(said))


@pytest.mark.parametrize("options", OPTIONS)
def test_scores_without_rounding_stay_within(options):
    desk = desk_of(**options)
    weights, x = desk.calculation.model.weights, desk.quantity("input").values
    products = {"entry.": (x, x), "block1.head1.": tuple(x @ weights[f"block1.head1.W_{k}"] for k in "QK")}
    for at, (query, key) in products.items():
        written = desk.quantity(at + "score")
        for token in range(desk.n):
            seen = [j for j in range(desk.n) if written.visible is None or written.visible[token, j]]
            off = abs(float((query[token] @ key[seen].T).sum() - written.values[token, seen].sum()))
            assert off <= allowed(score_tolerance(desk, at, token, seen)), (at, token)


@pytest.mark.parametrize("options", OPTIONS)
def test_sums_of_work_that_was_rounded_otherwise_stay_within(options):
    desk, rng = desk_of(**options), np.random.default_rng(1)
    weights = desk.calculation.model.weights
    for block in range(1, desk.sizes.n_blocks + 1):
        at = f"block{block}.ffn."
        W_1, b_1, W_2, b_2 = (weights[at + name] for name in ("W_1", "b_1", "W_2", "b_2"))
        output = desk.quantity(at + "output").values.sum(-1)
        for _ in range(50):
            z = nearly(rng, desk.quantity(f"block{block}.norm1.output").values, desk)
            u = z @ W_1 + b_1
            f = np.maximum(u, 0) @ W_2 + b_2
            every = range(desk.sizes.d_ff)
            tolerance = output_tolerance(desk, at, every)
            assert tolerance is None or np.abs(f.sum(-1) - output).max() <= allowed(tolerance)
            units = units_by_hand(desk, at, desk.path)  # the other ones are printed
            mixed = desk.quantity(at + "activation").values[desk.path].copy()
            mixed[units] = np.maximum(u, 0)[desk.path, units]
            off = abs(float((mixed @ W_2 + b_2).sum() - output[desk.path]))
            tolerance = output_tolerance(desk, at, units)
            assert tolerance is None or off <= allowed(tolerance)
    last = desk.quantity(f"block{desk.sizes.n_blocks}.norm2.output").values[-1]
    for _ in range(50):
        logits = desk.calculation.model.vocabulary_embedding @ nearly(rng, last, desk)
        off = abs(float(logits.sum() - desk.quantity("logit").values.sum()))
        assert off <= allowed(logit_tolerance(desk, True))


@pytest.mark.parametrize("options", OPTIONS)
def test_the_probe_of_hidden_numbers_holds_for_any_vector_and_sees_a_slip(options):
    desk, rng = desk_of(**options), np.random.default_rng(1)
    at, places = "block1.ffn.", desk.options.nachkommastellen
    weights = desk.calculation.model.weights
    units = units_by_hand(desk, at, desk.path)
    probe, tolerance = hidden_probe(desk, at, units), allowed(hidden_tolerance(desk, at, units))
    for _ in range(50):
        z = rng.uniform(-2, 2, desk.sizes.d_model).round(places)
        u = z @ weights[at + "W_1"] + weights[at + "b_1"]
        told = sum(z[i - 1] * float(parse_number(text.strip("()"))) for i, text in probe.terms)
        told += float(parse_number(probe.added.strip("()"))) if probe.added else 0.0
        assert abs(u[units].round(places).sum() - told) <= tolerance
    assert tolerance < 0.1 or places == 1


def test_where_every_number_is_printed_and_whole_nothing_is_off():
    desk = desk_of()
    assert hidden_tolerance(desk, "block1.ffn.", range(3)) == ""
    assert output_tolerance(desk, "block1.ffn.", ()) == ""
    assert score_tolerance(desk, "unmasked.head1.", 2, range(6)) == ""
    assert mixed_tolerance(desk, "block1.", heads=1) == "0,04"


def test_rounded_terms_widen_the_check():
    desk = desk_of(gewichte="dezimal")
    assert hidden_tolerance(desk, "block1.ffn.", range(8)) == "0,04"
    assert score_tolerance(desk, "unmasked.head1.", 2, range(6)) == "0,03"


def test_no_sum_is_named_that_is_the_same_whatever_the_weights(tmp_path):
    """A vector mixed with the weights of another row has another sum, or none is named; here both occur."""
    path = tmp_path / "zahlen.json"
    opposite = [[1, -1], [0, 0], [1, -1], [0, 0]]  # each value adds up to 0
    path.write_text(json.dumps({"block1.head1.W_V": opposite}), encoding="utf-8")
    sheet, desk = laid_out(Options(satz=KATZE, stationen=("4b",), gewichte=path))
    told = []
    for number, head in enumerate(sheet.stations[0].parts.heads, 1):
        values = desk.calculation.hand[f"block1.head{number}.value"].values  # (n, d_head)
        for exercise in head.exercises:
            sums = values[: exercise.count] @ np.ones(values.shape[1])  # (seen,)
            told.append(exercise.output_sum != "")
            assert told[-1] == (sums.max() - sums.min() > 0.1)
    assert set(told) == {True, False}


@pytest.mark.parametrize("own", [{}, {"gewichte": "gelernt", "satz": "Der Bauer füttert abends die Schafe"}])
def test_what_the_key_accepts_as_a_sum_passes_its_check(own):
    whole = make_sheet(build(Options.from_mapping({"satz": KATZE, "stationen": "4a,4b,5,6,7"} | own)))
    text = text_of(whole.sheet, whole.desk).replace("\N{NO-BREAK SPACE}", " ")
    said = re.findall(r"Alle r ergeben zusammen (\S+) \(± ([\d,]+)\)", text)
    assert len(said) == 2
    for block, (total, off) in zip(("norm1", "norm2"), said, strict=True):
        accepted = whole.ranges[f"block1.{block}.sum"]
        assert accepted.high[whole.desk.path] <= float(parse_number(total)) + allowed(off)
        assert accepted.low[whole.desk.path] >= float(parse_number(total)) - allowed(off)
