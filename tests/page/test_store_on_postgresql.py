"""The store of lessons on a PostgreSQL server that is away, hangs or crashes; see also test_store.py."""

import time

import pytest

from generator.basics.errors import UserError
from generator.page.lesson.databases import StoreError
from generator.page.lesson.store import Store
from tests.page.papers import CODE
from tests.page.running import Program, Teacher, wait_until

pytestmark = pytest.mark.thorough  # a server has to be made


def test_a_connection_that_the_server_closed_is_made_anew(postgres, tmp_path):
    import psycopg

    store = Store(postgres.address, tmp_path)
    store.prepare()
    with psycopg.connect(postgres.address, autocommit=True) as other:
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


def test_a_server_that_hangs_or_crashes_stops_no_sheets_and_the_program_ends(postgres, tmp_path, request):
    program = Program(tmp_path / "a", f"--speicher={postgres.address}")
    request.addfinalizer(program.end)
    teacher = Teacher(program.base)
    lesson, _ = teacher.lesson(CODE)
    mark = teacher.ask(f"/stunde/api/{lesson}/rein", {"tier": "Igel"})["marke"]
    body = {"marke": mark, "antworten": []}
    postgres.freeze(True)
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
        postgres.freeze(False)
    postgres.crash()
    assert teacher.status(f"/stunde/api/{lesson}/antworten", body) == 503
    postgres.start()
    wait_until(lambda: teacher.status(f"/stunde/api/{lesson}/antworten", body) == 200, 20)
    postgres.freeze(True)
    try:
        begun = time.monotonic()
        program.end()
        assert time.monotonic() - begun < 10
    finally:
        postgres.freeze(False)
    assert "Traceback" not in program.log.read_text(encoding="utf-8")
