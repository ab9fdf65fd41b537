"""A class set by a Dask cluster: the same files as here, though one of its workers dies."""

import contextlib
import os
import signal
import subprocess
import sys
import time

import pytest

from generator.basics.helpers import ThisProcess
from generator.options.options import Options
from generator.production import class_set
from generator.production.workshop import cluster
from tests.classes.bound import silent


@pytest.fixture
def started(tmp_path):
    """A scheduler's address, and three workers."""
    from distributed import Client

    running, file = [], tmp_path / "scheduler.json"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "start_new_session": True}
    of_worker = ["worker", "--nthreads", "1", "--no-nanny", "--local-directory", str(tmp_path)]
    for kind, *words in (["scheduler", "--port", "0", "--host", "127.0.0.1"], *[of_worker] * 3):
        command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", "--scheduler-file", str(file)]
        running.append(subprocess.Popen([*command, "--no-dashboard", *words], **quiet))
        while not file.exists():
            time.sleep(0.1)
    with Client(scheduler_file=str(file), set_as_default=False) as client:
        client.wait_for_workers(3, timeout=300)
        address = str(client.scheduler.address)
    yield address, running[1:]
    for process in running:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.mark.thorough
def test_on_other_computers_it_is_the_same_set_though_one_dies(started, tmp_path):
    address, processes = started

    def made(name, executor, away):
        options = Options(satz="Die Katze", stationen=("5",), gewichte="ganzzahlig", ausgabe=tmp_path / name)
        folder = class_set.make(options, [""] * 4, executor, dies if away else silent, away=away)
        return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.*")}

    def dies(_, finished, __):
        if finished and processes[0].poll() is None:
            os.killpg(processes[0].pid, signal.SIGKILL)
            processes[0].wait()

    with cluster(address) as executor:
        away = made("away", executor, True)
    assert [process.poll() is not None for process in processes] == [True, False, False]
    assert away == made("here", ThisProcess(), False)
