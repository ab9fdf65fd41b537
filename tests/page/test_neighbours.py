"""A lesson beside what harms it: its database goes away, a neighbour in the same network asks for ever."""

import http.client
import json
import re
import shutil
import socket
import threading
import time

import pytest
from playwright.sync_api import expect

from generator.page import guard
from generator.page.guard import MARK_HEADER, Rate
from generator.page.lesson.databases import copy_of
from generator.page.lesson.opened import ANIMALS
from tests.page.in_process import run
from tests.page.planned_papers import CODE, a_class, cells
from tests.page.running import HELD, Program, Teacher, joined
from tests.page.test_thirty_phones import stored, types

PHONES, NUMBERS = 15, 300
SECONDS_TO_SERVE = 2.0


@pytest.mark.thorough
def test_phones_lose_nothing_whatever_becomes_of_the_database(program, chromium):
    """Removed, replaced by an empty one, the program restarted so, put back: all 300 numbers are there."""
    teacher = Teacher(program.base)
    lesson, _ = teacher.lesson(CODE)
    address = f"{program.base}/stunde/{lesson}"
    papers, each = a_class(PHONES), cells()[: NUMBERS // PHONES]
    third = len(each) // 3
    phones = [joined(chromium, address, animal) for animal in ANIMALS[:PHONES]]

    def type_all(wanted):
        for phone, paper in zip(phones, papers, strict=True):
            types(phone, paper, wanted)

    def held():
        for phone in phones:
            expect(phone.locator("#stand")).to_contain_text(HELD)
            expect(phone.locator("#rein")).to_be_hidden()

    type_all(each[:third])
    for phone in phones:
        expect(phone.locator("#stand")).to_have_text("Alles ist angekommen.")
    aside = program.folder / "aside"
    aside.mkdir()
    for file in program.folder.glob("stunden.db*"):
        file.rename(aside / file.name)
    type_all(each[third : 2 * third])
    held()
    (program.folder / "stunden.db").touch()
    time.sleep(5)  # they try again, and the program opens anew
    held()
    program.kill()
    program.start()
    assert phones[0].goto(address).status == 503
    assert Teacher(program.base).status("/api/stunden/" + lesson) == 503
    program.kill()
    for file in program.folder.glob("stunden.db*"):
        file.unlink()
    for file in aside.iterdir():
        shutil.copy(file, program.folder)
    program.start()
    phones[0].goto(address)
    type_all(each[2 * third :])
    for phone in phones:
        expect(phone.locator("#stand")).to_have_text("Alles ist angekommen.")
    texts = {
        (animal, *cell): paper.texts[cell]
        for animal, paper in zip(ANIMALS, papers, strict=False)
        for cell in each
    }
    assert len(texts) == NUMBERS
    assert stored(program.folder) == texts
    assert "Bitte beenden Sie das Programm" in program.log.read_text(encoding="utf-8")


def test_a_phone_sends_again_what_an_older_copy_lacks(program, chromium):
    """The file is damaged, and the copy put back as the sentence says; it is older than the last numbers."""
    lesson, _ = Teacher(program.base).lesson(CODE)
    (paper,) = a_class(1)
    phone = joined(chromium, f"{program.base}/stunde/{lesson}", "Igel")
    types(phone, paper, cells()[:3])
    expect(phone.locator("#stand")).to_have_text("Alles ist angekommen.")
    program.end()
    program.start()  # looks after the file at the start
    copy, file = copy_of(program.folder / "stunden.db"), program.folder / "stunden.db"
    for _ in range(200):
        if copy.exists():
            break
        time.sleep(0.1)
    types(phone, paper, cells()[3:6])
    expect(phone.locator("#stand")).to_have_text("Alles ist angekommen.")
    program.end()
    file.write_bytes(b"\xff" * 100 + file.read_bytes()[100:])
    program.start()
    types(phone, paper, cells()[6:7])
    expect(phone.locator("#stand")).to_contain_text(HELD)
    program.end()
    copy.replace(file)
    program.start()
    expect(phone.locator("#stand")).to_have_text("Alles ist angekommen.")
    assert stored(program.folder) == {("Igel", *cell): paper.texts[cell] for cell in cells()[:7]}
    assert f'"{copy}"' in program.log.read_text(encoding="utf-8")


def test_another_database_of_a_server_answers_for_no_lesson(tmp_path, request, postgres):
    import psycopg

    program = Program(tmp_path / "a", f"--speicher={postgres.address}")
    request.addfinalizer(program.end)
    teacher = Teacher(program.base)
    lesson, _ = teacher.lesson(CODE)
    mark = teacher.ask(f"/stunde/api/{lesson}/rein", {"tier": "Igel"})["marke"]
    name, place = cells()[0]
    path, body = f"/stunde/api/{lesson}/antworten", {"marke": mark, "antworten": [[name, place, "1", 1]]}
    assert teacher.status(path, body) == 200
    with psycopg.connect(postgres.address, autocommit=True) as other:
        other.execute("CREATE SCHEMA aside")
        tables = ("own_sheet", "answer", "pupil", "lesson", "own_name")
        for table in tables:
            other.execute(f"ALTER TABLE {table} SET SCHEMA aside")
        assert {teacher.status(path, body) for _ in range(2)} == {503}
        time.sleep(3.5)
        assert teacher.status(path, body) == 503
        program.end()
        program.start()
        teacher = Teacher(program.base)
        assert teacher.status(path, body) == 503
        assert teacher.status(f"/api/stunden/{lesson}") == 503
        for table in tables:
            other.execute(f"DROP TABLE IF EXISTS {table} CASCADE")
            other.execute(f"ALTER TABLE aside.{table} SET SCHEMA public")
    until = time.monotonic() + 20
    while teacher.status(path, body) != 200:
        assert time.monotonic() < until
        time.sleep(0.5)
    assert "aus einer Sicherung" in program.log.read_text(encoding="utf-8")


class Neighbour(threading.Thread):
    """Asks for one path on one connection, as fast as it is answered."""

    def __init__(self, port, path, until):
        super().__init__()
        self.port, self.path, self.until, self.asked = port, path, until, 0

    def run(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        while time.monotonic() < self.until:
            connection.request("GET", self.path)
            connection.getresponse().read()
            self.asked += 1
        connection.close()


class Phone(threading.Thread):
    """Writes a number every two seconds; seconds of each that was kept, or None."""

    def __init__(self, port, lesson, mark, until):
        super().__init__()
        self.port, self.lesson, self.mark, self.until = port, lesson, mark, until
        self.taken = []

    def run(self):
        number, cell = 0, cells()[0]
        while time.monotonic() < self.until:
            number += 1
            body = json.dumps({"marke": self.mark, "antworten": [[*cell, str(number), number]]})
            begun = time.monotonic()
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
            headers = {MARK_HEADER: self.mark, "content-type": "application/json"}
            connection.request("POST", f"/stunde/api/{self.lesson}/antworten", body, headers)
            kept = connection.getresponse().status == 200
            connection.close()
            self.taken.append(time.monotonic() - begun if kept else None)
            time.sleep(2)


@pytest.mark.thorough
@pytest.mark.parametrize("path", ["/static/lesson.css", "/stunde/{lesson}"])
def test_a_hundred_phones_of_one_address_write_while_a_neighbour_floods(program, path):
    teacher = Teacher(program.base)
    lessons = [teacher.lesson(CODE)[0] for _ in range(2)]
    marks = [
        (lesson, teacher.ask(f"/stunde/api/{lesson}/rein", {"tier": animal})["marke"])
        for lesson in lessons
        for animal in ANIMALS[:50]
    ]
    until = time.monotonic() + 20
    neighbours = [Neighbour(program.port, path.format(lesson=lessons[0]), until) for _ in range(3)]
    phones = [Phone(program.port, *mark, until) for mark in marks]
    for each in (*neighbours, *phones):
        each.start()
    pages = [teacher.status(f"/api/stunden/{lessons[0]}") for _ in range(20)]
    for each in (*neighbours, *phones):
        each.join()
    taken = [seconds for phone in phones for seconds in phone.taken]
    served = sum(seconds is not None and seconds < SECONDS_TO_SERVE for seconds in taken)
    print(f"{served} of {len(taken)} writes; flood: {sum(each.asked for each in neighbours)} requests")
    assert set(pages) == {200}
    assert served >= 0.99 * len(taken)


def test_who_is_known_has_tries_of_ones_own(tmp_path, monkeypatch):
    monkeypatch.setattr(guard, "OF_ADDRESS", Rate(at_once=20, a_minute=0))
    monkeypatch.setattr(guard, "OF_MARK", Rate(at_once=300, a_minute=0))  # however long the requests take

    async def scenario(room):
        lesson, mark, at = await room.begun()
        path, body = f"/stunde/api/{lesson}/antworten", {"marke": mark, "antworten": [[*at, "1", 1]]}
        for _ in range(40):
            assert (await room.ask("GET", "/static/lesson.css")).status == 200
        while (await room.ask("GET", f"/stunde/{lesson}")).status == 200:
            pass
        assert (await room.ask("POST", path, {MARK_HEADER: mark}, body)).status == 200
        assert (await room.ask("POST", path, {MARK_HEADER: "x" * 22}, body)).status == 429
        assert (await room.teacher("GET", f"/api/stunden/{lesson}")).status == 200
        said = [(await room.ask("POST", path, {MARK_HEADER: mark}, body)).status for _ in range(400)]
        assert said[0] == 200
        assert said[-1] == 429, "nor has a mark endless tries"

    run(scenario, tmp_path)


def test_pupils_are_spoken_to_as_pupils(tmp_path):
    async def scenario(room):
        lesson, mark, _ = await room.begun()
        path = f"/stunde/api/{lesson}/antworten"
        said = [
            await room.ask("POST", path, body={"marke": "x"}),
            await room.ask("POST", path, body=["x"]),
            await room.ask("POST", path, body={"marke": mark, "antworten": [3]}),
            await room.ask("POST", "/stunde/api/AAAAAAA/stand", body={}),
            await room.ask("GET", path),
        ]
        assert [each.status for each in said] == [403, 422, 422, 404, 405]
        for each in said:
            assert each.json["fehler"].endswith(".")
            assert not re.search(r"\bSie\b|\bIhre?\b", each.json["fehler"])

    run(scenario, tmp_path)


def test_what_is_no_http_is_logged_and_answered_in_german(program):
    for sent in (
        b"\x16\x03\x01\x02\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n",
    ):
        with socket.create_connection(("127.0.0.1", program.port), 10) as other:
            other.sendall(sent)
            said = other.recv(4096).decode("utf-8", "replace")
            assert "Invalid" not in said
    log = program.log.read_text(encoding="utf-8")
    assert "Eine Anfrage war kein HTTP" in log
    assert not re.search("Invalid|Unsupported|WebSocket", log)
