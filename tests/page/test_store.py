"""The store of lessons fails: nothing is acknowledged that is not kept, and one sentence says it."""

import asyncio
import contextlib
import itertools
import re
import sqlite3
from pathlib import Path

import pytest

from generator.page.lesson import lessons
from generator.page.lesson.databases import GoneError, StoreError, TakenError, copy_of
from generator.page.lesson.opened import ANIMALS
from generator.page.lesson.store import FullError, Lesson, Pupil, Store, StoredAnswer
from tests.page.in_process import fields, run


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.thorough)])
def address(request):
    """Of the database; of a file in the folder where it is empty."""
    return "" if request.param == "sqlite" else request.getfixturevalue("postgres").address


@contextlib.contextmanager
def opened(folder, address=""):
    store = Store(address, folder)
    store.prepare()
    yield store
    store.close()


def begun(store, animals=("Igel",)):
    store.begin(Lesson("A", "mia", "{}", "Satz", "nichts", 1.0))
    for animal in animals:
        store.join(Pupil(f"t-{animal}", animal, "4a", 1.0, "A"), 60)


def test_each_animal_is_there_once_and_what_it_wrote_is_there_again(tmp_path, address):
    with opened(tmp_path, address) as store:
        begun(store, ["Igel", "Eule"])
        with pytest.raises(TakenError):
            store.join(Pupil("t3", "Igel", "4a", 1.0, "A"), 60)
        with pytest.raises(FullError):
            store.join(Pupil("t3", "Otter", "4a", 1.0, "A"), 2)
        with pytest.raises(GoneError):
            store.join(Pupil("t3", "Otter", "4a", 1.0, "B"), 2)
        with pytest.raises(GoneError):
            store.write("nobody", "4a", [StoredAnswer("a", "0", "1", 1)])
        assert len(store.pupils("A")) == 2
        store.write("t-Igel", "5", [StoredAnswer("a", "0", "1", 5), StoredAnswer("b", "", "½ 'x' %s ?", 6)])
        store.write("t-Igel", "6", [StoredAnswer("a", "0", "9", 4)])  # older: it was under way for long
    with opened(tmp_path, address) as store:
        assert [(a.name, a.text) for a in store.answers("t-Igel")] == [("a", "1"), ("b", "½ 'x' %s ?")]
        assert {each.animal: each.station for each in store.pupils("A")} == {"Igel": "6", "Eule": "4a"}
        store.end("A")
        assert store.lesson("A").ended is not None
        store.delete("A")
        assert store.lessons("mia") == store.pupils("A") == store.answers("t-Igel") == []


def test_a_list_reads_no_sheets_and_only_ones_own(tmp_path, address):
    with opened(tmp_path, address) as store:
        for number in range(5):
            store.begin(Lesson(f"L{number}", "mia", "x" * 1000, "Satz", "nichts", float(number)))
        store.begin(Lesson("T", "tom", "x", "Satz", "nichts", 9.0))
        assert [each.code for each in store.lessons("mia", 3)] == ["L4", "L3", "L2"]
        assert {each.source for each in store.lessons("mia")} == {""}
        assert store.lesson("L2").source == "x" * 1000
        store.end_older(3.0)  # what nobody ends ends after a day
        assert [store.lesson(f"L{number}").ended is None for number in (2, 4)] == [False, True]


@pytest.mark.parametrize("what", ["lesson", "pupil"])
def test_files_are_the_users_alone_and_what_is_deleted_leaves_no_mark_in_their_bytes(tmp_path, what):
    (tmp_path / "stunden.db").touch(0o644)
    with opened(tmp_path) as store:
        begun(store, ["Igel", "Eule"])
        assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}
        for number in range(300):
            store.write("t-Igel", "4a", [StoredAnswer("geheim", str(number), f"{number} ist geheim", number)])
        assert any(b"geheim" in path.read_bytes() for path in tmp_path.iterdir())
        store.delete("A") if what == "lesson" else store.remove("t-Igel")
        left = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
        assert not [name for name, content in left.items() if b"geheim" in content or b"t-Igel" in content]


