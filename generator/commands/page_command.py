"""`papierformer seite`: options go in; the page is there until Ctrl-C."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from generator.basics.errors import UserError
from generator.commands.streams import Stopped, say
from generator.options.option_kinds import Whole
from generator.page.server import open_browser, serve
from generator.page.settings import HERE, PORT, SECRET, Settings, user_data


def run(given: Mapping[str, Any], with_browser: bool) -> None:
    """Serve the page; says where it is. UserError where it cannot listen."""
    settings = _settings(given)

    def ready(entrance_once: str) -> None:
        # A server's lines are kept in a journal, and its owner knows the key.
        say(f"Papierformer läuft: {settings.base if settings.shared else settings.entrance}\nBeenden: Strg+C")
        if with_browser:
            open_browser(entrance_once)

    try:
        serve(settings, ready)
    except (KeyboardInterrupt, Stopped):  # the usual way to end it
        say("Papierformer ist beendet.")


def _settings(given: Mapping[str, Any]) -> Settings:
    secret = {"secret": os.environ[SECRET]} if os.environ.get(SECRET) else {}
    if given.get("oeffentlich") and not secret:
        raise UserError(
            f"--oeffentlich braucht einen Schlüssel, der gleich bleibt; er steht in der Umgebung: {SECRET}=…"
        )
    return Settings(
        folder=Path(given["ablage"]) if "ablage" in given else user_data(),
        port=Whole(1, 65535).read("--port", given.get("port", PORT)),
        address=given.get("adresse", HERE),
        public=given.get("oeffentlich", ""),
        computers=given.get("rechner", ""),
        store=given.get("speicher", ""),
        **secret,
    )
