"""One run of the page: where it listens, its name outside, where it keeps sheets, its secret."""

import hashlib
import hmac
import os
import re
import secrets
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from generator.basics.errors import UserError, quoted

PORT: Final = 8765
HERE: Final = "127.0.0.1"
SECRET: Final = "PAPIERFORMER_SCHLUESSEL"
_SHORTEST_SECRET: Final = 20
SESSION: Final = 14 * 86_400  # seconds
_CLIENT: Final = re.compile(r"[A-Za-z0-9_-]{22}")
_PUBLIC: Final = re.compile(r"https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*/?")
_ANYWHERE: Final = ("0.0.0.0", "::", "")


@dataclass(frozen=True)
class Settings:
    """What a run of the page is given.

    address: what it listens on. public: the address a proxy gives it ("https://schule.example/papier"), ""
    where there is none. folder: of earlier sheets. store: where pupils' answers are kept; "" for a file in
    the folder. computers: of a cluster that makes class sets. secret: whoever knows it comes in.
    """

    folder: Path
    port: int = PORT
    address: str = HERE
    public: str = ""
    store: str = ""
    computers: str = ""
    secret: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)

    def __post_init__(self) -> None:
        if self.public and not _PUBLIC.fullmatch(self.public):
            raise UserError(
                f"--oeffentlich {quoted(self.public)} passt nicht: Nötig ist eine Adresse wie "
                "https://schule.example/papierformer."
            )
        if len(self.secret) < _SHORTEST_SECRET:
            raise UserError(f"{SECRET} ist zu kurz; nötig sind {_SHORTEST_SECRET} Zeichen.")

    @property
    def prefix(self) -> str:
        """The path under which a proxy shows the page, "" for the root; begins with / and ends without."""
        return urlsplit(self.public).path.rstrip("/")

    @property
    def shared(self) -> bool:
        """Whether several people use this page, each with sheets of their own."""
        return bool(self.public)

    @property
    def _here(self) -> str:
        """This computer by the name under which the page listens."""
        address = HERE if self.address in _ANYWHERE else self.address
        return f"[{address}]:{self.port}" if ":" in address else f"{address}:{self.port}"

    @property
    def hosts(self) -> frozenset[str]:
        """What may stand in a request's Host: a page elsewhere cannot have our name point to us."""
        here = {f"{name}:{self.port}" for name in (HERE, "localhost", "[::1]")}
        return frozenset({*here, self._here, urlsplit(self.public).netloc} - {""})

    @property
    def base(self) -> str:
        """The address of the page, without a slash at its end."""
        return self.public.rstrip("/") or f"http://{self._here}"

    @property
    def entrance(self) -> str:
        """The address that lets one in."""
        return f"{self.base}/einlass/{self.secret}"

    def csrf(self, client: str) -> str:
        """What our pages send along, and no page elsewhere knows."""
        return self._sealed("csrf " + client)

    def session(self, client: str) -> str:
        """A cookie's value that is good for some days. client: a random name, "" for a new one."""
        known = client if _CLIENT.fullmatch(client) else secrets.token_urlsafe(16)
        named = f"{known}.{int(time.time()) + SESSION}"
        return f"{named}.{self._sealed('session ' + named)}"

    def client_of(self, cookie: str) -> str | None:
        """Whose session it is; None where it is none, or over."""
        named, _, mark = cookie.rpartition(".")
        client, _, until = named.partition(".")
        right = same(mark, self._sealed("session " + named)) and float(until) > time.time()
        return client if right else None

    def _sealed(self, text: str) -> str:
        return hmac.new(self.secret.encode(), text.encode(), hashlib.sha256).hexdigest()


def same(given: str, right: str) -> bool:
    """Compared in the same time, however much of it is right."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), right.encode())


def user_data() -> Path:
    """The user's folder for what this program keeps. UserError where the system names no home."""
    try:
        if sys.platform == "win32":
            return Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming") / "Papierformer"
        if sys.platform == "darwin":
            return Path.home() / "Library" / "Application Support" / "Papierformer"
        return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "papierformer"
    except RuntimeError as error:
        raise UserError("Es gibt keinen eigenen Ordner; nötig ist --ablage ORDNER.") from error
