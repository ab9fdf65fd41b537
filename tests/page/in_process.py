"""A lesson without a network: a page, its teacher and its pupils in one event loop."""

import asyncio
import json

from generator.basics.helpers import ThisProcess
from generator.page.server import create_app
from generator.page.settings import Settings
from tests.page.asking import asked, client_of, in_own_loop
from tests.page.papers import CODE, index_of


class Class:
    """An app with one teacher; all requests of a test run in one event loop."""

    def __init__(self, folder, secret="s" * 24):
        self.settings = Settings(folder=folder, secret=secret, public="https://schule.example")
        self.app = create_app(self.settings, ThisProcess)
        self.room = self.app.app.state.room

    async def teacher(self, method, path, body=None):
        if not hasattr(self, "session"):
            cookie = (await self.ask("GET", f"/einlass/{self.settings.secret}")).headers["set-cookie"]
            cookie = cookie.partition(";")[0]
            self.session = {"cookie": cookie, "x-papierformer": self.settings.csrf(client_of(cookie))}
        return await self.ask(method, path, self.session, body)

    async def ask(self, method, path, headers=None, body=None, address="127.0.0.1"):
        sent = b"" if body is None else json.dumps(body).encode()
        host = {"host": "schule.example"}
        return await asked(self.app, method, path, host | (headers or {}), sent, address)

    async def raw(self, method, path, body, headers=None):
        return await asked(self.app, method, path, {"host": "schule.example"} | (headers or {}), body)

    async def begin(self, feedback="hilfe"):
        return (await self.teacher("POST", "/api/stunden", {"code": CODE, "rueckmeldung": feedback})).json[
            "stunde"
        ]

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

    async def end(self):
        await self.room.lessons.close()


def fields(found, number=""):
    return [f for s in exercises(found, number)["stationen"] for a in s["aufgaben"] for f in a["felder"]]


def exercises(found, number=""):
    return found.sheets[number].exercises


def texts(found, values, number=""):
    """What a pupil types who has these numbers: [name, place, text, number] of each cell."""
    answers = []
    for each in fields(found, number):
        number = round(float(values[each["name"]][index_of(each["stelle"])]), 4)
        answers.append([each["name"], each["stelle"], f"{number:g}".replace(".", ","), len(answers) + 1])
    return answers


def run(scenario, folder):
    async def whole():
        lesson = Class(folder)
        try:
            await scenario(lesson)
        finally:
            await lesson.end()

    in_own_loop(whole())
