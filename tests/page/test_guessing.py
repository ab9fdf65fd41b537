"""Guessing codes, marks and numbers: who is wrong is slowed down, who is right never pays for it."""

import asyncio
import itertools
import time

import pytest

from generator.page.guard import Rates
from generator.page.lesson import opened, phones
from generator.page.lesson.opened import ANIMALS
from tests.page.asking import fields

LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ23456789"


@pytest.fixture(autouse=True)
def no_time_passes(monkeypatch):
    """On a busy machine tries would come back between two requests."""
    monkeypatch.setattr(phones, "Rates", lambda rate: Rates(rate, lambda: 0.0))


@pytest.mark.parametrize("wrong", ["", "rein", "stand", "antworten", "marke"])
async def test_what_is_wrong_is_limited_on_every_route_and_locks_nobody_out(room, wrong):
    async def tried(code, mark="x"):
        if not wrong:
            return (await room.ask("GET", f"/stunde/{code}")).status
        route, body = wrong.replace("marke", "stand"), {"tier": "Igel", "marke": mark, "antworten": []}
        return (await room.ask("POST", f"/stunde/api/{code}/{route}", body=body)).status

    lesson = await room.begin()  # the teacher is at this address
    mark = await room.join(lesson, "Eule")
    if wrong == "marke":
        assert [await tried(lesson, f"falsch{n}") for n in range(120)] == [403] * 100 + [429] * 20
    else:
        for _ in range(300):  # a lesson was deleted, and sixty phones of it go on asking: it counts once
            assert await tried("AAAAAAA") == 404
        codes = ["".join(each) for each in itertools.islice(itertools.product(LETTERS, repeat=7), 120)]
        assert [await tried(code) for code in codes] == [404] * 100 + [429] * 20
    assert await tried(lesson, mark) == 200


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
    for number in range(2, 10):
        await room.write(lesson, mark, [[cell["name"], cell["stelle"], f"{number}77", number]])
        if number >= 8:  # the seventh try, and the eighth
            await room.judged(lesson)
            said = await room.ask("POST", f"/stunde/api/{lesson}/stand", body={"marke": mark})
            told = {each[0] + each[1]: each[2] for each in said.json["urteile"]}
            assert told[cell["name"] + cell["stelle"]] == ("falsch" if number == 8 else "wartet")
            assert told[other["name"] + other["stelle"]] == "falsch", "only this cell"
    now[0] = 60
    said = await room.ask("POST", f"/stunde/api/{lesson}/stand", body={"marke": mark})
    assert {each[2] for each in said.json["urteile"]} == {"falsch"}
