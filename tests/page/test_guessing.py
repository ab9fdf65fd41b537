"""Guessing codes, marks and numbers: who is wrong is slowed down, who is right never pays for it."""

import asyncio
import contextlib
import itertools
import sqlite3
import time

import pytest

from generator.page.guard import Rates
from generator.page.lesson import opened, phones
from generator.page.lesson.opened import ANIMALS
from generator.page.lesson.store import Store
from tests.page.in_process import fields

LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ23456789"


@pytest.fixture(autouse=True)
def no_time_passes(monkeypatch):
    """On a busy machine tries would come back between two requests."""
    monkeypatch.setattr(phones, "Rates", lambda rate: Rates(rate, lambda: 0.0))


def codes(number):
    return ["".join(each) for each in itertools.islice(itertools.product(LETTERS, repeat=7), number)]


@pytest.mark.parametrize("route", ["", "rein", "stand", "antworten"])
async def test_wrong_codes_are_limited_on_every_route_and_lock_nobody_out(room, route):
    async def tried(code, mark="x"):
        if not route:
            return (await room.ask("GET", f"/stunde/{code}")).status
        body = {"tier": "Igel", "marke": mark, "antworten": []}
        return (await room.ask("POST", f"/stunde/api/{code}/{route}", body=body)).status

    lesson = await room.begin()  # the teacher is at this address
    mark = await room.join(lesson, "Eule")
    for _ in range(300):  # a lesson was deleted, and sixty phones of it go on asking: it counts once
        assert await tried("AAAAAAA") == 404
    assert [await tried(code) for code in codes(120)] == [404] * 100 + [429] * 20
    assert await tried(lesson, mark) == 200


async def test_wrong_marks_are_limited_and_those_who_are_in_go_on(room):
    lesson = await room.begin()
    mark = await room.join(lesson, "Igel")

    async def tried(token):
        return (await room.ask("POST", f"/stunde/api/{lesson}/stand", body={"marke": token})).status

    assert [await tried(f"falsch{n}") for n in range(120)] == [403] * 100 + [429] * 20
    assert await tried(mark) == 200


async def test_two_whole_classes_join_at_once_from_one_address(room):
    begun = [await room.begin() for _ in range(2)]
    places = [(lesson, animal) for lesson in begun for animal in ANIMALS[:50]]
    since = time.process_time()

    async def comes(lesson, animal):
        page = await room.ask("GET", f"/stunde/{lesson}", address="10.0.0.1")
        joined = await room.ask(
            "POST", f"/stunde/api/{lesson}/rein", body={"tier": animal}, address="10.0.0.1"
        )
        return page.status, joined.status

    said = await asyncio.gather(*(comes(*place) for place in places))
    assert said == [(200, 200)] * len(places)
    assert time.process_time() - since < 10


async def test_sixty_animals_and_no_more_in_a_race(room):
    path = f"/stunde/api/{await room.begin()}/rein"
    said = await asyncio.gather(*(room.ask("POST", path, body={"tier": each}) for each in ANIMALS[:70]))
    assert sorted(each.status for each in said) == [200] * 60 + [422] * 10


async def test_trying_numbers_in_a_cell_is_slowed_down(room, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(opened, "Rates", lambda rate: Rates(rate, lambda: now[0]))

    lesson = await room.begin("urteil")
    mark = await room.join(lesson, "Igel")
    cell, other = fields(await room.room.lessons.find(lesson))[:2]
    await room.write(lesson, mark, [[other["name"], other["stelle"], "77", 1]])
    told = []
    for number in range(2, 14):
        await room.write(lesson, mark, [[cell["name"], cell["stelle"], f"{number}77", number]])
        await room.judged(lesson)
        said = await room.ask("POST", f"/stunde/api/{lesson}/stand", body={"marke": mark})
        told.append({each[0] + each[1]: each[2] for each in said.json["urteile"]})
    mine = [each[cell["name"] + cell["stelle"]] for each in told]
    assert mine[:7] == ["falsch"] * 7
    assert mine[7:] == ["wartet"] * 5
    assert told[-1][other["name"] + other["stelle"]] == "falsch", "only this cell"
    now[0] = 60
    said = await room.ask("POST", f"/stunde/api/{lesson}/stand", body={"marke": mark})
    assert {each[2] for each in said.json["urteile"]} == {"falsch"}


def test_old_lessons_cost_a_wrong_code_nothing(tmp_path):
    store = Store("", tmp_path)
    store.prepare()
    store.close()
    with contextlib.closing(sqlite3.connect(tmp_path / "stunden.db")) as database:
        for wanted in ("code = ''", "owner = '' ORDER BY begun DESC LIMIT 5", "ended IS NULL AND begun < 1"):
            (plan,) = database.execute(f"EXPLAIN QUERY PLAN SELECT code FROM lesson WHERE {wanted}")
            assert "USING" in plan[3], "an index"
