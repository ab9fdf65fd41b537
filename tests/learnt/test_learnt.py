"""--gewichte gelernt: texts, options, rechnung.json, codes, reading back, what is refused."""

import hashlib
import json
from dataclasses import replace

import numpy as np
import pytest
from laid_out import KATZE, laid_out, text_of

from engine.training.texts import Corpus
from generator.basics.errors import UserError
from generator.calculation import learnt
from generator.calculation.build import build
from generator.calculation.document import document_of
from generator.calculation.rebuild import rebuild
from generator.options import sheet_code as codes
from generator.options.declaration import LEARNT_IN_CODES
from generator.options.options import Options
from generator.options.sheet_code import read_code, sheet_code
from generator.teacher.teacher import trained


def options(satz=KATZE, **given):
    return Options(satz=satz, gewichte="gelernt", **given)


@pytest.fixture(scope="module")
def built(cache):
    return build(options())


class TrainedError(Exception):
    """Instead of a training: with its problems."""


@pytest.fixture
def no_training(monkeypatch):
    def stop(problems, *given, **named):
        raise TrainedError(problems)

    monkeypatch.setattr(learnt, "train", stop)


def texts_file(tmp_path, *lines):
    path = tmp_path / "texte.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_the_expected_word_comes_out_and_reading_back_trains_nothing(built, monkeypatch):
    calculation = built.calculation
    word = calculation.model.vocabulary.index("Matte")
    assert calculation.model.tokens == ("Die", "Katze", "sitzt", "auf", "der")
    assert calculation.predicted() == word
    assert calculation["temperature1.probability"].values[word] >= 0.5
    contents = json.loads(json.dumps(document_of(built, {})))
    monkeypatch.setattr("generator.calculation.build.learn_texts", None)
    read = rebuild(contents)
    assert not read.changed
    assert read.calculation.model.vocabulary == calculation.model.vocabulary


@pytest.mark.usefixtures("no_training")
def test_a_second_run_does_not_train_and_a_damaged_cache_is_no_harm(built, monkeypatch):
    """Then it is trained anew."""
    again = build(options()).calculation.model.vocabulary_embedding
    assert np.array_equal(again, built.learnt.model.vocabulary_embedding)
    monkeypatch.setattr(learnt.Kept, "get", lambda self, name: b'{"states": 3}')
    with pytest.raises(TrainedError):
        build(options())


def test_all_parameters_are_counted(built):
    """Station Σ: every number that can be learnt, but the biases; the words' vectors twice, in and out."""
    sheet, desk = laid_out(options(stationen=("S",)))
    rows = {row.head: row.cells[1].text for row in sheet.stations[0].parts.parameters.rows}
    model = built.calculation.model
    tables = [table for name, table in model.weights.items() if not name.endswith(("b_1", "b_2"))]
    tables += [np.zeros((len(model.vocabulary), model.sizes.d_model)), model.vocabulary_embedding]
    assert rows["total"] == str(sum(table.size for table in tables))
    assert rows["output"] == str(model.vocabulary_embedding.size)
    assert "Ausgabevektoren" in text_of(sheet, desk, "key")


@pytest.mark.usefixtures("no_training")
def test_another_continuation_and_marks_at_the_end_that_are_no_words():
    with pytest.raises(TrainedError) as caught:
        build(options(weiter="Bank"))
    (problems,) = caught.value.args
    assert {problem.task.corpus.texts[0] for problem in problems} == {(*KATZE.split()[:-1], "Bank", ".")}
    asked = options(KATZE + " !")
    assert (asked.tokens, asked.next_word) == (("Die", "Katze", "sitzt", "auf", "der"), "Matte")


def test_two_texts_of_a_file_that_part_at_the_last_word_alone(tmp_path):
    """Nothing there needs attention: the word before and its place tell all; the sheet says so."""
    path = texts_file(tmp_path, KATZE, "Die Katze sitzt auf der Bank.")
    sheet, desk = laid_out(options(texte=path, stationen=("8",)))
    assert desk.built.learnt.lines == (KATZE + ".", "Die Katze sitzt auf der Bank.")
    part = sheet.stations[0].parts.trained
    both = [desk.vocabulary.index(word) for word in ("Matte", "Bank")]
    probability = desk.calculation["temperature1.probability"].values
    assert probability[both].min() >= 0.3
    assert np.delete(probability, both).max() <= probability[both].min() / 2
    assert (part.decided, part.as_often, part.context) == (False, True, False)
    assert all(desk.format.text(float(probability[word]), 3) in part.several.text for word in both)
    worksheet, key = (text_of(sheet, desk, view) for view in ("worksheet", "key"))
    assert "gleich oft" in key
    assert "lassen hier die Wahl" in worksheet
    assert (part.several.text in worksheet, part.several.text in key) == (False, True)
    assert (trained(desk)["context"], trained(desk)["undecided"]) == (False, True)


