"""A lesson without a browser: what is written is kept, judged and shown; nobody reaches what is another's."""

import asyncio
import json
import secrets

import pytest

from engine.judging.mistakes import MISTAKES, mistaken_numbers
from generator.calculation.build import build
from generator.options.options import Options
from generator.options.sheet_code import sheet_code
from generator.output.many import ThisProcess
from generator.page.application import create_app
from generator.page.guard import OPEN, only_open
from generator.page.lesson.animals import ANIMALS
from generator.page.lesson.opened import told
from generator.page.lesson.store import Answer, Lesson, Pupil, Store, TakenError
from generator.page.settings import Settings
from tests.page.asking import ask, asked, in_own_loop

OPTIONS = Options(satz="Die Katze schläft", stationen=("4a",))
CODE = sheet_code(OPTIONS)


@pytest.fixture(scope="module")
def hand():
    return build(OPTIONS).whole


class Class:
    """An app with one teacher; all requests of a test run in one event loop."""

    def __init__(self, folder, secret="s" * 24):
        self.settings = Settings(folder=folder, secret=secret, public="https://schule.example")
        self.app = create_app(self.settings, ThisProcess)
        self.room = self.app._app.state.room

    async def teacher(self, method, path, body=None):
        if not hasattr(self, "session"):
            cookie = (await self.ask("GET", f"/einlass/{self.settings.secret}")).headers["set-cookie"]
            cookie = cookie.partition(";")[0]
            client = cookie.partition("=")[2].partition(".")[0]
            self.session = {"cookie": cookie, "x-papierformer": self.settings.sealed("csrf " + client)}
        return await self.ask(method, path, self.session, body)

    async def ask(self, method, path, headers=None, body=None):
        sent = b"" if body is None else json.dumps(body).encode()
        return await asked(self.app, method, path, {"host": "schule.example"} | (headers or {}), sent)

    async def begin(self, feedback="hilfe"):
        return (await self.teacher("POST", "/api/stunden", {"code": CODE, "rueckmeldung": feedback})).json[
            "stunde"
        ]

    async def join(self, lesson, animal):
        return (await self.ask("POST", f"/stunde/api/{lesson}/rein", body={"tier": animal})).json["marke"]

    async def write(self, lesson, mark, answers, station="4a"):
        body = {"marke": mark, "station": station, "antworten": answers}
        return await self.ask("POST", f"/stunde/api/{lesson}/antworten", body=body)

    async def judged(self, lesson):
        """Waits until every paper is judged."""
        for _ in range(400):
            await asyncio.sleep(0.02)
            if self.room.lessons.judge.idle:
                break
        return (await self.teacher("GET", f"/api/stunden/{lesson}")).json

    async def end(self):
        await self.room.lessons.close()


def fields(found):
    return [f for s in found.sheet["stationen"] for a in s["aufgaben"] for f in a["felder"]]


def texts(found, values):
    """What a pupil types who has these numbers: [name, place, text, number] of each cell."""
    answers = []
    for each in fields(found):
        index = tuple(int(i) for i in each["stelle"].split(",") if i)
        number = round(float(values[each["name"]][index]), 4)
        answers.append([each["name"], each["stelle"], f"{number:g}".replace(".", ","), len(answers) + 1])
    return answers


def run(scenario, folder):
    async def whole():
        lesson = Class(folder)
        try:
            await scenario(lesson)
        finally:
            await lesson.end()

    in_own_loop(whole())


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
        assert by_animal["Igel"]["eingetragen"] == seen["felder"] == len(fields(found))
        assert any("Spalten" in title for title in by_animal["Eule"]["fehler"])
        assert by_animal["Otter"]["urteile"]["falsch"] == 1
        assert seen["stellen"][0]["anzahl"] >= 1
        hints = [hint for _, _, verdict, hint in told(found, careless) if verdict == "falsch" and hint]
        assert hints
        result = await room.teacher("GET", f"/stunden/{lesson}/klasse.csv")
        assert result.status == 200
        assert "Igel" in result.body.decode("utf-8-sig")

    run(scenario, tmp_path)


def test_nothing_is_lost_by_a_restart_and_nothing_stands_there_twice(tmp_path, hand):
    right = {name: quantity.values for name, quantity in hand.hand.items()}

    async def scenario(room):
        lesson = await room.begin()
        found = await room.room.lessons.find(lesson)
        mark = await room.join(lesson, "Igel")
        answers = texts(found, right)
        first = await room.write(lesson, mark, answers)
        assert first.json["bis"] == len(answers)
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
        assert set(fields(found)[0]) == {"name", "stelle", "titel"}

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
            await room.ask("GET", "/stunde/" + secrets.token_hex(3).upper())
        assert (await room.ask("GET", "/stunde/AAAAAAA")).status == 422

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
    assert left.lessons() == []
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
    store.begin(Lesson("A", "", "{}", "Satz", "nichts", 1.0))
    store.join(Pupil("t1", "Igel", "4a", 1.0, "A"))
    with pytest.raises(TakenError):
        store.join(Pupil("t2", "Igel", "4a", 1.0, "A"))
    store.write("t1", "5", [Answer("a", "0", "1", 5), Answer("b", "", "2", 6)])
    store.write("t1", "6", [Answer("a", "0", "9", 4)])
    assert [(a.name, a.text) for a in store.answers("t1")] == [("a", "1"), ("b", "2")]
    assert store.pupils("A")[0].station == "6"
    store.close()


def test_animals_are_many_and_each_is_there_once():
    assert len(set(ANIMALS)) == len(ANIMALS) >= 60
