"""All that the routes share in one run: settings, shelf, workers, queue, what was shown last, templates.

And how what a teacher types or chooses, a mark, a name, a code or a place on the shelf, becomes a sheet.
"""

import json
import os
import secrets
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from generator.basics.errors import UserError, quoted
from generator.basics.templates import environment
from generator.page.settings import Settings
from generator.page.shelf import NOT_OURS, AbsentError, Shelf, is_mark, means, sheets_of
from generator.page.workers import FairQueue, Workers, calculating, one_process
from generator.version import VERSION

_MOST_PAGES: Final = 24  # of about a megabyte at most
_MOST_SOURCES: Final = 12
MOST_LETTERS: Final = 100_000_000
_MOST_WINDOWS: Final = 1000
API: Final = ("/api/", "/stunde/api/")
# A sheet's page brings its own styles and fonts; nothing of it runs or is fetched. It may be printed.
FRAMED: Final = (
    "sandbox allow-same-origin allow-modals; default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    "font-src data:; frame-ancestors 'self'"
)
_PROCESSORS: Final = os.cpu_count() or 1


class Documents:
    """Texts that were just made, for a frame or a later check: the last ones, each only to who asked.

    most: of one client. Where all together are too many, the client who has most of them loses the oldest.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: dict[str, OrderedDict[str, str]] = {}
        self._letters: Counter[str] = Counter()

    def put(self, client: str, html: str) -> str:
        """The name under which it can be fetched."""
        name = secrets.token_urlsafe(12)
        self._kept.setdefault(client, OrderedDict())[name] = html
        self._letters[client] += len(html)
        if len(self._kept[client]) > self._most:
            self._forget(client)
        while self._letters.total() > MOST_LETTERS:
            self._forget(max(self._letters, key=self._letters.__getitem__))
        return name

    def get(self, name: str, client: str) -> str:
        """AbsentError for what is forgotten, or another's."""
        if name not in self._kept.get(client, ()):
            raise AbsentError(name)
        self._kept[client].move_to_end(name)
        return self._kept[client][name]

    def _forget(self, client: str) -> None:
        _, html = self._kept[client].popitem(last=False)
        self._letters[client] -= len(html)
        if not self._kept[client]:
            del self._kept[client], self._letters[client]


