"""SQL goes in; rows come out, of SQLite or PostgreSQL, or an error that says what it means for a lesson.

What a StoreError says is for whoever runs the program: the place, and what the system or the server meant.
"""

import contextlib
import os
import socket
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from generator.basics.errors import UserError, quoted, shown_path


class StoreError(UserError):
    """It is not sure that it was kept, or the store cannot be read."""


class TakenError(Exception):
    """Somebody in the lesson has this animal already."""


class GoneError(Exception):
    """The lesson or the pupil was deleted."""


_BINARY: Final = getattr(os, "O_BINARY", 0)
_LASTING: Final = 24  # bytes at the head of SQLite's file that never change: what it is, how it is written


class SqliteDatabase:
    """A file, and beside it a copy of what it held a moment ago. make: whether there may be none yet."""

    def __init__(self, path: Path, make: bool) -> None:
        self._path, self._copy = path, copy_of(path)
        with self._as_store_errors():
            if make:
                path.parent.mkdir(parents=True, exist_ok=True)
            # Open as long as the connection is: where a program closes a file, the system lets go of all
            # locks that SQLite has on it there.
            self._handle = os.open(path, os.O_RDONLY | (os.O_CREAT if make else 0) | _BINARY, 0o600)
            try:
                self._connection = sqlite3.connect(
                    path, isolation_level=None, timeout=5, check_same_thread=False
                )
            except BaseException:
                os.close(self._handle)
                raise
            try:
                path.chmod(0o600)
                self._connection.executescript(
                    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; "
                    "PRAGMA secure_delete = ON"
                )
                self._head = self._read_head()
                self.check()
            except BaseException:
                self.close()
                raise
        self._copied = -1  # changes of ours that the copy has

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[Any]:
        with self._as_store_errors():
            self._there()
            return self._connection.execute(statement, tuple(values)).fetchall()

    def many(self, statement: str, values: Sequence[Sequence[Any]]) -> None:
        with self._as_store_errors():
            self._connection.executemany(statement, values)

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        with self._as_store_errors():
            self._there()
            self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            with self._as_store_errors():
                self._connection.execute("COMMIT")
                self._there()
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    def forget(self) -> None:
        """What was deleted is overwritten already (secure_delete); log of changes and copy go too."""
        with self._as_store_errors():
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._copy.unlink(missing_ok=True)
        self.keep_copy()

    def check(self) -> None:
        """Raises StoreError where the file is damaged."""
        with self._as_store_errors():
            self._there()
            if self._connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                raise sqlite3.DatabaseError(_DAMAGED)

    def keep_copy(self) -> None:
        """Copies what is there, where something has changed: in one step, and never what is damaged."""
        if self._copied == self._connection.total_changes:
            return
        self.check()
        aside = self._copy.with_name(self._copy.name + "-neu")
        with self._as_store_errors():
            aside.unlink(missing_ok=True)
            try:
                aside.touch(0o600)
                with contextlib.closing(sqlite3.connect(aside)) as copy:
                    self._connection.backup(copy)
                aside.replace(self._copy)
            finally:
                aside.unlink(missing_ok=True)
        self._copied = self._connection.total_changes

    def break_off(self) -> None:
        self._connection.interrupt()

    def close(self) -> None:
        self._connection.close()
        os.close(self._handle)

    def has(self, table: str) -> bool:
        return bool(self.rows("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)))

    def _there(self) -> None:
        """SQLite would go on writing into a file that is deleted, or into one that it cannot open again."""
        if not os.path.samestat(self._path.stat(), os.fstat(self._handle)):
            raise FileNotFoundError
        if self._read_head() != self._head:
            raise sqlite3.DatabaseError(_DAMAGED)

    def _read_head(self) -> bytes:
        os.lseek(self._handle, 0, os.SEEK_SET)
        return os.read(self._handle, _LASTING)

    @contextlib.contextmanager
    def _as_store_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.IntegrityError as error:
            unique = error.sqlite_errorname in ("SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY")
            raise (TakenError if unique else GoneError) from error
        except FileNotFoundError as error:
            raise StoreError(
                f"Die Datei {shown_path(self._path)} der Stunden ist nicht mehr da. {self.mended()}"
            ) from error
        except (OSError, sqlite3.Error) as error:
            damaged = getattr(error, "sqlite_errorname", "").startswith(_MEANS_DAMAGED)
            if damaged or str(error) == _DAMAGED:
                raise StoreError(
                    f"Die Datei {shown_path(self._path)} der Stunden ist beschädigt. {self.mended()}"
                ) from error
            raise StoreError(
                f"Die Antworten lassen sich in {shown_path(self._path)} gerade nicht ablegen oder lesen "
                f"(gemeldet ist: {error})."
            ) from error

    def mended(self) -> str:
        """How a damaged file is mended: the command that puts its copy in its place."""
        return _mended(self._path)


_DAMAGED: Final = "damaged"
_MEANS_DAMAGED: Final = ("SQLITE_CORRUPT", "SQLITE_NOTADB")


def copy_of(path: Path) -> Path:
    """Where the copy of a database's file lies."""
    return path.with_name(path.name + "-kopie")


def _mended(path: Path) -> str:
    copy = copy_of(path)
    if not copy.exists():
        return "Bitte beenden Sie das Programm und legen Sie die Datei aus einer Sicherung zurück."
    file, logs = shown_path(path), [f'"{shown_path(path)}-{each}"' for each in ("wal", "shm")]
    command = f'rm -f {" ".join(logs)}; cp "{shown_path(copy)}" "{file}"'
    if sys.platform == "win32":
        command = f'del {" ".join(logs)} & copy "{shown_path(copy)}" "{file}"'
    return f"Bitte beenden Sie das Programm und legen Sie die Kopie zurück: {command}"


class PostgresDatabase:
    """PostgreSQL, for a page on several computers."""

    def __init__(self, address: str) -> None:
        self._psycopg, self._address = driver(), address
        with self._as_store_errors():
            self._connection = self._psycopg.connect(address, autocommit=True, connect_timeout=5)

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[Any]:
        with self._as_store_errors():
            cursor = self._connection.execute(statement.replace("?", "%s"), tuple(values))
            return cursor.fetchall() if cursor.description else []

    def many(self, statement: str, values: Sequence[Sequence[Any]]) -> None:
        with self._as_store_errors(), self._connection.cursor() as cursor:
            cursor.executemany(statement.replace("?", "%s"), values)

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        with self._as_store_errors(), self._connection.transaction():
            yield

    def forget(self) -> None:
        """PostgreSQL overwrites by itself, later."""

    def has(self, table: str) -> bool:
        return bool(self.rows("SELECT 1 FROM pg_class WHERE oid = to_regclass(?)", (table,)))

    def check(self) -> None:
        """A server looks after its files itself; StoreError where it does not answer."""
        self.rows("SELECT 1")

    def keep_copy(self) -> None:
        """Backups of a server are made with its own tools."""

    def mended(self) -> str:
        """How a damaged database on a server is mended, in German."""
        return "Bitte beenden Sie das Programm und spielen Sie die Datenbank aus einer Sicherung zurück."

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
    def _as_store_errors(self) -> Iterator[None]:
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
