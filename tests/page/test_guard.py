"""Who gets in and who reaches what: hosts, sessions, other pages, other clients, sizes, rates, headers."""

import asyncio
import json
import time
from functools import partial

import pytest

from generator.page import guard
from generator.page.server import create_app
from generator.page.settings import Settings
from generator.page.shelf import write_entry
from generator.page.workers import Job
from tests.page.asking import ask, asked, client_of, let_in

HOST = {"host": "schule.example"}
HOSTILE = "<script>x</script> <b>Katze"
JOIN = "/stunde/api/AAAAAAA/stand"


@pytest.fixture
def school(tmp_path):
    """A server's page: on one's own computer all sessions are one person's."""
    return create_app(Settings(folder=tmp_path, public="https://schule.example", secret="x" * 30))


@pytest.fixture
def services(school):
    return school.app.state.services


@pytest.fixture
def clients(school):
    settings = Settings(folder=None, public="https://schule.example", secret="x" * 30)
    return [HOST | let_in(school, settings, headers=HOST) for _ in range(2)]


def status(app, path, headers=None, method="GET", body=b"", **more):
    return ask(app, method, path, headers, body, **more).status


def test_only_the_address_that_was_opened_lets_in_for_so_many_days(app, settings, monkeypatch):
    assert 'action="/einlass/"' in ask(app, "GET", "/").body.decode(), "a way on"
    for path, said in (
        ("/", 401),
        ("/einlass/" + settings.secret[:-1], 403),
        ("/einlass/ä", 403),
        ("/einlass/?adresse=x", 403),
        (f"/einlass/?adresse=x/einlass/{settings.secret} ", 303),
    ):
        assert status(app, path) == said, path
    entered = ask(app, "GET", "/einlass/" + settings.secret)
    assert (entered.status, entered.headers["location"]) == (303, "/")
    cookie, _, how = entered.headers["set-cookie"].partition(";")
    assert {"httponly", "samesite=lax"} <= set(how.lower().replace(" ", "").split(";"))
    assert status(app, "/", {"cookie": cookie}) == 200
    for value in ("", "=", "=a.b", "=."):
        assert status(app, "/", {"cookie": f"papierformer-8765{value}"}) == 401, value
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 15 * 86_400)
    assert status(app, "/", {"cookie": cookie}) == 401


def test_a_new_key_keeps_whose_sheets_they_are_and_who_leaves_has_no_session(tmp_path):
    both = [Settings(folder=tmp_path, public="https://a.example", secret=each * 30) for each in "ab"]
    apps, host = list(map(create_app, both)), {"host": "a.example"}

    def enter(number, cookie=""):
        answer = ask(apps[number], "GET", f"/einlass/{both[number].secret}", host | {"cookie": cookie})
        return answer.headers["set-cookie"].partition(";")[0]

    first = enter(0)
    assert status(apps[1], "/", host | {"cookie": first}) == 401
    second = enter(1, first)
    assert status(apps[1], "/", host | {"cookie": second}) == 200
    assert client_of(first) == client_of(second)
    assert client_of(enter(1, "papierformer-8765=" + "../" * 7)) not in ("", "../" * 7)
    leave = host | {"cookie": second}
    assert status(apps[1], "/api/abmelden", leave, "POST") == 403
    leave["x-papierformer"] = both[1].csrf(client_of(second))
    left = ask(apps[1], "POST", "/api/abmelden", leave)
    assert 'papierformer-8765="";' in left.headers["set-cookie"]


def test_a_name_elsewhere_that_points_here_reaches_nothing_and_other_pages_can_send_nothing(
    app, settings, session
):
    for host in ("evil.example", "evil.example:8765", "127.0.0.1", "127.0.0.1:80", "localhost.evil:8765", ""):
        assert status(app, "/", session | {"host": host}) == 421, host
    assert status(app, "/static/base.css", {"host": "evil.example"}) == 200
    for name, value in (
        ("origin", "http://evil.example"),
        ("origin", "null"),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("x-papierformer", ""),
        ("x-papierformer", "ä"),
        ("x-papierformer", let_in(app, settings)["x-papierformer"]),
    ):
        assert status(app, "/api/vorschau", session | {name: value}, "POST", b"{}") == 403, value


