"""The store of lessons on a PostgreSQL server that the test starts; skipped where none is installed."""

import time

import pytest

from generator.basics.errors import UserError
from generator.page.lesson.databases import GoneError, StoreError, TakenError
from generator.page.lesson.store import Answer, FullError, Lesson, Pupil, Store
from tests.page.planned_papers import CODE
from tests.page.postgres import PROGRAMS, Server
from tests.page.running import Program, Teacher

psycopg = pytest.importorskip("psycopg")
pytestmark = pytest.mark.skipif(not PROGRAMS, reason="no PostgreSQL here")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("postgres"))
    yield server
    server.crash()


@pytest.fixture
def address(server):
    return server.address


def test_what_was_written_is_there_again_once(address, tmp_path):
    store = Store(address, tmp_path)
    store.prepare()
    store.begin(Lesson("A", "", "{}", "Satz", "nichts", 1.0))
    store.join(Pupil("t1", "Igel", "4a", 1.0, "A"), 1)
    with pytest.raises(TakenError):
        store.join(Pupil("t2", "Igel", "4a", 1.0, "A"), 2)
    with pytest.raises(FullError):
        store.join(Pupil("t2", "Eule", "4a", 1.0, "A"), 1)
    with pytest.raises(GoneError):
        store.write("nobody", "5", [Answer("a", "0", "1", 5)])
    store.write("t1", "5", [Answer("a", "0", "1", 5), Answer("b", "", "½ 'x' %s ?", 6)])
    store.write("t1", "6", [Answer("a", "0", "9", 4)])
    store.close()
    again = Store(address, tmp_path)
    assert [(a.name, a.text) for a in again.answers("t1")] == [("a", "1"), ("b", "½ 'x' %s ?")]
    assert again.pupils("A")[0].station == "6"
    again.end("A")
    assert again.lesson("A").ended is not None
    assert again.lessons("")[0].source == ""
    again.delete("A")
    assert again.lessons("") == again.pupils("A") == again.answers("t1") == []
    again.close()


def test_a_connection_that_the_server_closed_is_made_anew(address, tmp_path):
    store = Store(address, tmp_path)
    store.prepare()
    with psycopg.connect(address, autocommit=True) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
            "AND datname = 'postgres'"
        )
    with pytest.raises(StoreError):
        store.lessons("")  # the answer is not sent as kept; the phone sends it again
    store.close()


def test_a_server_that_is_not_there_is_one_sentence(tmp_path):
    with pytest.raises(UserError, match="antwortet nicht"):
        Store("postgresql://schule:geheim@127.0.0.1:1/papierformer", tmp_path)


def test_a_server_that_hangs_or_crashes_stops_no_sheets_and_the_program_ends(server, tmp_path, request):
    program = Program(tmp_path / "a", f"--speicher={server.address}")
    request.addfinalizer(program.end)
    teacher = Teacher(program.base)
    lesson, _ = teacher.lesson(CODE)
    mark = teacher.ask(f"/stunde/api/{lesson}/rein", {"tier": "Igel"})["marke"]
    body = {"marke": mark, "antworten": []}
    server.freeze(True)
    try:
        begun = time.monotonic()
        assert teacher.status(f"/stunde/api/{lesson}/antworten", body) == 503
        assert time.monotonic() - begun < 10
        taken = []
        for _ in range(5):
            begun = time.monotonic()
            assert "Neues Blatt" in teacher.page("/")
            taken.append(time.monotonic() - begun)
        assert min(taken) < 0.5
    finally:
        server.freeze(False)
    server.crash()
    assert teacher.status(f"/stunde/api/{lesson}/antworten", body) == 503
    server.start()
    until = time.monotonic() + 20
    while teacher.status(f"/stunde/api/{lesson}/antworten", body) != 200:
        assert time.monotonic() < until, "the store does not come back"
        time.sleep(0.5)
    server.freeze(True)
    try:
        begun = time.monotonic()
        program.end()
        assert time.monotonic() - begun < 10
    finally:
        server.freeze(False)
    assert "Traceback" not in program.log.read_text(encoding="utf-8")
