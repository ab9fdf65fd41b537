"""Many teachers on one page: nobody waits for what another asks for, and nobody loses what is theirs."""

import asyncio
import contextlib
import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from generator.basics.errors import UserError
from generator.page import services, workers
from generator.page.services import Documents
from generator.page.shelf import Shelf, write_entry
from generator.page.workers import DONE, FAILED, RUNNING, WAITING, FairQueue, Job, Turns, Workers, calculating


async def test_clients_take_turns_and_one_has_not_all_processes():
    turns = Turns(2, of_one=1)
    mia, again, tom, ada = asked = [turns.ask(client) for client in ("mia", "mia", "tom", "ada")]
    assert [each.done() for each in asked] == [True, False, True, False]
    async with turns.taking("tom", tom):
        pass
    assert (ada.done(), again.done()) == (True, False)
    async with turns.taking("mia", mia):
        pass
    assert again.done()


async def test_one_client_does_not_get_all_processes():
    pool, done = Workers(2, of_one=1, make=lambda: ThreadPoolExecutor(1)), []

    async def asked(client):
        await pool.call(60, "time:sleep", 0.2, client=client)
        done.append(client)

    await asyncio.gather(*map(asked, ("mia", "mia", "mia", "tom")))
    await pool.end()
    assert "tom" in done[:2]


async def test_what_nobody_wants_leaves_the_line_at_once_and_the_line_has_an_end():
    turns, wanted = Turns(1), [True]
    turns.ask("tom")
    waits = turns.ask("mia", lambda: wanted[0])
    wanted[0] = False
    newer = turns.ask("mia")
    with pytest.raises(UserError, match="Neues"):
        await waits
    assert (newer.done(), turns.waiting("mia")) == (False, 1)
    pool = Workers(1, make=lambda: ThreadPoolExecutor(1))
    tasks = [asyncio.create_task(pool.call(60, "os:getpid")) for _ in range(60)]
    said = await asyncio.gather(*tasks, return_exceptions=True)
    assert sum(isinstance(each, UserError) for each in said) == 39, "20 wait, one is at work"
    await pool.end()


def grow(size):
    """Takes much memory for a moment."""
    return len(bytearray(b"x") * size)


async def test_a_process_that_dies_is_too_slow_or_took_much_memory_is_replaced(monkeypatch):
    monkeypatch.setattr(workers, "MOST_MEMORY", 400_000_000)
    pool = Workers(1, make=calculating)
    try:
        known = [await pool.call(120, "os:getpid")]
        assert await pool.call(120, "os:getpid") == known[0]
        await pool.call(120, "tests.page.test_fairness:grow", 500_000_000)
        for limit, function, argument, said in (
            (120, "os:_exit", 1, "abgebrochen"),
            (0.5, "time:sleep", 3600, "länger als 0 Sekunden gedauert"),
        ):
            known.append(await pool.call(120, "os:getpid"))
            with pytest.raises(UserError, match=said):
                await pool.call(limit, function, argument)
        known.append(await pool.call(120, "os:getpid"))
        assert len(set(known)) == len(known)
    finally:
        await pool.end()


def test_a_list_shows_ones_own_sheets_however_many_others_make(tmp_path):
    shelf = Shelf(tmp_path)
    mine, folder = shelf.new("mia")
    write_entry(folder, satz="Meins", dateien=[])
    folder.rename(folder.with_name("20200101-000000-" + mine[-16:]))
    for _ in range(250):
        write_entry(shelf.new("tom")[1], satz="Fremd", dateien=[])
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


class Works:
    """A queue of jobs that end when they are told to; the order in which they began."""

    def __init__(self, at_once):
        self.queue, self.began, self.gates = FairQueue(at_once), [], {}

    async def add(self, *names, address="", client=None):
        """Jobs of these names; a name begins with its client's."""
        jobs = {name: Job(name, client or name[0], lambda at=name: self._work(at), address) for name in names}
        for job in jobs.values():
            self.gates[job.name] = asyncio.Event()
            self.queue.add(job)
        await asyncio.sleep(0)
        return jobs

    async def _work(self, name):
        self.began.append(name)
        await self.gates[name].wait()

    async def end(self, name):
        self.gates[name].set()
        await settle()


async def settle():
    for _ in range(5):
        await asyncio.sleep(0)


@contextlib.asynccontextmanager
async def queue_of(at_once):
    works = Works(at_once)
    yield works
    await works.queue.end()


async def test_clients_take_turns_in_the_queue_so_many_at_once():
    async with queue_of(1) as works:
        jobs = await works.add("a1", "a2", "a3", "b1", "c1", "b2")
        assert [works.queue.place(job) for job in jobs.values()] == [0, 1, 4, 2, 3, 5]
        for name in ("a1", "a2", "b1", "c1", "a3", "b2"):
            assert works.began[-1] == name
            await works.end(name)
        assert {job.state for job in jobs.values()} == {DONE}
    async with queue_of(2) as works:
        jobs = (await works.add("a1", "b1", "c1")).values()
        assert [job.state for job in jobs] == [RUNNING, RUNNING, WAITING]
        await works.end("b1")
        assert [job.state for job in jobs] == [RUNNING, DONE, RUNNING]


async def test_neither_a_client_nor_an_address_can_fill_the_queue():
    async with queue_of(1) as works:
        await works.add(*(f"a{number}" for number in range(6)))
        with pytest.raises(UserError, match="zu viele"):
            await works.add("a7")
        await works.add("b1")
    async with queue_of(1) as works:
        for number in range(41):  # one runs, forty wait
            await works.add(f"x{number}", address="10.0.0.1", client=f"session{number}")
        with pytest.raises(UserError, match="zu viele"):
            await works.add("y", address="10.0.0.1")
        await works.add("z", address="10.0.0.2")


@pytest.mark.parametrize("name", ["a1", "a2"])
async def test_what_runs_and_what_waits_can_be_cancelled(name):
    async with queue_of(1) as works:
        jobs = await works.add("a1", "a2", "b1")
        jobs[name].cancel()
        await settle()
        assert (jobs[name].state, jobs[name].sentence) == (FAILED, "Abgebrochen.")
        for other in jobs:
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
    async with queue_of(1) as works:

        async def fails():
            raise error

        job = Job("a1", "a", fails)
        works.queue.add(job)
        after = await works.add("b1")
        await settle()
        assert (job.state, said in job.sentence, after["b1"].state) == (FAILED, True, RUNNING)
