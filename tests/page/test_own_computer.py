"""The page on one's own computer: who may see what, one program a folder, nothing left, forgotten lessons."""

import contextlib
import os
import re
import socket
import sqlite3
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import uvicorn
from test_helpers import processes_with

from generator.commands.cli import main
from generator.page import server
from generator.page.settings import Settings
from generator.page.shelf import ENTRY
from tests.page.asking import ask
from tests.page.papers import CODE, right
from tests.page.running import (
    SECRET,
    WORKS,
    Program,
    Teacher,
    connected,
    free_port,
    seconds_for,
    stored,
    wait_until,
)

ORDER = {"optionen": {"satz": "Die Katze", "stationen": ["2"], "gewichte": "ganzzahlig"}}


@pytest.fixture
def refused(tmp_path, capsys, monkeypatch):
    """A function: `seite` ends at once, with one sentence that has these words."""
    monkeypatch.setattr(uvicorn.Server, "run", lambda *_, **__: pytest.fail("it listens"))
    mask = os.umask(0o022)

    def check(option, *words, key=SECRET):
        monkeypatch.setenv("PAPIERFORMER_SCHLUESSEL", key)
        folder, port = tmp_path / "b", free_port()
        assert main(["seite", "--ohne-browser", f"--port={port}", f"--ablage={folder}", option]) == 2
        out, said = capsys.readouterr()
        assert (out, said.count("\n"), folder.exists()) == ("", 1, False), said
        assert [word for word in words if word not in said] == []

    yield check
    os.umask(mask)


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
    assert len(settings.secret) >= 32
    assert Settings(folder=tmp_path).secret != settings.secret


def test_files_are_the_users_alone_nobody_listens_beyond_and_nothing_is_left(tmp_path, scratch, refused):
    program = Program(tmp_path / "a")
    teacher = Teacher(program.base)
    assert program.said == f"Papierformer läuft: {program.entrance}\n"
    with socket.socket() as other, pytest.raises(ConnectionRefusedError):
        other.connect(("127.0.0.2", urlsplit(program.base).port))
    teacher.lesson(CODE)
    assert teacher.made(ORDER)["stand"] == "fertig"
    modes = {path: path.stat().st_mode & 0o777 for path in program.folder.rglob("*")}
    assert {mode for path, mode in modes.items() if path.is_dir()} == {0o700}
    assert {mode for path, mode in modes.items() if path.is_file()} <= {0o600, 0o400}
    refused(f"--ablage={program.folder}", "--ablage", "anderes Papierformer")
    refused(f"--port={program.port}", f"--port {program.port} ist schon belegt")

    whole = {"optionen": {"satz": "Der Igel sieht den Hund", "gewichte": "ganzzahlig"}}
    at = f"/api/auftraege/{teacher.ask('/api/blatt', whole)['name']}"
    wait_until(lambda: teacher.ask(at)["stand"] == "läuft")
    teacher.ask(at, method="DELETE")
    wait_until(lambda: teacher.ask(at)["stand"] not in WORKS)
    assert teacher.ask(at)["fehler"] == "Abgebrochen."
    assert teacher.made(ORDER)["stand"] == "fertig"
    sheets = (program.folder / "blaetter").iterdir()
    assert [each for each in sheets if not (each / ENTRY).is_file()] == []
    program.end()
    assert list(scratch.iterdir()) == list(processes_with(str(scratch))) == []
    program.start()
    Teacher(program.base).ask("/api/vorschau", ORDER)
    assert list(scratch.glob("papierformer-*"))
    program.kill()
    wait_until(lambda: not list(scratch.glob("papierformer-*")))


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


def test_a_server_does_not_print_its_key_answers_where_it_is_named_and_is_not_confused(tmp_path):
    program = Program(tmp_path / "a", "--oeffentlich=https://a.example/x")
    assert program.said == "Papierformer läuft: https://a.example/x\n"
    program.kill()
    assert SECRET not in program.log.read_text(encoding="utf-8")
    program = Program(tmp_path / "a", "--adresse=::1")
    try:
        assert program.said.startswith(f"Papierformer läuft: http://[::1]:{program.port}/einlass/")
        assert "Neues Blatt" in Teacher(f"http://[::1]:{program.port}").page("/")
        upgrade = b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n"
        for sent in (b"\x16\x03\x01\x02\r\n\r\n", upgrade):
            with socket.create_connection(("::1", program.port), 10) as other:
                other.sendall(sent)
                assert "Invalid" not in other.recv(4096).decode("utf-8", "replace")
        log = program.log.read_text(encoding="utf-8")
        assert "Eine Anfrage war kein HTTP" in log
        assert not re.search("Invalid|Unsupported|WebSocket", log)
    finally:
        program.kill()


def test_lessons_have_their_port_and_forgotten_ones_open_none_and_are_asked_about(program):
    teacher = Teacher(program.base)

    def answers(lesson, host):
        return seconds_for(int(host.rpartition(":")[2]), f"/stunde/{lesson}", host)[1]

    lesson, host = teacher.lesson(CODE)
    head = f"POST /stunde/api/{lesson}/stand HTTP/1.1\r\nHost: {host}\r\nContent-Length: 9\r\n\r\n"
    with connected(int(host.rpartition(":")[2]), 1, head.encode()):  # a stuck phone
        teacher.ask(f"/api/stunden/{lesson}/ende", {})
        later = teacher.lesson(CODE)
        assert answers(*later) == 200
    teacher.ask(f"/api/stunden/{later[0]}/ende", {})
    with pytest.raises(OSError, match="refused"):
        answers(*later)

    lessons = [teacher.lesson(CODE) for _ in range(3)]
    phones = f"/stunde/api/{lessons[1][0]}"
    mark = teacher.ask(f"{phones}/rein", {"tier": "Igel"})["marke"]
    for cell, text in right().items():
        teacher.ask(f"{phones}/antworten", {"marke": mark, "antworten": [[*cell, text, 1]]})
    program.kill()  # at once: what was acknowledged is there
    there = {tuple(cell): text for (_, *cell), (_, text) in stored(program.folder).items()}
    assert there == right()
    with contextlib.closing(sqlite3.connect(program.folder / "stunden.db")) as database, database:
        database.execute("UPDATE lesson SET begun = begun - 90000 WHERE code = ?", (lessons[0][0],))
    begun = time.monotonic()
    program.start()
    assert time.monotonic() - begun < 5
    assert program.process.stdout.readline() == "Beenden: Strg+C\n"
    assert program.process.stdout.readline().startswith("2 Stunden waren noch offen")
    assert "resource_tracker" not in program.log.read_text(encoding="utf-8")
    with pytest.raises(OSError, match="refused"):
        answers(*lessons[2])
    teacher = Teacher(program.base)
    page = teacher.page("/stunden")
    assert page.count("Noch offen, seit Papierformer beendet wurde") == 2
    assert "zu Ende · Code " + lessons[0][0] in page
    assert "Stunde fortsetzen" in teacher.page(f"/stunden/{lessons[1][0]}")
    teacher.ask(f"/api/stunden/{lessons[1][0]}/weiter", {})
    assert answers(*lessons[1]) == 200