@dataclass
class Services:
    """previews, checks, lessons, printing, pages: processes for each, so that none waits for another.

    documents: pages for frames. sources: the sheets that are open for checking.
    """

    settings: Settings
    make_worker: Callable[[], Executor] = one_process
    documents: Documents = field(default_factory=lambda: Documents(_MOST_PAGES))
    sources: Documents = field(default_factory=lambda: Documents(_MOST_SOURCES))
    _newest: OrderedDict[str, object] = field(default_factory=OrderedDict)

    def __post_init__(self) -> None:
        at_once = max(1, _PROCESSORS // 2)
        self.shelf = Shelf(self.settings.folder)
        # On one's own computer what is typed now does not wait for what was typed before.
        typed = (max(2, at_once), max(1, at_once // 2)) if self.settings.shared else (max(3, at_once), 2)
        self.previews = Workers(*typed, calculating)
        self.checks = Workers(max(2, at_once), max(1, at_once // 2), self.make_worker)
        self.lessons = Workers(2, make=self.make_worker)
        self.printing = Workers(at_once, make=self.make_worker)
        self.pages = Workers(1, make=self.make_worker)
        self.queue = FairQueue(at_once)

    def newest(self, window: str) -> Callable[[], bool]:
        """To be asked whether a window wants nothing newer than what it asks for now."""
        own = object()
        self._newest.pop(window, None)
        self._newest[window] = own
        if len(self._newest) > _MOST_WINDOWS:
            self._newest.popitem(last=False)
        return lambda: self._newest.get(window, own) is own

    def owner(self, client: str) -> str:
        """Whose sheets a client sees: on a server his own, on one's own computer all."""
        return client if self.settings.shared else ""

    async def end(self) -> None:
        """Stops all work."""
        await self.queue.end()
        for workers in (self.previews, self.checks, self.lessons, self.printing, self.pages):
            await workers.end()


def services_of(request: Request) -> Services:
    services: Services = request.app.state.services
    return services


def client_of(request: Request) -> str:
    """Who asks; the guard has seen to it."""
    return str(request.state.client)


def owner_of(request: Request) -> str:
    return services_of(request).owner(client_of(request))


async def sent(request: Request) -> dict[str, Any]:
    """The JSON object that a script sent. UserError for anything else, such as halves of characters."""
    try:
        said = await request.json()
        json.dumps(said, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise UserError(NOT_OURS) from error
    if not isinstance(said, dict) or b"\\u0000" in await request.body():
        raise UserError(NOT_OURS)
    return said


# --- what is answered ----------------------------------------------------------


def rendered(name: str, *, prefix: str, csrf: str = "", status: int = 200, **context: Any) -> Response:
    """A page; prefix: before every path in it. csrf: what its scripts send along."""
    template = environment("page").get_template(name)
    context.setdefault("shared", False)
    return HTMLResponse(
        template.render(base=prefix, csrf=csrf, version=VERSION, status=status, **context), status
    )


def shown(request: Request, template: str, *, here: str, **context: Any) -> Response:
    """A page for this session. here: which entry of the navigation this is."""
    settings = services_of(request).settings
    csrf = settings.csrf(client_of(request))
    return rendered(template, prefix=settings.prefix, csrf=csrf, here=here, shared=settings.shared, **context)


def framed(html: str, policy: str = FRAMED) -> Response:
    """A document that a worker has made, under a policy of its own."""
    return HTMLResponse(html, headers={"content-security-policy": policy})


def put_aside(request: Request, said: dict[str, Any], *names: str) -> dict[str, Any]:
    """What a worker said; documents in it can be fetched and their names stand there: „html“ as „seite“."""
    put, client = services_of(request).documents.put, client_of(request)
    shown = {"seite" if name == "html" else name: put(client, said[name]) for name in names}
    return {name: each for name, each in said.items() if name not in names} | shown


def as_table(csv: str) -> Response:
    """The result of a class for a spreadsheet."""
    headers = {"content-disposition": 'attachment; filename="klasse.csv"'}
    return Response(csv, media_type="text/csv; charset=utf-8", headers=headers)


def refusal(request: Request, status: int, sentence: str, prefix: str = "", field: str = "") -> Response:
    """One sentence: as JSON for scripts, as a page for people. field: of the form, that it speaks of."""
    if request.scope["path"].startswith(API):
        return JSONResponse({"fehler": sentence} | ({"feld": field} if field else {}), status)
    return rendered("refusal.html.j2", prefix=prefix, status=status, sentence=sentence, here="")


_LONGEST_CODE: Final = 2000


def found(request: Request, typed: str) -> list[dict[str, Any]]:
    """Where sheets of this mark, or of this pupil, lie, the newest first, each with what it is.

    Of single sheets the newest: one mark means the same numbers.
    """
    name = typed.strip().casefold()
    entries = services_of(request).shelf.entries(owner_of(request)) if name else []
    sheets: list[dict[str, Any]] = []
    for entry in entries:
        if entry.get("blatt") and means(name, entry["blatt"]) and not any("blatt" in each for each in sheets):
            sheets.append({"blatt": entry["name"], "titel": f"Einzelnes Blatt vom {entry['am']}"})
        for each in entry.get("blaetter", ()):
            called = each["name"].casefold()
            if means(name, each["blatt"]) or name in (called, *called.split()):
                of = f"{each['name']}, Blatt {each['blatt']}" if each["name"] else f"Nummer {each['nummer']}"
                titel = f"Klassensatz vom {entry['am']}: {of}"
                sheets.append({"klasse": entry["name"], "zuerst": each["nummer"], "titel": titel})
    return sheets


def source_of(request: Request, asked: Mapping[str, Any]) -> dict[str, str]:
    """What a worker opens: the sheet of a code, or one of the shelf, by its place there or its short name.

    UserError where none is named.
    """
    code = str(asked.get("code", "")).strip()
    if earlier := str(asked.get("blatt", "")):
        return _calculation(on_shelf(request, earlier, "rechnung.json"))
    if of_class := str(asked.get("klasse", "")):
        manifest, number = on_shelf(request, of_class, "klassensatz.json"), str(asked.get("nummer"))
        path = manifest.parent / "rechnungen" / f"{number}.json"
        if not number.isascii() or not number.isdigit() or not path.is_file():
            raise AbsentError(number)
        return _calculation(path)
    if not code or len(code) > _LONGEST_CODE:
        raise UserError("Bitte geben Sie den Kurznamen oder den Code ein, der unten auf dem Blatt steht.")
    for each in found(request, code):
        return source_of(request, {**each, "nummer": each.get("zuerst")})
    if is_mark(code):
        raise UserError(
            f"Ein Blatt {quoted(code.upper())} ist unter den früheren Blättern nicht dabei; dann hilft der "
            "lange Code oder die Datei rechnung.json."
        )
    from generator.options.sheet_code import SHORTEST  # it brings NumPy

    if len(code) < SHORTEST or not any(map(str.isdigit, code)):
        raise UserError(
            f"{quoted(code)} ist kein Kurzname (vier Zeichen) und kein Code; beide stehen unten auf dem "
            "Blatt. In Ihren Klassensätzen heißt auch niemand so."
        )
    return {"code": code}


def class_of(request: Request, asked: Mapping[str, Any]) -> dict[str, tuple[dict[str, str], str]]:
    """Source and mark of every sheet of a class set, by its place or one of its sheets; {} for none."""
    name = str(asked.get("klasse", ""))
    if not name and "blatt" not in asked:
        name = next((each.get("klasse", "") for each in found(request, str(asked.get("code", "")))), "")
    if not name:
        return {}
    return {
        str(each["nummer"]): (source_of(request, {"klasse": name, "nummer": each["nummer"]}), each["blatt"])
        for each in sheets_of(on_shelf(request, name, "klassensatz.json"))
    }


def on_shelf(request: Request, name: str, file: str) -> Path:
    """A file of a sheet of this teacher."""
    return services_of(request).shelf.file(name, file, owner_of(request))


def _calculation(path: Path) -> dict[str, str]:
    return {"rechnung": path.read_text(encoding="utf-8")}
