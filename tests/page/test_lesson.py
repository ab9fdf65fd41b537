"""A lesson without a browser: what is written is kept, judged and shown; nobody reaches what is another's."""

import asyncio
import re

import pytest
from laid_out import KATZE

from engine.judging.mistakes import MISTAKES, mistaken_numbers
from generator.calculation.build import build
from generator.options.options import Options
from generator.page import guard
from generator.page.guard import MARK_HEADER, Rate
from generator.page.lesson import judging
from generator.stations.make_sheet import make_sheet
from tests.page.asking import Class, fields, tasks, texts
from tests.page.papers import OPTIONS, index_of
from tests.page.running import texts_stored


@pytest.fixture(scope="module")
def passes():
    return build(OPTIONS).passes


@pytest.fixture(scope="module")
def right(passes):
    return {name: quantity.values for name, quantity in passes.hand.items()}


async def state(room, lesson, mark, **more):
    """What a phone is told."""
    return (await room.ask("POST", f"/stunde/api/{lesson}/stand", body={"marke": mark} | more)).json


async def test_verdicts_are_as_planned_and_the_teacher_sees_them(room, passes, right):
    mistake = next(m for m in MISTAKES if m.id == "softmax_over_columns")
    wrong = mistaken_numbers(passes, mistake, {})[0]
    rounded = {name: values.round(passes.hand[name].places or 0) for name, values in wrong.items()}
    lesson = await room.begin()
    found = await room.room.lessons.find(lesson)
    honest, careless, slipping = [await room.join(lesson, a) for a in ("Igel", "Eule", "Otter")]
    slip = texts(found, right)
    last = next(i for i in range(len(slip)) if slip[i][0].endswith(".weight"))
    slip[last][2] = "0,999"
    for mark, answers in (
        (honest, texts(found, right)),
        (careless, texts(found, rounded)),
        (slipping, slip),
    ):
        await room.write(lesson, mark, answers)
    seen = await room.judged(lesson)
    by_animal = {child["tier"]: child for child in seen["kinder"]}
    igel = by_animal["Igel"]
    assert set(igel["urteile"]) <= {"richtig", "angenommen"}
    assert igel["be"] + igel["offen"] == igel["von"]
    assert igel["eingetragen"] == igel["felder"] == len(fields(found))
    assert any("Spalten" in title for title in by_animal["Eule"]["fehler"])
    assert by_animal["Otter"]["urteile"]["falsch"] == 1
    assert seen["stellen"][0]["anzahl"] >= 1
    assert [hint for *_, verdict, hint in found.feedback_of(careless) if verdict == "falsch" and hint]
    result = await room.teacher("GET", f"/stunden/{lesson}/klasse.csv")
    head, first, *_ = result.body.decode("utf-8-sig").splitlines()
    assert (result.status, head.split(";")[1], first.split(";")[1]) == (200, "Tier", "Eule")


async def test_phones_have_the_tables_of_the_paper_and_no_number_or_word_that_is_asked_for(room):
    lesson = await room.begin("urteil")
    found = await room.room.lessons.find(lesson)
    for task in tasks(found):
        cells = [c for t in task["tabellen"] for row in t["zeilen"] for c in row["zellen"]]
        places = [c["feld"] for c in cells if "feld" in c] + task["lose"]
        assert sorted(places) == list(range(len(task["felder"])))
        assert all(len(row["zellen"]) == len(t["kopf"]) - 1 for t in task["tabellen"] for row in t["zeilen"])
    assert any(task["tabellen"] for task in tasks(found))
    page = (await room.ask("GET", f"/stunde/{lesson}")).body.decode()
    assert page.count('class="cell"') == len(fields(found)) > 10
    assert "value=" not in page
    assert set(fields(found)[0]) == {"name", "stelle", "titel", "kurz"}
    learnt = make_sheet(Options(satz=KATZE, stationen="4a", gewichte="gelernt"))
    source = {"rechnung": learnt.record_json().decode()}
    assert judging.exercises(source)["satz"] == "Die Katze sitzt auf der\N{NO-BREAK SPACE}…"


async def test_what_pupils_are_told_is_what_the_teacher_set_and_how_many_places_are_meant(room, right):
    for feedback, length in (("nichts", 0), ("urteil", 1), ("hilfe", 1)):
        lesson = await room.begin(feedback)
        found, mark = await room.room.lessons.find(lesson), await room.join(lesson, "Igel")
        first, *_ = own = fields(found)
        await room.write(lesson, mark, [[first["name"], first["stelle"], "77", 1]])
        await room.judged(lesson)
        said = (await state(room, lesson, mark))["urteile"]
        assert len(said) == length
        assert all(len(each) == 4 and each[2] == "falsch" for each in said)
        assert feedback == "hilfe" or not any(each[3] for each in said)
    weights = {
        (f["name"], f["stelle"]): float(right[f["name"]][index_of(f["stelle"])])
        for f in own
        if f["name"].endswith(".weight")
    }
    cell = max(weights, key=lambda cell: abs(weights[cell] - round(weights[cell], 1)))
    text = f"{weights[cell]:.1f}".replace(".", ",")
    mark = await room.join(lesson, "Eule")
    await room.write(lesson, mark, [[*cell, text, 2]])
    await room.judged(lesson)
    assert [each[2:] for each in found.feedback_of(mark)] == [["falsch", "Gemeint sind 2 Nachkommastellen."]]


