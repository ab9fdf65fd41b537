"""Lessons and what pupils wrote go in, and come out again after whatever happened in between.

SQLite in a file of the page's folder (WAL, one connection, so one writer), or PostgreSQL for a server of many
schools: the same statements. What a method has written is on disk when it returns. To be used by one thread.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from generator.basics.errors import UserError, quoted

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
)
_WRITE: Final = (
    "INSERT INTO answer (pupil, name, place, text, number) VALUES (?, ?, ?, ?, ?) "
    "ON CONFLICT (pupil, name, place) DO UPDATE SET text = excluded.text, number = excluded.number "
    "WHERE excluded.number > answer.number"
)


class TakenError(Exception):
    """Somebody in the lesson has this animal already."""


@dataclass(frozen=True)
class Lesson:
    """source: of its sheet, as JSON. feedback: what pupils are told, "nichts", "urteil" or "hilfe"."""

    code: str
    owner: str
    source: str
    sentence: str
    feedback: str
    begun: float
    ended: float | None = None


@dataclass(frozen=True)
class Pupil:
    """token: who has it, is this pupil. seen: when something last came."""

    token: str
    animal: str
    station: str
    seen: float
    lesson: str


@dataclass(frozen=True)
class Answer:
    """What stands in a cell. number: counts this pupil's changes, so that an older one never wins."""

    name: str
    place: str
    text: str
    number: int


class _Database(Protocol):
    taken: type[Exception]

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[Any]: ...
    def many(self, statement: str, values: Sequence[Sequence[Any]]) -> None: ...
    def together(self) -> contextlib.AbstractContextManager[Any]: ...
    def close(self) -> None: ...


class Store:
    """address: "" or a path for SQLite, postgresql://… for a server. UserError where it cannot be opened."""

    def __init__(self, address: str, folder: Path) -> None:
        self._database: _Database = (
            _postgres(address) if address.startswith(POSTGRES) else _sqlite(_path(address, folder))
        )
        with self._database.together():
            for table in _TABLES:
                self._database.rows(table)

    def close(self) -> None:
        self._database.close()

    # --- lessons -------------------------------------------------------------------

    def begin(self, lesson: Lesson) -> None:
        values = (lesson.code, lesson.owner, lesson.source, lesson.sentence, lesson.feedback, lesson.begun)
        self._database.rows(
            "INSERT INTO lesson (code, owner, source, sentence, feedback, begun) VALUES (?, ?, ?, ?, ?, ?)",
            values,
        )

    def lessons(self) -> list[Lesson]:
        """All, the newest first."""
        rows = self._database.rows(
            "SELECT code, owner, source, sentence, feedback, begun, ended FROM lesson ORDER BY begun DESC"
        )
        return [Lesson(*row) for row in rows]

    def end(self, code: str) -> None:
        self._database.rows(
            "UPDATE lesson SET ended = ? WHERE code = ? AND ended IS NULL", (time.time(), code)
        )

    def delete(self, code: str) -> None:
        """The lesson with all that was written in it."""
        with self._database.together():
            self._database.rows(
                "DELETE FROM answer WHERE pupil IN (SELECT token FROM pupil WHERE lesson = ?)", (code,)
            )
            self._database.rows("DELETE FROM pupil WHERE lesson = ?", (code,))
            self._database.rows("DELETE FROM lesson WHERE code = ?", (code,))

    # --- pupils --------------------------------------------------------------------

    def join(self, pupil: Pupil) -> None:
        """Raises TakenError."""
        values = (pupil.token, pupil.animal, pupil.station, pupil.seen, pupil.lesson)
        try:
            self._database.rows(
                "INSERT INTO pupil (token, animal, station, seen, lesson) VALUES (?, ?, ?, ?, ?)", values
            )
        except self._database.taken as error:
            raise TakenError(pupil.animal) from error

    def pupils(self, code: str) -> list[Pupil]:
        rows = self._database.rows(
            "SELECT token, animal, station, seen, lesson FROM pupil WHERE lesson = ? ORDER BY animal", (code,)
        )
        return [Pupil(*row) for row in rows]

    def write(self, token: str, station: str, answers: Sequence[Answer]) -> None:
        """All of them or none; sent twice, they stand there once."""
        with self._database.together():
            self._database.rows(
                "UPDATE pupil SET seen = ?, station = ? WHERE token = ?", (time.time(), station, token)
            )
            self._database.many(_WRITE, [(token, a.name, a.place, a.text, a.number) for a in answers])

    def answers(self, token: str) -> list[Answer]:
        rows = self._database.rows(
            "SELECT name, place, text, number FROM answer WHERE pupil = ? ORDER BY number", (token,)
        )
        return [Answer(*row) for row in rows]


def is_there(address: str, folder: Path) -> bool:
    """Whether there may be lessons of an earlier run."""
    return address.startswith(POSTGRES) or _path(address, folder).exists()


def _path(address: str, folder: Path) -> Path:
    return Path(address) if address else folder / "stunden.db"


class _SqliteDatabase:
    taken: type[Exception] = sqlite3.IntegrityError

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[Any]:
        return self._connection.execute(statement, tuple(values)).fetchall()

    def many(self, statement: str, values: Sequence[Sequence[Any]]) -> None:
        self._connection.executemany(statement, values)

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    def close(self) -> None:
        self._connection.close()


def _sqlite(path: Path) -> _SqliteDatabase:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, isolation_level=None, timeout=10, check_same_thread=False)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
    except (OSError, sqlite3.Error) as error:
        raise UserError(f"Die Antworten lassen sich in {quoted(path)} nicht ablegen: {error}.") from error
    return _SqliteDatabase(connection)


class _PostgresDatabase:
    def __init__(self, psycopg: Any, address: str) -> None:
        self._psycopg, self._address = psycopg, address
        self.taken: type[Exception] = psycopg.errors.UniqueViolation
        self._connection = self._connected()

    def _connected(self) -> Any:
        return self._psycopg.connect(self._address, autocommit=True, connect_timeout=10)

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[Any]:
        """Once more with a new connection, where the server has closed this one between two statements."""
        if self._connection.closed or self._connection.broken:
            self._connection = self._connected()
        cursor = self._connection.execute(statement.replace("?", "%s"), tuple(values))
        return cursor.fetchall() if cursor.description else []

    def many(self, statement: str, values: Sequence[Sequence[Any]]) -> None:
        with self._connection.cursor() as cursor:
            cursor.executemany(statement.replace("?", "%s"), values)

    def together(self) -> contextlib.AbstractContextManager[Any]:
        if self._connection.closed or self._connection.broken:
            self._connection = self._connected()
        transaction: contextlib.AbstractContextManager[Any] = self._connection.transaction()
        return transaction

    def close(self) -> None:
        self._connection.close()


def _postgres(address: str) -> _PostgresDatabase:
    try:
        import psycopg
    except ImportError as error:
        raise UserError(
            "Für PostgreSQL fehlt das Paket „psycopg“; nötig ist papierformer[server]."
        ) from error
    try:
        return _PostgresDatabase(psycopg, address)
    except psycopg.Error as error:
        raise UserError(f"Die Datenbank {quoted(address.rpartition('@')[2])} antwortet nicht.") from error
