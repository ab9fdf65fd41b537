"""--gewichte gelernt: texts, options, rechnung.json, reading back, what is refused."""

import json

import numpy as np
import pytest
from laid_out import laid_out, text_of

from engine.training.texts import Corpus
from generator.basics.errors import UserError
from generator.calculation import learnt
from generator.calculation.build import build
from generator.calculation.document import document_of
from generator.calculation.rebuild import rebuild
from generator.options.options import Options
from generator.teacher.teacher import trained
from generator.words.exchanges import similar_texts

KATZE = "Die Katze sitzt auf der Matte"


def options(satz=KATZE, **given):
    return Options(satz=satz, gewichte="gelernt", **given)


@pytest.fixture(scope="module")
def built(cache):
    return build(options())


def texts_file(tmp_path, *lines):
    path = tmp_path / "texte.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_the_expected_word_comes_out(built):
    calculation = built.calculation
    assert calculation.model.tokens == ("Die", "Katze", "sitzt", "auf", "der")
    word = calculation.model.vocabulary.index("Matte")
    assert calculation.predicted() == word
    assert calculation["temperature1.probability"].values[word] >= 0.5


def test_reading_back_trains_nothing(built, monkeypatch):
    contents = json.loads(json.dumps(document_of(built, {})))
    monkeypatch.setattr("generator.calculation.build.learn_texts", None)
    read = rebuild(contents)
    assert not read.changed
    assert read.calculation.model.vocabulary == built.calculation.model.vocabulary


@pytest.mark.usefixtures("no_training")
def test_a_second_run_does_not_train(built):
    again = build(options())
    assert np.array_equal(
        again.calculation.model.vocabulary_embedding, built.learnt.model.vocabulary_embedding
    )


class TrainedError(Exception):
    """Instead of a training: with its problems."""


@pytest.fixture
def no_training(monkeypatch):
    def stop(problems, *given, **named):
        raise TrainedError(problems)

    monkeypatch.setattr(learnt, "train", stop)


@pytest.mark.usefixtures("built", "no_training")
def test_a_damaged_cache_is_no_harm(monkeypatch):
    """It is trained anew."""
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
def test_another_continuation():
    with pytest.raises(TrainedError) as caught:
        build(options(weiter="Bank"))
    (problems,) = caught.value.args
    assert {problem.task.corpus.texts[0] for problem in problems} == {(*KATZE.split()[:-1], "Bank", ".")}


def test_two_texts_of_a_file_that_part_at_the_last_word_alone(tmp_path):
    """Nothing there needs attention: the word before and its place tell all; the sheet says so."""
    path = texts_file(tmp_path, KATZE, "Die Katze sitzt auf der Bank.")
    sheet, desk = laid_out(options(texte=path, stationen=("8",)))
    assert desk.built.learnt.lines == (KATZE + ".", "Die Katze sitzt auf der Bank.")
    assert desk.vocabulary[:7] == (*KATZE.split(), ".")
    part = sheet.stations[0].parts.trained
    both = [desk.vocabulary.index(word) for word in ("Matte", "Bank")]
    probability = desk.calculation["temperature1.probability"].values
    assert probability[both].min() >= 0.3
    assert np.delete(probability, both).max() <= probability[both].min() / 2
    assert (part.decided, part.as_often, part.context) == (False, True, False)
    for word in both:
        assert desk.format.text(float(probability[word]), 3) in part.several.text
    worksheet, key = (text_of(sheet, desk, view) for view in ("worksheet", "key"))
    assert "gleich oft" in key
    assert "lassen hier die Wahl" in worksheet
    assert part.several.text not in worksheet
    assert part.several.text in key
    assert (trained(desk)["context"], trained(desk)["undecided"]) == (False, True)


def test_too_small_a_model_says_what_helps(monkeypatch):
    monkeypatch.setattr(learnt, "train", lambda *given, **named: None)
    with pytest.raises(UserError, match=r"--dimension 6.*weniger Wörter"):
        build(options(dimension=2, heads=1, startwert=9))


def test_marks_at_the_end_are_no_words():
    asked = options(KATZE + " !")
    assert asked.tokens == ("Die", "Katze", "sitzt", "auf", "der")
    assert asked.next_word == "Matte"


@pytest.mark.parametrize(
    "sentence", [KATZE, "Die Sterne leuchten hell am Himmel", "Der Wind weht kalt", "Oma kocht Suppe"]
)
def test_similar_texts(sentence):
    words = tuple(sentence.split())
    found, last = similar_texts(words, 2), len(words) - 1
    assert found == similar_texts(words, 2)
    assert len(found) == 2
    for text in found:
        different = [i for i, (a, b) in enumerate(zip(words, text, strict=False)) if a != b]
        assert len(different) == 2
        assert different[1] == last
    assert len({text[last] for text in (words, *found)}) == 3


def test_what_station_9_draws_is_worth_reading(built):
    ways = built.texts.ways
    drawn = [ways[name].text for name in ("sampled", "top_k", "top_p")]
    assert len(set(drawn)) == 3
    assert sum(map(built.learnt.corpus.sounds_read, drawn)) >= 2
    assert ways["sampled"].text != ways["greedy"].text


def corpus_of(*texts):
    split = tuple((*text.split(), ".") for text in texts)
    return Corpus(split, tuple(dict.fromkeys(word for text in split for word in text)))


TWO_HEDGEHOGS = "Ein Igel frisst Obst", "Der Igel frisst gutes Obst"


@pytest.mark.parametrize(
    ("texts", "text", "sounds"),
    [
        (("Die Maus singt", "Der Hund bellt", "Ja"), "Die Maus singt .", True),
        (("Die Maus singt", "Der Hund bellt", "Ja"), "Die Hund singt .", True),
        (TWO_HEDGEHOGS, "Ein Igel frisst gutes Obst .", True),
        (TWO_HEDGEHOGS, "Ein Igel frisst gutes .", False),
        (TWO_HEDGEHOGS, "Die Maus singt", False),
        (TWO_HEDGEHOGS, "Die singt Maus .", False),
    ],
)
def test_which_texts_sound_read(texts, text, sounds):
    assert corpus_of(*texts).sounds_read(text.split()) == sounds


def test_a_text_is_asked_for_what_the_exchanged_word_decides():
    corpus = corpus_of(*TWO_HEDGEHOGS, "Der Hund bellt wieder laut")
    asked = (corpus.asked_of(text, corpus.ids[0][:3]) for text in corpus.ids)
    wanted = ["Ein Igel frisst", "Der Igel frisst", "Der Hund bellt wieder"]
    assert [" ".join(corpus.vocabulary[i] for i in each) for each in asked] == wanted


def test_a_head_moves_more_with_its_own_word_than_with_another(built):
    evidence = built.learnt.evidence
    exchanges = evidence.corpus.first_exchanges(evidence.beginning)
    for head in evidence.heads:
        before = evidence.look(head, evidence.beginning)[0]
        own = before.argmax()
        moved = {e.place: abs(before - evidence.look(head, e.beginning)[0])[own] for e in exchanges}
        assert moved.pop(own) >= max(moved.values()) + 0.2
