"""A lesson without a browser: what is written is kept, judged and shown; nobody reaches what is another's."""

import asyncio
import json
import secrets
from dataclasses import replace

import pytest

from engine.judging.mistakes import MISTAKES, mistaken_numbers
from generator.calculation.build import build
from generator.options.sheet_code import short_mark
from generator.output.many import ThisProcess
from generator.page.application import create_app
from generator.page.guard import OPEN, only_open
from generator.page.lesson.databases import TakenError
from generator.page.lesson.opened import ANIMALS
from generator.page.lesson.store import Answer, Lesson, Pupil, Store
from generator.page.settings import Settings
from generator.page.shelf import write_entry
from generator.stations.make_sheet import make_sheet
from tests.page.asking import ask
from tests.page.in_process import OPTIONS, Class, exercises, fields, run, texts


@pytest.fixture(scope="module")
def hand():
    return build(OPTIONS).whole


def test_verdicts_are_as_planned_and_the_teacher_sees_them(tmp_path, hand):
    right = {name: quantity.values for name, quantity in hand.hand.items()}
    mistake = next(m for m in MISTAKES if m.id == "softmax_over_columns")
    wrong = mistaken_numbers(hand, mistake, {})[0]

    async def scenario(room):
        lesson = await room.begin()
        found = await room.room.lessons.find(lesson)
        honest, careless, slipping = [await room.join(lesson, a) for a in ("Igel", "Eule", "Otter")]
        await room.write(lesson, honest, texts(found, right))
        places = {name: hand.hand[name].places or 0 for name in wrong}
        rounded = {name: values.round(places[name]) for name, values in wrong.items()}
        await room.write(lesson, careless, texts(found, rounded))
        slip = texts(found, right)
        last = next(i for i in range(len(slip)) if slip[i][0].endswith(".weight"))
        slip[last][2] = "0,999"
        await room.write(lesson, slipping, slip)
        seen = await room.judged(lesson)
        by_animal = {child["tier"]: child for child in seen["kinder"]}
        assert set(by_animal["Igel"]["urteile"]) <= {"richtig", "angenommen"}
        assert by_animal["Igel"]["be"] + by_animal["Igel"]["offen"] == by_animal["Igel"]["von"]
        assert by_animal["Igel"]["eingetragen"] == by_animal["Igel"]["felder"] == len(fields(found))
        assert any("Spalten" in title for title in by_animal["Eule"]["fehler"])
        assert by_animal["Otter"]["urteile"]["falsch"] == 1
        assert seen["stellen"][0]["anzahl"] >= 1
        hints = [hint for _, _, verdict, hint in found.told(careless) if verdict == "falsch" and hint]
        assert hints
        result = await room.teacher("GET", f"/stunden/{lesson}/klasse.csv")
        assert result.status == 200
        head, first, *_ = result.body.decode("utf-8-sig").splitlines()
        assert head.split(";")[1] == "Tier"
        assert first.split(";")[1] == "Eule"

    run(scenario, tmp_path)


def test_phones_have_the_tables_of_the_paper_and_a_hint_at_the_places_that_are_meant(tmp_path, hand):
    async def scenario(room):
        lesson = await room.begin("urteil")
        found = await room.room.lessons.find(lesson)
        tasks = [task for station in exercises(found)["stationen"] for task in station["aufgaben"]]
        for task in tasks:
            cells = [c for t in task["tabellen"] for row in t["zeilen"] for c in row["zellen"]]
            places = [c["feld"] for c in cells if "feld" in c] + task["lose"]
            assert sorted(places) == list(range(len(task["felder"])))
            assert all(
                len(row["zellen"]) == len(t["kopf"]) - 1 for t in task["tabellen"] for row in t["zeilen"]
            )
        assert any(task["tabellen"] for task in tasks)
        mark = await room.join(lesson, "Igel")
        each = next(f for f in fields(found) if f["name"].endswith(".weight"))
        right = float(hand.hand[each["name"]].values[tuple(map(int, each["stelle"].split(",")))])
        short = f"{right:.1f}".replace(".", ",")
        await room.write(lesson, mark, [[each["name"], each["stelle"], short, 1]])
        await room.judged(lesson)
        said = found.told(mark)
        assert [(verdict, hint) for *_, verdict, hint in said] in (
            [("falsch", "Gemeint sind 2 Nachkommastellen.")],
            [("angenommen", "")],
            [("richtig", "")],
        )
        assert abs(right - round(right, 1)) <= 0.01 or said[0][3]

    run(scenario, tmp_path)


