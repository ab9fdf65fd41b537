"""The store of lessons fails: nothing is acknowledged that is not kept, and one sentence says it."""

import asyncio
import contextlib
import itertools
import re
import sqlite3
from pathlib import Path

import pytest

from generator.basics.errors import UserError
from generator.page.lesson import lessons
from generator.page.lesson.databases import GoneError, StoreError, TakenError, copy_of
from generator.page.lesson.opened import ANIMALS
from generator.page.lesson.store import FullError, Lesson, Pupil, Store, StoredAnswer
from tests.page.asking import fields, run
from tests.page.papers import CODE
from tests.page.running import Teacher, wait_until


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.thorough)])
def address(request):
    """Of the database; of a file in the folder where it is empty."""
    return "" if request.param == "sqlite" else request.getfixturevalue("postgres").address


@contextlib.contextmanager
def opened(folder, address="", animals=()):
    """A store with these animals in lesson A."""
    store = Store(address, folder)
    store.prepare()
    if animals:
        store.begin(Lesson("A", "mia", "{}", "Satz", "nichts", 1.0))
    for animal in animals:
        store.join(Pupil(f"t-{animal}", animal, "4a", 1.0, "A"), 60)
    yield store
    store.close()


def test_each_animal_is_there_once_and_what_it_wrote_is_there_again(tmp_path, address):
    with opened(tmp_path, address, ["Igel", "Eule"]) as store:
        for error, animal, lesson, most in (
            (TakenError, "Igel", "A", 60),
            (FullError, "Otter", "A", 2),
            (GoneError, "Otter", "B", 2),
        ):
            with pytest.raises(error):
                store.join(Pupil("t3", animal, "4a", 1.0, lesson), most)
        with pytest.raises(GoneError):
            store.write("nobody", "4a", [StoredAnswer("a", "0", "1", 1)])
        store.write("t-Igel", "5", [StoredAnswer("a", "0", "1", 5), StoredAnswer("b", "", "½ 'x' %s ?", 6)])
        store.write("t-Igel", "6", [StoredAnswer("a", "0", "9", 4)])  # older: it was under way for long
    with opened(tmp_path, address) as store:
        assert [(a.name, a.text) for a in store.answers("t-Igel")] == [("a", "1"), ("b", "½ 'x' %s ?")]
        assert {each.animal: each.station for each in store.pupils("A")} == {"Igel": "6", "Eule": "4a"}
        for number in range(5):
            store.begin(Lesson(f"L{number}", "mia", "x" * 1000, "Satz", "nichts", 2.0 + number))
        store.begin(Lesson("T", "tom", "x", "Satz", "nichts", 9.0))
        assert [each.code for each in store.lessons("mia", 3)] == ["L4", "L3", "L2"]
        assert {each.source for each in store.lessons("mia")} == {""}, "a list reads no sheets"
        assert store.lesson("L2").source == "x" * 1000
        store.end("L4")
        store.end_older(4.0)  # what nobody ends ends after a day
        assert [store.lesson(f"L{number}").ended is None for number in range(5)] == [
            False,
            False,
            True,
            True,
            False,
        ]
        store.delete("A")
        assert store.lesson("A") is None
        assert store.pupils("A") == store.answers("t-Igel") == []


def in_bytes(folder, text):
    return [path.name for path in folder.iterdir() if text in path.read_bytes()]


@pytest.mark.parametrize("what", ["lesson", "pupil"])
def test_files_are_the_users_alone_and_what_is_deleted_leaves_no_mark_in_their_bytes(tmp_path, what):
    (tmp_path / "stunden.db").touch(0o644)
    with opened(tmp_path, animals=["Igel", "Eule"]) as store:
        for number in range(300):
            store.write("t-Igel", "4a", [StoredAnswer("geheim", str(number), f"{number} ist geheim", number)])
        store.look_after()
        copy = copy_of(tmp_path / "stunden.db")
        assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}
        assert copy.name in in_bytes(tmp_path, b"geheim")
        stamp = copy.stat().st_mtime_ns
        store.look_after()
        assert copy.stat().st_mtime_ns == stamp, "nothing has changed"
        store.delete("A") if what == "lesson" else store.remove("t-Igel")
        assert in_bytes(tmp_path, b"geheim") == in_bytes(tmp_path, b"t-Igel") == []
        overwritten(tmp_path / "stunden.db")
        kept = copy.read_bytes()
        with pytest.raises(StoreError, match="beschädigt"):
            store.look_after()
        assert copy.read_bytes() == kept, "what is damaged is not copied"


