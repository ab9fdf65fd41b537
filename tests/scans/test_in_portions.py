"""A class comes in portions on several days: what is read is added, and nothing that was reviewed is lost."""

import json
import threading
from functools import cache

import pytest

pytest.importorskip("zxingcpp")

from generator.basics.errors import UserError
from generator.calculation.rebuild import rebuild
from generator.commands import cli
from generator.options.options import Options
from generator.page import class_work
from generator.production import scanned
from generator.reading import collect
from generator.reading.papers import PERSON, Class
from generator.stations.make_sheet import make_sheet
from scans.paper import SHEET, page
from scans.portions import ASKED, a_class, scan_of


@pytest.fixture(scope="module")
def calculation():
    options = Options(satz="Die Katze sitzt", gewichte="ganzzahlig", stationen=("4b",))
    return make_sheet(options).record_json()


@pytest.fixture(autouse=True)
def unhurried(monkeypatch):
    """Pages are read here, without the limits for hostile ones: a busy machine is no finding.

    The calculation that all have is read once, with its ranges, which takes a second.
    """
    alone = threading.Lock()

    def here(read, title, content, *arguments):
        with alone:
            return read(content, *arguments)

    monkeypatch.setattr(collect, "confined", here)
    monkeypatch.setattr(scanned, "read_document", lambda path: rebuilt(path.read_bytes()))


@cache
def rebuilt(content):
    return rebuild(json.loads(content))


def all_said(folder, value):
    """A person says of everything that is open the same; what they have said by now, by key."""
    sheets = scanned.sheets_in(folder)
    shown = class_work.review(str(folder))["data"]
    waiting = [each["key"] for each in shown["fields"] if each["kind"] != "sample"]
    new = [key for key in waiting if key not in shown["said"]["werte"]]
    for part in (new[::2], new[1::2]):  # what was said first stays
        class_work.confirm(str(folder), {"werte": dict.fromkeys(part, value)})
    class_work.result(str(folder), "ergebnis.html")
    said = {key: each.value for key, _, each in scanned.current(sheets).keyed() if each.by == PERSON}
    assert said.keys() >= set(new)
    return said


def sent(folder, *files):
    """The way of the page, with names of its own for the files."""
    for number, file in enumerate(files):
        class_work.keep(str(folder), f"{number}{file.suffix}", file.name, file.read_bytes())
    return class_work.read(str(folder), [f"{number}{file.suffix}" for number, file in enumerate(files)])


def test_a_class_in_five_portions_with_latecomers_a_page_twice_and_a_wrong_class_between(
    tmp_path, calculation
):
    pupils = 8
    folder = a_class(tmp_path / "klasse", calculation, pupils)
    texts = {number: f"{number},75" for number in range(1, pupils + 1)}
    monday = 2  # papers, and as many on Tuesday

    def portion(name, *numbers):
        return scan_of(tmp_path / name, *((number, texts[number]) for number in numbers))

    (tmp_path / "leer.pdf").write_bytes(b"")
    with pytest.raises(UserError, match=r"„leer.pdf“ ist eine leere Datei"):
        sent(folder, tmp_path / "leer.pdf")
    assert not (folder / "eingelesen" / "stand.json").exists()
    first = portion("montag.pdf", *range(1, monday + 1))
    said = sent(folder, first)
    assert said["nochmal"] == 0
    assert f"Blatt {pupils} (Kind {pupils})" in said["hinweise"][0]
    before = all_said(folder, "1,11")
    assert len(before) >= monday

    sent(folder, portion("dienstag.pdf", *range(monday + 1, 2 * monday + 1)))  # reviewed later

    with pytest.raises(UserError, match=r"„falsch.pdf“.*Blatt ZZZZ"):
        sent(folder, scan_of(tmp_path / "falsch.pdf", (3, "1"), sheet="ZZZZ"))
    later = all_said(folder, "2,22")
    assert before.items() <= later.items()

    wednesday = portion("mittwoch.pdf", *range(2 * monday + 1, pupils - 2))
    again = sent(folder, first, wednesday)  # the very scan of Monday
    assert again["nochmal"] == 0
    assert sum("ist doppelt" in note for note in again["hinweise"]) == monday

    once_more = portion("nach.pdf", pupils - 2, pupils - 1, 2)
    assert cli.main(["einlesen", str(once_more), "--mit", str(folder)]) == 0
    assert not class_work.review(str(folder))["data"]["again"]  # the same picture as on Monday

    other = scan_of(tmp_path / "anders.pdf", (2, "88,88"), (pupils, texts[pupils]))
    assert sent(folder, other)["nochmal"] == 1
    (waiting,) = class_work.review(str(folder))["data"]["again"]
    assert waiting["said"].startswith("Blatt 2 (Kind 2): Seite 1 war schon da")
    last = all_said(folder, "3,33")
    assert later.items() <= last.items()

    class_work.decide(str(folder), waiting["key"], False)
    whole = scanned.current(scanned.sheets_in(folder))
    assert {paper.number for paper in whole.papers} == set(range(1, pupils + 1))
    assert whole.missing == []
    assert [paper.label for paper in whole.papers if paper.number == 2] == ["2", "2 (2)"]
    kept = {key: each.value for key, _, each in whole.keyed() if each.by == PERSON}
    assert last.items() <= kept.items()
    result = class_work.result(str(folder), "ergebnis.html")
    assert all(f"Kind {number}" in result for number in range(1, pupils + 1))


