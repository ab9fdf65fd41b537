"""How a lesson bears its last minutes: `python tests/benchmarks/lesson.py [--handys 30] [--antworten 400]`.

Starts the page as a program of its own. So many phones send so many answers each within --sekunden, every
tenth of the first ones wrong; whoever is through the sheet begins again. Prints how long a submission took
(median, p95, slowest) and how soon the teacher saw the last one.
"""

from __future__ import annotations

import argparse
import http.client
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
from itertools import cycle, islice
from pathlib import Path

from generator.calculation.build import build
from generator.options.options import Options
from generator.options.sheet_code import sheet_code
from generator.page.lesson.opened import ANIMALS

ROOT = Path(__file__).resolve().parents[2]
SECRET = "ein-geheimnis-fuer-die-messung"
OPTIONS = Options(satz="Die Katze sitzt auf der Matte")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--handys", type=int, default=30)
    parser.add_argument("--antworten", type=int, default=400)
    parser.add_argument("--sekunden", type=float, default=300)
    wanted = parser.parse_args()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "generator", "seite", "--ohne-browser", f"--port={port}"]
        program = subprocess.Popen(
            [*command, f"--ablage={folder}"],
            cwd=ROOT,
            env=os.environ | {"PAPIERFORMER_SCHLUESSEL": SECRET},
            stdout=subprocess.PIPE,
        )
        try:
            assert program.stdout is not None
            program.stdout.readline()
            measure(port, wanted)
        finally:
            program.terminate()
            program.wait()


def measure(port: int, wanted: argparse.Namespace) -> None:
    base = f"http://127.0.0.1:{port}"
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    page = opener.open(f"{base}/einlass/{SECRET}", timeout=60).read().decode()
    csrf = re.search(r'name="csrf" content="([0-9a-f]+)"', page)[1]

    def teacher(path: str, body: object = None) -> dict:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(base + path, data, {"X-Papierformer": csrf})
        return json.loads(opener.open(request, timeout=600).read())

    lesson = teacher("/api/stunden", {"code": sheet_code(OPTIONS), "rueckmeldung": "hilfe"})["stunde"]
    fields = honest(opener.open(f"{base}/stunde/{lesson}", timeout=60).read().decode())
    answers = list(islice(cycle(fields), wanted.antworten))
    taken: list[float] = []
    pause = wanted.sekunden / len(answers)

    def phone(animal: str, shift: float) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

        def post(what: str, body: object) -> dict:
            connection.request("POST", f"/stunde/api/{lesson}/{what}", json.dumps(body))
            return json.loads(connection.getresponse().read())

        mark = post("rein", {"tier": animal})["marke"]
        begun = time.perf_counter() + shift
        for number, (name, place, text) in enumerate(answers):
            time.sleep(max(0.0, begun + number * pause - time.perf_counter()))
            slip = number % 10 == 9 and number < len(answers) - len(fields)
            change = [name, place, "77" if slip else text, number + 1]
            sent = time.perf_counter()
            post("antworten", {"marke": mark, "station": "4a", "antworten": [change]})
            taken.append(time.perf_counter() - sent)

    phones = [
        threading.Thread(target=phone, args=(animal, pause * i / wanted.handys))
        for i, animal in enumerate(ANIMALS[: wanted.handys])
    ]
    for each in phones:
        each.start()
    for each in phones:
        each.join()
    ended = time.perf_counter()
    while True:
        seen = teacher(f"/api/stunden/{lesson}")
        judged = [sum(child["urteile"].values()) for child in seen["kinder"]]
        wrong = sum(child["urteile"].get("falsch", 0) for child in seen["kinder"])
        if judged == [min(len(fields), len(answers))] * wanted.handys and not wrong:
            break
        time.sleep(0.05)
    taken.sort()
    print(f"{wanted.handys} Handys, {len(answers)} Antworten je Handy in {wanted.sekunden:.0f} s")
    print(f"Abgabe: Median {1000 * statistics.median(taken):.0f} ms, ", end="")
    print(f"p95 {1000 * taken[int(0.95 * len(taken))]:.0f} ms, längste {1000 * taken[-1]:.0f} ms")
    print(f"alle Urteile da nach {time.perf_counter() - ended:.1f} s")


def honest(page: str) -> list[tuple[str, str, str]]:
    """The right number for each field of the pupils' page."""
    hand = build(OPTIONS).whole.hand
    found = []
    for name, place in re.findall(r'data-name="([^"]*)" data-place="([^"]*)"', page):
        index = tuple(int(i) for i in place.split(",") if i)
        found.append((name, place, f"{round(float(hand[name].values[index]), 4):g}".replace(".", ",")))
    return found


if __name__ == "__main__":
    main()
