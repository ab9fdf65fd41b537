"""Formats are written from the same sheets that `tests/sheets` looks at."""

import sys
from functools import cache
from pathlib import Path

import pytest

from generator.calculation.rebuild import read_document

sys.path.append(str(Path(__file__).parents[1] / "sheets"))


@pytest.fixture
def verdicts_alone(monkeypatch):
    """`pruefe` reads a calculation once, as for a class, and looks for no names of mistakes."""
    monkeypatch.setattr("generator.check.check.diagnose", lambda *_: [])
    monkeypatch.setattr("generator.commands.check_command.read_document", cache(read_document))
