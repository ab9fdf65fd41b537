"""A class set: sheets equally hard, numbers as in the files, nothing half, the same again, in all formats."""

import gc
import io
import json
import re
import zipfile
from concurrent.futures import Executor, Future
from dataclasses import replace
from decimal import Decimal
from functools import partial
from types import SimpleNamespace
from xml.etree import ElementTree

import pypdfium2
import pytest
import zxingcpp

from generator.basics.errors import UserError
from generator.basics.helpers import ThisProcess
from generator.commands import cli
from generator.options.declaration import ensure_of_pages
from generator.options.options import Options
from generator.production import class_set, exports
from generator.production.drawing import BANDS, draw
from generator.production.variant import Order, carry_out
from generator.production.workshop import Workshop
from generator.reading.blank_map import read_map
from tests.classes.bound import calculation_of, code_on, manifest_of, silent, text_on, wrong_in
from tests.sheets import reading

SENTENCE = "Die Katze sitzt"
NAMES = ("Zoë von der Großen Mühle-Schmitz", "", "Jörg")
FORMATS = ("docx", "md", "moodle")
FIVE = Options(satz=SENTENCE, stationen=("5",), gewichte="ganzzahlig", format=FORMATS)
LAYING_OUT: list[int] = []  # documents of WeasyPrint that lie in memory, before the set and after each sheet