@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_has_a_largest_size(app, session, chunked):
    for size, said in ((500_000, 422), (600_000, 413)):
        parts = [b"x" * 1000] * (size // 1000)
        answer = ask(app, "POST", JOIN, **{"chunks": parts} if chunked else {"body": b"".join(parts)})
        assert (answer.status, answer.json["fehler"][-1]) == (said, ".")
    large = session | {"content-length": "40000000"}
    said = ask(app, "POST", "/api/datei/rechnung?datei=gross.json", large).json["fehler"]
    assert said.replace("\N{NO-BREAK SPACE}", " ") == (
        "Die Datei „gross.json“ ist zu groß (40 MB); möglich sind höchstens 32 MB."
    )


@pytest.mark.parametrize("chunks", [[], [b"x"] * 3])
def test_a_body_that_does_not_come_whole_is_not_waited_for(app, monkeypatch, chunks):
    monkeypatch.setattr(guard, "SECONDS_FOR_BODY", 0.1)
    answer = ask(app, "POST", JOIN, chunks=chunks, pause=0.06)
    assert (answer.status, answer.json["fehler"]) == (408, "Das hat zu lange gedauert.")


def test_whoever_asks_too_often_waits(app, settings):
    tries = [status(app, "/einlass/falsch") for _ in range(14)]
    assert tries[:10] == [403] * 10
    assert 429 in tries
    assert status(app, "/einlass/" + settings.secret, address="10.0.0.7") == 303
    staff = [status(app, "/einlass/" + settings.secret) for _ in range(40)]
    assert staff == [303] * 40, "who knows the secret does not pay for who guesses"


def test_every_answer_has_the_headers_and_nothing_leads_to_other_files_or_methods(app, session, tmp_path):
    for path in ("/", "/gibtesnicht", "/static/base.css"):
        headers = ask(app, "GET", path, session).headers
        assert "script-src 'self';" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
    for path in ("../base.html.j2", "..%2f..%2fblocks.html.j2", "%2e%2e/x", "/etc/passwd"):
        assert status(app, "/static/" + path, session) == 404, path
    (tmp_path / "geheim.json").write_text("Geheim", encoding="utf-8")
    names = ["..", "../..", "%2e%2e", "....//", "20261122-080000-0123456789abcdef", "x" * 5000, "a\0b", "ä"]
    for name in names:
        for path in ("blaetter/{}/geheim.json", "blaetter/{}/alles.zip", "api/blaetter/{}", "vorschau/{}"):
            answer = ask(app, "GET", "/" + path.format(name), session)
            assert (answer.status, b"Geheim" in answer.body) == (404, False), (path, name)
        body = json.dumps({"blatt": name}).encode()
        assert status(app, "/api/oeffnen", session, "POST", body) in (404, 422), name
    for method in ("PUT", "PATCH", "TRACE", "OPTIONS", "DELETE"):
        assert status(app, "/", session, method) in (403, 405), method
    for path in ("/<b>wort", "/blaetter/<b>wort/y", "/einlass/<b>wort"):
        answer = ask(app, "GET", path, session)
        assert (answer.status in (403, 404), b"<b>wort" in answer.body) == (True, False), path


def test_beyond_this_computer_only_what_is_open(app, settings, session):
    gate = guard.only_open(app)
    for path in ("/", "/pruefen", "/stunden", "/api/stunden", "/einlass/" + settings.secret, "/blaetter"):
        assert status(gate, path, session) == 404, path
    assert "/stunde/" in guard.OPEN
    assert status(gate, "/static/base.css") == 200


@pytest.mark.parametrize("before", ["", "/papier"])
def test_behind_a_proxy_with_a_path(tmp_path, before):
    settings = Settings(folder=tmp_path, public="https://schule.example/papier", secret="x" * 30)
    app = create_app(settings)
    entered = ask(app, "GET", f"{before}/einlass/{settings.secret}", HOST)
    assert entered.headers["location"] == "/papier/"
    cookie, _, how = entered.headers["set-cookie"].partition(";")
    assert {"path=/papier", "secure"} <= set(how.lower().replace(" ", "").split(";"))
    start = ask(app, "GET", f"{before}/", HOST | {"cookie": cookie})
    assert start.status == 200
    assert 'href="/papier/static/base.css' in start.body.decode()


async def test_one_client_reaches_nothing_of_another(school, services, clients):
    mia, tom = clients

    async def said(path, headers, method="GET"):
        return await asked(school, method, path, headers)

    owner = client_of(mia["cookie"])
    name, folder = services.shelf.new(owner)
    (folder / "arbeitsblatt.pdf").write_bytes(b"%PDF")
    about = {"art": "blatt", "befehl": "", "seiten": 1, "minuten": 1, "be": 1}
    write_entry(folder, satz="Geheim", dateien=["arbeitsblatt.pdf"], **about)
    page = services.documents.put(owner, "<p>Geheim</p>")
    services.queue.add(Job("x", owner, partial(asyncio.sleep, 60)))
    of_sheet = [f"/blaetter/{name}/arbeitsblatt.pdf", f"/blaetter/{name}/alles.zip", f"/api/blaetter/{name}"]
    for path in (*of_sheet, f"/vorschau/{page}", f"/pruefen/{page}", f"/bericht/{page}", "/api/auftraege/x"):
        assert [(await said(path, each)).status for each in clients] == [200, 404], path
    assert [b"Geheim" in (await said("/blaetter", each)).body for each in clients] == [True, False]
    assert (await said("/api/auftraege", tom)).json == []
    for path in ("/api/auftraege/x", f"/api/blaetter/{name}"):
        assert (await said(path, tom, "DELETE")).status == 404
    assert folder.is_dir()
    assert (await said(f"/api/blaetter/{name}", mia, "DELETE")).status == 200
    assert not folder.exists()
    await services.queue.end()


def test_what_is_no_request_of_ours_is_one_sentence(app, session):
    bodies = [b"", b"{", b"[]", b"3", b'"x"', b"[" * 100_000, b"\xff\xfe", b'{"optionen": 3}']
    for path in ("/api/vorschau", "/api/oeffnen", "/api/datei/rechnung?datei=Namen.txt", "/api/pruefen/x"):
        for body in (*bodies, b'{"optionen": {"satz": 3}}'):
            answer = ask(app, "POST", path, session, body)
            assert answer.status == 422, (path, body[:20])
            assert answer.json["fehler"].endswith((".", "…"))
            assert "Traceback" not in answer.json["fehler"]
            assert "datei" not in path or "„Namen.txt“" in answer.json["fehler"]


def test_a_hostile_sentence_is_text_and_its_page_can_do_nothing(app, session):
    order = json.dumps({"optionen": {"satz": HOSTILE, "stationen": ["2"], "gewichte": "ganzzahlig"}})
    said = ask(app, "POST", "/api/vorschau", session, order.encode())
    assert said.headers["content-type"] == "application/json"
    shown = ask(app, "GET", f"/vorschau/{said.json['seite']}", session)
    assert (b"<script" in shown.body, b"&lt;script" in shown.body) == (False, True)
    policy = shown.headers["content-security-policy"]
    assert policy.startswith("sandbox allow-same-origin allow-modals; default-src 'none';")
    assert "script" not in policy

    name, folder = app.app.state.services.shelf.new("")
    (folder / "loesung.html").write_text("<script>x</script>", encoding="utf-8")
    about = {"art": "blatt", "seiten": 1, "minuten": 1, "be": 1}
    write_entry(folder, satz=HOSTILE, befehl=HOSTILE, dateien=["loesung.html"], **about)
    policy = ask(app, "GET", f"/blaetter/{name}/loesung.html", session).headers["content-security-policy"]
    assert policy.startswith("sandbox; default-src 'none';")
    listed = ask(app, "GET", "/blaetter", session).body
    assert (b"<script>x" in listed, b"&lt;script&gt;x" in listed) == (False, True)


def test_a_calculation_with_more_than_a_calculation_is_refused(app, session, monkeypatch):
    monkeypatch.setattr(app.app.state.services.sources, "put", lambda *_: pytest.fail("it is kept"))
    body = b'{"x": "' + b"x" * 9_000_000 + b'"}'
    said = ask(app, "POST", "/api/datei/rechnung", session, body)
    assert (said.status, "zu groß" in said.json["fehler"]) == (422, True)
