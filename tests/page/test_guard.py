"""Who gets in, and what is refused: hosts, sessions, other pages, sizes, rates; every answer's headers."""

import socket

import pytest

from generator.basics.errors import UserError
from generator.page import guard
from generator.page.server import create_app
from generator.page.settings import Settings
from tests.page.asking import ask, let_in


def test_only_the_address_that_was_opened_lets_in(app, settings):
    assert ask(app, "GET", "/").status == 401
    assert ask(app, "GET", "/einlass/" + settings.secret[:-1]).status == 403
    assert ask(app, "GET", "/einlass/ä").status == 403
    entered = ask(app, "GET", "/einlass/" + settings.secret)
    assert (entered.status, entered.headers["location"]) == (303, "/")
    cookie = entered.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "samesite=lax" in cookie.lower()
    assert ask(app, "GET", "/", {"cookie": cookie.partition(";")[0]}).status == 200


def test_who_has_no_address_is_shown_a_way_on(app, settings):
    assert 'action="/einlass/"' in ask(app, "GET", "/").body.decode()
    assert ask(app, "GET", f"/einlass/?adresse=x/einlass/{settings.secret} ").status == 303
    assert ask(app, "GET", "/einlass/?adresse=x").status == 403
    assert ask(app, "GET", "/static/base.css", {"host": "evil.example"}).status == 200


def test_what_is_too_large_or_no_calculation_is_called_by_its_name(app, session):
    large = {"content-length": "40000000"}
    said = ask(app, "POST", "/api/datei/rechnung?datei=gross.json", session | large).json["fehler"]
    assert said.replace("\N{NO-BREAK SPACE}", " ") == (
        "Die Datei „gross.json“ ist zu groß (40 MB); möglich sind höchstens 32 MB."
    )
    said = ask(app, "POST", "/api/datei/rechnung?datei=Namen.txt", session, b"{}")
    assert (said.status, said.json["fehler"]) == (
        422,
        "„Namen.txt“ ist nicht die Rechnung eines Blatts; nötig ist die Datei rechnung.json, so wie sie im "
        "Ordner des Blatts liegt.",
    )


def test_no_session_of_ones_own_making_or_of_another_run(app, session, tmp_path):
    for value in ("", "=", "=a.b", "=."):
        assert ask(app, "GET", "/", {"cookie": f"papierformer-8765{value}"}).status == 401
    assert ask(app, "GET", "/", session).status == 200
    assert ask(create_app(Settings(folder=tmp_path)), "GET", "/", session).status == 401


def test_a_name_elsewhere_that_points_here_reaches_nothing(app, session):
    for host in ("evil.example", "evil.example:8765", "127.0.0.1", "127.0.0.1:80", "localhost.evil:8765", ""):
        assert ask(app, "GET", "/", session | {"host": host}).status == 421, host


def test_other_pages_can_send_nothing_nor_can_the_mark_of_another_session(app, settings, session):
    for name, value in (
        ("origin", "http://evil.example"),
        ("origin", "null"),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("x-papierformer", ""),
        ("x-papierformer", "ä"),
        ("x-papierformer", let_in(app, settings)["x-papierformer"]),
    ):
        assert ask(app, "POST", "/api/vorschau", session | {name: value}, b"{}").status == 403, value


JOIN = "/stunde/api/AAAAAAA/stand"


@pytest.mark.parametrize("chunks", [None, 600])
def test_a_body_has_a_largest_size(app, settings, chunks):
    for size, status in ((500_000, 422), (600_000, 413)):
        parts = [b"x" * 1000] * (size // 1000)
        body = {"body": b"".join(parts)} if chunks is None else {"chunks": parts}
        answer = ask(app, "POST", JOIN, **body)
        assert answer.status == status
        assert answer.json["fehler"].endswith(".")


@pytest.mark.parametrize("chunks", [[], [b"x"] * 3])
def test_a_body_that_does_not_come_whole_is_not_waited_for(app, monkeypatch, chunks):
    monkeypatch.setattr(guard, "SECONDS_FOR_BODY", 0.1)
    answer = ask(app, "POST", JOIN, chunks=chunks, pause=0.06)
    assert (answer.status, answer.json["fehler"]) == (408, "Das hat zu lange gedauert.")


def test_whoever_asks_too_often_waits(app, settings):
    tries = [ask(app, "GET", "/einlass/falsch").status for _ in range(14)]
    assert tries[:10] == [403] * 10
    assert 429 in tries
    assert ask(app, "GET", "/einlass/" + settings.secret, address="10.0.0.7").status == 303
    staff = [ask(app, "GET", "/einlass/" + settings.secret).status for _ in range(40)]
    assert staff == [303] * 40, "who knows the secret does not pay for who guesses"


def test_every_answer_has_the_headers(app, session):
    for path in ("/", "/gibtesnicht", "/static/base.css"):
        headers = ask(app, "GET", path, session).headers
        assert "script-src 'self';" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
    for path in ("../base.html.j2", "..%2f..%2fblocks.html.j2", "%2e%2e/x", "/etc/passwd"):
        assert ask(app, "GET", "/static/" + path, session).status == 404, "no way out of the static files"


def test_beyond_this_computer_only_what_is_open(app, settings, session):
    gate = guard.only_open(app)
    for path in ("/", "/pruefen", "/stunden", "/api/stunden", "/einlass/" + settings.secret, "/blaetter"):
        assert ask(gate, "GET", path, session).status == 404, path
    assert "/stunde/" in guard.OPEN
    assert ask(gate, "GET", "/static/base.css").status == 200


@pytest.mark.parametrize("stripped", [True, False])
def test_behind_a_proxy_with_a_path(tmp_path, stripped):
    settings = Settings(folder=tmp_path, public="https://schule.example/papier", secret="x" * 30)
    app, host = create_app(settings), {"host": "schule.example"}
    before = "" if stripped else "/papier"
    entered = ask(app, "GET", f"{before}/einlass/{settings.secret}", host)
    assert entered.headers["location"] == "/papier/"
    cookie = entered.headers["set-cookie"]
    assert "Path=/papier;" in cookie
    assert "Secure" in cookie
    start = ask(app, "GET", f"{before}/", host | {"cookie": cookie.partition(";")[0]})
    assert start.status == 200
    assert 'href="/papier/static/base.css' in start.body.decode()


NO_ADDRESSES = (
    "schule.example", "ftp://schule.example", "https://", "https://[", "https://a b.example",
    "https://a.example:port", "https://a.example/ä", "https://u:p@a.example", "https://a.example/../x",
    "https://a.example/?x", "https://a.example/x#y", 'https://a.example/"><b>', "https://a.example//x",
    "https://bücher.example",
)  # fmt: skip


def test_an_address_that_is_none_is_said(tmp_path):
    for public in NO_ADDRESSES:
        with pytest.raises(UserError, match="--oeffentlich"):
            Settings(folder=tmp_path, public=public)


def test_a_second_program_on_the_same_port(refused):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        refused(f"--port={port}", f"--port {port} ist schon belegt")
