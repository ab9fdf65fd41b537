"""Station 10: what its numbers decide. The row that is interpreted, twin logits, the translation."""

from types import SimpleNamespace

import pytest
from laid_out import laid_out

from generator.options.options import Options
from generator.stations.cross_attention.decoder import outcome_of
from generator.words.target_vectors import END

KATZE, CAT = "Die Katze sitzt auf der Matte", "The cat sits"


def sheet_of(sentence=KATZE, target=CAT, **options):
    return laid_out(Options(satz=sentence, zielsatz=target, stationen="10", **options))


def parts_of(sheet):
    return sheet.stations[0].parts


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