class Watching(ThisProcess):
    """Counts what each sheet leaves in memory: a helper collects so rarely that thirty would lie there."""

    def submit(self, fn, /, *args, **kwargs):
        future = super().submit(fn, *args, **kwargs)
        if fn is carry_out or not LAYING_OUT:
            kinds = (type(each).__module__ for each in gc.get_objects())
            LAYING_OUT.append(sum(kind == "weasyprint.document" for kind in kinds))
        return future


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A finished set, in the place of one that somebody made with another format."""
    options = replace(FIVE, ausgabe=tmp_path_factory.mktemp("set"))
    (class_set.usual_folder(options) / class_set.SINGLE).mkdir(parents=True)
    for old in ("arbeitsblaetter-stack.xml", f"{class_set.SINGLE}/9-arbeitsblatt.docx"):
        (class_set.usual_folder(options) / old).write_text("von früher")
    gc.disable()
    try:
        return class_set.make(options, NAMES, Watching(), silent)
    finally:
        gc.enable()


def test_a_sheet_that_was_laid_out_leaves_no_document(folder):
    assert len(LAYING_OUT) == 1 + len(NAMES)
    assert max(LAYING_OUT[1:]) <= LAYING_OUT[0]


def test_the_pages_of_a_set_agree_with_its_files(folder):
    assert not list(wrong_in(folder))
    variants = manifest_of(folder)
    assert [each["name"] for each in variants] == list(NAMES)
    assert len({each["startwert"] for each in variants}) == 3
    for key, band in (("minuten", BANDS[0].minutes), ("breite", BANDS[0].width)):
        found = [each[key] for each in variants]
        assert max(found) <= min(found) * (1 + band) / (1 - band) + 0.001
    keys, sheets = (pypdfium2.PdfDocument(folder / name) for name in ("loesungen.pdf", "arbeitsblaetter.pdf"))
    page = 0
    for each in variants:
        assert page % 2 == 0, "begins on a front page"
        first = text_on(sheets[page])
        assert f"Blatt {each['blatt']}" in first
        assert (each["name"][:20] in first) if each["name"] else ("Name" in first)
        assert "Zoë" not in "".join(text_on(keys[page + n]) for n in range(each["seiten"]))
        assert calculation_of(folder, each["nummer"])["optionen"]["startwert"] == each["startwert"]
        for place in (1, each["seiten"]):
            mark = code_on(sheets[page + place - 1], zxingcpp.BarcodeFormat.DataMatrix)
            assert mark == f"{each['blatt']}{each['nummer']:04}{place:04}"
        assert not code_on(keys[page], zxingcpp.BarcodeFormat.DataMatrix)
        page += each["seiten"] + each["seiten"] % 2
    printed = read_map(folder / "felder.json")
    assert [(each.mark, each.number) for each in printed] == [(v["blatt"], v["nummer"]) for v in variants]
    assert all(each.blanks and (folder / each.calculation).is_file() for each in printed)
    for path in (folder / "rechnungen").iterdir():
        assert "Zoë" not in path.read_text(encoding="utf-8")


def test_every_variant_is_a_question_that_expects_its_own_numbers(folder):
    bank = (folder / "arbeitsblaetter-moodle.xml").read_text(encoding="utf-8")
    assert not [name for name in filter(None, NAMES) if name in bank]
    questions = ElementTree.fromstring(bank).findall("question[@type='cloze']")
    for each in manifest_of(folder):
        own = [q for q in questions if f"(Blatt {each['blatt']}, " in q.findtext("name/text")]
        texts = "".join(q.findtext("questiontext/text") for q in own)
        expected = sorted(Decimal(number) for number in re.findall(r"NUMERICAL:=(-?[\d.]+):0", texts))
        contents = calculation_of(folder, each["nummer"])
        quantities = contents["quantities"]
        assert expected == sorted(
            Decimal(str(reading.cell(quantities[quantity]["hand"], place)))
            for task in contents["aufgaben"]
            for quantity, places in task["luecken"].items()
            for place in places
        )
    assert f"„{SENTENCE}“" in bank


def test_documents_of_pages_are_one_file_for_each_pupil_and_none_is_left_of_before(folder):
    single = {path.name: path.read_bytes() for path in (folder / class_set.SINGLE).iterdir()}
    pages = {
        f"{n}-{page}.{kind}"
        for n in (1, 2, 3)
        for page in ("arbeitsblatt", "loesung")
        for kind in ("docx", "md")
    }
    pictures = {name for name in single if name.endswith(".svg")}
    assert single.keys() == pages | pictures
    for number, each in enumerate(manifest_of(folder), 1):
        sheet, key = (all_text(single[f"{number}-{page}.docx"]) for page in ("arbeitsblatt", "loesung"))
        assert [name[:20] in sheet for name in NAMES if name] == [
            name == each["name"] for name in NAMES if name
        ]
        assert each["blatt"] in sheet
        assert not [name for name in NAMES if name and name[:20] in key]
        linked = set(re.findall(r"!\[\]\(([^)]*)\)", single[f"{number}-arbeitsblatt.md"].decode()))
        assert linked
        assert linked <= pictures
    files = {*class_set.FILES, "rechnungen", class_set.SINGLE, *exports.FILES}
    assert {path.name for path in folder.iterdir()} == files - {"arbeitsblaetter-stack.xml"}
    assert list(folder.parent.iterdir()) == [folder]


def all_text(data):
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        files = [package.read(name).decode() for name in package.namelist() if name.endswith(".xml")]
    return "".join(re.findall(r"<w:t[ >][^<]*", "".join(files)))


def test_a_format_that_asks_questions_has_no_key_of_own_numbers():
    with pytest.raises(UserError, match=r"^--format moodle gibt es bei loesung nicht; möglich .*docx"):
        ensure_of_pages(["moodle"], "loesung")


class Dies(ThisProcess):
    """The process is killed at its second sheet; until then nobody else may make the same set."""

    def __init__(self, options):
        self.options, self.orders = options, 0

    def submit(self, fn, /, *args, **kwargs):
        self.orders += fn is carry_out
        if self.orders == 2:
            raise KeyboardInterrupt
        with pytest.raises(UserError, match="anderer Lauf"):
            class_set.make(self.options, NAMES, ThisProcess(), silent)
        return super().submit(fn, *args, **kwargs)


class LastFirst(Executor):
    """Does the job that was handed over last before all others, as soon as somebody waits for any."""

    def __init__(self):
        self.waiting, self.seen = [], []

    def submit(self, fn, /, *args, **kwargs):
        self.seen += [each.name for each in args if isinstance(each, Order)]
        self.waiting.append((Future(), partial(fn, *args, **kwargs)))
        return self.waiting[-1][0]

    def wait(self, _, timeout, __):
        """Instead of `concurrent.futures.wait`."""
        if timeout == 0:
            return SimpleNamespace(done=set())
        future, work = self.waiting.pop()
        future.set_result(work())
        return SimpleNamespace(done={future})


def test_a_set_that_was_killed_goes_on_and_is_the_same_whatever_is_finished_first(
    folder, tmp_path, monkeypatch
):
    options = replace(FIVE, ausgabe=tmp_path)
    monkeypatch.setattr("shutil.rmtree", lambda *_, **__: None)  # whoever is killed takes nothing away
    with pytest.raises(KeyboardInterrupt):
        class_set.make(options, NAMES, Dies(options), silent)
    monkeypatch.undo()
    (scratch,) = tmp_path.iterdir()
    assert len(list(scratch.glob("*-note.json"))) == 1

    again, told = LastFirst(), []
    monkeypatch.setattr("generator.production.workshop.wait", again.wait)
    monkeypatch.setattr(Workshop, "draw", lambda self, options: partial(draw, options, {}))
    monkeypatch.setattr(Workshop, "share", lambda self, work: {k: part() for k, part in work.items()})
    made = class_set.make(options, NAMES, again, lambda *said: told.append(said))
    assert again.seen == list(NAMES[1:])
    assert told[-1] == ("Binde die Blätter", 3, 3)
    assert [path.name for path in tmp_path.iterdir()] == [made.name]
    files, before = (
        {str(path.relative_to(each)): path.read_bytes() for path in each.rglob("*.*") if path.is_file()}
        for each in (made, folder)
    )
    assert files == before


def test_what_fails_leaves_nothing_behind(tmp_path, monkeypatch):
    def fails(*_):
        raise UserError("Nein.")

    monkeypatch.setattr("generator.production.variant.sheet_of", fails)
    with pytest.raises(UserError, match="Nein"):
        class_set.make(replace(FIVE, ausgabe=tmp_path), ("", ""), ThisProcess(), silent)
    assert not list(tmp_path.iterdir())


def test_the_same_numbers_are_one_key_that_says_whose_it_is_and_another_class_has_its_own_folder(
    tmp_path, capsys
):
    (tmp_path / "namen.csv").write_text("Ada\nBob\nCem\n", encoding="utf-8")
    call = ["klassensatz", SENTENCE, str(tmp_path / "namen.csv"), "--stationen", "5"]
    assert cli.main([*call, "--gewichte", "auswahl", "--ausgabe", str(tmp_path / "x")]) == 0
    said = capsys.readouterr().out
    assert "3 Blätter, 1 verschiedenes" in said
    assert "--gewichte ganzzahlig" in said
    (folder,) = (tmp_path / "x").iterdir()
    variant = manifest_of(folder)[0]
    keys = pypdfium2.PdfDocument(folder / "loesungen.pdf")
    assert len(keys) == variant["seiten"] + variant["seiten"] % 2
    assert "Ada, Bob, Cem" in text_on(keys[0])
    titles = [each.get_title() for each in keys.get_toc() if each.level == 0]
    assert titles == [f"1, 2, 3 – Blatt {variant['blatt']}"]
    assert "1 verschiedenes" in (folder / "uebersicht.html").read_text(encoding="utf-8")

    same = (folder / class_set.MANIFEST).read_bytes()
    dora = json.dumps({"varianten": [variant | {"name": "Dora"}]}).encode()
    assert class_set.folder_of(folder, same) == folder
    assert class_set.folder_of(folder, dora) == folder.with_name(f"{folder.name}-2")
