"""Station 10: what is left to the pupil, numbers of the trace, extremes print."""

import json

import pytest
from laid_out import contents_of, laid_out

from generator.basics.errors import UserError
from generator.calculation.build import build
from generator.calculation.document import to_json
from generator.calculation.rebuild import rebuild
from generator.commands import check_command
from generator.options.course import COURSE
from generator.options.options import Options
from generator.stations.make_sheet import chosen
from generator.teacher.plan import workloads
from generator.teacher.teacher import snippet, target_words
from generator.words.target_vectors import END, START

KATZE, CAT = "Die Katze sitzt auf der Matte", "The cat sits"
CROSS = "decoder.block1.cross."


def sheet_of(sentence=KATZE, target=CAT, stations="10", **options):
    return laid_out(Options(satz=sentence, zielsatz=target, stationen=stations, **options))


def test_the_station_exists_only_with_a_target_sentence():
    for options, here in (({}, ()), ({"zielsatz": CAT}, ("10",))):
        wanted = tuple(s.id for s in COURSE if not s.extra and (not s.needs or s.id in here))
        assert chosen(Options(satz=KATZE, **options)) == wanted
    with pytest.raises(UserError, match="--zielsatz"):
        chosen(Options(satz=KATZE, stationen="10"))


def test_the_effort_of_both_sentences_is_counted():
    built = build(Options(satz=KATZE, zielsatz=CAT))
    model, done = built.two.calculation.model, built.effort
    assert done.of(CROSS + "head1.score", (3, 5)).multiplications == 2  # d_k
    assert done.of(CROSS + "head1.exp_sum", (3,)).additions == model.n_source - 1
    assert done.of("decoder.block1.self.head1.exp_sum", (1,)).additions == 1  # masked
    assert done.of("encoder.block1.head1.exp_sum", (1,)).additions == model.n_source - 1
    assert done.of("decoder.block1.norm3.std", (0,)).roots == 1
    assert done.of("decoder.block1.residual3", (3, 0)).additions == 1
    assert done.of("encoder.block1.head3.score", (0, 0)) is None
    sheet, desk = sheet_of()
    work, *_ = workloads(sheet.stations, desk.built.effort)
    assert work.operations.exponentials > model.n_source  # a table in one head, and the words
    assert work.minutes > 5


def test_the_teacher_sees_which_target_words_are_guessed():
    _, desk = sheet_of(target="The Katerchen sits")
    rows = {row.word: row for row in target_words(desk)}
    assert list(rows) == [START, "The", "Katerchen", "sits", END]
    assert [word for word, row in rows.items() if row.guessed] == ["Katerchen"]
    assert snippet(desk)[-2:] == ["[zielvektoren]", "Katerchen = [0.0, 0.0, 0.0, 0.9]"]


def test_the_document_holds_both_sentences_and_leaves_the_one_as_it_was():
    alone, both = (contents_of(Options(satz=KATZE, zielsatz=target)) for target in (None, CAT))
    assert "zielsatz" not in alone["optionen"]
    assert not [name for name in alone["quantities"] if name.startswith(("encoder", "decoder"))]
    assert both["zieltokens"] == [START, "The", "cat", "sits"]
    assert both["zielvokabular"] == ["The", "cat", "sits", END]
    assert {name: both["quantities"][name] for name in alone["quantities"]} == alone["quantities"]
    scores = both["quantities"][CROSS + "head1.score"]
    assert scores["axes"] == ["target_token", "source_token"]
    assert (len(scores["hand"]), len(scores["hand"][0])) == (4, 6)
    assert both["quantities"]["decoder.block1.self.head1.score"]["hand"][0][1] is None
    assert len(both["weights"]["decoder.vocabulary_embedding"]) == 4
    rebuilt = rebuild(json.loads(to_json(both)))
    assert rebuilt.changed == ()


def test_answers_of_this_station_are_checked(tmp_path):
    sheet, answers = tmp_path / "rechnung.json", tmp_path / "antworten.csv"
    sheet.write_text(to_json(contents_of(Options(satz=KATZE, zielsatz=CAT))), encoding="utf-8")
    answers.write_text("name;index;wert\nlogit;0;0,5\ndecoder.logit;1;0,5\n", encoding="utf-8")
    report = check_command.run(str(sheet), str(answers))
    assert "Decoder, Logit „cat“" in report
    assert "Von 2 Zahlen" in report
