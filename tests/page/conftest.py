"""The page as a program of its own, and a browser that opens it."""

import os
import subprocess
import sys

import pytest

from tests.page.running import PATIENCE, ROOT, SECRET, SMALL, Program, Running, free_port


@pytest.fixture(scope="session")
def running(tmp_path_factory):
    port = free_port()
    folder = tmp_path_factory.mktemp("ablage")
    command = [sys.executable, "-m", "generator", "seite", "--ohne-browser"]
    program = subprocess.Popen(
        [*command, f"--port={port}", f"--ablage={folder}"],
        cwd=ROOT,
        env=os.environ | {"PAPIERFORMER_SCHLUESSEL": SECRET},
        stdout=subprocess.PIPE,
        text=True,
    )
    running = Running(f"http://127.0.0.1:{port}", SECRET, folder, program.stdout.readline())
    yield running
    program.terminate()
    assert program.wait(60) == 0, "SIGTERM is the usual way to end it"
    program.stdout.close()


@pytest.fixture
def program(tmp_path):
    program = Program(tmp_path)
    yield program
    program.end()


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
