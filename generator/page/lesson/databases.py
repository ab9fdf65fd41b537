"""SQL goes in; rows come out, of SQLite or PostgreSQL, or an error that says what it means for a lesson."""

import contextlib
import os
import socket
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from generator.basics.errors import UserError, quoted


class StoreError(UserError):
    """It is not sure that it was kept, or the store cannot be read."""


class TakenError(Exception):
    """Somebody in the lesson has this animal already."""


class GoneError(Exception):
    """The lesson or the pupil was deleted."""


class SqliteDatabase:
    """A file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._told():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, isolation_level=None, timeout=5, check_same_thread=False)
            path.chmod(0o600)
            self._connection.executescript(
                "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; "
                "PRAGMA secure_delete = ON"
            )
            self._file = path.stat()

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[Any]:
        with self._told():
            self._there()
            return self._connection.execute(statement, tuple(values)).fetchall()

    def many(self, statement: str, values: Sequence[Sequence[Any]]) -> None:
        with self._told():
            self._connection.executemany(statement, values)

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        with self._told():
            self._there()
            self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            with self._told():
                self._connection.execute("COMMIT")
                self._there()
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    def forget(self) -> None:
        """What was deleted is overwritten already (secure_delete); the log of changes goes too."""
        with self._told():
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def break_off(self) -> None:
        self._connection.interrupt()

    def close(self) -> None:
        self._connection.close()

    def _there(self) -> None:
        """SQLite itself would go on writing into a file that is deleted."""
        if not os.path.samestat(self._path.stat(), self._file):
            raise FileNotFoundError

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.IntegrityError as error:
            unique = error.sqlite_errorname in ("SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY")
            raise (TakenError if unique else GoneError) from error
        except FileNotFoundError as error:
            raise StoreError(f"Die Datei {quoted(self._path)} der Stunden ist nicht mehr da.") from error
        except (OSError, sqlite3.Error) as error:
            raise StoreError(
                f"Die Antworten lassen sich in {quoted(self._path)} gerade nicht ablegen oder lesen: {error}."
            ) from error


class PostgresDatabase:
    """A server."""

    def __init__(self, address: str) -> None:
        self._psycopg, self._address = driver(), address
        with self._told():
            self._connection = self._psycopg.connect(address, autocommit=True, connect_timeout=5)

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[Any]:
        with self._told():
            cursor = self._connection.execute(statement.replace("?", "%s"), tuple(values))
            return cursor.fetchall() if cursor.description else []

    def many(self, statement: str, values: Sequence[Sequence[Any]]) -> None:
        with self._told(), self._connection.cursor() as cursor:
            cursor.executemany(statement.replace("?", "%s"), values)

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        with self._told(), self._connection.transaction():
            yield

    def forget(self) -> None:
        """PostgreSQL overwrites by itself, later."""

    def break_off(self) -> None:
        """A server that hangs never answers: its connection is closed under whoever waits."""
        with (
            contextlib.suppress(self._psycopg.Error, OSError),
            socket.socket(fileno=os.dup(self._connection.fileno())) as held,
        ):
            held.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._connection.close()

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except self._psycopg.errors.UniqueViolation as error:
            raise TakenError from error
        except self._psycopg.errors.ForeignKeyViolation as error:
            raise GoneError from error
        except self._psycopg.Error as error:
            raise StoreError(
                f"Die Datenbank {quoted(self._address.rpartition('@')[2])} antwortet nicht; die Antworten "
                "lassen sich gerade nicht ablegen oder lesen."
            ) from error


def driver() -> Any:
    """The package that speaks with PostgreSQL. UserError where it is missing."""
    try:
        import psycopg
    except ImportError as error:
        raise UserError(
            "--speicher braucht für PostgreSQL das Paket „psycopg“; nötig ist papierformer[server]."
        ) from error
    return psycopg
