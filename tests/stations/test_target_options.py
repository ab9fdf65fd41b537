"""Station 10: a target sentence and numbers of a file, those that are used and those that are refused."""

import pytest
from laid_out import KATZE, sheet_of

from generator.basics.errors import UserError
from generator.calculation.build import build
from generator.options.course import COURSE
from generator.options.limits import for_paper
from generator.options.options import Options
from generator.stations.make_sheet import chosen
from generator.teacher.teacher import snippet, target_words
from generator.words.target_vectors import END, START

CROSS = "decoder.block1.cross.head1"


def built_with(folder, content):
    """The calculation with a file of these numbers."""
    path = folder / "zahlen.toml"
    path.write_text(content, encoding="utf-8")
    return build(Options(satz=KATZE, zielsatz="The cat", gewichte=path))


def test_words_and_weights_of_the_file_are_used(tmp_path):
    content = (
        "[zielvektoren]\ncat = [0.1, 0.8, 0.2, 0.3]\nsleeps = [0, 0.2, 0.7, 0]\n"
        f'"⟨Start⟩" = [0.4, 0.3, 0.2, 0.1]\n[{CROSS}]\nW_Q = [[1, 2], [0, 0], [0, 0], [0, 0]]\n'
    )
    model = built_with(tmp_path, content).two.calculation.model
    assert model.vocabulary == ("The", "cat", "sleeps", END)
    assert model.vector_of("cat").tolist() == model.embedding[2].tolist() == [0.1, 0.8, 0.2, 0.3]
    assert model.embedding[0].tolist() == [0.4, 0.3, 0.2, 0.1]
    assert model.weights[f"{CROSS}.W_Q"].tolist() == [[1, 2], [0, 0], [0, 0], [0, 0]]


@pytest.mark.parametrize("target", ["   ", "\u00ad", "a\x00b", 7, "a " * 24, "猫が座る", "The 🐈 sits"])
def test_a_target_that_is_no_sentence_or_cannot_be_printed_is_refused(target):
    with pytest.raises(UserError, match="--zielsatz"):
        for_paper(Options(satz=KATZE, zielsatz=target))


def test_the_station_exists_only_with_a_target_sentence():
    for options, here in (({}, ()), ({"zielsatz": "The cat"}, ("10",))):
        wanted = tuple(s.id for s in COURSE if not s.extra and (not s.needs or s.id in here))
        assert chosen(Options(satz=KATZE, **options)) == wanted
    with pytest.raises(UserError, match="--zielsatz"):
        chosen(Options(satz=KATZE, stationen="10"))


def test_the_teacher_sees_which_target_words_are_guessed():
    _, desk = sheet_of(zielsatz="The Katerchen sits", stationen="10")
    rows = {row.word: row for row in target_words(desk)}
    assert list(rows) == [START, "The", "Katerchen", "sits", END]
    assert [word for word, row in rows.items() if row.guessed] == ["Katerchen"]
    assert snippet(desk)[-2:] == ["[zielvektoren]", "Katerchen = [0.0, 0.0, 0.0, 0.9]"]
