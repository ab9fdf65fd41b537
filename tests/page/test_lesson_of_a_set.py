"""A lesson with a class set: each phone has the numbers of its own sheet."""

import json
from dataclasses import replace

from generator.calculation.build import build
from generator.options.sheet_code import short_mark
from generator.page.lesson.opened import Open, Sheet
from generator.page.lesson.store import Lesson
from generator.page.shelf import write_entry
from generator.stations.make_sheet import make_sheet
from tests.page.asking import client_of
from tests.page.in_process import Class, exercises, fields, texts
from tests.page.papers import OPTIONS


def a_class_set(room):
    """Two sheets with numbers of their own, on the teacher's shelf; where, and what is right on each."""
    client = client_of(room.session["cookie"])
    name, folder = room.app.app.state.services.shelf.new(client)
    (folder / "rechnungen").mkdir()
    sheets, right = [], {}
    for number, seed in (("1", 9), ("2", 2)):  # the first one's mark has an O
        built = build(replace(OPTIONS, gewichte="ganzzahlig", startwert=seed))
        (folder / f"rechnungen/{number}.json").write_bytes(make_sheet(built).record_json())
        sheets.append({"nummer": int(number), "name": "Mia", "blatt": short_mark(built.options)})
        right[number] = {each: quantity.values for each, quantity in built.passes.hand.items()}
    (folder / "klassensatz.json").write_text(json.dumps({"varianten": sheets}), encoding="utf-8")
    said = {"art": "klassensatz", "satz": "Die Katze schläft", "anzahl": 2, "blaetter": sheets}
    write_entry(folder, **said, befehl="", dateien=["klassensatz.json"])
    return name, [each["blatt"] for each in sheets], right


async def test_where_several_sheets_may_be_meant_the_teacher_chooses(room):
    await room.teacher("GET", "/stunden")
    name, marks, _ = a_class_set(room)
    _, folder = room.app.app.state.services.shelf.new(client_of(room.session["cookie"]))
    write_entry(folder, art="blatt", blatt=marks[0], satz="Die Katze schläft", befehl="", dateien=[])
    with_digits = marks[0].translate(str.maketrans("OI", "01"))  # as O and I are read on paper
    for typed, single in (("mia", 0), (marks[0], 1), (with_digits, 1)):
        offered = (await room.teacher("POST", "/api/oeffnen", {"code": typed})).json["auswahl"]
        assert sum("blatt" in each for each in offered) == single
        of_class = next(each for each in reversed(offered) if "klasse" in each)  # folders of one second
        assert (name, "Mia") == (of_class["klasse"], of_class["titel"].split(": ")[1].split(",")[0])
    chosen = (await room.teacher("POST", "/api/oeffnen", of_class)).json
    assert (chosen["nummer"], len(chosen["personen"])) == (1, 2)
    assert "kein Kurzname" in (await room.teacher("POST", "/api/oeffnen", {"code": "Jürgen"})).json["fehler"]


async def test_of_a_class_set_each_phone_has_the_numbers_of_its_own_sheet(room, tmp_path):
    await room.teacher("GET", "/stunden")
    name, marks, right = a_class_set(room)
    for said in ({"klasse": name}, {"code": marks[1].lower()}):
        begun = await room.teacher("POST", "/api/stunden", {**said, "rueckmeldung": "hilfe"})
        lesson = begun.json["stunde"]
    await room.teacher("DELETE", f"/api/blaetter/{name}")
    pages = {}
    for said in ("", "QQQQ", marks[0].lower(), "02", f"Blatt {marks[1]}"):
        pages[said] = (await room.ask("GET", f"/stunde/{lesson}?blatt={said}")).body.decode()
    assert "Welches Blatt hast du?" in pages[""]
    assert "gehört nicht zu dieser Stunde" in pages["QQQQ"]
    assert pages["02"] == pages[f"Blatt {marks[1]}"] != pages[marks[0].lower()]
    found = await room.room.lessons.find(lesson)
    assert pages["02"].count('class="cell"') == len(fields(found, "2"))
    refused = {"tier": "Igel", "blatt": "3"}
    assert (await room.ask("POST", f"/stunde/api/{lesson}/rein", body=refused)).status == 422
    honest, exchanged = await room.join(lesson, "Igel", "2"), await room.join(lesson, "Eule", "1")
    await room.write(lesson, honest, texts(found, right["2"], "2"))
    await room.write(lesson, exchanged, texts(found, right["2"], "1"))
    for again in (room, Class(tmp_path)):
        again.session = room.session
        await again.teacher("GET", f"/stunden/{lesson}")
        eule, igel = (await again.judged(lesson))["kinder"]
        assert set(igel["urteile"]) == {"richtig"}
        assert igel["eingetragen"] == igel["felder"] == len(fields(found, "2"))
        assert eule["urteile"]["falsch"] > 3
        assert (igel["blatt"], eule["blatt"]) == (f"2 · {marks[1]}", f"1 · {marks[0]}")
        result = (await again.teacher("GET", f"/stunden/{lesson}/klasse.csv")).body.decode("utf-8-sig")
        assert [line.split(";")[:2] for line in result.splitlines()[1:]] == [["1", "Eule"], ["2", "Igel"]]
        wall = (await again.teacher("GET", f"/api/stunden/{lesson}/beamer")).json["kinder"]
        assert [sum(each is not None for each in row["felder"]) for row in wall] == [
            len(fields(found, number)) for number in "12"
        ]
        number = exercises(found, "2")["stationen"][0]["aufgaben"][0]["nummer"]
        for animal, mark in (("Igel", marks[1]), ("Eule", marks[0])):
            asked = {"station": "4a", "nummer": number, "tier": animal}
            said = (await again.teacher("POST", f"/api/stunden/{lesson}/loesung", asked)).json
            assert (said["blatt"], bool(said["zellen"])) == (mark, True)
    await again.end()


def test_of_a_team_each_person_is_told_apart():
    sheets = {str(n): Sheet({}, mark, {}) for n, mark in enumerate(("OLZ4-1", "OLZ4-2", "SFJN-1"), 1)}
    lesson = Open(Lesson("ABC", "", "", "", "", 0.0), sheets)
    assert lesson.groups == {}
    for said, meant in (
        ("0LZ4 - 2", ["2"]),
        ("blatt olz41", ["1"]),
        ("sfjn", ["3"]),
        ("2", ["2"]),
        ("9", []),
    ):
        assert lesson.numbers_of(said) == meant, said
    assert lesson.numbers_of("OLZ4") == ["1", "2"]
