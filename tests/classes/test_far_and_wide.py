"""Class sets of drawn options, and on other computers: their files agree, and are the same there."""

import contextlib
import os
import random
import signal
import subprocess
import sys
import time

import pytest

from generator.basics.errors import UserError
from generator.basics.helpers import ThisProcess
from generator.options.options import Options
from generator.production import class_set
from generator.production.workshop import cluster
from tests.classes.bound import silent, wrong_in

pytestmark = pytest.mark.thorough
SENTENCES = ("Der Bäcker verkauft frische Brezeln", "Die Katze sitzt", "Im Zoo füttert der Wärter die Affen")


@pytest.mark.parametrize("seed", range(6))
def test_the_files_of_drawn_options_agree(seed, tmp_path):
    rng = random.Random(seed)
    width = rng.choice((4, 5, 6, 8))
    stations = rng.sample(("1", "2", "3", "4a", "4b", "5", "6", "7", "8"), rng.randint(1, 3))
    asked = {"satz": rng.choice(SENTENCES), "dimension": width, "stationen": ",".join(sorted(stations))}
    asked["heads"] = rng.choice([heads for heads in (1, 2, 3, 4) if width % heads == 0])
    asked["gewichte"] = rng.choice(("gelernt", "ganzzahlig", "dezimal", "auswahl"))
    asked |= rng.choice(({}, {"zielsatz": "The cat sits"}, {"stufe": 1}, {"stufe": 3}))
    try:
        options = class_set.class_options(asked | {"ausgabe": tmp_path})
        folder = class_set.make(options, ["Ada", "", "Jörg"], ThisProcess(), silent)
    except UserError:
        return  # said in a sentence
    assert list(wrong_in(folder)) == []


@pytest.fixture
def workers(tmp_path):
    """Starts a scheduler and workers; its address, and the workers' processes."""
    from distributed import Client

    running, file = [], tmp_path / "scheduler.json"

    def start(kind, *words):
        command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", "--scheduler-file", str(file)]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        running.append(
            subprocess.Popen([*command, "--no-dashboard", *words], **quiet, start_new_session=True)
        )

    def begin(number):
        start("scheduler", "--port", "0", "--host", "127.0.0.1")
        while not file.exists():
            time.sleep(0.1)
        for _ in range(number):
            start("worker", "--nthreads", "1", "--no-nanny", "--local-directory", str(tmp_path))
        with Client(scheduler_file=str(file), set_as_default=False) as client:
            client.wait_for_workers(number, timeout=120)
            return str(client.scheduler.address), running[1:]

    yield begin
    for process in running:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def test_on_other_computers_it_is_the_same_set_though_one_dies(workers, tmp_path):
    def made(name, executor, tell, away):
        options = Options(satz=SENTENCES[1], stationen=("5",), gewichte="ganzzahlig", ausgabe=tmp_path / name)
        folder = class_set.make(options, [""] * 6, executor, tell, away=away)
        return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.*")}

    address, processes = workers(3)

    def tell(_, finished, __):
        if finished and processes[0].poll() is None:
            os.killpg(processes[0].pid, signal.SIGKILL)

    with cluster(address) as executor:
        away = made("away", executor, tell, True)
    assert [process.poll() is not None for process in processes] == [True, False, False]
    assert away == made("here", ThisProcess(), silent, False)
