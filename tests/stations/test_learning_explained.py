"""Station 11: numbers stand beside the task that needs them; what looks odd is explained where it occurs."""

import numpy as np
import pytest
from laid_out import laid_out, text_of

from generator.options.options import Options

KATZE, HUND = "Die Katze sitzt auf der Matte", "Der Hund liegt im Garten"


def station_of(path="attention", sentence=KATZE, stations="11", **options):
    sheet, desk = laid_out(Options(satz=sentence, stationen=stations, lernen=path, **options))
    return next(s for s in sheet.stations if s.id == "11"), sheet, desk


@pytest.mark.parametrize("options", [{}, {"skalierung": False}, {"heads": 1}, {"stationen": "4b,11"}])
def test_weights_and_gradients_of_scores_stand_beside_the_keys(options):
    station, _, desk = station_of(stations=options.pop("stationen", "11"), **options)
    recalled = station.parts.attention.recalled
    rows = [row for table in (recalled.scores or recalled.keys) for row in table.rows]
    assert [row.head for row in rows] == list(desk.words)
    weights, gradients = zip(*(row.cells[-2:] for row in rows), strict=True)
    step = "score" if desk.options.skalierung else "scaled"
    assert {number.name for number in gradients} == {f"gradient.block1.head1.{step}"}
    assert [number.copied for number in gradients] == [j != desk.example for j in range(desk.n)]
    assert any(number.copied for number in weights) == desk.printed("4b")


def test_errors_stand_beside_the_word_vectors_where_they_are_few():
    station, _, _ = station_of("alles")
    words = station.parts.layers.vector.words
    assert words.columns[0] == "error"
    assert sum(row.cells[0].copied for row in words.rows) == 3
    many = "Ein alter Mann und eine junge Frau gehen heute langsam"
    assert "error" not in station_of("alles", sentence=many)[0].parts.layers.vector.words.columns


def test_the_new_word_vector_is_copied_where_its_logit_is_worked_out():
    for path, count in (("alles", 1), ("ausgabe", 2)):
        lines = station_of(path)[0].parts.checked.lines
        assert len(lines) == count
        assert all(number.copied for line in lines for number in line.vector.numbers)


@pytest.mark.parametrize("sentence", [KATZE, HUND, "Meine Oma backt süßen Kuchen"])
@pytest.mark.parametrize("path", ["attention", "alles"])
def test_components_that_the_network_leaves_alone_are_named(path, sentence):
    station, sheet, desk = station_of(path, sentence)
    after, before = (desk.numbers(f"gradient.block1.{x}", desk.n - 1) for x in ("residual2", "norm1.output"))
    same = [c for c in range(1, 5) if after[c - 1].text == before[c - 1].text]
    parts = station.parts.given if path == "attention" else station.parts.layers.ffn
    own = [] if path == "attention" else [station.parts.layers.ffn.component]
    assert parts.unchanged == [c for c in same if c not in own]
    assert ("dieselbe" in text_of(sheet, desk)) == bool(parts.unchanged)


def test_equal_normalised_numbers_are_explained_where_the_network_added_nothing():
    for sentence in (KATZE, HUND):
        station, sheet, desk = station_of("alles", sentence)
        added = np.any(desk.quantity("block1.ffn.output").values[-1])
        assert station.parts.layers.same_hats == (not added)
        assert ("vorwärts überall 0 dazugezählt" in text_of(sheet, desk)) == (not added)
    assert not station_of("alles", HUND, "6,11")[0].parts.layers.same_hats  # station 6 asks for these zeros


def test_what_station_10_asks_for_is_named_with_its_exercise():
    _, sheet, desk = station_of(sentence=HUND, stations="10,11", zielsatz="The dog lies in the")
    tasks = next(s for s in sheet.stations if s.id == "10").tasks
    text = text_of(sheet, desk)
    copied = next(s for s in sheet.stations if s.id == "11").parts.encoder.loss.copied
    assert (f"aus Aufgabe {tasks['logits'].number} in Station 10 und berechne" in text) == copied


def test_checks_name_their_cells_and_allow_for_a_weight_that_another_pen_has_not_rounded():
    alone = station_of(sentence=HUND, zielsatz="The dog lies in the")[0].parts.encoder.offers.checks
    station, sheet, desk = station_of(sentence=HUND, stations="10,11", zielsatz="The dog lies in the")
    copied = station.parts.encoder.offers.checks
    assert [check.components for check in alone] == ["1 und 2", "1 und 2"]
    assert [check.tolerance for check in alone] == ["0,0001", "0,0001"]
    head = station.parts.encoder.offers.head
    name = f"gradient.decoder.block1.cross.head{head}.output"
    reach = 0.005 * float(np.abs(desk.quantity(name).values[-1]).sum())
    wide = float(copied[1].tolerance.replace(",", ".")) >= 0.0001 + reach
    assert wide == station.parts.encoder.offers.copied["weight"]
    assert "Komponenten 1 und 2:" in text_of(sheet, desk)


def test_a_trained_encoder_has_read_the_whole_sentence():
    options = {"gewichte": "gelernt", "zielsatz": "The dog lies in the"}
    _, sheet, desk = station_of(sentence=HUND, **options)
    assert f"Sein Encoder hat „{HUND}“ gelesen" in text_of(sheet, desk)
