"""What tests need to know of the page that runs, and what a teacher does on it again and again."""

import base64
import contextlib
import http.client
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from playwright.sync_api import expect

ROOT = Path(__file__).resolve().parents[2]
SECRET = "ein-geheimnis-fuer-tests"
PATIENCE = 180_000  # ms; a busy machine is no finding
HELD = re.compile("wart|bleiben auf diesem Handy")  # what a phone says of numbers that have not arrived


def linked(**options):
    """The page's path with a sheet of these options."""
    order = json.dumps({"optionen": options})
    return f"/#blatt={base64.urlsafe_b64encode(order.encode()).decode()}"


def small(sentence, gewichte="ganzzahlig"):
    """The same with one station; „/“ itself begins with a whole booklet, for which a model is trained."""
    return linked(satz=sentence, stationen=["2"], gewichte=gewichte)


SENTENCE = "Die Katze schläft"
SMALL = small(SENTENCE)
WORKS = ("wartet", "läuft")  # how a job stands that is not done


def wait_until(holds, seconds=120):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


class Program:
    """The page as a process that can be killed and started again on the same port and folder."""

    def __init__(self, folder, *options, files=None):
        """files: how many it may have open."""
        self.port = free_port()
        self.folder, self.options = folder, options
        self.limited = ["sh", "-c", f'ulimit -n {files}; exec "$@"', "sh"] if files else []
        self.log = folder.with_name(f"{folder.name}-{self.port}.log")
        self.start()

    def start(self):
        command = [sys.executable, "-m", "generator", "seite", "--ohne-browser", f"--port={self.port}"]
        with self.log.open("a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [*self.limited, *command, f"--ablage={self.folder}", *self.options],
                cwd=ROOT,
                env=os.environ | {"PAPIERFORMER_SCHLUESSEL": SECRET},
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        self.said = self.process.stdout.readline()
        assert "Papierformer läuft" in self.said

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()

    def end(self):
        self.process.terminate()
        self.process.wait(60)
        self.process.stdout.close()

    @property
    def base(self):
        return f"http://127.0.0.1:{self.port}"

    @property
    def entrance(self):
        return f"{self.base}/einlass/{SECRET}"


class Teacher:
    """A teacher's session, without a browser."""

    def __init__(self, base):
        self.base = base
        self.cookies = urllib.request.HTTPCookieProcessor()
        self.opener = urllib.request.build_opener(self.cookies)
        self.csrf = re.search(r'name="csrf" content="([0-9a-f]+)"', self.page(f"/einlass/{SECRET}"))[1]

    @property
    def headers(self):
        cookies = "; ".join(f"{each.name}={each.value}" for each in self.cookies.cookiejar)
        return {"X-Papierformer": self.csrf, "Cookie": cookies}

    def page(self, path):
        return self.opener.open(self.base + path, timeout=60).read().decode()

    def ask(self, path, body=None, raw=None, method=None):
        data = raw if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, self.headers, method=method)
        return json.loads(self.opener.open(request, timeout=120).read())

    def status(self, path, body=None, raw=None):
        """What an answer is that may be a refusal."""
        try:
            self.ask(path, body, raw)
        except urllib.error.HTTPError as error:
            error.close()
            return error.code
        return 200

    def made(self, order):
        """What was ordered, when it is done."""
        job = self.ask("/api/blatt", order)
        path = f"/api/auftraege/{job['name']}"
        wait_until(lambda: self.ask(path)["stand"] not in WORKS)
        return self.ask(path)

    def lesson(self, code, feedback="urteil"):
        """Code of a lesson that was begun, and where its phones come in, as in a Host header."""
        begun = self.ask("/api/stunden", {"code": code, "rueckmeldung": feedback})["stunde"]
        shown = re.search(r'class="address"><strong>([^<]*)/<wbr>', self.page(f"/stunden/{begun}"))[1]
        return begun, shown.removesuffix("/stunde")


def lesson_begun(program, chromium, code, feedback):
    """The teacher's page of a lesson that was begun with a sheet's code."""
    teacher = chromium.new_context().new_page()
    teacher.set_default_timeout(PATIENCE)
    teacher.context.request.get(f"{program.base}/einlass/{SECRET}")  # the cookie alone: „/“ makes a preview
    teacher.goto(f"{program.base}/stunden")
    teacher.select_option("#blatt", "")  # another test may have made a sheet, which would be chosen
    teacher.fill("#code", code)
    teacher.check(f"input[value={feedback}]")
    teacher.get_by_role("button", name="Stunde beginnen").click()
    expect(teacher.locator("#klasse-titel")).to_be_visible()
    return teacher


def joined(chromium, address, animal):
    """The page of a pupil who has come in as this animal."""
    context = chromium.new_context(viewport={"width": 360, "height": 740}, locale="de-DE")
    context.set_default_timeout(PATIENCE)
    pupil = context.new_page()
    pupil.goto(address)
    choice = pupil.locator(f"[data-animal='{animal}']")
    if not choice.is_visible():
        pupil.click("#rein summary")
    choice.click()
    expect(pupil.locator("#blatt")).to_be_visible()
    return pupil


def stored(folder, lesson="%"):
    """What stands in the store of a lesson, or of all: number and text by animal and cell."""
    asked = (
        "SELECT animal, name, place, number, text FROM answer JOIN pupil ON pupil = token WHERE lesson LIKE ?"
    )
    with contextlib.closing(sqlite3.connect(f"file:{folder / 'stunden.db'}?mode=ro", uri=True)) as database:
        rows = database.execute(asked, [lesson])
        return {(animal, name, place): (number, text) for animal, name, place, number, text in rows}


def texts_stored(folder, lesson="%"):
    return sorted(text for _, text in stored(folder, lesson).values())


def settled(page):
    """Waits until the preview shows what was typed last."""
    expect(page.locator("#stand")).to_have_text("")
    expect(page.locator("#rahmen.stale")).to_have_count(0)


def go(page, name):
    """To another page of the program."""
    page.get_by_role("navigation", name="Seiten").get_by_role("link", name=name, exact=True).click()


def preview(page):
    return page.frame_locator("#rahmen iframe:not(.next)")


def made(page, link="Arbeitsblatt"):
    """Has the sheet made; where its files are."""
    page.click("#herstellen")
    found = page.locator("#auftraege").get_by_role("link", name=link, exact=True)
    expect(found.first).to_be_visible()
    return found.first.get_attribute("href").rpartition("/")[0]


@contextlib.contextmanager
def connected(port, number, sent=b"", source="127.0.0.1"):
    """So many connections, each of which says this and nothing more; source: one of this computer's."""
    made = []
    try:
        for _ in range(number):
            with contextlib.suppress(OSError):
                made.append(socket.create_connection(("127.0.0.1", port), 5, (source, 0)))
                made[-1].sendall(sent)
        yield made
    finally:
        for each in made:
            each.close()


def seconds_for(port, path, host, source="127.0.0.1"):
    """How long a request takes that somebody else sends; its status."""
    begun = time.perf_counter()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20, source_address=(source, 0))
    connection.request("GET", path, headers={"Host": host})
    status = connection.getresponse().status
    connection.close()
    return time.perf_counter() - begun, status
