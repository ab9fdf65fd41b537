"""Connections that say nothing, or half of something: the page answers others, and is rid of them."""

import contextlib
import resource
import statistics
import threading
import time

import pytest
import uvicorn

from generator.page import connections
from tests.page.papers import CODE
from tests.page.running import Program, Teacher, connected, seconds_for

HALF = b"GET / HTTP/1.1\r\nHost: x\r\nX-Half: "
BODY = b"POST /stunde/api/AAAAAAA/stand HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"


@pytest.fixture
def many_files():
    """This process may have thousands of files open."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(before[1], 4000), before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.usefixtures("many_files")
def test_1100_connections_that_wait_stop_nobody(tmp_path):
    """The teacher's page answers, and a phone's, usually within half a second."""
    program = Program(tmp_path / "a", files=1024)
    _, host = Teacher(program.base).lesson(CODE)
    port, own = int(host.rpartition(":")[2]), f"127.0.0.1:{program.port}"
    for sent in (HALF, BODY):
        with contextlib.ExitStack() as held:
            for number in range(4):
                held.enter_context(connected(port, 275, sent, f"127.0.1.{number + 1}"))
            taken = []
            for _ in range(5):
                for asked, status in (
                    ((program.port, "/", own), 401),
                    ((port, "/static/base.css", host, "127.0.0.9"), 200),
                ):
                    took, said = seconds_for(*asked)
                    assert said == status
                    taken.append(took)
            assert statistics.median(taken) < 0.5, (sent, taken)
    with connected(port, 50, BODY.replace(b"Host: x", b"Host: " + host.encode())):
        pass  # phones that break off in the middle of what they send
    assert seconds_for(program.port, "/", own)[1] == 401
    program.end()
    assert program.log.stat().st_size < 20_000
    assert "Traceback" not in program.log.read_text(encoding="utf-8")


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
    with connected(hurried, 2) as (silent, slow), connected(hurried, 1, HALF) as (half,):
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
