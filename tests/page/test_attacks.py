"""What a stranger, a hostile page or another client tries, and does not get."""

import asyncio
import json
import socket
from functools import partial
from urllib.parse import urlsplit

import pytest

from generator.page.settings import Settings
from generator.page.shelf import write_entry
from generator.page.workers import Job
from tests.page.asking import ask, asked, client_of, let_in

HOST = {"host": "schule.example"}
HOSTILE = "<script>x</script> <b>Katze"


@pytest.fixture
def settings(tmp_path):
    """Of a server: on one's own computer all sessions are one person's."""
    return Settings(folder=tmp_path, public="https://schule.example", secret="x" * 30)


@pytest.fixture
def services(app):
    return app.app.state.services


@pytest.fixture
def mia(app, settings):
    return HOST | let_in(app, settings, headers=HOST)


@pytest.fixture
def tom(app, settings):
    return HOST | let_in(app, settings, headers=HOST)


def order(**options):
    return json.dumps(
        {"optionen": {"satz": "Die Katze", "stationen": ["2"], **options}, "ganz": True}
    ).encode()


def test_nobody_listens_beyond_this_computer_and_the_address_holds_a_long_secret(running):
    with socket.socket() as other, pytest.raises(ConnectionRefusedError):
        other.connect(("127.0.0.2", urlsplit(running.base).port))
    assert running.said == f"Papierformer läuft: {running.entrance}\n"
    assert len(Settings(folder=running.folder).secret) >= 32
    assert Settings(folder=running.folder).secret != Settings(folder=running.folder).secret


def test_one_client_sees_nothing_of_another(app, services, mia, tom):
    name, folder = services.shelf.new(client_of(mia["cookie"]))
    (folder / "arbeitsblatt.pdf").write_bytes(b"%PDF")
    write_entry(
        folder, satz="Geheim", art="blatt", befehl="", seiten=1, minuten=1, be=1, dateien=["arbeitsblatt.pdf"]
    )
    paths = [f"/blaetter/{name}/arbeitsblatt.pdf", f"/blaetter/{name}/alles.zip", f"/api/blaetter/{name}"]
    page = services.documents.put(client_of(mia["cookie"]), "<p>Geheim</p>")
    paths += [f"/vorschau/{page}", f"/pruefen/{page}", f"/bericht/{page}"]
    for path in paths:
        assert ask(app, "GET", path, mia).status == 200, path
        assert ask(app, "GET", path, tom).status == 404, path
    assert b"Geheim" in ask(app, "GET", "/blaetter", mia).body
    assert b"Geheim" not in ask(app, "GET", "/blaetter", tom).body
    assert ask(app, "DELETE", f"/api/blaetter/{name}", tom).status == 404
    assert folder.is_dir()
    assert ask(app, "DELETE", f"/api/blaetter/{name}", mia).status == 200
    assert not folder.exists()


async def test_one_client_cannot_stop_the_jobs_of_another(app, services, mia, tom):
    services.queue.add(Job("x", client_of(mia["cookie"]), partial(asyncio.sleep, 60)))
    assert (await asked(app, "GET", "/api/auftraege/x", mia)).status == 200
    assert (await asked(app, "DELETE", "/api/auftraege/x", tom)).status == 404
    assert (await asked(app, "GET", "/api/auftraege/x", tom)).status == 404
    assert (await asked(app, "GET", "/api/auftraege", tom)).json == []
    await services.queue.end()


NAMES = ["..", "../..", "%2e%2e", "....//", "20261122-080000-0123456789abcdef", "x" * 5000, "a\0b", "ä"]


def test_no_way_to_other_files(app, mia, tmp_path):
    (tmp_path / "geheim.json").write_text("Geheim", encoding="utf-8")
    for name in NAMES:
        for path in ("blaetter/{}/geheim.json", "blaetter/{}/alles.zip", "api/blaetter/{}", "vorschau/{}"):
            answer = ask(app, "GET", "/" + path.format(name), mia)
            assert answer.status == 404, (path, name)
            assert b"Geheim" not in answer.body
        asked = json.dumps({"blatt": name}).encode()
        assert ask(app, "POST", "/api/oeffnen", mia, asked).status in (404, 422), name


BODIES = [b"", b"{", b"[]", b"3", b'"x"', b"[" * 100_000, b"\xff\xfe", b'{"optionen": 3}']
BODIES += [b'{"optionen": {"satz": 3}}']


def test_what_is_no_request_of_ours_is_one_sentence(app, mia):
    for path in ("/api/vorschau", "/api/oeffnen", "/api/datei/rechnung", "/api/pruefen/x"):
        for body in BODIES:
            answer = ask(app, "POST", path, mia, body)
            assert answer.status == 422, (path, body[:20])
            assert answer.json["fehler"].endswith((".", "…"))
            assert "Traceback" not in answer.json["fehler"]


def test_a_hostile_sentence_is_text_and_its_page_can_do_nothing(app, mia):
    said = ask(app, "POST", "/api/vorschau", mia, order(satz=HOSTILE))
    assert said.headers["content-type"] == "application/json"
    shown = ask(app, "GET", f"/vorschau/{said.json['seite']}", mia)
    assert b"<script" not in shown.body
    assert b"&lt;script" in shown.body
    policy = shown.headers["content-security-policy"]
    assert policy.startswith("sandbox allow-same-origin allow-modals; default-src 'none';")
    assert "script" not in policy


def test_a_kept_page_of_a_sheet_is_shown_without_any_rights(app, services, mia):
    name, folder = services.shelf.new(client_of(mia["cookie"]))
    (folder / "loesung.html").write_text("<script>x</script>", encoding="utf-8")
    write_entry(
        folder, satz=HOSTILE, art="blatt", befehl=HOSTILE, seiten=1, minuten=1, be=1, dateien=["loesung.html"]
    )
    policy = ask(app, "GET", f"/blaetter/{name}/loesung.html", mia).headers["content-security-policy"]
    assert policy.startswith("sandbox; default-src 'none';")
    assert b"<script>x" not in ask(app, "GET", "/blaetter", mia).body


def test_only_methods_that_there_are_and_no_path_comes_back_as_markup(app, mia):
    for method in ("PUT", "PATCH", "TRACE", "OPTIONS", "DELETE"):
        assert ask(app, method, "/", mia).status in (403, 405), method
    for path in ("/<b>wort", "/blaetter/<b>wort/y", "/einlass/<b>wort"):
        answer = ask(app, "GET", path, mia)
        assert (answer.status in (403, 404), b"<b>wort" in answer.body) == (True, False), path
