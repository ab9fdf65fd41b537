"""A class set asks its questions in Moodle too: a question for each variant, with its own right numbers."""

import json
import re
from decimal import Decimal
from xml.etree import ElementTree

import pytest

from generator.basics.errors import UserError
from generator.options.further_formats import FORMATS, ensure_written
from generator.options.options import Options
from generator.output.many import ThisProcess
from generator.production import class_set, question_banks
from generator.production.class_set import class_options

SENTENCE = "Die Katze sitzt"


def test_every_variant_is_a_question_that_expects_its_own_numbers(tmp_path):
    options = Options(
        satz=SENTENCE,
        stationen=("4a",),
        gewichte="ganzzahlig",
        format=tuple(name for name, each in FORMATS.items() if each.whole),
        ausgabe=tmp_path,
    )
    folder = class_set.make(options, ("", "", ""), ThisProcess(), lambda *_: None)
    assert {path.name for path in folder.iterdir()} == {
        *class_set.FILES,
        *question_banks.FILES,
        "rechnungen",
    }
    bank = ElementTree.parse(folder / "arbeitsblaetter-moodle.xml").getroot()
    texts = [q.findtext("questiontext/text") for q in bank.findall("question[@type='cloze']")]
    names = [q.findtext("name/text") for q in bank.findall("question[@type='cloze']")]
    manifest = json.loads((folder / "klassensatz.json").read_text(encoding="utf-8"))["varianten"]
    started = [f"Self-Attention (Blatt {each['blatt']}, " for each in manifest]
    assert [name[: len(begun)] for name, begun in zip(names, started, strict=True)] == started
    for text, each in zip(texts, manifest, strict=True):
        path = folder / f"rechnungen/{each['nummer']}.json"
        contents = json.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
        expected = sorted(Decimal(number) for number in re.findall(r"NUMERICAL:=(-?[\d.]+):0", text))
        assert expected == sorted(asked_numbers(contents))
    (category,) = [
        q.findtext("category/text")
        for q in bank.findall("question[@type='category']")
        if q.findtext("category/text").endswith("/Self-Attention")
    ]
    assert SENTENCE in category
    stack = ElementTree.parse(folder / "arbeitsblaetter-stack.xml").getroot()
    heads = [q.findtext("name/text") for q in stack.findall("question[@type='stack']")]
    assert len(heads) == len(set(heads)) >= 3
    assert not [element for element in folder.parent.iterdir() if element != folder]


def asked_numbers(contents):
    for task in contents["aufgaben"]:
        for quantity, places in task["luecken"].items():
            for place in places:
                value = contents["quantities"][quantity]["hand"]
                for index in place:
                    value = value[index]
                yield Decimal(value)


def test_a_later_set_without_a_bank_takes_the_old_one_away(tmp_path):
    options = Options(satz=SENTENCE, stationen=("2",), gewichte="ganzzahlig", ausgabe=tmp_path)
    folder = tmp_path / "die-katze-sitzt-klasse"
    folder.mkdir()
    (folder / question_banks.FILES[0]).write_bytes(b"old")
    class_set.make(options, ("",), ThisProcess(), lambda *_: None)
    assert not (folder / question_banks.FILES[0]).exists()


def test_a_format_with_a_file_for_each_page_is_refused_in_one_sentence():
    with pytest.raises(UserError, match=r"^--format docx gibt es bei klassensatz nicht; möglich .*moodle"):
        class_options({"satz": SENTENCE, "format": ["docx"]})
    with pytest.raises(UserError, match=r"^--format moodle gibt es bei loesung nicht; möglich .*docx"):
        ensure_written(["moodle"], "loesung", whole=False)
