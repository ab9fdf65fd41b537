"""Many phones with two tabs each, and a program killed again and again: nothing acknowledged is lost."""

import http.client
import json
import re
import threading
import time

import pytest

from generator.page.lesson.opened import ANIMALS
from tests.page.papers import CODE
from tests.page.running import Teacher, stored


class Tab(threading.Thread):
    """Writes one cell after the other, as a phone's page does, and again where no answer comes."""

    def __init__(self, port, lesson, mark, cells, until):
        super().__init__()
        self.port, self.lesson, self.mark, self.cells, self.until = port, lesson, mark, cells, until
        self.acknowledged = {}  # cell -> number, text

    def run(self):
        number = 0
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        while time.time() < self.until:
            number += 1
            cell, when = self.cells[number % len(self.cells)], time.time_ns() // 1_000_000
            change = [*cell, f"{number},{when % 1000}", when]
            body = {"marke": self.mark, "antworten": [change]}
            try:
                connection.request("POST", f"/stunde/api/{self.lesson}/antworten", json.dumps(body))
                answer = connection.getresponse()
                said = json.loads(answer.read())
            except (OSError, http.client.HTTPException):
                connection.close()
                time.sleep(0.2)
                continue
            if answer.status == 200:
                for name, place, text, kept in said["hat"] or [change]:
                    self.acknowledged[name, place] = kept, text
            time.sleep(0.2)
        connection.close()


@pytest.mark.thorough
@pytest.mark.parametrize(("phones", "seconds", "kills"), [(6, 6, 2), (30, 120, 10)])
def test_what_was_acknowledged_is_there_after_any_kill(program, phones, seconds, kills):
    teacher = Teacher(program.base)
    lesson, _ = teacher.lesson(CODE)
    cells = re.findall(r'data-name="([^"]*)" data-place="([^"]*)"', teacher.page(f"/stunde/{lesson}"))
    marks = {
        animal: teacher.ask(f"/stunde/api/{lesson}/rein", {"tier": animal})["marke"]
        for animal in ANIMALS[:phones]
    }
    until = time.time() + seconds
    tabs = [
        (animal, Tab(program.port, lesson, mark, cells, until))
        for animal, mark in marks.items()
        for _ in range(2)
    ]
    for _, tab in tabs:
        tab.start()
    for number in range(kills):
        time.sleep(max(0.0, until - seconds + (number + 0.5) * seconds / kills - time.time()))
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
    acknowledged = sum(len(tab.acknowledged) for _, tab in tabs)
    print(f"{phones} phones, {kills} kills, {acknowledged} cells acknowledged last, {len(lost)} lost")
    assert acknowledged >= phones
    assert lost == []
    assert "Traceback" not in program.log.read_text(encoding="utf-8")