def test_phones_that_are_here_hear_of_the_end_before_they_are_shut_out(tmp_path):
    async def scenario(room):
        lesson = await room.begin()
        found, lessons = await room.room.lessons.find(lesson), room.room.lessons
        marks = [await room.join(lesson, animal) for animal in ("Igel", "Eule")]
        for mark in marks:
            await room.ask("POST", f"/stunde/api/{lesson}/stand", body={"marke": mark})
        await room.teacher("POST", f"/api/stunden/{lesson}/ende", {})
        for left, mark in zip((1, 0), marks, strict=True):
            assert lesson in lessons.let_in
            said = await room.ask("POST", f"/stunde/api/{lesson}/stand", body={"marke": mark})
            assert said.json["beendet"]
            assert found.waits_for == left
        await asyncio.wait_for(lessons.all_heard(lesson), 10)
        assert lesson not in lessons.let_in

    run(scenario, tmp_path)


def test_nothing_is_lost_by_a_restart_and_nothing_stands_there_twice(tmp_path, hand):
    right = {name: quantity.values for name, quantity in hand.hand.items()}

    async def scenario(room):
        lesson = await room.begin()
        found = await room.room.lessons.find(lesson)
        mark = await room.join(lesson, "Igel")
        answers = texts(found, right)
        first = await room.write(lesson, mark, answers)
        assert first.json["hat"] == []
        await room.write(lesson, mark, answers)
        newer = [[*answers[0][:2], "7", 9000]]
        await room.write(lesson, mark, newer)
        await room.write(lesson, mark, answers[:1])  # an older change that was under way for long
        again = Class(tmp_path)
        again.session = room.session
        try:
            state = (
                await again.ask("POST", f"/stunde/api/{lesson}/stand", body={"marke": mark, "alles": True})
            ).json
            kept = {(name, place): text for name, place, text, _ in state["antworten"]}
            assert len(state["antworten"]) == len(kept) == len(answers)
            assert kept.pop(tuple(answers[0][:2])) == "7"
            assert kept == {(name, place): text for name, place, text, _ in answers[1:]}
            seen = await again.judged(lesson)
            assert seen["kinder"][0]["urteile"]["falsch"] == 1
        finally:
            await again.end()

    run(scenario, tmp_path)


def test_what_pupils_are_told_is_what_the_teacher_set(tmp_path):
    async def scenario(room):
        for feedback, length in (("nichts", 0), ("urteil", 1), ("hilfe", 1)):
            lesson = await room.begin(feedback)
            found = await room.room.lessons.find(lesson)
            mark = await room.join(lesson, "Igel")
            first = fields(found)[0]
            await room.write(lesson, mark, [[first["name"], first["stelle"], "77", 1]])
            await room.judged(lesson)
            said = (await room.ask("POST", f"/stunde/api/{lesson}/stand", body={"marke": mark})).json
            assert len(said["urteile"]) == length
            assert all(len(each) == 4 and each[2] == "falsch" for each in said["urteile"])
            assert feedback == "hilfe" or not any(each[3] for each in said["urteile"])

    run(scenario, tmp_path)


