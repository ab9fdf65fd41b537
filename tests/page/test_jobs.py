"""The queue is fair, everybody knows their place, and what takes too long ends without harm to others."""

import asyncio
import contextlib
import os

import pytest

from generator.basics.errors import UserError
from generator.page.workers import DONE, FAILED, RUNNING, WAITING, FairQueue, Job
from tests.page.asking import with_workers


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


async def test_clients_take_turns():
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
    async with with_workers(2) as workers:
        slow = asyncio.create_task(workers.call(1.0, "time:sleep", 3600))
        assert await workers.call(120, "os:getpid") > 0
        with pytest.raises(UserError, match=r"länger als 1 Sekunden gedauert"):
            await slow
        first, second = await asyncio.gather(*(workers.call(120, "os:getpid") for _ in range(2)))
        assert first != second


async def test_a_worker_that_dies_is_replaced():
    async with with_workers(1) as workers:
        before = await workers.call(120, "os:getpid")
        with pytest.raises(UserError, match="abgebrochen"):
            await workers.call(120, "os:_exit", 1)
        assert await workers.call(120, "os:getpid") != before