@pytest.mark.parametrize("content", [b"not a database" * 100, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_file_is_one_sentence_and_sheets_go_on(tmp_path, caplog, content):
    (tmp_path / "stunden.db").write_bytes(content)

    async def scenario(room):
        answer = await room.teacher("GET", "/stunden")
        assert answer.status == 503
        assert "lassen sich gerade nicht ablegen" in answer.body.decode()
        said = await room.ask("GET", "/stunde/AAAAAAA")
        assert (said.status, "Deine Zahlen bleiben" in said.body.decode()) == (503, True)
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
    with opened(path.parent / "other") as store:
        begun(store)
    (path.parent / "other" / path.name).rename(path)


def overwritten(path):
    with contextlib.closing(sqlite3.connect(path)) as other:  # else SQLite mends it from its log
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with path.open("r+b") as file:
        file.write(b"\xff" * 100)


@pytest.mark.parametrize("happens", [Path.unlink, emptied, overwritten])
def test_nothing_but_its_own_database_answers_for_a_lesson(tmp_path, monkeypatch, caplog, happens):
    """Whatever becomes of the file: 503 until the right one is there again, also after a restart."""
    monkeypatch.setattr(lessons, "SECONDS_BETWEEN_TRIES", 0.0)
    path, before = tmp_path / "stunden.db", {}

    async def refused(room, lesson, mark, at):
        for number in (2, 3):
            said = await room.write(lesson, mark, [[*at, "2", number]])
            assert said.status == 503
            assert "Handy" in said.json["fehler"]
            assert not re.search(f"Sie|{re.escape(str(tmp_path))}|database|file", said.json["fehler"])
        assert (await room.teacher("GET", "/stunden")).status == 503

    async def scenario(room):
        lesson, mark, at = await room.begun()
        assert (await room.write(lesson, mark, [[*at, "1", 1]])).status == 200
        await room.room.lessons.look_after()
        before.update(lesson=lesson, mark=mark, at=at, copy=copy_of(path).read_bytes())
        happens(path)
        await refused(room, lesson, mark, at)

    async def again(room):
        assert (await room.ask("GET", f"/stunde/{before['lesson']}")).status == 503
        await refused(room, before["lesson"], before["mark"], before["at"])
        for each in tmp_path.glob("stunden.db-[ws]*"):
            each.unlink()
        path.write_bytes(before["copy"])  # as the sentence says
        assert (await room.write(before["lesson"], before["mark"], [[*before["at"], "3", 4]])).status == 200
        found = await room.room.lessons.find(before["lesson"])
        assert [answer.text for answer in found.written[before["mark"]].values()] == ["3"]

    run(scenario, tmp_path)
    run(again, tmp_path)
    assert str(copy_of(path)) in caplog.text, "the command that mends it"


def test_a_copy_is_kept_and_never_of_what_is_deleted_or_damaged(tmp_path):
    with opened(tmp_path) as store:
        begun(store)
        store.write("t-Igel", "4a", [StoredAnswer("geheim", "", "1", 1)])
        store.look_after()
        copy = copy_of(tmp_path / "stunden.db")
        assert b"geheim" in copy.read_bytes()
        assert copy.stat().st_mode & 0o777 == 0o600
        stamp = copy.stat().st_mtime_ns
        store.look_after()
        assert copy.stat().st_mtime_ns == stamp, "nothing has changed"
        store.delete("A")
        assert b"geheim" not in copy.read_bytes()
        overwritten(tmp_path / "stunden.db")
        kept = copy.read_bytes()
        with pytest.raises(StoreError, match="beschädigt"):
            store.look_after()
        assert copy.read_bytes() == kept


async def test_an_older_state_without_an_open_lesson_answers_nothing_for_it(room, tmp_path):
    lesson, mark, at = await room.begun()
    with contextlib.closing(sqlite3.connect(tmp_path / "stunden.db")) as other:
        other.execute("PRAGMA foreign_keys = ON")
        other.execute("DELETE FROM lesson")
        other.commit()
    assert (await room.write(lesson, mark, [[*at, "1", 1]])).status == 503


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
    kept = 0
    for number, (mark, cell) in enumerate(itertools.product(marks, cells), 1):
        said = await room.write(lesson, mark, [[cell["name"], cell["stelle"], "1" * 40, number]])
        if said.status != 200:
            break
        kept += 1
    assert (said.status, "Handy" in said.json["fehler"]) == (503, True)
    with contextlib.closing(sqlite3.connect(tmp_path / "stunden.db")) as other:
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
    await asyncio.sleep(0.3)
    monkeypatch.setattr(lessons, "SECONDS_FOR_STORE", 8)
    assert (await room.teacher("GET", "/stunden")).status == 200


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


async def test_halves_of_characters_and_zeros_are_no_text(room):
    lesson, mark, _ = await room.begun()
    for text in ('"\\ud800"', '"a\\u0000b"', '"\\udfff\\ud800"'):
        for path, body in (
            (
                f"/stunde/api/{lesson}/antworten",
                f'{{"marke": "{mark}", "antworten": [["a", "", {text}, 1]]}}',
            ),
            (f"/stunde/api/{lesson}/rein", f'{{"tier": {text}}}'),
            (f"/stunde/api/{lesson}/stand", f'{{"marke": {text}}}'),
            ("/api/vorschau", f'{{"optionen": {{"satz": {text}}}}}'),
        ):
            said = await room.raw("POST", path, body.encode(), room.session)
            assert (said.status, said.json["fehler"][-1]) == (422, "."), (path, text)
