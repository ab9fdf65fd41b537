"""The page behind a real proxy, under a path: everything works, and nothing asks for what lies beside it."""

import shutil
import socket
import subprocess

import pytest
from playwright.sync_api import expect

from tests.page.papers import CODE
from tests.page.running import (
    PATIENCE,
    ROOT,
    SECRET,
    SMALL,
    Program,
    free_port,
    go,
    joined,
    made,
    settled,
    wait_until,
)

PLACES = ("nginx", "/usr/sbin/nginx", str(ROOT / ".setup/nginx/usr/sbin/nginx"))
NGINX = next(filter(None, map(shutil.which, PLACES)), None)
pytestmark = pytest.mark.skipif(NGINX is None, reason="no nginx here")
EXAMPLE = (ROOT / "templates/examples/server/nginx.conf").read_text(encoding="utf-8")
AROUND = """daemon off; pid {folder}/pid; error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    server {{ listen 127.0.0.1:{port}; {location} }}
}}"""


@pytest.fixture
def public(tmp_path):
    """The address under which nginx shows the page."""
    port, folder = free_port(), tmp_path / "nginx"
    folder.mkdir()
    address = f"http://127.0.0.1:{port}/papierformer"
    program = Program(tmp_path / "ablage", f"--oeffentlich={address}")
    location = EXAMPLE.replace("127.0.0.1:8765;", f"127.0.0.1:{program.port};")
    assert location != EXAMPLE
    settings = folder / "nginx.conf"
    settings.write_text(AROUND.format(folder=folder, port=port, location=location), encoding="utf-8")
    proxy = subprocess.Popen([NGINX, "-c", settings, "-e", folder / "error.log"])
    wait_until(lambda: proxy.poll() is not None or listens(port))  # it has only just been started
    yield address
    proxy.terminate()
    proxy.wait(60)
    program.end()


def listens(port):
    with socket.socket() as other:
        return other.connect_ex(("127.0.0.1", port)) == 0


def test_everything_works_under_a_path(public, chromium):
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(PATIENCE)
    asked, refused = [], []
    context.on("request", lambda request: asked.append(request.url))
    context.on("response", lambda answer: refused.append(answer.url) if answer.status >= 400 else None)
    page = context.new_page()
    context.request.get(f"{public}/einlass/{SECRET}")
    page.goto(public + SMALL)
    settled(page)
    at = made(page)
    assert at.startswith("/papierformer/blaetter/")
    sheet = page.request.get(public.removesuffix("/papierformer") + f"{at}/arbeitsblatt.pdf")
    assert sheet.body().startswith(b"%PDF")

    go(page, "Prüfen")
    page.fill("#code", CODE)
    page.get_by_role("button", name="Blatt öffnen").click()
    page.frame_locator("#rahmen iframe").locator("input.entry").first.fill("77")
    expect(page.locator("#fehlerliste")).to_contain_text("Ein Fehler")

    go(page, "Stunde")
    page.select_option("#blatt", "")  # not the sheet just made
    page.fill("#code", CODE)
    page.get_by_role("button", name="Stunde beginnen").click()
    shown = page.locator(".address").inner_text()
    assert f"http://{shown}".startswith(f"{public}/stunde/")
    pupil = joined(chromium, f"http://{shown}", "Igel")
    pupil.locator(".cell input").first.fill("77")
    expect(pupil.locator("div.station:not([hidden])")).to_contain_text("stimmt noch nicht")
    expect(page.locator("#kinder tbody tr")).to_have_count(1)

    assert refused == []
    assert [url for url in asked if not url.startswith((public + "/", "blob:", "data:"))] == []
    assert {cookie["path"] for cookie in context.cookies()} == {"/papierformer"}
    context.close()
    pupil.context.close()
