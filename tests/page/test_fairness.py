"""Many teachers on one page: nobody waits for what another asks for, and nobody loses what is theirs."""

import asyncio
import time

import pytest

from generator.basics.errors import UserError
from generator.page import services, workers
from generator.page.services import Documents
from generator.page.shelf import Shelf, write_entry
from tests.page.asking import with_workers


async def test_clients_take_turns_and_one_has_not_all_processes():
    done = []
    async with with_workers(2, of_one=1) as pool:

        async def asked(client):
            await pool.call(60, "time:sleep", 0.3, client=client)
            done.append(client)

        await asyncio.gather(*(pool.call(60, "os:getpid", client=each) for each in "ab"))  # both have begun
        await asyncio.gather(*(asked("mia") for _ in range(6)), asked("tom"), asked("ada"))
    assert {"tom", "ada"} <= set(done[:4]), done


async def test_what_nobody_wants_leaves_the_line_at_once():
    async with with_workers(1) as pool:
        slow = asyncio.create_task(pool.call(60, "time:sleep", 3))
        await asyncio.sleep(0.1)
        wanted = [True]
        waits = asyncio.create_task(pool.call(60, "os:getpid", client="a", wanted=lambda: wanted[0]))
        await asyncio.sleep(0.1)
        wanted[0] = False
        newer = asyncio.create_task(pool.call(60, "os:getpid", client="a"))
        begun = time.monotonic()
        with pytest.raises(UserError, match="Neues"):
            await waits
        assert time.monotonic() - begun < 1
        await asyncio.gather(slow, newer)


async def test_nobody_waits_in_line_for_ever():
    async with with_workers(1) as pool:
        tasks = [asyncio.create_task(pool.call(60, "time:sleep", 0.01)) for _ in range(60)]
        said = await asyncio.gather(*tasks, return_exceptions=True)
        assert sum(isinstance(each, UserError) for each in said) == 39, "20 wait, one is at work"
        assert await pool.call(60, "os:getpid") > 0


def grow(size):
    """Takes much memory for a moment."""
    return len(bytearray(b"x") * size)


async def test_a_process_that_took_much_memory_gives_it_back(monkeypatch):
    monkeypatch.setattr(workers, "MOST_MEMORY", 400_000_000)

    async with with_workers(1) as pool:
        first = await pool.call(60, "os:getpid")
        assert await pool.call(60, "os:getpid") == first
        await pool.call(60, "tests.page.test_fairness:grow", 500_000_000)
        assert await pool.call(60, "os:getpid") != first


def test_a_list_shows_ones_own_sheets_however_many_others_make(tmp_path):
    shelf = Shelf(tmp_path)
    mine, folder = shelf.new("mia")
    write_entry(folder, satz="Meins", dateien=[])
    mine_at = tmp_path / "blaetter" / mine
    mine_at.rename(mine_at.with_name("20200101-000000-" + mine[-16:]))
    for _ in range(250):
        _, folder = shelf.new("tom")
        write_entry(folder, satz="Fremd", dateien=[])
    assert [each["satz"] for each in shelf.entries("mia")] == ["Meins"]
    assert len(shelf.entries("tom")) == 200


def test_nobody_drives_out_anothers_open_report(monkeypatch):
    monkeypatch.setattr(services, "MOST_LETTERS", 10_000)
    kept = Documents(12)
    report = kept.put("mia", "x" * 100)
    names = [kept.put("tom", "x" * 3000) for _ in range(50)]
    assert kept.get(report, "mia") == "x" * 100
    assert kept.get(names[-1], "tom")
    for other in (names[0], report):
        with pytest.raises(KeyError):
            kept.get(other, "tom")


async def test_a_calculation_with_more_than_a_calculation_is_refused(room, monkeypatch):
    kept = []
    monkeypatch.setattr(room.app.app.state.services.sources, "put", lambda *each: kept.append(each))
    await room.teacher("GET", "/")
    said = await room.raw("POST", "/api/datei/rechnung", b'{"x": "' + b"x" * 31_000_000 + b'"}', room.session)
    assert (said.status, "zu groß" in said.json["fehler"]) == (422, True)
    assert kept == []
