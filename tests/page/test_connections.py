"""Connections that say nothing, or half of something: the page answers others, and is rid of them."""

import contextlib
import statistics
import threading
import time

import pytest
import uvicorn

from generator.page import connections
from tests.page.hostile import connected, many_files, seconds_for
from tests.page.papers import CODE
from tests.page.running import Program, Teacher

FILES = 1024
HALF = b"GET / HTTP/1.1\r\nHost: x\r\nX-Half: "
BODY = b"POST /stunde/api/AAAAAAA/stand HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"


@pytest.fixture(scope="module")
def lesson(tmp_path_factory):
    """A program that may have 1024 files open, and where phones come in to its lesson."""
    program = Program(tmp_path_factory.mktemp("ablage") / "a", files=FILES)
    _, host = Teacher(program.base).lesson(CODE)
    yield program, host
    program.end()
    assert program.log.stat().st_size < 20_000
    assert "Traceback" not in program.log.read_text(encoding="utf-8")


def quick(program, host, seconds=0.5):
    """The teacher's page, and a phone's: both answer, usually within so many seconds."""
    port, taken = int(host.rpartition(":")[2]), []
    for _ in range(5):
        took, status = seconds_for(program.port, "/", f"127.0.0.1:{program.port}")
        assert status == 401
        taken.append(took)
        took, status = seconds_for(port, "/static/base.css", host, source="127.0.0.9")
        assert status == 200
        taken.append(took)
    assert statistics.median(taken) < seconds, taken


@pytest.mark.parametrize("sent", [HALF, BODY], ids=["half a head", "half a body"])
@pytest.mark.parametrize("sources", [pytest.param(1, marks=pytest.mark.thorough), 4])
def test_1100_connections_that_wait_stop_nobody(lesson, sent, sources):
    program, host = lesson
    port = int(host.rpartition(":")[2])
    with many_files(4000), contextlib.ExitStack() as held:
        for number in range(1, sources + 1):
            held.enter_context(connected(port, 1100 // sources, sent, f"127.0.1.{number}"))
        quick(program, host)


@pytest.fixture
def hurried(monkeypatch):
    """The port of a server of this process that waits a second for a head, not ten."""
    monkeypatch.setattr(connections, "SECONDS_FOR_HEAD", 1.0)
    listening = connections.listen("127.0.0.1", 0)
    port = listening.getsockname()[1]
    server = uvicorn.Server(connections.config(None, share=4, of_address=1.0, lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    yield port
    server.should_exit = True
    thread.join()


def test_who_does_not_say_what_he_wants_is_sent_away(hurried):
    """Silent, with half a head, or with a drop now and then: side by side, because each waits."""
    begun, ended = time.monotonic(), {}
    with (
        connected(hurried, 1) as (silent,),
        connected(hurried, 1, HALF) as (half,),
        connected(hurried, 1) as (slow,),
    ):
        waiting = {"silent": silent, "half a head": half, "in drops": slow}
        while waiting and time.monotonic() - begun < 30:
            for kind, each in list(waiting.items()):
                each.settimeout(0.1)
                with contextlib.suppress(TimeoutError):
                    with contextlib.suppress(ConnectionResetError, BrokenPipeError):
                        if kind == "in drops":
                            each.sendall(b"G")
                        assert each.recv(10) == b""
                    ended[kind] = time.monotonic() - begun
                    del waiting[kind]
    assert not waiting
    assert all(0.8 < seconds < 3 for seconds in ended.values()), ended
