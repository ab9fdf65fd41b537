"""The page on one's own computer: who may see what, one program a folder, nothing left, forgotten lessons."""

import contextlib
import sqlite3
import sys
import tempfile
import time
from pathlib import Path

import pytest

from generator.page import server
from generator.page.server import create_app
from generator.page.settings import Settings
from tests.page.asking import ask
from tests.page.hostile import connected, seconds_for
from tests.page.papers import CODE
from tests.page.running import SECRET, Program, Teacher, wait_until

LEFT = "papierformer-*"
ORDER = {"optionen": {"satz": "Die Katze", "stationen": ["2"], "gewichte": "ganzzahlig"}}


@pytest.fixture
def scratch(monkeypatch):
    """Where programs put their temporary files; its name is short, as sockets' names must be."""
    with tempfile.TemporaryDirectory(prefix="pf", dir="/tmp") as folder:
        monkeypatch.setenv("TMPDIR", folder)
        yield Path(folder)


def test_the_browser_is_told_an_address_that_lets_in_once_by_a_file_of_the_users_own(
    monkeypatch, tmp_path, app, settings
):
    opened = []
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setattr(server.webbrowser, "open", opened.append)
    once = app.entrance_once()
    server.open_browser(once)
    wait_until(lambda: opened)
    (file,) = tmp_path.glob("*.html")
    assert opened == [file.as_uri()]
    assert file.stat().st_mode & 0o777 == 0o600
    assert f'content="0;url={once}"' in file.read_text(encoding="utf-8")
    assert settings.secret not in once
    path = once.removeprefix(settings.base)
    assert [ask(app, "GET", path).status for _ in range(2)] == [303, 403]


def test_files_are_the_users_alone_and_nothing_is_left(tmp_path, scratch):
    program = Program(tmp_path / "a")
    teacher = Teacher(program.base)
    teacher.lesson(CODE)
    teacher.ask("/api/vorschau", ORDER)
    assert teacher.made(ORDER)["stand"] == "fertig"
    modes = {path: path.stat().st_mode & 0o777 for path in program.folder.rglob("*")}
    assert {mode for path, mode in modes.items() if path.is_dir()} == {0o700}
    assert {mode for path, mode in modes.items() if path.is_file()} <= {0o600, 0o400}
    program.end()
    assert list(scratch.iterdir()) == []


def test_no_folder_is_left_after_a_kill(tmp_path, scratch):
    program = Program(tmp_path / "a")
    Teacher(program.base).ask("/api/vorschau", ORDER)
    assert list(scratch.glob(LEFT))
    program.kill()
    wait_until(lambda: not list(scratch.glob(LEFT)))


def test_a_second_program_in_the_same_folder_is_refused(tmp_path, refused):
    program = Program(tmp_path / "a")
    try:
        refused(f"--ablage={program.folder}", "--ablage", "anderes Papierformer")
    finally:
        program.kill()
    Program(tmp_path / "a").kill()


def test_what_there_is_not_is_one_sentence_at_the_start(tmp_path, refused, monkeypatch):
    (tmp_path / "x").write_text("x", encoding="utf-8")
    for folder in (tmp_path / "x", tmp_path / "x/y", "/proc/nichts"):
        refused(f"--ablage={folder}", "--ablage", "lässt sich nicht benutzen")
    refused("--ablage=", "--ablage ist leer")
    refused("--oeffentlich=https://[", "--oeffentlich", "passt nicht")
    refused("--oeffentlich=https://a.example", "PAPIERFORMER_SCHLUESSEL", key="")
    for option in ("--speicher=/nicht/da/x.db", "--rechner=tcp://127.0.0.1:1"):
        refused(option, option.partition("=")[0], "nötig ist")
    monkeypatch.setitem(sys.modules, "psycopg", None)  # to import it would be an error
    refused("--speicher=postgresql://127.0.0.1/x", "--speicher", "psycopg")


def test_a_server_does_not_print_its_key_and_what_is_named_answers(tmp_path):
    program = Program(tmp_path / "a", "--oeffentlich=https://a.example/x")
    assert program.said == "Papierformer läuft: https://a.example/x\n"
    program.kill()
    assert SECRET not in program.log.read_text(encoding="utf-8")
    program = Program(tmp_path / "a", "--adresse=::1")
    try:
        assert program.said.startswith(f"Papierformer läuft: http://[::1]:{program.port}/einlass/")
        assert "Neues Blatt" in Teacher(f"http://[::1]:{program.port}").page("/")
    finally:
        program.kill()