def test_what_station_9_draws_is_worth_reading(built):
    ways = built.texts.ways
    drawn = [ways[name].text for name in ("sampled", "top_k", "top_p")]
    assert len(set(drawn)) == 3
    assert sum(map(built.learnt.corpus.sounds_read, drawn)) >= 2
    assert ways["sampled"].text != ways["greedy"].text


TWO_HEDGEHOGS = "Ein Igel frisst Obst", "Der Igel frisst gutes Obst"


def corpus_of(*texts):
    split = tuple((*text.split(), ".") for text in texts)
    return Corpus(split, tuple(dict.fromkeys(word for text in split for word in text)))


@pytest.mark.parametrize(
    ("texts", "text", "sounds"),
    [
        (("Die Maus singt", "Der Hund bellt", "Ja"), "Die Hund singt .", True),
        (TWO_HEDGEHOGS, "Ein Igel frisst gutes Obst .", True),
        (TWO_HEDGEHOGS, "Ein Igel frisst gutes .", False),
        (TWO_HEDGEHOGS, "Die Maus singt", False),
    ],
)
def test_which_texts_sound_read(texts, text, sounds):
    assert corpus_of(*texts).sounds_read(text.split()) == sounds


def test_a_text_is_asked_for_what_the_exchanged_word_decides():
    corpus = corpus_of(*TWO_HEDGEHOGS, "Der Hund bellt wieder laut")
    asked = (corpus.asked_of(text, corpus.ids[0][:3]) for text in corpus.ids)
    wanted = ["Ein Igel frisst", "Der Igel frisst", "Der Hund bellt wieder"]
    assert [" ".join(corpus.vocabulary[i] for i in each) for each in asked] == wanted


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([KATZE], "nur einen Text"),
        ([], "keinen Text"),
        ([KATZE] * 200, "200 Texte"),
        (["Der Hund bellt", "Die Maus piept"], "enthält den Satz"),
        ([KATZE, "a b c d e f g h i j k l m n o p q r s t u v w"], "verschiedene Wörter"),
        ([KATZE, "Wort"], "Zeile 2, hat nur ein Wort"),
        ([KATZE, "... !"], "Zeile 2, enthält kein Wort"),
    ],
)
def test_bad_texts(tmp_path, lines, said):
    with pytest.raises(UserError, match=said) as error:
        build(options(texte=texts_file(tmp_path, *lines)))
    assert "--texte" in str(error.value)


def test_what_does_not_fit_training_is_refused(tmp_path, monkeypatch):
    for given, said in (
        ({"satz": "Hallo Welt", "gewichte": "gelernt"}, "zu kurz"),
        ({"weiter": "Bank"}, "--gewichte gelernt"),
        ({"texte": "texte.txt"}, "--gewichte gelernt"),
    ):
        with pytest.raises(UserError, match=said):
            Options(**{"satz": KATZE} | given)
    (tmp_path / "bild.png").write_bytes(b"\x89PNG\r\n\x1a\n\xff\xfe\x00")
    for name, said in (("bild.png", "UTF-8"), ("nicht.da", "--texte")):
        with pytest.raises(UserError, match=said):
            build(options(texte=tmp_path / name))
    monkeypatch.setattr(learnt, "train", lambda *given, **named: None)
    with pytest.raises(UserError, match=r"--dimension 6.*weniger Wörter"):
        build(options(dimension=2, heads=1, startwert=9))


# What the code of a sheet promises.


def test_training_gives_what_its_codes_promise(built):
    """If this fails because training has changed, LEARNT_IN_CODES has to become another one."""
    tables = built.learnt.model.weights.items()
    tenths = {name: np.rint(table * 10).astype(int).tolist() for name, table in sorted(tables)}
    mark = hashlib.sha256(json.dumps(tenths).encode()).hexdigest()[:8]
    assert (LEARNT_IN_CODES, mark) == ("gelernt12", "0cc4ee9c")


def test_a_code_is_of_this_training_and_means_the_same_whatever_the_default_is(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(codes, "LEARNT_IN_CODES", "gelernt")
        earlier = sheet_code(options())
    with pytest.raises(UserError, match=r"anderen Fassung.*rechnung\.json"):
        read_code(earlier)
    code = sheet_code(Options(satz=KATZE, gewichte="auswahl"))
    with_another = replace(Options(satz=KATZE), gewichte="dezimal")
    monkeypatch.setattr(codes, "Options", lambda **given: replace(with_another, **given))
    assert read_code(code).options.gewichte == "auswahl"


def test_the_code_of_a_sheet_with_texts_asks_for_just_these(tmp_path):
    own = options(weiter="Bank", startwert=3)
    assert read_code(sheet_code(own)).options == own
    path = texts_file(tmp_path, KATZE, "Der Hund sitzt auf dem Sofa")
    code = sheet_code(options(texte=path))
    assert read_code(code, {"texte": path}).options.texte == path
    with pytest.raises(UserError, match="--texte"):
        read_code(code)
    path.write_text(KATZE + "\nDer Hund liegt auf dem Sofa", encoding="utf-8")
    with pytest.raises(UserError, match="nicht die des Blatts"):
        read_code(code, {"texte": path})
