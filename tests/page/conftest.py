"""The page as a program of its own, and a browser that opens it."""

import inspect
import tempfile
from pathlib import Path

import pytest

from generator.basics.helpers import ThisProcess
from generator.page.server import create_app
from generator.page.settings import Settings
from tests.page.asking import in_own_loop, let_in, run
from tests.page.papers import as_csv
from tests.page.postgres import PROGRAMS, Server
from tests.page.running import PATIENCE, SMALL, Program


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """A test that is a coroutine runs in a loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    given = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters}
    if "room" in given:
        run(lambda room: pyfuncitem.obj(**given | {"room": room}), given["room"])
    else:
        in_own_loop(pyfuncitem.obj(**given))
    return True


@pytest.fixture
def room(tmp_path):
    """A lesson without a network; it is made where the test runs."""
    return tmp_path


@pytest.fixture
def settings(tmp_path):
    return Settings(folder=tmp_path)


@pytest.fixture
def app(settings):
    return create_app(settings, ThisProcess)


@pytest.fixture
def session(app, settings):
    """The headers of one who was let in."""
    return let_in(app, settings)


@pytest.fixture
def papers(tmp_path):
    """A folder with a file for each of three pupils; the first one's is right."""
    folder = tmp_path / "klasse"
    folder.mkdir()
    for slips, name in enumerate(("Ali", "Mia", "Ömer")):
        (folder / f"{name}.csv").write_text(as_csv(slips), encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def running(tmp_path_factory):
    program = Program(tmp_path_factory.mktemp("ablage"))
    yield program
    program.end()
    assert program.process.returncode == 0, "SIGTERM is the usual way to end it"


@pytest.fixture
def program(tmp_path):
    program = Program(tmp_path)
    yield program
    program.end()


@pytest.fixture
def scratch(monkeypatch):
    """Where programs put their temporary files; its name is short, as sockets' names must be."""
    with tempfile.TemporaryDirectory(prefix="pf", dir="/tmp") as folder:
        monkeypatch.setenv("TMPDIR", folder)
        yield Path(folder)


@pytest.fixture
def postgres():
    """A PostgreSQL server of the test's own; not in pytest's folder, which it closes to other users."""
    pytest.importorskip("psycopg")
    if not PROGRAMS:
        pytest.skip("no PostgreSQL here")
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        yield server
        server.crash()


@pytest.fixture
def open_page(running, chromium):
    """Opens the page in a session of its own; what its console says counts as a failure."""
    contexts, said = [], []

    def opened(path=SMALL, **context):
        contexts.append(chromium.new_context(**{"viewport": {"width": 1280, "height": 900}} | context))
        page = contexts[-1].new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("console", lambda line: said.append(line.text) if "Security" in line.text else None)
        contexts[-1].request.get(running.entrance)  # the cookie alone: „/“ makes a preview
        page.goto(running.base + path)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert said == []