@pytest.mark.parametrize("content", [b"not a database" * 100, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_file_is_one_sentence_and_sheets_go_on(tmp_path, caplog, content):
    (tmp_path / "stunden.db").write_bytes(content)

    async def scenario(room):
        answer, said = await room.teacher("GET", "/stunden"), await room.ask("GET", "/stunde/AAAAAAA")
        assert (answer.status, said.status) == (503, 503)
        assert "lassen sich gerade nicht ablegen" in answer.body.decode()
        assert "Deine Zahlen bleiben" in said.body.decode()
        assert str(tmp_path) not in answer.body.decode() + said.body.decode()
        for path in ("/", "/blaetter", "/pruefen"):
            assert (await room.teacher("GET", path)).status == 200

    run(scenario, tmp_path)
    assert "beschädigt" in caplog.text
    assert str(tmp_path) in caplog.text


def emptied(path):
    for each in path.parent.glob("stunden.db*"):  # with its log SQLite would make the old one of it again
        if each != copy_of(path):
            each.unlink()
    with opened(path.parent / "other", animals=["Igel"]):
        pass
    (path.parent / "other" / path.name).rename(path)


def overwritten(path):
    with contextlib.closing(sqlite3.connect(path)) as other:  # else SQLite mends it from its log
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with path.open("r+b") as file:
        file.write(b"\xff" * 100)


def without_the_lesson(path):
    """An older state."""
    with contextlib.closing(sqlite3.connect(path)) as other, other:
        other.execute("PRAGMA foreign_keys = ON")
        other.execute("DELETE FROM lesson")


@pytest.mark.parametrize("happens", [Path.unlink, emptied, overwritten, without_the_lesson])
def test_nothing_but_its_own_database_answers_for_a_lesson(tmp_path, monkeypatch, caplog, happens):
    """Whatever becomes of the file: 503 until the right one is there again, also after a restart."""
    monkeypatch.setattr(lessons, "SECONDS_BETWEEN_TRIES", 0.0)
    path, before = tmp_path / "stunden.db", {}

    async def refused(room, lesson, mark, at):
        for number in (2, 3):
            said = await room.write(lesson, mark, [[*at, "2", number]])
            assert (said.status, "Handy" in said.json["fehler"]) == (503, True)
            assert not re.search(f"Sie|{re.escape(str(tmp_path))}|database|file", said.json["fehler"])

    async def scenario(room):
        lesson, mark, at = await room.begun()
        assert (await room.write(lesson, mark, [[*at, "1", 1]])).status == 200
        await room.room.lessons.look_after()
        before.update(lesson=lesson, mark=mark, at=at, copy=copy_of(path).read_bytes())
        happens(path)
        await refused(room, lesson, mark, at)
        assert happens is without_the_lesson or (await room.teacher("GET", "/stunden")).status == 503

    async def again(room):
        lesson, mark, at = before["lesson"], before["mark"], before["at"]
        assert (await room.ask("GET", f"/stunde/{lesson}")).status == 503
        await refused(room, lesson, mark, at)
        for each in tmp_path.glob("stunden.db-[ws]*"):
            each.unlink()
        path.write_bytes(before["copy"])  # as the sentence says
        assert (await room.write(lesson, mark, [[*at, "3", 4]])).status == 200
        found = await room.room.lessons.find(lesson)
        assert [answer.text for answer in found.written[mark].values()] == ["3"]

    run(scenario, tmp_path)
    if happens is not without_the_lesson:  # after a restart nobody knows that there was one
        run(again, tmp_path)
        assert str(copy_of(path)) in caplog.text, "the command that mends it"


async def test_a_full_disk_is_one_sentence_and_nothing_is_acknowledged(room, tmp_path, monkeypatch):
    connections, connect = [], sqlite3.connect

    def noted(*arguments, **options):
        connections.append(connect(*arguments, **options))
        return connections[-1]

    monkeypatch.setattr(sqlite3, "connect", noted)
    lesson = await room.begin()
    cells = fields(await room.room.lessons.find(lesson))
    marks = [await room.join(lesson, animal) for animal in ANIMALS[:30]]
    (pages,) = connections[0].execute("PRAGMA page_count").fetchone()
    connections[0].execute(f"PRAGMA max_page_count = {pages}").fetchall()
    for kept, (mark, cell) in enumerate(itertools.product(marks, cells)):
        said = await room.write(lesson, mark, [[cell["name"], cell["stelle"], "1" * 40, kept + 1]])
        if said.status != 200:
            break
    assert (said.status, "Handy" in said.json["fehler"]) == (503, True)
    with contextlib.closing(connect(tmp_path / "stunden.db")) as other:
        assert other.execute("SELECT count(*) FROM answer").fetchone() == (kept,)


async def test_a_store_that_hangs_is_given_up(room, tmp_path, monkeypatch):
    monkeypatch.setattr(lessons, "SECONDS_FOR_STORE", 0.2)
    await room.begin()
    blocking = sqlite3.connect(tmp_path / "stunden.db", isolation_level=None)
    blocking.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError):
        await asyncio.wait_for(room.room.lessons.end_lesson("AAAAAAA"), 3)
    blocking.execute("ROLLBACK")
    blocking.close()
    monkeypatch.setattr(lessons, "SECONDS_FOR_STORE", 8)
    async with asyncio.timeout(20):  # what was broken off is over in a moment
        while (await room.teacher("GET", "/stunden")).status == 503:
            await asyncio.sleep(0.05)


def test_a_server_that_is_not_there_is_one_sentence(tmp_path):
    with pytest.raises(UserError, match="antwortet nicht"):
        Store("postgresql://schule:geheim@127.0.0.1:1/papierformer", tmp_path)


@pytest.mark.thorough  # a server has to be made
def test_a_server_that_crashes_stops_no_sheets_and_is_taken_up_again(postgres, program, tmp_path):
    program.end()
    program.options = (f"--speicher={postgres.address}",)
    program.start()
    teacher = Teacher(program.base)
    lesson, _ = teacher.lesson(CODE)
    mark = teacher.ask(f"/stunde/api/{lesson}/rein", {"tier": "Igel"})["marke"]

    def status():
        return teacher.status(f"/stunde/api/{lesson}/antworten", {"marke": mark, "antworten": []})

    postgres.crash()
    assert status() == 503
    assert "Neues Blatt" in teacher.page("/")
    postgres.start()
    wait_until(lambda: status() == 200, 20)
    program.end()
    program.start()
    assert "Traceback" not in program.log.read_text(encoding="utf-8")


def test_writes_beside_a_delete_are_refused_without_a_traceback(tmp_path, caplog):
    async def scenario(room):
        for _ in range(10):
            lesson, mark, at = await room.begun()
            said = await asyncio.gather(
                *(room.write(lesson, mark, [[*at, "1", n]]) for n in range(5)),
                room.teacher("POST", f"/api/stunden/{lesson}/loeschen", {}),
                *(room.write(lesson, mark, [[*at, "1", n]]) for n in range(5, 9)),
                room.ask("POST", f"/stunde/api/{lesson}/rein", body={"tier": "Eule"}),
            )
            assert {each.status for each in said} <= {200, 404, 422}

    run(scenario, tmp_path)
    assert "Traceback" not in caplog.text
