"""A lesson with a class set: each phone has the numbers of its own sheet."""

import json
from dataclasses import replace

import pytest

from generator.calculation.build import build
from generator.options.sheet_code import short_mark
from generator.page.lesson.opened import Open, Sheet
from generator.page.lesson.store import Lesson
from generator.page.shelf import write_entry
from generator.stations.make_sheet import make_sheet
from tests.page.asking import Class, client_of, fields, tasks, texts
from tests.page.papers import OPTIONS


@pytest.fixture(scope="module")
def sheets():
    """By number: calculation, mark, and what is right."""
    made = {}
    for number, seed in (("1", 9), ("2", 2)):  # the first one's mark has an O
        built = build(replace(OPTIONS, gewichte="ganzzahlig", startwert=seed))
        right = {each: quantity.values for each, quantity in built.passes.hand.items()}
        made[number] = make_sheet(built).record_json(), short_mark(built.options), right
    return made


async def shelved(room, sheets):
    """The name of a class set of these sheets on the teacher's shelf."""
    await room.teacher("GET", "/stunden")
    name, folder = room.services.shelf.new(client_of(room.session["cookie"]))
    (folder / "rechnungen").mkdir()
    for number, (record, *_) in sheets.items():
        (folder / f"rechnungen/{number}.json").write_bytes(record)
    known = [{"nummer": int(number), "name": "Mia", "blatt": mark} for number, (_, mark, _) in sheets.items()]
    (folder / "klassensatz.json").write_text(json.dumps({"varianten": known}), encoding="utf-8")
    said = {"art": "klassensatz", "satz": "Die Katze schläft", "anzahl": 2, "blaetter": known}
    write_entry(folder, **said, befehl="", dateien=["klassensatz.json"])
    return name


async def test_where_several_sheets_may_be_meant_the_teacher_chooses(room, sheets):
    name, mark = await shelved(room, sheets), sheets["1"][1]
    _, folder = room.services.shelf.new(client_of(room.session["cookie"]))
    write_entry(folder, art="blatt", blatt=mark, satz="Die Katze schläft", befehl="", dateien=[])
    with_digits = mark.translate(str.maketrans("OI", "01"))  # as O and I are read on paper
    for typed, single in (("mia", 0), (mark, 1), (with_digits, 1)):
        offered = (await room.teacher("POST", "/api/oeffnen", {"code": typed})).json["auswahl"]
        assert sum("blatt" in each for each in offered) == single
        of_class = next(each for each in reversed(offered) if "klasse" in each)  # folders of one second
        assert (name, "Mia") == (of_class["klasse"], of_class["titel"].split(": ")[1].split(",")[0])
    chosen = (await room.teacher("POST", "/api/oeffnen", of_class)).json
    assert (chosen["nummer"], len(chosen["personen"])) == (1, 2)
    assert "kein Kurzname" in (await room.teacher("POST", "/api/oeffnen", {"code": "Jürgen"})).json["fehler"]


async def test_of_a_class_set_each_phone_has_the_numbers_of_its_own_sheet(room, tmp_path, sheets):
    name, (_, one, _), (_, two, right) = await shelved(room, sheets), *sheets.values()
    for said in ({"klasse": name}, {"code": two.lower()}):
        begun = await room.teacher("POST", "/api/stunden", {**said, "rueckmeldung": "hilfe"})
        lesson = begun.json["stunde"]
    await room.teacher("DELETE", f"/api/blaetter/{name}")
    pages = {}
    for said in ("", "QQQQ", one.lower(), "02", f"Blatt {two}"):
        pages[said] = (await room.ask("GET", f"/stunde/{lesson}?blatt={said}")).body.decode()
    assert "Welches Blatt hast du?" in pages[""]
    assert "gehört nicht zu dieser Stunde" in pages["QQQQ"]
    assert pages["02"] == pages[f"Blatt {two}"] != pages[one.lower()]
    found = await room.room.lessons.find(lesson)
    assert pages["02"].count('class="cell"') == len(fields(found, "2"))
    refused = {"tier": "Igel", "blatt": "3"}
    assert (await room.ask("POST", f"/stunde/api/{lesson}/rein", body=refused)).status == 422
    for animal, sheet in (("Igel", "2"), ("Eule", "1")):  # both have the numbers of the second
        await room.write(lesson, await room.join(lesson, animal, sheet), texts(found, right, sheet))
    again = Class(tmp_path)
    again.session = room.session
    for each in (room, again):
        await each.teacher("GET", f"/stunden/{lesson}")
        eule, igel = (await each.judged(lesson))["kinder"]
        assert set(igel["urteile"]) == {"richtig"}
        assert igel["eingetragen"] == igel["felder"] == len(fields(found, "2"))
        assert eule["urteile"]["falsch"] > 3
        assert (igel["blatt"], eule["blatt"]) == (f"2 · {two}", f"1 · {one}")
        result = (await each.teacher("GET", f"/stunden/{lesson}/klasse.csv")).body.decode("utf-8-sig")
        assert [line.split(";")[:2] for line in result.splitlines()[1:]] == [["1", "Eule"], ["2", "Igel"]]
        wall = (await each.teacher("GET", f"/api/stunden/{lesson}/beamer")).json["kinder"]
        asked = [sum(field is not None for field in row["felder"]) for row in wall]
        assert asked == [len(fields(found, number)) for number in "12"]
        number = tasks(found, "2")[0]["nummer"]
        for animal, mark in (("Igel", two), ("Eule", one)):
            order = {"station": "4a", "nummer": number, "tier": animal}
            said = (await each.teacher("POST", f"/api/stunden/{lesson}/loesung", order)).json
            assert (said["blatt"], bool(said["zellen"])) == (mark, True)
    await again.room.lessons.close()


def test_of_a_team_each_person_is_told_apart():
    sheets = {str(n): Sheet({}, mark, {}) for n, mark in enumerate(("OLZ4-1", "OLZ4-2", "SFJN-1"), 1)}
    lesson = Open(Lesson("ABC", "", "", "", "", 0.0), sheets)
    assert lesson.groups == {}
    said = {"0LZ4 - 2": ["2"], "blatt olz41": ["1"], "sfjn": ["3"], "2": ["2"], "9": [], "OLZ4": ["1", "2"]}
    assert {each: lesson.numbers_of(each) for each in said} == said
