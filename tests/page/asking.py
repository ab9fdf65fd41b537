"""Asks an app without a network: one request in, one answer out."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from urllib.parse import quote


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
    parts = list(chunks if chunks is not None else [body])
    answer = Answer()

    async def receive():
        while not parts:
            await asyncio.sleep(3600)
        await asyncio.sleep(pause)
        part = parts.pop(0)
        return {"type": "http.request", "body": part, "more_body": bool(parts)}

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


def let_in(app, settings, **named):
    """The headers of a session: its cookie, and what our pages send along."""
    cookie = ask(app, "GET", f"/einlass/{settings.secret}", **named).headers["set-cookie"].partition(";")[0]
    return {"cookie": cookie, "x-papierformer": settings.csrf(client_of(cookie))}


def client_of(cookie):
    """Whose session it is."""
    return cookie.partition("=")[2].partition(".")[0]
