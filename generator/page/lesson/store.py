"""Lessons and what pupils wrote go in, and come out again after whatever happened in between.

SQLite in a file of the page's folder (WAL, one connection, so one writer), or PostgreSQL for a server of many
schools: the same statements. A database has a name of its own, which the page's folder knows too: another
one, or an empty one, is never taken for it. What a method has written is on disk when it returns; where that
is not sure it raises StoreError. To be used by one thread; only `break_off` may be called by another.
"""

import secrets
import time
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Final

from generator.basics.atomic_write import write_file
from generator.basics.errors import shown_path
from generator.basics.reading import reason
from generator.page.lesson.databases import PostgresDatabase, SqliteDatabase, StoreError

_NAME: Final = "stunden.name"
POSTGRES: Final = ("postgresql://", "postgres://")
_TABLES: Final = (
    "CREATE TABLE IF NOT EXISTS lesson (code TEXT PRIMARY KEY, owner TEXT NOT NULL, source TEXT NOT NULL, "
    "sentence TEXT NOT NULL, feedback TEXT NOT NULL, begun DOUBLE PRECISION NOT NULL, "
    "ended DOUBLE PRECISION)",
    "CREATE TABLE IF NOT EXISTS pupil (token TEXT PRIMARY KEY, animal TEXT NOT NULL, station TEXT NOT NULL, "
    "seen DOUBLE PRECISION NOT NULL, lesson TEXT NOT NULL REFERENCES lesson (code) ON DELETE CASCADE, "
    "UNIQUE (lesson, animal))",
    "CREATE TABLE IF NOT EXISTS answer (pupil TEXT NOT NULL REFERENCES pupil (token) ON DELETE CASCADE, "
    "name TEXT NOT NULL, place TEXT NOT NULL, text TEXT NOT NULL, number BIGINT NOT NULL, "
    "PRIMARY KEY (pupil, name, place))",
    "CREATE TABLE IF NOT EXISTS own_sheet (number TEXT NOT NULL, "
    "pupil TEXT PRIMARY KEY REFERENCES pupil (token) ON DELETE CASCADE)",
    "CREATE TABLE IF NOT EXISTS own_name (name TEXT PRIMARY KEY)",
    "CREATE INDEX IF NOT EXISTS lesson_of_owner ON lesson (owner, begun)",
    "CREATE INDEX IF NOT EXISTS lesson_open ON lesson (begun) WHERE ended IS NULL",
)
_LESSON: Final = "code, owner, source, sentence, feedback, begun, ended"
_WRITE: Final = (
    "INSERT INTO answer (pupil, name, place, text, number) VALUES (?, ?, ?, ?, ?) "
    "ON CONFLICT (pupil, name, place) DO UPDATE SET text = excluded.text, number = excluded.number "
    "WHERE excluded.number > answer.number"
)


class FullError(Exception):
    """There are as many pupils as there may be."""


@dataclass(frozen=True)
class Lesson:
    """source: of its sheets, as JSON. feedback: what pupils are told, "nichts", "urteil" or "hilfe"."""

    code: str
    owner: str
    source: str
    sentence: str
    feedback: str
    begun: float
    ended: float | None = None

    @property
    def day(self) -> str:
        return time.strftime("%d.%m.%Y, %H:%M", time.localtime(self.begun))


@dataclass(frozen=True)
class Pupil:
    """token: who has it, is this pupil. seen: when something last came. sheet: its number in a class set."""

    token: str
    animal: str
    station: str
    seen: float
    lesson: str
    sheet: str = ""


@dataclass(frozen=True)
class StoredAnswer:
    """What stands in a cell. number: counts this pupil's changes, so that an older one never wins."""

    name: str
    place: str
    text: str
    number: int


