"""What numbers decide on the pages of stations 2 to 10, apart from what a key says (tests/findings)."""

import json
import re
from types import SimpleNamespace

import numpy as np
import pytest
from findings.reckoned import weights_of
from findings.seen import MEANT, Seen, number
from laid_out import KATZE, LONG, sheet_of

from generator.calculation.build import build
from generator.options.options import Options
from generator.production.worksheet import fitted_to_lesson
from generator.sheet.sheet import Given, Number, walk
from generator.stations.attention import strongest_look
from generator.stations.common import matrix_tables
from generator.stations.cross_attention.decoder import outcome_of
from generator.stations.make_sheet import build_sheet
from generator.words.target_vectors import END
from generator.words.word_vectors import dimension_meanings


def parts_of(satz=KATZE, **options):
    """Of the sheet's last station; and its desk."""
    sheet, desk = sheet_of(satz, **options)
    return sheet.stations[-1].parts, desk


# Station 2


# Groups that have a component of their own at d = 4 or 8.
GROUPS = MEANT | {"place": "Ort", "time": "Zeit", "adjective": "Eigenschaft"}


@pytest.mark.parametrize(
    ("sentence", "d_model"),
    [("Am Abend liest Oma ein Buch", 4), ("Der Bäcker backt jeden Morgen frisches Brot", 8)],
)
def test_words_are_said_to_keep_their_group_as_their_printed_numbers_do(sentence, d_model):
    parts, desk = parts_of(sentence, gewichte="gelernt", dimension=d_model, stationen="2")
    said, names = parts.groups, [meaning.name for meaning in dimension_meanings(d_model)]
    rows = desk.built.passes.exact["embedding"].values
    checked = 0
    for token, vector, row in zip(desk.calculation.model.tokens, desk.built.vectors, rows, strict=True):
        group = GROUPS.get(vector.group)
        if vector.token == token and f"„{token}“" in f"{said.kept} {said.moved} {said.none}" and group:
            checked += 1
            place = names.index(group) if group in names else None
            kept = place is not None and np.argmax(np.abs(row)) == place and row[place] > 0
            told = said.none if place is None else said.kept if kept else said.moved
            assert f"„{token}“" in told
    assert checked >= 2


def test_a_word_without_direction_is_left_out(tmp_path):
    file = tmp_path / "vektoren.json"
    file.write_text(json.dumps({"wortvektoren": {"sitzt": [0, 0, 0, 0]}}), encoding="utf-8")
    parts, desk = parts_of(stationen="2", embeddings=file)
    visible = desk.quantity("similarity.cosine").visible
    assert not visible[2].any()
    assert visible.sum() == 25
    assert parts.cosine.word != "sitzt"
    assert all(2 not in number.index for number in walk(parts.cosine.matrix, Number))


# Stations 4a to 6


@pytest.mark.parametrize("weights", ["auswahl", "dezimal", "gelernt"])
def test_what_is_said_of_a_row_of_weights_holds(weights):
    _, desk = sheet_of(stationen="4a", gewichte=weights)
    for name in ("unmasked.head1.weight", "entry.weight"):
        for token, row in enumerate(desk.quantity(name).values):
            found, best = strongest_look(desk, name, token), desk.largest(name, token)
            assert (number(found.low), number(found.high)) == pytest.approx((row.min(), row.max()))
            assert found.even == (row.max() <= 1.25 * row.min() + 1e-9)
            assert found.best == [desk.words[j] for j in best]
            assert found.itself == (list(best) == [token])


@pytest.mark.parametrize("options", [{}, {"heads": 1}])
def test_every_lesson_begins_with_a_guess_and_goes_back_to_it(options):
    asked = Options.asked({"satz": "Der Hund holt den Ball", "zeit": 45, **options})
    built, choice = fitted_to_lesson(build(asked))
    sheet, desk = build_sheet(built)
    tasks = sheet.stations[0].tasks
    order = list(tasks)
    assert order.index("arcs") < order.index("scores") < order.index("back")
    assert choice.exercises == (desk.n,)
    at = "block1.head2." if desk.sizes.n_heads > 1 else "unmasked.head1."
    cells = {name for task in tasks.values() for name, _ in task.cells}
    assert {at + "scaled", at + "weight", at + "output"} <= cells
    assert all(name.startswith(at) for name in cells)
    assert sheet.stations[0].parts.resolution.open == [desk.sizes.n_heads]


