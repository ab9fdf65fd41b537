"""The page under everything at once: `python -m tests.benchmarks.mixed [--minuten 10] [--boesartig 200]`.

Five teachers make previews, sheets and lists, sixty phones write in two lessons, and hostile files are
dropped on „Prüfen“ all along. Prints every minute the memory of the page and of its processes, the size of
the log, and how quick the page and a phone's answers were; at the end what was answered, and how many
tracebacks the log holds.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import re
import statistics
import tempfile
import threading
import time
from collections import Counter
from itertools import cycle
from pathlib import Path

import psutil

from generator.page.lesson.opened import ANIMALS
from tests.check.test_answers import form
from tests.page.papers import CODE
from tests.page.running import Program, Teacher

SENTENCES = ("Die Katze sitzt auf der Matte", "Der Hund jagt den Ball", "Wo schläft der müde Hund?")


def hostile() -> cycle:
    """Files that ask for too much, or are none."""
    large = form(40_000_000)
    tables = {"c.json": b'{"a":' * 50_000, "d.json": b'{"a": [' + b"1," * 3_500_000 + b"1]}"}
    tables |= {"e.csv": b"a;0;1\n" * 400_000, "f.csv": b"\0" * 3_000_000, "h.txt": bytes(range(256)) * 2000}
    return cycle(({"a.pdf": large, "b.pdf": large[:5000], "g.pdf": form(2)} | tables).items())


class Load:
    """All who use one running page until the time is over."""

    def __init__(self, program: Program, until: float, bad: int) -> None:
        self.program, self.until, self.bad = program, until, bad
        self.said: Counter[str] = Counter()
        self.taken: list[float] = []
        self.answered: list[float] = []

    def threads(self) -> list[threading.Thread]:
        first = Teacher(self.program.base)
        lessons = [first.lesson(CODE, "hilfe")[0] for _ in range(2)]
        work = [(self.teach, number) for number in range(5)]
        work += [(self.phone, lesson, animal) for lesson in lessons for animal in ANIMALS[:30]]
        work += [(self.drop,), (self.look,)]
        return [threading.Thread(target=self.guarded, args=each) for each in work]

    def guarded(self, function, *arguments) -> None:
        try:
            function(*arguments)
        except Exception as error:  # it is told, and the others go on
            self.said[f"{function.__name__}: {type(error).__name__} {error}"] += 1

    def teach(self, number: int) -> None:
        teacher, chance = Teacher(self.program.base), random.Random(number)
        while time.time() < self.until:
            options = {"satz": chance.choice(SENTENCES), "startwert": str(chance.randrange(1000))}
            order = {"optionen": options, "ganz": chance.random() < 0.2}
            self.said[f"preview {teacher.status('/api/vorschau', order)}"] += 1
            if chance.random() < 0.05:
                order["optionen"]["stationen"] = ["2"]
                self.said[f"sheet {teacher.status('/api/blatt', order)}"] += 1
            teacher.page("/blaetter")
            time.sleep(chance.uniform(2, 8))

    def phone(self, lesson: str, animal: str) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.program.port, timeout=60)

        def post(what: str, body: object) -> dict:
            connection.request("POST", f"/stunde/api/{lesson}/{what}", json.dumps(body))
            answer = connection.getresponse()
            self.said[f"{what} {answer.status}"] += 1
            return json.loads(answer.read())

        connection.request("GET", f"/stunde/{lesson}")
        page = connection.getresponse().read().decode()
        cells = cycle(re.findall(r'data-name="([^"]*)" data-place="([^"]*)"', page))
        mark = post("rein", {"tier": animal})["marke"]
        while time.time() < self.until:
            name, place = next(cells)
            text = f"{random.uniform(0, 2):.2f}".replace(".", ",")
            change = [name, place, text, time.time_ns() // 1_000_000]
            begun = time.perf_counter()
            post("antworten", {"marke": mark, "antworten": [change]})
            self.answered.append(time.perf_counter() - begun)
            time.sleep(1)
            post("stand", {"marke": mark})
            time.sleep(1)
        connection.close()

    def drop(self) -> None:
        teacher, files = Teacher(self.program.base), hostile()
        pause = (self.until - time.time()) / self.bad
        source = teacher.ask("/api/oeffnen", {"code": CODE})["quelle"]
        for _ in range(self.bad):
            name, content = next(files)
            begun = time.time()
            path = f"/api/datei/antworten/{source}?datei={name}"
            self.said[f"{name} {teacher.status(path, raw=content)}"] += 1
            time.sleep(max(0.0, min(begun + pause, self.until) - time.time()))
            if time.time() > self.until:
                break

    def look(self) -> None:
        teacher = Teacher(self.program.base)
        while time.time() < self.until:
            begun = time.perf_counter()
            teacher.page("/")
            self.taken.append(time.perf_counter() - begun)
            time.sleep(0.5)


def quick(taken: list[float]) -> str:
    """How long it took since the last time it was asked."""
    times = sorted(taken) or [0.0]
    taken.clear()
    late = times[int(0.99 * len(times))]
    return f"{statistics.median(times):.3f} s, p99 {late:.3f} s, most {times[-1]:.3f} s"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minuten", type=float, default=10)
    parser.add_argument("--boesartig", type=int, default=200)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = Program(Path(folder) / "ablage")
        load = Load(program, time.time() + 60 * wanted.minuten, wanted.boesartig)
        threads = load.threads()
        for each in threads:
            each.start()
        minute = 0
        while any(each.is_alive() for each in threads):
            minute += 1
            for each in threads:
                each.join(max(0.0, load.until - 60 * wanted.minuten + 60 * minute - time.time()))
            page = psutil.Process(program.process.pid)
            own, *theirs = (each.memory_info().rss >> 20 for each in (page, *page.children(recursive=True)))
            print(f"{minute:3} min: page {own} MB, its processes {sum(theirs)} MB, log", end=" ")
            print(f"{program.log.stat().st_size} B, the page answers in {quick(load.taken)},", end=" ")
            print(f"phones are answered in {quick(load.answered)}", flush=True)
        print(*(f"{number} × {what}" for what, number in sorted(load.said.items())), sep="\n")
        program.end()
        log = program.log.read_text(encoding="utf-8")
        print(f"log {len(log)} B, {log.count('Traceback')} tracebacks")


if __name__ == "__main__":
    main()
