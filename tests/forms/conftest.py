"""One worksheet with fields, and what its key says for each field."""

from __future__ import annotations

import pytest

from generator.options.options import Options
from tests.laid_out import files_of, laid_out

FILLED = Options(satz="Die Katze sitzt", stationen=("4a", "4b", "5", "7"), ausfuellbar=True)


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """The folder where its files lie."""
    folder = tmp_path_factory.mktemp("form")
    for name, data in files_of(FILLED).items():
        (folder / name).write_bytes(data)
    return folder


@pytest.fixture(scope="session")
def right():
    """The key's number for each field, as a pupil types it."""
    blanks = laid_out(FILLED)[0].blanks()
    return {f"{b.name}[{b.address}]": b.text.replace("\N{MINUS SIGN}", "-") for b in blanks}
