"""One run of the page: where it listens, its name outside, where it keeps sheets, its secret."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from generator.basics.errors import UserError, quoted

PORT: Final = 8765
HERE: Final = "127.0.0.1"
SECRET: Final = "PAPIERFORMER_SCHLUESSEL"
_SHORTEST_SECRET: Final = 20


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
        parts = urlsplit(self.public)
        if self.public and (parts.scheme not in ("http", "https") or not parts.netloc or parts.query):
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
    def encrypted(self) -> bool:
        return self.public.startswith("https:")

    @property
    def shared(self) -> bool:
        """Whether several people use this page, each with sheets of their own."""
        return bool(self.public)

    @property
    def hosts(self) -> frozenset[str]:
        """What may stand in a request's Host: a page elsewhere cannot have our name point to us."""
        here = {f"{name}:{self.port}" for name in (HERE, "localhost", "[::1]")}
        return frozenset({*here, urlsplit(self.public).netloc} - {""})

    @property
    def base(self) -> str:
        """The address of the page, without a slash at its end."""
        return self.public.rstrip("/") or f"http://{HERE}:{self.port}"

    @property
    def entrance(self) -> str:
        """The address that lets one in."""
        return f"{self.base}/einlass/{self.secret}"

    def sealed(self, text: str) -> str:
        """A mark that only this run can make."""
        return hmac.new(self.secret.encode(), text.encode(), hashlib.sha256).hexdigest()


def user_data(environment: Mapping[str, str] = os.environ) -> Path:
    """The user's folder for what this program keeps. UserError where the system names no home."""
    try:
        if sys.platform == "win32":
            return Path(environment.get("APPDATA") or Path.home() / "AppData" / "Roaming") / "Papierformer"
        if sys.platform == "darwin":
            return Path.home() / "Library" / "Application Support" / "Papierformer"
        return Path(environment.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "papierformer"
    except RuntimeError as error:
        raise UserError("Es gibt keinen eigenen Ordner; nötig ist --ablage ORDNER.") from error