def test_a_lesson_after_a_lesson_has_its_port_also_beside_a_stuck_phone(program):
    teacher = Teacher(program.base)
    for _ in range(2):
        lesson, host = teacher.lesson(CODE)
        port = int(host.rpartition(":")[2])
        head = f"POST /stunde/api/{lesson}/stand HTTP/1.1\r\nHost: {host}\r\nContent-Length: 9\r\n\r\n"
        with connected(port, 1, head.encode()):
            teacher.ask(f"/api/stunden/{lesson}/ende", {})
            lesson, host = teacher.lesson(CODE)
            port = int(host.rpartition(":")[2])
            assert seconds_for(port, f"/stunde/{lesson}", host)[1] == 200
        teacher.ask(f"/api/stunden/{lesson}/ende", {})
        with pytest.raises(OSError, match="refused"):
            seconds_for(port, f"/stunde/{lesson}", host)


def test_forgotten_lessons_open_no_port_delay_no_start_and_are_asked_about(tmp_path):
    program = Program(tmp_path / "a")
    teacher = Teacher(program.base)
    lessons = [teacher.lesson(CODE)[0] for _ in range(12)]
    _, host = teacher.lesson(CODE)
    program.kill()
    with contextlib.closing(sqlite3.connect(tmp_path / "a" / "stunden.db")) as database, database:
        database.execute("UPDATE lesson SET begun = begun - 90000 WHERE code = ?", (lessons[0],))
    begun = time.monotonic()
    program.start()
    took = time.monotonic() - begun
    teacher = Teacher(program.base)
    try:
        assert took < 5
        assert program.process.stdout.readline() == "Beenden: Strg+C\n"
        assert program.process.stdout.readline().startswith("12 Stunden waren noch offen")
        assert "resource_tracker" not in program.log.read_text(encoding="utf-8")
        with pytest.raises(OSError, match="refused"):
            seconds_for(int(host.rpartition(":")[2]), "/", host)
        time.sleep(1)
        page = teacher.page("/stunden")
        assert page.count("Noch offen, seit Papierformer beendet wurde") == 12
        assert "zu Ende · Code " + lessons[0] in page
        assert "Stunde fortsetzen" in teacher.page(f"/stunden/{lessons[1]}")
        teacher.ask(f"/api/stunden/{lessons[1]}/weiter", {})
        assert seconds_for(int(host.rpartition(":")[2]), f"/stunde/{lessons[1]}", host)[1] == 200
    finally:
        program.end()


def test_a_new_key_keeps_the_sheets_and_a_session_ends(tmp_path, monkeypatch):
    named = {"folder": tmp_path, "public": "https://a.example"}
    old, new = Settings(secret="a" * 30, **named), Settings(secret="b" * 30, **named)
    apps, host = [create_app(old), create_app(new)], {"host": "a.example"}

    def enter(app, settings, cookie=""):
        answer = ask(app, "GET", f"/einlass/{settings.secret}", host | {"cookie": cookie})
        return answer.headers["set-cookie"].partition(";")[0]

    first = enter(apps[0], old)
    assert ask(apps[1], "GET", "/", host | {"cookie": first}).status == 401
    second = enter(apps[1], new, first)
    assert ask(apps[1], "GET", "/", host | {"cookie": second}).status == 200
    owner = [each.partition("=")[2].partition(".")[0] for each in (first, second)]
    assert owner[0] == owner[1]
    forged = enter(apps[1], new, "papierformer-8765=" + "../" * 7)
    assert forged.partition("=")[2].partition(".")[0] not in ("", "../" * 7)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 15 * 86_400)
    assert ask(apps[1], "GET", "/", host | {"cookie": second}).status == 401
    monkeypatch.undo()
    client = owner[1]
    leave = host | {"cookie": second, "x-papierformer": new.csrf(client)}
    assert ask(apps[1], "POST", "/api/abmelden", host | {"cookie": second}).status == 403
    left = ask(apps[1], "POST", "/api/abmelden", leave)
    assert 'papierformer-8765="";' in left.headers["set-cookie"]
