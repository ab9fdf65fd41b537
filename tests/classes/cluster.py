"""In: numbers of workers. Out: how long a class set takes with a Dask scheduler and so many workers.

python -m tests.classes.cluster --worker 1 2 4 --anzahl 24   (all as processes of this machine; with four, one
is killed on the way; the files have to say the same each time)
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from generator.options.options import Options
from generator.output.many import ThisProcess
from generator.production import class_set
from generator.production.workshop import cluster
from tests.classes.killed import said

SENTENCE = "Die Katze sitzt auf der Matte"


@contextlib.contextmanager
def machines(workers: int) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and workers; its address, and the workers' processes."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "start_new_session": True}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scheduler.json"
        own = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--no-dashboard", "--port", "0"]
        running = [subprocess.Popen([*own, "--host", "127.0.0.1", "--scheduler-file", str(file)], **quiet)]
        try:
            while not file.exists():
                time.sleep(0.1)
            worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file", str(file)]
            worker += ["--nthreads", "1", "--no-dashboard", "--no-nanny", "--local-directory", folder]
            running += [subprocess.Popen(worker, **quiet) for _ in range(workers)]
            yield address_of(file, workers), running[1:]
        finally:
            for process in running:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def address_of(file: Path, workers: int) -> str:
    """The scheduler's address, once all workers are there."""
    from distributed import Client

    with Client(scheduler_file=str(file), set_as_default=False) as client:
        client.wait_for_workers(workers, timeout=120)
        return str(client.scheduler.address)


def made_there(options: Options, sheets: int, address: str) -> tuple[dict[str, object], float]:
    """The files of a set, and the seconds."""
    started = time.monotonic()
    with cluster(address) as executor:
        folder = class_set.make(options, [""] * sheets, executor, lambda *_: None, away=True)
    return files(folder), time.monotonic() - started


def files(folder: Path) -> dict[str, object]:
    return {str(path.relative_to(folder)): said(path) for path in folder.rglob("*") if path.is_file()}


def main() -> int:
    parser = argparse.ArgumentParser(description="Class sets made by a cluster.")
    parser.add_argument("--worker", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--anzahl", type=int, default=24)
    arguments = parser.parse_args()
    right = True
    with tempfile.TemporaryDirectory() as target:

        def options(name: str) -> Options:
            of = {"satz": SENTENCE, "stationen": "5", "gewichte": "ganzzahlig"}
            return Options.from_mapping({**of, "ausgabe": str(Path(target) / name)})

        here = class_set.make(options("here"), [""] * arguments.anzahl, ThisProcess(), lambda *_: None)
        for workers in arguments.worker:
            with machines(workers) as (address, processes):
                killer = None
                if workers == 4:
                    killer = threading.Timer(12, lambda: os.killpg(processes[0].pid, signal.SIGKILL))
                    killer.start()
                made, seconds = made_there(options(str(workers)), arguments.anzahl, address)
                died = sum(process.poll() is not None for process in processes)
            same = made == files(here)
            right &= same and (workers != 4 or died == 1)
            print(
                f"{workers} workers, {died} died: {seconds:.1f} s, {'same' if same else 'OTHER'} contents",
                flush=True,
            )
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