def test_the_phone_gets_no_number_that_the_sheet_asks_for(tmp_path, hand):
    async def scenario(room):
        lesson = await room.begin()
        page = (await room.ask("GET", f"/stunde/{lesson}")).body.decode()
        found = await room.room.lessons.find(lesson)
        assert page.count('class="cell"') == len(fields(found)) > 10
        assert "value=" not in page
        assert set(fields(found)[0]) == {"name", "stelle", "titel", "kurz"}

    run(scenario, tmp_path)


def a_class_set(room):
    """Two sheets with numbers of their own, on the teacher's shelf; where, and what is right on each."""
    client = room.session["cookie"].partition("=")[2].partition(".")[0]
    name, folder = room.app._app.state.office.shelf.new(client)
    (folder / "rechnungen").mkdir()
    sheets, right = [], {}
    for number in ("1", "2"):
        built = build(replace(OPTIONS, gewichte="ganzzahlig", startwert=int(number)))
        (folder / f"rechnungen/{number}.json").write_bytes(make_sheet(built).record_json())
        sheets.append({"nummer": int(number), "name": "Mia", "blatt": short_mark(built.options)})
        right[number] = {each: quantity.values for each, quantity in built.whole.hand.items()}
    (folder / "klassensatz.json").write_text(json.dumps({"varianten": sheets}), encoding="utf-8")
    said = {"art": "klassensatz", "satz": "Die Katze schläft", "anzahl": 2, "blaetter": sheets}
    write_entry(folder, **said, befehl="", dateien=["klassensatz.json"])
    return name, [each["blatt"] for each in sheets], right


def test_where_several_sheets_may_be_meant_the_teacher_chooses(tmp_path):
    async def scenario(room):
        await room.teacher("GET", "/stunden")
        name, marks, _ = a_class_set(room)
        _, folder = room.app._app.state.office.shelf.new(
            room.session["cookie"].partition("=")[2].partition(".")[0]
        )
        write_entry(folder, art="blatt", blatt=marks[0], satz="Die Katze schläft", befehl="", dateien=[])
        for typed, single in (("mia", 0), (marks[0], 1)):
            offered = (await room.teacher("POST", "/api/oeffnen", {"code": typed})).json["auswahl"]
            assert sum("blatt" in each for each in offered) == single
            of_class = next(each for each in reversed(offered) if "klasse" in each)  # folders of one second
            assert (name, "Mia") == (of_class["klasse"], of_class["titel"].split(": ")[1].split(",")[0])
        chosen = (await room.teacher("POST", "/api/oeffnen", of_class)).json
        assert (chosen["nummer"], len(chosen["personen"])) == (1, 2)
        assert (
            "kein Kurzname" in (await room.teacher("POST", "/api/oeffnen", {"code": "Jürgen"})).json["fehler"]
        )

    run(scenario, tmp_path)


def test_of_a_class_set_each_phone_has_the_numbers_of_its_own_sheet(tmp_path):
    async def scenario(room):
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

    run(scenario, tmp_path)


def test_nobody_reaches_what_is_anothers(tmp_path):
    async def scenario(room):
        lesson, other = await room.begin(), await room.begin()
        mark = await room.join(lesson, "Igel")
        cell = fields(await room.room.lessons.find(lesson))[0]
        answers = [[cell["name"], cell["stelle"], "1", 1]]
        assert (await room.write(other, mark, answers)).status == 403
        assert (await room.write(lesson, "Igel", answers)).status == 403
        assert (await room.ask("POST", f"/stunde/api/{lesson}/stand", body={"marke": ""})).status == 403
        assert (await room.ask("POST", f"/stunde/api/{lesson}/rein", body={"tier": "Igel"})).status == 422
        assert (
            await room.ask("POST", f"/stunde/api/{lesson}/rein", body={"tier": "<b>Max</b>"})
        ).status == 422
        assert (await room.ask("GET", "/stunde/AAAAAAA")).status == 404
        for path in (f"/api/stunden/{lesson}", f"/stunden/{lesson}", f"/stunden/{lesson}/klasse.csv"):
            assert (await room.ask("GET", path)).status == 401, path
        assert (await room.ask("POST", f"/api/stunden/{lesson}/loeschen", body={})).status == 401
        stranger = Class(tmp_path)
        try:
            assert (await stranger.teacher("GET", f"/api/stunden/{lesson}")).status == 404
        finally:
            await stranger.end()

    run(scenario, tmp_path)


