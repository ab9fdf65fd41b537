"""Asks an app without a network: one request in, one answer out; and a lesson with its teacher and pupils."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from urllib.parse import quote

from generator.basics.helpers import ThisProcess
from generator.page.server import create_app
from generator.page.settings import Settings
from tests.page.papers import CODE, index_of


@dataclass
class Answer:
    status: int = 0
    headers: dict = field(default_factory=dict)
    body: bytes = b""

    @property
    def json(self):
        return json.loads(self.body)


async def asked(app, method, path, headers=None, body=b"", address="127.0.0.1", chunks=None, pause=0):
    """headers: host is the page's own unless given. chunks: the body in parts, without a length,
    each after a pause.
    """
    headers = {"host": "127.0.0.1:8765"} | {k.lower(): v for k, v in (headers or {}).items()}
    if chunks is None and body:
        headers.setdefault("content-length", str(len(body)))
    path, _, query = path.partition("?")
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": quote(path).encode(),
        "query_string": query.encode(),
        "root_path": "",
        "scheme": "http",
        "http_version": "1.1",
        "client": (address, 40_000),
        "server": ("127.0.0.1", 8765),
        "headers": [(k.encode(), v.encode()) for k, v in headers.items()],
    }
    parts, answer = list(chunks if chunks is not None else [body]), Answer()

    async def receive():
        while not parts:
            await asyncio.sleep(3600)
        await asyncio.sleep(pause)
        return {"type": "http.request", "body": parts.pop(0), "more_body": bool(parts)}

    async def send(message):
        if message["type"] == "http.response.start":
            answer.status = message["status"]
            answer.headers = {k.decode(): v.decode() for k, v in message["headers"]}
        else:
            answer.body += message.get("body", b"")

    await app(scope, receive, send)
    return answer


def in_own_loop(coroutine):
    """Runs in a thread: a browser of the same tests keeps a loop running in the main one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


def ask(*arguments, **named):
    return in_own_loop(asked(*arguments, **named))


def session_of(entered, settings):
    """The headers of who was let in by this answer: the cookie, and what our pages send along."""
    cookie = entered.headers["set-cookie"].partition(";")[0]
    return {"cookie": cookie, "x-papierformer": settings.csrf(client_of(cookie))}


def let_in(app, settings, **named):
    return session_of(ask(app, "GET", f"/einlass/{settings.secret}", **named), settings)


def client_of(cookie):
    """Whose session it is."""
    return cookie.partition("=")[2].partition(".")[0]


class Class:
    """An app with one teacher; all requests of a test run in one event loop."""

    def __init__(self, folder):
        self.settings = Settings(folder=folder, secret="s" * 24, public="https://schule.example")
        self.app = create_app(self.settings, ThisProcess)
        self.room, self.services, self.session = self.app.app.state.room, self.app.app.state.services, None

    async def teacher(self, method, path, body=None):
        if not self.session:
            entered = await self.ask("GET", f"/einlass/{self.settings.secret}")
            self.session = session_of(entered, self.settings)
        return await self.ask(method, path, self.session, body)

    async def ask(self, method, path, headers=None, body=b"", address="127.0.0.1"):
        """body: as it is sent, or as JSON."""
        sent = body if isinstance(body, bytes) else json.dumps(body).encode()
        return await asked(
            self.app, method, path, {"host": "schule.example"} | (headers or {}), sent, address
        )

    async def begin(self, feedback="hilfe"):
        said = {"code": CODE, "rueckmeldung": feedback}
        return (await self.teacher("POST", "/api/stunden", said)).json["stunde"]

    async def join(self, lesson, animal, sheet=""):
        said = {"tier": animal, "blatt": sheet}
        return (await self.ask("POST", f"/stunde/api/{lesson}/rein", body=said)).json["marke"]

    async def begun(self):
        """Code of a lesson, the mark of a pupil who is in, and name and place of the first cell."""
        lesson = await self.begin()
        mark, found = await self.join(lesson, "Igel"), await self.room.lessons.find(lesson)
        return lesson, mark, [fields(found)[0][key] for key in ("name", "stelle")]

    async def write(self, lesson, mark, answers, station="4a"):
        body = {"marke": mark, "station": station, "antworten": answers}
        return await self.ask("POST", f"/stunde/api/{lesson}/antworten", body=body)

    async def judged(self, lesson):
        """Waits until every paper is judged."""
        await asyncio.wait_for(self.room.lessons.judge.finished(), 60)
        return (await self.teacher("GET", f"/api/stunden/{lesson}")).json


def tasks(found, number=""):
    return [task for each in found.sheets[number].exercises["stationen"] for task in each["aufgaben"]]


def fields(found, number=""):
    return [field for task in tasks(found, number) for field in task["felder"]]


def texts(found, values, number=""):
    """What a pupil types who has these numbers: [name, place, text, number] of each cell."""
    answers = []
    for each in fields(found, number):
        number = round(float(values[each["name"]][index_of(each["stelle"])]), 4)
        answers.append([each["name"], each["stelle"], f"{number:g}".replace(".", ","), len(answers) + 1])
    return answers


def run(scenario, folder):
    async def whole():
        room = Class(folder)
        try:
            await scenario(room)
        finally:
            await room.room.lessons.close()

    in_own_loop(whole())