@pytest.mark.parametrize(("dimension", "ffn"), [(2, 1), (4, 8), (16, 64)])
def test_a_matrix_is_printed_whole_on_tables_that_fit(dimension, ffn):
    _, desk = sheet_of(stationen="6", dimension=dimension, ffn=ffn, heads=1, gewichte="dezimal")
    for name in ("block1.ffn.W_1", "block1.ffn.W_2"):
        tables = matrix_tables(desk, name)
        seen = [number.index for table in tables for number in walk(table, Number)]
        assert sorted(seen) == list(np.ndindex(desk.calculation.model.weights[name].shape))
        assert all(sum(table.widths) <= 165 for table in tables)
        lines = [(table.columns, line) for table in tables for line in table.rows]
        for columns, line in lines:
            named = [(int(line.head) - 1, int(column) - 1) for column in columns]
            assert [cell.index for cell in line.cells] == named


# Stations 8 to 10


@pytest.mark.parametrize("level", [1, 2, 3])
def test_no_quotient_tells_a_sum_that_is_asked_for(level):
    """e^x : p is the sum of all e^x."""
    for other in parts_of(LONG, stationen="8", stufe=level)[0].tables:
        *rows, last = [row for table in other.table for row in table.rows]
        pairs = [[c for c in row.cells if not c.name.endswith("scaled_logit")] for row in rows]
        told = any(not e.blank and not p.blank for e, p in pairs)
        assert next(walk(last, Number)).blank == (not told)


def test_every_ribbon_is_as_wide_as_an_independent_calculation_says():
    parts, desk = parts_of(stationen="8", gewichte="gelernt")
    m = parts.exchanged
    for figure in (m.own, *m.others, m.mix):
        words = figure.title.split("„")[1].split(" …")[0].split()
        told = figure.drawing.text.split("; ")[: m.heads]
        for said, weights in zip(told, weights_of(Seen(desk, ()), words), strict=True):
            assert [*map(number, re.findall(r"\d,\d+", said))] == pytest.approx(list(weights)), words


@pytest.mark.parametrize("options", [{}, {"endezeichen": "<Ende>"}, {"topk": 2, "topp": 0.6, "startwert": 4}])
def test_the_printed_rule_leads_to_the_word_of_the_key(options):
    """The first word whose sum is above the random number."""
    thrown = []
    for method in parts_of(stationen="9", **options)[0].methods:
        for each in method.rounds:
            ends = each.ends
            if not ends:
                at = each.table.columns.index("cumulative")
                cells = [(row.head, row.cells[at]) for row in each.table.rows]
                ends = [(head, cell) for head, cell in cells if isinstance(cell, Number)]
            thrown.append((ends, each.random, each.chosen.text))
        if method.worked:
            thrown.append((method.worked.ends, method.random_row[0], method.worked.word))
    for ends, random, word in thrown:
        assert next(each for each, end in ends if number(end.text) > number(random)).strip("„“") == word
    assert len(thrown) >= 3 - bool(options.get("endezeichen"))


@pytest.mark.parametrize("options", [{}, {"topp": 0.4}])
def test_top_p_keeps_the_pieces_up_to_the_one_in_which_p_lies(options):
    methods = {method.name: method for method in parts_of(stationen="9", **options)[0].methods}
    cut, ends = methods["top_p"].cut, methods["sampled"].worked.ends
    p = options.get("topp", 0.9)
    kept = next(place for place, (_, end) in enumerate(ends, 1) if number(end.text) >= p)
    assert cut.words.text == ", ".join(word for word, _ in ends[:kept])
    assert cut.total.text == ends[kept - 1][1].text
    assert (cut.total.blank, cut.total.given) == (True, Given.READ_OFF)


@pytest.mark.parametrize(
    ("words", "outcome"),
    [
        (("The", "cat", "sits", END), "whole"),
        (("The", "cat", "sits"), "beginning"),
        (("The", "cat", "sits", "sits"), "none"),
        (("The", END), "none"),
    ],
)
def test_what_has_become_of_the_translation(words, outcome):
    made = SimpleNamespace(rounds=[SimpleNamespace(word=word) for word in words])
    assert outcome_of(sheet_of(zielsatz="The cat sits", stationen="10")[1], made) == outcome


def test_each_round_of_a_translation_can_be_told_from_its_logits():
    parts, desk = parts_of(zielsatz="The cat sits", stationen="10", laenge=5)
    for row in parts.rounds.tables[-1].rows:
        *logits, solution = row.cells
        best = int(np.argmax([number(logit.text) for logit in logits]))
        assert desk.built.two.calculation.model.vocabulary[best] == solution.text
