"""A lesson without a browser: what is written is kept, judged and shown; nobody reaches what is another's."""

import asyncio

import pytest
from laid_out import KATZE

from engine.judging.mistakes import MISTAKES, mistaken_numbers
from generator.calculation.build import build
from generator.options.options import Options
from generator.page.lesson import judging
from generator.stations.make_sheet import make_sheet
from tests.page.in_process import Class, exercises, fields, texts
from tests.page.papers import OPTIONS, index_of
from tests.page.running import texts_stored


@pytest.fixture(scope="module")
def hand():
    return build(OPTIONS).passes


async def test_verdicts_are_as_planned_and_the_teacher_sees_them(room, hand):
    right = {name: quantity.values for name, quantity in hand.hand.items()}
    mistake = next(m for m in MISTAKES if m.id == "softmax_over_columns")
    wrong = mistaken_numbers(hand, mistake, {})[0]

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
    hints = [hint for _, _, verdict, hint in found.feedback_of(careless) if verdict == "falsch" and hint]
    assert hints
    result = await room.teacher("GET", f"/stunden/{lesson}/klasse.csv")
    assert result.status == 200
    head, first, *_ = result.body.decode("utf-8-sig").splitlines()
    assert head.split(";")[1] == "Tier"
    assert first.split(";")[1] == "Eule"


def test_phones_do_not_name_the_word_that_is_to_be_found():
    whole = make_sheet(Options(satz=KATZE, stationen="4a", gewichte="gelernt"))
    source = {"rechnung": whole.record_json().decode()}
    assert judging.exercises(source)["satz"] == "Die Katze sitzt auf der\N{NO-BREAK SPACE}…"


async def test_phones_have_the_tables_of_the_paper_and_a_hint_at_the_places_that_are_meant(room, hand):
    lesson = await room.begin("urteil")
    found = await room.room.lessons.find(lesson)
    tasks = [task for station in exercises(found)["stationen"] for task in station["aufgaben"]]
    for task in tasks:
        cells = [c for t in task["tabellen"] for row in t["zeilen"] for c in row["zellen"]]
        places = [c["feld"] for c in cells if "feld" in c] + task["lose"]
        assert sorted(places) == list(range(len(task["felder"])))
        assert all(len(row["zellen"]) == len(t["kopf"]) - 1 for t in task["tabellen"] for row in t["zeilen"])
    assert any(task["tabellen"] for task in tasks)
    mark = await room.join(lesson, "Igel")
    each = next(f for f in fields(found) if f["name"].endswith(".weight"))
    right = float(hand.hand[each["name"]].values[index_of(each["stelle"])])
    short = f"{right:.1f}".replace(".", ",")
    await room.write(lesson, mark, [[each["name"], each["stelle"], short, 1]])
    await room.judged(lesson)
    said = found.feedback_of(mark)
    assert [(verdict, hint) for *_, verdict, hint in said] in (
        [("falsch", "Gemeint sind 2 Nachkommastellen.")],
        [("angenommen", "")],
        [("richtig", "")],
    )
    assert abs(right - round(right, 1)) <= 0.01 or said[0][3]


async def test_phones_that_are_here_hear_of_the_end_before_they_are_shut_out(room):
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


async def test_nothing_is_lost_by_a_restart_and_nothing_stands_there_twice(room, tmp_path, hand):
    right = {name: quantity.values for name, quantity in hand.hand.items()}

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


async def test_what_pupils_are_told_is_what_the_teacher_set(room):
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


async def test_the_phone_gets_no_number_that_the_sheet_asks_for(room, hand):
    lesson = await room.begin()
    page = (await room.ask("GET", f"/stunde/{lesson}")).body.decode()
    found = await room.room.lessons.find(lesson)
    assert page.count('class="cell"') == len(fields(found)) > 10
    assert "value=" not in page
    assert set(fields(found)[0]) == {"name", "stelle", "titel", "kurz"}


async def test_nobody_reaches_what_is_anothers(room, tmp_path):
    lesson, other = await room.begin(), await room.begin()
    mark = await room.join(lesson, "Igel")
    cell = fields(await room.room.lessons.find(lesson))[0]
    answers = [[cell["name"], cell["stelle"], "1", 1]]
    assert (await room.write(other, mark, answers)).status == 403
    assert (await room.write(lesson, "Igel", answers)).status == 403
    for animal in ("Igel", "<b>Max</b>"):
        said = await room.ask("POST", f"/stunde/api/{lesson}/rein", body={"tier": animal})
        assert said.status == 422, animal
    for path in (f"/api/stunden/{lesson}", f"/stunden/{lesson}", f"/stunden/{lesson}/klasse.csv"):
        assert (await room.ask("GET", path)).status == 401, path
    assert (await room.ask("POST", f"/api/stunden/{lesson}/loeschen", body={})).status == 401
    stranger = Class(tmp_path)
    try:
        assert (await stranger.teacher("GET", f"/api/stunden/{lesson}")).status == 404
    finally:
        await stranger.end()


async def test_what_is_no_answer_is_refused_whole(room):
    lesson, mark, at = await room.begun()
    bad = 1, ["x"], ["a", "b", 3, 1], ["a", "b", "c", -1], ["a", "b", "c", 2**60], {"a": 1}, [None] * 4
    for answer in bad:
        assert (await room.write(lesson, mark, [[*at, "1", 1], answer])).status == 422, answer
    state = await room.ask("POST", f"/stunde/api/{lesson}/stand", body={"marke": mark, "alles": True})
    assert state.json["antworten"] == []


async def test_an_ended_lesson_takes_nothing_and_a_deleted_one_is_gone(room, tmp_path):
    lesson, mark, at = await room.begun()
    await room.write(lesson, mark, [[*at, "77", 1]])
    assert (await room.teacher("POST", f"/api/stunden/{lesson}/ende", {})).status == 200
    assert (await room.write(lesson, mark, [[*at, "78", 2]])).status == 422
    assert texts_stored(tmp_path) == ["77"]
    assert (await room.teacher("POST", f"/api/stunden/{lesson}/loeschen", {})).status == 200
    assert (await room.ask("GET", f"/stunde/{lesson}")).status == 404
    assert texts_stored(tmp_path) == []
