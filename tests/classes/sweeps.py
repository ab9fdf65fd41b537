"""Class sets tried out: `python -m tests.classes.sweeps wahl|rechner [--anzahl N]`.

wahl: sets of three of as many drawn configurations; every number of every key, read from the bound PDF by
place, is that of rechnung.json. rechner: with a Dask scheduler and one, two
and four workers (of four one is killed on the way) the files say the same.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pypdfium2
import zxingcpp

from generator.basics.errors import UserError
from generator.options.options import Options
from generator.output.many import ThisProcess, helpers
from generator.production import class_set
from generator.production.workshop import cluster
from generator.reading import blank_map
from generator.reading.blank_map import read_map
from tests.sheets import reading

SENTENCE = "Die Katze sitzt auf der Matte"
QUIET: dict[str, Any] = {
    "start_new_session": True,  # so that helpers can be killed with it
    "stdout": subprocess.DEVNULL,
    "stderr": subprocess.DEVNULL,
}


def options(target: str | Path, stations: str) -> Options:
    of = {"satz": SENTENCE, "stationen": stations, "gewichte": "ganzzahlig", "ausgabe": str(target)}
    return Options.from_mapping(of)


def quiet(*_: object) -> None:
    pass


def wrong_in(folder: Path) -> Iterator[str]:
    """Cells and codes of which the bound files of a set say another thing than rechnung.json.

    A key lies on its worksheet: its numbers stand where the blanks are.
    """
    manifest = json.loads((folder / class_set.MANIFEST).read_text(encoding="utf-8"))
    keys = pypdfium2.PdfDocument(folder / "loesungen.pdf")
    papers = pypdfium2.PdfDocument(folder / "arbeitsblaetter.pdf")
    of_key: dict[str, int] = {}  # code -> first page
    first = next_key = count = 0
    for each, printed in zip(manifest["varianten"], read_map(folder / blank_map.FILE), strict=True):
        quantities = json.loads((folder / printed.calculation).read_text("utf-8"))["quantities"]
        code = each["code"]
        if "gruppe" not in each and (found := code_on(papers[first])) != code:  # a jigsaw's sheets bear none
            yield f"{each['nummer']}: code {found} instead of {code}"
        length = each["seiten"] + each["seiten"] % 2
        if code not in of_key:
            of_key[code] = next_key
            next_key += length
        for (page, *sides), its in groupby(printed.blanks, key=lambda blank: blank[:-1]):
            left, top, right, bottom = (side * 72 / 25.4 for side in sides)
            paper = keys[of_key[code] + page - 1]
            height = paper.get_height()
            text = paper.get_textpage().get_text_bounded(left, height - bottom, right, height - top)
            said = text.replace("(", " ").split()
            cells = [address_of(blank.cell) for blank in its]
            wanted = [as_printed(quantities[name], index) for name, index in cells if name in quantities]
            count += len(wanted)
            words = iter(said)  # after the first of them stand brackets and ranges, too
            if wanted and (said[:1] != wanted[:1] or not all(value in words for value in wanted)):
                yield f"{each['nummer']}: {cells} are {said}, not {wanted}"
        first += length
    if (len(papers), len(keys)) != (first, next_key):
        yield f"{len(papers)} and {len(keys)} pages, not {first} and {next_key}"
    print(f"{len(manifest['varianten'])} sheets, {len(of_key)} different: {count} cells compared", flush=True)


def code_on(page: pypdfium2.PdfPage) -> str:
    """What the QR code of a first page says."""
    picture = page.render(scale=200 / 72, grayscale=True).to_pil()
    qr = zxingcpp.BarcodeFormat.QRCode  # beside it are the marks of the page
    return "".join(found.text for found in zxingcpp.read_barcodes(picture, formats=qr))


def address_of(cell: str) -> reading.Address:
    name, _, index = cell.rstrip("]").partition("[")
    return name, tuple(int(place) for place in index.split(",") if place)


SENTENCES = (
    SENTENCE,
    "Der Bäcker verkauft frische Brezeln",
    "Die Katze sitzt",
    "Ein alter Mann liest die Zeitung",
    "Der Hund holt den Ball",
    "Meine Oma backt einen Kuchen",
    "Im Zoo füttert der Wärter die hungrigen Affen",
)


def configuration(rng: random.Random) -> dict[str, Any]:
    """Options as somebody might choose them, a third of them of all stations."""
    width = rng.choice((4, 4, 5, 6, 8))
    stations = ["1", "2", "3", "4a", "4b", "5", "6", "7", "8"]
    asked: dict[str, Any] = {"satz": rng.choice(SENTENCES), "dimension": width}
    asked["heads"] = rng.choice([heads for heads in (1, 2, 3, 4) if width % heads == 0])
    if rng.random() < 0.8:
        asked["gewichte"] = rng.choice(("gelernt", "gelernt", "ganzzahlig", "dezimal", "auswahl"))
    if rng.random() < 0.15:
        asked["zielsatz"] = "The cat sits"
    kind = rng.random()
    if kind < 0.2:
        asked["zeit"] = rng.choice(("45", "60", "90"))
    elif kind < 0.7:
        asked["stationen"] = ",".join(sorted(rng.sample(stations, rng.randint(1, 3))))
    if rng.random() < 0.3:
        asked["stufe"] = rng.choice((1, 3))
    return asked


def chosen(sets: int, target: Path) -> Iterator[str]:
    """Whatever is chosen, a set of three is made, and its files agree."""
    for number in range(sets):
        asked = configuration(random.Random(number))
        print(number, asked, flush=True)
        started = time.monotonic()
        try:
            given = class_set.class_options({**asked, "ausgabe": target / str(number)})
            with helpers() as executor:
                folder = class_set.make(given, ["Ada", "", "Jörg"], executor, quiet)
        except UserError as error:
            print(f"refused after {time.monotonic() - started:.0f} s: {error}", flush=True)
            continue
        except Exception as error:
            yield f"{number}: {asked}: {error!r}"
            print(repr(error), flush=True)
            continue
        print(f"{time.monotonic() - started:.0f} s", flush=True)
        for wrong in wrong_in(folder):
            print(wrong, flush=True)
            yield f"{number}: {asked}: {wrong}"


def as_printed(quantity: dict[str, Any], index: tuple[int, ...]) -> str:
    value = reading.cell(quantity["hand"], index)
    return f"{value:.{quantity['places']}f}".replace(".", ",").replace("-", "−")


def said(target: Path) -> dict[str, object]:
    """The files of a finished set."""
    return {path.name: path.read_bytes() for path in target.glob("*-klasse/**/*") if path.is_file()}


@contextlib.contextmanager
def machines(workers: int) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and workers; its address, and the workers' processes."""
    from distributed import Client

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scheduler.json"
        own = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--no-dashboard", "--port", "0"]
        running = [subprocess.Popen([*own, "--host", "127.0.0.1", "--scheduler-file", str(file)], **QUIET)]
        try:
            while not file.exists():
                time.sleep(0.1)
            worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file", str(file)]
            worker += ["--nthreads", "1", "--no-dashboard", "--no-nanny", "--local-directory", folder]
            running += [subprocess.Popen(worker, **QUIET) for _ in range(workers)]
            with Client(scheduler_file=str(file), set_as_default=False) as client:
                client.wait_for_workers(workers, timeout=120)
                address = str(client.scheduler.address)
            yield address, running[1:]
        finally:
            for process in running:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def by_workers(sheets: int, target: Path) -> Iterator[str]:
    class_set.make(options(target / "here", "5"), [""] * sheets, ThisProcess(), quiet)
    for workers in (1, 2, 4):
        with machines(workers) as (address, processes):

            def tell(
                _: str, finished: int, __: int, first: Any = processes[0], dies: bool = workers == 4
            ) -> None:
                if dies and finished and first.poll() is None:
                    os.killpg(first.pid, signal.SIGKILL)

            started = time.monotonic()
            with cluster(address) as executor:
                place = options(target / str(workers), "5")
                class_set.make(place, [""] * sheets, executor, tell, away=True)
            seconds = time.monotonic() - started
            died = sum(process.poll() is not None for process in processes)
        print(f"{workers} workers, {died} died: {seconds:.1f} s", flush=True)
        if said(target / str(workers)) != said(target / "here") or died != (workers == 4):
            yield f"{workers} workers: other contents, or {died} died"


SWEEPS = {"wahl": chosen, "rechner": by_workers}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sweep", choices=SWEEPS)
    parser.add_argument("--anzahl", type=int, default=24)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = list(SWEEPS[asked.sweep](asked.anzahl, Path(folder)))
    print(*found, f"{len(found)} wrong", sep="\n")
    sys.exit(bool(found))
