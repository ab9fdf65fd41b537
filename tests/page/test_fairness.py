"""Many teachers on one page: nobody waits for what another asks for, and nobody loses what is theirs."""

import asyncio
import contextlib
import http.client
import os
import threading
import time

import pytest

from generator.basics.errors import UserError
from generator.page import services, workers
from generator.page.services import Documents
from generator.page.shelf import Shelf, write_entry
from generator.page.workers import FairQueue, Job
from tests.page.asking import with_workers
from tests.page.planned_papers import CODE
from tests.page.running import Teacher


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


SLOW = "\n".join(
    f"{who} {what}"
    for who in ("Die Katze", "Der Hund", "Das Kind", "Die Maus")
    for what in ("sitzt gern auf der Matte", "läuft über den Platz", "schläft heute nicht ein")
)


@pytest.mark.thorough
def test_previews_keep_nobody_else_waiting(program):
    """Eight previews of trained models of one teacher, half a minute each; a lesson and others meanwhile."""
    greedy, teacher = Teacher(program.base), Teacher(program.base)
    teacher.ask("/api/vorschau", {"optionen": {"satz": "Die Katze"}})

    def preview(number):
        options = {"gewichte": "gelernt", "texte": SLOW, "dimension": "8", "startwert": str(number)}
        with contextlib.suppress(OSError, http.client.HTTPException):  # when the program ends
            greedy.status(
                "/api/vorschau",
                {"optionen": {"satz": "Die Katze sitzt gern auf der Matte"} | options, "fenster": number},
            )

    threads = [threading.Thread(target=preview, args=(number,)) for number in range(8)]
    for each in threads:
        each.start()
    time.sleep(0.5)
    begun = time.monotonic()
    assert "Neues Blatt" in teacher.page("/")
    page = time.monotonic() - begun
    lesson, _ = teacher.lesson(CODE)
    mark = teacher.ask(f"/stunde/api/{lesson}/rein", {"tier": "Igel"})["marke"]
    joined = time.monotonic() - begun
    sheet = teacher.page(f"/stunde/{lesson}")
    name, place = sheet.split('data-name="')[1].split('"')[0], sheet.split('data-place="')[1].split('"')[0]
    teacher.ask(f"/stunde/api/{lesson}/antworten", {"marke": mark, "antworten": [[name, place, "77", 1]]})
    sent = time.monotonic()
    while not teacher.ask(f"/stunde/api/{lesson}/stand", {"marke": mark})["urteile"]:
        time.sleep(0.05)
    verdict = time.monotonic() - sent
    sent = time.monotonic()
    teacher.ask("/api/vorschau", {"optionen": {"satz": "Der Hund", "startwert": "3"}})
    preview = time.monotonic() - sent
    still = sum(each.is_alive() for each in threads)
    program.end()
    for each in threads:
        each.join()
    print(f"page {page:.2f} s, joined {joined:.1f} s, verdict {verdict:.1f} s, preview {preview:.1f} s")
    assert page < 0.5
    assert joined < 15
    assert verdict < 5
    assert preview < 15
    assert still >= 5, "the eight are still being made"


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
    begun = time.perf_counter()
    shelf.entries("mia")
    assert time.perf_counter() - begun < 0.2


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


async def test_waiting_jobs_are_limited_for_an_address_too():
    queue = FairQueue(1)

    async def work():
        await asyncio.sleep(60)

    for number in range(41):  # one runs, forty wait
        queue.add(Job(str(number), f"session{number}", work, "10.0.0.1"))
    with pytest.raises(UserError, match="zu viele"):
        queue.add(Job("41", "session41", work, "10.0.0.1"))
    queue.add(Job("x", "other", work, "10.0.0.2"))
    await queue.end()


async def test_a_calculation_with_more_than_a_calculation_is_refused(room, monkeypatch):
    kept = []
    monkeypatch.setattr(room.app.app.state.services.sources, "put", lambda *each: kept.append(each))
    await room.teacher("GET", "/")
    said = await room.raw("POST", "/api/datei/rechnung", b'{"x": "' + b"x" * 31_000_000 + b'"}', room.session)
    assert (said.status, "zu groß" in said.json["fehler"]) == (422, True)
    assert kept == []


async def test_a_full_disk_fails_a_job_with_the_right_sentence():
    queue = FairQueue(1)

    async def work():
        raise OSError(28, os.strerror(28))

    job = Job("x", "mia", work)
    queue.add(job)
    await asyncio.sleep(0.1)
    assert job.sentence == "Das ließ sich nicht ablegen: der Datenträger ist voll."
    await queue.end()
