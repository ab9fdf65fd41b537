"""Many teachers on one page: nobody waits for what another asks for, and nobody loses what is theirs."""

import asyncio
import contextlib
import os
import time

import pytest

from generator.basics.errors import UserError
from generator.page import services, workers
from generator.page.services import Documents
from generator.page.shelf import Shelf, write_entry
from generator.page.workers import DONE, FAILED, RUNNING, WAITING, FairQueue, Job
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


class Works:
    """Jobs that end when they are told to, and the order in which they began."""

    def __init__(self):
        self.began, self.gates = [], {}

    def job(self, name):
        self.gates[name] = asyncio.Event()

        async def work():
            self.began.append(name)
            await self.gates[name].wait()

        return Job(name, name[0], work)

    async def end(self, name):
        self.gates[name].set()
        for _ in range(5):
            await asyncio.sleep(0)


@contextlib.asynccontextmanager
async def queue_of(at_once):
    queue = FairQueue(at_once)
    yield Works(), queue
    await queue.end()


async def test_clients_take_turns_in_the_queue():
    async with queue_of(1) as (works, queue):
        jobs = {name: works.job(name) for name in ("a1", "a2", "a3", "b1", "c1", "b2")}
        for job in jobs.values():
            queue.add(job)
        await asyncio.sleep(0)
        assert [queue.place(job) for job in jobs.values()] == [0, 1, 4, 2, 3, 5]
        for name in ("a1", "a2", "b1", "c1", "a3", "b2"):
            assert works.began[-1] == name
            await works.end(name)
        assert {job.state for job in jobs.values()} == {DONE}


async def test_so_many_at_once_and_no_more():
    async with queue_of(2) as (works, queue):
        jobs = [works.job(name) for name in ("a1", "b1", "c1")]
        for job in jobs:
            queue.add(job)
        await asyncio.sleep(0)
        assert [job.state for job in jobs] == [RUNNING, RUNNING, WAITING]
        await works.end("b1")
        assert [job.state for job in jobs] == [RUNNING, DONE, RUNNING]


async def test_neither_a_client_nor_an_address_can_fill_the_queue():
    async with queue_of(1) as (works, queue):
        for number in range(6):
            queue.add(works.job(f"a{number}"))
        with pytest.raises(UserError, match="zu viele"):
            queue.add(works.job("a7"))
        queue.add(works.job("b1"))
    async with queue_of(1) as (works, queue):
        for number in range(41):  # one runs, forty wait
            queue.add(Job(str(number), f"session{number}", works.job("a").work, "10.0.0.1"))
        with pytest.raises(UserError, match="zu viele"):
            queue.add(Job("41", "session41", works.job("a").work, "10.0.0.1"))
        queue.add(Job("x", "other", works.job("a").work, "10.0.0.2"))


@pytest.mark.parametrize("name", ["a1", "a2"])
async def test_what_runs_and_what_waits_can_be_cancelled(name):
    async with queue_of(1) as (works, queue):
        jobs = {each: works.job(each) for each in ("a1", "a2", "b1")}
        for job in jobs.values():
            queue.add(job)
        await asyncio.sleep(0)
        jobs[name].cancel()
        for _ in range(5):
            await asyncio.sleep(0)
        assert (jobs[name].state, jobs[name].sentence) == (FAILED, "Abgebrochen.")
        for other in ("a1", "a2", "b1"):
            await works.end(other)
        assert [job.state for each, job in jobs.items() if each != name] == [DONE, DONE]


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (UserError("So nicht."), "So nicht."),
        (ValueError(), "(ValueError)"),
        (OSError(28, os.strerror(28)), "Das ließ sich nicht ablegen: der Datenträger ist voll."),
    ],
)
async def test_what_fails_says_so_and_the_next_begins(error, said):
    async with queue_of(1) as (works, queue):

        async def fails():
            raise error

        job, after = Job("a1", "a", fails), works.job("b1")
        queue.add(job)
        queue.add(after)
        for _ in range(5):
            await asyncio.sleep(0)
        assert job.state == FAILED
        assert said in job.sentence
        assert after.state == RUNNING


async def test_what_takes_too_long_is_ended_and_nothing_else():
    async with with_workers(2) as pool:
        slow = asyncio.create_task(pool.call(1.0, "time:sleep", 3600))
        assert await pool.call(120, "os:getpid") > 0
        with pytest.raises(UserError, match=r"länger als 1 Sekunden gedauert"):
            await slow
        first, second = await asyncio.gather(*(pool.call(120, "os:getpid") for _ in range(2)))
        assert first != second


async def test_a_worker_that_dies_is_replaced():
    async with with_workers(1) as pool:
        before = await pool.call(120, "os:getpid")
        with pytest.raises(UserError, match="abgebrochen"):
            await pool.call(120, "os:_exit", 1)
        assert await pool.call(120, "os:getpid") != before