async def test_nothing_is_lost_by_a_restart_and_the_last_number_typed_stands_there_once(
    room, tmp_path, right
):
    lesson = await room.begin()
    mark = await room.join(lesson, "Igel")
    answers = texts(await room.room.lessons.find(lesson), right)
    at = answers[0][:2]
    for sent, instead in (
        (answers, []),
        (answers, []),
        ([[*at, "7", 9000]], []),
        (answers[:1], [[*at, "7", 9000]]),  # an older change that was under way for long
        ([[*at, "5", 9000]], [[*at, "7", 9000]]),  # of two tabs at once
    ):
        assert (await room.write(lesson, mark, sent)).json["hat"] == instead
    again = Class(tmp_path)
    again.session = room.session
    try:
        kept = (await state(again, lesson, mark, alles=True))["antworten"]
        texts_now = {(name, place): text for name, place, text, _ in kept}
        assert len(kept) == len(texts_now) == len(answers)
        assert texts_now.pop(tuple(at)) == "7"
        assert texts_now == {(name, place): text for name, place, text, _ in answers[1:]}
        seen = await again.judged(lesson)
        assert seen["kinder"][0]["urteile"]["falsch"] == 1
    finally:
        await again.room.lessons.close()


async def test_phones_that_are_here_hear_of_the_end_before_they_are_shut_out(room, tmp_path):
    lesson, _, at = await room.begun()
    found, lessons = await room.room.lessons.find(lesson), room.room.lessons
    marks = [*found.pupils, await room.join(lesson, "Eule")]
    for mark in marks:
        await state(room, lesson, mark)
    await room.write(lesson, marks[0], [[*at, "77", 1]])
    await room.teacher("POST", f"/api/stunden/{lesson}/ende", {})
    assert (await room.write(lesson, marks[0], [[*at, "78", 2]])).status == 422
    assert texts_stored(tmp_path) == ["77"]
    for left, mark in zip((1, 0), marks, strict=True):
        assert lesson in lessons.let_in
        assert (await state(room, lesson, mark))["beendet"]
        assert found.waits_for == left
    await asyncio.wait_for(lessons.all_heard(lesson), 10)
    assert lesson not in lessons.let_in
    assert (await room.teacher("POST", f"/api/stunden/{lesson}/loeschen", {})).status == 200
    assert (await room.ask("GET", f"/stunde/{lesson}")).status == 404
    assert texts_stored(tmp_path) == []


async def test_nobody_reaches_what_is_anothers(room, tmp_path):
    lesson, mark, at = await room.begun()
    answers = [[*at, "1", 1]]
    assert (await room.write(await room.begin(), mark, answers)).status == 403
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
        await stranger.room.lessons.close()


async def test_what_is_no_answer_is_refused_whole_in_words_for_pupils(room):
    lesson, mark, at = await room.begun()
    bad = 1, ["x"], ["a", "b", 3, 1], ["a", "b", "c", -1], ["a", "b", "c", 2**60], {"a": 1}, [None] * 4
    for answer in bad:
        assert (await room.write(lesson, mark, [[*at, "1", 1], answer])).status == 422, answer
    assert (await state(room, lesson, mark, alles=True))["antworten"] == []
    path = f"/stunde/api/{lesson}/antworten"
    for method, where, body, status in (
        ("POST", path, {"marke": "x"}, 403),
        ("POST", path, ["x"], 422),
        ("POST", path, {"marke": mark, "antworten": [3]}, 422),
        ("POST", "/stunde/api/AAAAAAA/stand", {}, 404),
        ("GET", path, None, 405),
    ):
        said = await room.ask(method, where, body=body)
        assert (said.status, said.json["fehler"][-1]) == (status, ".")
        assert not re.search(r"\bSie\b|\bIhre?\b", said.json["fehler"])
    for text in ('"\\ud800"', '"a\\u0000b"', '"\\udfff\\ud800"'):  # halves of characters, and zeros
        for where, body in (
            (path, f'{{"marke": "{mark}", "antworten": [["a", "", {text}, 1]]}}'),
            (f"/stunde/api/{lesson}/rein", f'{{"tier": {text}}}'),
            (f"/stunde/api/{lesson}/stand", f'{{"marke": {text}}}'),
            ("/api/vorschau", f'{{"optionen": {{"satz": {text}}}}}'),
        ):
            said = await room.ask("POST", where, room.session, body.encode())
            assert (said.status, said.json["fehler"][-1]) == (422, "."), (where, text)


@pytest.fixture
def few_tries(monkeypatch):
    """However long the requests take; the page asks when it begins."""
    monkeypatch.setattr(guard, "OF_ADDRESS", Rate(at_once=20, a_minute=0))
    monkeypatch.setattr(guard, "OF_MARK", Rate(at_once=5, a_minute=0))


@pytest.mark.usefixtures("few_tries")
async def test_who_is_known_has_tries_of_ones_own_where_a_neighbour_uses_up_all(room):
    lesson, mark, at = await room.begun()
    path, body = f"/stunde/api/{lesson}/antworten", {"marke": mark, "antworten": [[*at, "1", 1]]}
    for _ in range(40):
        assert (await room.ask("GET", "/static/lesson.css")).status == 200
    while (await room.ask("GET", f"/stunde/{lesson}")).status == 200:
        pass
    assert (await room.ask("POST", path, {MARK_HEADER: mark}, body)).status == 200
    assert (await room.ask("POST", path, {MARK_HEADER: "x" * 22}, body)).status == 429
    assert (await room.teacher("GET", f"/api/stunden/{lesson}")).status == 200
    said = [(await room.ask("POST", path, {MARK_HEADER: mark}, body)).status for _ in range(9)]
    assert (said[0], said[-1]) == (200, 429), "nor has a mark endless tries"
