"""One worksheet with fields, and what its key says for each field."""

from __future__ import annotations

import pytest

from generator.options.options import Options
from generator.output.many import Printers
from generator.production.worksheet import make_files
from tests.laid_out import silent


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """What was made, and the folder where it lies."""
    options = Options(satz="Die Katze sitzt", stationen=("4a", "4b", "5", "7"), ausfuellbar=True)
    with Printers() as printers:
        made = make_files(options, silent, printers)
    folder = tmp_path_factory.mktemp("form")
    for name, data in made.files.items():
        (folder / name).write_bytes(data)
    return made, folder


@pytest.fixture(scope="session")
def right(made):
    """The key's number for each field, as a pupil types it."""
    blanks = made[0].sheet.blanks()
    return {f"{b.name}[{b.address}]": b.text.replace("\N{MINUS SIGN}", "-") for b in blanks}