class Store:
    """address: "" or a path for SQLite, postgresql://… for a server. UserError where it cannot be opened.

    folder: the page's own, which knows the database's name.
    """

    def __init__(self, address: str, folder: Path) -> None:
        self._known = folder / _NAME
        self._name = known_name(folder)
        on_server = address.startswith(POSTGRES)
        self._database: PostgresDatabase | SqliteDatabase = (
            PostgresDatabase(address) if on_server else SqliteDatabase(_path(address, folder), not self._name)
        )

    def prepare(self) -> None:
        """Makes the tables where they are not there yet. StoreError for a database that is another one."""
        rows = self._database.rows
        if self._name:
            names = rows("SELECT name FROM own_name") if self._database.has("own_name") else []
            if names != [(self._name,)]:
                raise StoreError(
                    "Die Datenbank der Stunden ist leer oder eine andere als bisher. "
                    f"{self._database.mended()} Soll diese gelten, löschen Sie {shown_path(self._known)}."
                )
        with self._database.together():
            for table in _TABLES:
                rows(table)
            if not rows("SELECT name FROM own_name"):
                rows("INSERT INTO own_name VALUES (?)", (secrets.token_hex(16),))
            ((name,),) = rows("SELECT name FROM own_name")
        if name != self._name:
            self._name = name
            try:
                self._known.parent.mkdir(parents=True, exist_ok=True)
                write_file(self._known, name.encode())
                self._known.chmod(0o600)
            except OSError as error:
                raise StoreError(
                    f"{shown_path(self._known)} lässt sich nicht schreiben: {reason(error)}."
                ) from error

    def look_after(self) -> None:
        """Checks what is there, and keeps a copy of it. StoreError where it is damaged."""
        self._database.check()
        self._database.keep_copy()

    def close(self) -> None:
        self._database.close()

    def break_off(self) -> None:
        """Whatever is being waited for fails."""
        self._database.break_off()

    # --- lessons -------------------------------------------------------------------

    def begin(self, lesson: Lesson) -> None:
        values = astuple(lesson)
        self._database.rows(f"INSERT INTO lesson ({_LESSON}) VALUES (?, ?, ?, ?, ?, ?, ?)", values)

    def lesson(self, code: str) -> Lesson | None:
        rows = self._database.rows(f"SELECT {_LESSON} FROM lesson WHERE code = ?", (code,))
        return Lesson(*rows[0]) if rows else None

    def lessons(self, owner: str, most: int = 200) -> list[Lesson]:
        """The newest of an owner, the newest first, without their sheets."""
        rows = self._database.rows(
            f"SELECT {_LESSON.replace('source', '? AS source')} FROM lesson WHERE owner = ? "
            "ORDER BY begun DESC LIMIT ?",
            ("", owner, most),
        )
        return [Lesson(*row) for row in rows]

    def end(self, code: str) -> None:
        self._database.rows(
            "UPDATE lesson SET ended = ? WHERE code = ? AND ended IS NULL", (time.time(), code)
        )

    def end_older(self, begun: float) -> None:
        """Lessons that nobody has ended."""
        self._database.rows(
            "UPDATE lesson SET ended = ? WHERE ended IS NULL AND begun < ?", (time.time(), begun)
        )

    def delete(self, code: str) -> None:
        """The lesson with all that was written in it; nothing of it stays in the file (SQLite)."""
        self._database.rows("DELETE FROM lesson WHERE code = ?", (code,))
        self._database.forget()

    # --- pupils --------------------------------------------------------------------

    def join(self, pupil: Pupil, most: int) -> None:
        """Raises TakenError, FullError for more than `most` pupils, GoneError."""
        *values, sheet = astuple(pupil)
        with self._database.together():
            ((there,),) = self._database.rows("SELECT count(*) FROM pupil WHERE lesson = ?", (pupil.lesson,))
            if there >= most:
                raise FullError
            self._database.rows(
                "INSERT INTO pupil (token, animal, station, seen, lesson) VALUES (?, ?, ?, ?, ?)", values
            )
            if sheet:
                self._database.rows("INSERT INTO own_sheet VALUES (?, ?)", (sheet, pupil.token))

    def remove(self, token: str) -> None:
        """A pupil with all that he wrote."""
        self._database.rows("DELETE FROM pupil WHERE token = ?", (token,))
        self._database.forget()

    def pupils(self, code: str) -> list[Pupil]:
        rows = self._database.rows(
            "SELECT token, animal, station, seen, lesson, COALESCE(number, '') FROM pupil "
            "LEFT JOIN own_sheet ON own_sheet.pupil = pupil.token WHERE lesson = ? ORDER BY animal",
            (code,),
        )
        return [Pupil(*row) for row in rows]

    def write(self, token: str, station: str, answers: Sequence[StoredAnswer]) -> None:
        """All of them or none; sent twice, they stand there once. Raises GoneError."""
        with self._database.together():
            self._database.rows(
                "UPDATE pupil SET seen = ?, station = ? WHERE token = ?", (time.time(), station, token)
            )
            self._database.many(_WRITE, [(token, a.name, a.place, a.text, a.number) for a in answers])

    def answers(self, token: str) -> list[StoredAnswer]:
        rows = self._database.rows(
            "SELECT name, place, text, number FROM answer WHERE pupil = ? ORDER BY number", (token,)
        )
        return [StoredAnswer(*row) for row in rows]


def is_there(address: str, folder: Path) -> bool:
    """Whether there may be lessons of an earlier run, or should be."""
    return bool(address.startswith(POSTGRES) or known_name(folder)) or _path(address, folder).exists()


def known_name(folder: Path) -> str:
    """The name of the database that this folder has had; "" for none."""
    try:
        return (folder / _NAME).read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def _path(address: str, folder: Path) -> Path:
    return Path(address) if address else folder / "stunden.db"
