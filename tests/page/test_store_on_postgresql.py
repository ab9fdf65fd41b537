"""The store of lessons on a PostgreSQL server that the test starts; skipped where none is installed."""

import os
import pwd
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from generator.basics.errors import UserError
from generator.page.lesson.store import Answer, Lesson, Pupil, Store, TakenError

psycopg = pytest.importorskip("psycopg")
PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
pytestmark = pytest.mark.skipif(not PROGRAMS, reason="no PostgreSQL here")


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A server of its own, which refuses to be root's."""
    programs, folder = PROGRAMS[-1].parent, tmp_path_factory.mktemp("postgres")
    user = {}
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        user = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        for each in (folder, *folder.parents):
            if not each.stat().st_mode & 0o001:  # on the way to its data
                each.chmod(each.stat().st_mode | 0o011)
        shutil.chown(folder, "nobody")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    data, environment = folder / "data", {**os.environ, "HOME": str(folder)}
    quiet = {"check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}

    def program(name, *arguments):
        subprocess.run([programs / name, *arguments], env=environment, **quiet, **user)

    program("initdb", "-D", data, "-U", "schule", "--auth=trust", "-E", "UTF8", "--locale=C")
    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1"
    program("pg_ctl", "-D", data, "-o", options, "-w", "-l", folder / "log", "start")
    yield f"postgresql://schule@127.0.0.1:{port}/postgres"
    program("pg_ctl", "-D", data, "-m", "immediate", "stop")


def test_what_was_written_is_there_again_once(address, tmp_path):
    store = Store(address, tmp_path)
    store.begin(Lesson("A", "", "{}", "Satz", "nichts", 1.0))
    store.join(Pupil("t1", "Igel", "4a", 1.0, "A"))
    with pytest.raises(TakenError):
        store.join(Pupil("t2", "Igel", "4a", 1.0, "A"))
    store.write("t1", "5", [Answer("a", "0", "1", 5), Answer("b", "", "½ 'x' %s ?", 6)])
    store.write("t1", "6", [Answer("a", "0", "9", 4)])
    store.close()
    again = Store(address, tmp_path)
    assert [(a.name, a.text) for a in again.answers("t1")] == [("a", "1"), ("b", "½ 'x' %s ?")]
    assert again.pupils("A")[0].station == "6"
    again.end("A")
    assert again.lessons()[0].ended is not None
    again.delete("A")
    assert again.lessons() == again.pupils("A") == again.answers("t1") == []
    again.close()


def test_a_connection_that_the_server_closed_is_made_anew(address, tmp_path):
    store = Store(address, tmp_path)
    with psycopg.connect(address, autocommit=True) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
            "AND datname = 'postgres'"
        )
    with pytest.raises(psycopg.Error):
        store.lessons()  # the answer is not sent as kept; the phone sends it again
    assert store.lessons() == []
    store.close()


def test_a_server_that_is_not_there_is_one_sentence(tmp_path):
    with pytest.raises(UserError, match="antwortet nicht"):
        Store("postgresql://schule:geheim@127.0.0.1:1/papierformer", tmp_path)
