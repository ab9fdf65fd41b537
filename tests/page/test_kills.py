"""Many phones with two tabs each, and a program that is killed: nothing acknowledged is lost."""

import contextlib
import http.client
import json
import re
import threading
import time
from random import Random

import pytest
from playwright.sync_api import Error, expect

from generator.page.lesson.opened import ANIMALS
from tests.page.papers import CODE
from tests.page.running import PATIENCE, SECRET, SMALL, Teacher, stored


def test_what_a_teacher_types_is_there_after_any_end(program, chromium):
    """The tab dies, or the program with it, at random moments after a key."""
    random, context = Random(7), chromium.new_context()
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    context.request.get(f"{program.base}/einlass/{SECRET}")
    page.goto(program.base + SMALL)

    def ended(how):
        nonlocal page
        at = page.url
        page.wait_for_timeout(random.uniform(0, 400))
        if how == "both":
            program.kill()
            program.start()
        dead, page = page, context.new_page()
        with contextlib.suppress(Error):
            context.new_cdp_session(dead).send("Page.crash", timeout=300)
        dead.close()
        page.goto(at)

    for turn, how in enumerate(("tab", "both")):
        text = f"Die Katze sieht {turn} Hunde"
        page.fill("#satz", text)
        page.locator("#satz").press("End")
        ended(how)
        expect(page.locator("#satz")).to_have_value(text)
    page.goto(f"{program.base}/pruefen?code={CODE.replace(' ', '')}")
    for turn, how in enumerate(("tab", "both")):
        field = page.frame_locator("#rahmen iframe").locator("input.entry").nth(turn)
        expect(field).to_be_visible()
        field.fill(f"7{turn}")
        ended(how)
        for before in range(turn + 1):
            kept = page.frame_locator("#rahmen iframe").locator("input.entry").nth(before)
            expect(kept).to_have_value(f"7{before}")
    context.close()


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
