"""Station 10: what its numbers decide. The row that is interpreted, twin logits, the translation."""

from types import SimpleNamespace

import pytest
from laid_out import laid_out, text_of

from generator.options.options import Options
from generator.stations.cross_attention.decoder import outcome_of
from generator.words.target_vectors import END

KATZE, CAT = "Die Katze sitzt auf der Matte", "The cat sits"
WHOLE = "The cat sits on the mat"


def sheet_of(sentence=KATZE, target=CAT, **options):
    return laid_out(Options(satz=sentence, zielsatz=target, stationen="10", **options))


def parts_of(sheet):
    return sheet.stations[0].parts


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


def test_each_round_can_be_told_from_its_logits():
    sheet, desk = sheet_of(laenge=5)
    for table_row in sheet.stations[0].parts.rounds.tables[-1].rows:
        *logits, solution = table_row.cells
        best = max(
            range(len(logits)), key=lambda i: (float(logits[i].text.replace("−", "-").replace(",", ".")), -i)
        )
        assert desk.built.two.calculation.model.vocabulary[best] == solution.text
