"""The store of lessons fails: nothing is acknowledged that is not kept, and one sentence says it."""

import asyncio
import contextlib
import itertools
import sqlite3

import pytest

from generator.page.lesson import lessons
from generator.page.lesson.databases import GoneError, StoreError, TakenError
from generator.page.lesson.opened import ANIMALS
from generator.page.lesson.store import Answer, FullError, Lesson, Pupil, Store
from tests.page.in_process import fields, run


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


def test_each_animal_is_there_once_and_so_many_are_enough(tmp_path):
    with opened(tmp_path) as store:
        begun(store, ["Igel", "Eule"])
        with pytest.raises(TakenError):
            store.join(Pupil("t3", "Igel", "4a", 1.0, "A"), 60)
        with pytest.raises(FullError):
            store.join(Pupil("t3", "Otter", "4a", 1.0, "A"), 2)
        with pytest.raises(GoneError):
            store.join(Pupil("t3", "Otter", "4a", 1.0, "B"), 2)
        with pytest.raises(GoneError):
            store.write("nobody", "4a", [Answer("a", "0", "1", 1)])
        assert len(store.pupils("A")) == 2
        store.write("t-Igel", "5", [Answer("a", "0", "1", 5), Answer("b", "", "2", 6)])
        store.write("t-Igel", "6", [Answer("a", "0", "9", 4)])  # older: it was under way for long
        assert [(a.name, a.text) for a in store.answers("t-Igel")] == [("a", "1"), ("b", "2")]


def test_a_list_reads_no_sheets_and_only_ones_own(tmp_path):
    with opened(tmp_path) as store:
        for number in range(5):
            store.begin(Lesson(f"L{number}", "mia", "x" * 1000, "Satz", "nichts", float(number)))
        store.begin(Lesson("T", "tom", "x", "Satz", "nichts", 9.0))
        assert [each.code for each in store.lessons("mia", 3)] == ["L4", "L3", "L2"]
        assert {each.source for each in store.lessons("mia")} == {""}
        assert store.lesson("L2").source == "x" * 1000


def test_what_nobody_ends_ends_after_a_day(tmp_path):
    with opened(tmp_path) as store:
        for code, begun_at in (("OLD", 1.0), ("NEW", 9.0)):
            store.begin(Lesson(code, "", "{}", "Satz", "nichts", begun_at))
        store.end_older(5.0)
        assert [store.lesson(code).ended is None for code in ("OLD", "NEW")] == [False, True]


@pytest.mark.parametrize("what", ["lesson", "pupil"])
def test_deleted_leaves_no_mark_in_the_bytes_of_the_files(tmp_path, what):
    with opened(tmp_path) as store:
        begun(store, ["Igel", "Eule"])
        for number in range(300):
            store.write("t-Igel", "4a", [Answer("geheim", str(number), f"{number} ist geheim", number)])
        assert any(b"geheim" in path.read_bytes() for path in tmp_path.iterdir())
        store.delete("A") if what == "lesson" else store.remove("t-Igel")
        left = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
        assert not [name for name, content in left.items() if b"geheim" in content or b"t-Igel" in content]


def test_the_file_is_the_users_alone(tmp_path):
    (tmp_path / "stunden.db").touch(0o644)
    with opened(tmp_path) as store:
        begun(store)
        assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}


@pytest.mark.parametrize("content", [b"not a database" * 100, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_file_is_one_sentence_and_sheets_go_on(tmp_path, content):
    (tmp_path / "stunden.db").write_bytes(content)

    async def scenario(room):
        answer = await room.teacher("GET", "/stunden")
        assert answer.status == 503
        assert "lassen sich in" in answer.body.decode()
        assert (await room.ask("GET", "/stunde/AAAAAAA")).status == 503
        for path in ("/", "/blaetter", "/pruefen"):
            assert (await room.teacher("GET", path)).status == 200

    run(scenario, tmp_path)


def test_a_file_that_is_deleted_meanwhile_is_noticed(tmp_path):
    async def scenario(room):
        lesson, mark, at = await room.begun()
        answers = [[*at, "1", 1]]
        assert (await room.write(lesson, mark, answers)).status == 200
        for path in tmp_path.glob("stunden.db*"):
            path.unlink()
        said = await room.write(lesson, mark, [[*answers[0][:2], "2", 2]])
        assert (said.status, "nicht mehr da" in said.json["fehler"]) == (503, True)
        assert (await room.write(lesson, mark, [[*answers[0][:2], "3", 3]])).status == 422
        assert (await room.teacher("GET", "/stunden")).status == 200

    run(scenario, tmp_path)


def test_a_full_disk_is_one_sentence_and_nothing_is_acknowledged(tmp_path):
    async def scenario(room):
        lesson = await room.begin()
        cells = fields(await room.room.lessons.find(lesson))
        marks = [await room.join(lesson, animal) for animal in ANIMALS[:30]]
        database = room.room.lessons._store._database
        ((pages,),) = database.rows("PRAGMA page_count")
        database.rows(f"PRAGMA max_page_count = {pages}")
        kept = 0
        for number, (mark, cell) in enumerate(itertools.product(marks, cells), 1):
            said = await room.write(lesson, mark, [[cell["name"], cell["stelle"], "1" * 40, number]])
            if said.status != 200:
                break
            kept += 1
        assert (said.status, "full" in said.json["fehler"]) == (503, True)
        with sqlite3.connect(tmp_path / "stunden.db") as other:
            assert other.execute("SELECT count(*) FROM answer").fetchone() == (kept,)

    run(scenario, tmp_path)


def test_a_store_that_hangs_is_given_up(tmp_path, monkeypatch):
    monkeypatch.setattr(lessons, "_SECONDS_FOR_STORE", 0.2)

    async def scenario(room):
        await room.begin()
        blocking = sqlite3.connect(tmp_path / "stunden.db", isolation_level=None)
        blocking.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError):
            await asyncio.wait_for(room.room.lessons.end_lesson("AAAAAAA"), 3)
        blocking.execute("ROLLBACK")
        blocking.close()
        await asyncio.sleep(0.3)
        monkeypatch.setattr(lessons, "_SECONDS_FOR_STORE", 8)
        assert (await room.teacher("GET", "/stunden")).status == 200

    run(scenario, tmp_path)


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


HALVES = ['"\\ud800"', '"a\\u0000b"', '"\\udfff\\ud800"']


@pytest.mark.parametrize("text", HALVES)
def test_halves_of_characters_and_zeros_are_no_text(tmp_path, text):
    async def scenario(room):
        lesson, mark, at = await room.begun()
        for route, body in (
            ("antworten", f'{{"marke": "{mark}", "antworten": [["{at[0]}", "", {text}, 1]]}}'),
            ("rein", f'{{"tier": {text}}}'),
            ("stand", f'{{"marke": {text}}}'),
        ):
            said = await room.raw("POST", f"/stunde/api/{lesson}/{route}", body.encode())
            assert (said.status, said.json["fehler"][-1]) == (422, "."), route
        body = f'{{"optionen": {{"satz": {text}}}}}'.encode()
        assert (await room.raw("POST", "/api/vorschau", body, room.session)).status == 422

    run(scenario, tmp_path)
