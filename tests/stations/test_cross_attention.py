"""Station 10: what is left to the pupil, numbers of the trace, extremes print."""

import json

import pytest
from laid_out import blanks_of, contents_of, html_of, laid_out

from generator.basics.errors import UserError
from generator.calculation.build import build
from generator.calculation.document import to_json
from generator.calculation.rebuild import rebuild
from generator.commands import check_command
from generator.options.course import COURSE
from generator.options.limits import for_paper
from generator.options.options import Options
from generator.stations.cross_attention.decoder import roles
from generator.stations.make_sheet import build_sheet, chosen
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


def test_the_last_target_word_asks_source_words_in_one_head():
    sheet, desk = sheet_of(dimension=6, heads=3)
    blanks = blanks_of(sheet)
    for step in ("score", "scaled", "exp", "weight"):
        asked = {i for n, i in blanks if n == f"{CROSS}head1.{step}"}
        assert asked < {(3, j) for j in range(desk.n)}
        assert len(asked) > desk.n / 2
    assert {i for n, i in blanks if n == f"{CROSS}head1.output"} == {(3, 0), (3, 1)}
    assert not [n for n, _ in blanks if n.startswith((CROSS + "head2.", CROSS + "head3."))]
    # W_O is the identity: the head's numbers are copied beside the others', and each vector only once.
    assert {i for n, i in blanks if n == CROSS + "attention"} == {(3, c) for c in range(2)}
    assert not [n for n, _ in blanks if n == CROSS + "concat"]
    assert {i for n, i in blanks if n == "decoder.block1.residual2"} == {(3, c) for c in range(6)}


def test_at_level_1_the_second_head_is_given():
    blanks = blanks_of(sheet_of(stufe=1)[0])
    assert {n for n, _ in blanks if n.startswith(CROSS + "head")} == {
        f"{CROSS}head1.{name}" for name in ("scaled", "exp", "exp_sum", "weight", "output")
    }


def test_encoder_and_the_decoders_own_attention_are_given():
    for options in ({}, {"stufe": 3, "maske": False}):
        blanks = blanks_of(sheet_of(**options)[0])
        assert not [n for n, _ in blanks if n.startswith(("encoder.", "decoder.block1.self."))]


def test_a_query_that_only_copies_components_is_given():
    queries = {(CROSS + "head1.query", (3, c)) for c in range(2)}
    assert not queries & blanks_of(sheet_of()[0])
    sheet, desk = sheet_of(gewichte="dezimal")
    assert queries <= blanks_of(sheet)
    assert "die Query von „sits“" in html_of(sheet, desk, "worksheet")


def test_a_W_O_that_mixes_is_worked_out():  # noqa: N802
    sheet, _ = sheet_of(gewichte="dezimal")
    station = sheet.stations[0]
    attention = {(CROSS + "attention", (3, c)) for c in range(4)}
    assert attention <= set(station.tasks["residual"].cells)
    assert station.tasks["concat"].points == 1
    assert station.tasks["residual"].points == 4 + 2  # four sums of four products, four sums
    alone = sheet_of(gewichte="dezimal", heads=1)[0].stations[0]
    assert "concat" not in alone.tasks


@pytest.mark.parametrize(
    ("target", "example", "last"),
    [("The", 0, 1), ("The cat", 1, 2), (CAT, 1, 3), ("The cat sits on the mat", 1, 6)],
)
def test_the_last_target_token_is_the_exercise(target, example, last):
    who = roles(sheet_of(target=target)[1])
    assert (who.example, who.last) == (example, last)


@pytest.mark.parametrize(
    "target", ["a b c d e f g h i j k l m n o p q r s t u v w", "Η γάτα κάθεται", "Кот сидит"]
)
def test_a_target_may_be_longer_than_the_source_and_in_other_letters(target):
    options = Options(satz="Vögel singen", zielsatz=target, stationen="10")
    for_paper(options)
    sheet, desk = build_sheet(build(options))
    assert "station-10" in html_of(sheet, desk, "worksheet")


def test_words_of_the_target_are_not_mixed_up_with_the_source():
    sheet, desk = sheet_of()
    matrix = sheet.stations[0].parts.look.matrix
    lines = matrix.drawing.text.rstrip(".").split("; ")
    assert [line.split("“")[0][1:] for line in lines] == list(desk.target_words)
    assert all(line.split("“: ")[1].startswith(f"„{desk.words[0]}“ ") for line in lines)
    heads = {row.head for row in sheet.stations[0].parts.first.worked.steps[0].rows}
    assert heads == {*desk.words, "Summe"}


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


def test_the_document_serves_as_a_numbers_file(tmp_path):
    options = {"satz": KATZE, "zielsatz": CAT, "gewichte": "dezimal"}
    first = contents_of(Options(**options))
    path = tmp_path / "rechnung.json"
    path.write_text(to_json(first), encoding="utf-8")
    again = contents_of(Options(**options | {"gewichte": path}))
    assert again["quantities"] == first["quantities"]


def test_answers_of_this_station_are_checked(tmp_path):
    sheet, answers = tmp_path / "rechnung.json", tmp_path / "antworten.csv"
    sheet.write_text(to_json(contents_of(Options(satz=KATZE, zielsatz=CAT))), encoding="utf-8")
    answers.write_text("name;index;wert\nlogit;0;0,5\ndecoder.logit;1;0,5\n", encoding="utf-8")
    report = check_command.run(str(sheet), str(answers))
    assert "Decoder, Logit „cat“" in report
    assert "Von 2 Zahlen" in report
