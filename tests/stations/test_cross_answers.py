"""Station 10: what its numbers decide. The row that is interpreted, twin logits, the translation."""

import json
from types import SimpleNamespace

import numpy as np
import pytest
from choosing import crossed
from laid_out import laid_out, text_of

from generator.options.options import Options
from generator.sheet.sheet import Bar, Solution
from generator.sheet.tree import walk
from generator.stations.cross_attention.decoder import outcome_of, translated
from generator.stations.cross_attention.station import has_learnt
from generator.words.target_vectors import END, START

KATZE, CAT = "Die Katze sitzt auf der Matte", "The cat sits"
WHOLE = "The cat sits on the mat"
CROSS = "decoder.block1.cross."
PARTNERS = {2: 1, 3: 2, 6: 5}  # cat, sits, mat: places of their translations


def sheet_of(sentence=KATZE, target=CAT, **options):
    return laid_out(Options(satz=sentence, zielsatz=target, stationen="10", **options))


def parts_of(sheet):
    return sheet.stations[0].parts


@pytest.mark.parametrize(("seed", "style"), crossed(range(4), ["auswahl", "dezimal"]))
def test_the_row_with_the_clearest_lead_is_interpreted(style, seed):
    sheet, desk = sheet_of(target=WHOLE, gewichte=style, startwert=seed)
    look = parts_of(sheet).look
    exact = desk.built.two.calculation.exact

    def lead(head, row):
        weights = np.sort(exact[f"{CROSS}head{head}.weight"].values[row])
        return weights[-1] - weights[-2] if weights[-1] - weights[0] > 0.1 else -1.0

    best = max(lead(1, row) for row in PARTNERS)
    row = desk.target_words.index(look.word)
    if best > 0:
        assert row in PARTNERS
        assert lead(int(look.head), row) == pytest.approx(best)
    assert (
        look.matrix.drawing.text.count("zum Zeichnen")
        == 0
        != look.matrix.empty.text.count("„mat“: zum Zeichnen")
    )
    assert look.own == (look.word == "mat")


def test_weights_that_are_all_the_same_say_nothing(tmp_path):
    path = tmp_path / "zahlen.toml"
    zeros = [[0, 0]] * 4
    tables = "".join(f"[{CROSS}head{k}]\nW_Q = {json.dumps(zeros)}\n" for k in (1, 2))
    path.write_text(tables, encoding="utf-8")
    sheet, desk = sheet_of(gewichte=path)
    look = parts_of(sheet).look
    assert (look.lead, look.own) == ("even", True)
    assert "Alle Gewichte von „sits“ sind fast gleich (je 0,17)" in text_of(sheet, desk, "key")
    assert "fast gleich" not in text_of(sheet, desk, "worksheet")


def test_the_head_has_learnt_it_where_four_of_five_rows_are_right():
    assert [has_learnt(5, n) for n in (3, 4, 5)] == [False, True, True]
    assert not has_learnt(3, 2)


def test_words_with_one_vector_are_no_exercise_twice():
    sheet, desk = sheet_of(target=WHOLE)
    output = parts_of(sheet).output
    assert (output.worked, output.alike) == ("The", ["the"])
    twin = desk.built.two.calculation.model.vocabulary.index("the")
    blanks = {(n.name, n.index) for n in sheet.blanks()}
    asked = {index[0] for name, index in blanks if name == "decoder.logit"}
    assert asked < {1, 2, 3, 5, 6}
    assert ("decoder.temperature1.exp", (twin,)) not in blanks
    assert "denselben Logit hat „the“" in text_of(sheet, desk, "worksheet")
    plain, desk = sheet_of(target="A cat sits")
    assert parts_of(plain).output.alike == []
    assert "denselben Logit" not in text_of(plain, desk, "worksheet")


def test_weights_have_no_bars_here():
    station = sheet_of()[0].stations[0].parts
    assert not list(walk((station.first, station.look, station.joined), Bar))


@pytest.mark.parametrize(("heads", "dimension", "said"), [(2, 4, "beider Heads"), (3, 6, "aller Heads")])
def test_two_heads_are_both(heads, dimension, said):
    sheet, desk = sheet_of(heads=heads, dimension=dimension)
    assert f"Die Vektoren {said}" in text_of(sheet, desk, "worksheet")


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
    assert outcome_of(sheet_of()[1], made) == outcome


def test_a_text_that_is_no_translation_is_called_that():
    sheet, desk = sheet_of()
    assert parts_of(sheet).rounds.outcome == "none"
    said = f"Das ist keine Übersetzung, die mit {END} endet: Dieses Modell hat nichts gelernt."
    assert said in text_of(sheet, desk, "worksheet")


def test_nine_words_have_one_table_of_rounds():
    sheet, desk = sheet_of(target="The old cat sits on the small mat")
    assert len(desk.built.two.calculation.model.vocabulary) == 9
    assert len(parts_of(sheet).rounds.tables) == 1


def test_rounds_begin_with_the_start_token_and_say_what_stays():
    sheet, desk = sheet_of(laenge=4)
    made = translated(desk)
    assert made.start.tokens == (START,)
    rounds = sheet.stations[0].parts.rounds
    assert rounds.text.text.split() == [round_.word for round_ in made.rounds]
    marks = {row.head: [cell.text for cell in row.cells] for row in rounds.kept.rows}
    n = len(made.rounds)
    assert marks["K und V der Cross-Attention"] == ["neu"] + ["bleibt"] * (n - 1)
    assert marks["Decoder, Zeile 2"] == ["–", "neu"] + ["bleibt"] * (n - 2)
    assert all(isinstance(row.cells[-1], Solution) for row in rounds.kept.rows)
    unmasked = sheet_of(laenge=4, maske=False)[0].stations[0].parts.rounds
    assert [c.text for c in unmasked.kept.rows[2].cells] == ["neu"] * len(unmasked.kept.columns)


def test_each_round_can_be_told_from_its_logits():
    sheet, desk = sheet_of(laenge=5)
    for table_row in sheet.stations[0].parts.rounds.tables[-1].rows:
        *logits, solution = table_row.cells
        best = max(
            range(len(logits)), key=lambda i: (float(logits[i].text.replace("−", "-").replace(",", ".")), -i)
        )
        assert desk.built.two.calculation.model.vocabulary[best] == solution.text