def test_a_page_that_came_again_replaces_only_its_own_paper(tmp_path, calculation):
    folder = a_class(tmp_path / "klasse", calculation, 3)
    sent(folder, scan_of(tmp_path / "a.pdf", (1, "77,11"), (2, "77,22"), (3, "77,33")))
    said = all_said(folder, "5,55")
    assert sent(folder, scan_of(tmp_path / "b.pdf", (2, "66,22")))["nochmal"] == 1
    arguments = ["einlesen", "--mit", str(folder), "--nochmal", "ersetzen"]
    assert cli.main(arguments) == 0
    read = scanned.current(scanned.sheets_in(folder))
    assert [paper.label for paper in read.papers] == ["1", "2", "3"]
    assert read.again == []
    new = {key: each.value for key, paper, each in read.keyed() if each.by == PERSON}
    gone = said.keys() - new.keys()
    assert {key.split(".")[0] for key in gone} == {f"{SHEET}-2"}
    class_work.confirm(str(folder), {"werte": said})  # an old window says all of it once more
    after = scanned.current(scanned.sheets_in(folder))
    assert {key: each.value for key, _, each in after.keyed() if each.by == PERSON} == new


def test_copies_of_one_sheet_and_a_latecomer_by_command_with_a_saved_review(tmp_path, calculation, capsys):
    folder = a_class(tmp_path / "blatt", calculation, 0)
    scan = scan_of(tmp_path / "a.pdf", (0, "7,1"), (0, "7,2"))
    assert cli.main(["einlesen", str(scan), "--mit", str(folder)]) == 0
    shown = class_work.review(str(folder))["data"]
    said = {each["key"]: "4,44" for each in shown["fields"] if each["kind"] != "sample"}
    review = tmp_path / "durchsicht.json"
    review.write_text(json.dumps({"werte": said, "geprueft": [], "falsch": []}))
    assert cli.main(["einlesen", str(review), "--mit", str(folder)]) == 0
    photo = tmp_path / "nachzügler.png"
    page(1, {ASKED[0].cell: "9,9"}).save(photo)
    assert cli.main(["einlesen", str(photo), "--mit", str(folder)]) == 0
    assert cli.main(["einlesen", str(review), "--mit", str(folder)]) == 0  # the old review still fits
    read = Class.load(folder / "eingelesen")
    assert [paper.label for paper in read.papers] == ["1", "2", "3"]
    assert {key: each.value for key, _, each in read.keyed() if each.by == PERSON} == said
    assert len(list((folder / "eingelesen" / "antworten").glob("*.csv"))) == 3
