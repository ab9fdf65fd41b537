"""The form's fields come from the declarations of the options; what it sends becomes options again."""

import tomllib

import pytest

from generator.basics.errors import UserError
from generator.basics.reading import text_of
from generator.options.declaration import FORMATS
from generator.options.options import TABLE, Options
from generator.options.sheet_code import short_mark
from generator.page import form
from generator.page.viewing import decided
from generator.page.work import given_options, on_paper, template_of
from generator.production.summary import chosen_for_time
from generator.teacher.lesson import choose


def fields():
    return [field for group in form.groups() for field in group.fields]


def test_every_option_is_one_field_or_the_programs_own_with_a_name_and_its_default():
    names = [field.name for field in fields()]
    assert len(set(names)) == len(names)
    options = {option.name for option in TABLE}
    assert {*names, *form.NOT_ON_THE_PAGE} >= options
    texts = tomllib.loads(text_of("page/options.toml"))
    assert options >= {name for group in texts["gruppen"] for name in group["optionen"]} | {*texts["hilfen"]}
    for field in fields():
        assert field.label[0].isupper(), field.name
        assert not field.help.lower().startswith(field.label.lower()), "a help says more than its label"
        assert "--" not in field.label + field.help
        assert field.widget != "choice" or field.standard in dict(field.values), field.name


def test_the_page_calls_files_what_their_line_says_those_to_print_first():
    (field,) = (field for field in fields() if field.name == "format")
    for name, each in FORMATS.items():
        assert dict(field.values)[name] == each.says
        (file,) = form.labelled({"dateien": [f"loesung{each.ending}"]})["dateien"]
        assert file == {"datei": f"loesung{each.ending}", "name": "Lösung", "art": each.says, "dazu": True}
    files = form.labelled({"dateien": ["arbeitsblatt-moodle.xml", "loesung.pdf", "arbeitsblatt.pdf"]})[
        "dateien"
    ]
    assert [each["name"] for each in files] == ["Arbeitsblatt", "Lösung", "Arbeitsblatt"]


def test_defaults_as_they_are_typed_change_nothing(tmp_path):
    typed = {
        field.name: field.standard
        for field in fields()
        if field.standard and field.widget in ("choice", "whole", "text")
    }
    order = {"optionen": {"satz": "Die Katze sitzt", **typed}}
    assert on_paper(given_options(order, tmp_path)) == Options.asked({"satz": "Die Katze sitzt"})


ODD = ({"gewichte": "/etc/passwd"}, {"gewichte": ["auswahl"]}, {"lernen": "nichts"}, {"zielsatz": "x" * 5000})
NO_NUMBERS = (
    [],
    {"satz": "x"},
    {"wortvektoren": {"a": ["1"]}},
    {"wortvektoren": {"a": [0] * 30_000}},
    *({"block1.W_O": [[each]]} for each in (True, float("nan"), float("inf"))),
)


def test_what_no_form_sends_is_refused_and_no_file_of_this_computer_can_be_named(tmp_path):
    for sent in (None, [], "x", {"satz": 3}, *({"satz": "Die Katze"} | each for each in ODD)):
        with pytest.raises(UserError):
            given_options({"optionen": sent}, tmp_path)
    for name in ("vorlage", "embeddings", "ausgabe", "unbekannt"):
        assert name not in given_options({"optionen": {"satz": "Die Katze", name: "/etc/passwd"}}, tmp_path)
    for numbers in NO_NUMBERS:
        with pytest.raises(UserError):
            template_of(numbers)


def test_texts_and_numbers_become_files_of_the_program(tmp_path):
    typed = {"satz": "Die Katze", "gewichte": "gelernt", "texte": "Die Katze sitzt.\nDer Hund bellt."}
    numbers = {"wortvektoren": {'Ka"tze': [0.5, -1, 0, 0]}}
    wanted = given_options({"optionen": typed, "zahlen": numbers}, tmp_path)
    assert wanted["texte"] == tmp_path / "texte.txt"
    read = tomllib.loads(wanted["vorlage"].read_text(encoding="utf-8"))
    assert read == numbers

    def mark(folder, value):
        order = {"optionen": {"satz": "Die Katze"}, "zahlen": {"wortvektoren": {"Katze": [value, 0, 0, 0]}}}
        return short_mark(on_paper(given_options(order, tmp_path / folder)))

    assert mark("a", 0.5) != mark("b", 0.7)
    assert mark("a", 0.5) == mark("c", 0.5)


IN_WORDS = {
    "--heads 3 teilt --dimension 4 nicht; --ohne-maske, --unbekannt bleibt.": (
        "„Attention-Heads“ 3 teilt „Länge der Wortvektoren“ 4 nicht; „Kausale Maske“ ausgeschaltet, "
        "--unbekannt bleibt."
    ),
    "Der Satz hat 1 Token; der Satz hat die Token A, B: 24 Token.": (
        "Der Satz hat 1 Wort; der Satz hat die Wörter A, B: 24 Wörter."
    ),
    "Nötig ist --texte mit einer Datei, in der sie stehen; „--gewichte gelernt“ auch.": (
        "Nötig ist „Texte, die das Modell liest“; „Matrizen: gelernt“ auch."
    ),
}


def test_flags_become_the_names_of_fields():
    assert {said: form.in_words(said) for said in IN_WORDS} == IN_WORDS


def test_a_lesson_that_leaves_attention_out_says_so_first_on_the_page_and_in_the_terminal():
    lines = [("4a", "4b"), ("6",)]
    choice = choose(lines, (3,), (2,), lambda stations, *_: 10 if stations == ("6",) else 99, 45)
    options = Options(satz="Die Katze schläft")
    said = next(decided(choice, options))
    assert said.startswith("Ohne Attention: Für 45 Minuten")
    assert next(chosen_for_time(choice, options.tokens, by_token=True)) == said