def test_codes_cannot_be_tried_without_end(tmp_path):
    async def scenario(room):
        for _ in range(100):
            await room.ask("GET", "/stunde/" + secrets.token_hex(4)[:7].upper())
        assert (await room.ask("GET", "/stunde/AAAAAAA")).status == 429

    run(scenario, tmp_path)


@pytest.mark.parametrize(
    "answers",
    [
        [1],
        [["x"]],
        [["a", "b", 3, 1]],
        [["a", "b", "c", -1]],
        [["a", "b", "c", 2**60]],
        [{"a": 1}],
        [[None] * 4],
    ],
)
def test_what_is_no_answer_is_refused_whole(tmp_path, answers):
    async def scenario(room):
        lesson = await room.begin()
        mark = await room.join(lesson, "Igel")
        cell = fields(await room.room.lessons.find(lesson))[0]
        good = [cell["name"], cell["stelle"], "1", 1]
        assert (await room.write(lesson, mark, [good, *answers])).status == 422
        state = await room.ask("POST", f"/stunde/api/{lesson}/stand", body={"marke": mark, "alles": True})
        assert state.json["antworten"] == []

    run(scenario, tmp_path)


def test_an_ended_lesson_takes_nothing_and_a_deleted_one_leaves_nothing(tmp_path):
    async def scenario(room):
        lesson = await room.begin()
        mark = await room.join(lesson, "Igel")
        cell = fields(await room.room.lessons.find(lesson))[0]
        answers = [[cell["name"], cell["stelle"], "geheim77", 1]]
        await room.write(lesson, mark, answers)
        assert (await room.teacher("POST", f"/api/stunden/{lesson}/ende", {})).status == 200
        assert (await room.write(lesson, mark, answers)).status == 422
        assert (await room.teacher("POST", f"/api/stunden/{lesson}/loeschen", {})).status == 200
        assert (await room.ask("GET", f"/stunde/{lesson}")).status == 404

    run(scenario, tmp_path)
    left = Store("", tmp_path)
    assert left._database.rows("SELECT count(*) FROM lesson") == [(0,)]
    assert left._database.rows("SELECT count(*) FROM answer") == [(0,)]
    left.close()


def test_beyond_this_computer_only_the_lesson_is_answered(tmp_path):
    app = create_app(Settings(folder=tmp_path, secret="s" * 24), ThisProcess)
    beyond = only_open(app)
    for path in ("/", "/pruefen", "/stunden", "/api/stunden", "/einlass/" + "s" * 24, "/blaetter"):
        answer = ask(beyond, "GET", path)
        assert answer.status == 404, path
    assert "/stunde/" in OPEN


def test_the_store_keeps_each_animal_once(tmp_path):
    store = Store("", tmp_path)
    store.prepare()
    store.begin(Lesson("A", "", "{}", "Satz", "nichts", 1.0))
    store.join(Pupil("t1", "Igel", "4a", 1.0, "A"), 60)
    with pytest.raises(TakenError):
        store.join(Pupil("t2", "Igel", "4a", 1.0, "A"), 60)
    store.write("t1", "5", [Answer("a", "0", "1", 5), Answer("b", "", "2", 6)])
    store.write("t1", "6", [Answer("a", "0", "9", 4)])
    assert [(a.name, a.text) for a in store.answers("t1")] == [("a", "1"), ("b", "2")]
    assert store.pupils("A")[0].station == "6"
    store.close()


def test_animals_are_many_and_each_is_there_once():
    assert len(set(ANIMALS)) == len(ANIMALS) >= 60
