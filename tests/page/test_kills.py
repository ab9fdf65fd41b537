"""Many phones with two tabs each, and a program that is killed: nothing acknowledged is lost."""

import http.client
import json
import re
import threading
import time

import pytest

from generator.page.lesson.opened import ANIMALS
from tests.page.papers import CODE
from tests.page.running import Teacher, stored

PHONES, SECONDS, KILLS = 30, 60, 8


class Tab(threading.Thread):
    """Writes one cell after the other, as a phone's page does, and again where no answer comes."""

    def __init__(self, port, path, mark, cells, until):
        super().__init__()
        self.port, self.path, self.mark, self.cells, self.until = port, path, mark, cells, until
        self.acknowledged = {}  # cell -> number, text

    def run(self):
        number = 0
        while time.time() < self.until:
            number += 1
            cell, when = self.cells[number % len(self.cells)], time.time_ns() // 1_000_000
            change = [*cell, f"{number},{when % 1000}", when]
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
            try:
                connection.request("POST", self.path, json.dumps({"marke": self.mark, "antworten": [change]}))
                answer = connection.getresponse()
                said = json.loads(answer.read())
                for name, place, text, kept in (said["hat"] or [change]) if answer.status == 200 else ():
                    self.acknowledged[name, place] = kept, text
            except (OSError, http.client.HTTPException):
                pass  # the program was killed
            connection.close()
            time.sleep(0.2)


@pytest.mark.thorough
def test_what_was_acknowledged_is_there_after_any_kill(program):
    teacher, until = Teacher(program.base), time.time() + SECONDS
    lesson, _ = teacher.lesson(CODE)
    cells = re.findall(r'data-name="([^"]*)" data-place="([^"]*)"', teacher.page(f"/stunde/{lesson}"))
    tabs = []
    for animal in ANIMALS[:PHONES]:
        mark = teacher.ask(f"/stunde/api/{lesson}/rein", {"tier": animal})["marke"]
        path = f"/stunde/api/{lesson}/antworten"
        tabs += [(animal, Tab(program.port, path, mark, cells, until)) for _ in range(2)]
    for _, tab in tabs:
        tab.start()
    for number in range(KILLS):
        time.sleep(max(0.0, until - SECONDS + (number + 0.5) * SECONDS / KILLS - time.time()))
        program.kill()
        program.start()
    for _, tab in tabs:
        tab.join()
    found, lost = stored(program.folder), []
    for animal, tab in tabs:
        for cell, (number, text) in tab.acknowledged.items():
            there = found.get((animal, *cell), (0, ""))
            if there < (number, "") or (there[0] == number and there[1] != text):
                lost.append((animal, cell, number, text, there))
    assert sum(len(tab.acknowledged) for _, tab in tabs) >= PHONES
    assert lost == []
    assert "Traceback" not in program.log.read_text(encoding="utf-8")
