"""Station 2: vectors are the table's rows, cosines those of the calculation, what is blank stays so twice."""

import json
from dataclasses import replace

import pytest
from laid_out import KATZE, html_of

from generator.calculation.build import build
from generator.options.options import Options
from generator.sheet.desk import Desk
from generator.sheet.sheet import Number, Sheet, walk
from generator.stations.embedding.cosines import similar_pair
from generator.stations.make_sheet import drawn_sheet

COSINE = "similarity.cosine"


def laid_out(sentence=KATZE, printed=("2",), **options):
    desk = Desk(build(Options(satz=sentence, **options)), printed)
    sheet, desk = drawn_sheet(desk)
    return Sheet(sentence, "TEST", sheet.stations[-1:]), desk


def test_two_words_have_no_worked_pair_but_a_cosine_to_find():
    part = laid_out("Ja nein", dimension=2, heads=1)[0].stations[0].parts.cosine
    assert part.pair is None
    assert len(part.exercise.rows) == 1
    assert [number.name for number in walk(part.exercise, Number) if number.blank][-1:] == [COSINE]


def test_a_word_without_direction_is_left_out(tmp_path):
    file = tmp_path / "vektoren.json"
    file.write_text(json.dumps({"wortvektoren": {"sitzt": [0, 0, 0, 0]}}), encoding="utf-8")
    sheet, desk = laid_out(embeddings=file)
    part = sheet.stations[0].parts.cosine
    assert part.word == "Matte"
    assert all(2 not in n.index for n in walk(part.matrix, Number))
    assert "Kosinus" in html_of(sheet, desk, "key")


@pytest.mark.parametrize(
    ("other", "vector", "named"),
    [
        ("Hündin", (0.1, 0.9, 0.6, 0.0), True),
        ("Hündin", (0.1, 0.6, 0.9, 0.0), False),
        ("sitzt", (0.1, 0.9, 0.6, 0.0), False),
    ],
)
def test_a_trained_component_is_named_only_where_it_is_the_largest_of_both_and_their_groups(
    other, vector, named
):
    """„Katze“ has its largest one in the second place, that of living things."""
    _, desk = laid_out(gewichte="gelernt")
    model = desk.calculation.model
    table = model.input_embedding.copy()
    cat, with_it = model.vocabulary.index("Katze"), model.vocabulary.index(other)
    table[cat], table[with_it] = (0.0, 0.9, 0.1, 0.0), vector
    known = replace(model.known, vectors=table)
    model = replace(model, known=known, embedding=known.rows(model.tokens))
    calculation = replace(desk.calculation, model=model)
    changed = replace(desk, built=replace(desk.built, calculation=calculation))
    (shared,) = similar_pair(changed, cat, with_it).shared
    assert (shared.component, shared.named) == ("2", named)
