"""A lesson beside what harms it: its database goes away or is older, a neighbour uses up all tries."""

import re
import socket

import pytest
from playwright.sync_api import expect

from generator.page import guard
from generator.page.guard import MARK_HEADER, Rate
from generator.page.lesson.databases import copy_of
from tests.page.papers import CODE, right
from tests.page.running import HELD, Teacher, joined, stored, wait_until


def types(phone, cells):
    for (name, place), text in cells:
        phone.locator(f".cell[data-name='{name}'][data-place='{place}'] input").fill(text)


def test_a_phone_sends_again_what_an_older_copy_lacks(program, chromium):
    """The file is damaged, and the copy put back as the sentence says; it is older than the last numbers."""
    lesson, _ = Teacher(program.base).lesson(CODE)
    cells = list(right().items())
    phone = joined(chromium, f"{program.base}/stunde/{lesson}", "Igel")
    types(phone, cells[:3])
    expect(phone.locator("#stand")).to_have_text("Alles ist angekommen.")
    program.end()
    program.start()  # looks after the file at the start
    copy, file = copy_of(program.folder / "stunden.db"), program.folder / "stunden.db"
    wait_until(copy.exists, 20)
    types(phone, cells[3:6])
    expect(phone.locator("#stand")).to_have_text("Alles ist angekommen.")
    program.end()
    file.write_bytes(b"\xff" * 100 + file.read_bytes()[100:])
    program.start()
    types(phone, cells[6:7])
    expect(phone.locator("#stand")).to_contain_text(HELD)
    program.end()
    copy.replace(file)
    program.start()
    expect(phone.locator("#stand")).to_have_text("Alles ist angekommen.")
    there = {tuple(cell): text for (_, *cell), (_, text) in stored(program.folder).items()}
    assert there == dict(cells[:7])
    assert f'"{copy}"' in program.log.read_text(encoding="utf-8")


@pytest.fixture
def few_tries(monkeypatch):
    """However long the requests take; the page asks when it begins."""
    monkeypatch.setattr(guard, "OF_ADDRESS", Rate(at_once=20, a_minute=0))
    monkeypatch.setattr(guard, "OF_MARK", Rate(at_once=300, a_minute=0))


@pytest.mark.usefixtures("few_tries")
async def test_who_is_known_has_tries_of_ones_own(room):
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


async def test_pupils_are_spoken_to_as_pupils(room):
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


def test_what_is_no_http_is_logged_and_answered_in_german(program):
    upgrade = b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n"
    for sent in (b"\x16\x03\x01\x02\r\n\r\n", upgrade):
        with socket.create_connection(("127.0.0.1", program.port), 10) as other:
            other.sendall(sent)
            said = other.recv(4096).decode("utf-8", "replace")
            assert "Invalid" not in said
    log = program.log.read_text(encoding="utf-8")
    assert "Eine Anfrage war kein HTTP" in log
    assert not re.search("Invalid|Unsupported|WebSocket", log)
