"""A class set asks its questions in Moodle too: a question for each variant, with its own right numbers."""

import io
import json
import re
import zipfile
from dataclasses import replace
from decimal import Decimal
from xml.etree import ElementTree

import pytest

from generator.basics.errors import UserError
from generator.basics.helpers import ThisProcess
from generator.options.declaration import FORMATS, ensure_of_pages
from generator.options.options import Options
from generator.production import class_set, exports
from tests.sheets import reading

SENTENCE = "Die Katze sitzt"


NAMES = ("Anna Ott", "Ben Uhl")


@pytest.fixture(scope="module")
def options(tmp_path_factory):
    """Of a set of two in every format."""
    asked = {"satz": SENTENCE, "stationen": ("4a",), "gewichte": "ganzzahlig", "format": tuple(FORMATS)}
    return Options(**asked, ausgabe=tmp_path_factory.mktemp("banks"))


@pytest.fixture(scope="module")
def folder(options):
    return class_set.make(options, NAMES, ThisProcess(), lambda *_: None)


def manifest_of(folder):
    return json.loads((folder / "klassensatz.json").read_text(encoding="utf-8"))["varianten"]


def test_every_variant_is_a_question_that_expects_its_own_numbers(folder):
    bank = ElementTree.parse(folder / "arbeitsblaetter-moodle.xml").getroot()
    questions = bank.findall("question[@type='cloze']")
    for each in manifest_of(folder):
        path = folder / f"rechnungen/{each['nummer']}.json"
        contents = json.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
        own = [q for q in questions if f"(Blatt {each['blatt']}, " in q.findtext("name/text")]
        assert all(q.findtext("name/text").startswith("Self-Attention") for q in own)
        texts = "".join(q.findtext("questiontext/text") for q in own)
        expected = sorted(Decimal(number) for number in re.findall(r"NUMERICAL:=(-?[\d.]+):0", texts))
        assert expected == sorted(asked_numbers(contents))
    categories = [q.findtext("category/text") for q in bank.findall("question[@type='category']")]
    assert any(f"„{SENTENCE}“" in each and "/Self-Attention" in each for each in categories)
    stack = ElementTree.parse(folder / "arbeitsblaetter-stack.xml").getroot()
    heads = [q.findtext("name/text") for q in stack.findall("question[@type='stack']")]
    assert len(heads) == len(set(heads)) >= 2


def asked_numbers(contents):
    for task in contents["aufgaben"]:
        for quantity, places in task["luecken"].items():
            for place in places:
                yield Decimal(reading.cell(contents["quantities"][quantity]["hand"], place))


def test_documents_of_pages_are_one_file_for_each_pupil(folder):
    single = {path.name: path.read_bytes() for path in (folder / class_set.SINGLE).iterdir()}
    endings = [each.ending for each in FORMATS.values() if not each.whole]
    pages = {
        f"{n}-{page}{ending}" for n in (1, 2) for page in ("arbeitsblatt", "loesung") for ending in endings
    }
    pictures = single.keys() - pages
    assert pages <= single.keys()
    assert pictures
    variants = manifest_of(folder)
    shared = variants[0]["blatt"] == variants[1]["blatt"]
    for number, (own, other) in enumerate((NAMES, NAMES[::-1]), 1):
        mark = variants[number - 1]
        text = all_text(single[f"{number}-arbeitsblatt.docx"])
        assert own in text
        assert other not in text
        assert mark["blatt"] in text
        named = [name in all_text(single[f"{number}-loesung.docx"]) for name in NAMES]
        assert named == [shared and number == 1] * 2  # the key of one sheet is printed once, for both
        said = single[f"{number}-arbeitsblatt.md"].decode()
        assert set(re.findall(r"!\[\]\(([^)]*)\)", said)) <= pictures
    bank = (folder / "arbeitsblaetter-moodle.xml").read_text(encoding="utf-8")
    assert not [name for name in NAMES if name in bank]


def all_text(data):
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        files = [package.read(name).decode() for name in package.namelist() if name.endswith(".xml")]
    return "".join(re.findall(r"<w:t[ >][^<]*", "".join(files)))


def test_a_later_set_without_formats_takes_the_old_files_away(folder, options):
    files = {*class_set.FILES, "rechnungen", class_set.SINGLE}
    assert {path.name for path in folder.iterdir()} == {*files, *exports.FILES}
    class_set.make(replace(options, format=()), NAMES, ThisProcess(), lambda *_: None)
    assert {path.name for path in folder.iterdir()} == files
    assert not list((folder / class_set.SINGLE).iterdir())
    assert list(folder.parent.iterdir()) == [folder]


def test_a_format_that_asks_questions_has_no_key_of_own_numbers():
    with pytest.raises(UserError, match=r"^--format moodle gibt es bei loesung nicht; möglich .*docx"):
        ensure_of_pages(["moodle"], "loesung")
