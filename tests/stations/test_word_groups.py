"""What station 2 says of groups of words holds for the numbers printed beside it."""

import pytest

from generator.calculation.build import build
from generator.options.options import Options
from generator.stations.make_sheet import make_sheet
from generator.words.noun_kinds import read_toml
from generator.words.word_vectors import dimension_meanings

# The group's component by its name on the sheet; the others have none at d = 4 or 8.
GROUPS = {
    "article": "Artikel/Funktionswort",
    "preposition": "Artikel/Funktionswort",
    "verb": "Handlung",
    "living": "Lebewesen",
    "thing": "Ding",
    "place": "Ort",
    "time": "Zeit",
    "adjective": "Eigenschaft",
}
SENTENCES = (
    "Im Zoo füttert der Wärter die hungrigen Affen",
    "Der Bäcker backt jeden Morgen frisches Brot",
    "Am Abend liest Oma ein Buch",
    "Die kleine Katze jagt den Ball",
)


@pytest.mark.parametrize(
    ("sentence", "d_model"),
    [
        (SENTENCES[2], 4),
        *(pytest.param(each, d, marks=pytest.mark.thorough) for each in SENTENCES for d in (4, 8)),
    ],
)
def test_words_are_said_to_keep_their_group_as_their_printed_numbers_do(sentence, d_model):
    built = build(Options(satz=sentence, gewichte="gelernt", dimension=d_model, stationen=("2",)))
    whole = make_sheet(built)
    said = whole.sheet.stations[0].parts.groups
    names = [meaning.name for meaning in dimension_meanings(d_model)]
    values = built.passes.exact["embedding"].values
    checked = 0
    for token, vector in zip(built.calculation.model.tokens, built.vectors, strict=False):
        row = values[built.calculation.model.tokens.index(token)]
        group = GROUPS.get(vector.group)
        if vector.token != token or f"„{token}“" not in f"{said.kept} {said.moved} {said.none}" or not group:
            continue
        checked += 1
        if group not in names:
            assert f"„{token}“" in said.none
            continue
        others = [abs(value) for i, value in enumerate(row) if i != names.index(group)]
        assert (f"„{token}“" in said.kept) == (row[names.index(group)] > max(others))
        assert (f"„{token}“" in said.moved) == (row[names.index(group)] <= max(others))
    assert checked >= 2


def test_every_class_of_words_has_its_line():
    own = read_toml("dimensions.toml")["own"]
    meanings = set(read_toml("dimensions.toml")["meanings"])
    assert all(set(said.split()) <= meanings for said in own.values())
