"""Where nobody names a style a model is trained; where that cannot be, a sentence says why."""

import json

import pytest

from generator.basics.errors import UserError
from generator.calculation.build import build
from generator.calculation.document import document_of
from generator.calculation.learnt import NoModelError
from generator.calculation.rebuild import rebuild
from generator.options.options import Options
from generator.options.sheet_code import command_again, read_code, sheet_code
from generator.production.class_set import class_options
from tests.laid_out import KATZE

TRAINS = "generator.calculation.build.learn_texts"


def asked(satz=KATZE, **given):
    return Options.asked({"satz": satz, "stationen": "8"} | given)


@pytest.fixture
def no_model(monkeypatch):
    def refuse(*_):
        raise NoModelError("Es ist keines da.")

    monkeypatch.setattr(TRAINS, refuse)


def test_a_model_is_trained():
    built = build(asked())
    assert built.learnt is not None
    assert built.options == Options(satz=KATZE, stationen="8", gewichte="gelernt")
    assert not built.options.training_note


@pytest.mark.parametrize("given", [{}, {"uebung": "auf,der"}, {"beispiel": "der"}])
def test_without_a_model_the_sheet_is_that_of_auswahl_and_says_why(no_model, given):
    built = build(asked(**given))
    by_name = build(Options(satz=KATZE, stationen="8", gewichte="auswahl", **given))
    assert built.options == by_name.options
    assert built.options.training_note.endswith("„auswahl“: Es ist keines da.")
    assert not by_name.options.training_note
    assert document_of(built, {}) == document_of(by_name, {})
    assert "--gewichte auswahl" in command_again(built.options)
    assert read_code(sheet_code(built.options)).options == built.options


def test_who_asks_for_training_gets_an_error_and_a_class_set_is_drawn(no_model):
    for given in ({"gewichte": "gelernt"}, {"weiter": "Bank"}):
        with pytest.raises(UserError, match="Es ist keines da"):
            build(asked(**given))
    options = class_options({"satz": KATZE, "stationen": "4a"})
    assert options.gewichte == "ganzzahlig"
    assert "„ganzzahlig“: Es ist keines da." in options.training_note
    assert options.uebung == Options(satz=KATZE).uebung


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"satz": "Katze sitzt"}, "zu kurz"),
        ({"satz": " ".join(["Wort"] * 25)}, "Der Satz hat 25 Wörter"),
        ({"uebung": "Matte"}, "--uebung „Matte“"),
        ({"beispiel": "6"}, "--beispiel „6“"),
        ({"dimension": 2}, "--dimension 4 bis 16"),
    ],
)
def test_what_cannot_be_learnt_or_is_not_worth_the_time_is_seen_at_once(monkeypatch, given, said):
    monkeypatch.setattr(TRAINS, None)
    options = build(asked(**given)).options if "dimension" in given else asked(**given)
    assert options.gewichte == "auswahl"
    assert said in options.training_note


@pytest.mark.parametrize(
    ("name", "text", "style"),
    [
        ("embeddings", "[wortvektoren]\nKatze = [0, 1, 0, 0]\n", "auswahl"),
        ("vorlage", "[wortvektoren]\nKatze = [0, 1, 0, 0]\n", "auswahl"),
        ("vorlage", "stufe = 1\n", None),  # without numbers it is left open
    ],
)
def test_numbers_of_ones_own_are_taken_quietly(tmp_path, name, text, style):
    path = tmp_path / "zahlen.toml"
    path.write_text(text, encoding="utf-8")
    options = asked(**{name: path})
    assert (options.gewichte, options.training_note) == (style, "")


def test_a_file_without_a_style_is_one_of_auswahl(monkeypatch):
    contents = json.loads(json.dumps(document_of(build(Options(satz=KATZE)), {})))
    monkeypatch.setattr(TRAINS, None)
    for style in ({}, {"gewichte": None}):
        others = {name: value for name, value in contents["optionen"].items() if name != "gewichte"}
        assert not rebuild(contents | {"optionen": others | style}).changed
