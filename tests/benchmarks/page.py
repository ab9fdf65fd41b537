"""How the page bears load: `python tests/benchmarks/page.py [--lehrkraefte 20] [--hefte] [--blaetter 1000]`.

Starts the page as a program of its own. Prints the start, the first preview, further ones of one teacher
alone, then so many teachers asking for a sheet at once, or for a whole booklet (how long each waited, how
quick the page stayed meanwhile), and then the memory of the page and of its workers while so many sheets are
made in a row.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "-m", "generator", "seite", "--ohne-browser"]
SECRET = "ein-geheimnis-fuer-die-messung"
SENTENCES = ("Die Katze sitzt auf der Matte", "Der Hund jagt den Ball", "Wo schläft der müde Hund?")


class Teacher:
    """A browser's session, without the browser."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        page = self.opener.open(f"{base}/einlass/{SECRET}", timeout=60).read().decode()
        self.csrf = re.search(r'name="csrf" content="([0-9a-f]+)"', page)[1]

    def ask(self, path: str, body: object = None) -> dict:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"X-Papierformer": self.csrf})
        return json.loads(self.opener.open(request, timeout=600).read())

    def preview(self, sentence: str, seed: int) -> float:
        """Seconds to the beginning of a new sheet, with the page for the frame."""
        begun = time.perf_counter()
        said = self.ask(
            "/api/vorschau", {"optionen": {"satz": sentence, "startwert": str(seed)}, "ganz": False}
        )
        self.opener.open(f"{self.base}/vorschau/{said['seite']}", timeout=60).read()
        return time.perf_counter() - begun

    def sheet(self, number: int, station: str = "4a", pause: float = 0.5) -> tuple[float, int]:
        """Seconds to the files of a sheet (no station: of a booklet), and the place in the queue at first."""
        begun = time.perf_counter()
        options = {"satz": SENTENCES[number % 3], "startwert": str(number)}
        job = self.ask("/api/blatt", {"optionen": options | ({"stationen": [station]} if station else {})})
        place = job["davor"]
        while job["stand"] in ("wartet", "läuft"):
            time.sleep(pause)
            job = self.ask(f"/api/auftraege/{job['name']}")
        assert job["stand"] == "fertig", job
        pdf = self.opener.open(f"{self.base}/blaetter/{job['name']}/arbeitsblatt.pdf", timeout=60).read()
        assert pdf.startswith(b"%PDF")
        return time.perf_counter() - begun, place


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lehrkraefte", type=int, default=20)
    parser.add_argument("--hefte", action="store_true")
    parser.add_argument("--vorschauen", type=int, default=30)
    parser.add_argument("--blaetter", type=int, default=0)
    asked = parser.parse_args()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        program = subprocess.Popen(
            [*COMMAND, f"--port={port}", f"--ablage={folder}"],
            cwd=ROOT,
            env=os.environ | {"PAPIERFORMER_SCHLUESSEL": SECRET},
            stdout=subprocess.PIPE,
        )
        assert program.stdout
        program.stdout.readline()
        print(f"start: {time.perf_counter() - begun:.2f} s")
        try:
            base = f"http://127.0.0.1:{port}"
            alone = Teacher(base)
            print(f"first preview: {alone.preview(SENTENCES[0], 1):.2f} s")
            times = [alone.preview(SENTENCES[n % 3], n) for n in range(1, asked.vorschauen + 1)]
            print(f"preview, alone: {said(times)}")
            print(f"memory of the page itself: {memory(program.pid)} MB")
            if asked.lehrkraefte:
                at_once(base, asked.lehrkraefte, "" if asked.hefte else "4a", program.pid)
            in_a_row(base, asked.blaetter, program.pid)
        finally:
            program.terminate()
            program.wait(60)


def at_once(base: str, teachers: int, station: str, process: int) -> None:
    """So many teachers ask at the same moment, and one more looks at previews."""
    alone = Teacher(base)
    waits: list[tuple[float, int]] = []
    threads = [
        threading.Thread(target=lambda n=n: waits.append(Teacher(base).sheet(n, station)))
        for n in range(teachers)
    ]
    for thread in threads:
        thread.start()
    while_printing, pages = [], []
    while any(thread.is_alive() for thread in threads):
        begun = time.perf_counter()
        alone.opener.open(f"{base}/", timeout=60).read()
        pages.append(time.perf_counter() - begun)
        while_printing.append(alone.preview(SENTENCES[0], len(while_printing) + 10_000))
    what = "a sheet of one station" if station else "a booklet"
    print(f"{teachers} teachers at once, {what} each: {said([wait for wait, _ in waits])}")
    print(f"places they were told: {sorted(place for _, place in waits)}")
    print(f"the page meanwhile: {said(pages)}")
    print(f"previews meanwhile: {said(while_printing)}")
    print(f"memory of the page itself: {memory(process)} MB")


def in_a_row(base: str, sheets: int, process: int) -> None:
    """Memory ten times on the way."""
    teacher, begun = Teacher(base), time.perf_counter()
    for number in range(1, sheets + 1):
        teacher.sheet(number, "2", 0.1)
        teacher.preview(SENTENCES[number % 3], number)
        if number % max(1, sheets // 10) == 0:
            workers = sorted(map(memory, below(process)), reverse=True)
            print(f"{number} sheets and previews, {time.perf_counter() - begun:.0f} s: ", end="")
            print(f"page {memory(process)} MB, its processes {workers} MB", flush=True)


def below(process: int) -> list[int]:
    """All processes that a process has started, and they in turn."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            parents[int(path.parent.name)] = int(
                path.read_text(encoding="utf-8").rpartition(")")[2].split()[1]
            )
    found = [process]
    for each in found:
        found += [child for child, parent in parents.items() if parent == each]
    return found[1:]


def said(times: list[float]) -> str:
    ordered = sorted(times)
    p95 = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    median = statistics.median(ordered)
    return f"median {median:.2f} s, p95 {p95:.2f} s, most {ordered[-1]:.2f} s (n = {len(ordered)})"


def memory(process: int) -> int:
    """Megabytes, 0 if it has ended; what forked processes share counts for each of them."""
    with contextlib.suppress(OSError):
        found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text(encoding="utf-8"))
        return int(found[1]) // 1024 if found else 0
    return 0


if __name__ == "__main__":
    main()
